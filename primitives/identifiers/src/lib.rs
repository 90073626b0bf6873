//! Identifiers of a content fabric.
//!
//! Every entity of the fabric has an id of its own type: an array of 10 bytes, or of 32 for the version of a content
//! object. The ids are plain bytes in memory, in SCALE and in storage; their order is the order of the bytes. With the
//! feature `text` (on by default) each has a readable form: four characters that name its kind, then base58.
//!
//! ```
//! use content_fabric_identifiers::{TenantId, VersionId};
//!
//! let tenant = TenantId(*b"0123456789");
//! assert_eq!(tenant.to_string(), "iten3i37NcgooY8f1S");
//! assert_eq!("iten3i37NcgooY8f1S".parse(), Ok(tenant));
//! assert!("iten3i37NcgooY8f1S".parse::<VersionId>().is_err());
//! ```
//!
//! The crate is `no_std` and allocates nothing.

#![cfg_attr(not(feature = "std"), no_std)]
#![deny(missing_docs)]

mod entity;
#[cfg(feature = "text")]
mod text;

pub use entity::{
	ContentObjectId, ContentObjectPath, KmsId, LengthError, NodeId, ProviderId, SpaceId, TenantId,
	VersionId,
};
#[cfg(feature = "text")]
pub use text::ParseIdError;

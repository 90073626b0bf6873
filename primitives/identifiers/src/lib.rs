// SPDX-License-Identifier: Apache-2.0
#![doc = include_str!("../README.md")]
#![cfg_attr(not(feature = "std"), no_std)]
#![deny(missing_docs)]

#[cfg(feature = "alloc")]
extern crate alloc;

#[cfg(feature = "arbitrary")]
mod arbitrary;
mod authority;
#[cfg(feature = "chunk")]
mod chunk;
pub mod clock;
mod convert;
#[cfg(feature = "data")]
mod data;
mod entity;
mod hash_kind;
mod hex;
mod muid;
mod nsid;
mod record_key;
mod record_path;
#[cfg(feature = "text")]
mod record_uri;
#[cfg(feature = "codec")]
mod scale;
#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "text")]
mod text;
mod tid;

pub use authority::{Did, Handle, ParseDidError, ParseHandleError};
#[cfg(feature = "chunk")]
pub use chunk::{verify_chunk, ChunkError, CHUNK_LEN};
#[cfg(feature = "std")]
pub use clock::{system_random, SystemClock};
pub use clock::{Clock, MillisClock};
#[cfg(feature = "data")]
pub use data::{Cid, ParseCidError, VersionCheck, VersionHasher};
pub use entity::{
	ContentObjectId, ContentObjectPath, KmsId, LengthError, NodeId, ProviderId, SpaceId, TenantId,
	VersionId,
};
pub use hash_kind::{HashKind, ParseHashKindError};
pub use muid::{
	Medallion, MedallionError, Muid, MuidError, MuidGenerator, MuidParts, ParseMedallionError,
	ParseMuidError, ResolveMuidError, ShortMuid, Transaction,
};
pub use nsid::{Nsid, ParseNsidError};
#[cfg(feature = "alloc")]
pub use record_key::RecordKeyBuf;
pub use record_key::{
	ParseRecordKeyError, ParseRecordKeySyntaxError, ParseRecordKeyTypeError, RecordKey,
	RecordKeySyntax, RecordKeyType, RecordKeyTypeError,
};
pub use record_path::{ParseRecordPathError, RecordPath};
#[cfg(feature = "text")]
pub use record_uri::{Authority, ParseAuthorityError, ParseRecordUriError, RecordUri};
#[cfg(feature = "text")]
pub use text::{id_kind, ParseIdError, ID_KINDS};
#[cfg(target_has_atomic = "64")]
pub use tid::AtomicTidGenerator;
pub use tid::{
	ClockId, ClockIdError, LenientTid, ParseClockIdError, ParseTidError, Tid, TidError,
	TidGenerator,
};

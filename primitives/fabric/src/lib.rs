// SPDX-License-Identifier: Apache-2.0
#![doc = include_str!("../README.md")]
#![cfg_attr(not(feature = "std"), no_std)]
#![deny(missing_docs)]

extern crate alloc;

mod commit;
mod content;
mod events;
mod kms_key;
mod levels;
mod member;
#[cfg(feature = "text")]
mod request;
mod rows;
mod size;
mod space;

pub use commit::{wrap_payload, DraftVersion, VersionCommit, COMMIT_CONTEXT};
pub use content::{ContentRef, Resolution};
pub use content_fabric_identifiers as identifiers;
pub use content_fabric_identifiers::HashKind;
pub use events::FabricEvent;
pub use kms_key::KmsKey;
#[cfg(feature = "text")]
pub use kms_key::ParseKmsKeyError;
pub use levels::{ProviderLevel, TenantLevel};
#[cfg(feature = "text")]
pub use member::ParseMemberIdError;
pub use member::{MemberId, Role};
#[cfg(feature = "text")]
pub use request::{
	Authorization, ParseAuthorizationError, Receiver, Request, Until, Untimely, MAX_REQUEST_TIME,
};
pub use rows::*;
pub use size::known_size;
pub use space::{AdmissionPolicy, SpaceRules};

#![doc = include_str!("../README.md")]
#![cfg_attr(not(feature = "std"), no_std)]
#![deny(missing_docs)]

pub mod clock;
mod entity;
mod hex;
mod muid;
mod nsid;
mod record_key;
#[cfg(feature = "serde")]
mod serde;
#[cfg(feature = "text")]
mod text;
mod ticks;
mod tid;

#[cfg(feature = "std")]
pub use clock::{system_random, SystemClock};
pub use clock::{Clock, MillisClock};
pub use entity::{
	ContentObjectId, ContentObjectPath, KmsId, LengthError, NodeId, ProviderId, SpaceId, TenantId,
	VersionId,
};
pub use muid::{
	Medallion, MedallionError, Muid, MuidError, MuidGenerator, ParseMuidError, ShortMuid,
	Transaction,
};
pub use nsid::{Nsid, ParseNsidError};
pub use record_key::{
	ParseRecordKeyError, ParseRecordKeyTypeError, RecordKey, RecordKeySyntax, RecordKeyType,
	RecordKeyTypeError,
};
#[cfg(feature = "text")]
pub use text::ParseIdError;
#[cfg(target_has_atomic = "64")]
pub use tid::AtomicTidGenerator;
pub use tid::{ClockId, ClockIdError, ParseTidError, Tid, TidError, TidGenerator};

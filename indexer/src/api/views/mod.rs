// SPDX-License-Identifier: Apache-2.0
//! Types of answers.

mod calls;
mod content;
mod envelope;
mod events;
mod members;
mod status;

pub use calls::Encoded;
pub use content::{
	Collection, Kms, Object, Record, RecordName, ResolvedRecord, Version, VersionRef,
};
pub use envelope::{At, HashText, List, One};
pub(crate) use events::event_id;
pub use events::{Block, Event, Fields, FinalizedMessage, HeadMessage, RetractMessage};
pub use members::{Account, Admission, Key, Member, Node, Probe, Purge, Role, Space};
pub use status::{Hit, Hour, NodeHeads, NodeStatus, Point, Status, Totals};

/// Returns the time of a muid, in milliseconds since the Unix epoch.
pub(crate) fn millis(muid: content_fabric_identifiers::Muid) -> u64 {
	muid.timestamp() / 1_000
}

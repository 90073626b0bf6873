// SPDX-License-Identifier: Apache-2.0
//! Types of answers.

/// Defines answers: each field with what it is made of.
macro_rules! answers {
	($(
		$(#[$doc:meta])*
		$name:ident of $from:ty = $item:pat_param => {
			$($(#[$field_doc:meta])* $field:ident: $type:ty = $value:expr,)*
		}
	)*) => {$(
		$(#[$doc])*
		#[derive(Clone, Debug, PartialEq, serde::Serialize, utoipa::ToSchema)]
		#[serde(rename_all = "camelCase")]
		pub struct $name {
			$($(#[$field_doc])* pub $field: $type,)*
		}

		impl From<$from> for $name {
			fn from($item: $from) -> Self {
				Self { $($field: $value,)* }
			}
		}
	)*};
}

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
pub(crate) use events::EventId;
pub use events::{Block, Event, Fields, FinalizedMessage, HeadMessage, RetractMessage};
pub use members::{Account, Admission, Key, Member, Node, Probe, Purge, Role, Space};
pub use status::{Hit, Hour, NodeHeads, NodeStatus, Point, Status, Totals};

/// Returns the time of a muid, in milliseconds since the Unix epoch.
pub(crate) fn millis(muid: content_fabric_identifiers::Muid) -> u64 {
	muid.timestamp() / 1_000
}

// SPDX-License-Identifier: Apache-2.0
//! Types of answers.

use content_fabric_client::chain::calls::EncodedCall;
use content_fabric_identifiers::Muid;
use serde::Serialize;
use subxt::utils::H256;
use utoipa::ToSchema;

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

mod audits;
mod content;
mod events;
mod members;
mod status;
mod words;

pub use audits::{Audit, AuditDay, CopyAtRisk, CopyAudit, LastAudit};
pub use content::{
	Collection, ContentObject, Kms, Record, RecordName, ResolvedRecord, Version, VersionCopy,
	VersionRef,
};
pub(crate) use events::EventId;
pub use events::{Block, Event, Fields, HeadMessage};
pub use members::{Account, Admission, Key, Member, Node, Purge, Role, Space};
pub use status::{Hour, NodeHeads, NodeStatus, Point, Status, Totals};

answers! {
	/// A call, encoded for a runtime.
	Encoded of (EncodedCall, u32) = (call, spec_version) => {
		/// The pallet and the call, such as `ContentFabric.reap`.
		name: String = call.name(),
		/// The indices of the pallet and the call, and the arguments: `0x` and hex digits.
		call: String = format!("0x{}", hex::encode(call.bytes())),
		/// The version of the runtime.
		spec_version: u32 = spec_version,
	}
}

/// The final block that an answer was read at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct At {
	/// The number of the block.
	pub number: u64,
	/// The hash of the block.
	#[schema(value_type = String)]
	pub hash: H256,
	/// The time of the block, in milliseconds since the Unix epoch.
	pub time: u64,
	/// The time since then, in milliseconds, by the clock of the server.
	pub age: u64,
}

/// An answer of one thing.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct One<T> {
	/// The block that it was read at.
	pub at: At,
	/// The thing.
	pub item: T,
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct List<T> {
	/// The block that it was read at.
	pub at: At,
	/// The items. There may be fewer than were asked for even if the list goes on.
	pub items: Vec<T>,
	/// The cursor of the next page. `null` at the end of the list.
	pub next: Option<String>,
}

/// Returns the time of a muid, in milliseconds since the Unix epoch.
pub(crate) fn millis(muid: Muid) -> u64 {
	muid.timestamp() / 1_000
}

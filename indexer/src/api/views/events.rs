// SPDX-License-Identifier: Apache-2.0
//! Events and blocks, as readers see them, and the messages of the feed.

use serde::{Serialize, Serializer};
use serde_json::Value as Json;
use utoipa::ToSchema;

use super::{HashText, NodeHeads};
use crate::{
	index::{
		view::{BlockPart, EventItem},
		BlockRow, EventRow,
	},
	source::Hash,
};

/// The fields of an event, as an object in their order.
#[derive(Clone, Debug, PartialEq)]
pub struct Fields(pub Vec<(String, Json)>);

impl Serialize for Fields {
	fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
		serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
	}
}

/// An event of the pallet.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Event {
	/// The id: the number and the hash of the block, and the place.
	pub id: String,
	/// The number of the block.
	pub block: u64,
	/// The hash of the block.
	#[schema(value_type = String)]
	pub block_hash: HashText,
	/// The time of the block, in milliseconds since the Unix epoch.
	pub time: u64,
	/// True if the block is final.
	#[serde(rename = "final")]
	pub is_final: bool,
	/// The place among all events of the block.
	pub index: u32,
	/// The place of the transaction that deposited it. `null` for events of hooks.
	pub extrinsic: Option<u32>,
	/// The name.
	pub name: String,
	/// The fields.
	#[schema(value_type = Object)]
	pub fields: Fields,
	/// The account that signed the transaction.
	pub signer: Option<String>,
	/// The hash of the transaction.
	pub extrinsic_hash: Option<String>,
	/// The pallets through which the call was made, such as `council`.
	pub via: Vec<String>,
}

/// Returns the id of an event.
pub(crate) fn event_id(number: u64, hash: Hash, index: u32) -> String {
	format!("{number}-{}-{index}", HashText(hash))
}

impl Event {
	/// Makes an event. Blocks up to `finalized` are final.
	pub(crate) fn new(number: u64, block: &BlockRow, event: EventRow, finalized: u64) -> Self {
		let (signer, extrinsic_hash, via) = match event.cause {
			Some(cause) => (cause.signer, Some(cause.extrinsic_hash), cause.via),
			None => (None, None, Vec::new()),
		};
		Self {
			id: event_id(number, block.hash, event.index),
			block: number,
			block_hash: block.hash.into(),
			time: block.time,
			is_final: number <= finalized,
			index: event.index,
			extrinsic: event.extrinsic,
			name: event.name,
			fields: Fields(event.fields),
			signer,
			extrinsic_hash,
			via,
		}
	}

	/// Makes an event of a list.
	pub(crate) fn of(item: EventItem, finalized: u64) -> Self {
		Self::new(item.number, &item.block, item.event, finalized)
	}
}

/// A block with the pallet's events in it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Block {
	/// The number.
	pub number: u64,
	/// The hash.
	#[schema(value_type = String)]
	pub hash: HashText,
	/// The hash of the block before it.
	#[schema(value_type = String)]
	pub parent: HashText,
	/// The time, in milliseconds since the Unix epoch.
	pub time: u64,
	/// True if it is final.
	#[serde(rename = "final")]
	pub is_final: bool,
	/// The version of the runtime that made it. Not in the feed.
	#[serde(skip_serializing_if = "Option::is_none")]
	pub spec_version: Option<u32>,
	/// Events in their order, at most 256: the first ones, and in the feed those that follow the
	/// message before.
	pub events: Vec<Event>,
	/// True if the block has more events after these. In the feed, the next message has them.
	pub more_events: bool,
}

impl Block {
	/// Makes a block with some of its events. Blocks up to `finalized` are final.
	pub(crate) fn new(part: BlockPart, finalized: u64) -> Self {
		let BlockPart { number, row, events, more, .. } = part;
		let events = events.into_iter().map(|event| Event::new(number, &row, event, finalized));
		Self {
			number,
			hash: row.hash.into(),
			parent: row.parent.into(),
			time: row.time,
			is_final: number <= finalized,
			spec_version: Some(row.spec_version),
			events: events.collect(),
			more_events: more,
		}
	}

	/// Makes a block as the feed sends it.
	pub(crate) fn in_feed(part: BlockPart, finalized: u64) -> Self {
		Self { spec_version: None, ..Self::new(part, finalized) }
	}
}

/// The number and the hash of a block.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct FinalizedMessage {
	/// The number.
	pub number: u64,
	/// The hash.
	#[schema(value_type = String)]
	pub hash: HashText,
}

/// The message that the blocks after another one are of a lost fork.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct RetractMessage {
	/// The last block that is still on the chain.
	pub to: FinalizedMessage,
}

/// The message that the feed sends at its start and every few seconds.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct HeadMessage {
	/// The number of the best block of the index.
	pub best: u64,
	/// The number of the last final block of the index.
	pub finalized: u64,
	/// The blocks of the node.
	pub node: NodeHeads,
}

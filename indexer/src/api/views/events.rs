// SPDX-License-Identifier: Apache-2.0
//! Events and blocks, as readers see them, and the messages of the feed.

use std::fmt;

use serde::{
	ser::{Error, SerializeMap},
	Serialize, Serializer,
};
use serde_json::Value as Json;
use subxt::utils::H256;
use utoipa::ToSchema;

use super::{words::Field, NodeHeads};
use crate::{
	api::ask,
	index::view::{BlockPart, EventItem},
	source::Hash,
};

/// The fields of an event, as an object in their order. Their values are JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct Fields(pub Vec<(String, String)>);

impl Serialize for Fields {
	fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
		let mut map = serializer.serialize_map(Some(self.0.len()))?;
		for (name, value) in &self.0 {
			let value: Json = serde_json::from_str(value).map_err(S::Error::custom)?;
			map.serialize_entry(name, &value)?;
		}
		map.end()
	}
}

answers! {
	/// An event of the pallet.
	Event of EventItem = EventItem { number, block, event } => {
		/// The id: the number and the hash of the block, and the place.
		id: String = EventId { number, hash: block.hash, index: event.index }.to_string(),
		/// The number of the block.
		block: u64 = number,
		/// The hash of the block.
		#[schema(value_type = String)]
		block_hash: H256 = block.hash.into(),
		/// The time of the block, in milliseconds since the Unix epoch.
		time: u64 = block.time,
		/// The place among all events of the block.
		index: u32 = event.index,
		/// The place of the transaction that deposited it. `null` for events of hooks.
		extrinsic: Option<u32> = event.extrinsic,
		/// The name.
		name: String = event.name,
		/// The fields.
		#[schema(value_type = BTreeMap<String, Field>)]
		fields: Fields = Fields(event.fields),
		/// The account that signed the transaction.
		signer: Option<String> =
			event.cause.as_ref().and_then(|cause| Some(cause.signer?.to_string())),
		/// The hash of the transaction.
		extrinsic_hash: Option<String> =
			event.cause.as_ref().map(|cause| cause.extrinsic_hash.clone()),
		/// The pallets through which the call was made, such as `council`.
		via: Vec<String> = event.cause.map(|cause| cause.via).unwrap_or_default(),
	}

	/// A block with the pallet's events in it.
	Block of BlockPart = BlockPart { number, row, events, more, .. } => {
		/// The number.
		number: u64 = number,
		/// The hash.
		#[schema(value_type = String)]
		hash: H256 = row.hash.into(),
		/// The hash of the block before it.
		#[schema(value_type = String)]
		parent: H256 = row.parent.into(),
		/// The time, in milliseconds since the Unix epoch.
		time: u64 = row.time,
		/// The version of the runtime that made it. Not in the feed.
		#[serde(skip_serializing_if = "Option::is_none")]
		#[schema(value_type = u32)]
		spec_version: Option<u32> = Some(row.spec_version),
		/// Events in their order, at most 256: the first ones, and in the feed those that follow
		/// the message before.
		events: Vec<Event> = events
			.into_iter()
			.map(|event| EventItem { number, block: row, event }.into())
			.collect(),
		/// True if the block has more events after these. In the feed, the next message has them.
		more_events: bool = more,
	}
}

/// A position in the feed: an event, after the earlier events of its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EventId {
	/// The number of the block.
	pub number: u64,
	/// The hash of the block.
	pub hash: Hash,
	/// The place of the event, 0 in a block without events.
	pub index: u32,
}

impl fmt::Display for EventId {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		write!(f, "{}-{:?}-{}", self.number, H256(self.hash), self.index)
	}
}

impl EventId {
	/// Reads an id. `None` if the text is not one.
	pub fn parse(text: &str) -> Option<Self> {
		let parts: Vec<&str> = text.split('-').collect();
		let [number, hash, index] = parts[..] else { return None };
		let (number, index) = (ask::number(number)?, ask::number(index)?);
		Some(Self { number, hash: ask::hash(hash)?, index })
	}
}

/// The message that the feed sends at its start and every few seconds.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct HeadMessage {
	/// The number of the last block of the index.
	pub finalized: u64,
	/// The blocks of the node.
	pub node: NodeHeads,
}

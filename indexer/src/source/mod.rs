// SPDX-License-Identifier: Apache-2.0
//! The source of blocks: the interface to a chain.

mod touched;

use std::time::Duration;

use codec::{Decode, Encode};
use content_fabric_client::chain::{rows::Member, ChainEvent};
use futures::Stream;
use scale_info::TypeInfo;
use subxt::{metadata::ArcMetadata, utils::AccountId32};

pub use content_fabric_client::chain::FabricEvent;
pub use touched::{topics, Topic, Touched};

use crate::rows::{Map, Row, RowKey, RowValue};

/// A result of reading the chain.
pub type Result<T, E = SourceError> = std::result::Result<T, E>;

/// The hash of a block.
pub type Hash = [u8; 32];

/// The number and the hash of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Encode, Decode, TypeInfo)]
pub struct BlockRef {
	/// The number.
	pub number: u64,
	/// The hash.
	pub hash: Hash,
}

/// The header of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
	/// The block.
	pub block: BlockRef,
	/// The hash of the block before it.
	pub parent: Hash,
}

/// The chain, and the node that serves it.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, TypeInfo)]
pub struct ChainInfo {
	/// The hash of the first block.
	pub genesis: Hash,
	/// The kind of chain: `Development`, `Local` or `Live`.
	pub kind: String,
	/// The symbol of the currency.
	pub token: String,
	/// Number of decimal places of the currency.
	pub decimals: u8,
}

impl ChainInfo {
	/// Returns `true` if it is a development chain, which makes blocks for transactions only, and
	/// whose clock may be anywhere.
	pub fn is_development(&self) -> bool {
		self.kind == "Development"
	}
}

/// A runtime, by which blocks are read and calls encoded.
#[derive(Clone)]
pub struct Runtime {
	/// Its version.
	pub spec_version: u32,
	/// Its metadata.
	pub metadata: ArcMetadata,
}

/// The best and the last finalized block of the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heads {
	/// The number of the best block.
	pub best: u64,
	/// The last finalized block.
	pub finalized: BlockRef,
}

/// The events of a block, and when and by which runtime it was made.
#[derive(Clone, Debug)]
pub struct BlockEvents {
	/// The time of the block, in milliseconds since the Unix epoch.
	pub time: u64,
	/// The version of the runtime that made the block.
	pub spec_version: u32,
	/// The events of the pallet, in their order.
	pub events: Vec<Deposited>,
}

/// An event of the pallet in a block.
#[derive(Clone, Debug)]
pub struct Deposited {
	/// The place among all events of the block.
	pub index: u32,
	/// The place of the transaction that deposited it. `None` for events of hooks.
	pub extrinsic: Option<u32>,
	/// The event, as the index reads it.
	pub event: FabricEvent,
	/// The event, as readers see it.
	pub shown: ChainEvent,
	/// The transaction behind it. `None` for events of hooks.
	pub cause: Option<Cause>,
}

/// The transaction behind an event.
#[derive(Clone, Debug, Default, PartialEq, Eq, Encode, Decode, TypeInfo)]
pub struct Cause {
	/// The account that signed it. `None` if it is not signed.
	pub signer: Option<AccountId32>,
	/// Its hash in hex.
	pub extrinsic_hash: String,
	/// The pallets through which the call was made, such as `council` or `proxy`.
	pub via: Vec<String>,
}

/// A failure to read the chain.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
	/// The node does not answer, or not as expected. Worth another try.
	#[error("{0}")]
	Node(String),
	/// The node no longer has the state of a block.
	#[error("the node has discarded the state of block {number}: it keeps only the latest states")]
	Discarded {
		/// The number of the block.
		number: u64,
	},
	/// An answer about a block is larger than the node sends. Another try does not help.
	#[error("{reason}")]
	TooLarge {
		/// The number of the block.
		number: u64,
		/// The part that is too large, and how to go on.
		reason: String,
	},
	/// The chain has something that this program does not know. Another try does not help.
	#[error("{0}")]
	Unknown(String),
}

impl SourceError {
	/// Returns whether another try may succeed. One that finds a state discarded may have read a
	/// block that was final long ago, and the next try reads others.
	pub const fn is_transient(&self) -> bool {
		matches!(self, Self::Node(_) | Self::Discarded { .. })
	}
}

/// A chain, read through a node.
#[allow(async_fn_in_trait, reason = "one thread reads")]
pub trait Source {
	/// Returns what the node says about its chain.
	async fn info(&self) -> Result<ChainInfo>;

	/// Returns the node's best and last finalized blocks.
	async fn heads(&self) -> Result<Heads>;

	/// Waits until the last finalized block may have changed, or the time is over.
	async fn news(&self, patience: Duration) -> Result<()>;

	/// Returns the hash of the final block with a number.
	async fn hash_of(&self, number: u64) -> Result<Option<Hash>>;

	/// Returns the header of a block. `None` if the node does not have it.
	async fn header(&self, hash: Hash) -> Result<Option<Header>>;

	/// Returns the events of a block.
	async fn events(&self, block: &Header) -> Result<BlockEvents>;

	/// Returns rows as they are at the end of a block, in the order of the keys.
	async fn rows(&self, block: BlockRef, keys: &[RowKey]) -> Result<Vec<Option<Row>>>;

	/// Returns all rows of a map at the end of a block, page by page, in no order.
	fn scan(&self, block: BlockRef, map: Map) -> impl Stream<Item = Result<Vec<(RowKey, Row)>>>;

	/// Returns the version of the pallet's storage at the end of a block.
	async fn storage_version(&self, block: BlockRef) -> Result<u16>;

	/// Returns the time of a block, in milliseconds since the Unix epoch, and the version of the
	/// runtime that made it.
	async fn time_and_version(&self, block: &Header) -> Result<(u64, u32)>;

	/// Returns the runtime that made a block. `None` from a chain that has none.
	async fn runtime(&self, block: BlockRef) -> Result<Option<Runtime>>;
}

/// Returns a member's row, if the row is one.
pub(crate) fn as_member(row: &Row) -> Option<&Member> {
	match &row.value {
		RowValue::Member(member) => Some(member),
		_ => None,
	}
}

/// A block, with all that it changed.
#[derive(Clone, Debug)]
pub struct Block {
	/// The block.
	pub header: Header,
	/// Its events.
	pub events: BlockEvents,
	/// The rows and members that the events touch.
	pub touched: Touched,
	/// The touched rows as they are at the end of the block, in the order of their keys. `None` for
	/// those that do not exist.
	pub rows: Vec<(RowKey, Option<Row>)>,
}

/// Reads a block and all that it changed.
pub async fn fetch(source: &impl Source, header: Header) -> Result<Block> {
	let events = source.events(&header).await?;
	let mut touched = Touched::default();
	for event in &events.events {
		touched.add(&event.event);
	}
	let keys: Vec<_> = touched.rows.iter().cloned().collect();
	let rows = match keys.is_empty() {
		true => Vec::new(),
		false => source.rows(header.block, &keys).await?,
	};
	if rows.len() != keys.len() {
		let (asked, got) = (keys.len(), rows.len());
		return Err(SourceError::Node(format!(
			"the node was asked for {asked} rows and returned {got}"
		)));
	}
	Ok(Block { header, events, touched, rows: keys.into_iter().zip(rows).collect() })
}

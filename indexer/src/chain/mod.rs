// SPDX-License-Identifier: Apache-2.0
//! A chain, read from a node by JSON-RPC.
//!
//! The runtime of a block's parent executes the block, so it encodes the block's events and rows.
//! `runtime` finds it. This matters for blocks that replace the runtime: the state after such a
//! block has the new code, and its events and rows have the old shapes.

mod causes;
mod error;
mod events;
mod heads;
mod records;
mod runtime;
mod storage;
mod via;

use std::time::Duration;

use content_fabric_client::{
	chain::{Chain, Endpoint},
	keys::ChainKind,
	profile::NodeUrl,
};
use futures::{stream, Stream, TryStreamExt};
use subxt::utils::H256;
use tokio::sync::Mutex;

use self::{
	error::{ask, of_client},
	events::deposited,
	heads::News,
	records::Record,
	runtime::Runtimes,
	storage::row,
};
use crate::{
	rows::{storage_prefix, Map, Row, RowKey, PALLET},
	source::{
		BlockEvents, BlockRef, ChainInfo, Hash, Header, Heads, Result, Runtime, Source, SourceError,
	},
};

/// Time in which the node must answer a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// Number of rows that are read by their keys with one request.
const ROWS: usize = 200;
/// Number of such requests in flight.
const PARALLEL_ROWS: usize = 16;
/// Number of rows of a page of a map. Nodes allow no more keys.
const PAGE: u32 = 1_000;
/// Number of pages whose values are read at the same time.
const PARALLEL_PAGES: usize = 8;

/// A connection to a node. It does not mend itself: after an error of the node, open another.
pub struct Node {
	chain: Chain,
	runtimes: Runtimes,
	/// The subscription to finalized blocks, once it is open.
	news: Mutex<Option<News>>,
}

impl Node {
	/// Connects to a node.
	pub async fn connect(url: &NodeUrl) -> Result<Self> {
		// An index signs nothing, so the node's word on the chain is enough.
		let relaxed =
			Endpoint { metadata_hash: false, trusts_kind: true, ..Endpoint::new(url.clone()) };
		let chain = Chain::connect(relaxed.with_timeout(REQUEST_TIMEOUT)).await;
		let chain = chain.map_err(|error| of_client(&error, None))?;
		Ok(Self { chain, runtimes: Runtimes::default(), news: Mutex::new(None) })
	}

	/// Returns the time of a block, in milliseconds since the Unix epoch.
	async fn time(&self, block: BlockRef) -> Result<u64> {
		// A chain begins without a time.
		Ok(self.item(block, "Timestamp", "Now").await?.unwrap_or_default())
	}
}

impl Source for Node {
	async fn info(&self) -> Result<ChainInfo> {
		let identity = self.chain.identity();
		let kind = match identity.kind {
			ChainKind::Development => "Development",
			ChainKind::Local => "Local",
			ChainKind::Live => "Live",
		};
		Ok(ChainInfo {
			genesis: identity.genesis_hash,
			kind: kind.into(),
			token: identity.units.symbol().into(),
			decimals: identity.units.decimals(),
		})
	}

	async fn heads(&self) -> Result<Heads> {
		let rpc = self.chain.rpc();
		let finalized = async {
			let hash = ask("chain_getFinalizedHead", None, rpc.chain_get_finalized_head()).await?.0;
			let missing = || {
				let hash = hex::encode(hash);
				SourceError::Node(format!("the node lacks its last final block 0x{hash}"))
			};
			Ok(self.header(hash).await?.ok_or_else(missing)?.block)
		};
		let best = async {
			let best = ask("chain_getHeader", None, rpc.chain_get_header(None)).await?;
			let missing = || SourceError::Node("the node has no best block".into());
			Ok(best.ok_or_else(missing)?.number)
		};
		let (finalized, best) = tokio::try_join!(finalized, best)?;
		// A block may have been made and finalized in between.
		Ok(Heads { best: best.max(finalized.number), finalized })
	}

	async fn news(&self, patience: Duration) -> Result<()> {
		let mut held = self.news.lock().await;
		// Put back unless something fails.
		let mut news = match held.take() {
			Some(news) => news,
			// The first message is the present block.
			None => self.subscribe().await?,
		};
		if let Ok(arrival) = tokio::time::timeout(patience, news.arrival()).await {
			arrival?;
		}
		news.drain()?;
		*held = Some(news);
		Ok(())
	}

	async fn hash_of(&self, number: u64) -> Result<Option<Hash>> {
		let hash = self.chain.rpc().chain_get_block_hash(Some(number.into()));
		Ok(ask("chain_getBlockHash", None, hash).await?.map(|hash| hash.0))
	}

	async fn header(&self, hash: Hash) -> Result<Option<Header>> {
		let header = self.chain.rpc().chain_get_header(Some(H256(hash)));
		let header = ask("chain_getHeader", None, header).await?;
		Ok(header.map(|header| Header {
			block: BlockRef { number: header.number, hash },
			parent: header.parent_hash.0,
		}))
	}

	async fn events(&self, block: &Header) -> Result<BlockEvents> {
		let key = storage_prefix("System", "Events");
		let (transactions, raw, time, runtime) = tokio::try_join!(
			self.transactions(block.block),
			self.value(block.block, &key),
			self.time(block.block),
			self.runtime_of_header(block),
		)?;
		let spec_version = runtime.spec_version;
		// The first block has none.
		let Some(raw) = raw else {
			return Ok(BlockEvents { time, spec_version, events: Vec::new() });
		};
		let number = block.block.number;
		let records = Record::all(&raw, &runtime.metadata).map_err(|reason| {
			SourceError::Unknown(format!(
				"events of block {number} do not decode with the metadata of version \
				 {spec_version} of the runtime: {reason}"
			))
		})?;
		let events = deposited(&records, &transactions, &runtime, number)?;
		Ok(BlockEvents { time, spec_version, events })
	}

	async fn rows(&self, block: BlockRef, keys: &[RowKey]) -> Result<Vec<Option<Row>>> {
		let storage_keys: Vec<_> = keys.iter().map(RowKey::storage_key).collect();
		let requests: Vec<_> =
			storage_keys.chunks(ROWS).map(|keys| Ok(self.values(block, keys))).collect();
		let values = stream::iter(requests).try_buffered(PARALLEL_ROWS);
		let values = values.try_collect::<Vec<_>>();
		let (runtime, values) = tokio::try_join!(self.runtime_of(block), values)?;
		let rows = keys.iter().zip(values.into_iter().flatten());
		rows.map(|(key, raw)| raw.map(|raw| row(key.map(), raw, &runtime)).transpose()).collect()
	}

	fn scan(&self, block: BlockRef, map: Map) -> impl Stream<Item = Result<Vec<(RowKey, Row)>>> {
		let pages =
			stream::try_unfold(Some(None), move |start: Option<Option<Vec<u8>>>| async move {
				let Some(start) = start else { return Ok(None) };
				let keys = self.keys(block, &map.prefix(), PAGE, start.as_deref()).await?;
				let is_last = u32::try_from(keys.len()).unwrap_or(PAGE) < PAGE;
				let next = keys.last().filter(|_| !is_last).cloned().map(Some);
				Ok::<_, SourceError>(Some((keys, next)))
			});
		let pages = pages.try_filter(|keys| std::future::ready(!keys.is_empty()));
		pages.map_ok(move |keys| self.page(block, map, keys)).try_buffer_unordered(PARALLEL_PAGES)
	}

	async fn storage_version(&self, block: BlockRef) -> Result<u16> {
		// A pallet that has never set its version has the first one.
		Ok(self.item(block, PALLET, ":__STORAGE_VERSION__:").await?.unwrap_or_default())
	}

	async fn time_and_version(&self, block: &Header) -> Result<(u64, u32)> {
		tokio::try_join!(self.time(block.block), self.spec_version(block))
	}

	async fn runtime(&self, block: BlockRef) -> Result<Option<Runtime>> {
		self.runtime_of(block).await.map(Some)
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn reads_can_be_spawned() {
		fn is_send(_: impl Send) {}
		// Fails to compile if a task that reads could not be moved to another thread.
		let _ = |node: &'static Node, header: &'static Header, keys: &'static [RowKey]| {
			is_send(node.heads());
			is_send(node.news(Duration::ZERO));
			is_send(node.events(header));
			is_send(node.rows(header.block, keys));
			is_send(node.scan(header.block, Map::Records));
			is_send(node.time_and_version(header));
		};
	}
}

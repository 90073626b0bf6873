// SPDX-License-Identifier: Apache-2.0
//! A node that serves the chain, with faults.

use std::{
	cell::{Cell, RefCell},
	future::{pending, poll_fn},
	rc::Rc,
	task::Poll,
	time::Duration,
};

use content_fabric_indexer::{
	rows::{Map, Row, RowKey},
	source::{
		BlockEvents, BlockRef, ChainInfo, Hash, Header, Heads, Result, Runtime, Source, SourceError,
	},
};
use futures::{stream, Stream};
use rand::{rngs::StdRng, seq::SliceRandom, Rng, SeedableRng};

use crate::chain::{Block, Chain};

/// An event during a call.
#[derive(Clone, Copy, Debug, Default)]
pub struct Faults {
	/// Probability that the chain changes.
	pub change: f64,
	/// Probability that the call fails.
	pub fail: f64,
	/// Probability that the connection is lost.
	pub disconnect: f64,
	/// Number of final blocks whose state the node keeps, besides the last one. `None` for all.
	pub keep: Option<u64>,
	/// True if the events of some blocks are larger than the node sends.
	pub large: bool,
	/// Number of moments by which the node is behind at first.
	pub behind: usize,
	/// The block after whose events the node is silent.
	pub silent_after: Option<u64>,
	/// True if the wait for news takes all the time that it may.
	pub wait: bool,
}

/// A connection to a node.
pub struct Node {
	chain: Rc<RefCell<Chain>>,
	rng: RefCell<StdRng>,
	faults: Faults,
	connected: Cell<bool>,
	moment: Cell<usize>,
	/// Number of calls that asked for a state that the node has discarded.
	pub discarded: Cell<u64>,
	/// Number of answers that were too large.
	pub too_large: Cell<u64>,
}

/// Returns whether the events of a block are larger than some nodes send.
pub fn is_large(block: BlockRef) -> bool {
	block.hash[31].is_multiple_of(25)
}

impl Node {
	/// Connects to a node.
	pub fn new(chain: &Rc<RefCell<Chain>>, seed: u64, faults: Faults) -> Self {
		let moment = chain.borrow().moment().saturating_sub(faults.behind);
		Self {
			chain: chain.clone(),
			rng: RefCell::new(StdRng::seed_from_u64(seed)),
			faults,
			connected: Cell::new(true),
			moment: Cell::new(moment),
			discarded: Cell::new(0),
			too_large: Cell::new(0),
		}
	}

	/// Connects to an archive node that has no faults.
	pub fn reliable(chain: &Rc<RefCell<Chain>>) -> Self {
		Self::new(chain, 0, Faults::default())
	}

	pub fn is_connected(&self) -> bool {
		self.connected.get()
	}

	fn happens(&self, probability: f64) -> bool {
		probability > 0.0 && self.rng.borrow_mut().random_bool(probability)
	}

	/// Begins a call. Returns the node's heads.
	async fn call(&self) -> Result<Heads> {
		if self.happens(0.2) {
			pause().await;
		}
		if !self.connected.get() {
			return Err(SourceError::Node("the connection is lost".into()));
		}
		if self.happens(self.faults.change) {
			self.chain.borrow_mut().change();
		}
		let present = self.chain.borrow().moment();
		let moment = match self.faults.behind {
			0 => present,
			_ => present.min(self.moment.get() + self.rng.borrow_mut().random_range(0..2)),
		};
		self.moment.set(moment);
		if self.happens(self.faults.disconnect) {
			self.connected.set(false);
			return Err(SourceError::Node("the connection breaks".into()));
		}
		if self.happens(self.faults.fail) {
			return Err(SourceError::Node("the call fails".into()));
		}
		Ok(self.chain.borrow().heads_at(moment))
	}

	/// Begins a call that reads the state of a block.
	async fn read(&self, at: BlockRef) -> Result<Rc<Block>> {
		let heads = self.call().await?;
		let chain = self.chain.borrow();
		let block = chain.block(&at.hash).expect("only final blocks are asked for");
		let is_kept =
			self.faults.keep.is_none_or(|keep| at.number + keep >= heads.finalized.number);
		if !is_kept {
			self.discarded.set(self.discarded.get() + 1);
			return Err(SourceError::Discarded { number: at.number });
		}
		Ok(block.clone())
	}
}

/// Lets other calls go first.
async fn pause() {
	let mut is_first = true;
	poll_fn(|context| match std::mem::take(&mut is_first) {
		true => {
			context.waker().wake_by_ref();
			Poll::Pending
		},
		false => Poll::Ready(()),
	})
	.await;
}

impl Source for Node {
	async fn info(&self) -> Result<ChainInfo> {
		self.call().await?;
		let genesis = self.chain.borrow().numbered(0).expect("there is a first block").hash();
		Ok(ChainInfo { genesis, kind: "Live".into(), token: "UNIT".into(), decimals: 12 })
	}

	async fn heads(&self) -> Result<Heads> {
		self.call().await
	}

	async fn news(&self, patience: Duration) -> Result<()> {
		if self.faults.wait {
			tokio::time::sleep(patience).await;
		}
		self.call().await.map(drop)
	}

	async fn hash_of(&self, number: u64) -> Result<Option<Hash>> {
		let last = self.call().await?.finalized.number;
		let chain = self.chain.borrow();
		let block = chain.numbered(number).filter(|_| number <= last);
		Ok(block.map(|block| block.hash()))
	}

	async fn header(&self, hash: Hash) -> Result<Option<Header>> {
		self.call().await?;
		let chain = self.chain.borrow();
		Ok(chain.block(&hash).map(|block| block.header))
	}

	async fn events(&self, block: &Header) -> Result<BlockEvents> {
		let block = self.read(block.block).await?;
		let at = block.header.block;
		if self.faults.silent_after.is_some_and(|last| at.number > last) {
			pending::<()>().await;
		}
		if self.faults.large && is_large(at) {
			self.too_large.set(self.too_large.get() + 1);
			let reason = format!("the events of block {} are too large", at.number);
			return Err(SourceError::TooLarge { number: at.number, reason });
		}
		Ok(block.events.clone())
	}

	async fn rows(&self, block: BlockRef, keys: &[RowKey]) -> Result<Vec<Option<Row>>> {
		let block = self.read(block).await?;
		Ok(keys.iter().map(|key| block.fabric.row(key).cloned()).collect())
	}

	fn scan(&self, block: BlockRef, map: Map) -> impl Stream<Item = Result<Vec<(RowKey, Row)>>> {
		stream::unfold(Some(None), move |left: Option<Option<Vec<_>>>| async move {
			let left = left?;
			let block = match self.read(block).await {
				Ok(block) => block,
				Err(error) => return Some((Err(error), None)),
			};
			let mut left = left.unwrap_or_else(|| {
				let rows = block.fabric.rows(map);
				let mut rows: Vec<_> = rows.cloned().collect();
				rows.shuffle(&mut *self.rng.borrow_mut());
				rows
			});
			if left.is_empty() {
				return None;
			}
			let size = self.rng.borrow_mut().random_range(1..40).min(left.len());
			let page = left.split_off(left.len() - size);
			Some((Ok(page), Some(Some(left))))
		})
	}

	async fn storage_version(&self, block: BlockRef) -> Result<u16> {
		Ok(self.read(block).await?.fabric.storage_version)
	}

	async fn time_and_version(&self, block: &Header) -> Result<(u64, u32)> {
		let block = self.read(block.block).await?;
		Ok((block.events.time, block.events.spec_version))
	}

	async fn runtime(&self, _: BlockRef) -> Result<Option<Runtime>> {
		Ok(None)
	}
}

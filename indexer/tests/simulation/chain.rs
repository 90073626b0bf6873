// SPDX-License-Identifier: Apache-2.0
//! A chain whose finality lags, and whose runtime is upgraded.
//!
//! It has final blocks only. Of the others the index is told how many there are, which goes down
//! when a fork is lost. A request for one of them fails the run.

use std::{cell::OnceCell, collections::HashMap, rc::Rc};

use content_fabric_indexer::source::{BlockEvents, BlockRef, Hash, Header, Heads};
use rand::{rngs::StdRng, Rng, SeedableRng};

use crate::{
	fabric::{Dump, Fabric},
	pallet::Pallet,
};

/// The number of blocks up to which finality lags.
const MAX_LAG: u64 = 20;
/// The time of the first block: the start of an hour, in milliseconds.
const START: u64 = 1_699_999_200_000;
/// Number of calls before the first block.
const FIRST_CALLS: u32 = 300;

/// A final block.
pub struct Block {
	pub header: Header,
	pub events: BlockEvents,
	/// The pallet's storage after it.
	pub fabric: Fabric,
	dump: OnceCell<Dump>,
}

impl Block {
	pub fn number(&self) -> u64 {
		self.header.block.number
	}

	pub fn hash(&self) -> Hash {
		self.header.block.hash
	}

	/// Returns what a dump of the index has after the block.
	pub fn dump(&self) -> &Dump {
		self.dump.get_or_init(|| self.fabric.dump())
	}
}

/// The final blocks, and the node's heads over time.
pub struct Chain {
	seed: u64,
	rng: StdRng,
	pallet: Pallet,
	blocks: Vec<Rc<Block>>,
	places: HashMap<Hash, usize>,
	/// The heads as they were, the present ones last.
	heads: Vec<Heads>,
	/// Number of changes that are left.
	left: u32,
}

impl Chain {
	/// Makes a chain that changes this many times.
	pub fn new(seed: u64, changes: u32) -> Self {
		let mut chain = Self {
			seed,
			rng: StdRng::seed_from_u64(seed),
			pallet: Pallet::new(),
			blocks: Vec::new(),
			places: HashMap::new(),
			heads: Vec::new(),
			left: changes,
		};
		chain.add(FIRST_CALLS);
		chain.set_heads(0);
		chain
	}

	/// Makes a chain that begins with the same block, and has no other.
	pub fn begun_anew(&self, seed: u64) -> Self {
		Self { rng: StdRng::seed_from_u64(seed), ..Self::new(self.seed, u32::MAX) }
	}

	pub fn block(&self, hash: &Hash) -> Option<&Rc<Block>> {
		self.blocks.get(*self.places.get(hash)?)
	}

	/// Returns the block with a number.
	pub fn numbered(&self, number: u64) -> Option<&Rc<Block>> {
		self.blocks.get(usize::try_from(number).ok()?)
	}

	/// Returns the last block.
	pub fn last(&self) -> &Rc<Block> {
		self.blocks.last().expect("there is a first block")
	}

	/// Returns the present heads.
	pub fn heads(&self) -> Heads {
		self.heads[self.moment()]
	}

	/// Returns the heads at a moment.
	pub fn heads_at(&self, moment: usize) -> Heads {
		self.heads[moment]
	}

	/// Returns the number of the present moment.
	pub fn moment(&self) -> usize {
		self.heads.len() - 1
	}

	/// Returns whether the chain has stopped changing.
	pub fn has_ended(&self) -> bool {
		self.left == 0
	}

	/// Changes the chain at random: blocks become final, or the best block is another one.
	pub fn change(&mut self) {
		let Some(left) = self.left.checked_sub(1) else { return };
		self.left = left;
		let added = match self.rng.random_range(0..10) {
			0..5 => self.rng.random_range(1..4),
			// As after a partition of the network.
			5 => self.rng.random_range(4..MAX_LAG),
			_ => 0,
		};
		for _ in 0..added {
			let calls = match self.rng.random_range(0..10) {
				0..3 => 0,
				3..9 => self.rng.random_range(1..8),
				_ => self.rng.random_range(8..40),
			};
			self.add(calls);
		}
		let lag = self.rng.random_range(0..=MAX_LAG);
		self.set_heads(lag);
	}

	/// Ends all changes.
	pub fn end(&mut self) {
		self.left = 0;
		self.set_heads(0);
	}

	/// Adds a block without calls.
	pub fn add_empty(&mut self) -> BlockRef {
		self.add(0);
		self.set_heads(0);
		self.last().header.block
	}

	fn set_heads(&mut self, lag: u64) {
		let finalized = self.last().header.block;
		self.heads.push(Heads { best: finalized.number + lag, finalized });
	}

	/// Adds a block of this many calls. The first one has no events.
	fn add(&mut self, calls: u32) {
		let number = u32::try_from(self.blocks.len()).expect("the chain is short");
		// Some blocks come much later than their slots.
		let pause = match self.rng.random_bool(0.05) {
			true => self.rng.random_range(60_000..5_000_000),
			false => 6_000,
		};
		let (parent, time, fabric) = match self.blocks.last() {
			Some(last) => (last.hash(), last.events.time + pause, last.fabric.clone()),
			None => ([0; 32], START, Fabric::default()),
		};
		let (fabric, mut events) = self.pallet.block(&fabric, &mut self.rng, number, time, calls);
		if number == 0 {
			events.events.clear();
		}
		let at = BlockRef { number: number.into(), hash: self.rng.random() };
		let header = Header { block: at, parent };
		self.places.insert(at.hash, self.blocks.len());
		self.blocks.push(Rc::new(Block { header, events, fabric, dump: OnceCell::new() }));
	}
}

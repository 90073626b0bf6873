// SPDX-License-Identifier: Apache-2.0
//! A chain with forks, finality that lags, and upgrades of the runtime.

use std::{
	cell::OnceCell,
	collections::{BTreeMap, HashMap},
	rc::Rc,
};

use content_fabric_indexer::source::{BlockEvents, BlockRef, Hash, Header};
use rand::{rngs::StdRng, seq::IndexedRandom, Rng, SeedableRng};

use crate::model::{make, Dump, Fabric};

/// The deepest fork.
const MAX_DEPTH: u64 = 20;
/// The number of blocks up to which finality lags.
const MAX_LAG: u64 = 20;

/// The best and the last final block.
#[derive(Clone, Copy, Debug)]
pub struct Heads {
	pub best: BlockRef,
	pub finalized: BlockRef,
}

/// A block.
#[derive(Debug)]
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

/// All blocks that were ever made.
#[derive(Debug)]
pub struct Chain {
	rng: StdRng,
	blocks: HashMap<Hash, Rc<Block>>,
	/// The last blocks of all forks, in the order of their creation.
	leaves: Vec<Hash>,
	/// The final blocks.
	finals: Vec<Hash>,
	/// The best and the last final block as they were, the present ones last.
	heads: Vec<Heads>,
	/// Number of changes that are left.
	left: u32,
}

impl Chain {
	/// Makes a chain that changes this many times.
	pub fn new(seed: u64, changes: u32) -> Self {
		let mut rng = StdRng::seed_from_u64(seed);
		// The first block has rows, and no events.
		let (fabric, events) = make(&Fabric::default(), &mut rng, 0, 0, 150);
		let at = BlockRef { number: 0, hash: rng.random() };
		let first = Block {
			header: Header { block: at, parent: [0; 32] },
			events: BlockEvents { events: Vec::new(), ..events },
			fabric,
			dump: OnceCell::new(),
		};
		Self {
			rng,
			blocks: HashMap::from([(at.hash, Rc::new(first))]),
			leaves: vec![at.hash],
			finals: vec![at.hash],
			heads: vec![Heads { best: at, finalized: at }],
			left: changes,
		}
	}

	/// Makes a chain that begins with the same block, and has no other.
	pub fn begun_anew(&self, seed: u64) -> Self {
		let first = self.first();
		let block = self.blocks[&first].clone();
		let at = block.header.block;
		Self {
			rng: StdRng::seed_from_u64(seed),
			blocks: HashMap::from([(first, block)]),
			leaves: vec![first],
			finals: vec![first],
			heads: vec![Heads { best: at, finalized: at }],
			left: u32::MAX,
		}
	}

	pub fn block(&self, hash: &Hash) -> Option<&Rc<Block>> {
		self.blocks.get(hash)
	}

	/// Returns the blocks that are not final, in no order. At the end they are those of lost forks.
	pub fn lost(&self) -> impl Iterator<Item = &Rc<Block>> {
		self.blocks.values().filter(|block| !self.is_final(block.header.block))
	}

	pub fn first(&self) -> Hash {
		self.finals[0]
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

	/// Returns the hash of the final block with a number.
	pub fn final_hash(&self, number: u64) -> Option<Hash> {
		self.finals.get(usize::try_from(number).ok()?).copied()
	}

	/// Returns whether a block is final.
	pub fn is_final(&self, block: BlockRef) -> bool {
		self.final_hash(block.number) == Some(block.hash)
	}

	/// Returns the ancestor of a block with a number, which may be the block itself.
	fn ancestor(&self, hash: Hash, number: u64) -> Option<Hash> {
		let mut block = self.block(&hash)?;
		while block.number() > number {
			block = self.block(&block.header.parent)?;
		}
		(block.number() == number).then(|| block.hash())
	}

	/// Changes the chain at random: adds blocks, moves to another fork, or makes blocks final.
	pub fn change(&mut self) {
		let Some(left) = self.left.checked_sub(1) else { return };
		self.left = left;
		let Heads { best, finalized } = self.heads();
		let heads = match self.rng.random_range(0..100) {
			0..60 => {
				let number = self.rng.random_range(1..4);
				Heads { best: self.extend(best.hash, number), finalized }
			},
			60..72 => self.fork(),
			72..77 => {
				let best = self.other_leaf();
				Heads { best, finalized }
			},
			77..97 => self.finalize(best),
			_ => {
				let best = self.other_leaf();
				self.finalize(best)
			},
		};
		self.heads.push(heads);
	}

	/// Ends all changes. The best block becomes final.
	pub fn end(&mut self) {
		self.left = 0;
		let best = self.heads().best;
		self.set_final(best);
		self.heads.push(Heads { best, finalized: best });
	}

	/// Adds a block without calls after the best one.
	pub fn add_empty(&mut self) -> BlockRef {
		let Heads { best, finalized } = self.heads();
		let best = self.add(best.hash, 0);
		self.heads.push(Heads { best, finalized });
		best
	}

	fn add(&mut self, parent: Hash, calls: u32) -> BlockRef {
		let parent = self.blocks[&parent].clone();
		let number = parent.number() + 1;
		// Some blocks come much later than their slots.
		let pause = match self.rng.random_bool(0.05) {
			true => self.rng.random_range(60_000..5_000_000),
			false => 6_000,
		};
		let time = parent.events.time + pause;
		let (fabric, events) = make(&parent.fabric, &mut self.rng, number, time, calls);
		let at = BlockRef { number, hash: self.rng.random() };
		let header = Header { block: at, parent: parent.hash() };
		let dump = OnceCell::new();
		let block = Block { header, events, fabric, dump };
		self.blocks.insert(at.hash, Rc::new(block));
		self.leaves.retain(|leaf| *leaf != parent.hash());
		self.leaves.push(at.hash);
		at
	}

	/// Adds blocks after another. Returns the last one.
	fn extend(&mut self, parent: Hash, number: u64) -> BlockRef {
		let mut last = self.blocks[&parent].header.block;
		for _ in 0..number {
			let calls = match self.rng.random_range(0..10) {
				0..3 => 0,
				3..9 => self.rng.random_range(1..8),
				_ => self.rng.random_range(8..40),
			};
			last = self.add(last.hash, calls);
		}
		last
	}

	/// Moves to a new fork, which begins after the last final block.
	fn fork(&mut self) -> Heads {
		let Heads { best, finalized } = self.heads();
		let deepest = (best.number - finalized.number).min(MAX_DEPTH);
		let depth = match self.rng.random_bool(0.4) {
			true => deepest,
			false => self.rng.random_range(0..=deepest.min(3)),
		};
		let number = best.number - depth;
		let parent = self.ancestor(best.hash, number).expect("it comes before the best block");
		let length = (depth + self.rng.random_range(0..3)).max(1);
		Heads { best: self.extend(parent, length), finalized }
	}

	/// Returns the end of some fork that has the last final block.
	fn other_leaf(&mut self) -> BlockRef {
		let heads = self.heads();
		let ends: Vec<_> = self.leaves.iter().map(|leaf| self.blocks[leaf].header.block).collect();
		let BlockRef { number, hash } = heads.finalized;
		let possible = |end: &&BlockRef| self.ancestor(end.hash, number) == Some(hash);
		let ends: Vec<_> = ends.iter().filter(possible).copied().collect();
		*ends.choose(&mut self.rng).expect("the best block is one")
	}

	/// Makes blocks before a best block final.
	fn finalize(&mut self, best: BlockRef) -> Heads {
		let finalized = self.heads().finalized;
		let lag = match self.rng.random_bool(0.3) {
			true => self.rng.random_range(0..=MAX_LAG),
			false => self.rng.random_range(0..4),
		};
		let number = best.number.saturating_sub(lag).max(finalized.number);
		let hash = self.ancestor(best.hash, number).expect("it comes before the best block");
		let finalized = BlockRef { number, hash };
		self.set_final(finalized);
		Heads { best, finalized }
	}

	fn set_final(&mut self, last: BlockRef) {
		let mut new = BTreeMap::new();
		let mut hash = last.hash;
		while self.finals.last() != Some(&hash) {
			let block = &self.blocks[&hash];
			new.insert(block.number(), hash);
			hash = block.header.parent;
		}
		self.finals.extend(new.into_values());
	}
}

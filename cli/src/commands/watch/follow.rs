// SPDX-License-Identifier: Apache-2.0
//! Follows a chain block by block, over restarts of the node.

use std::{collections::VecDeque, pin::pin, sync::Arc, time::Duration};

use content_fabric_client::chain::{BlockEvent, BlockStream, Chain, Heads, Snapshot, Wait};
use futures::{stream, StreamExt, TryStreamExt};
use tokio::time::sleep;

use super::{origin::Origin, reconnect};
use crate::{output::warn, Error};

/// Number of blocks that are read at the same time, to catch up.
const CONCURRENCY: usize = 8;
/// Number of printed blocks that are remembered, to find where a fork begins.
const REMEMBERED: usize = 256;
/// Time after which a warning is due that blocks arrive but none becomes final.
const STALL: Duration = Duration::from_secs(30);

pub struct Block {
	pub number: u64,
	pub hash: [u8; 32],
	pub at: Snapshot,
	pub events: Vec<BlockEvent>,
}

/// Returns the blocks of a chain in their order, each once.
pub struct Follower {
	chain: Arc<Chain>,
	wait: Wait,
	heads: Option<BlockStream>,
	/// Blocks that were read, and are not printed.
	read: VecDeque<Block>,
	place: Place,
	origin: Origin,
	/// The number of the last head.
	head: Option<u64>,
}

/// The place on the chain up to which blocks were printed.
#[derive(Debug, Default, PartialEq, Eq)]
struct Place {
	/// The number of the next block. `None` before the first one.
	next: Option<u64>,
	/// The last blocks that were printed, ascending, with their hashes.
	printed: VecDeque<(u64, [u8; 32])>,
}

/// The next thing to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
	/// Go on after the last block.
	Proceed,
	/// Ask for the block before it.
	Ask,
	/// Wait for the next head.
	Wait,
	/// The chain is another one: this block differs.
	Anew { block: u64, found: [u8; 32], seen: [u8; 32] },
	/// The fork begins before all remembered blocks, of which `block` is the first.
	Forked { block: u64 },
}

impl Place {
	fn advance(&mut self, number: u64, hash: [u8; 32]) {
		self.next = Some(number + 1);
		self.printed.push_back((number, hash));
		if self.printed.len() > REMEMBERED {
			self.printed.pop_front();
		}
	}

	/// Compares the last block that was printed with the one that the node's chain has in its
	/// place, if it reaches that. Forgets it if a fork has replaced it.
	fn compare(&mut self, found: Option<[u8; 32]>, wait: Wait) -> Next {
		let Some((number, hash)) = self.printed.back().copied() else { return Next::Proceed };
		match (found, wait) {
			// The node has yet to import the block.
			(None, _) => Next::Wait,
			(Some(found), _) if found == hash => Next::Proceed,
			(Some(found), Wait::Finalized) => Next::Anew { block: number, found, seen: hash },
			(Some(_), Wait::Best) => {
				self.printed.pop_back();
				self.next = Some(number);
				match self.printed.is_empty() {
					true => Next::Forked { block: number },
					false => Next::Ask,
				}
			},
		}
	}

	/// Returns the last printed block up to `head`: the same chain with this head also has it.
	fn common(&self, head: u64) -> Option<(u64, [u8; 32])> {
		self.printed.iter().rev().find(|(number, _)| *number <= head).copied()
	}
}

impl Follower {
	/// Follows a chain from a block on, or from the present one.
	pub fn new(chain: Arc<Chain>, wait: Wait, from: Option<u64>) -> Self {
		let place = Place { next: from, ..Place::default() };
		let (read, origin) = (VecDeque::new(), Origin::default());
		Self { chain, wait, heads: None, read, place, origin, head: None }
	}

	pub fn chain(&self) -> &Chain {
		&self.chain
	}

	/// Remembers that a block was printed.
	pub fn printed(&mut self, block: &Block) {
		self.place.advance(block.number, block.hash);
	}

	/// Waits for the next block, which is the same again until it was printed.
	pub async fn next(&mut self) -> Result<Block, Error> {
		loop {
			if let Some(block) = self.read.pop_front() {
				return Ok(block);
			}
			if let Err(error) = self.read().await {
				self.recover(error).await?;
			}
		}
	}

	/// Connects again after the connection is lost. Other errors are returned.
	pub async fn recover(&mut self, error: Error) -> Result<(), Error> {
		if !error.is_connection() {
			return Err(error);
		}
		self.heads = None;
		self.head = None;
		self.read.clear();
		self.origin.disconnected();
		self.chain = reconnect(&self.chain, &error).await?;
		Ok(())
	}

	/// Reads blocks up to the next head. A long way to catch up is read piece by piece, so that it
	/// does not fill the memory.
	async fn read(&mut self) -> Result<(), Error> {
		const PIECE: u64 = 32;
		if !self.is_behind() {
			let head = self.next_head().await?;
			self.origin.ensure_same(&self.chain).await?;
			if !self.find_place(head).await? {
				return Ok(());
			}
			self.origin.caught_up();
			self.head = Some(head);
			self.place.next.get_or_insert(head);
		}
		if let (Some(next), Some(head)) = (self.place.next, self.head) {
			self.read = self.blocks(next, head.min(next.saturating_add(PIECE))).await?.into();
		}
		Ok(())
	}

	/// Waits for the next head. Returns its number.
	async fn next_head(&mut self) -> Result<u64, Error> {
		let heads = match &mut self.heads {
			Some(heads) => heads,
			none => none.insert(self.chain.blocks(self.wait).await?),
		};
		let mut next = pin!(heads.next());
		let head = tokio::select! {
			head = &mut next => head?,
			stalled = stall(|| self.chain.heads()) => {
				warn(&stalled);
				next.await?
			},
		};
		Ok(head.block_number())
	}

	/// Returns whether the last head was not printed yet.
	fn is_behind(&self) -> bool {
		self.place.next.zip(self.head).is_some_and(|(next, head)| next <= head)
	}

	/// Finds the last printed block that is on the node's chain. Returns false if the chain, up to
	/// its `head`, does not reach it yet.
	async fn find_place(&mut self, head: u64) -> Result<bool, Error> {
		while let Some((number, _)) = self.place.printed.back().copied() {
			let found = self.chain.block_hash(number).await?;
			match self.place.compare(found, self.wait) {
				Next::Proceed => break,
				Next::Ask => {},
				Next::Wait => {
					if head < number {
						self.ensure_common(head).await?;
						self.origin.behind(head, number);
					}
					return Ok(false);
				},
				Next::Anew { block, found, seen } => {
					return Err(Error::OtherChain { block, found, seen });
				},
				Next::Forked { block } => return Err(Error::LongFork(block)),
			}
		}
		Ok(true)
	}

	/// Checks that a node that is behind has the last printed block that it can have.
	async fn ensure_common(&self, head: u64) -> Result<(), Error> {
		let common = self.place.common(head).filter(|_| self.wait == Wait::Finalized);
		let Some((block, seen)) = common else { return Ok(()) };
		match self.chain.block_hash(block).await?.filter(|found| *found != seen) {
			Some(found) => Err(Error::OtherChain { block, found, seen }),
			None => Ok(()),
		}
	}

	/// Reads blocks of the node's chain, up to one that it does not have.
	async fn blocks(&self, first: u64, last: u64) -> Result<Vec<Block>, Error> {
		let blocks = stream::iter(first..=last).map(|number| block(&self.chain, number));
		let blocks: Vec<_> = blocks.buffered(CONCURRENCY).try_collect().await?;
		Ok(blocks.into_iter().map_while(|block| block).collect())
	}
}

/// Waits until blocks have arrived for a while without one becoming final. Returns a warning.
async fn stall(heads: impl Fn() -> Option<Heads>) -> String {
	let mut before: Option<Heads> = None;
	loop {
		sleep(STALL).await;
		let now = heads().filter(|heads| heads.best > heads.finalized);
		if let (Some(Heads { finalized, .. }), Some(Heads { best, .. })) = (before, now) {
			return format!("no block after {finalized} is final: the node's best block is {best}");
		}
		before = now;
	}
}

/// Reads a block of the node's chain.
async fn block(chain: &Chain, number: u64) -> Result<Option<Block>, Error> {
	let Some(hash) = chain.block_hash(number).await? else { return Ok(None) };
	let read = async {
		let at = chain.at(hash).await?;
		let events = chain.fabric_events(&at).await?;
		Ok(Some(Block { number, hash, at, events }))
	};
	read.await.map_err(|error: Error| match error.is_connection() {
		true => error,
		false => error.with_hint(format!(
			"the events of block {number} cannot be read: only archive nodes keep \
			 the events of older blocks"
		)),
	})
}

#[cfg(test)]
mod tests {
	use super::*;

	fn place(numbers: std::ops::RangeInclusive<u64>) -> Place {
		let mut place = Place::default();
		numbers.for_each(|number| place.advance(number, [number as u8; 32]));
		place
	}

	#[test]
	fn following_goes_on_after_the_last_block_that_was_printed() {
		let mut place = place(1..=7);
		assert_eq!(place.compare(Some([7; 32]), Wait::Finalized), Next::Proceed);
		assert_eq!(place.next, Some(8));
		// A node that restarts, or another one behind the same name, may have fewer blocks.
		assert_eq!(place.compare(None, Wait::Finalized), Next::Wait);
		assert_eq!(place.next, Some(8));
	}

	#[test]
	fn finalized_blocks_are_not_replaced_except_on_another_chain() {
		let next = place(1..=7).compare(Some([0; 32]), Wait::Finalized);
		assert_eq!(next, Next::Anew { block: 7, found: [0; 32], seen: [7; 32] });
	}

	#[test]
	fn a_chain_that_is_behind_is_compared_where_it_ends() {
		let place = place(3..=7);
		assert_eq!(place.common(5), Some((5, [5; 32])));
		assert_eq!((place.common(9), place.common(2)), (Some((7, [7; 32])), None));
	}

	#[test]
	fn best_blocks_are_printed_again_from_where_a_fork_begins() {
		let mut place = place(1..=7);
		for _ in [7, 6] {
			assert_eq!(place.compare(Some([0; 32]), Wait::Best), Next::Ask);
		}
		assert_eq!(place.compare(Some([5; 32]), Wait::Best), Next::Proceed);
		assert_eq!((place.next, place.printed.back()), (Some(6), Some(&(5, [5; 32]))));
		for _ in [5, 4, 3, 2] {
			assert_eq!(place.compare(Some([0; 32]), Wait::Best), Next::Ask);
		}
		assert_eq!(place.compare(Some([0; 32]), Wait::Best), Next::Forked { block: 1 });
	}

	#[tokio::test(start_paused = true)]
	async fn finality_that_stands_still_is_reported_unless_no_blocks_come() {
		let heads = |best| move || Some(Heads { best, finalized: 7 });
		let soon = STALL * 3;
		let warning = "no block after 7 is final: the node's best block is 9";
		assert_eq!(tokio::time::timeout(soon, stall(heads(9))).await.as_deref(), Ok(warning));
		assert!(tokio::time::timeout(soon, stall(heads(7))).await.is_err());
		assert!(tokio::time::timeout(soon, stall(|| None)).await.is_err());
	}

	#[test]
	fn a_bounded_number_of_blocks_is_remembered() {
		let place = place(1..=300);
		assert_eq!(place.printed.len(), REMEMBERED);
		assert_eq!(place.printed.front().map(|(number, _)| *number), Some(45));
	}
}

// SPDX-License-Identifier: Apache-2.0
//! Counts of the situations of a run, so that a run that meets none is noticed.

use std::rc::Rc;

use content_fabric_indexer::source::FabricEvent;

use crate::chain::Block;

/// The situations that runs have met.
#[derive(Clone, Copy, Debug, Default)]
pub struct Coverage {
	/// Number of comparisons of all rows.
	pub comparisons: u64,
	/// Number of them with rows of exactly one version of the storage.
	pub exact: u64,
	/// Number of deaths of the process, and those at a write.
	pub deaths: u64,
	pub cuts: u64,
	/// Number of blocks that were taken out, and the most at once.
	pub reverted: u64,
	pub deepest: u64,
	/// Number of purges in them.
	pub purges: u64,
	/// Number of errors that another try overcame.
	pub faults: u64,
	/// Number of states that the node had discarded.
	pub discarded: u64,
	/// Number of answers that were too large.
	pub too_large: u64,
	/// Number of gaps in the history.
	pub gaps: u64,
	/// Number of new versions of the storage.
	pub migrations: u64,
	/// Number of runs with whole histories.
	pub whole: u64,
}

impl Coverage {
	/// Adds the blocks that were taken out.
	pub fn revert(&mut self, blocks: &[Rc<Block>]) {
		self.reverted += blocks.len() as u64;
		self.deepest = self.deepest.max(blocks.len() as u64);
		let events = blocks.iter().flat_map(|block| &block.events);
		let is_purge = |event: &FabricEvent| {
			matches!(event, FabricEvent::PurgeStarted { .. } | FabricEvent::Purged { .. })
		};
		self.purges += events.filter(|event| is_purge(&event.event)).count() as u64;
	}

	/// Adds what another run has met.
	pub fn add(&mut self, other: Self) {
		self.comparisons += other.comparisons;
		self.exact += other.exact;
		self.deaths += other.deaths;
		self.cuts += other.cuts;
		self.reverted += other.reverted;
		self.deepest = self.deepest.max(other.deepest);
		self.purges += other.purges;
		self.faults += other.faults;
		self.discarded += other.discarded;
		self.too_large += other.too_large;
		self.gaps += other.gaps;
		self.migrations += other.migrations;
		self.whole += other.whole;
	}

	/// Checks that runs with this many seeds have met everything.
	pub fn check(&self, seeds: u64) {
		let met = [
			self.comparisons / 50,
			self.exact / 20,
			self.cuts,
			self.deaths - self.cuts,
			self.reverted / 20,
			self.purges,
			self.faults,
			self.discarded,
			self.too_large,
			self.gaps,
			self.migrations,
			self.whole,
		];
		assert!(seeds < 5 || met.iter().all(|met| *met > 0), "the runs are too tame: {self:?}");
		assert!(seeds < 50 || self.deepest >= 20, "no deep fork was met: {self:?}");
	}
}

// SPDX-License-Identifier: Apache-2.0
//! Counts of the situations of a run, so that a run that meets none is noticed.

use std::collections::BTreeMap;

use content_fabric_indexer::rows::PALLET;

use crate::{chain::Block, pallet::METADATA};

/// The situations that runs must meet, and how often at least.
const SITUATIONS: [(&str, u64); 10] = [
	("comparison of all rows", 50),
	("comparison with rows of one version of the storage", 20),
	("death at a write", 1),
	("other death", 1),
	("error that another try overcame", 1),
	("discarded state", 1),
	("answer that was too large", 1),
	("gap in the history", 1),
	("new version of the storage", 1),
	("run with a whole history", 1),
];

/// The situations that runs have met.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
	met: BTreeMap<String, u64>,
}

impl Coverage {
	/// Adds a situation that was met so many times.
	pub fn add(&mut self, situation: &str, times: u64) {
		*self.met.entry(situation.into()).or_default() += times;
	}

	/// Adds the events of a block.
	pub fn events(&mut self, block: &Block) {
		for event in &block.events.events {
			self.add(&event.shown.name, 1);
		}
	}

	/// Adds what another run has met.
	pub fn join(&mut self, other: Self) {
		for (situation, times) in other.met {
			self.add(&situation, times);
		}
	}

	/// Checks that runs with this many seeds have met everything.
	pub fn check(&self, seeds: u64) {
		for (situation, least) in SITUATIONS {
			let times = self.met.get(situation).copied().unwrap_or_default();
			assert!(seeds < 5 || times >= least, "too few of {situation}: {self:?}");
		}
		let pallet = METADATA.pallet_by_name(PALLET).and_then(|pallet| pallet.event_variants());
		for event in pallet.expect("the pallet has events") {
			assert!(
				seeds < 20 || self.met.contains_key(&*event.name),
				"no {}: {self:?}",
				event.name
			);
		}
	}
}

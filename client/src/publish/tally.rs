// SPDX-License-Identifier: Apache-2.0
//! The count of what is done.

use std::{
	collections::{HashMap, HashSet},
	hash::Hash,
};

/// Counts what plans have listed, and what is on the chain by now, by this run or another.
#[derive(Clone, Debug)]
pub(super) struct Tally<K, V> {
	/// Listed by some plan, and not known to be bad.
	wanted: HashMap<K, V>,
	/// Not on the chain by what is known.
	lacking: HashSet<K>,
	/// Lacking items that were sent since the last plan.
	sent: HashSet<K>,
}

impl<K, V> Default for Tally<K, V> {
	fn default() -> Self {
		Self { wanted: HashMap::new(), lacking: HashSet::new(), sent: HashSet::new() }
	}
}

impl<K: Clone + Eq + Hash, V> Tally<K, V> {
	/// Records the items that the chain lacks according to a new plan. Items that were listed before
	/// stay as they were then. One is forgotten if the plan no longer lists it although it is not
	/// there, such as the name of something that failed.
	pub fn plan(
		&mut self,
		lacking: impl IntoIterator<Item = (K, V)>,
		is_there: impl Fn(&K, &V) -> bool,
	) {
		self.lacking.clear();
		self.sent.clear();
		for (key, value) in lacking {
			self.lacking.insert(key.clone());
			self.wanted.entry(key).or_insert(value);
		}
		self.wanted.retain(|key, value| self.lacking.contains(key) || is_there(key, value));
	}

	/// Records something whose transaction is sent, or has failed.
	pub fn in_flight(&mut self, key: K, is_in_flight: bool) {
		match is_in_flight {
			true => self.sent.insert(key),
			false => self.sent.remove(&key),
		};
	}

	/// Records something that is in a block.
	pub fn done(&mut self, key: &K) {
		self.lacking.remove(key);
		self.sent.remove(key);
	}

	/// Records that something is not done by this run, and that it will not be.
	pub fn forget(&mut self, key: &K) {
		self.lacking.remove(key);
		self.sent.remove(key);
		self.wanted.remove(key);
	}

	/// Returns whether something is done, or is listed as lacking.
	pub fn knows(&self, key: &K) -> bool {
		self.wanted.contains_key(key)
	}

	/// Returns what is done.
	pub fn all_done(&self) -> impl Iterator<Item = (&K, &V)> {
		self.wanted.iter().filter(|(key, _)| !self.lacking.contains(*key))
	}

	/// Returns the numbers of what is done, and of what plans have listed.
	pub fn progress(&self) -> (usize, usize) {
		(self.wanted.len().saturating_sub(self.lacking.len()), self.wanted.len())
	}

	/// Returns the numbers of what the chain lacks and was not sent, and of what was sent with an
	/// outcome that is not known.
	pub fn lacking(&self) -> (usize, usize) {
		(self.lacking.len().saturating_sub(self.sent.len()), self.sent.len())
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	fn done(tally: &Tally<u8, ()>) -> Vec<u8> {
		let mut done: Vec<_> = tally.all_done().map(|(key, ())| *key).collect();
		done.sort_unstable();
		done
	}

	#[test]
	fn items_that_plans_have_listed_and_that_are_there_are_done() {
		let mut tally = Tally::default();
		// The last one is never there.
		let plan = |tally: &mut Tally<u8, ()>, keys: &[u8]| {
			tally.plan(keys.iter().map(|key| (*key, ())), |key, ()| *key < 6);
		};
		plan(&mut tally, &[1, 2, 3, 4, 6]);
		plan(&mut tally, &[1, 2, 3, 4]);
		tally.done(&1);
		tally.forget(&3);
		[1, 2, 4].into_iter().for_each(|key| tally.in_flight(key, true));
		tally.in_flight(4, false);
		tally.done(&1);
		assert_eq!((done(&tally), tally.lacking(), tally.progress()), (vec![1], (1, 1), (1, 3)));
		// The second has got into a block, and the first was lost with its block.
		plan(&mut tally, &[1, 4, 5]);
		assert_eq!((done(&tally), tally.lacking(), tally.progress()), (vec![2], (3, 0), (1, 4)));
		plan(&mut tally, &[]);
		assert_eq!(done(&tally), [1, 2, 4, 5]);
	}
}

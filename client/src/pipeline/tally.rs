// SPDX-License-Identifier: Apache-2.0
//! The count of what is done.

use std::{
	collections::{HashMap, HashSet},
	hash::Hash,
};

/// Counts items that were sent to the chain, and those that the chain lacks.
///
/// A transaction may get into a block after its round has given it up, and a counted one may be lost
/// with its block. So something is done if it was sent and the last plan does not list it.
#[derive(Clone, Debug)]
pub(crate) struct Tally<K, V> {
	/// Sent, and not known to have failed.
	sent: HashMap<K, V>,
	/// Lacking according to the last plan.
	lacking: HashSet<K>,
}

impl<K, V> Default for Tally<K, V> {
	fn default() -> Self {
		Self { sent: HashMap::new(), lacking: HashSet::new() }
	}
}

impl<K: Eq + Hash, V> Tally<K, V> {
	/// Records what the chain lacks according to a new plan.
	pub(crate) fn plan(&mut self, lacking: impl IntoIterator<Item = K>) {
		self.lacking = lacking.into_iter().collect();
	}

	/// Records something that was sent, and may be on the chain or not.
	pub(crate) fn sent(&mut self, key: K, value: V) {
		self.sent.insert(key, value);
	}

	/// Records something that is on the chain.
	pub(crate) fn done(&mut self, key: K, value: V) {
		self.lacking.remove(&key);
		self.sent.insert(key, value);
	}

	/// Records something that failed for good.
	pub(crate) fn failed(&mut self, key: &K) {
		self.lacking.remove(key);
		self.sent.remove(key);
	}

	/// Returns what is done.
	pub(crate) fn all_done(&self) -> impl Iterator<Item = (&K, &V)> {
		self.sent.iter().filter(|(key, _)| !self.lacking.contains(*key))
	}

	/// Returns the number of what the chain lacks.
	pub(crate) fn lacking(&self) -> usize {
		self.lacking.len()
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
	fn sent_items_that_a_plan_no_longer_lists_are_done() {
		let mut tally = Tally::default();
		tally.plan([1, 2, 3, 4]);
		tally.done(1, ());
		tally.sent(2, ());
		assert_eq!((done(&tally), tally.lacking()), (vec![1], 3));
		// The second has got into a block, and another publisher has done the third.
		tally.plan([4]);
		assert_eq!((done(&tally), tally.lacking()), (vec![1, 2], 1));
	}

	#[test]
	fn items_listed_again_are_not_done_and_count_once() {
		let mut tally = Tally::default();
		tally.plan([1, 2]);
		tally.done(1, ());
		tally.done(2, ());
		tally.plan([1]);
		assert_eq!((done(&tally), tally.lacking()), (vec![2], 1));
		tally.done(1, ());
		assert_eq!((done(&tally), tally.lacking()), (vec![1, 2], 0));
	}

	#[test]
	fn failed_items_are_neither_done_nor_lacking() {
		let mut tally = Tally::default();
		tally.plan([1]);
		tally.sent(1, ());
		tally.failed(&1);
		assert_eq!((done(&tally), tally.lacking()), (vec![], 0));
		tally.plan([]);
		assert!(done(&tally).is_empty());
	}
}

// SPDX-License-Identifier: Apache-2.0
//! The count of what is done.

use std::{
	collections::{HashMap, HashSet},
	hash::Hash,
};

/// What was sent to the chain, and what the chain lacks.
///
/// A transaction may get into a block long after its round has given it up, and the block of one that
/// was counted may be lost. So the plans say what is done: what was sent, and the last plan does not
/// have.
#[derive(Clone, Debug)]
pub(crate) struct Tally<K, V> {
	/// What was sent, and is not known to have failed.
	sent: HashMap<K, V>,
	/// What the chain lacks.
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
	fn what_was_sent_is_done_when_a_plan_lacks_it() {
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
	fn what_a_plan_has_again_is_done_no_more_and_counted_once() {
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
	fn what_failed_for_good_is_neither_done_nor_lacking() {
		let mut tally = Tally::default();
		tally.plan([1]);
		tally.sent(1, ());
		tally.failed(&1);
		assert_eq!((done(&tally), tally.lacking()), (vec![], 0));
		tally.plan([]);
		assert!(done(&tally).is_empty());
	}
}

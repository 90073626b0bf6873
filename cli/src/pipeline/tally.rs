// SPDX-License-Identifier: Apache-2.0
//! The count of what is done.

use std::{
	collections::{HashMap, HashSet},
	hash::Hash,
};

/// Counts items that were sent to the chain, and those that the chain lacks.
///
/// A transaction may get into a block after its round has given it up, and a counted one may be
/// lost with its block. So something is done if it was sent and the last plan does not list it.
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
	fn sent_items_that_the_last_plan_does_not_list_are_done() {
		let mut tally = Tally::default();
		tally.plan([1, 2, 3, 4, 5]);
		tally.done(1, ());
		tally.sent(2, ());
		tally.sent(3, ());
		tally.failed(&3);
		assert_eq!((done(&tally), tally.lacking()), (vec![1], 3));
		// The second has got into a block, and another publisher has done the fourth.
		tally.plan([5]);
		assert_eq!((done(&tally), tally.lacking()), (vec![1, 2], 1));
		// The first has been lost with its block, and counts once when it is done again.
		tally.plan([1, 5]);
		assert_eq!((done(&tally), tally.lacking()), (vec![2], 2));
		tally.done(1, ());
		assert_eq!((done(&tally), tally.lacking()), (vec![1, 2], 1));
	}
}

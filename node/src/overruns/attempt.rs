// SPDX-License-Identifier: Apache-2.0
//! An attempt at a block: which of its transactions took the longest.

use std::{
	sync::Arc,
	time::{Duration, Instant},
};

use parking_lot::Mutex;

use crate::types::Hash;

/// An attempt at a block. The proposer and the waiting consensus each have a handle to it.
#[derive(Clone, Default)]
pub struct Attempt(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
	running: Option<(Hash, Instant)>,
	slowest: Option<(Hash, Duration)>,
	is_over: bool,
}

impl State {
	/// Ends the running transaction, if there is one.
	fn end(&mut self, now: Instant) {
		let Some((hash, start)) = self.running.take() else { return };
		let took = now.saturating_duration_since(start);
		if self.slowest.is_none_or(|(_, slowest)| took > slowest) {
			self.slowest = Some((hash, took));
		}
	}
}

impl Attempt {
	/// Notes that the next transaction starts, or that there is none.
	pub fn next(&self, hash: Option<Hash>, now: Instant) {
		let mut state = self.0.lock();
		state.end(now);
		state.running = hash.map(|hash| (hash, now));
	}

	/// Ends the attempt. Returns the slowest transaction, and how long it has taken until now.
	pub fn give_up(&self, now: Instant) -> Option<(Hash, Duration)> {
		let mut state = self.0.lock();
		state.end(now);
		state.is_over = true;
		state.slowest
	}

	/// Returns whether nobody waits for the block any more.
	pub fn is_over(&self) -> bool {
		self.0.lock().is_over
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	const SECOND: Duration = Duration::from_secs(1);

	fn hash(number: u8) -> Hash {
		Hash::repeat_byte(number)
	}

	#[test]
	fn the_slowest_transaction_may_have_ended_or_still_run() {
		let start = Instant::now();
		let at = |seconds| start + seconds * SECOND;
		let attempt = Attempt::default();
		attempt.next(Some(hash(1)), at(0));
		attempt.next(Some(hash(2)), at(1));
		attempt.next(Some(hash(3)), at(4));
		assert!(!attempt.is_over());
		assert_eq!(attempt.give_up(at(6)), Some((hash(2), 3 * SECOND)));
		assert!(attempt.is_over());

		let attempt = Attempt::default();
		attempt.next(Some(hash(1)), at(0));
		attempt.next(Some(hash(2)), at(1));
		assert_eq!(attempt.give_up(at(6)), Some((hash(2), 5 * SECOND)));
	}

	#[test]
	fn what_a_block_does_after_its_transactions_is_not_theirs() {
		let start = Instant::now();
		let attempt = Attempt::default();
		attempt.next(Some(hash(1)), start);
		attempt.next(None, start + SECOND);
		assert_eq!(attempt.give_up(start + 9 * SECOND), Some((hash(1), SECOND)));
		assert_eq!(Attempt::default().give_up(start), None);
	}
}

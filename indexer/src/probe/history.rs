// SPDX-License-Identifier: Apache-2.0
//! Answers of nodes in the last day, in memory.

use std::{
	collections::{BTreeMap, HashMap, HashSet},
	sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use content_fabric_client::chain::wall_clock;
use content_fabric_identifiers::Medallion;

use super::client::Answer;

/// Milliseconds of an hour.
const HOUR: u64 = 3_600_000;
/// Number of hours whose answers are kept.
const HOURS: u64 = 24;

/// The answers of all nodes, by the medallion: no two nodes of a chain ever have the same.
#[derive(Clone, Debug, Default)]
pub struct Probes(Arc<Mutex<HashMap<Medallion, History>>>);

/// Results of the probes of a node, in this hour and the 23 before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Evidence {
	/// The last answer.
	pub answer: Answer,
	/// When the node was asked, in milliseconds since the Unix epoch.
	pub at: u64,
	/// Number of probes.
	pub asked: u32,
	/// Number of good answers.
	pub good: u32,
}

/// The answers of a node.
#[derive(Debug)]
struct History {
	answer: Answer,
	at: u64,
	/// Numbers of probes and of good answers in the last hours in which it was asked.
	hours: BTreeMap<u64, (u32, u32)>,
}

/// Returns the time in milliseconds since the Unix epoch.
fn now() -> u64 {
	wall_clock() / 1_000
}

impl Probes {
	/// Returns what is known of a node. `None` if it has not been asked.
	pub fn of(&self, medallion: Medallion) -> Option<Evidence> {
		self.lock().get(&medallion).map(|history| history.evidence(now()))
	}

	/// Adds an answer.
	pub(super) fn add(&self, medallion: Medallion, answer: Answer) {
		let at = now();
		let mut all = self.lock();
		let history = all.entry(medallion).or_insert_with(|| History::new(answer, at));
		history.add(answer, at);
	}

	/// Forgets all other nodes.
	pub(super) fn retain(&self, medallions: &HashSet<Medallion>) {
		self.lock().retain(|medallion, _| medallions.contains(medallion));
	}

	fn lock(&self) -> MutexGuard<'_, HashMap<Medallion, History>> {
		// Each change is whole.
		self.0.lock().unwrap_or_else(PoisonError::into_inner)
	}
}

impl History {
	fn new(answer: Answer, at: u64) -> Self {
		Self { answer, at, hours: BTreeMap::new() }
	}

	fn add(&mut self, answer: Answer, at: u64) {
		(self.answer, self.at) = (answer, at);
		// A clock that was set back does not begin an earlier hour.
		let hour = self.hours.last_key_value().map_or(0, |(last, _)| *last).max(at / HOUR);
		self.hours.retain(|each, _| each + HOURS > hour);
		let (asked, good) = self.hours.entry(hour).or_default();
		*asked += 1;
		*good += u32::from(answer == Answer::Good);
	}

	fn evidence(&self, now: u64) -> Evidence {
		let first = (now / HOUR + 1).saturating_sub(HOURS);
		let (asked, good) = self
			.hours
			.range(first..)
			.fold((0, 0), |sum, (_, hour)| (sum.0 + hour.0, sum.1 + hour.1));
		Evidence { answer: self.answer, at: self.at, asked, good }
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn answers_count_for_24_hours() {
		let mut history = History::new(Answer::Good, 0);
		for hour in 0..100 {
			history.add(Answer::Good, hour * HOUR);
			history.add(Answer::Status(503), hour * HOUR + 1);
			assert!(history.hours.len() <= 24);
		}
		let last = 99 * HOUR + 1;
		let at = |now| {
			let Evidence { asked, good, .. } = history.evidence(now);
			(asked, good)
		};
		assert_eq!(at(last), (48, 24));
		assert_eq!(at(last + 23 * HOUR), (2, 1));
		assert_eq!(at(last + 24 * HOUR), (0, 0));
		let evidence = history.evidence(last);
		assert_eq!((evidence.answer, evidence.at), (Answer::Status(503), last));
		// The clock is set back.
		history.add(Answer::Good, 5 * HOUR);
		assert_eq!(history.evidence(last).asked, 49);
	}
}

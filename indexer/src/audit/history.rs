// SPDX-License-Identifier: Apache-2.0
//! The results of a node's audits, by day.

use std::collections::BTreeMap;

use codec::{Decode, Encode};
use content_fabric_identifiers::VersionId;

use super::ask::{Finding, Outcome};

/// Milliseconds of a day.
const DAY: u64 = 24 * 3_600_000;
/// Number of days that are shown: today, and those before it.
const SHOWN: u64 = 30;
/// Largest number of days that are kept. A wrong clock takes places for a while.
const KEPT: usize = 31;
/// Largest number of failing copies of a node that are kept.
const MAX_FAILING: usize = 100;
/// Number of audits in a row, ended before their request for bytes, that make a node fail.
const FAILURES: u8 = 3;
/// Number of late audits in a row that make a node or a copy fail: a node that never answers in
/// time does not serve.
const LATE_AUDITS: u8 = 10;

/// Numbers of results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Encode, Decode)]
pub struct Counts([u32; 4]);

/// The results of the audits of a node.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
pub(super) struct History {
	last: Finding,
	at: u64,
	/// Number of the last audits, in a row, that found no content node of this id.
	failures: u8,
	/// Number of the last audits, in a row, that were late.
	late_audits: u8,
	/// Numbers of results, by the days since the Unix epoch.
	days: BTreeMap<u64, Counts>,
	/// The versions whose copies fail.
	failing: BTreeMap<VersionId, Failing>,
	/// A copy whose last audits were late, and their number. One at a time: it is audited again
	/// until it is right or fails.
	late: Option<(VersionId, u8)>,
}

/// A copy that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
struct Failing {
	evidence: CopyEvidence,
	/// The time of its last audit, which may have been late.
	asked: u64,
}

/// The audit that made a copy fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub struct CopyEvidence {
	/// The result.
	pub outcome: Outcome,
	/// The time, in milliseconds since the Unix epoch.
	pub at: u64,
}

/// Results of the audits of a node in the last 30 days, today included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
	/// The finding of the last audit.
	pub last: Finding,
	/// The time of the last audit, in milliseconds since the Unix epoch.
	pub at: u64,
	/// True if the last three audits failed before a copy was asked for, or the last ten were
	/// late.
	pub is_failing: bool,
	/// Number of copies that fail.
	pub failing_copies: usize,
	/// Numbers of results by day, ascending. Days are given by their begin, in milliseconds since
	/// the Unix epoch.
	pub days: Vec<(u64, Counts)>,
}

impl Counts {
	/// Returns the number of a result.
	pub fn of(&self, outcome: Outcome) -> u32 {
		self.0[outcome as usize]
	}

	/// Returns the number of all results.
	pub fn all(&self) -> u64 {
		self.0.iter().copied().map(u64::from).sum()
	}

	fn add(&mut self, other: Self) {
		for (sum, count) in self.0.iter_mut().zip(other.0) {
			*sum = sum.saturating_add(count);
		}
	}

	fn one(outcome: Outcome) -> Self {
		let mut counts = Self::default();
		counts.0[outcome as usize] = 1;
		counts
	}
}

impl Evidence {
	/// Returns the numbers of results of all days.
	pub fn total(&self) -> Counts {
		let mut total = Counts::default();
		self.days.iter().for_each(|(_, counts)| total.add(*counts));
		total
	}
}

impl History {
	pub fn new(last: Finding, at: u64) -> Self {
		let (failures, late_audits, late) = (0, 0, None);
		Self {
			last,
			at,
			failures,
			late_audits,
			days: BTreeMap::new(),
			failing: BTreeMap::new(),
			late,
		}
	}

	/// Adds what an audit has found.
	pub fn add(&mut self, found: Finding, at: u64) {
		(self.last, self.at) = (found, at);
		let today = at / DAY;
		self.days.entry(today).or_default().add(Counts::one(found.outcome));
		while self.days.len() > KEPT {
			// A clock that is wrong for a while costs few of the other days.
			let ends = [self.days.first_key_value(), self.days.last_key_value()];
			let ends = ends.into_iter().flatten().map(|(day, _)| *day);
			let Some(farthest) = ends.max_by_key(|day| day.abs_diff(today)) else { break };
			self.days.remove(&farthest);
		}
		self.failures = match (found.outcome, found.version) {
			(Outcome::Late, _) => self.failures,
			(outcome, None) if outcome.is_failure() => self.failures.saturating_add(1),
			_ => 0,
		};
		self.late_audits = match found.outcome {
			Outcome::Late => self.late_audits.saturating_add(1),
			_ => 0,
		};
		self.add_copy(found, at);
	}

	/// Adds what an audit has found of a copy that failed or was late before. It does not count,
	/// because it was not chosen at random.
	pub fn add_copy(&mut self, Finding { outcome, version, .. }: Finding, at: u64) {
		let Some(version) = version else { return };
		match outcome {
			Outcome::Right => self.forget(version),
			Outcome::Late => self.add_late(version, at),
			Outcome::Wrong | Outcome::Refused => self.fail(version, outcome, at),
		}
	}

	fn add_late(&mut self, version: VersionId, at: u64) {
		if let Some(copy) = self.failing.get_mut(&version) {
			copy.asked = at;
			return;
		}
		let (late, times) = self.late.get_or_insert((version, 0));
		if *late != version {
			return;
		}
		*times = times.saturating_add(1);
		if *times >= LATE_AUDITS {
			self.fail(version, Outcome::Late, at);
		}
	}

	fn fail(&mut self, version: VersionId, outcome: Outcome, at: u64) {
		self.forget(version);
		let evidence = CopyEvidence { outcome, at };
		self.failing.insert(version, Failing { evidence, asked: at });
		if self.failing.len() > MAX_FAILING {
			self.failing_longest().into_iter().for_each(|version| self.forget(version));
		}
	}

	/// Forgets that a copy failed or was late.
	pub fn forget(&mut self, version: VersionId) {
		self.failing.remove(&version);
		self.late.take_if(|(late, _)| *late == version);
	}

	/// Returns the copies to be audited again: the failing one whose audit was the longest ago, and
	/// one that was late.
	pub fn suspects(&self) -> impl Iterator<Item = VersionId> {
		let late = self.late.map(|(version, _)| version);
		self.failing_longest().into_iter().chain(late)
	}

	fn failing_longest(&self) -> Option<VersionId> {
		let first = self.failing.iter().min_by_key(|(version, copy)| (copy.asked, **version));
		first.map(|(version, _)| *version)
	}

	/// Returns the failing copies.
	pub fn failing(&self) -> impl Iterator<Item = VersionId> + '_ {
		self.failing.keys().copied()
	}

	/// Returns whether the node fails as a whole.
	pub fn is_failing(&self) -> bool {
		self.failures >= FAILURES || self.late_audits >= LATE_AUDITS
	}

	/// Returns what makes a copy fail: its own audit, or the node's.
	pub fn of_copy(&self, version: VersionId) -> Option<CopyEvidence> {
		let of_node = CopyEvidence { outcome: self.last.outcome, at: self.at };
		let own = self.failing.get(&version).map(|copy| copy.evidence);
		own.or_else(|| self.is_failing().then_some(of_node))
	}

	pub fn evidence(&self, now: u64) -> Evidence {
		let today = now / DAY;
		let first = (today + 1).saturating_sub(SHOWN);
		let days = self.days.range(first..=today);
		Evidence {
			last: self.last,
			at: self.at,
			is_failing: self.is_failing(),
			failing_copies: self.failing.len(),
			days: days.map(|(day, counts)| (day * DAY, *counts)).collect(),
		}
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	const A: VersionId = VersionId([1; 32]);
	/// A day of 2026, and its last millisecond.
	const TODAY: u64 = 20_785;
	const EVENING: u64 = (TODAY + 1) * DAY - 1;

	fn found(outcome: Outcome, version: Option<VersionId>) -> Finding {
		Finding { outcome, status: None, version }
	}

	fn history() -> History {
		History::new(found(Outcome::Right, None), 0)
	}

	fn right(history: &mut History, at: u64) {
		history.add(found(Outcome::Right, None), at);
	}

	#[test]
	fn results_count_by_day() {
		let mut history = history();
		for outcome in Outcome::ALL {
			history.add(found(outcome, None), TODAY * DAY);
		}
		history.add(found(Outcome::Late, None), EVENING);
		history.add(found(Outcome::Wrong, Some(A)), EVENING + 1);
		let evidence = history.evidence(EVENING + 1);
		let days = [(TODAY * DAY, Counts([1, 1, 2, 1])), (EVENING + 1, Counts([0, 1, 0, 0]))];
		assert_eq!(evidence.days, days);
		assert_eq!(evidence.total(), Counts([1, 2, 2, 1]));
		assert_eq!((evidence.last, evidence.at), (found(Outcome::Wrong, Some(A)), EVENING + 1));
		assert_eq!(history.evidence(EVENING).days, days[..1]);
	}

	#[test]
	fn days_are_shown_for_30_days_and_bounded() {
		let mut history = history();
		for day in 0..100 {
			right(&mut history, (TODAY + day) * DAY);
		}
		assert_eq!(history.days.len(), KEPT);
		let evidence = history.evidence((TODAY + 99) * DAY);
		assert_eq!(evidence.days.len(), 30);
		assert_eq!(evidence.days[0].0, (TODAY + 70) * DAY);
		assert_eq!(history.evidence((TODAY + 128) * DAY).days.len(), 1);
		assert!(history.evidence((TODAY + 129) * DAY).days.is_empty());
	}

	#[test]
	fn a_clock_that_was_wrong_leaves_the_other_days() {
		for wrong in [0, 1_000, TODAY * 2] {
			let mut history = history();
			for day in 0..30 {
				right(&mut history, (TODAY + day) * DAY);
			}
			right(&mut history, wrong * DAY);
			assert_eq!(history.evidence(wrong * DAY).days.len(), 1);
			// Set right, the clock goes on.
			for day in 29..40 {
				right(&mut history, (TODAY + day) * DAY);
				let evidence = history.evidence((TODAY + day) * DAY);
				assert_eq!(evidence.days.len(), 30, "{wrong} {day}");
			}
			assert!(!history.days.contains_key(&wrong));
		}
		// An hour back, over midnight.
		let mut history = history();
		right(&mut history, EVENING + 1);
		right(&mut history, EVENING - 1);
		assert_eq!(history.evidence(EVENING - 1).total().all(), 1);
		assert_eq!(history.evidence(EVENING + 1).total().all(), 2);
	}

	#[test]
	fn a_copy_fails_until_its_bytes_are_right() {
		let mut history = history();
		for outcome in [Outcome::Wrong, Outcome::Refused] {
			history.add(found(outcome, Some(A)), 5);
			assert_eq!(history.of_copy(A), Some(CopyEvidence { outcome, at: 5 }));
			history.add(found(Outcome::Late, Some(A)), 6);
			right(&mut history, 7);
			assert_eq!(history.of_copy(A), Some(CopyEvidence { outcome, at: 5 }));
			assert_eq!(history.evidence(7).failing_copies, 1);
			let before = history.evidence(8).total();
			history.add_copy(found(Outcome::Right, Some(A)), 8);
			assert_eq!(history.of_copy(A), None);
			assert_eq!(history.evidence(8).total(), before);
		}
	}

	#[test]
	fn a_node_fails_after_three_audits_that_found_another_or_none() {
		let mut history = history();
		for outcome in [Outcome::Wrong, Outcome::Refused] {
			history.add(found(outcome, None), 1);
			assert_eq!(history.of_copy(A), None);
		}
		history.add(found(Outcome::Wrong, Some(A)), 2);
		assert!(!history.is_failing(), "a copy was asked for");
		for outcome in [Outcome::Refused, Outcome::Late, Outcome::Refused] {
			history.add(found(outcome, None), 3);
			assert!(!history.is_failing());
		}
		history.add(found(Outcome::Wrong, None), 4);
		let other = VersionId([2; 32]);
		let of_node = CopyEvidence { outcome: Outcome::Wrong, at: 4 };
		assert_eq!(history.of_copy(other), Some(of_node));
		assert_eq!(history.of_copy(A), Some(CopyEvidence { outcome: Outcome::Wrong, at: 2 }));
		right(&mut history, 5);
		assert_eq!(history.of_copy(other), None);
	}

	#[test]
	fn a_node_fails_after_ten_late_audits_in_a_row() {
		let mut history = history();
		let late = |version| found(Outcome::Late, version);
		for (number, version) in
			(1..LATE_AUDITS).map(|number| (number, (number % 2 == 0).then_some(A)))
		{
			history.add(late(version), number.into());
			assert!(!history.is_failing(), "{number}");
		}
		right(&mut history, 50);
		for number in 1..=LATE_AUDITS {
			assert!(!history.is_failing(), "{number}");
			// Other copies each time.
			history.add(late(Some(VersionId([number + 1; 32]))), 50 + u64::from(number));
		}
		assert!(history.is_failing());
		let of_node = CopyEvidence { outcome: Outcome::Late, at: 60 };
		assert_eq!(history.of_copy(VersionId([77; 32])), Some(of_node));
		assert!(history.evidence(61).is_failing);
		right(&mut history, 62);
		assert!(!history.is_failing());
	}

	#[test]
	fn a_copy_fails_after_ten_late_audits_although_others_are_right() {
		let mut history = history();
		let other = VersionId([2; 32]);
		for number in 1..LATE_AUDITS {
			history.add_copy(found(Outcome::Late, Some(A)), number.into());
			right(&mut history, number.into());
			// Another late one waits.
			history.add(found(Outcome::Late, Some(other)), number.into());
			assert_eq!(history.suspects().collect::<Vec<_>>(), [A]);
			assert_eq!(history.of_copy(A), None, "{number}");
		}
		history.add_copy(found(Outcome::Late, Some(A)), 10);
		let failed = CopyEvidence { outcome: Outcome::Late, at: 10 };
		assert_eq!(history.of_copy(A), Some(failed));
		history.add(found(Outcome::Late, Some(other)), 11);
		assert_eq!(history.suspects().collect::<Vec<_>>(), [A, other]);
		assert_eq!(history.evidence(11).failing_copies, 1);
		// Its next late audits change nothing. A right one ends the failure, and the count.
		history.add_copy(found(Outcome::Late, Some(A)), 12);
		assert_eq!(history.of_copy(A), Some(failed));
		for version in [A, other] {
			history.add_copy(found(Outcome::Right, Some(version)), 13);
		}
		assert_eq!((history.of_copy(A), history.suspects().count()), (None, 0));
		history.add_copy(found(Outcome::Late, Some(A)), 14);
		assert_eq!(history.of_copy(A), None);
	}

	#[test]
	fn a_failing_copy_that_is_late_lets_the_others_be_asked() {
		let mut history = history();
		let other = VersionId([2; 32]);
		history.add(found(Outcome::Wrong, Some(A)), 1);
		history.add(found(Outcome::Wrong, Some(other)), 2);
		assert_eq!(history.suspects().collect::<Vec<_>>(), [A]);
		history.add_copy(found(Outcome::Late, Some(A)), 3);
		assert_eq!(history.suspects().collect::<Vec<_>>(), [other]);
	}

	#[test]
	fn failing_copies_are_bounded_and_the_oldest_is_asked_first() {
		let mut history = history();
		let versions = (0..=100).map(|number| VersionId([number; 32]));
		for (at, version) in (0..).zip(versions) {
			history.add(found(Outcome::Wrong, Some(version)), 200 - at);
		}
		assert_eq!(history.failing().count(), MAX_FAILING);
		// The last one was audited first, by the clock.
		assert_eq!(history.of_copy(VersionId([100; 32])), None);
		assert_eq!(history.suspects().collect::<Vec<_>>(), [VersionId([99; 32])]);
	}
}

// SPDX-License-Identifier: Apache-2.0
//! The versions that are wanted from other nodes, and when to try them.

use std::{
	collections::{HashMap, HashSet, VecDeque},
	time::{Duration, Instant},
};

use content_fabric_identifiers::VersionId;

use crate::keep::{Keep, KeepError, Row, VersionKey};

/// Number of rows that are read from the record at once.
const PAGE: usize = 1_000;
/// Largest number of versions that wait to be taken.
const MOST: usize = 10_000;
/// Pause after the first attempt that failed. The next one is twice as long.
const PAUSE: Duration = Duration::from_secs(2);
/// Pause if there is no room.
const NO_ROOM: Duration = Duration::from_secs(10);
/// The longest pause.
const LONGEST: Duration = Duration::from_secs(300);

/// The versions to be downloaded.
#[derive(Debug, Default)]
pub(super) struct Wishes {
	due: VecDeque<VersionId>,
	/// The versions that a worker has taken.
	taken: HashSet<VersionId>,
	/// The versions that have failed, with the time of the next attempt, and the number of earlier
	/// ones.
	failed: HashMap<VersionId, (Instant, u32)>,
}

impl Wishes {
	/// Takes the next version. Reads the record if none is known: versions that are missing or
	/// damaged come first, then, if the node `mirrors`, those that it was asked to hold. Takes those
	/// that are not wanted any more from the `lost` ones.
	pub(super) fn next(
		&mut self,
		keep: &Keep,
		mirrors: bool,
		lost: &mut HashSet<VersionId>,
		now: Instant,
	) -> Result<Option<VersionId>, KeepError> {
		if self.due.is_empty() {
			self.fill(keep, mirrors, lost, now)?;
		}
		let next = self.due.pop_front();
		self.taken.extend(next);
		Ok(next)
	}

	fn fill(
		&mut self,
		keep: &Keep,
		mirrors: bool,
		lost: &mut HashSet<VersionId>,
		now: Instant,
	) -> Result<(), KeepError> {
		let totals = keep.totals();
		let mut seen = HashSet::new();
		let mut after = None;
		while totals.missing > 0 && self.due.len() < MOST {
			let page = keep.missing_after(after, PAGE)?;
			let Some(last) = page.last() else { break };
			after = Some(*last);
			self.add(page, &mut seen, now);
		}
		let mut after = None;
		while totals.damaged > 0 && self.due.len() < MOST {
			let page = keep.held_after(after, PAGE)?;
			let Some((last, _)) = page.last() else { break };
			after = Some(*last);
			let damaged = page.into_iter().filter(|(_, held)| held.is_damaged);
			self.add(damaged.map(|(version, _)| version), &mut seen, now);
		}
		let mut after = None;
		while mirrors && totals.asked > 0 && self.due.len() < MOST {
			let page = keep.asked_after(after, PAGE)?;
			let Some((last, _)) = page.last() else { break };
			after = Some(*last);
			self.add(page.into_iter().map(|(key, _)| key.version), &mut seen, now);
		}
		if self.due.len() < MOST {
			self.failed.retain(|version, _| seen.contains(version));
			lost.retain(|version| seen.contains(version));
		}
		Ok(())
	}

	/// Adds the versions that may be tried now, each once.
	fn add(
		&mut self,
		versions: impl IntoIterator<Item = VersionId>,
		seen: &mut HashSet<VersionId>,
		now: Instant,
	) {
		for version in versions {
			let waits = self.failed.get(&version).is_some_and(|(time, _)| *time > now);
			if seen.insert(version) && !waits && !self.taken.contains(&version) {
				self.due.push_back(version);
			}
		}
	}

	/// Puts a version back that was not tried.
	pub(super) fn put_back(&mut self, version: VersionId) {
		if self.taken.remove(&version) {
			self.due.push_front(version);
		}
	}

	/// Records that a version was tried for now, and whether the attempt has failed.
	pub(super) fn tried(&mut self, version: VersionId, has_failed: bool, now: Instant) {
		self.taken.remove(&version);
		if !has_failed {
			self.failed.remove(&version);
			return;
		}
		let (time, attempts) = self.failed.entry(version).or_insert((now, 0));
		let pause = PAUSE.saturating_mul(1 << (*attempts).min(16)).min(LONGEST);
		(*time, *attempts) = (now + pause, attempts.saturating_add(1));
	}

	/// Returns the number of attempts at a version that have failed.
	pub(super) fn attempts(&self, version: VersionId) -> usize {
		self.failed.get(&version).map_or(0, |(_, attempts)| usize::try_from(*attempts).unwrap_or(0))
	}

	/// Records that there was no room for a version.
	pub(super) fn lacks_room(&mut self, version: VersionId, now: Instant) {
		self.taken.remove(&version);
		self.failed.entry(version).or_insert((now, 0)).0 = now + NO_ROOM;
	}

	/// Returns whether a worker has taken a version.
	pub(super) fn is_taken(&self, version: VersionId) -> bool {
		self.taken.contains(&version)
	}

	/// Returns whether no worker has taken any.
	pub(super) fn is_idle(&self) -> bool {
		self.taken.is_empty()
	}
}

/// Returns the row whose kind and size an attempt takes, and whether it is one of the first
/// `lacking` rows.
///
/// No bytes have the hash of both kinds, or two sizes, and anybody can commit a version with a wrong
/// size. So if rows differ, each attempt takes the next kind and size.
pub(super) fn in_turn(
	rows: &[(VersionKey, Row)],
	lacking: usize,
	attempts: usize,
) -> Option<(Row, bool)> {
	let mut seen = HashSet::new();
	let different =
		rows.iter().enumerate().filter(|(_, (_, row))| seen.insert((row.hash, row.size)));
	let claims: Vec<_> = different.map(|(number, (_, row))| (*row, number < lacking)).collect();
	claims.get(attempts.checked_rem(claims.len())?).copied()
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::{ContentObjectId, HashKind, TenantId};

	use super::*;

	fn asked(number: u8) -> (VersionKey, Row) {
		let (tenant, object) = (TenantId([1; 10]), ContentObjectId([2; 10]));
		let row = Row {
			muid: [number; 16],
			hash: HashKind::Blake3,
			size: 5,
			is_final: false,
			pending: None,
		};
		(VersionKey { tenant, object, version: VersionId([number; 32]) }, row)
	}

	#[test]
	fn failed_downloads_wait_longer_each_time_and_healing_comes_before_mirroring() {
		let folder = tempfile::tempdir().expect("there is room");
		let keep = Keep::open(folder.path()).expect("it opens");
		let rows = [1, 2].map(asked);
		keep.ask(&rows.map(|(key, row)| (key, Some(row)))).expect("it is recorded");
		let (missing, row) = asked(9);
		keep.put(&[(missing, Some(Row { is_final: true, ..row }))], 0).expect("it is recorded");
		let (mut wishes, start) = (Wishes::default(), Instant::now());
		let mut lost = HashSet::from([VersionId([9; 32]), VersionId([8; 32])]);
		let id = |number| Some(VersionId([number; 32]));
		let mut next = |wishes: &mut Wishes, mirrors, seconds| {
			let now = start + Duration::from_secs(seconds);
			wishes.next(&keep, mirrors, &mut lost, now).expect("it is read")
		};
		assert_eq!(next(&mut wishes, false, 0), id(9));
		assert_eq!(next(&mut wishes, false, 0), None, "it is taken, and the node does not mirror");
		assert_eq!([(); 3].map(|()| next(&mut wishes, true, 0)), [id(1), id(2), None]);
		wishes.put_back(VersionId([2; 32]));
		assert_eq!(next(&mut wishes, true, 0), id(2));
		let mut time = 0;
		for pause in [2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
			wishes.tried(VersionId([2; 32]), true, start + Duration::from_secs(time));
			assert_eq!(next(&mut wishes, true, time + pause - 1), None, "{pause}");
			assert_eq!(next(&mut wishes, true, time + pause), id(2), "{pause}");
			time += pause;
		}
		wishes.tried(VersionId([2; 32]), false, start);
		assert!(!wishes.is_taken(VersionId([2; 32])) && !wishes.is_idle());
		assert_eq!(next(&mut wishes, true, time), id(2), "it is still asked for");
	}

	#[test]
	fn attempts_take_the_kinds_and_sizes_of_rows_in_turn() {
		let sized = |number, size| {
			let (key, row) = asked(number);
			(key, Row { size, ..row })
		};
		let rows = [sized(1, 5), sized(2, 5), sized(3, 4_096), sized(4, 7), sized(5, 5)];
		let turns = |lacking| [0, 1, 2, 3].map(|turn| in_turn(&rows, lacking, turn));
		let found = |lacking| turns(lacking).map(|row| row.map(|(row, heals)| (row.size, heals)));
		let expected = [(5, false), (4_096, false), (7, false), (5, false)].map(Some);
		assert_eq!(found(0), expected);
		assert_eq!(found(3)[..3], [(5, true), (4_096, true), (7, false)].map(Some));
		assert_eq!(in_turn(&[], 0, 3).map(|(row, _)| row.size), None);
	}
}

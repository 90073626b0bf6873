// SPDX-License-Identifier: Apache-2.0
//! The versions that are wanted from other nodes, and when to try them.

use std::{
	collections::{HashMap, HashSet, VecDeque},
	time::{Duration, Instant},
};

use content_fabric_identifiers::VersionId;

use crate::{
	error::Error,
	keep::{Keep, KeepError, Row, VersionKey},
};

/// Number of rows that are read from the record at once.
const PAGE: usize = 1_000;
/// Largest number of versions that wait to be taken.
const MOST: usize = 10_000;
/// Largest number of versions, and of their bytes, that a worker takes at once.
const BATCH: (usize, u64) = (32, 64 << 20);
/// Largest number of versions without room that a worker looks at.
const REFUSED: usize = 1_000;
/// Pause after the first attempt that failed. The next one is twice as long.
const PAUSE: Duration = Duration::from_secs(2);
/// Pause if there is no room.
const NO_ROOM: Duration = Duration::from_secs(10);
/// The longest pause.
const LONGEST: Duration = Duration::from_secs(300);

/// The versions to be downloaded.
#[derive(Debug, Default)]
pub(super) struct Wishes {
	/// The versions that are missing or damaged.
	lacking: VecDeque<VersionId>,
	/// The versions that the node was asked to hold.
	asked: VecDeque<VersionId>,
	/// The versions that a worker has taken, and whether they were lacking.
	taken: HashMap<VersionId, bool>,
	/// The versions that have failed, with the time of the next attempt, and the number of earlier
	/// ones.
	failed: HashMap<VersionId, (Instant, u32)>,
}

/// A decision about a version that is due.
pub(super) enum Verdict<T> {
	/// The worker takes the version, with this many bytes.
	Take(T, u64),
	/// There is no room.
	NoRoom,
	/// Nothing needs the bytes.
	Unneeded,
}

impl Wishes {
	/// Takes the next versions for which `judge` says so, by their ids and the numbers of attempts
	/// that have failed. If it fails, all are due as before. For the other arguments, see
	/// [`next`](Self::next).
	pub(super) fn batch<T>(
		&mut self,
		keep: &Keep,
		only_heals: bool,
		lost: &mut HashSet<VersionId>,
		now: Instant,
		mut judge: impl FnMut(VersionId, usize) -> Result<Verdict<T>, Error>,
	) -> Result<Vec<T>, Error> {
		let (mut batch, mut taken) = (Vec::new(), Vec::new());
		let (mut bytes, mut refused) = (0u64, 0);
		while batch.len() < BATCH.0 && refused < REFUSED {
			let judged = match self.next(keep, only_heals, lost, now) {
				Ok(None) => break,
				Ok(Some(version)) => {
					taken.push(version);
					judge(version, self.attempts(version)).map(|verdict| (version, verdict))
				},
				Err(error) => Err(error.into()),
			};
			match judged {
				Ok((version, Verdict::Take(_, size)))
					if !batch.is_empty() && bytes.saturating_add(size) > BATCH.1 =>
				{
					self.put_back(version);
					break;
				},
				Ok((_, Verdict::Take(wish, size))) => {
					bytes = bytes.saturating_add(size);
					batch.push(wish);
				},
				Ok((version, Verdict::NoRoom)) => {
					self.lacks_room(version, now);
					refused += 1;
				},
				Ok((version, Verdict::Unneeded)) => self.tried(version, true, now),
				Err(error) => {
					taken.into_iter().rev().for_each(|version| self.put_back(version));
					return Err(error);
				},
			}
		}
		Ok(batch)
	}

	/// Takes the next version, which is missing or damaged, or else, unless it `only_heals`, one that
	/// the node was asked to hold. Reads the record if none is known. Takes those that are not wanted
	/// any more from the `lost` ones.
	fn next(
		&mut self,
		keep: &Keep,
		only_heals: bool,
		lost: &mut HashSet<VersionId>,
		now: Instant,
	) -> Result<Option<VersionId>, KeepError> {
		if self.lacking.is_empty() && (only_heals || self.asked.is_empty()) {
			self.fill(keep, only_heals, lost, now)?;
		}
		while let Some(version) = self.lacking.pop_front() {
			if self.is_free(version, now) {
				self.taken.insert(version, true);
				return Ok(Some(version));
			}
		}
		if only_heals {
			return Ok(None);
		}
		while let Some(version) = self.asked.pop_front() {
			if self.is_free(version, now) {
				self.taken.insert(version, false);
				return Ok(Some(version));
			}
		}
		Ok(None)
	}

	fn fill(
		&mut self,
		keep: &Keep,
		only_heals: bool,
		lost: &mut HashSet<VersionId>,
		now: Instant,
	) -> Result<(), KeepError> {
		let totals = keep.totals();
		let mut seen = HashSet::new();
		let mut after = None;
		while totals.missing > 0 && self.lacking.len() < MOST {
			let page = keep.missing_after(after, PAGE)?;
			let Some(last) = page.last() else { break };
			after = Some(*last);
			let due = self.due(page, &mut seen, now);
			self.lacking.extend(due);
		}
		let mut after = None;
		while totals.damaged > 0 && self.lacking.len() < MOST {
			let page = keep.held_after(after, PAGE)?;
			let Some((last, _)) = page.last() else { break };
			after = Some(*last);
			let damaged = page.into_iter().filter(|(_, held)| held.is_damaged);
			let due = self.due(damaged.map(|(version, _)| version), &mut seen, now);
			self.lacking.extend(due);
		}
		if self.lacking.len() < MOST {
			lost.retain(|version| seen.contains(version));
		}
		if only_heals {
			return Ok(());
		}
		let mut after = None;
		while totals.asked > 0 && self.lacking.len() + self.asked.len() < MOST {
			let page = keep.asked_after(after, PAGE)?;
			let Some((last, _)) = page.last() else { break };
			after = Some(*last);
			let due = self.due(page.into_iter().map(|(key, _)| key.version), &mut seen, now);
			self.asked.extend(due);
		}
		if self.lacking.len() + self.asked.len() < MOST {
			self.failed.retain(|version, _| seen.contains(version));
		}
		Ok(())
	}

	/// Returns the versions that may be tried now, each once.
	fn due(
		&self,
		versions: impl IntoIterator<Item = VersionId>,
		seen: &mut HashSet<VersionId>,
		now: Instant,
	) -> Vec<VersionId> {
		let new = versions.into_iter().filter(|version| seen.insert(*version));
		new.filter(|version| self.is_free(*version, now)).collect()
	}

	/// Returns whether no worker has taken a version, and it may be tried now.
	fn is_free(&self, version: VersionId, now: Instant) -> bool {
		let waits = self.failed.get(&version).is_some_and(|(time, _)| *time > now);
		!waits && !self.is_taken(version)
	}

	/// Puts a version back that was not tried.
	fn put_back(&mut self, version: VersionId) {
		match self.taken.remove(&version) {
			Some(true) => self.lacking.push_front(version),
			Some(false) => self.asked.push_front(version),
			None => {},
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
	fn attempts(&self, version: VersionId) -> usize {
		self.failed.get(&version).map_or(0, |(_, attempts)| usize::try_from(*attempts).unwrap_or(0))
	}

	/// Records that bytes of a version have arrived, but not all.
	pub(super) fn goes_on(&mut self, version: VersionId, now: Instant) {
		self.tried(version, true, now);
		self.failed.entry(version).and_modify(|(time, _)| *time = now + PAUSE);
	}

	/// Records that there was no room for a version.
	pub(super) fn lacks_room(&mut self, version: VersionId, now: Instant) {
		self.taken.remove(&version);
		self.failed.entry(version).or_insert((now, 0)).0 = now + NO_ROOM;
	}

	/// Returns whether a worker has taken a version.
	pub(super) fn is_taken(&self, version: VersionId) -> bool {
		self.taken.contains_key(&version)
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
		let mut next = |wishes: &mut Wishes, only_heals, seconds| {
			let now = start + Duration::from_secs(seconds);
			wishes.next(&keep, only_heals, &mut lost, now).expect("it is read")
		};
		assert_eq!(next(&mut wishes, true, 0), id(9));
		assert_eq!(next(&mut wishes, true, 0), None, "it is taken");
		assert_eq!([(); 3].map(|()| next(&mut wishes, false, 0)), [id(1), id(2), None]);
		for (number, only_heals) in [(2, false), (9, true)] {
			wishes.put_back(VersionId([number; 32]));
			assert_eq!(next(&mut wishes, only_heals, 0), id(number));
		}
		let mut time = 0;
		for pause in [2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
			wishes.tried(VersionId([2; 32]), true, start + Duration::from_secs(time));
			assert_eq!(next(&mut wishes, false, time + pause - 1), None, "{pause}");
			assert_eq!(next(&mut wishes, false, time + pause), id(2), "{pause}");
			time += pause;
		}
		// It has sent a part.
		wishes.goes_on(VersionId([2; 32]), start + Duration::from_secs(time));
		assert_eq!(next(&mut wishes, false, time + 1), None);
		assert_eq!(next(&mut wishes, false, time + 2), id(2));
		wishes.tried(VersionId([2; 32]), false, start);
		assert!(!wishes.is_taken(VersionId([2; 32])) && !wishes.is_idle());
		assert_eq!(next(&mut wishes, false, time), id(2), "it is still asked for");
	}

	#[test]
	fn what_is_damaged_later_is_healed_before_all_that_was_asked_for_and_keeps_its_pauses() {
		let folder = tempfile::tempdir().expect("there is room");
		let keep = Keep::open(folder.path()).expect("it opens");
		keep.ask(&[1, 2, 3].map(asked).map(|(key, row)| (key, Some(row)))).expect("it is recorded");
		let (mut wishes, mut lost, now) = (Wishes::default(), HashSet::new(), Instant::now());
		let mut next = |wishes: &mut Wishes, only_heals| {
			wishes.next(&keep, only_heals, &mut lost, now).expect("it is read")
		};
		let id = |number| Some(VersionId([number; 32]));
		assert_eq!(next(&mut wishes, false), id(1));
		wishes.tried(VersionId([1; 32]), true, now);
		for number in [8, 9] {
			let (key, row) = asked(number);
			keep.put(&[(key, Some(Row { is_final: true, ..row }))], 0).expect("it is recorded");
		}
		assert_eq!(next(&mut wishes, true), id(8));
		assert_eq!(next(&mut wishes, false), id(9));
		assert_eq!(next(&mut wishes, true), None);
		assert_eq!(wishes.attempts(VersionId([1; 32])), 1, "its pause was forgotten");
		assert_eq!([(); 3].map(|()| next(&mut wishes, false)), [id(2), id(3), None]);
	}

	#[test]
	fn an_error_while_versions_are_taken_puts_all_of_them_back() {
		let folder = tempfile::tempdir().expect("there is room");
		let keep = Keep::open(folder.path()).expect("it opens");
		keep.ask(&[1, 2, 3].map(asked).map(|(key, row)| (key, Some(row)))).expect("it is recorded");
		let (mut wishes, mut lost, now) = (Wishes::default(), HashSet::new(), Instant::now());
		let mut batch = |wishes: &mut Wishes, fails_at: Option<u8>| {
			wishes.batch(&keep, false, &mut lost, now, |version, _| match fails_at {
				Some(number) if version.0 == [number; 32] => Err(Error::RecordFailed),
				_ => Ok(Verdict::Take(version.0[0], 5)),
			})
		};
		assert!(matches!(batch(&mut wishes, Some(3)), Err(Error::RecordFailed)));
		assert!(wishes.is_idle());
		assert_eq!(batch(&mut wishes, None).expect("nothing fails"), [1, 2, 3]);
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

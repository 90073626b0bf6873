// SPDX-License-Identifier: Apache-2.0
//! The rows whose bytes this node has yet to get from another one. No space is reserved for them:
//! the bytes count once they are here.

use codec::Encode;
use content_fabric_identifiers::VersionId;
use content_fabric_okvs::{Database, Read, Transaction};

use super::{get, next, rows, Changed, Held, Keep, Row, VersionKey};

/// Number of rows that are changed in one transaction.
const STEP: usize = 1_000;

impl Keep {
	/// Records the rows whose bytes another node should send; `None` for all others.
	pub fn ask(&self, changes: &[(VersionKey, Option<Row>)]) -> Changed<()> {
		// Most changes are about rows that nobody has asked for.
		let read = self.file.begin_read()?;
		let mut is_needed = false;
		for (key, row) in changes {
			is_needed |= row.is_some() || read.contains_key(&key.asked())?;
		}
		drop(read);
		if !is_needed {
			return Ok(());
		}
		self.change(|tx, totals| {
			for (key, row) in changes {
				let was_asked = tx.contains_key(&key.asked())?;
				match row {
					Some(row) => tx.set(&key.asked(), &row.encode())?,
					None => tx.clear(&key.asked())?,
				}
				totals.asked =
					(totals.asked + u64::from(row.is_some())).saturating_sub(was_asked.into());
			}
			Ok(())
		})
	}

	/// Returns at most `limit` rows whose bytes another node should send, after a row.
	pub fn asked_after(
		&self,
		after: Option<VersionKey>,
		limit: usize,
	) -> Changed<Vec<(VersionKey, Row)>> {
		let start = next(rows::ASKED, after.map(|key| key.asked()));
		self.page(&start, &[rows::ASKED + 1], limit, |key, value| {
			VersionKey::of_asked(key).zip(rows::decode(value))
		})
	}

	/// Returns the rows of a version whose bytes another node should send.
	pub fn asked_of(&self, version: VersionId) -> Changed<Vec<(VersionKey, Row)>> {
		let (first, last) =
			(rows::asked_of(version), [&[rows::ASKED][..], &version.0, &[u8::MAX; 21]]);
		self.page(&first, &last.concat(), usize::MAX, |key, value| {
			VersionKey::of_asked(key).zip(rows::decode(value))
		})
	}

	/// Stops asking for the rows that `is_gone` accepts. Returns their number.
	pub fn ask_for_no_more(&self, is_gone: impl Fn(&VersionKey, &Row) -> bool) -> Changed<usize> {
		let (mut after, mut removed) = (None, 0);
		loop {
			let page = self.asked_after(after, STEP)?;
			let Some((last, _)) = page.last() else { return Ok(removed) };
			after = Some(*last);
			let gone = page.into_iter().filter(|(key, row)| is_gone(key, row));
			let gone: Vec<_> = gone.map(|(key, _)| (key, None)).collect();
			removed += gone.len();
			self.ask(&gone)?;
		}
	}

	/// Returns the rows of a version that are final, whose bytes are missing or damaged.
	pub fn lacking(&self, version: VersionId) -> Changed<Vec<(VersionKey, Row)>> {
		let read = self.file.begin_read()?;
		let held: Option<Held> = get(&read, &rows::held(version), rows::decode)?;
		if held.is_some_and(|held| !held.is_damaged) {
			return Ok(Vec::new());
		}
		let mut found = super::needs(&read, &rows::needs(version), usize::MAX)?;
		found.retain(|(_, row)| row.is_final);
		Ok(found)
	}

	/// Returns whether the bytes that a row declares are here, as far as is known.
	pub fn has_bytes(&self, version: VersionId, row: &Row) -> Changed<bool> {
		let is_sound = |held: Held| !held.is_damaged && row.is_of(held.hash, held.size);
		Ok(self.held(version)?.is_some_and(is_sound))
	}

	/// Returns whether bytes of a version are wanted from another node. Reads no more rows than it
	/// takes to find one.
	pub fn wants(&self, version: VersionId) -> Changed<bool> {
		let read = self.file.begin_read()?;
		if !super::keys(&read, &rows::asked_of(version), 1, VersionKey::of_asked)?.is_empty() {
			return Ok(true);
		}
		match get::<Held>(&read, &rows::held(version), rows::decode)? {
			None => super::is_missing(&read, version),
			Some(held) if !held.is_damaged => Ok(false),
			Some(_) => {
				for pair in read.range(&rows::needs(version))? {
					let (key, _) = pair?;
					let (need, _) =
						VersionKey::of_need(&key).ok_or_else(|| super::damaged(&key))?;
					let row: Option<Row> = get(&read, &need.tagged(rows::ROW), rows::decode)?;
					if row.is_some_and(|row| row.is_final) {
						return Ok(true);
					}
				}
				Ok(false)
			},
		}
	}
}

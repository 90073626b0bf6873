// SPDX-License-Identifier: Apache-2.0
//! Writing of a file.

use std::{
	path::PathBuf,
	sync::atomic::{AtomicU64, Ordering},
};

use redb::ReadableDatabase;

use super::{error::At, format::PAIRS, DiskConfig, DiskError, DiskErrorKind, DiskSnapshot};
use crate::{
	overlay::{Batch, Store},
	range::bounds,
	CommitOptions, Durability, Error,
};

/// The file of a [`DiskDatabase`](super::DiskDatabase).
#[derive(Debug)]
pub struct File {
	pub(super) redb: redb::Database,
	pub(super) path: PathBuf,
	durability: Durability,
	two_phase: bool,
	quick_repair: bool,
	/// Number of commits that were begun.
	commits: AtomicU64,
	/// Number of the commits that are durable.
	durable: AtomicU64,
}

impl File {
	pub(super) fn new(redb: redb::Database, config: &DiskConfig) -> Self {
		let DiskConfig { durability, two_phase, quick_repair, .. } = *config;
		let path = config.path.clone();
		let (commits, durable) = (AtomicU64::new(0), AtomicU64::new(0));
		Self { redb, path, durability, two_phase, quick_repair, commits, durable }
	}

	fn write(
		&self,
		durability: Durability,
		run: impl FnOnce(
			&mut redb::Table<&'static [u8], &'static [u8]>,
		) -> Result<(), redb::StorageError>,
	) -> Result<(), DiskErrorKind> {
		let mut transaction = self.redb.begin_write()?;
		transaction.set_durability(match durability {
			Durability::Commit => redb::Durability::Immediate,
			Durability::Close => redb::Durability::None,
		})?;
		transaction.set_two_phase_commit(self.two_phase);
		transaction.set_quick_repair(self.quick_repair);
		run(&mut transaction.open_table(PAIRS)?)?;
		// Counted before another thread can write, which it can as soon as `commit` is done.
		let number = self.commits.fetch_add(1, Ordering::AcqRel) + 1;
		transaction.commit()?;
		if durability == Durability::Commit {
			// Makes the commits before it durable, too.
			self.durable.fetch_max(number, Ordering::AcqRel);
		}
		Ok(())
	}

	/// Makes all commits so far durable.
	pub(super) fn flush(&self) -> Result<(), DiskError> {
		if self.durable.load(Ordering::Acquire) == self.commits.load(Ordering::Acquire) {
			return Ok(());
		}
		self.write(Durability::Commit, |_| Ok(())).at(&self.path)
	}
}

/// Flushes, as `redb` does not when it is dropped in a panic. Errors cannot be reported.
impl Drop for File {
	fn drop(&mut self) {
		let _ = self.flush();
	}
}

impl Store for File {
	type Error = DiskError;
	type Snapshot<'s> = DiskSnapshot<'s>;

	fn snapshot(&self) -> Result<DiskSnapshot<'_>, Error<DiskError>> {
		let transaction = self.redb.begin_read().at(&self.path).map_err(Error::Backend)?;
		DiskSnapshot::new(transaction, &self.path).map_err(Error::Backend)
	}

	fn apply(&self, batch: Batch, options: CommitOptions) -> Result<(), Error<DiskError>> {
		let durability = options.durability.unwrap_or(self.durability);
		if batch.is_empty() {
			return match durability {
				Durability::Commit => self.flush().map_err(Error::Backend),
				Durability::Close => Ok(()),
			};
		}
		let written = self.write(durability, |table| {
			for (start, end) in batch.removed_ranges() {
				if let Some(range) = bounds(start, end) {
					table.retain_in::<&[u8], _>(range, |_, _| false)?;
				}
			}
			for (key, value) in batch.entries() {
				match value {
					Some(value) => table.insert(key, value)?,
					None => table.remove(key)?,
				};
			}
			Ok(())
		});
		written.at(&self.path).map_err(Error::Backend)
	}
}

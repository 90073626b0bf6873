// SPDX-License-Identifier: Apache-2.0
//! The index: the rows of the pallet in orderly keys, on disk.
//!
//! One thread writes, by [`Index::apply`] and its relatives. Any number of threads read, each in a
//! [`View`] of one moment.

mod apply;
mod blocks;
mod counts;
mod dump;
mod error;
mod folded;
mod format;
mod history;
mod keys;
mod meta;
mod orders;
mod read;
mod resync;
mod sweep;
mod totals;
mod verify;
pub mod view;
mod writer;

use std::{
	fs,
	path::{Path, PathBuf},
	sync::{Mutex, MutexGuard, PoisonError},
	time::{Duration, Instant},
};

use content_fabric_okvs::{
	disk::{DiskConfig, DiskDatabase, Verify},
	CommitOptions, Database, Durability, Transaction,
};

pub use blocks::{BlockRow, RETENTION};
pub use counts::Sums;
pub use error::{Error, Found, Result};
pub use history::EventRow;
pub use keys::Incarnation;
pub use meta::State;
pub use resync::Resynced;
pub use sweep::SWEEP_LIMIT;
pub use totals::{Total, HOUR};
pub use verify::Verified;
pub use view::View;

use crate::source::Block;
use counts::Pending;
use writer::Writer;

/// The name of the file in the data folder.
const FILE: &str = "index.redb";
/// Size of the cache of the file in memory, in bytes.
const CACHE: usize = 256 << 20;

/// The index.
#[derive(Debug)]
pub struct Index {
	database: DiskDatabase,
	/// The file, if it was opened by its path.
	path: Option<PathBuf>,
	/// Time of the first write that is not durable.
	unflushed: Mutex<Option<Instant>>,
}

impl Index {
	/// Opens the index in a folder, or makes both. Compares the whole file with its checksums:
	/// wrong rows of a damaged one could be answers.
	pub fn open(folder: &Path) -> Result<Self> {
		fs::create_dir_all(folder)
			.map_err(|error| Error::Folder(folder.display().to_string(), error))?;
		// Commits synchronize the file once a second. A crash loses no more.
		let config = DiskConfig::new(folder.join(FILE)).verify(Verify::Always);
		let config = config.quick_repair(true).cache_bytes(CACHE);
		let index = Self::new(DiskDatabase::open(config)?)?;
		Ok(Self { path: Some(folder.join(FILE)), ..index })
	}

	/// Takes a database as the index.
	pub fn new(database: DiskDatabase) -> Result<Self> {
		let index = Self { database, path: None, unflushed: Mutex::default() };
		index.state()?;
		Ok(index)
	}

	/// Returns what the index knows of the chain. `None` if it is empty.
	pub fn state(&self) -> Found<State> {
		meta::read(&self.database.begin_read()?)
	}

	/// Sets the state, as a resync does at its end. The rows are not changed.
	pub fn begin(&self, state: State) -> Result<()> {
		let mut tx = self.database.begin()?;
		meta::write(&mut tx, &State { format: *format::FORMAT, ..state })?;
		tx.commit_with(CommitOptions::default().durability(Durability::Commit))?;
		Ok(())
	}

	/// Returns the length of the file in bytes. 0 if the index was not opened by its path.
	pub fn file_bytes(&self) -> u64 {
		let metadata = self.path.as_ref().and_then(|path| fs::metadata(path).ok());
		metadata.map_or(0, |metadata| metadata.len())
	}

	/// Returns a view of the present moment. Fails if the index is empty.
	pub fn view(&self) -> Result<View<'_>> {
		View::new(self.database.begin_read()?)
	}

	/// Adds final blocks after the last one, all or none.
	pub fn apply(&self, blocks: &[Block], durability: Durability) -> Result<()> {
		self.write_with(durability, |writer| {
			blocks.iter().try_for_each(|block| apply::apply(writer, block))
		})
	}

	/// Removes rows of incarnations that ended, and old blocks, in one transaction of bounded size.
	/// Returns whether more are left. Writes nothing if there is nothing to remove.
	pub fn sweep(&self) -> Result<bool> {
		{
			let read = self.database.begin_read()?;
			let state = meta::read(&read)?.ok_or(Error::Empty)?;
			if !sweep::needs_sweep(&read, state.last.number)? {
				return Ok(false);
			}
		}
		self.write(sweep::sweep)
	}

	/// Makes all that was written durable. Writes nothing if it is durable already.
	pub fn flush(&self) -> Result<()> {
		self.flush_after(Duration::ZERO)
	}

	/// Makes all that was written durable, if the first write that is not was `time` ago.
	pub fn flush_after(&self, time: Duration) -> Result<()> {
		let mut unflushed = self.unflushed();
		if unflushed.is_some_and(|since| since.elapsed() >= time) {
			self.database.flush()?;
			*unflushed = None;
		}
		Ok(())
	}

	/// Returns the age of the first write that is not durable. `None` if all are.
	pub fn unflushed_for(&self) -> Option<Duration> {
		self.unflushed().map(|since| since.elapsed())
	}

	fn unflushed(&self) -> MutexGuard<'_, Option<Instant>> {
		// The time is right after each statement.
		self.unflushed.lock().unwrap_or_else(PoisonError::into_inner)
	}

	/// Closes the file.
	pub fn close(self) -> Result<()> {
		Ok(self.database.close()?)
	}

	/// Writes in one transaction, which is not durable before the next [`flush`](Self::flush).
	fn write<T>(&self, run: impl FnOnce(&mut Writer<'_>) -> Result<T>) -> Result<T> {
		self.write_with(Durability::Close, run)
	}

	fn write_with<T>(
		&self,
		durability: Durability,
		run: impl FnOnce(&mut Writer<'_>) -> Result<T>,
	) -> Result<T> {
		let tx = self.database.begin()?;
		let state = meta::read(&tx)?.ok_or(Error::Empty)?;
		let mut writer = Writer { tx, state, pending: Pending::default() };
		let result = run(&mut writer)?;
		let Writer { mut tx, state, mut pending } = writer;
		pending.write(&mut tx)?;
		meta::write(&mut tx, &state)?;
		tx.commit_with(CommitOptions::default().durability(durability))?;
		let mut unflushed = self.unflushed();
		match durability {
			// So are all writes before it.
			Durability::Commit => *unflushed = None,
			Durability::Close => drop(unflushed.get_or_insert_with(Instant::now)),
		}
		Ok(result)
	}
}

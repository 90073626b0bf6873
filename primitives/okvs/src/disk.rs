// SPDX-License-Identifier: Apache-2.0
//! The backend on disk, in a file of `redb`.

mod config;
mod create;
mod error;
mod format;
mod quiet;
mod reader;

use std::{
	io::{self, ErrorKind},
	iter::FusedIterator,
	ops::Deref,
	path::{Path, PathBuf},
	sync::{
		atomic::{AtomicBool, AtomicU64, Ordering},
		Arc,
	},
};

pub use redb;
use redb::{AccessGuard, ReadOnlyTable, ReadableDatabase, ReadableTable, ReadableTableMetadata};
use self_cell::self_cell;

pub use crate::Durability;
use crate::{
	range::bounds, transaction::remove_first, BeginOptions, CloseOptions, CommitOptions, Database,
	Error, Pair, RangeOptions, Read, Removed, RollbackOptions, Transaction,
};
pub use config::{DiskConfig, Verify};
use error::At;
pub use error::{DiskError, DiskErrorKind};
use format::{Found, PAIRS};
use quiet::quietly;
pub use reader::DiskReader;

/// A store in a file.
///
/// - Isolation: serializable. A snapshot reads what was committed when it began, whatever is
///   committed while it is open; a transaction too, and its own writes.
/// - Durability: [`Durability`]. After a crash or a power cut a commit is there whole or not at
///   all.
/// - Threads share the database, and [`begin`](Database::begin) waits for the end of the
///   transaction of another thread, in no particular order. A thread that begins a transaction
///   while it holds one deadlocks.
/// - Processes: the file is open in one at a time, or in several as a [`DiskReader`]. Others get
///   [`DiskErrorKind::InUse`].
///
/// A transaction is one of `redb`: its writes are in the cache and in free pages of the file until
/// it is committed. A new file is made under a
/// temporary name beside its own, which ends in `.new`; a crash then may leave that behind.
///
/// After an error of the operating system, such as a full disk, all commits fail until the database
/// is opened again. Commits that were not durable are lost then.
///
/// The file has a marker of its format. One of a later format, and one of `redb` without the
/// marker, are refused; [`from_redb`](DiskDatabase::from_redb) adopts the latter.
///
/// ```
/// use content_fabric_okvs::{disk::{DiskConfig, DiskDatabase}, Database, Read, Transaction};
///
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("pairs");
/// let database = DiskDatabase::open(DiskConfig::new(&path))?;
/// let mut transaction = database.begin()?;
/// transaction.set(b"key", b"value")?;
/// transaction.commit()?;
/// database.close()?;
///
/// let database = DiskDatabase::open(DiskConfig::new(&path))?;
/// let snapshot = database.begin_read()?;
/// assert_eq!(snapshot.get(b"key")?.as_deref(), Some(&b"value"[..]));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
///
/// A snapshot cannot outlive its database:
///
/// ```compile_fail,E0505
/// use content_fabric_okvs::{disk::{DiskConfig, DiskDatabase}, Database, Read};
///
/// let database = DiskDatabase::open(DiskConfig::new("pairs"))?;
/// let snapshot = database.begin_read()?;
/// database.close()?;
/// snapshot.get(b"key")?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DiskDatabase {
	redb: redb::Database,
	path: PathBuf,
	durability: Durability,
	quick_repair: bool,
	condition: Condition,
	/// Number of commits that were begun.
	commits: AtomicU64,
	/// Number of the commits that are durable.
	durable: AtomicU64,
}

/// Condition in which a file was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
	/// Whole, as far as it was read.
	Intact,
	/// Not closed cleanly. The last complete commit was restored.
	Recovered,
	/// Different from its checksums. The last commit that agrees with them was restored, which can
	/// be earlier than the last one that was made.
	Repaired,
}

impl DiskDatabase {
	/// Adopts a database of `redb` that was opened with options of its own, such as a storage
	/// backend. The pairs are in its table `pairs`; a marker is added if there is none.
	///
	/// The path of the configuration names the database in errors, and the size of the cache does
	/// not count. The file is verified only with [`Verify::Always`];
	/// otherwise its condition is [`Condition::Intact`], as `redb` has recovered it before.
	pub fn from_redb(file: redb::Database, config: DiskConfig) -> Result<Self, Error<DiskError>> {
		Self::adopt(file, &config).at(&config.path).map_err(Error::Backend)
	}

	fn adopt(mut file: redb::Database, config: &DiskConfig) -> Result<Self, DiskErrorKind> {
		let condition = match config.verify {
			Verify::Always => check_integrity(&mut file)?,
			Verify::AfterUncleanClose | Verify::Never => Condition::Intact,
		};
		let found = format::find(&file.begin_read()?)?;
		if found == Found::Unmarked {
			let transaction = file.begin_write()?;
			format::mark(&transaction)?;
			transaction.commit()?;
		}
		Ok(Self::new(file, config, condition))
	}

	fn new(file: redb::Database, config: &DiskConfig, condition: Condition) -> Self {
		let DiskConfig { durability, quick_repair, .. } = *config;
		let (path, redb) = (config.path.clone(), file);
		let (commits, durable) = (AtomicU64::new(0), AtomicU64::new(0));
		Self { redb, path, durability, quick_repair, condition, commits, durable }
	}

	fn open_existing(config: &DiskConfig) -> Result<Self, DiskErrorKind> {
		let clean = format::check_start(&config.path)?;
		let recovered = Arc::new(AtomicBool::new(false));
		let mut builder = config.builder();
		builder.set_repair_callback({
			let recovered = recovered.clone();
			move |_| recovered.store(true, Ordering::Relaxed)
		});
		let mut file = builder.open(&config.path)?;
		// Recovery has compared the whole file with its checksums.
		let recovered = recovered.load(Ordering::Relaxed);
		let verify = match config.verify {
			Verify::Never => false,
			Verify::AfterUncleanClose => !clean && !recovered,
			Verify::Always => !recovered,
		};
		check(&file.begin_read()?)?;
		let mut condition = match (clean, recovered) {
			(true, false) => Condition::Intact,
			// Only damage makes a file need recovery that was closed cleanly.
			(true, true) => Condition::Repaired,
			(false, _) => Condition::Recovered,
		};
		if verify && check_integrity(&mut file)? == Condition::Repaired {
			condition = Condition::Repaired;
		}
		Ok(Self::new(file, config, condition))
	}

	/// Returns the condition in which the file was when it was opened.
	pub fn condition(&self) -> Condition {
		self.condition
	}

	/// Compares the whole file with its checksums, and repairs it if that is possible. Fails with
	/// [`DiskErrorKind::Corrupted`] if not.
	///
	/// Commits that are not durable become durable, unless the file is repaired: then they are
	/// lost.
	pub fn verify(&mut self) -> Result<Condition, DiskError> {
		check_integrity(&mut self.redb).at(&self.path)
	}

	/// Makes all commits so far durable.
	pub fn flush(&self) -> Result<(), DiskError> {
		if self.durable.load(Ordering::Acquire) == self.commits.load(Ordering::Acquire) {
			return Ok(());
		}
		let commit = || {
			let transaction = self.redb.begin_write()?;
			drop(transaction.open_table(PAIRS)?);
			self.commit(transaction, Durability::Commit)
		};
		commit().at(&self.path)
	}

	/// Moves pages to the start of the file, and returns unused space at its end to the file
	/// system. Returns `true` if it moved any.
	pub fn compact(&mut self) -> Result<bool, DiskError> {
		self.redb.compact().at(&self.path)
	}

	fn commit(
		&self,
		mut transaction: redb::WriteTransaction,
		durability: Durability,
	) -> Result<(), DiskErrorKind> {
		transaction.set_durability(match durability {
			Durability::Commit => redb::Durability::Immediate,
			Durability::Close => redb::Durability::None,
		})?;
		transaction.set_quick_repair(self.quick_repair);
		// Counted before another thread can write, which it can as soon as `commit` is done.
		let number = self.commits.fetch_add(1, Ordering::AcqRel) + 1;
		transaction.commit()?;
		if durability == Durability::Commit {
			// Makes the commits before it durable, too.
			self.durable.fetch_max(number, Ordering::AcqRel);
		}
		Ok(())
	}
}

/// Flushes, as `redb` does not when it is dropped in a panic. Errors cannot be reported.
impl Drop for DiskDatabase {
	fn drop(&mut self) {
		let _ = self.flush();
	}
}

/// Compares a file with its checksums.
fn check_integrity(file: &mut redb::Database) -> Result<Condition, DiskErrorKind> {
	quietly(|| match file.check_integrity()? {
		true => Ok(Condition::Intact),
		false => Ok(Condition::Repaired),
	})
}

/// Checks that a file is a store.
fn check(transaction: &redb::ReadTransaction) -> Result<(), DiskErrorKind> {
	match format::find(transaction)? {
		Found::Store => Ok(()),
		Found::Unmarked => Err(DiskErrorKind::NotAStore(
			"it has no marker: it is damaged, or a file of redb for `DiskDatabase::from_redb`",
		)),
	}
}

impl Database for DiskDatabase {
	type Config = DiskConfig;
	type Error = DiskError;
	type Snapshot<'db> = DiskSnapshot<'db>;
	type Transaction<'db> = DiskTransaction<'db>;

	const CONCURRENT_SNAPSHOTS: bool = true;
	const WAITS: bool = true;

	/// Opens the file, or makes it.
	fn open(config: DiskConfig) -> Result<Self, Error<DiskError>> {
		let open = || {
			match quietly(|| Self::open_existing(&config)) {
				Err(DiskErrorKind::Io(error)) if error.kind() == ErrorKind::NotFound => {},
				opened => return opened,
			}
			match create::create(&config.path, &config.builder(), |_| Ok(())) {
				// Another process has made it.
				Err(DiskErrorKind::Io(error)) if error.kind() == ErrorKind::AlreadyExists => {},
				created => created?,
			}
			quietly(|| Self::open_existing(&config))
		};
		open().at(&config.path).map_err(Error::Backend)
	}

	fn close_with(mut self, options: CloseOptions) -> Result<(), Error<DiskError>> {
		self.flush().map_err(Error::Backend)?;
		if options.compact {
			self.compact().map_err(Error::Backend)?;
		}
		Ok(())
	}

	fn begin_with(&self, _options: BeginOptions) -> Result<DiskTransaction<'_>, Error<DiskError>> {
		let begin = || {
			let transaction = self.redb.begin_write()?;
			Writing::try_new(transaction, |transaction| {
				transaction.open_table(PAIRS).map_err(DiskErrorKind::from)
			})
		};
		let writing = begin().at(&self.path).map_err(Error::Backend)?;
		Ok(DiskTransaction { writing, database: self, written: false })
	}

	fn begin_read(&self) -> Result<DiskSnapshot<'_>, Error<DiskError>> {
		let transaction = self.redb.begin_read().at(&self.path).map_err(Error::Backend)?;
		DiskSnapshot::new(transaction, &self.path).map_err(Error::Backend)
	}
}

type Table<'t> = redb::Table<'t, &'static [u8], &'static [u8]>;

self_cell! {
	/// A transaction of `redb` with its open table, as opening it for each access takes longer than
	/// most accesses.
	struct Writing {
		owner: redb::WriteTransaction,
		#[not_covariant]
		dependent: Table,
	}
}

/// A transaction of a [`DiskDatabase`].
#[must_use = "a transaction that is dropped is rolled back"]
pub struct DiskTransaction<'db> {
	writing: Writing,
	database: &'db DiskDatabase,
	/// `true` once a write was tried.
	written: bool,
}

impl DiskTransaction<'_> {
	#[inline]
	fn write<R>(
		&mut self,
		run: impl FnOnce(&mut Table<'_>) -> Result<R, redb::StorageError>,
	) -> Result<R, Error<DiskError>> {
		self.written = true;
		let written = self.writing.with_dependent_mut(|_, table| run(table));
		written.map_err(|error| backend(error, &self.database.path))
	}
}

#[cold]
fn backend(error: redb::StorageError, path: &Path) -> Error<DiskError> {
	Error::Backend(DiskErrorKind::from(error).at(path))
}

impl Read for DiskTransaction<'_> {
	type Error = DiskError;
	type Bytes<'a>
		= DiskBytes<'a>
	where
		Self: 'a;
	type Range<'a>
		= DiskRange<'a>
	where
		Self: 'a;

	#[inline]
	fn get(&self, key: &[u8]) -> Result<Option<DiskBytes<'_>>, Error<DiskError>> {
		self.writing.with_dependent(|_, table| get(table, &self.database.path, key))
	}

	fn range_between(
		&self,
		start: &[u8],
		end: Option<&[u8]>,
		options: RangeOptions,
	) -> Result<DiskRange<'_>, Error<DiskError>> {
		self.writing
			.with_dependent(|_, table| range(table, &self.database.path, start, end, options))
	}

	fn len(&self) -> Result<usize, Error<DiskError>> {
		self.writing.with_dependent(|_, table| len(table, &self.database.path))
	}
}

impl Transaction for DiskTransaction<'_> {
	#[inline]
	fn set(&mut self, key: &[u8], value: &[u8]) -> Result<(), Error<DiskError>> {
		self.write(|table| table.insert(key, value).map(drop))
	}

	#[inline]
	fn remove(&mut self, key: &[u8]) -> Result<bool, Error<DiskError>> {
		self.write(|table| Ok(table.remove(key)?.is_some()))
	}

	#[inline]
	fn clear(&mut self, key: &[u8]) -> Result<(), Error<DiskError>> {
		self.remove(key).map(drop)
	}

	fn remove_range(&mut self, start: &[u8], end: Option<&[u8]>) -> Result<(), Error<DiskError>> {
		let Some(range) = bounds(start, end) else { return Ok(()) };
		self.write(|table| table.retain_in::<&[u8], _>(range, |_, _| false))
	}

	fn remove_range_limited(
		&mut self,
		start: &[u8],
		end: Option<&[u8]>,
		limit: usize,
	) -> Result<Removed, Error<DiskError>> {
		if limit < usize::MAX {
			return remove_first(self, start, end, limit);
		}
		let mut removed = Removed { count: 0, cursor: None };
		if let Some(range) = bounds(start, end) {
			self.write(|table| {
				table.retain_in::<&[u8], _>(range, |_, _| {
					removed.count += 1;
					false
				})
			})?;
		}
		Ok(removed)
	}

	fn commit_with(self, options: CommitOptions) -> Result<(), Error<DiskError>> {
		let Self { writing, database, written } = self;
		let durability = options.durability.unwrap_or(database.durability);
		let transaction = writing.into_owner();
		if written {
			let committed = database.commit(transaction, durability);
			return committed.at(&database.path).map_err(Error::Backend);
		}
		transaction.abort().at(&database.path).map_err(Error::Backend)?;
		match durability {
			Durability::Commit => database.flush().map_err(Error::Backend),
			Durability::Close => Ok(()),
		}
	}

	fn rollback_with(self, _options: RollbackOptions) -> Result<(), Error<DiskError>> {
		let aborted = self.writing.into_owner().abort();
		aborted.at(&self.database.path).map_err(Error::Backend)
	}
}

/// Reads one state of a [`DiskDatabase`], which stays open meanwhile.
#[must_use = "a snapshot does nothing unless it is read"]
pub struct DiskSnapshot<'db> {
	pairs: ReadOnlyTable<&'static [u8], &'static [u8]>,
	path: &'db Path,
}

impl<'db> DiskSnapshot<'db> {
	fn new(transaction: redb::ReadTransaction, path: &'db Path) -> Result<Self, DiskError> {
		let pairs = transaction.open_table(PAIRS).at(path)?;
		Ok(Self { pairs, path })
	}

	/// Copies the pairs to a new store, which appears complete and synchronized, or not at all.
	/// Others can write meanwhile. Fails with [`DiskErrorKind::Io`] if the path is taken.
	pub fn backup(&self, path: impl AsRef<Path>) -> Result<(), DiskError> {
		let path = path.as_ref();
		// Before all pairs are copied. What takes the name meanwhile is found at the end.
		if path.symlink_metadata().is_ok() {
			return Err(io::Error::from(io::ErrorKind::AlreadyExists)).at(path);
		}
		create::create(path, &redb::Builder::new(), |transaction| {
			let mut table = transaction.open_table(PAIRS)?;
			for pair in self.pairs.range::<&[u8]>(..)? {
				let (key, value) = pair?;
				table.insert(key.value(), value.value())?;
			}
			Ok(())
		})
		.at(path)
	}
}

/// A key or a value, in a page of the file that is kept in memory.
pub struct DiskBytes<'a>(AccessGuard<'a, &'static [u8]>);

impl Deref for DiskBytes<'_> {
	type Target = [u8];

	#[inline]
	fn deref(&self) -> &[u8] {
		self.0.value()
	}
}

impl AsRef<[u8]> for DiskBytes<'_> {
	#[inline]
	fn as_ref(&self) -> &[u8] {
		self
	}
}

impl core::fmt::Debug for DiskBytes<'_> {
	fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
		(**self).fmt(f)
	}
}

/// A range of a [`DiskSnapshot`] or a [`DiskTransaction`].
pub struct DiskRange<'a> {
	pairs: Option<redb::Range<'a, &'static [u8], &'static [u8]>>,
	reverse: bool,
	limit: usize,
	path: &'a Path,
}

impl<'a> Iterator for DiskRange<'a> {
	type Item = Result<Pair<DiskBytes<'a>>, Error<DiskError>>;

	/// Has one call in each direction, so that they are inlined: a pair is several times the size of
	/// what a register holds, and each move of it shows.
	#[inline]
	fn next(&mut self) -> Option<Self::Item> {
		self.limit = self.limit.checked_sub(1)?;
		let pairs = self.pairs.as_mut()?;
		let next = if self.reverse { pairs.next_back() } else { pairs.next() };
		match next? {
			Ok((key, value)) => Some(Ok((DiskBytes(key), DiskBytes(value)))),
			Err(error) => {
				self.limit = 0;
				Some(Err(backend(error, self.path)))
			},
		}
	}
}

impl FusedIterator for DiskRange<'_> {}

#[inline]
fn get<'a>(
	pairs: &'a impl ReadableTable<&'static [u8], &'static [u8]>,
	path: &Path,
	key: &[u8],
) -> Result<Option<DiskBytes<'a>>, Error<DiskError>> {
	let value = pairs.get(key).map_err(|error| backend(error, path))?;
	Ok(value.map(DiskBytes))
}

fn range<'a>(
	pairs: &'a impl ReadableTable<&'static [u8], &'static [u8]>,
	path: &'a Path,
	start: &[u8],
	end: Option<&[u8]>,
	options: RangeOptions,
) -> Result<DiskRange<'a>, Error<DiskError>> {
	let RangeOptions { reverse, offset, limit } = options;
	let pairs = bounds(start, end).map(|range| pairs.range::<&[u8]>(range)).transpose();
	let pairs = pairs.map_err(|error| backend(error, path))?;
	let mut range = DiskRange { pairs, reverse, limit: offset, path };
	range.by_ref().try_for_each(|pair| pair.map(drop))?;
	range.limit = limit;
	Ok(range)
}

fn len(pairs: &impl ReadableTableMetadata, path: &Path) -> Result<usize, Error<DiskError>> {
	let len = pairs.len().map_err(|error| backend(error, path))?;
	Ok(usize::try_from(len).unwrap_or(usize::MAX))
}

impl Read for DiskSnapshot<'_> {
	type Error = DiskError;
	type Bytes<'a>
		= DiskBytes<'a>
	where
		Self: 'a;
	type Range<'a>
		= DiskRange<'a>
	where
		Self: 'a;

	#[inline]
	fn get(&self, key: &[u8]) -> Result<Option<DiskBytes<'_>>, Error<DiskError>> {
		get(&self.pairs, self.path, key)
	}

	fn range_between(
		&self,
		start: &[u8],
		end: Option<&[u8]>,
		options: RangeOptions,
	) -> Result<DiskRange<'_>, Error<DiskError>> {
		range(&self.pairs, self.path, start, end, options)
	}

	fn len(&self) -> Result<usize, Error<DiskError>> {
		len(&self.pairs, self.path)
	}
}

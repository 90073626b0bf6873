// SPDX-License-Identifier: Apache-2.0
//! The backend on disk, in a file of `redb`.

use std::{
	fmt,
	fs::File,
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
use redb::{
	AccessGuard, ReadOnlyTable, ReadTransaction, ReadableDatabase, ReadableTable,
	ReadableTableMetadata, WriteTransaction,
};
use self_cell::self_cell;

pub use self::{
	config::{DiskConfig, Verify},
	error::{DiskError, DiskErrorKind},
};
use self::{
	error::{locate, At},
	file::{check_marked, create, is_marked, mark, open_file, quietly, PAIRS},
};
use crate::{
	gate::{Entered, Gate},
	range::bounds,
	BeginOptions, CloseOptions, CommitOptions, Database, Durability, Error, Pair, RangeOptions,
	Read, Removed, Transaction, Wait,
};

mod config;
mod error;
mod file;

/// A store in a file.
///
/// - Isolation: serializable. A snapshot reads what was committed when it began, whatever is
///   committed while it is open; a transaction too, and its own writes.
/// - Durability: [`Durability`]. After a crash or a power cut a commit is there whole or not at
///   all.
/// - Threads share the database, and [`begin`](Database::begin) waits for the end of another
///   thread's transaction. Its options limit the wait. Waiting threads get their turn in no
///   particular order. A transaction stays in its thread.
/// - Processes: the file is open in one at a time, or in several as a [`DiskReader`]. Others get
///   [`DiskErrorKind::InUse`].
///
/// A transaction is one of `redb`: its writes are in the cache and in free pages of the file until
/// it is committed. Transactions do not nest: SRFI 167 does not ask for it, and an overlay for it
/// would apply all writes twice. A new file is made under a temporary name beside its own, which
/// ends in `.new`; a crash then may leave that behind.
///
/// After an error of the operating system, such as a full disk, all commits fail until the database
/// is opened again. Commits that were not durable are lost then.
///
/// The file has a marker of its format. One of a later format, and one of `redb` without the
/// marker, are refused; [`from_redb`](DiskDatabase::from_redb) adopts the latter.
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
	config: DiskConfig,
	condition: Condition,
	/// Entered before the writer of `redb`, whose own lock has no limit for a wait.
	gate: Gate,
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
	/// not count. The file is verified only with [`Verify::Always`]; otherwise its condition is
	/// [`Condition::Intact`], as `redb` has recovered it before.
	pub fn from_redb(file: redb::Database, config: DiskConfig) -> Result<Self, Error<DiskError>> {
		let adopt = |mut file| {
			let condition = match config.verify {
				Verify::Always => check_integrity(&mut file)?,
				Verify::AfterUncleanClose | Verify::Never => Condition::Intact,
			};
			if !is_marked(&file.begin_read()?)? {
				let transaction = file.begin_write()?;
				mark(&transaction)?;
				transaction.commit()?;
			}
			Ok::<_, DiskErrorKind>(Self::new(file, &config, condition))
		};
		Ok(adopt(file).at(&config.path)?)
	}

	fn new(redb: redb::Database, config: &DiskConfig, condition: Condition) -> Self {
		let (gate, commits, durable) = Default::default();
		Self { redb, config: config.clone(), condition, gate, commits, durable }
	}

	fn open_existing(config: &DiskConfig) -> Result<Self, DiskErrorKind> {
		let (file, clean) = open_file(&config.path, File::options().read(true).write(true))?;
		let recovered = Arc::new(AtomicBool::new(false));
		let mut builder = config.builder();
		builder.set_repair_callback({
			let recovered = recovered.clone();
			move |_| recovered.store(true, Ordering::Relaxed)
		});
		let mut file = builder.create_file(file)?;
		// Recovery has compared the whole file with its checksums.
		let recovered = recovered.load(Ordering::Relaxed);
		let verify = match config.verify {
			Verify::Never => false,
			Verify::AfterUncleanClose => !clean && !recovered,
			Verify::Always => !recovered,
		};
		check_marked(&file.begin_read()?)?;
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
		check_integrity(&mut self.redb).at(&self.config.path)
	}

	/// Makes all commits so far durable. Waits while another thread has a transaction open. Fails
	/// with [`Error::Busy`] if this thread has one open.
	pub fn flush(&self) -> Result<(), Error<DiskError>> {
		self.flush_within(Wait::Forever)
	}

	fn flush_within(&self, wait: Wait) -> Result<(), Error<DiskError>> {
		if self.is_flushed() {
			return Ok(());
		}
		let entered = self.gate.enter(wait).ok_or(Error::Busy)?;
		Ok(self.flush_entered(&entered)?)
	}

	fn is_flushed(&self) -> bool {
		self.durable.load(Ordering::Acquire) == self.commits.load(Ordering::Acquire)
	}

	fn flush_entered(&self, _entered: &Entered<'_>) -> Result<(), DiskError> {
		if self.is_flushed() {
			return Ok(());
		}
		let commit = || {
			let transaction = self.redb.begin_write()?;
			drop(transaction.open_table(PAIRS)?);
			self.commit(transaction, Durability::Commit)
		};
		commit().at(&self.config.path)
	}

	/// Moves pages to the start of the file, and returns unused space at its end to the file
	/// system. Returns `true` if it moved any.
	pub fn compact(&mut self) -> Result<bool, DiskError> {
		self.redb.compact().at(&self.config.path)
	}

	fn commit(
		&self,
		mut transaction: WriteTransaction,
		durability: Durability,
	) -> Result<(), DiskErrorKind> {
		transaction.set_durability(match durability {
			Durability::Commit => redb::Durability::Immediate,
			Durability::Close => redb::Durability::None,
		})?;
		transaction.set_quick_repair(self.config.quick_repair);
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
		// Only a leaked transaction can still be open, and it never ends.
		let _ = self.flush_within(Wait::Never);
	}
}

fn check_integrity(file: &mut redb::Database) -> Result<Condition, DiskErrorKind> {
	quietly(|| match file.check_integrity()? {
		true => Ok(Condition::Intact),
		false => Ok(Condition::Repaired),
	})
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
			match create(&config.path, &config.builder(), |_| Ok(())) {
				// Another process has made it.
				Err(DiskErrorKind::Io(error)) if error.kind() == ErrorKind::AlreadyExists => {},
				created => created?,
			}
			quietly(|| Self::open_existing(&config))
		};
		Ok(open().at(&config.path)?)
	}

	fn close_with(mut self, options: CloseOptions) -> Result<(), Error<DiskError>> {
		self.flush_within(Wait::Never)?;
		if options.compact {
			self.compact()?;
		}
		Ok(())
	}

	fn begin_with(&self, options: BeginOptions) -> Result<DiskTransaction<'_>, Error<DiskError>> {
		let entered = self.gate.enter(options.wait).ok_or(Error::Busy)?;
		let begin = || {
			let transaction = self.redb.begin_write()?;
			Writing::try_new(transaction, |transaction| {
				transaction.open_table(PAIRS).map_err(DiskErrorKind::from)
			})
		};
		let writing = begin().at(&self.config.path)?;
		Ok(DiskTransaction { writing, database: self, written: false, entered })
	}

	fn begin_read(&self) -> Result<DiskSnapshot<'_>, Error<DiskError>> {
		let path = &self.config.path;
		Ok(DiskSnapshot::new(self.redb.begin_read().at(path)?, path)?)
	}
}

type Table<'t> = redb::Table<'t, &'static [u8], &'static [u8]>;

self_cell! {
	/// A transaction of `redb` with its open table, as opening it for each access takes longer than
	/// most accesses.
	struct Writing {
		owner: WriteTransaction,
		#[not_covariant]
		dependent: Table,
	}
}

/// A transaction of a [`DiskDatabase`].
#[must_use = "a transaction that is dropped is rolled back"]
pub struct DiskTransaction<'db> {
	writing: Writing,
	database: &'db DiskDatabase,
	/// `true` after the first attempt to write.
	written: bool,
	/// The last field: fields are dropped in order, so the gate opens after the transaction of
	/// `redb` has ended.
	entered: Entered<'db>,
}

impl DiskTransaction<'_> {
	#[inline]
	fn path(&self) -> &Path {
		&self.database.config.path
	}

	#[inline]
	fn read<'s, R>(&'s self, run: impl for<'t> FnOnce(&'s Table<'t>) -> R) -> R {
		self.writing.with_dependent(|_, table| run(table))
	}

	#[inline]
	fn write<R>(
		&mut self,
		run: impl FnOnce(&mut Table<'_>) -> Result<R, redb::StorageError>,
	) -> Result<R, Error<DiskError>> {
		self.written = true;
		let written = self.writing.with_dependent_mut(|_, table| run(table));
		Ok(written.at(self.path())?)
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
		let mut removed = Removed { count: 0, cursor: None };
		if limit < usize::MAX {
			// Counts the first keys, and then removes them at once.
			for pair in self.range_between(start, end, RangeOptions::default())? {
				let (key, _) = pair?;
				if removed.count == limit {
					removed.cursor = Some(key.to_vec());
					break;
				}
				removed.count += 1;
			}
			if removed.count > 0 {
				self.remove_range(start, removed.cursor.as_deref().or(end))?;
			}
		} else if let Some(range) = bounds(start, end) {
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
		let Self { writing, database, written, entered } = self;
		let DiskConfig { path, durability, .. } = &database.config;
		let durability = options.durability.unwrap_or(*durability);
		let transaction = writing.into_owner();
		if written {
			return Ok(database.commit(transaction, durability).at(path)?);
		}
		transaction.abort().at(path)?;
		match durability {
			Durability::Commit => Ok(database.flush_entered(&entered)?),
			Durability::Close => Ok(()),
		}
	}

	fn rollback(self) -> Result<(), Error<DiskError>> {
		let Self { writing, database, entered: _entered, .. } = self;
		Ok(writing.into_owner().abort().at(&database.config.path)?)
	}
}

/// Reads one state of a [`DiskDatabase`], which stays open meanwhile.
#[must_use = "a snapshot does nothing unless it is read"]
pub struct DiskSnapshot<'db> {
	pairs: ReadOnlyTable<&'static [u8], &'static [u8]>,
	path: &'db Path,
}

impl<'db> DiskSnapshot<'db> {
	fn new(transaction: ReadTransaction, path: &'db Path) -> Result<Self, DiskError> {
		let pairs = transaction.open_table(PAIRS).at(path)?;
		Ok(Self { pairs, path })
	}

	#[inline]
	fn path(&self) -> &Path {
		self.path
	}

	#[inline]
	fn read<'s, R>(
		&'s self,
		run: impl FnOnce(&'s ReadOnlyTable<&'static [u8], &'static [u8]>) -> R,
	) -> R {
		run(&self.pairs)
	}

	/// Copies the pairs to a new store, which appears complete and synchronized, or not at all.
	/// Others can write meanwhile. Fails with [`DiskErrorKind::Io`] if the path is taken.
	pub fn backup(&self, path: impl AsRef<Path>) -> Result<(), DiskError> {
		let path = path.as_ref();
		// Before all pairs are copied. A file that takes the name meanwhile is found at the end.
		if path.symlink_metadata().is_ok() {
			return Err(io::Error::from(ErrorKind::AlreadyExists)).at(path);
		}
		create(path, &redb::Builder::new(), |transaction| {
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

impl fmt::Debug for DiskBytes<'_> {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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

	/// Has one call in each direction, so that they are inlined: a pair is several times the size
	/// of what a register holds, and each move of it shows.
	#[inline]
	fn next(&mut self) -> Option<Self::Item> {
		self.limit = self.limit.checked_sub(1)?;
		let pairs = self.pairs.as_mut()?;
		let next = if self.reverse { pairs.next_back() } else { pairs.next() };
		match next? {
			Ok((key, value)) => Some(Ok((DiskBytes(key), DiskBytes(value)))),
			Err(error) => {
				self.limit = 0;
				Some(Err(locate(error, self.path).into()))
			},
		}
	}
}

impl FusedIterator for DiskRange<'_> {}

// The trait's methods are called by its name, as the table of a snapshot has a `get` and a `range`
// of its own, which take longer: they share the ownership of its transaction.
macro_rules! reads {
	($($reader:ident)*) => {$(
		impl Read for $reader<'_> {
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
				let value = self.read(|table| ReadableTable::get(table, key)).at(self.path())?;
				Ok(value.map(DiskBytes))
			}

			fn range_between(
				&self,
				start: &[u8],
				end: Option<&[u8]>,
				options: RangeOptions,
			) -> Result<DiskRange<'_>, Error<DiskError>> {
				let RangeOptions { reverse, offset, limit } = options;
				let pairs = bounds(start, end)
					.map(|range| self.read(|table| ReadableTable::range::<&[u8]>(table, range)));
				let (pairs, path) = (pairs.transpose().at(self.path())?, self.path());
				let mut range = DiskRange { pairs, reverse, limit: offset, path };
				range.by_ref().try_for_each(|pair| pair.map(drop))?;
				range.limit = limit;
				Ok(range)
			}

			fn len(&self) -> Result<usize, Error<DiskError>> {
				let len = self.read(|table| table.len()).at(self.path())?;
				Ok(usize::try_from(len).unwrap_or(usize::MAX))
			}
		}
	)*};
}

reads! { DiskSnapshot DiskTransaction }

/// A store in a file that is only read, by several processes at a time.
///
/// No process can open the file for writing meanwhile. The file needs no permission to write. A
/// reader does not verify it; see [`DiskDatabase::verify`].
pub struct DiskReader {
	redb: redb::ReadOnlyDatabase,
	path: PathBuf,
}

impl fmt::Debug for DiskReader {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.debug_struct("DiskReader").field("path", &self.path).finish_non_exhaustive()
	}
}

impl DiskReader {
	/// Opens a file that exists and was closed cleanly.
	pub fn open(path: impl AsRef<Path>) -> Result<Self, DiskError> {
		let path = path.as_ref();
		let open = || {
			open_file(path, File::options().read(true))?;
			let redb = DiskConfig::new(path).builder().open_read_only(path)?;
			check_marked(&redb.begin_read()?)?;
			Ok(redb)
		};
		let redb = quietly(open).at(path)?;
		Ok(Self { redb, path: path.to_owned() })
	}

	/// Begins to read the pairs.
	pub fn begin_read(&self) -> Result<DiskSnapshot<'_>, DiskError> {
		DiskSnapshot::new(self.redb.begin_read().at(&self.path)?, &self.path)
	}
}

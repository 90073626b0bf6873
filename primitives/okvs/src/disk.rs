// SPDX-License-Identifier: Apache-2.0
//! The backend on disk, in a file of `redb`.

use std::{
	cell::Cell,
	fmt,
	fs::{File, OpenOptions},
	io::{self, ErrorKind, Read as _},
	iter::FusedIterator,
	ops::Deref,
	panic::{catch_unwind, set_hook, take_hook, AssertUnwindSafe},
	path::{Path, PathBuf},
	sync::{
		atomic::{AtomicBool, AtomicU64, Ordering},
		Arc, Once,
	},
	time::Duration,
};

pub use redb;
use redb::{
	AccessGuard, ReadOnlyTable, ReadTransaction, ReadableDatabase, ReadableTable,
	ReadableTableMetadata, TableDefinition, TableError, WriteTransaction,
};
use self_cell::self_cell;
use tempfile::NamedTempFile;

use crate::{
	range::bounds, BeginOptions, CloseOptions, CommitOptions, Database, Durability, Error, Pair,
	RangeOptions, Read, Removed, RollbackOptions, Transaction,
};

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
/// it is committed. A new file is made under a temporary name beside its own, which ends in `.new`;
/// a crash then may leave that behind.
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
		let (commits, durable) = Default::default();
		Self { redb, config: config.clone(), condition, commits, durable }
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
		let _ = self.flush();
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
		self.flush()?;
		if options.compact {
			self.compact()?;
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
		let writing = begin().at(&self.config.path)?;
		Ok(DiskTransaction { writing, database: self, written: false })
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
	/// `true` once a write was tried.
	written: bool,
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
		let Self { writing, database, written } = self;
		let DiskConfig { path, durability, .. } = &database.config;
		let durability = options.durability.unwrap_or(*durability);
		let transaction = writing.into_owner();
		if written {
			return Ok(database.commit(transaction, durability).at(path)?);
		}
		transaction.abort().at(path)?;
		match durability {
			Durability::Commit => Ok(database.flush()?),
			Durability::Close => Ok(()),
		}
	}

	fn rollback_with(self, _options: RollbackOptions) -> Result<(), Error<DiskError>> {
		Ok(self.writing.into_owner().abort().at(&self.database.config.path)?)
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
		// Before all pairs are copied. What takes the name meanwhile is found at the end.
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

/// Path of the file, and options for opening and writing it.
#[derive(Clone, Debug)]
pub struct DiskConfig {
	path: PathBuf,
	durability: Durability,
	quick_repair: bool,
	verify: Verify,
	cache_bytes: Option<usize>,
}

/// When to compare the whole file with its checksums as it is opened, which takes the time to read
/// it.
///
/// Damage to a file that was not verified may show late: as an error, as a panic of `redb`, as
/// wrong pairs, or never.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Verify {
	/// Never, except for what `redb` needs to recover from a crash: the whole file, unless its last
	/// commit was made with [`quick_repair`](DiskConfig::quick_repair).
	Never,
	/// If the file was not closed cleanly.
	#[default]
	AfterUncleanClose,
	/// Always.
	Always,
}

impl DiskConfig {
	/// Names the file, which is created if it does not exist.
	pub fn new(path: impl AsRef<Path>) -> Self {
		Self {
			path: path.as_ref().to_owned(),
			durability: Durability::default(),
			quick_repair: false,
			verify: Verify::default(),
			cache_bytes: None,
		}
	}

	/// Sets the durability of commits that do not set their own. Default: [`Durability::Commit`].
	pub fn durability(self, durability: Durability) -> Self {
		Self { durability, ..self }
	}

	/// Sets whether each durable commit also saves which pages of the file are free. Default: no.
	///
	/// Commits take longer, and synchronize the file twice: its data first, then the mark that
	/// makes them count. With [`Verify::Never`], opening after a crash then takes no time that
	/// grows with the file. Damage to the last commit is reported as
	/// [`Corrupted`](DiskErrorKind::Corrupted) when the file is opened after a crash. Without
	/// it, such a commit is rolled back like one that was cut short.
	pub fn quick_repair(self, quick_repair: bool) -> Self {
		Self { quick_repair, ..self }
	}

	/// Sets when to compare the whole file with its checksums as it is opened. Default:
	/// [`Verify::AfterUncleanClose`].
	pub fn verify(self, verify: Verify) -> Self {
		Self { verify, ..self }
	}

	/// Sets how much memory to use for a cache of the file, in bytes. Default: 1 GiB.
	pub fn cache_bytes(self, cache_bytes: usize) -> Self {
		Self { cache_bytes: Some(cache_bytes), ..self }
	}

	fn builder(&self) -> redb::Builder {
		let mut builder = redb::Builder::new();
		if let Some(bytes) = self.cache_bytes {
			builder.set_cache_size(bytes);
		}
		builder
	}
}

const PAIRS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("pairs");
/// Marks the file as a store: the version of the format, by the name of this crate.
const FORMAT: TableDefinition<&str, u64> = TableDefinition::new("format");
const NAME: &str = "content-fabric-okvs";
/// The format version that this release writes, and the latest that it reads.
const VERSION: u64 = 1;

/// First bytes of a file of `redb`.
const MAGIC: [u8; 9] = *b"redb\x1a\x0a\xa9\x0d\x0a";
/// Flag in the byte after the magic number: the file is open, or was not closed.
const RECOVERY_REQUIRED: u8 = 2;

/// Tries to find the content of a file whose name was just claimed, and the pause between them.
const CLAIM_TRIES: u32 = 20;
const CLAIM_PAUSE: Duration = Duration::from_millis(10);

/// Opens a file that has to begin like one of `redb`. Returns `true` beside it if it was closed
/// cleanly.
fn open_file(path: &Path, options: &OpenOptions) -> Result<(File, bool), DiskErrorKind> {
	let mut start = [0; MAGIC.len() + 1];
	for _ in 0..CLAIM_TRIES {
		let mut file = options.open(path)?;
		match file.read_exact(&mut start) {
			Ok(()) if start[..MAGIC.len()] != MAGIC => {
				return Err(DiskErrorKind::NotAStore("the file does not begin like one of redb"));
			},
			Ok(()) => return Ok((file, start[MAGIC.len()] & RECOVERY_REQUIRED == 0)),
			Err(error) if error.kind() != ErrorKind::UnexpectedEof => return Err(error.into()),
			Err(_) if file.metadata()?.len() > 0 => {
				return Err(DiskErrorKind::NotAStore("the file is too short"));
			},
			// If a name can only be claimed by an empty file, that file is replaced at once.
			Err(_) => std::thread::sleep(CLAIM_PAUSE),
		}
	}
	Err(DiskErrorKind::NotAStore("the file is empty: its creation was cut short; delete it"))
}

/// Checks whether a file has the marker of a format that can be read. Then it has pairs, too.
fn is_marked(transaction: &ReadTransaction) -> Result<bool, DiskErrorKind> {
	let version = match transaction.open_table(FORMAT) {
		Ok(table) => table.get(NAME)?.map(|version| version.value()),
		Err(TableError::Storage(error)) => return Err(error.into()),
		// No table, or one of another program.
		Err(_) => None,
	};
	match version {
		None => Ok(false),
		Some(VERSION) => match transaction.open_table(PAIRS) {
			Ok(_) => Ok(true),
			Err(TableError::TableDoesNotExist(_)) => {
				Err(DiskErrorKind::Corrupted("the table of pairs is missing".into()))
			},
			Err(error) => Err(error.into()),
		},
		Some(found) => Err(DiskErrorKind::Newer { found, supported: VERSION }),
	}
}

fn check_marked(transaction: &ReadTransaction) -> Result<(), DiskErrorKind> {
	if is_marked(transaction)? {
		return Ok(());
	}
	Err(DiskErrorKind::NotAStore(
		"it has no marker: it is damaged, or a file of redb for `DiskDatabase::from_redb`",
	))
}

/// Makes a file of `redb` a store.
fn mark(transaction: &WriteTransaction) -> Result<(), DiskErrorKind> {
	transaction.open_table(PAIRS)?;
	transaction.open_table(FORMAT)?.insert(NAME, VERSION)?;
	Ok(())
}

/// Makes a store under a temporary name beside its own, and then gives it its name, which must be
/// free.
fn create(
	path: &Path,
	builder: &redb::Builder,
	fill: impl FnOnce(&WriteTransaction) -> Result<(), DiskErrorKind>,
) -> Result<(), DiskErrorKind> {
	let mut name = path.file_name().unwrap_or_default().to_owned();
	// The name of a file has at most 255 bytes, also with what is added here.
	if name.len() > 200 {
		name = "store".into();
	}
	name.push(".");
	let mut temporary = tempfile::Builder::new();
	temporary.prefix(&name).suffix(".new");
	#[cfg(unix)]
	{
		use std::{fs::Permissions, os::unix::fs::PermissionsExt};
		// Less what the process masks, as for any new file.
		temporary.permissions(Permissions::from_mode(0o666));
	}
	let unfinished = temporary.tempfile_in(directory(path))?;
	let backend = redb::backends::FileBackend::new(unfinished.reopen()?)?;
	let file = builder.create_with_backend(backend)?;
	let transaction = file.begin_write()?;
	mark(&transaction)?;
	fill(&transaction)?;
	transaction.commit()?;
	drop(file);
	// `redb` reports no error of its close, which synchronizes the file once more.
	let (_, clean) = open_file(unfinished.path(), File::options().read(true))?;
	if !clean {
		return Err(io::Error::other("the new file could not be closed").into());
	}
	// Opened before the file has its name, after which nothing but its synchronization may fail.
	#[cfg(unix)]
	let directory = File::open(directory(path))?;
	place(unfinished, path)?;
	// The name is to survive a crash, too.
	#[cfg(unix)]
	match directory.sync_all() {
		// The file system cannot synchronize folders.
		Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => {
		},
		synchronized => synchronized?,
	}
	Ok(())
}

fn directory(path: &Path) -> PathBuf {
	match path.parent() {
		Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
		_ => PathBuf::from("."),
	}
}

/// Gives a file its name, unless there is a file of that name.
fn place(file: NamedTempFile, path: &Path) -> io::Result<()> {
	match file.persist_noclobber(path) {
		Ok(_) => Ok(()),
		Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Err(error.error),
		// The file system can neither rename without replacing nor make hard links.
		Err(error) => claim(error.file, path),
	}
}

/// Takes the name by an empty file, which only one process can make, and then replaces that one. A
/// crash between the two leaves the empty file, which [`open_file`] refuses.
fn claim(file: NamedTempFile, path: &Path) -> io::Result<()> {
	File::create_new(path)?;
	match file.persist(path) {
		Ok(_) => Ok(()),
		Err(error) => {
			std::fs::remove_file(path)?;
			Err(error.error)
		},
	}
}

thread_local! {
	/// `true` while the thread reads a file that may be damaged.
	static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Reads a file that may be damaged: some damage makes `redb` panic. That is an error, and nothing
/// is printed.
///
/// The first call wraps the panic hook of the process. The wrapper passes on the panics of all
/// other threads, and those of this one at other times.
fn quietly<T>(read: impl FnOnce() -> Result<T, DiskErrorKind>) -> Result<T, DiskErrorKind> {
	static WRAPPED: Once = Once::new();
	WRAPPED.call_once(|| {
		// In a panic the hook cannot be changed; this one is printed then.
		if std::thread::panicking() {
			return;
		}
		let hook = take_hook();
		set_hook(Box::new(move |panic| {
			if !QUIET.try_with(Cell::get).unwrap_or(false) {
				hook(panic);
			}
		}));
	});
	let outer = QUIET.replace(true);
	let done = catch_unwind(AssertUnwindSafe(read));
	QUIET.set(outer);
	done.unwrap_or_else(|_| Err(DiskErrorKind::Corrupted("redb panicked while reading it".into())))
}

/// Error of the backend on disk: the file, and what was wrong with it.
#[derive(Debug)]
pub struct DiskError {
	/// The file.
	pub path: PathBuf,
	/// The cause. Apart, as a result is moved with the room for its error at each read.
	pub kind: Box<DiskErrorKind>,
}

/// Cause of a [`DiskError`].
#[derive(Debug)]
#[non_exhaustive]
pub enum DiskErrorKind {
	/// The operating system failed to read or write the file.
	Io(io::Error),
	/// Another process, or another handle of this one, has the file open.
	InUse,
	/// The file is not a store.
	NotAStore(&'static str),
	/// The file has the format of a later release.
	Newer {
		/// Format version of the file.
		found: u64,
		/// Latest format version that this release reads.
		supported: u64,
	},
	/// The file is damaged, and cannot be repaired.
	Corrupted(String),
	/// The file was not closed cleanly, and a reader cannot recover it.
	NotClosed,
	/// `redb` failed in another way.
	Redb(redb::Error),
}

impl From<DiskError> for Error<DiskError> {
	fn from(error: DiskError) -> Self {
		Self::Backend(error)
	}
}

/// Adds the file to an error.
trait At<T> {
	fn at(self, path: &Path) -> Result<T, DiskError>;
}

impl<T, E: Into<DiskErrorKind>> At<T> for Result<T, E> {
	#[inline]
	fn at(self, path: &Path) -> Result<T, DiskError> {
		self.map_err(|error| locate(error, path))
	}
}

#[cold]
fn locate(kind: impl Into<DiskErrorKind>, path: &Path) -> DiskError {
	DiskError { path: path.to_owned(), kind: Box::new(kind.into()) }
}

impl<E: Into<redb::Error>> From<E> for DiskErrorKind {
	fn from(error: E) -> Self {
		match error.into() {
			redb::Error::Io(error) => Self::Io(error),
			redb::Error::DatabaseAlreadyOpen => Self::InUse,
			redb::Error::RepairAborted => Self::NotClosed,
			redb::Error::Corrupted(detail) => Self::Corrupted(detail),
			other => Self::Redb(other),
		}
	}
}

impl fmt::Display for DiskError {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		write!(f, "{}: {}", self.path.display(), self.kind)
	}
}

impl fmt::Display for DiskErrorKind {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::Io(error) => write!(f, "cannot read or write the store: {}", lower(error)),
			Self::InUse => f.write_str(
				"the store is open in another process or by another handle; close it there first",
			),
			Self::NotAStore(reason) => write!(f, "not a store: {reason}"),
			Self::Newer { found, supported } => write!(
				f,
				"the store has format version {found}, newer than the supported {supported}; \
				 update this program"
			),
			Self::Corrupted(detail) => {
				write!(f, "the store is corrupted: {}; restore a backup", lower(detail))
			},
			Self::NotClosed => f.write_str(
				"the store was not closed cleanly; open it for writing once to recover it",
			),
			Self::Redb(error) => write!(f, "the store failed: {}", lower(error)),
		}
	}
}

/// Returns a message in one line that starts with a lower-case letter and ends without a period.
fn lower(message: &impl fmt::Display) -> String {
	let message = message.to_string().replace('\n', " ");
	let mut letters = message.trim_end_matches('.').chars();
	let first = letters.next().map(|first| first.to_ascii_lowercase());
	first.into_iter().chain(letters).collect()
}

impl std::error::Error for DiskError {
	fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
		match &*self.kind {
			DiskErrorKind::Io(error) => Some(error),
			DiskErrorKind::Redb(error) => Some(error),
			_ => None,
		}
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	/// Both ways give the file its name, and neither replaces another file.
	#[test]
	fn a_file_of_the_name_is_not_replaced() {
		type Place = fn(NamedTempFile, &Path) -> io::Result<()>;
		for place in [place as Place, claim as Place] {
			let directory = tempfile::tempdir().expect("a temporary folder can be made");
			let path = directory.path().join("pairs");
			let file = |content: &[u8]| {
				let file = NamedTempFile::new_in(&directory).expect("a file can be made");
				std::fs::write(file.path(), content).expect("the file can be written");
				file
			};
			place(file(b"first"), &path).expect("the name is free");
			let error = place(file(b"second"), &path).expect_err("the name is taken");
			assert_eq!(error.kind(), ErrorKind::AlreadyExists);
			assert_eq!(std::fs::read(&path).expect("the file is there"), b"first");
			assert_eq!(directory.path().read_dir().expect("is there").count(), 1);
		}
	}

	/// The hook of the process hears of other panics: of other threads meanwhile, and afterwards.
	#[test]
	fn only_panics_of_the_reading_are_silenced() {
		static HEARD: std::sync::Mutex<Vec<String>> = std::sync::Mutex::new(Vec::new());
		let former = take_hook();
		set_hook(Box::new(|panic| {
			let message = panic.payload().downcast_ref::<&str>().map(ToString::to_string);
			HEARD.lock().expect("no panic").extend(message);
		}));
		let quiet = quietly::<()>(|| {
			let other = std::thread::spawn(|| panic!("another thread"));
			assert!(other.join().is_err());
			panic!("the reading");
		});
		assert!(matches!(quiet, Err(DiskErrorKind::Corrupted(_))), "{quiet:?}");
		assert!(catch_unwind(|| panic!("after it")).is_err());
		set_hook(former);
		let heard = HEARD.lock().expect("no panic");
		// Tests of other threads may panic meanwhile, too.
		let is_heard = ["another thread", "after it", "the reading"]
			.map(|message| heard.iter().any(|heard| heard == message));
		assert_eq!(is_heard, [true, true, false], "{heard:?}");
	}
}

//! The backend on disk, in a file of `redb`.

use std::{
	hash::{BuildHasher, RandomState},
	io::ErrorKind,
	marker::PhantomData,
	panic::catch_unwind,
	path::{Path, PathBuf},
	sync::atomic::{AtomicBool, Ordering},
};

pub use redb;
use redb::{AccessGuard, ReadOnlyTable, ReadableDatabase, TableDefinition};

use crate::{
	database::Pair,
	overlay::{Overlay, Snapshot, Store, StoreTransaction},
	range::{bounds, Directed, Window},
	Database, Error, RangeOptions, Read,
};

const PAIRS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("pairs");

/// A store in a file.
///
/// Isolation: serializable. A snapshot reads what was committed when it began, whatever is committed
/// while it is open; a transaction too, and its own writes. Durability: see [`Durability`]. A commit
/// is there whole or not at all, also after a crash.
///
/// While the file is made, it has another name beside its own, which ends in `.new`; a crash then may
/// leave that behind. What damages the file after a crash, before it is opened again, can take the
/// last commit with it unnoticed.
///
/// A transaction keeps its writes in memory until it is committed. Threads can share the database;
/// another process cannot open the file meanwhile.
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
/// assert_eq!(snapshot.get(b"key")?.as_ref().map(AsRef::as_ref), Some(&b"value"[..]));
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DiskDatabase {
	file: redb::Database,
	durability: Durability,
	writing: AtomicBool,
}

/// Where the file is, and how to treat it.
#[derive(Clone, Debug)]
pub struct DiskConfig {
	path: PathBuf,
	durability: Durability,
	verify: bool,
	cache_bytes: Option<usize>,
}

/// When what was committed is sure to survive a crash of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Durability {
	/// When the commit returns.
	#[default]
	Commit,
	/// When the database is closed or [flushed](DiskDatabase::flush). Before that a crash, of the
	/// process too, may lose the last commits, but none in part.
	Close,
}

impl DiskConfig {
	/// The file at a path, which is made if it is not there.
	pub fn new(path: impl AsRef<Path>) -> Self {
		let path = path.as_ref().to_owned();
		Self { path, durability: Durability::default(), verify: true, cache_bytes: None }
	}

	/// When what was committed is sure to survive a crash. At the commit, if not said.
	pub fn durability(self, durability: Durability) -> Self {
		Self { durability, ..self }
	}

	/// Whether to compare the whole file with its checksums when it is opened, which takes the time
	/// to read it. Yes, if not said. Without it damage may show late, as an error, as a panic of
	/// `redb` or as wrong pairs, or never.
	pub fn verify(self, verify: bool) -> Self {
		Self { verify, ..self }
	}

	/// How much memory to use for a cache of the file, in bytes.
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

	/// Makes the file: under another name, which nobody else has, so that a file with this one is
	/// never unfinished, and an empty one is known to be damaged.
	fn create(&self) -> Result<(), redb::Error> {
		let mut name = self.path.clone().into_os_string();
		name.push(format!(".{:016x}.new", RandomState::new().hash_one(std::process::id())));
		let unfinished = PathBuf::from(name);
		let made = self
			.builder()
			.create(&unfinished)
			.map_err(redb::Error::from)
			.and_then(|file| DiskDatabase::with_redb(file, Durability::Commit))
			.and_then(|file| {
				drop(file);
				match std::fs::hard_link(&unfinished, &self.path) {
					// Somebody else has made it.
					Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
					linked => Ok(linked?),
				}
			});
		let removed = std::fs::remove_file(&unfinished);
		made?;
		removed?;
		// The name is to survive a crash, too.
		#[cfg(unix)]
		if let Some(directory) = self.path.canonicalize()?.parent() {
			std::fs::File::open(directory)?.sync_all()?;
		}
		Ok(())
	}

	fn open(&self) -> Result<redb::Database, redb::Error> {
		let mut file = self.builder().open(&self.path)?;
		if self.verify && !file.check_integrity()? {
			let path = self.path.display();
			return Err(redb::Error::Corrupted(format!("{path} differs from its checksums")));
		}
		Ok(file)
	}
}

impl DiskDatabase {
	/// A store in a database that was opened with options of its own. The pairs are in its table
	/// `pairs`.
	pub fn from_redb(
		file: redb::Database,
		durability: Durability,
	) -> Result<Self, Error<redb::Error>> {
		Self::with_redb(file, durability).map_err(Error::Backend)
	}

	fn with_redb(file: redb::Database, durability: Durability) -> Result<Self, redb::Error> {
		let this = Self { file, durability, writing: AtomicBool::new(false) };
		// Snapshots need the table to be there.
		this.write(redb::Durability::Immediate, |_| Ok(()))?;
		Ok(this)
	}

	fn write(
		&self,
		durability: redb::Durability,
		run: impl FnOnce(&mut redb::Table<&'static [u8], &'static [u8]>) -> Result<(), redb::Error>,
	) -> Result<(), redb::Error> {
		let mut transaction = self.file.begin_write()?;
		transaction.set_durability(durability)?;
		// In two phases: else a damaged last commit would be taken for one that was cut short.
		transaction.set_two_phase_commit(true);
		run(&mut transaction.open_table(PAIRS)?)?;
		Ok(transaction.commit()?)
	}

	/// Makes sure that all commits so far survive a crash, which under [`Durability::Commit`] they do
	/// in any case.
	pub fn flush(&self) -> Result<(), Error<redb::Error>> {
		match self.durability {
			Durability::Commit => Ok(()),
			Durability::Close => {
				self.write(redb::Durability::Immediate, |_| Ok(())).map_err(Error::Backend)
			},
		}
	}
}

fn backend(error: impl Into<redb::Error>) -> Error<redb::Error> {
	Error::Backend(error.into())
}

/// Reads one state of a [`DiskDatabase`].
pub struct DiskSnapshot(ReadOnlyTable<&'static [u8], &'static [u8]>);

/// A key or a value: in a page of the file that is kept in memory, or written by the transaction
/// that reads it.
pub struct DiskBytes<'a>(Source<'a>);

enum Source<'a> {
	Page(AccessGuard<'static, &'static [u8]>),
	Write(&'a [u8]),
}

impl AsRef<[u8]> for DiskBytes<'_> {
	#[inline]
	fn as_ref(&self) -> &[u8] {
		match &self.0 {
			Source::Page(guard) => guard.value(),
			Source::Write(bytes) => bytes,
		}
	}
}

impl core::fmt::Debug for DiskBytes<'_> {
	fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
		self.as_ref().fmt(f)
	}
}

/// A range of a [`DiskSnapshot`].
pub struct DiskRange<'a>(Option<Window<Pages<'a>>>);
type PageRange = redb::Range<'static, &'static [u8], &'static [u8]>;
struct Pages<'a>(Directed<PageRange>, PhantomData<&'a ()>);

impl<'a> Iterator for Pages<'a> {
	type Item = Result<Pair<DiskBytes<'a>>, Error<redb::Error>>;

	#[inline]
	fn next(&mut self) -> Option<Self::Item> {
		let page = |guard| DiskBytes(Source::Page(guard));
		Some(match self.0.next()? {
			Ok((key, value)) => Ok((page(key), page(value))),
			Err(error) => Err(backend(error)),
		})
	}
}

impl<'a> Iterator for DiskRange<'a> {
	type Item = Result<Pair<DiskBytes<'a>>, Error<redb::Error>>;

	#[inline]
	fn next(&mut self) -> Option<Self::Item> {
		self.0.as_mut()?.next()
	}
}

impl Read for DiskSnapshot {
	type Error = redb::Error;
	type Bytes<'a> = DiskBytes<'a>;
	type Range<'a> = DiskRange<'a>;

	#[inline]
	fn get(&self, key: &[u8]) -> Result<Option<DiskBytes<'_>>, Error<redb::Error>> {
		let value = self.0.get(key).map_err(backend)?;
		Ok(value.map(|guard| DiskBytes(Source::Page(guard))))
	}

	fn range_between(
		&self,
		start: &[u8],
		end: Option<&[u8]>,
		options: RangeOptions,
	) -> Result<DiskRange<'_>, Error<redb::Error>> {
		let Some(range) = bounds(start, end) else { return Ok(DiskRange(None)) };
		let items = self.0.range::<&[u8]>(range).map_err(backend)?;
		let pages = Pages(Directed { items, reverse: options.reverse }, PhantomData);
		Ok(DiskRange(Some(Window::new(pages, options))))
	}
}

impl Snapshot for DiskSnapshot {
	#[inline]
	fn lend<'a>(bytes: &'a [u8]) -> DiskBytes<'a>
	where
		Self: 'a,
	{
		DiskBytes(Source::Write(bytes))
	}
}

impl Store for DiskDatabase {
	type Error = redb::Error;
	type Snapshot = DiskSnapshot;

	fn lock(&self) -> bool {
		!self.writing.swap(true, Ordering::Acquire)
	}

	fn unlock(&self) {
		self.writing.store(false, Ordering::Release);
	}

	fn snapshot(&self) -> Result<DiskSnapshot, Error<redb::Error>> {
		let open = || Ok::<_, redb::Error>(self.file.begin_read()?.open_table(PAIRS)?);
		open().map(DiskSnapshot).map_err(Error::Backend)
	}

	fn apply(&self, batch: Overlay) -> Result<(), Error<redb::Error>> {
		if batch.is_empty() {
			return Ok(());
		}
		let durability = match self.durability {
			Durability::Commit => redb::Durability::Immediate,
			Durability::Close => redb::Durability::None,
		};
		let written = self.write(durability, |table| {
			for (start, end) in batch.removed.iter() {
				if let Some(range) = bounds(start, end) {
					table.retain_in::<&[u8], _>(range, |_, _| false)?;
				}
			}
			for (key, value) in &batch.entries {
				match value {
					Some(value) => table.insert(key.as_slice(), value.as_slice())?,
					None => table.remove(key.as_slice())?,
				};
			}
			Ok(())
		});
		written.map_err(Error::Backend)
	}
}

impl Database for DiskDatabase {
	type Config = DiskConfig;
	type Error = redb::Error;
	type Snapshot<'db> = DiskSnapshot;
	type Transaction<'db> = StoreTransaction<'db, 'db, Self>;

	const CONCURRENT_SNAPSHOTS: bool = true;

	/// Opens the file, or makes it. A file that is damaged gives an error.
	fn open(config: DiskConfig) -> Result<Self, Error<redb::Error>> {
		let open = || {
			if !config.path.exists() {
				config.create()?;
			}
			// Some damage makes the library panic while it reads the file.
			catch_unwind(|| Self::with_redb(config.open()?, config.durability)).unwrap_or_else(
				|_| Err(redb::Error::Corrupted(format!("{} is damaged", config.path.display()))),
			)
		};
		open().map_err(Error::Backend)
	}

	fn close(self) -> Result<(), Error<redb::Error>> {
		self.flush()
	}

	fn begin(&self) -> Result<Self::Transaction<'_>, Error<redb::Error>> {
		StoreTransaction::begin(self)
	}

	fn begin_read(&self) -> Result<DiskSnapshot, Error<redb::Error>> {
		self.snapshot()
	}
}

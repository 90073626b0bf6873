// SPDX-License-Identifier: Apache-2.0
//! The backend on disk, in a file of `redb`.

mod config;
mod create;
mod error;
mod file;
mod format;
mod reader;
mod snapshot;

use std::{
	io::ErrorKind,
	panic::{catch_unwind, AssertUnwindSafe},
	sync::{
		atomic::{AtomicBool, Ordering},
		Arc,
	},
};

pub use redb;
use redb::ReadableDatabase;

pub use crate::Durability;
use crate::{
	overlay::{Store, StoreTransaction, Transactions},
	BeginOptions, CloseOptions, Database, Error,
};
pub use config::{DiskConfig, Verify};
use error::At;
pub use error::{DiskError, DiskErrorKind};
use file::File;
use format::Found;
pub use reader::DiskReader;
pub use snapshot::{DiskBytes, DiskRange, DiskSnapshot};

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
/// A transaction keeps its writes in memory until it is committed. A new file is made under a
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
	transactions: Transactions<File>,
	condition: Condition,
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

/// Size of the pairs in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
	/// Number of pairs.
	pub pairs: u64,
	/// Length of all keys and values, in bytes.
	pub stored_bytes: u64,
	/// Bytes of the tree besides the pairs.
	pub metadata_bytes: u64,
	/// Unused bytes in the pages of the tree.
	pub fragmented_bytes: u64,
	/// Number of pages from the root to a pair.
	pub tree_height: u32,
	/// Length of the file, in bytes. `None` if the path does not exist.
	pub file_bytes: Option<u64>,
}

impl DiskDatabase {
	/// Adopts a database of `redb` that was opened with options of its own, such as a storage
	/// backend. The pairs are in its table `pairs`; a marker is added if there is none.
	///
	/// The path of the configuration names the database in errors and in [`Statistics`], and the
	/// size of the cache does not count. The file is verified only with [`Verify::Always`];
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
		Self { transactions: Transactions::new(File::new(file, config)), condition }
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
		snapshot::check(&file.begin_read()?)?;
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
		let file = self.transactions.store_mut();
		check_integrity(&mut file.redb).at(&file.path)
	}

	/// Makes all commits so far durable.
	pub fn flush(&self) -> Result<(), DiskError> {
		self.transactions.store().flush()
	}

	/// Moves pages to the start of the file, and returns unused space at its end to the file
	/// system. Returns `true` if it moved any.
	pub fn compact(&mut self) -> Result<bool, DiskError> {
		let file = self.transactions.store_mut();
		file.redb.compact().at(&file.path)
	}
}

/// Compares a file with its checksums. Some damage makes `redb` panic while it reads the file.
fn check_integrity(file: &mut redb::Database) -> Result<Condition, DiskErrorKind> {
	let checked = catch_unwind(AssertUnwindSafe(|| file.check_integrity()));
	match checked.map_err(|_| panicked())?? {
		true => Ok(Condition::Intact),
		false => Ok(Condition::Repaired),
	}
}

/// Error of a file whose reading made `redb` panic.
fn panicked() -> DiskErrorKind {
	DiskErrorKind::Corrupted("redb panicked while reading it".into())
}

impl Database for DiskDatabase {
	type Config = DiskConfig;
	type Error = DiskError;
	type Snapshot<'db> = DiskSnapshot<'db>;
	type Transaction<'db> = StoreTransaction<'db, 'db, File>;

	const CONCURRENT_SNAPSHOTS: bool = true;
	const WAITS: bool = true;

	/// Opens the file, or makes it.
	fn open(config: DiskConfig) -> Result<Self, Error<DiskError>> {
		let open = || {
			if !config.path.try_exists()? {
				match create::create(&config.path, &config.builder(), |_| Ok(())) {
					// Another process has made it.
					Err(DiskErrorKind::Io(error)) if error.kind() == ErrorKind::AlreadyExists => {},
					created => created?,
				}
			}
			catch_unwind(|| Self::open_existing(&config)).unwrap_or_else(|_| Err(panicked()))
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

	fn begin_with(&self, options: BeginOptions) -> Result<Self::Transaction<'_>, Error<DiskError>> {
		self.transactions.begin(options)
	}

	fn begin_read(&self) -> Result<DiskSnapshot<'_>, Error<DiskError>> {
		self.transactions.store().snapshot()
	}
}

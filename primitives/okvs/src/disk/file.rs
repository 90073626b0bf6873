// SPDX-License-Identifier: Apache-2.0
//! The file of a store: its marker, how it is opened, and how it is made.

use std::{
	cell::Cell,
	fs::{File, OpenOptions},
	io::{self, ErrorKind, Read as _},
	panic::{catch_unwind, set_hook, take_hook, AssertUnwindSafe},
	path::{Path, PathBuf},
	sync::Once,
	time::Duration,
};

use redb::{ReadTransaction, TableDefinition, TableError, WriteTransaction};
use tempfile::NamedTempFile;

use super::DiskErrorKind;

pub(super) const PAIRS: TableDefinition<&[u8], &[u8]> = TableDefinition::new("pairs");
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
pub(super) fn open_file(path: &Path, options: &OpenOptions) -> Result<(File, bool), DiskErrorKind> {
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
pub(super) fn is_marked(transaction: &ReadTransaction) -> Result<bool, DiskErrorKind> {
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

pub(super) fn check_marked(transaction: &ReadTransaction) -> Result<(), DiskErrorKind> {
	if is_marked(transaction)? {
		return Ok(());
	}
	Err(DiskErrorKind::NotAStore(
		"it has no marker: it is damaged, or a file of redb for `DiskDatabase::from_redb`",
	))
}

/// Makes a file of `redb` a store.
pub(super) fn mark(transaction: &WriteTransaction) -> Result<(), DiskErrorKind> {
	transaction.open_table(PAIRS)?;
	transaction.open_table(FORMAT)?.insert(NAME, VERSION)?;
	Ok(())
}

/// Makes a store under a temporary name beside its own, and then gives it its name, which must be
/// free.
pub(super) fn create(
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
/// other threads, and of this one at other times.
pub(super) fn quietly<T>(
	read: impl FnOnce() -> Result<T, DiskErrorKind>,
) -> Result<T, DiskErrorKind> {
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

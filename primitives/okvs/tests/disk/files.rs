// SPDX-License-Identifier: Apache-2.0
//! Opening, options, readers, backups and errors.

use std::{
	panic::catch_unwind,
	path::Path,
	sync::atomic::{AtomicBool, Ordering},
};

use content_fabric_okvs::{
	conformance::FailingDisk,
	disk::{
		redb, Condition, DiskConfig, DiskDatabase, DiskError, DiskErrorKind, DiskReader, Verify,
	},
	BeginOptions, CloseOptions, CommitOptions, Database, Durability, Error, Transaction,
};
use redb::TableDefinition;

use crate::{commit, crash, folder, opened, pairs, power, read, transactions, write};

fn set(database: &DiskDatabase, key: &[u8]) {
	let set = database.transact(|transaction| transaction.set(key, b"value"));
	set.expect("the file can be written");
}

/// Returns the cause of an error, whose message has to be one line that names the file.
fn error<T>(result: Result<T, impl Into<Error<DiskError>>>, path: &Path) -> DiskErrorKind {
	let Err(error) = result else { panic!("{}: no error", path.display()) };
	let Error::Backend(error) = error.into() else { panic!("{}: busy", path.display()) };
	let text = error.to_string();
	let message = text.strip_prefix(&format!("{}: ", path.display())).expect("names the file");
	assert!(message.starts_with(|first: char| first.is_ascii_lowercase()), "{text}");
	assert!(!message.contains('\n') && !message.ends_with('.'), "{text}");
	*error.kind
}

#[test]
fn files_that_are_not_stores_are_rejected() {
	let (folder, file) = folder();
	let open = |path: &Path| error(DiskDatabase::open(DiskConfig::new(path)), path);
	for content in [&b"redb"[..], b"plain text, longer than what is read first", b""] {
		std::fs::write(&file, content).expect("the file can be written");
		assert!(matches!(open(&file), DiskErrorKind::NotAStore(_)));
		assert_eq!(std::fs::read(&file).expect("is there"), content, "the file was changed");
	}
	let empty = open(&file).to_string();
	assert!(empty.ends_with("empty: its creation was cut short; delete it"), "{empty}");
	for path in [folder.path(), &folder.path().join("no/folder")] {
		assert!(matches!(open(path), DiskErrorKind::Io(_)));
	}
	let none = folder.path().join("none");
	assert!(matches!(error(DiskReader::open(&none), &none), DiskErrorKind::Io(_)));
}

#[test]
fn the_format_marker_is_checked() {
	let (_directory, path) = folder();
	let open = || error(DiskDatabase::open(DiskConfig::new(&path)), &path);
	let plain = || redb::Database::open(&path).expect("the file is there");
	let adopt = || DiskDatabase::from_redb(plain(), DiskConfig::new(&path));
	let created = redb::Database::create(&path).expect("the file can be made");
	assert!(matches!(open(), DiskErrorKind::InUse));
	drop(created);
	// A file of redb is adopted only when that is asked for.
	for _ in 0..2 {
		assert!(matches!(open(), DiskErrorKind::NotAStore(_)));
	}
	set(&adopt().expect("can be adopted"), b"key");
	assert_eq!(pairs(&opened(DiskConfig::new(&path))).len(), 1);
	// A marker of a later release.
	let format: TableDefinition<&str, u64> = TableDefinition::new("format");
	let file = plain();
	let transaction = file.begin_write().expect("nothing else is open");
	let mut table = transaction.open_table(format).expect("the table is there");
	let version = table.insert("content-fabric-okvs", 7).expect("can be written");
	assert_eq!(version.map(|version| version.value()), Some(1));
	drop(table);
	transaction.commit().expect("can be written");
	drop(file);
	for newer in [open(), error(DiskReader::open(&path), &path), error(adopt(), &path)] {
		assert!(matches!(newer, DiskErrorKind::Newer { found: 7, supported: 1 }), "{newer}");
	}
}

#[test]
fn threads_that_open_a_new_file_at_once_do_not_harm_it() {
	for _ in 0..20 {
		let (directory, path) = folder();
		let results = std::thread::scope(|scope| {
			let open = || scope.spawn(|| DiskDatabase::open(DiskConfig::new(&path)));
			[open(), open(), open(), open()].map(|thread| thread.join().expect("no panic"))
		});
		assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 1);
		for result in results.into_iter().filter(Result::is_err) {
			assert!(matches!(error(result, &path), DiskErrorKind::InUse));
		}
		opened(DiskConfig::new(&path));
		assert_eq!(directory.path().read_dir().expect("is there").count(), 1);
	}
}

/// Each handle has a lock of the file of its own, as each process has.
#[test]
fn one_writer_or_several_readers_have_the_file() {
	let (_directory, path) = folder();
	let open = || DiskDatabase::open(DiskConfig::new(&path));
	let reader = || DiskReader::open(&path);
	let writer = opened(DiskConfig::new(&path));
	set(&writer, b"key");
	assert!(matches!(error(open(), &path), DiskErrorKind::InUse));
	assert!(matches!(error(reader(), &path), DiskErrorKind::InUse));
	drop(writer);
	let readers = [reader(), reader()].map(|reader| reader.expect("readers share the file"));
	assert!(matches!(error(open(), &path), DiskErrorKind::InUse));
	for reader in readers {
		let snapshot = reader.begin_read().expect("can be read");
		assert_eq!(read(&snapshot).expect("can be read").len(), 1);
	}
	assert_eq!(opened(DiskConfig::new(&path)).condition(), Condition::Intact);
}

#[test]
fn a_reader_refuses_a_file_that_was_not_closed() {
	let (_directory, path) = folder();
	let database = opened(DiskConfig::new(&path));
	set(&database, b"key");
	let copy = crash(&path);
	assert!(matches!(error(DiskReader::open(&copy), &copy), DiskErrorKind::NotClosed));
	for condition in [Condition::Recovered, Condition::Intact] {
		let database = opened(DiskConfig::new(&copy));
		assert_eq!((database.condition(), pairs(&database).len()), (condition, 1));
	}
	assert!(DiskReader::open(&copy).is_ok());
}

/// All ways to commit and to open after a crash give the same pairs.
#[test]
fn options_change_no_pair() {
	let (directory, _) = folder();
	let verify = [Verify::Never, Verify::AfterUncleanClose, Verify::Always];
	for (number, verify) in (0..6).flat_map(|number| verify.map(|verify| (number, verify))) {
		let path = directory.path().join(format!("{number} {verify:?}"));
		let config = |path: &Path| {
			let durability = if number % 3 == 0 { Durability::Close } else { Durability::Commit };
			let config = DiskConfig::new(path).durability(durability).verify(verify);
			config.quick_repair(number % 2 == 0).cache_bytes(1 << 20)
		};
		let database = opened(config(&path));
		(0..20u8).for_each(|key| set(&database, &[key]));
		database.flush().expect("the file can be written");
		let (crashed, expected) = (crash(&path), pairs(&database));
		database.close().expect("the file can be closed");
		for (path, condition) in [(&path, Condition::Intact), (&crashed, Condition::Recovered)] {
			let database = opened(config(path));
			assert_eq!(database.condition(), condition, "{number} {verify:?}");
			assert_eq!(pairs(&database), expected);
		}
	}
}

#[test]
fn a_commit_that_fails_leaves_the_store_as_it_was() {
	let open =
		|disk: &FailingDisk| power::open(disk, |config| config).expect("the power is not cut");
	let disk = FailingDisk::new(Vec::new(), u64::MAX);
	drop(open(&disk));
	let content = disk.synchronized();
	let mut failed = 0;
	for operations in 0..40 {
		let disk = FailingDisk::new(content.clone(), u64::MAX);
		let database = open(&disk);
		let commit = |number| database.transact(|transaction| write(transaction, number));
		commit(1).expect("can be written");
		disk.cut_after(operations);
		let expected = match commit(2) {
			Ok(()) => 2,
			failure => {
				failed += 1;
				error(failure, Path::new("disk"));
				1
			},
		};
		// Earlier commits are there, as far as the file can be read at all after the failure.
		if let Ok(pairs) = database.begin_read().and_then(|snapshot| read(&snapshot)) {
			assert_eq!(transactions(&pairs), expected);
		}
	}
	assert!((5..40).contains(&failed), "{failed} of 40 commits failed");
}

/// A flush, and a commit that is durable, make all commits before them durable.
#[test]
fn durable_commits_survive_without_closing() {
	let (_directory, path) = folder();
	let config = DiskConfig::new(&path).durability(Durability::Close);
	let database = opened(config);
	let commit = |key: &[u8], options| {
		let mut transaction = database.begin().expect("nothing else is open");
		transaction.set(key, b"value").expect("nothing can fail");
		transaction.commit_with(options).expect("the file can be written");
	};
	let survivors =
		|| -> Vec<Vec<u8>> { pairs(&opened(DiskConfig::new(crash(&path)))).into_keys().collect() };
	let durable = CommitOptions::default().durability(Durability::Commit);
	commit(b"1", CommitOptions::default());
	assert!(survivors().is_empty());
	database.flush().expect("the file can be written");
	commit(b"2", CommitOptions::default());
	assert_eq!(survivors(), [b"1"]);
	commit(b"3", durable);
	commit(b"4", CommitOptions::default());
	assert_eq!(survivors(), [b"1", b"2", b"3"]);
	// A commit without writes, too.
	let transaction = database.begin().expect("nothing else is open");
	transaction.commit_with(durable).expect("the file can be written");
	assert_eq!(survivors(), [b"1", b"2", b"3", b"4"]);
}

/// The thread would wait for itself.
#[test]
fn a_flush_in_a_transaction_of_the_same_thread_is_refused() {
	let (_directory, path) = folder();
	let database = opened(DiskConfig::new(&path).durability(Durability::Close));
	let begin = || database.begin().expect("nothing else is open");
	begin().commit().expect("nothing can fail");
	commit(&database, 1);
	let transaction = begin();
	assert!(matches!(database.flush(), Err(Error::Busy)));
	transaction.commit().expect("nothing can fail");
	database.flush().expect("nothing is open");
	// Nothing is left to flush.
	let _transaction = begin();
	database.flush().expect("all is durable");
}

/// Nothing ends a transaction that is leaked.
#[test]
fn a_database_with_a_leaked_transaction_is_closed() {
	let (_directory, path) = folder();
	let config = DiskConfig::new(&path).durability(Durability::Close);
	for close in [true, false] {
		let database = opened(config.clone());
		commit(&database, 1);
		std::thread::scope(|scope| {
			let leak = scope.spawn(|| std::mem::forget(database.begin().expect("nothing is open")));
			leak.join().expect("the thread does not panic");
		});
		assert!(matches!(database.begin_with(BeginOptions::now()), Err(Error::Busy)));
		if close {
			assert!(matches!(database.close(), Err(Error::Busy)));
			break;
		}
		drop(database);
	}
}

/// Also in a panic, in which `redb` does not mark the file as closed.
#[test]
fn dropping_makes_commits_durable() {
	let (_directory, path) = folder();
	for (key, durability, panics) in [
		(b"1", Durability::Commit, false),
		(b"2", Durability::Close, false),
		(b"3", Durability::Close, true),
	] {
		let config = || DiskConfig::new(&path).durability(durability);
		let dropped = catch_unwind(|| {
			let database = opened(config());
			set(&database, key);
			assert!(!panics, "while the database is open");
		});
		assert_eq!(dropped.is_err(), panics);
		let database = opened(config());
		let expected = if panics { Condition::Recovered } else { Condition::Intact };
		assert_eq!(database.condition(), expected);
		assert!(pairs(&database).contains_key(&key[..]), "{durability:?}");
	}
}

/// Both when it is asked for and while closing.
#[test]
fn compaction_gives_space_back() {
	let (directory, _) = folder();
	let [kept, compacted, closed] = ["kept", "compacted", "closed"].map(|name| {
		let path = directory.path().join(name);
		let mut database = opened(DiskConfig::new(&path));
		let filled = database.transact(|transaction| {
			(0..2000u32).try_for_each(|key| transaction.set(&key.to_be_bytes(), &[1; 1000]))
		});
		filled.expect("the file can be written");
		// The rest is at the end of the file.
		let emptied = database
			.transact(|transaction| transaction.remove_range(b"", Some(&1900u32.to_be_bytes())));
		emptied.expect("the file can be written");
		if name == "compacted" {
			assert!(database.compact().expect("the file can be written"));
		}
		let close = CloseOptions::default().compact(name == "closed");
		database.close_with(close).expect("the file can be written");
		assert_eq!(pairs(&opened(DiskConfig::new(&path))).len(), 100);
		path.metadata().expect("the file is there").len()
	});
	assert!(compacted < kept && closed < kept, "{kept}, {compacted}, {closed}");
}

/// A writer changes all pairs in each commit. Each backup has the pairs of one commit, and later
/// ones of no earlier commit.
#[test]
fn backups_while_a_writer_writes_are_consistent() {
	let (directory, path) = folder();
	let config = DiskConfig::new(path).durability(Durability::Close);
	let database = opened(config);
	commit(&database, 1);
	let done = AtomicBool::new(false);
	std::thread::scope(|scope| {
		scope.spawn(|| {
			let numbers = (2..).take_while(|_| !done.load(Ordering::Relaxed));
			numbers.for_each(|number| commit(&database, number));
		});
		let mut last = 0;
		for backup in 0..10 {
			let path = directory.path().join(format!("backup {backup}"));
			let backed_up = database.begin_read().expect("can be read").backup(&path);
			backed_up.expect("the backup can be written");
			// It is whole as it is, without being closed or recovered.
			let reader = DiskReader::open(&path).expect("the backup is a store");
			let snapshot = reader.begin_read().expect("can be read");
			let number = transactions(&read(&snapshot).expect("can be read"));
			assert!(number >= last, "{number} after {last}");
			last = number;
		}
		done.store(true, Ordering::Relaxed);
		assert!(last > 1, "no commit during the backups");
	});
	let taken = directory.path().join("backup 0");
	let before = std::fs::read(&taken).expect("is there");
	let again = database.begin_read().expect("can be read").backup(&taken);
	let DiskErrorKind::Io(again) = error(again, &taken) else {
		panic!("not an error of the system")
	};
	assert_eq!(again.kind(), std::io::ErrorKind::AlreadyExists);
	assert_eq!(std::fs::read(&taken).expect("is there"), before);
	assert_eq!(directory.path().read_dir().expect("is there").count(), 11);
}

/// In a panic `redb` does not mark a file as closed, so that readers would refuse the copy.
#[test]
fn a_backup_that_cannot_be_closed_does_not_appear() {
	struct BackUp<'a>(&'a Path);
	impl Drop for BackUp<'_> {
		fn drop(&mut self) {
			let database = opened(DiskConfig::new(self.0.join("pairs")));
			let snapshot = database.begin_read().expect("can be read");
			let backed_up = snapshot.backup(self.0.join("backup"));
			assert_eq!(backed_up.is_err(), std::thread::panicking(), "{backed_up:?}");
		}
	}
	let (directory, path) = folder();
	drop(opened(DiskConfig::new(path)));
	let names = || directory.path().read_dir().expect("is there").count();
	let panicked = catch_unwind(|| {
		let _back_up = BackUp(directory.path());
		panic!("before the backup");
	});
	assert!(panicked.is_err() && names() == 1);
	drop(BackUp(directory.path()));
	assert!(DiskReader::open(directory.path().join("backup")).is_ok() && names() == 2);
}

#[test]
fn backups_have_names_of_up_to_255_bytes_in_folders_that_exist() {
	let (directory, _) = folder();
	let database = opened(DiskConfig::new(directory.path().join("n".repeat(255))));
	let snapshot = database.begin_read().expect("it can be read");
	snapshot.backup(directory.path().join("b".repeat(255))).expect("the backup can be made");
	assert!(snapshot.backup(directory.path().join("missing").join("backup")).is_err());
	let names = std::fs::read_dir(&directory).expect("the folder is there");
	assert_eq!(names.count(), 2, "no temporary file is left");
}

//! The backend on disk: what is there after a crash and after damage to the file.

use std::{
	collections::BTreeMap,
	io::{BufRead, BufReader},
	panic::{catch_unwind, AssertUnwindSafe},
	path::Path,
	process::{Command, Stdio},
	sync::{
		atomic::{AtomicU64, Ordering},
		Arc,
	},
	time::Duration,
};

use content_fabric_okvs::{
	disk::{redb, DiskConfig, DiskDatabase, Durability},
	memory::MemoryDatabase,
	Database, Error, Read, Transaction,
};
use rand::{rngs::StdRng, Rng, SeedableRng};

type Map = BTreeMap<Vec<u8>, Vec<u8>>;

fn pairs(database: &DiskDatabase) -> Result<Map, Box<dyn std::error::Error>> {
	let snapshot = database.begin_read()?;
	let mut map = Map::new();
	for pair in snapshot.range(b"")? {
		let (key, value) = pair?;
		map.insert(key.as_ref().to_vec(), value.as_ref().to_vec());
	}
	Ok(map)
}

/// A file of many pairs, written by many commits.
fn write(path: &Path) -> Map {
	let database = DiskDatabase::open(DiskConfig::new(path)).expect("the file can be made");
	let mut rng = StdRng::seed_from_u64(1);
	let mut map = Map::new();
	for _ in 0..20 {
		let mut transaction = database.begin().expect("nothing else is open");
		for _ in 0..100 {
			let key: [u8; 8] = rng.random();
			let value = vec![rng.random(); rng.random_range(0..200)];
			transaction.set(&key, &value).expect("nothing can fail");
			map.insert(key.to_vec(), value);
		}
		transaction.commit().expect("the file can be written");
	}
	database.close().expect("the file can be closed");
	map
}

/// Opens a file that was damaged: an error, or all pairs as they were.
fn open_damaged(path: &Path, map: &Map, damage: &str) -> bool {
	let opened = catch_unwind(|| {
		let database = DiskDatabase::open(DiskConfig::new(path))?;
		pairs(&database)
	});
	match opened {
		Ok(Ok(found)) => {
			assert!(found == *map, "{damage}: pairs were lost: {} of {}", found.len(), map.len());
			true
		},
		Ok(Err(error)) => {
			assert!(!error.to_string().is_empty());
			false
		},
		Err(_) => panic!("{damage}: panicked"),
	}
}

#[test]
fn damage_gives_an_error_and_loses_nothing_silently() {
	let directory = tempfile::tempdir().expect("a temporary folder can be made");
	let original = directory.path().join("original");
	let map = write(&original);
	let bytes = std::fs::read(&original).expect("the file is there");
	let damaged = directory.path().join("damaged");
	let mut rng = StdRng::seed_from_u64(2);
	let (mut unharmed, mut refused) = (0, 0);
	let mut check = |bytes: &[u8], damage: &str| {
		std::fs::write(&damaged, bytes).expect("the file can be written");
		if open_damaged(&damaged, &map, damage) {
			unharmed += 1
		} else {
			refused += 1
		};
	};
	// Each byte of the header, which is the first 320 bytes.
	let anywhere: Vec<_> = (0..300).map(|_| rng.random_range(0..bytes.len())).collect();
	for at in (0..320).chain(anywhere) {
		let mut bytes = bytes.clone();
		bytes[at] ^= rng.random_range(1..=255u8);
		check(&bytes, &format!("byte {at}"));
	}
	for _ in 0..60 {
		let mut bytes = bytes.clone();
		let at = rng.random_range(0..bytes.len() / 512) * 512;
		rng.fill(&mut bytes[at..at + 512]);
		check(&bytes, &format!("sector at {at}"));
		let len = rng.random_range(0..bytes.len());
		check(&bytes[..len], &format!("truncated to {len}"));
	}
	check(&[], "empty");
	// What is damaged is mostly what matters.
	assert!(refused > 300, "{unharmed} unharmed, {refused} refused");
}

#[test]
fn an_unfinished_or_locked_file_is_refused() {
	let directory = tempfile::tempdir().expect("a temporary folder can be made");
	let path = directory.path().join("pairs");
	let open = || DiskDatabase::open(DiskConfig::new(&path));
	let database = open().expect("the file can be made");
	assert!(open().is_err());
	drop(database);
	let names = directory.path().read_dir().expect("the folder is there").count();
	assert_eq!(names, 1, "nothing is left of making the file");
	std::fs::write(&path, b"").expect("the file can be written");
	assert!(open().is_err());
	assert!(DiskDatabase::open(DiskConfig::new(directory.path())).is_err());
	assert!(DiskDatabase::open(DiskConfig::new(directory.path().join("no/folder"))).is_err());
}

#[test]
fn threads_that_open_a_new_file_at_once_do_not_harm_it() {
	for _ in 0..20 {
		let directory = tempfile::tempdir().expect("a temporary folder can be made");
		let path = directory.path().join("pairs");
		let opened = std::thread::scope(|scope| {
			let open = || scope.spawn(|| DiskDatabase::open(DiskConfig::new(&path)));
			[open(), open(), open(), open()].map(|thread| thread.join().expect("no panic"))
		});
		// One has the file, the others are told that it is in use.
		assert_eq!(opened.iter().filter(|opened| opened.is_ok()).count(), 1);
		drop(opened);
		assert!(DiskDatabase::open(DiskConfig::new(&path)).is_ok());
		assert_eq!(directory.path().read_dir().expect("is there").count(), 1);
	}
}

#[test]
fn threads_share_a_database() {
	fn shared<T: Send + Sync>(_: &T) {}
	let directory = tempfile::tempdir().expect("a temporary folder can be made");
	let config = DiskConfig::new(directory.path().join("pairs")).durability(Durability::Close);
	let database = DiskDatabase::open(config).expect("the file can be made");
	shared(&database);
	let memory = MemoryDatabase::default();
	shared(&memory);
	share(&database);
	share(&memory);

	/// Threads add to one counter, each as often as it is not excluded.
	fn share<D: Database<Error: std::fmt::Debug> + Sync>(database: &D) {
		let add = || {
			let mut added = 0u64;
			while added < 50 {
				let Ok(mut transaction) = database.begin() else { continue };
				let count = transaction.get(b"count").expect("can be read");
				let count = count.map_or(0, |count| {
					u64::from_be_bytes(count.as_ref().try_into().expect("8 bytes"))
				});
				transaction.set(b"count", &(count + 1).to_be_bytes()).expect("nothing can fail");
				transaction.commit().expect("can be written");
				added += 1;
			}
		};
		std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(add))));
		let snapshot = database.begin_read().unwrap_or_else(|_| panic!("can be read"));
		let count = snapshot.get(b"count").expect("can be read").expect("was set");
		assert_eq!(count.as_ref(), 200u64.to_be_bytes());
	}
}

#[test]
fn a_closure_that_panics_is_rolled_back() {
	let database = MemoryDatabase::default();
	let panicked = catch_unwind(AssertUnwindSafe(|| {
		database.transact(|transaction| -> Result<(), Error<_>> {
			transaction.set(b"key", b"value")?;
			panic!("as it was to");
		})
	}));
	assert!(panicked.is_err());
	assert_eq!(database.begin_read().expect("nothing can fail").get(b"key"), Ok(None));
	assert!(database.begin().is_ok());
}

/// Memory that can no longer be written, or synchronized, from some write on.
#[derive(Debug, Default)]
struct Failing {
	memory: redb::backends::InMemoryBackend,
	writes_left: Arc<AtomicU64>,
}

impl redb::StorageBackend for Failing {
	fn len(&self) -> Result<u64, std::io::Error> {
		self.memory.len()
	}

	fn read(&self, offset: u64, out: &mut [u8]) -> Result<(), std::io::Error> {
		self.memory.read(offset, out)
	}

	fn set_len(&self, len: u64) -> Result<(), std::io::Error> {
		self.memory.set_len(len)
	}

	fn sync_data(&self) -> Result<(), std::io::Error> {
		self.memory.sync_data()
	}

	fn write(&self, offset: u64, data: &[u8]) -> Result<(), std::io::Error> {
		let left = self.writes_left.load(Ordering::Relaxed);
		self.writes_left.store(left.saturating_sub(1), Ordering::Relaxed);
		if left == 0 {
			return Err(std::io::Error::other("the disk is full"));
		}
		self.memory.write(offset, data)
	}
}

#[test]
fn a_commit_that_fails_leaves_the_store_as_it_was() {
	let mut failed = 0;
	for writes in 0..40 {
		let left = Arc::new(AtomicU64::new(u64::MAX));
		let backend = Failing { writes_left: left.clone(), ..Failing::default() };
		let file = redb::Builder::new().create_with_backend(backend).expect("memory can be made");
		let database = DiskDatabase::from_redb(file, Durability::Commit).expect("can be written");
		let set = |value: u8| {
			database.transact(|transaction| {
				(0..50u8).try_for_each(|key| transaction.set(&[key], &[value; 300]))
			})
		};
		set(1).expect("can be written");
		left.store(writes, Ordering::Relaxed);
		let expected = match set(2) {
			Ok(()) => 2,
			Err(Error::Backend(error)) => {
				failed += 1;
				assert!(!error.to_string().is_empty());
				1
			},
			Err(other) => panic!("{other}"),
		};
		// What was committed before is there, as far as it can be read at all after the failure.
		if let Ok(found) = pairs(&database) {
			assert_eq!(found.len(), 50);
			assert!(found.values().all(|value| *value == [expected; 300]));
		}
	}
	assert!((5..40).contains(&failed), "{failed} of 40 commits failed");
}

#[test]
fn what_is_flushed_survives_without_closing() {
	let directory = tempfile::tempdir().expect("a temporary folder can be made");
	let path = directory.path().join("pairs");
	let config = DiskConfig::new(&path).durability(Durability::Close).verify(false);
	let database = DiskDatabase::open(config.cache_bytes(1 << 20)).expect("can be made");
	let set = |key: &[u8]| database.transact(|transaction| transaction.set(key, b"value"));
	set(b"flushed").expect("can be written");
	database.flush().expect("can be written");
	set(b"lost").expect("can be written");
	// As after a crash: the file as it is now, elsewhere.
	let crashed = directory.path().join("crashed");
	std::fs::copy(&path, &crashed).expect("can be copied");
	let found = pairs(&DiskDatabase::open(DiskConfig::new(&crashed)).expect("can be opened"));
	let keys: Vec<_> = found.expect("can be read").into_keys().collect();
	assert_eq!(keys, [b"flushed"]);
}

#[test]
fn dropping_closes() {
	let directory = tempfile::tempdir().expect("a temporary folder can be made");
	let path = directory.path().join("pairs");
	for durability in [Durability::Commit, Durability::Close] {
		let config = || DiskConfig::new(&path).durability(durability);
		let database = DiskDatabase::open(config()).expect("can be opened");
		let key = [durability as u8];
		database.transact(|transaction| transaction.set(&key, b"value")).expect("can be written");
		drop(database);
		let found = pairs(&DiskDatabase::open(config()).expect("can be opened"));
		assert!(found.expect("can be read").contains_key(&key[..]), "{durability:?}");
	}
}

/// What the writer has in its file after so many transactions. Each one changes all of it.
fn after(transactions: u64) -> Map {
	let mut map = Map::new();
	if transactions > 0 {
		map.insert(b"transactions".to_vec(), transactions.to_be_bytes().to_vec());
	}
	for number in 0..50u64 {
		if transactions > 0 && !(transactions + number).is_multiple_of(3) {
			let len = (transactions * 31 + number * 17) % 500;
			map.insert(number.to_be_bytes().to_vec(), vec![transactions as u8; len as usize]);
		}
	}
	map
}

/// Where the writer finds its file, and whether it leaves commits to be made durable at the end.
const PATH: &str = "OKVS_WRITER_PATH";
const CLOSE: &str = "OKVS_WRITER_CLOSE";

/// The process that is killed: commits transactions, and says the number of each when it is done.
#[test]
#[ignore = "is run by another test, and does not end"]
fn writer() {
	let path = std::env::var(PATH).expect("the other test gives the path");
	let durability =
		if std::env::var(CLOSE).is_ok() { Durability::Close } else { Durability::Commit };
	let config = DiskConfig::new(path).durability(durability);
	let database = DiskDatabase::open(config).expect("the file can be opened");
	let done = transactions(&pairs(&database).expect("the pairs can be read"));
	for transactions in done + 1.. {
		let mut transaction = database.begin().expect("nothing else is open");
		transaction.remove_range(b"", None).expect("nothing can fail");
		for (key, value) in after(transactions) {
			transaction.set(&key, &value).expect("nothing can fail");
		}
		transaction.commit().expect("the file can be written");
		if transactions % 50 == 0 {
			database.flush().expect("the file can be written");
		}
		println!("committed {transactions}");
	}
}

/// How many transactions the writer has committed.
fn transactions(pairs: &Map) -> u64 {
	pairs.get(&b"transactions"[..]).map_or(0, |number| {
		u64::from_be_bytes(number.as_slice().try_into().expect("the number has 8 bytes"))
	})
}

/// Runs the writer, and kills it at some moment. Gives the last transaction that it told of.
fn run_and_kill(path: &Path, durability: Durability, rng: &mut StdRng) -> Option<u64> {
	let mut command = Command::new(std::env::current_exe().expect("this is a program"));
	command.args(["--exact", "writer", "--ignored", "--nocapture"]).env(PATH, path);
	if durability == Durability::Close {
		command.env(CLOSE, "");
	}
	let spawned = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
	let mut writer = spawned.expect("this program can be run");
	let output = BufReader::new(writer.stdout.take().expect("the output is piped"));
	let reader = std::thread::spawn(move || {
		let numbers = output.lines().map_while(Result::ok).filter_map(|line| {
			line.split_once("committed ").and_then(|(_, number)| number.parse().ok())
		});
		numbers.last()
	});
	std::thread::sleep(Duration::from_micros(rng.random_range(0..60_000)));
	writer.kill().expect("the writer is still running");
	writer.wait().expect("the writer was killed");
	reader.join().expect("the output can be read")
}

#[test]
fn a_killed_process_leaves_whole_commits() {
	let directory = tempfile::tempdir().expect("a temporary folder can be made");
	let path = directory.path().join("pairs");
	let mut rng = StdRng::seed_from_u64(3);
	let mut done = 0;
	for kill in 0..200 {
		let acknowledged = run_and_kill(&path, Durability::Commit, &mut rng).unwrap_or(done);
		if kill == 0 && !path.exists() {
			continue;
		}
		let database = DiskDatabase::open(DiskConfig::new(&path)).expect("the file is not damaged");
		let found = pairs(&database).expect("the pairs can be read");
		let whole = [acknowledged, acknowledged + 1].into_iter().find(|n| found == after(*n));
		done = whole.unwrap_or_else(|| panic!("kill {kill}: not whole after {acknowledged}"));
	}
	assert!(done > 200, "the writer got no further than {done}");
}

/// Commits that are not durable yet may be lost, but what is there is whole, and nothing older than
/// the last flush.
#[test]
fn a_killed_process_leaves_whole_commits_that_were_not_durable() {
	let directory = tempfile::tempdir().expect("a temporary folder can be made");
	let path = directory.path().join("pairs");
	let mut rng = StdRng::seed_from_u64(4);
	let mut done = 0;
	for kill in 0..60 {
		let acknowledged = run_and_kill(&path, Durability::Close, &mut rng).unwrap_or(done);
		if !path.exists() {
			continue;
		}
		let database = DiskDatabase::open(DiskConfig::new(&path)).expect("the file is not damaged");
		let found = pairs(&database).expect("the pairs can be read");
		let at = transactions(&found);
		assert!(found == after(at), "kill {kill}: not whole at {at}");
		let flushed = (acknowledged / 50 * 50).max(done);
		assert!((flushed..=acknowledged + 1).contains(&at), "{flushed}, {at}, {acknowledged}");
		done = at;
	}
	assert!(done > 100, "the writer got no further than {done}");
}

/// Damage to a file that was not closed: an error, or a commit that is whole.
#[test]
fn damage_after_a_kill_gives_no_part_of_a_commit() {
	let directory = tempfile::tempdir().expect("a temporary folder can be made");
	let path = directory.path().join("pairs");
	let damaged = directory.path().join("damaged");
	let mut rng = StdRng::seed_from_u64(5);
	let (mut last, mut earlier, mut refused) = (0, 0, 0);
	for _ in 0..4 {
		let acknowledged = run_and_kill(&path, Durability::Commit, &mut rng);
		let Some(acknowledged) = acknowledged else { continue };
		let bytes = std::fs::read(&path).expect("the file is there");
		for at in (0..320).step_by(3) {
			let mut bytes = bytes.clone();
			bytes[at] ^= rng.random_range(1..=255u8);
			std::fs::write(&damaged, bytes).expect("the file can be written");
			let opened = catch_unwind(|| {
				let database = DiskDatabase::open(DiskConfig::new(&damaged))?;
				pairs(&database)
			});
			match opened.unwrap_or_else(|_| panic!("byte {at}: panicked")) {
				Ok(found) => {
					let found_at = transactions(&found);
					assert!(found == after(found_at), "byte {at}: not whole");
					if found_at < acknowledged {
						earlier += 1
					} else {
						last += 1
					}
				},
				Err(_) => refused += 1,
			}
		}
	}
	println!("{last} with the last commit, {earlier} with an earlier one, {refused} refused");
	assert!(last + refused > 20 * earlier, "{last}, {earlier}, {refused}");
}

//! The backend on disk: what is there after a crash and after damage to the file.

use std::{
	collections::BTreeMap,
	io::{BufRead, BufReader},
	panic::catch_unwind,
	path::Path,
	process::{Command, Stdio},
	time::Duration,
};

use content_fabric_okvs::{
	disk::{DiskConfig, DiskDatabase},
	Database, Read, Transaction,
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

/// Where the writer finds its file.
const PATH: &str = "OKVS_WRITER_PATH";

/// The process that is killed: commits transactions, and says the number of each when it is done.
#[test]
#[ignore = "is run by another test, and does not end"]
fn writer() {
	let path = std::env::var(PATH).expect("the other test gives the path");
	let database = DiskDatabase::open(DiskConfig::new(path)).expect("the file can be opened");
	let found = pairs(&database).expect("the pairs can be read");
	let done = found.get(&b"transactions"[..]).map_or(0, |number| {
		u64::from_be_bytes(number.as_slice().try_into().expect("the number has 8 bytes"))
	});
	for transactions in done + 1.. {
		let mut transaction = database.begin().expect("nothing else is open");
		transaction.remove_range(b"", None).expect("nothing can fail");
		for (key, value) in after(transactions) {
			transaction.set(&key, &value).expect("nothing can fail");
		}
		transaction.commit().expect("the file can be written");
		println!("committed {transactions}");
	}
}

#[test]
fn a_killed_process_leaves_whole_commits() {
	let directory = tempfile::tempdir().expect("a temporary folder can be made");
	let path = directory.path().join("pairs");
	let mut rng = StdRng::seed_from_u64(3);
	let mut done = 0;
	for kill in 0..200 {
		let mut writer = Command::new(std::env::current_exe().expect("this is a program"))
			.args(["--exact", "writer", "--ignored", "--nocapture"])
			.env(PATH, &path)
			.stdout(Stdio::piped())
			.stderr(Stdio::null())
			.spawn()
			.expect("this program can be run");
		let output = BufReader::new(writer.stdout.take().expect("the output is piped"));
		let reader = std::thread::spawn(move || {
			let numbers = output.lines().map_while(Result::ok).filter_map(|line| {
				line.split_once("committed ").and_then(|(_, number)| number.parse::<u64>().ok())
			});
			numbers.last()
		});
		std::thread::sleep(Duration::from_micros(rng.random_range(0..60_000)));
		writer.kill().expect("the writer is still running");
		writer.wait().expect("the writer was killed");
		let acknowledged = reader.join().expect("the output can be read").unwrap_or(done);

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

// SPDX-License-Identifier: Apache-2.0
//! Files that are torn, truncated, or changed in some bits, and opened twice.

use std::{panic::catch_unwind, path::Path, process::Command};

use content_fabric_okvs::{
	disk::{Condition, DiskConfig, DiskDatabase, DiskError, Verify},
	Database, Error, Transaction,
};
use rand::{rngs::StdRng, Rng, SeedableRng};

use crate::{
	commit, folder,
	kill::{run_and_kill, Commits},
	opened, read, transactions, Map,
};

/// Length of the header of a file, in bytes.
const HEADER: usize = 320;

/// Opens a file, with a verification, and reads all pairs.
fn open(config: DiskConfig, damage: &str) -> Result<(Condition, Map), String> {
	let opened = catch_unwind(|| {
		let database = DiskDatabase::open(config.verify(Verify::Always))?;
		Ok::<_, Error<DiskError>>((database.condition(), read(&database.begin_read()?)?))
	});
	opened.unwrap_or_else(|_| panic!("{damage}: panicked")).map_err(|error| error.to_string())
}

/// Opens a damaged file twice. The second time gives the same pairs or the same error, unless the
/// first time restored an earlier commit and says so.
fn open_twice(config: DiskConfig, damage: &str) -> Result<(Condition, u64), String> {
	let first = open(config.clone(), damage);
	let second = open(config, damage);
	match (first, second) {
		(Ok((condition, pairs)), Ok((again, same))) => {
			assert!(pairs == same, "{damage}: {condition:?}, then {again:?} with other pairs");
			// Closed cleanly by the first one.
			assert_eq!(again, Condition::Intact, "{damage}");
			Ok((condition, transactions(&pairs)))
		},
		(Err(error), Err(_)) => {
			assert!(!error.is_empty() && !error.contains('\n'), "{damage}: {error}");
			Err(error)
		},
		(Ok((condition, _)), Err(error)) => panic!("{damage}: {condition:?}, then {error}"),
		(Err(error), Ok((condition, _))) => panic!("{damage}: {error}, then {condition:?}"),
	}
}

#[derive(Debug, Default)]
struct Outcomes {
	unharmed: usize,
	restored: usize,
	earlier: usize,
	refused: usize,
	/// Number of those refused because `redb` panicked.
	panicked: usize,
}

impl Outcomes {
	/// Checks that nothing was lost without being reported.
	fn add(&mut self, opened: Result<(Condition, u64), String>, last: u64, damage: &str) {
		match opened {
			Ok((condition, found)) if found < last => {
				assert_ne!(condition, Condition::Intact, "{damage}: {found} of {last} commits");
				self.earlier += 1;
			},
			Ok((Condition::Intact, _)) => self.unharmed += 1,
			Ok(_) => self.restored += 1,
			Err(error) => {
				self.refused += 1;
				self.panicked += usize::from(error.contains("redb panicked"));
			},
		}
	}
}

const COMMITS: u64 = 30;

/// Damages a file that was closed cleanly.
fn damage_closed(quick_repair: bool) {
	let (directory, original) = folder();
	let config = |path: &Path| DiskConfig::new(path).quick_repair(quick_repair);
	let database = opened(config(&original));
	(1..=COMMITS).for_each(|number| commit(&database, number));
	database.close().expect("the file can be closed");
	let bytes = std::fs::read(&original).expect("the file is there");
	let damaged = directory.path().join("damaged");
	let mut rng = StdRng::seed_from_u64(2);
	let mut outcomes = Outcomes::default();
	let mut check = |bytes: &[u8], damage: &str| {
		std::fs::write(&damaged, bytes).expect("the file can be written");
		outcomes.add(open_twice(config(&damaged), damage), COMMITS, damage);
	};
	check(&bytes, "none");
	// Each byte of the header, and some of the pages.
	let anywhere: Vec<_> = (0..150).map(|_| rng.random_range(0..bytes.len())).collect();
	for at in (0..HEADER).chain(anywhere) {
		let mut bytes = bytes.clone();
		bytes[at] ^= rng.random_range(1..=255u8);
		check(&bytes, &format!("byte {at}"));
	}
	for _ in 0..40 {
		let mut bytes = bytes.clone();
		let at = rng.random_range(0..bytes.len() / 512) * 512;
		rng.fill(&mut bytes[at..at + 512]);
		check(&bytes, &format!("sector at {at}"));
		let len = rng.random_range(0..bytes.len());
		check(&bytes[..len], &format!("truncated to {len}"));
	}
	// Pages of zeros, some of which make `redb` panic.
	for at in (0..bytes.len()).step_by(4096) {
		let mut bytes = bytes.clone();
		bytes[at..at + 4096].fill(0);
		check(&bytes, &format!("page at {at}"));
	}
	check(&[], "empty");
	println!("quick repair {quick_repair}: {outcomes:?}");
	assert!(outcomes.unharmed > 0 && outcomes.refused > 100, "{outcomes:?}");
}

#[test]
fn damage_to_a_closed_file_is_reported() {
	damage_closed(false);
}

/// The error is all that a program has to print, also where `redb` panics.
#[test]
fn damage_prints_nothing() {
	let mut command = Command::new(std::env::current_exe().expect("this is a program"));
	command.args(["--exact", "damage::damage_to_a_closed_file_is_reported", "--nocapture"]);
	let output = command.output().expect("this program can be run");
	let printed = String::from_utf8_lossy(&output.stdout);
	assert!(output.status.success(), "{printed}");
	assert!(printed.contains("panicked: ") && !printed.contains("panicked: 0"), "{printed}");
	assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn damage_to_a_closed_file_with_quick_repair_is_reported() {
	damage_closed(true);
}

/// Damages a file that was not closed: opening fails, or gives a commit that is whole.
fn damage_killed(commits: Commits) -> Outcomes {
	let (directory, path) = folder();
	let damaged = directory.path().join("damaged");
	let mut rng = StdRng::seed_from_u64(5);
	let mut outcomes = Outcomes::default();
	// Some are killed before their first commit.
	let killed = (0..200).filter_map(|_| run_and_kill(&path, commits, &mut rng));
	let mut damaging = StdRng::seed_from_u64(6);
	for last in killed.take(3) {
		let bytes = std::fs::read(&path).expect("the file is there");
		let anywhere: Vec<_> = (0..30).map(|_| damaging.random_range(0..bytes.len())).collect();
		for at in (0..HEADER).step_by(5).chain(anywhere) {
			let mut bytes = bytes.clone();
			bytes[at] ^= damaging.random_range(1..=255u8);
			std::fs::write(&damaged, bytes).expect("the file can be written");
			let damage = format!("byte {at}");
			outcomes.add(open_twice(DiskConfig::new(&damaged), &damage), last, &damage);
		}
	}
	println!("{commits:?}: {outcomes:?}");
	outcomes
}

/// A damaged last commit cannot be told from one that was cut short.
#[test]
fn damage_after_a_kill_gives_no_part_of_a_commit() {
	let outcomes = damage_killed(Commits::Durable);
	assert!(outcomes.restored > outcomes.earlier, "{outcomes:?}");
}

/// The two phases of its commits make the difference known, but for some bytes of the header.
#[test]
fn damage_after_a_kill_is_reported_with_quick_repair() {
	let outcomes = damage_killed(Commits::QuickRepair);
	assert!(outcomes.restored + outcomes.refused > 20 * outcomes.earlier, "{outcomes:?}");
}

/// An explicit verification reports damage that opening has not looked for.
#[test]
fn a_verification_finds_damage() {
	let (_directory, path) = folder();
	let config = || DiskConfig::new(&path).verify(Verify::Never);
	let database = opened(config());
	let value = [0xab; 3000];
	for key in 0..200u8 {
		let set = database.transact(|transaction| transaction.set(&[key], &value));
		set.expect("the file can be written");
	}
	database.close().expect("the file can be closed");
	let mut database = opened(config());
	assert_eq!(database.verify().expect("the file is whole"), Condition::Intact);
	drop(database);
	let mut bytes = std::fs::read(&path).expect("the file is there");
	// One byte of each value, wherever there is a copy of it.
	let copies = (0..bytes.len() - value.len()).step_by(value.len() / 3);
	let copies: Vec<_> = copies.filter(|at| bytes[*at..].starts_with(&value[..1000])).collect();
	assert!(copies.len() > 200);
	copies.iter().for_each(|at| bytes[at + 500] = 0xac);
	std::fs::write(&path, bytes).expect("the file can be written");
	// It is not looked for.
	let mut database = opened(config());
	let error = database.verify().expect_err("the file is damaged").to_string();
	assert!(error.contains("pairs: the store is corrupted: "), "{error}");
	drop(database);
}

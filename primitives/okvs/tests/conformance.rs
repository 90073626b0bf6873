// SPDX-License-Identifier: Apache-2.0
//! The suite on all backends, and that it finds what is wrong.

mod common;

use common::{Chain, Disk, Memory};
use content_fabric_okvs::{
	conformance::{run, run_random, run_threads, Failure, Harness},
	memory::MemoryDatabase,
	Database, Durability, Error, Read, Transaction,
};
use rand::{rngs::StdRng, Rng, SeedableRng};

/// The cases of this crate, and the official tests about stores.
const CASES: usize = 32 + 11;

#[test]
fn what_is_derived_from_the_srfi_carries_its_license() {
	let license = include_str!("../LICENSE-SRFI");
	let official: serde_json::Value =
		serde_json::from_str(include_str!("../src/conformance/srfi167.json")).expect("is JSON");
	let copyright = official["copyright"].as_str().expect("the author is named");
	assert!(license.lines().any(|line| line == copyright), "{copyright}");
	assert!(license.contains("Permission is hereby granted, free of charge"));
	for (file, text) in [
		("src/conformance/srfi167.json", include_str!("../src/conformance/srfi167.json")),
		("tests/vectors/fdb_tuple.json", include_str!("vectors/fdb_tuple.json")),
		("tests/tuple.rs", include_str!("tuple.rs")),
		("README.md", include_str!("../README.md")),
	] {
		assert!(license.contains(&format!("- {file}: ")), "{file} is not named");
		assert!(text.contains("Amirouche Boubekki"), "{file} does not name the author");
		assert!(text.contains("LICENSE-SRFI"), "{file} does not name the license");
	}
}

#[test]
fn memory() {
	assert_eq!(run(&mut Memory::default()), Ok(CASES));
	assert_eq!(run_threads(&mut Memory::default()), Ok(()));
}

#[test]
fn disk() {
	for durability in [Durability::Commit, Durability::Close] {
		assert_eq!(run(&mut Disk::new(durability)), Ok(CASES));
		assert_eq!(run_threads(&mut Disk::new(durability)), Ok(()));
	}
}

#[test]
fn chain_state() {
	for blocks in [0.0, 1.0] {
		assert_eq!(run(&mut Chain::new(blocks)), Ok(CASES));
	}
}

#[test]
fn all_backends_agree_with_a_sorted_map() {
	fn agree(harness: &mut impl Harness, transactions: usize) {
		for seed in 0..20 {
			let mut rng = StdRng::seed_from_u64(seed);
			let random = |below| rng.random_range(0..below);
			let done = run_random(harness, transactions, random);
			done.unwrap_or_else(|failure| panic!("seed {seed}: {failure}"));
		}
	}
	agree(&mut Memory::default(), 250);
	agree(&mut Disk::new(Durability::Close), 150);
	agree(&mut Chain::new(0.8), 150);
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
	/// Loses what was committed.
	Commits,
	/// Has a key of its own.
	Foreign,
	/// Starts with what the last case has left.
	Reset,
}

struct Faulty(MemoryDatabase, Fault);

impl Harness for Faulty {
	type Database = MemoryDatabase;

	fn reset(&mut self) {
		if self.1 != Fault::Reset {
			self.0 = MemoryDatabase::default();
		}
	}

	fn with<R>(&mut self, run: impl FnOnce(&MemoryDatabase) -> R) -> R {
		match self.1 {
			Fault::Commits => self.0 = MemoryDatabase::default(),
			Fault::Foreign => {
				let set = self.0.transact(|transaction| transaction.set(b"\xff\xff", b""));
				set.expect("nothing can fail");
			},
			Fault::Reset => {},
		}
		run(&self.0)
	}
}

#[test]
fn the_suite_finds_faults() {
	for fault in [Fault::Commits, Fault::Foreign, Fault::Reset] {
		let failure = run(&mut Faulty(MemoryDatabase::default(), fault));
		let failure: Failure = failure.expect_err("the store is faulty");
		assert!(failure.problem.starts_with("found "), "{fault:?}: {failure}");
	}
}

#[test]
fn a_closure_that_panics_is_rolled_back() {
	let database = MemoryDatabase::default();
	let panicked = std::panic::catch_unwind(|| {
		database.transact(|transaction| -> Result<(), Error<_>> {
			transaction.set(b"key", b"value")?;
			panic!("as it was to");
		})
	});
	assert!(panicked.is_err());
	assert_eq!(database.begin_read().expect("nothing can fail").get(b"key"), Ok(None));
	assert!(database.begin().is_ok());
}

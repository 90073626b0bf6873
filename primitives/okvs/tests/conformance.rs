// SPDX-License-Identifier: Apache-2.0
//! The suite on all backends, and that it finds what is wrong.

mod common;

use common::{Chain, Disk, Memory};
use content_fabric_okvs::{
	conformance::{run, run_threads, Failure, Harness},
	memory::MemoryDatabase,
	Database, Durability, Transaction,
};

/// The cases of this crate, and the official tests about stores.
const CASES: usize = 32 + 11;

#[test]
fn memory() {
	assert_eq!(run(&mut Memory::new()), Ok(CASES));
	assert_eq!(run_threads(&mut Memory::new()), Ok(200));
}

#[test]
fn disk() {
	assert_eq!(run(&mut Disk::new(Durability::Commit)), Ok(CASES));
	assert_eq!(run(&mut Disk::new(Durability::Close)), Ok(CASES));
	assert_eq!(run_threads(&mut Disk::new(Durability::Close)), Ok(200));
	assert_eq!(run_threads(&mut Disk::new(Durability::Commit)), Ok(200));
}

#[test]
fn chain_state_in_one_block() {
	assert_eq!(run(&mut Chain::new(false)), Ok(CASES));
}

#[test]
fn chain_state_in_many_blocks() {
	assert_eq!(run(&mut Chain::new(true)), Ok(CASES));
}

/// A fault of a backend.
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

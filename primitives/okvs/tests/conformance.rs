// SPDX-License-Identifier: Apache-2.0
//! The suite on all backends, and that it finds what is wrong.

mod common;

use std::{
	convert::Infallible,
	sync::atomic::{AtomicBool, Ordering},
};

use common::{Chain, Disk, Memory};
use content_fabric_okvs::{
	conformance::{run, run_threads, Failure, Harness},
	memory::{MemoryDatabase, MemoryRange, MemorySnapshot, MemoryTransaction},
	BeginOptions, CloseOptions, CommitOptions, Database, Durability, Error, RangeOptions, Read,
	RollbackOptions, Transaction,
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
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Fault {
	#[default]
	None,
	/// Ignores ranges that were removed.
	Ranges,
	/// Takes empty values for absent ones.
	EmptyValues,
	/// Lets a second transaction begin.
	Lock,
	/// Does not apply commits.
	Commits,
	/// Takes the end of a range for part of it.
	Ends,
	/// Ignores offsets.
	Offsets,
}

/// A database in memory, with a fault.
#[derive(Default)]
struct Faulty {
	database: MemoryDatabase,
	/// A second transaction begins here, which it must not.
	second: MemoryDatabase,
	open: AtomicBool,
	fault: Fault,
}

struct FaultySnapshot(MemorySnapshot, Fault);

struct FaultyTransaction<'db>(
	MemoryTransaction<'db>,
	&'db Faulty,
	#[expect(dead_code, reason = "is dropped")] Open<'db>,
);

/// Notes the end of a transaction when it is dropped.
struct Open<'db>(&'db AtomicBool);

impl Drop for Open<'_> {
	fn drop(&mut self) {
		self.0.store(false, Ordering::SeqCst);
	}
}

/// Reads with the fault that the expression gives.
macro_rules! reads {
	($reader:ty, $self:ident, $fault:expr) => {
		impl Read for $reader {
			type Error = Infallible;
			type Bytes<'a>
				= &'a [u8]
			where
				Self: 'a;
			type Range<'a>
				= MemoryRange<'a>
			where
				Self: 'a;

			fn get(&self, key: &[u8]) -> Result<Option<&[u8]>, Error<Infallible>> {
				self.0.get(key)
			}

			fn range_between(
				&$self,
				start: &[u8],
				end: Option<&[u8]>,
				mut options: RangeOptions,
			) -> Result<MemoryRange<'_>, Error<Infallible>> {
				if $fault == Fault::Offsets {
					options.offset = 0;
				}
				let after = end.map(|end| [end, &[0]].concat());
				let end = if $fault == Fault::Ends { after.as_deref() } else { end };
				$self.0.range_between(start, end, options)
			}
		}
	};
}

reads!(FaultySnapshot, self, self.1);
reads!(FaultyTransaction<'_>, self, self.1.fault);

impl Transaction for FaultyTransaction<'_> {
	fn set(&mut self, key: &[u8], value: &[u8]) -> Result<(), Error<Infallible>> {
		match value {
			[] if self.1.fault == Fault::EmptyValues => self.0.clear(key),
			value => self.0.set(key, value),
		}
	}

	fn remove(&mut self, key: &[u8]) -> Result<bool, Error<Infallible>> {
		self.0.remove(key)
	}

	fn clear(&mut self, key: &[u8]) -> Result<(), Error<Infallible>> {
		self.0.clear(key)
	}

	fn remove_range(&mut self, start: &[u8], end: Option<&[u8]>) -> Result<(), Error<Infallible>> {
		match self.1.fault {
			Fault::Ranges => Ok(()),
			_ => self.0.remove_range(start, end),
		}
	}

	fn commit_with(self, _options: CommitOptions) -> Result<(), Error<Infallible>> {
		match self.1.fault {
			Fault::Commits => self.0.rollback(),
			_ => self.0.commit(),
		}
	}

	fn rollback_with(self, _options: RollbackOptions) -> Result<(), Error<Infallible>> {
		Ok(())
	}
}
impl Database for Faulty {
	type Config = Fault;
	type Error = Infallible;
	type Snapshot<'db> = FaultySnapshot;
	type Transaction<'db> = FaultyTransaction<'db>;

	const CONCURRENT_SNAPSHOTS: bool = true;
	const WAITS: bool = true;

	fn open(fault: Fault) -> Result<Self, Error<Infallible>> {
		Ok(Self { fault, ..Self::default() })
	}

	fn close_with(self, _options: CloseOptions) -> Result<(), Error<Infallible>> {
		Ok(())
	}

	fn begin_with(
		&self,
		options: BeginOptions,
	) -> Result<FaultyTransaction<'_>, Error<Infallible>> {
		let second = self.fault == Fault::Lock && self.open.swap(true, Ordering::SeqCst);
		let database = if second { &self.second } else { &self.database };
		Ok(FaultyTransaction(database.begin_with(options)?, self, Open(&self.open)))
	}

	fn begin_read(&self) -> Result<FaultySnapshot, Error<Infallible>> {
		Ok(FaultySnapshot(self.database.begin_read()?, self.fault))
	}
}

impl Harness for Faulty {
	type Database = Self;

	fn reset(&mut self) {
		*self = Self::open(self.fault).expect("nothing can fail");
	}

	fn with<R>(&mut self, run: impl FnOnce(&Self) -> R) -> R {
		run(self)
	}
}

#[test]
fn the_suite_finds_faults() {
	let faulty = |fault| Faulty::open(fault).expect("nothing can fail");
	assert_eq!(run(&mut faulty(Fault::None)), Ok(CASES));
	assert_eq!(run_threads(&mut faulty(Fault::None)), Ok(200));
	assert!(run_threads(&mut faulty(Fault::Lock)).is_err());
	for (fault, case) in [
		(Fault::Ranges, "the empty key and the empty value"),
		(Fault::EmptyValues, "the empty key and the empty value"),
		(Fault::Commits, "the empty key and the empty value"),
		(Fault::Ends, "a transaction reads what it has written"),
		(Fault::Offsets, "a transaction reads what it has written"),
	] {
		let failure: Failure = run(&mut faulty(fault)).expect_err("the store is faulty");
		assert_eq!(failure.case, case, "{fault:?}: {failure}");
	}
}

//! The suite on all backends, and that it finds what is wrong.

mod common;

use common::{Chain, Disk, Memory};
use content_fabric_okvs::{
	conformance::{run, Failure, Harness},
	disk::Durability,
	memory::{MemoryDatabase, MemorySnapshot},
	overlay::{Overlay, Store, StoreTransaction},
	Database, Error,
};

/// The cases of this crate, and the official tests about stores.
const CASES: usize = 30 + 11;

#[test]
fn memory() {
	assert_eq!(run(&mut Memory::new()), Ok(CASES));
}

#[test]
fn disk() {
	assert_eq!(run(&mut Disk::new(Durability::Commit)), Ok(CASES));
	assert_eq!(run(&mut Disk::new(Durability::Close)), Ok(CASES));
}

#[test]
fn chain_state_in_one_block() {
	assert_eq!(run(&mut Chain::new(false)), Ok(CASES));
}

#[test]
fn chain_state_in_many_blocks() {
	assert_eq!(run(&mut Chain::new(true)), Ok(CASES));
}

/// A store that goes wrong in one way.
#[derive(Default)]
struct Faulty {
	store: MemoryDatabase,
	fault: Fault,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Fault {
	#[default]
	None,
	/// Forgets ranges that were removed.
	Ranges,
	/// Takes empty values for absent ones.
	EmptyValues,
	/// Lets a second transaction begin.
	Lock,
	/// Does not apply what is committed.
	Commits,
}

impl Store for Faulty {
	type Error = core::convert::Infallible;
	type Snapshot = MemorySnapshot;

	fn lock(&self) -> bool {
		self.store.lock() || self.fault == Fault::Lock
	}

	fn unlock(&self) {
		self.store.unlock();
	}

	fn snapshot(&self) -> Result<MemorySnapshot, Error<Self::Error>> {
		self.store.snapshot()
	}

	fn apply(&self, mut batch: Overlay) -> Result<(), Error<Self::Error>> {
		match self.fault {
			Fault::None | Fault::Lock => {},
			Fault::Ranges => batch.removed = Default::default(),
			Fault::EmptyValues => batch.entries.values_mut().for_each(|value| {
				*value = value.take().filter(|value| !value.is_empty());
			}),
			Fault::Commits => return Ok(()),
		}
		self.store.apply(batch)
	}
}

impl Database for Faulty {
	type Config = Fault;
	type Error = core::convert::Infallible;
	type Snapshot<'db> = MemorySnapshot;
	type Transaction<'db> = StoreTransaction<'db, 'db, Self>;

	const CONCURRENT_SNAPSHOTS: bool = true;

	fn open(fault: Fault) -> Result<Self, Error<Self::Error>> {
		Ok(Self { store: MemoryDatabase::default(), fault })
	}

	fn close(self) -> Result<(), Error<Self::Error>> {
		Ok(())
	}

	fn begin(&self) -> Result<Self::Transaction<'_>, Error<Self::Error>> {
		StoreTransaction::begin(self)
	}

	fn begin_read(&self) -> Result<MemorySnapshot, Error<Self::Error>> {
		self.snapshot()
	}
}

impl Harness for Faulty {
	type Database = Self;

	fn reset(&mut self) {
		self.store = MemoryDatabase::default();
	}

	fn with<R>(&mut self, run: impl FnOnce(&Self) -> R) -> R {
		run(self)
	}
}

#[test]
fn the_suite_finds_faults() {
	let outcome = |fault| run(&mut Faulty::open(fault).expect("nothing can fail"));
	assert_eq!(outcome(Fault::None), Ok(CASES));
	for (fault, case) in [
		(Fault::Ranges, "a key that is a prefix of others"),
		(Fault::EmptyValues, "the empty key and the empty value"),
		(Fault::Lock, "one transaction at a time"),
		(Fault::Commits, "the empty key and the empty value"),
	] {
		let failure: Failure = outcome(fault).expect_err("the store is faulty");
		assert_eq!(failure.case, case, "{fault:?}: {failure}");
	}
}

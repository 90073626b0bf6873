// SPDX-License-Identifier: Apache-2.0
//! The suite on all backends, and that it finds what is wrong.

mod common;

use std::{
	collections::BTreeMap,
	convert::Infallible,
	sync::{Arc, Mutex},
};

use common::{Chain, Disk, Memory};
use content_fabric_okvs::{
	conformance::{run, run_double_ended, run_threads, Failure, Harness},
	overlay::{Batch, Snapshot, Store, StoreTransaction, Transactions},
	BeginOptions, CloseOptions, CommitOptions, Database, DoubleEndedRead, Durability, Error,
	RangeOptions, Read,
};

/// The cases of this crate, and the official tests about stores.
const CASES: usize = 34 + 11;
/// Ranges that are read from both ends.
const RANGES: usize = 4 * (6 * 13 + 1);

#[test]
fn memory() {
	assert_eq!(run(&mut Memory::new()), Ok(CASES));
	assert_eq!(run_double_ended(&mut Memory::new()), Ok(RANGES));
	assert_eq!(run_threads(&mut Memory::new()), Ok(200));
}

#[test]
fn disk() {
	assert_eq!(run(&mut Disk::new(Durability::Commit)), Ok(CASES));
	assert_eq!(run(&mut Disk::new(Durability::Close)), Ok(CASES));
	assert_eq!(run_double_ended(&mut Disk::new(Durability::Close)), Ok(RANGES));
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

/// An outside backend: pairs of which each commit makes a copy. It goes wrong in one way.
#[derive(Clone, Default)]
struct Copied {
	pairs: Arc<Mutex<Arc<Pairs>>>,
	fault: Fault,
}

type Pairs = BTreeMap<Vec<u8>, Vec<u8>>;

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

struct Copy(Arc<Pairs>, Fault);

impl Read for Copy {
	type Error = Infallible;
	type Bytes<'a> = &'a [u8];
	type Range<'a> = std::vec::IntoIter<Result<(&'a [u8], &'a [u8]), Error<Infallible>>>;

	fn get(&self, key: &[u8]) -> Result<Option<&[u8]>, Error<Infallible>> {
		Ok(self.0.get(key).map(Vec::as_slice))
	}

	fn range_between(
		&self,
		start: &[u8],
		end: Option<&[u8]>,
		options: RangeOptions,
	) -> Result<Self::Range<'_>, Error<Infallible>> {
		let inside = |key: &[u8]| match end {
			Some(end) if self.1 == Fault::Ends => key >= start && key <= end,
			Some(end) => key >= start && key < end,
			None => key >= start,
		};
		let pairs = self.0.iter().filter(|(key, _)| inside(key));
		let mut pairs: Vec<_> =
			pairs.map(|(key, value)| Ok((key.as_slice(), value.as_slice()))).collect();
		if options.reverse {
			pairs.reverse();
		}
		let offset = if self.1 == Fault::Offsets { 0 } else { options.offset };
		let pairs = pairs.into_iter().skip(offset).take(options.limit);
		Ok(pairs.collect::<Vec<_>>().into_iter())
	}
}

impl DoubleEndedRead for Copy {}

impl Snapshot for Copy {
	fn lend<'a>(bytes: &'a [u8]) -> &'a [u8]
	where
		Self: 'a,
	{
		bytes
	}
}

impl Store for Copied {
	type Error = Infallible;
	type Snapshot<'s> = Copy;

	fn snapshot(&self) -> Result<Copy, Error<Infallible>> {
		let pairs = self.pairs.lock().expect("no thread panics").clone();
		Ok(Copy(pairs, self.fault))
	}

	fn apply(&self, batch: Batch, _options: CommitOptions) -> Result<(), Error<Infallible>> {
		if self.fault == Fault::Commits {
			return Ok(());
		}
		let mut pairs = self.pairs.lock().expect("no thread panics");
		let pairs = Arc::make_mut(&mut pairs);
		if self.fault != Fault::Ranges {
			for (start, end) in batch.removed_ranges() {
				pairs.retain(|key, _| {
					key.as_slice() < start || end.is_some_and(|end| key.as_slice() >= end)
				});
			}
		}
		for (key, value) in batch.entries() {
			match value {
				Some([]) if self.fault == Fault::EmptyValues => drop(pairs.remove(key)),
				Some(value) => drop(pairs.insert(key.to_vec(), value.to_vec())),
				None => drop(pairs.remove(key)),
			}
		}
		Ok(())
	}
}

struct Outside {
	transactions: Transactions<Copied>,
	/// Admits a second transaction, which it must not.
	second: Transactions<Copied>,
}

impl Database for Outside {
	type Config = Fault;
	type Error = Infallible;
	type Snapshot<'db> = Copy;
	type Transaction<'db> = StoreTransaction<'db, 'db, Copied>;

	const CONCURRENT_SNAPSHOTS: bool = true;
	const WAITS: bool = true;

	fn open(fault: Fault) -> Result<Self, Error<Infallible>> {
		let store = Copied { fault, ..Copied::default() };
		let (transactions, second) = (Transactions::new(store.clone()), Transactions::new(store));
		Ok(Self { transactions, second })
	}

	fn close_with(self, _options: CloseOptions) -> Result<(), Error<Infallible>> {
		Ok(())
	}

	fn begin_with(
		&self,
		options: BeginOptions,
	) -> Result<Self::Transaction<'_>, Error<Infallible>> {
		match self.transactions.begin(options) {
			Err(Error::Busy) if self.transactions.store().fault == Fault::Lock => {
				self.second.begin(options)
			},
			begun => begun,
		}
	}

	fn begin_read(&self) -> Result<Copy, Error<Infallible>> {
		self.transactions.store().snapshot()
	}
}

impl Harness for Outside {
	type Database = Self;

	fn reset(&mut self) {
		let fault = self.transactions.store().fault;
		*self = Self::open(fault).expect("nothing can fail");
	}

	fn with<R>(&mut self, run: impl FnOnce(&Self) -> R) -> R {
		run(self)
	}
}

#[test]
fn the_suite_finds_faults() {
	let outcome = |fault| run(&mut Outside::open(fault).expect("nothing can fail"));
	assert_eq!(outcome(Fault::None), Ok(CASES));
	let mut outside = Outside::open(Fault::None).expect("nothing can fail");
	assert_eq!(run_double_ended(&mut outside), Ok(RANGES));
	assert_eq!(run_threads(&mut outside), Ok(200));
	let mut two_writers = Outside::open(Fault::Lock).expect("nothing can fail");
	assert!(run_threads(&mut two_writers).is_err());
	for (fault, case) in [
		(Fault::Ranges, "a key that is a prefix of others"),
		(Fault::EmptyValues, "the empty key and the empty value"),
		(Fault::Lock, "one transaction at a time"),
		(Fault::Commits, "the empty key and the empty value"),
		(Fault::Ends, "a transaction reads what it has written"),
		(Fault::Offsets, "reverse, then offset, then limit"),
	] {
		let failure: Failure = outcome(fault).expect_err("the store is faulty");
		assert_eq!(failure.case, case, "{fault:?}: {failure}");
	}
}

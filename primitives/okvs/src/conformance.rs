// SPDX-License-Identifier: Apache-2.0
//! The suite that every backend passes.
//!
//! `cases.json` holds cases: steps within transactions and snapshots, with their expected results.
//! `srfi167.json` holds the official tests of SRFI 167. [`run`] plays both against a backend, each
//! case on an empty database. [`run_random`] plays random transactions. `run_threads`, with the
//! feature `std`, has several threads write at a time. `FailingDisk`, with the feature `disk`, is a
//! disk whose power is cut, for tests of what survives.
//!
//! ```
//! use content_fabric_okvs::{conformance::{run, Harness}, memory::MemoryDatabase};
//!
//! struct Memory(MemoryDatabase);
//!
//! impl Harness for Memory {
//!     type Database = MemoryDatabase;
//!
//!     fn reset(&mut self) {
//!         self.0 = MemoryDatabase::default();
//!     }
//!
//!     fn with<R>(&mut self, run: impl FnOnce(&MemoryDatabase) -> R) -> R {
//!         run(&self.0)
//!     }
//! }
//!
//! run(&mut Memory(MemoryDatabase::default()))?;
//! # Ok::<_, content_fabric_okvs::conformance::Failure>(())
//! ```

#[cfg(feature = "disk")]
mod power;
mod random;
#[cfg(feature = "std")]
mod threads;

use alloc::{
	format,
	string::{String, ToString},
	vec::Vec,
};
use core::{
	fmt,
	iter::FusedIterator,
	ops::{Bound, Deref},
	time::Duration,
};

use serde::{de::DeserializeOwned, Deserialize};

#[cfg(feature = "disk")]
pub use power::FailingDisk;
pub use random::run_random;
#[cfg(feature = "std")]
pub use threads::run_threads;

use crate::{
	BeginOptions, CommitOptions, Database, Durability, Error, Pair, RangeOptions, Read,
	Transaction, Wait,
};

/// A backend under test.
pub trait Harness {
	/// The backend.
	type Database: Database<Error: fmt::Display>;

	/// Empties the database, or replaces it by an empty one.
	fn reset(&mut self);

	/// Runs a part of a case. Between two parts nothing is open: here a backend may do what it does
	/// between transactions, such as ending a block.
	fn with<R>(&mut self, run: impl FnOnce(&Self::Database) -> R) -> R;
}

/// A case that a backend fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
	/// Name of the case.
	pub case: String,
	/// Place of the step: its number, counted from 0, then the number of the step within it, ...
	pub step: Vec<usize>,
	/// The difference from what was expected.
	pub problem: String,
}

impl fmt::Display for Failure {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		write!(f, "{}, step {:?}: {}", self.case, self.step, self.problem)
	}
}

impl core::error::Error for Failure {}

/// Plays all cases, and returns their number.
pub fn run<H: Harness>(harness: &mut H) -> Result<usize, Failure> {
	fn read<T: DeserializeOwned>(json: &str) -> T {
		serde_json::from_str(json).expect("the cases have this form; qed")
	}
	let mut cases: Vec<Case> = read(include_str!("conformance/cases.json"));
	cases.extend(read::<Official>(include_str!("conformance/srfi167.json")).cases);
	for case in &cases {
		harness.reset();
		let played = each(&case.steps, |step| harness.with(|database| at_database(database, step)));
		// Nothing is left open.
		let ended = played.and_then(|()| {
			harness.with(|database| {
				BEGINS
					.iter()
					.try_for_each(|options| Ok(database.begin_with(*options)?.rollback()?))
			})
		});
		ended.map_err(|failure| failure.in_case(&case.name))?;
	}
	Ok(cases.len())
}

/// Cases of others, in a file that also names their author and their license.
#[derive(Deserialize)]
struct Official {
	cases: Vec<Case>,
}

/// Steps from an empty database on.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
	name: String,
	steps: Vec<Step>,
}

/// An operation, and its expected result. An `end` that is left out is after all keys.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Step {
	/// Steps in a transaction.
	Transaction {
		steps: Vec<Step>,
		#[serde(default)]
		end: End,
	},
	/// Steps in a snapshot. Where snapshots and transactions exclude each other, the one that is
	/// within the other is refused.
	Snapshot {
		steps: Vec<Step>,
	},
	/// A second transaction in the same thread is refused, however long it would wait.
	Busy,
	Set(Hex, Hex),
	/// Removes a key, whose presence is read before.
	Remove(Hex),
	/// Removes a key that must have been there or not.
	Removed(Hex, bool),
	Clear(Hex),
	RemoveRange {
		start: Hex,
		end: Option<Hex>,
	},
	RemoveRangeLimited {
		start: Hex,
		end: Option<Hex>,
		limit: usize,
		count: usize,
		cursor: Option<Hex>,
	},
	RemovePrefix {
		prefix: Hex,
		limit: Option<usize>,
		count: usize,
		more: bool,
	},
	Get(Hex, Option<Hex>),
	Range {
		prefix: Hex,
		#[serde(default, with = "Select")]
		select: RangeOptions,
		pairs: Vec<(Hex, Hex)>,
	},
	Between {
		start: Hex,
		end: Option<Hex>,
		#[serde(default, with = "Select")]
		select: RangeOptions,
		pairs: Vec<(Hex, Hex)>,
	},
}

/// Bytes, in hexadecimal digits.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
struct Hex(#[serde(with = "hex")] Vec<u8>);

impl Deref for Hex {
	type Target = [u8];

	fn deref(&self) -> &[u8] {
		&self.0
	}
}

impl fmt::Debug for Hex {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.write_str(&hex::encode(&self.0))
	}
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum End {
	#[default]
	Commit,
	/// A commit that is durable when it returns.
	Durable,
	/// A commit that is durable when the database is closed.
	Close,
	Rollback,
	Drop,
	/// The end after a closure that returns `Ok`.
	Ok,
	/// The end after a closure that returns `Err`.
	Err,
}

/// Reads options; those that are left out are as by default.
#[derive(Deserialize)]
#[serde(remote = "RangeOptions", default = "RangeOptions::default", deny_unknown_fields)]
struct Select {
	reverse: bool,
	offset: usize,
	limit: usize,
}

impl Failure {
	fn new(problem: impl Into<String>) -> Self {
		Self { case: String::new(), step: Vec::new(), problem: problem.into() }
	}

	/// Adds the number of the step that is around the place.
	fn in_step(mut self, number: usize) -> Self {
		self.step.insert(0, number);
		self
	}

	fn in_case(self, case: &str) -> Self {
		Self { case: case.into(), ..self }
	}
}

impl<E: fmt::Display> From<Error<E>> for Failure {
	fn from(error: Error<E>) -> Self {
		Self::new(error.to_string())
	}
}

fn expect_eq<T: PartialEq + fmt::Debug>(found: T, expected: T) -> Result<(), Failure> {
	if found == expected {
		return Ok(());
	}
	Err(Failure::new(format!("found {found:?} instead of {expected:?}")))
}

fn expect_busy<T, E: fmt::Display>(begun: Result<T, Error<E>>) -> Result<(), Failure> {
	match begun {
		Err(Error::Busy) => Ok(()),
		Err(Error::Backend(error)) => Err(Failure::new(error.to_string())),
		Ok(_) => Err(Failure::new("began beside what it should exclude")),
	}
}

/// All ways to begin a transaction.
const BEGINS: [BeginOptions; 3] = [
	BeginOptions { wait: Wait::Forever },
	BeginOptions::now(),
	BeginOptions::within(Duration::from_secs(3600)),
];

/// Plays steps, and adds the number of the one that fails.
fn each<'s>(
	steps: &'s [Step],
	mut play: impl FnMut(&'s Step) -> Result<(), Failure>,
) -> Result<(), Failure> {
	let mut steps = steps.iter().enumerate();
	steps.try_for_each(|(number, step)| play(step).map_err(|failure| failure.in_step(number)))
}

/// Plays a transaction, and ends it in one of the ways that there are.
fn play_transaction<D: Database<Error: fmt::Display>>(
	database: &D,
	steps: &[Step],
	end: End,
) -> Result<(), Failure> {
	if let End::Ok | End::Err = end {
		let result = match end {
			End::Err => Err(Failure::new("the closure failed")),
			_ => Ok(()),
		};
		let done = database.transact(|transaction| {
			each(steps, |step| in_transaction(database, transaction, step))?;
			result.clone()
		});
		if done == result {
			return Ok(());
		}
		return done.and(Err(Failure::new("the error of the closure is gone")));
	}
	let mut transaction = database.begin_with(BeginOptions::default())?;
	each(steps, |step| in_transaction(database, &mut transaction, step))?;
	let commit = |durability| CommitOptions::default().durability(durability);
	match end {
		End::Commit => transaction.commit()?,
		End::Durable => transaction.commit_with(commit(Durability::Commit))?,
		End::Close => transaction.commit_with(commit(Durability::Close))?,
		End::Rollback => transaction.rollback()?,
		_ => drop(transaction),
	}
	Ok(())
}

/// Plays a step where nothing is open.
fn at_database<D: Database<Error: fmt::Display>>(database: &D, step: &Step) -> Result<(), Failure> {
	match step {
		Step::Transaction { steps, end } => play_transaction(database, steps, *end),
		Step::Snapshot { steps } => {
			let snapshot = database.begin_read()?;
			each(steps, |step| in_snapshot(database, &snapshot, step))
		},
		step => read(&database.begin_read()?, step),
	}
}

/// Plays a step in a snapshot, or beside it.
fn in_snapshot<D: Database<Error: fmt::Display>>(
	database: &D,
	snapshot: &D::Snapshot<'_>,
	step: &Step,
) -> Result<(), Failure> {
	match step {
		Step::Transaction { .. } if !D::CONCURRENT_SNAPSHOTS => {
			BEGINS.iter().try_for_each(|options| expect_busy(database.begin_with(*options)))
		},
		Step::Transaction { .. } | Step::Snapshot { .. } => at_database(database, step),
		step => read(snapshot, step),
	}
}

/// Plays a step in a transaction, or beside it.
fn in_transaction<D: Database<Error: fmt::Display>, T: Transaction<Error = D::Error>>(
	database: &D,
	transaction: &mut T,
	step: &Step,
) -> Result<(), Failure> {
	match step {
		Step::Snapshot { .. } if !D::CONCURRENT_SNAPSHOTS => expect_busy(database.begin_read()),
		Step::Snapshot { .. } => at_database(database, step),
		Step::Busy => BEGINS.iter().try_for_each(|options| {
			expect_busy(database.begin_with(*options))?;
			expect_busy(database.transact_with(*options, |_| Ok::<_, Error<_>>(())))
		}),
		Step::Set(key, value) => Ok(transaction.set(key, value)?),
		Step::Remove(key) => {
			let present = transaction.contains_key(key)?;
			expect_eq(transaction.remove(key)?, present)?;
			expect_eq(transaction.remove(key)?, false)
		},
		Step::Removed(key, present) => expect_eq(transaction.remove(key)?, *present),
		Step::Clear(key) => Ok(transaction.clear(key)?),
		Step::RemoveRange { start, end } => Ok(transaction.remove_range(start, end.as_deref())?),
		Step::RemoveRangeLimited { start, end, limit, count, cursor } => {
			let removed = transaction.remove_range_limited(start, end.as_deref(), *limit)?;
			expect_eq(removed.count, *count)?;
			expect_eq(removed.cursor.as_deref(), cursor.as_deref())
		},
		Step::RemovePrefix { prefix, limit, count, more } => {
			let removed = transaction.remove_prefix(prefix, limit.unwrap_or(usize::MAX))?;
			expect_eq((removed.count, removed.cursor.is_some()), (*count, *more))
		},
		step => read(transaction, step),
	}
}

fn read<R: Read<Error: fmt::Display>>(reader: &R, step: &Step) -> Result<(), Failure> {
	match step {
		Step::Get(key, value) => {
			let found = reader.get(key)?;
			expect_eq(found.as_deref(), value.as_deref())?;
			expect_eq(reader.contains_key(key)?, value.is_some())
		},
		Step::Range { prefix, select, pairs } => {
			expect_pairs(reader.range_with(prefix, *select)?, pairs)?;
			if *select != RangeOptions::default() {
				return Ok(());
			}
			expect_pairs(reader.range(prefix)?, pairs)?;
			if !prefix.is_empty() {
				return Ok(());
			}
			expect_eq(reader.len()?, pairs.len())?;
			expect_eq(reader.is_empty()?, pairs.is_empty())?;
			expect_eq(reader.first()?.map(owned), pairs.first().cloned())?;
			expect_eq(reader.last()?.map(owned), pairs.last().cloned())
		},
		Step::Between { start, end, select, pairs } => {
			let found = reader.range_between(start, end.as_deref(), *select)?;
			expect_pairs(found, pairs)?;
			// The same range by bounds: a key with a zero appended is the first one after the key.
			let start = match start.strip_suffix(&[0]) {
				Some(before) => Bound::Excluded(before),
				None => Bound::Included(&**start),
			};
			let end = match end.as_deref().map(|end| (end.strip_suffix(&[0]), end)) {
				Some((Some(last), _)) => Bound::Included(last),
				Some((None, end)) => Bound::Excluded(end),
				None => Bound::Unbounded,
			};
			expect_pairs(reader.range_in((start, end), *select)?, pairs)
		},
		step => Err(Failure::new(format!("{step:?} cannot stand here"))),
	}
}

fn owned<B: AsRef<[u8]>>((key, value): Pair<B>) -> Pair<Hex> {
	(Hex(key.as_ref().into()), Hex(value.as_ref().into()))
}

fn expect_pairs<B: AsRef<[u8]>, E: fmt::Display>(
	mut found: impl FusedIterator<Item = Result<Pair<B>, Error<E>>>,
	expected: &[Pair<Hex>],
) -> Result<(), Failure> {
	let pairs = found.by_ref().map(|pair| pair.map(owned)).collect::<Result<Vec<_>, _>>()?;
	expect_eq(pairs.as_slice(), expected)?;
	expect_eq(found.next().is_some(), false)
}

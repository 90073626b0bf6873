// SPDX-License-Identifier: Apache-2.0
//! The suite that every backend passes, as data.
//!
//! `cases.json` holds the cases: steps within transactions and snapshots, with their expected
//! results. `srfi167.json` holds the official tests of SRFI 167. [`run`] plays both against a
//! backend, each case on an empty database. `run_threads`, with the feature
//! `std`, has several threads write at a time. `FailingDisk`, with the feature
//! `disk`, is a disk whose power is cut, for tests of what survives.
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

mod cases;
#[cfg(feature = "disk")]
mod power;
#[cfg(feature = "std")]
mod threads;

use alloc::{
	format,
	string::{String, ToString},
	vec::Vec,
};
use core::{fmt, iter::FusedIterator};

use cases::{Edge, End, Hex, Step};
#[cfg(feature = "disk")]
pub use power::FailingDisk;
#[cfg(feature = "std")]
pub use threads::run_threads;

use crate::{CommitOptions, Database, Durability, Error, Pair, RangeOptions, Read, Transaction};

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
	/// Place of the step: its number, counted from 0, then that of the step within it, ...
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
	let cases = cases::all();
	for case in &cases {
		harness.reset();
		for (number, step) in case.steps.iter().enumerate() {
			let played = harness.with(|database| at_database(database, step));
			played.map_err(|mut problem| {
				problem.step.insert(0, number);
				Failure { case: case.name.clone(), step: problem.step, problem: problem.text }
			})?;
		}
		// Nothing is left open.
		let ended = harness.with(|database| {
			database.begin()?.rollback()?;
			database.begin()?.rollback_with(Default::default())
		});
		ended.map_err(|error| Failure {
			case: case.name.clone(),
			step: Vec::from([case.steps.len()]),
			problem: error.to_string(),
		})?;
	}
	Ok(cases.len())
}

/// A difference, and its place.
struct Problem {
	step: Vec<usize>,
	text: String,
}

impl Problem {
	fn new(text: String) -> Self {
		Self { step: Vec::new(), text }
	}
}

impl<E: fmt::Display> From<Error<E>> for Problem {
	fn from(error: Error<E>) -> Self {
		Self::new(error.to_string())
	}
}

fn expect_eq<T: PartialEq + fmt::Debug>(found: T, expected: T) -> Result<(), Problem> {
	if found == expected {
		return Ok(());
	}
	Err(Problem::new(format!("found {found:?} instead of {expected:?}")))
}

fn expect_busy<T, E: fmt::Display>(begun: Result<T, Error<E>>) -> Result<(), Problem> {
	match begun {
		Err(Error::Busy) => Ok(()),
		Err(Error::Backend(error)) => Err(Problem::new(error.to_string())),
		Ok(_) => Err(Problem::new("began beside what it should exclude".to_string())),
	}
}

/// Plays steps, and adds the number of the one that fails to its problem.
fn each<'s>(
	steps: &'s [Step],
	mut play: impl FnMut(&'s Step) -> Result<(), Problem>,
) -> Result<(), Problem> {
	for (number, step) in steps.iter().enumerate() {
		play(step).map_err(|mut problem| {
			problem.step.insert(0, number);
			problem
		})?;
	}
	Ok(())
}

/// The error by which a closure asks for its transaction to be rolled back.
enum Stop {
	Asked,
	Problem(Problem),
}

impl<E: fmt::Display> From<Error<E>> for Stop {
	fn from(error: Error<E>) -> Self {
		Self::Problem(error.into())
	}
}

fn durability(durability: Durability) -> CommitOptions {
	CommitOptions::default().durability(durability)
}

/// Plays a transaction, and ends it in one of the ways that there are.
fn play_transaction<D: Database<Error: fmt::Display>>(
	database: &D,
	steps: &[Step],
	end: End,
) -> Result<(), Problem> {
	if let End::Ok | End::Err = end {
		let done = database.transact(|transaction| {
			each(steps, |step| in_transaction(database, transaction, step))
				.map_err(Stop::Problem)?;
			match end {
				End::Err => Err(Stop::Asked),
				_ => Ok(()),
			}
		});
		return match (done, end) {
			(Ok(()), End::Ok) | (Err(Stop::Asked), End::Err) => Ok(()),
			(Err(Stop::Problem(problem)), _) => Err(problem),
			_ => Err(Problem::new("the result of the closure was changed".to_string())),
		};
	}
	let mut transaction = database.begin()?;
	each(steps, |step| in_transaction(database, &mut transaction, step))?;
	match end {
		End::Commit => transaction.commit()?,
		End::Durable => transaction.commit_with(durability(Durability::Commit))?,
		End::Close => transaction.commit_with(durability(Durability::Close))?,
		End::Rollback => transaction.rollback()?,
		_ => drop(transaction),
	}
	Ok(())
}

/// Plays a step where nothing is open.
fn at_database<D: Database<Error: fmt::Display>>(database: &D, step: &Step) -> Result<(), Problem> {
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
) -> Result<(), Problem> {
	match step {
		Step::Transaction { .. } if !D::CONCURRENT_SNAPSHOTS => expect_busy(database.begin()),
		Step::Transaction { .. } | Step::Snapshot { .. } => at_database(database, step),
		step => read(snapshot, step),
	}
}

/// Plays a step in a transaction, or beside it.
fn in_transaction<D: Database<Error: fmt::Display>, T: Transaction<Error = D::Error>>(
	database: &D,
	transaction: &mut T,
	step: &Step,
) -> Result<(), Problem> {
	match step {
		Step::Snapshot { .. } if !D::CONCURRENT_SNAPSHOTS => expect_busy(database.begin_read()),
		Step::Snapshot { .. } => at_database(database, step),
		// Where it waits, only another thread can begin a second one.
		Step::Busy if D::WAITS => Ok(()),
		Step::Busy => expect_busy(database.begin()),
		Step::Set(Hex(key), Hex(value)) => Ok(transaction.set(key, value)?),
		Step::Remove(Hex(key)) => {
			let present = transaction.contains_key(key)?;
			expect_eq(transaction.remove(key)?, present)?;
			expect_eq(transaction.remove(key)?, false)
		},
		Step::Removed(Hex(key), present) => expect_eq(transaction.remove(key)?, *present),
		Step::Clear(Hex(key)) => Ok(transaction.clear(key)?),
		Step::RemoveRange { start, end } => Ok(transaction.remove_range(&start.0, end.as_deref())?),
		Step::RemoveRangeLimited { start, end, limit, count, cursor } => {
			let removed = transaction.remove_range_limited(&start.0, end.as_deref(), *limit)?;
			expect_eq(removed.count, *count)?;
			expect_eq(removed.cursor.as_deref(), cursor.as_deref())
		},
		Step::RemovePrefix { prefix, limit, count, more } => {
			let limit = limit.unwrap_or(usize::MAX);
			let removed = transaction.remove_prefix(&prefix.0, limit)?;
			expect_eq((removed.count, removed.more()), (*count, *more))
		},
		step => read(transaction, step),
	}
}

/// Plays a step that reads.
fn read<R: Read<Error: fmt::Display>>(reader: &R, step: &Step) -> Result<(), Problem> {
	match step {
		Step::Get(Hex(key), value) => {
			let found = reader.get(key)?;
			expect_eq(found.as_deref(), value.as_deref())?;
			expect_eq(reader.contains_key(key)?, value.is_some())
		},
		Step::Range { prefix, select, pairs } => {
			expect_pairs(reader.range_with(&prefix.0, select.options())?, pairs)?;
			if select.options() != RangeOptions::default() {
				return Ok(());
			}
			expect_pairs(reader.range(&prefix.0)?, pairs)?;
			if !prefix.is_empty() {
				return Ok(());
			}
			let owned = |(key, value): Pair<R::Bytes<'_>>| (Hex::from(&*key), Hex::from(&*value));
			expect_eq(reader.len()?, pairs.len())?;
			expect_eq(reader.is_empty()?, pairs.is_empty())?;
			expect_eq(reader.first()?.map(owned), pairs.first().cloned())?;
			expect_eq(reader.last()?.map(owned), pairs.last().cloned())
		},
		Step::In { start, end, select, pairs } => {
			let keys = (Edge::bound(start), Edge::bound(end));
			expect_pairs(reader.range_in(keys, select.options())?, pairs)
		},
		Step::Between { start, end, select, pairs } => {
			let found = reader.range_between(&start.0, end.as_deref(), select.options())?;
			expect_pairs(found, pairs)
		},
		step => Err(Problem::new(format!("{step:?} cannot stand here"))),
	}
}

fn expect_pairs<B: AsRef<[u8]>, E: fmt::Display>(
	mut found: impl FusedIterator<Item = Result<(B, B), Error<E>>>,
	expected: &[(Hex, Hex)],
) -> Result<(), Problem> {
	let owned = |(key, value): (B, B)| (key.as_ref().into(), value.as_ref().into());
	let pairs = found.by_ref().map(|pair| pair.map(owned));
	let pairs = pairs.collect::<Result<Vec<(Hex, Hex)>, _>>()?;
	expect_eq(pairs.as_slice(), expected)?;
	expect_eq(found.next().is_some(), false)
}

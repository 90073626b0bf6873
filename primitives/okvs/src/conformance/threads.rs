// SPDX-License-Identifier: Apache-2.0
//! Writers of several threads.

use std::{
	string::ToString,
	sync::atomic::{AtomicUsize, Ordering},
	thread,
	time::Duration,
	vec::Vec,
};

use super::{expect_eq, Failure, Harness, Problem};
use crate::{Database, Read, Transaction};

const THREADS: usize = 4;
const COMMITS: u64 = 50;

/// Has several threads write at a time, which must wait for each other. Returns the number of
/// commits.
///
/// For backends whose [`begin`](Database::begin) waits.
pub fn run_threads<H>(harness: &mut H) -> Result<u64, Failure>
where
	H: Harness<Database: Database<Error: Send> + Sync>,
{
	harness.reset();
	let played = harness.with(|database| {
		count(database)?;
		wait(database)?;
		database
			.begin_read()?
			.get(b"count")?
			.map(|value| number(&value))
			.ok_or_else(|| Problem::new("the count is missing".to_string()))
	});
	played.map_err(|problem| Failure {
		case: "several threads".to_string(),
		step: problem.step,
		problem: problem.text,
	})
}

fn number(value: &[u8]) -> u64 {
	value.iter().fold(0, |number, byte| (number << 8) | u64::from(*byte))
}

/// Each thread adds to one number. No addition may be lost.
fn count<D: Database<Error: core::fmt::Display + Send> + Sync>(
	database: &D,
) -> Result<(), Problem> {
	let add = || {
		(0..COMMITS).try_for_each(|_| {
			let mut transaction = database.begin()?;
			let count = transaction.get(b"count")?.map_or(0, |value| number(&value));
			thread::yield_now();
			transaction.set(b"count", &(count + 1).to_be_bytes())?;
			transaction.commit()
		})
	};
	let added: Vec<_> = thread::scope(|scope| {
		let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(add)).collect();
		threads.into_iter().map(|thread| thread.join()).collect()
	});
	for added in added {
		added.map_err(|_| Problem::new("a writer panicked".to_string()))??;
	}
	let snapshot = database.begin_read()?;
	let count = snapshot.get(b"count")?.map(|value| number(&value));
	expect_eq(count, Some(COMMITS * THREADS as u64))
}

/// A thread waits until a transaction ends, in either way, and does not begin before.
fn wait<D: Database<Error: core::fmt::Display + Send> + Sync>(database: &D) -> Result<(), Problem> {
	for commit in [true, false] {
		let begun = AtomicUsize::new(0);
		let transaction = database.begin()?;
		thread::scope(|scope| {
			let waiting = scope.spawn(|| {
				let transaction = database.begin()?;
				begun.fetch_add(1, Ordering::SeqCst);
				transaction.rollback()
			});
			thread::sleep(Duration::from_millis(20));
			expect_eq(begun.load(Ordering::SeqCst), 0)?;
			match commit {
				true => transaction.commit()?,
				false => transaction.rollback()?,
			}
			let ended = waiting.join();
			ended.map_err(|_| Problem::new("a writer panicked".to_string()))??;
			expect_eq(begun.load(Ordering::SeqCst), 1)
		})?;
	}
	Ok(())
}

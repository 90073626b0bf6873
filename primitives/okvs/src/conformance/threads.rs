// SPDX-License-Identifier: Apache-2.0
//! Writers of several threads.

use core::fmt::Display;
use std::{
	sync::atomic::{AtomicBool, Ordering},
	thread::{self, ScopedJoinHandle},
	time::{Duration, Instant},
	vec::Vec,
};

use super::{expect_busy, expect_eq, Failure, Harness};
use crate::{BeginOptions, Database, Error, Read, Transaction};

const THREADS: usize = 4;
const COMMITS: usize = 50;

/// Checks that concurrent writers wait for each other as their options say.
///
/// For backends whose [`begin`](Database::begin) waits.
pub fn run_threads<H>(harness: &mut H) -> Result<(), Failure>
where
	H: Harness<Database: Database<Error: Send> + Sync>,
{
	harness.reset();
	let played = harness.with(|database| {
		count(database)?;
		wait(database)?;
		limits(database)
	});
	played.map_err(|failure| failure.in_case("several threads"))
}

fn join<E: Display>(thread: ScopedJoinHandle<'_, Result<(), Error<E>>>) -> Result<(), Failure> {
	Ok(thread.join().map_err(|_| Failure::new("a writer panicked"))??)
}

/// Each commit sets the key after those that are there. Two that were made at once would set one.
fn count<D: Database<Error: Display + Send> + Sync>(database: &D) -> Result<(), Failure> {
	let add = || {
		(0..COMMITS).try_for_each(|_| {
			let mut transaction = database.begin()?;
			let count = transaction.len()?;
			thread::yield_now();
			transaction.set(&count.to_be_bytes(), b"")?;
			transaction.commit()
		})
	};
	thread::scope(|scope| {
		let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(add)).collect();
		threads.into_iter().try_for_each(join)
	})?;
	expect_eq(database.begin_read()?.len()?, THREADS * COMMITS)
}

/// A thread waits until a transaction ends, in either way, and does not begin before.
fn wait<D: Database<Error: Display + Send> + Sync>(database: &D) -> Result<(), Failure> {
	for commit in [true, false] {
		let begun = AtomicBool::new(false);
		let transaction = database.begin()?;
		thread::scope(|scope| {
			let waiting = scope.spawn(|| {
				let transaction = database.begin()?;
				begun.store(true, Ordering::SeqCst);
				transaction.rollback()
			});
			thread::sleep(Duration::from_millis(20));
			expect_eq(begun.load(Ordering::SeqCst), false)?;
			match commit {
				true => transaction.commit()?,
				false => transaction.rollback()?,
			}
			join(waiting)?;
			expect_eq(begun.load(Ordering::SeqCst), true)
		})?;
	}
	Ok(())
}

/// Checks that other threads cannot begin a transaction within their limits while one is open.
fn limits<D: Database<Error: Display + Send> + Sync>(database: &D) -> Result<(), Failure> {
	const LIMIT: Duration = Duration::from_millis(20);
	let transaction = database.begin()?;
	thread::scope(|scope| {
		let refused = scope.spawn(|| {
			expect_busy(database.begin_with(BeginOptions::now()))?;
			let start = Instant::now();
			expect_busy(database.begin_with(BeginOptions::within(LIMIT)))?;
			expect_eq(start.elapsed() >= LIMIT, true)
		});
		refused.join().map_err(|_| Failure::new("a writer panicked"))??;
		// Those that have given up leave nothing behind, and a limit that is not over is no error.
		let waiting = [Duration::from_secs(3600), Duration::MAX].map(|limit| {
			scope.spawn(move || database.begin_with(BeginOptions::within(limit))?.rollback())
		});
		thread::sleep(LIMIT);
		transaction.commit()?;
		waiting.into_iter().try_for_each(join)
	})?;
	Ok(database.begin_with(BeginOptions::now())?.rollback()?)
}

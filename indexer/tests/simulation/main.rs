// SPDX-License-Identifier: Apache-2.0
//! The index follows simulated chains, and always equals the storage of the pallet.
//!
//! A seed decides all of a run: the chain with its calls and upgrades, the faults of the node, and
//! the writes at which the process dies. `SEEDS=1000` runs that many seeds. `SEED=7` runs one and
//! prints its steps, with `--nocapture` even if it succeeds.

mod anew;
mod chain;
mod check;
mod coverage;
mod disk;
mod fabric;
mod idle;
mod keys;
mod pallet;
mod run;
mod source;

use std::{
	env,
	panic::{catch_unwind, AssertUnwindSafe},
	sync::{
		atomic::{AtomicU64, Ordering},
		Mutex,
	},
	thread,
};

use coverage::Coverage;

/// Number of seeds, unless another one is asked for.
const SEEDS: u64 = 24;

/// Runs a seed. Fails with the way to run it again.
fn run(seed: u64, is_traced: bool) -> Result<Coverage, String> {
	let result = catch_unwind(AssertUnwindSafe(|| run::run(seed, is_traced)));
	let result = result.unwrap_or_else(|_| Err("panicked".into()));
	result.map_err(|reason| {
		format!(
			"seed {seed}: {reason}\nrun it again with `SEED={seed} cargo test -p \
			 content-fabric-indexer --test simulation equals_the_pallet`"
		)
	})
}

fn number(name: &str) -> Option<u64> {
	env::var(name).ok().map(|value| value.parse().expect("the variable is a number"))
}

#[test]
fn the_index_equals_the_pallet() {
	if let Some(seed) = number("SEED") {
		run(seed, true).unwrap_or_else(|reason| panic!("{reason}"));
		return;
	}
	let seeds = number("SEEDS").unwrap_or(SEEDS);
	let (next, total) = (AtomicU64::new(0), Mutex::new(Coverage::default()));
	let threads = thread::available_parallelism().map_or(1, usize::from);
	thread::scope(|scope| {
		for _ in 0..threads {
			scope.spawn(|| loop {
				let seed = next.fetch_add(1, Ordering::Relaxed);
				if seed >= seeds {
					return;
				}
				let coverage = run(seed, false).unwrap_or_else(|reason| panic!("{reason}"));
				total.lock().expect("no other thread has failed").join(coverage);
			});
		}
	});
	total.into_inner().expect("no thread has failed").check(seeds);
}

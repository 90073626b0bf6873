// SPDX-License-Identifier: Apache-2.0
//! Random blocks of this runtime.
//!
//! A sequence is a list of steps: extrinsics that are signed and applied as in a block, ends of
//! blocks, and days that pass. Extrinsics reach each kind of origin: accounts, multisigs, proxies
//! and derived accounts; the council by its motions; root by sudo and by the council. Everything is
//! executed twice, natively and in WASM, each on a state in a trie of its own. These properties
//! must hold:
//!
//! - both executions agree on the outcome of each extrinsic and on the header of each block, and so
//!   on its state root; neither panics or traps;
//! - the invariants of the fabric hold after each block, the issuance is the sum of all balances,
//!   and what is on hold is reserved;
//! - a call weighs no more after its dispatch than before, and a block no more than it may;
//! - an extrinsic that fails changes nothing but the fee;
//! - purges end;
//! - in a campaign: the WASM takes no longer than the weight.
//!
//! The inputs in `corpus` are replayed, and then random ones are run for a while. Environment
//! variables change that:
//!
//! | variable | |
//! | --- | --- |
//! | `RUNTIME_FUZZ_SECONDS` | time for new sequences, 45 by default |
//! | `RUNTIME_FUZZ_CALLS` | number of calls after which it ends, even if time is left |
//! | `RUNTIME_FUZZ_SEED` | the seed that a finding names |
//! | `RUNTIME_FUZZ_THREADS` | number of threads, 2 by default |
//! | `RUNTIME_FUZZ_TIME` | if set, compares times with weights |
//! | `RUNTIME_FUZZ_NATIVE` | if set, runs without the WASM |
//! | `RUNTIME_FUZZ_INPUT` | a file: replays it alone, and prints what it does |
//! | `RUNTIME_FUZZ_KEEP` | a folder for sequences that reach new outcomes |

mod accounts;
mod campaign;
mod checks;
mod execution;
mod fabric;
mod genesis;
#[path = "../shared/motions.rs"]
mod motions;
mod nesting;
mod others;
#[path = "../shared/start.rs"]
mod start;
mod steps;
mod table;
#[path = "../shared/transactions.rs"]
mod transactions;
mod world;
#[path = "../shared/wrappers.rs"]
mod wrappers;

use std::{env, fs, path::Path};

use campaign::{check, random, setup, try_run, with_deep_stack, Settings};
use table::Table;

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fuzz/corpus");

/// Calls after which each call of the fabric must have succeeded.
const MANY: u64 = 20_000;

/// Returns whether a single input is asked for.
fn is_single() -> bool {
	campaign::is_set("RUNTIME_FUZZ_INPUT")
}

#[test]
fn inputs_of_the_corpus_find_nothing() {
	let setup = setup();
	let mut table = Table::default();
	with_deep_stack(|| {
		if let Some(path) = env::var_os("RUNTIME_FUZZ_INPUT") {
			let input = fs::read(&path).expect("RUNTIME_FUZZ_INPUT names a file");
			let mut log = Vec::new();
			let result = try_run(&setup, &input, &mut table, Some(&mut log));
			println!("{}\n{table}", log.join("\n"));
			assert!(result.is_ok(), "{result:?}");
			return;
		}
		let files = fs::read_dir(Path::new(CORPUS)).expect("there is a corpus");
		let mut paths: Vec<_> = files.map(|file| file.expect("it can be read").path()).collect();
		paths.sort();
		for path in paths {
			let input = fs::read(&path).expect("it can be read");
			check(&setup, &input, &path.display().to_string(), &mut table);
		}
		let never = table.never_succeeded();
		assert!(never.is_empty(), "{never:?} never succeeded: {table}");
	});
	println!("corpus: {} calls in {} sequences", table.calls, table.sequences);
}

#[test]
fn random_sequences_find_nothing() {
	if is_single() {
		println!("skipped: a single input is asked for");
		return;
	}
	let table = random(&setup(), &Settings::from_env());
	let never = table.never_succeeded();
	assert!(table.calls < MANY || never.is_empty(), "{never:?} never succeeded");
}

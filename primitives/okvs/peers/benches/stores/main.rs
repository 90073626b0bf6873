// SPDX-License-Identifier: Apache-2.0
//! The stores beside what they are built on and beside other stores: on the same pairs, in turns,
//! in the same run. Prints tables in Markdown.
//!
//! Arguments select the kinds of store: `memory`, `disk`, `chain`. The default is all of them.
//! `OKVS_PAIRS` sets the numbers of pairs, such as `1000,10000000`. `OKVS_RUNS` sets how often all
//! stores are made anew, and `OKVS_ROUNDS` how often each store has its turn then.

mod chain;
mod disk;
mod memory;
mod ours;
mod pairs;
mod store;
mod table;

use std::env;

use table::Table;

/// Measures all rows at one size, in the run of this number.
type Run = fn(&mut Table, u32, u32);

fn numbers(name: &str, default: &[u32]) -> Vec<u32> {
	let Ok(text) = env::var(name) else { return default.to_vec() };
	let parsed: Result<_, _> = text.split(',').map(|number| number.trim().parse()).collect();
	parsed.unwrap_or_else(|error| panic!("{name} has numbers with commas between them: {error}"))
}

fn main() {
	let sizes = numbers("OKVS_PAIRS", &[1_000, 10_000, 100_000, 1_000_000]);
	let [rounds] = numbers("OKVS_ROUNDS", &[200])[..] else { panic!("OKVS_ROUNDS is one number") };
	let [runs] = numbers("OKVS_RUNS", &[6])[..] else { panic!("OKVS_RUNS is one number") };
	// Cargo adds options of its own.
	let selected: Vec<_> = env::args().skip(1).filter(|name| !name.starts_with('-')).collect();
	let kinds: [(_, _, Run); 3] = [
		("memory", "In memory", memory::run),
		("disk", "On disk", disk::run),
		("chain", "In chain state", chain::run),
	];
	for (name, title, run) in kinds {
		if !selected.is_empty() && !selected.iter().any(|selected| selected == name) {
			continue;
		}
		let mut table = Table::new(title, &sizes, rounds as usize);
		for number in 0..runs {
			for &size in &sizes {
				run(&mut table, size, number);
			}
		}
		table.print();
	}
}

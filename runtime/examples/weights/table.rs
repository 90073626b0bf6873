// SPDX-License-Identifier: Apache-2.0
//! Compares what was measured with the weights.

use std::{collections::BTreeMap, error::Error, time::Duration};

use frame_support::weights::{constants::WEIGHT_REF_TIME_PER_NANOS, Weight};

/// The smallest ratio that needs no reason.
const LEAST_RATIO: f64 = 0.2;

/// The measurements of a call, and its weight.
#[derive(Clone, Copy)]
pub struct Measured {
	/// Its time with a database whose files were not in memory.
	pub from_disk: Option<Duration>,
	/// Its time with a database whose files were in the memory of the operating system.
	pub from_memory: Duration,
	pub proof: u64,
	pub weight: Weight,
}

type Ratio = fn(&Measured) -> Option<f64>;

/// A part of a weight that is compared.
#[derive(Clone, Copy)]
struct Part {
	name: &'static str,
	ratio: Ratio,
	/// True if it must not be above 1.
	is_limited: bool,
}

const FROM_MEMORY: Part = Part {
	name: "time, files in memory",
	ratio: |it| it.time_ratio(Some(it.from_memory)),
	is_limited: true,
};
/// The weights do not cover a node whose database has not been read yet: see `docs/benchmarks.md`.
const FROM_DISK: Part = Part {
	name: "time, files on the disk",
	ratio: |it| it.time_ratio(it.from_disk),
	is_limited: false,
};
const PROOF: Part = Part {
	name: "proof",
	ratio: |it| Some(it.proof as f64 / it.weight.proof_size() as f64),
	is_limited: true,
};

/// Calls that may take less than a fifth of their weight, and the reasons.
const LOW: [(&str, &str); 2] = [
	("reap", "rows of one member lie side by side, and share reads of the trie"),
	("revoke_admissions", "admissions to one space lie side by side"),
];

impl Measured {
	fn time_ratio(&self, time: Option<Duration>) -> Option<f64> {
		Some(time?.as_secs_f64() / claimed_time(self.weight).as_secs_f64())
	}
}

fn claimed_time(weight: Weight) -> Duration {
	Duration::from_nanos(weight.ref_time() / WEIGHT_REF_TIME_PER_NANOS)
}

/// The measurements, by the name and the variant of a call, and the number of rows.
#[derive(Default)]
pub struct Table {
	names: Vec<(String, String)>,
	measured: BTreeMap<(String, String), BTreeMap<u32, Vec<Measured>>>,
}

impl Table {
	pub fn add(&mut self, name: &str, variant: &str, rows: u32, measured: Measured) {
		let row = (name.to_string(), variant.to_string());
		if !self.measured.contains_key(&row) {
			self.names.push(row.clone());
		}
		self.measured.entry(row).or_default().entry(rows).or_default().push(measured);
	}

	pub fn has(&self, name: &str) -> bool {
		self.names.iter().any(|(found, _)| found == name)
	}

	/// Prints a table of times and one of proofs. Each call has a line with its weight and its
	/// ratio in each state: the largest one if it was measured under several members.
	pub fn print(&self, sizes: &[u32]) {
		let time = |weight| format!("{} µs", claimed_time(weight).as_micros());
		self.print_part(sizes, &[FROM_MEMORY, FROM_DISK], time);
		println!();
		self.print_part(sizes, &[PROOF], |weight| weight.proof_size().to_string());
	}

	fn print_part(&self, sizes: &[u32], parts: &[Part], claim: impl Fn(Weight) -> String) {
		let states = sizes.iter().map(|rows| format!(" {rows} |")).collect::<String>();
		let titles = parts.iter().map(|part| format!(" {}:{states}", part.name));
		println!("| call | weight |{}", titles.collect::<String>());
		println!("| --- | ---: |{}", " ---: |".repeat(parts.len() * sizes.len()));
		for row in &self.names {
			let by_rows = &self.measured[row];
			let all: Vec<_> = by_rows.values().flatten().copied().collect();
			let Some(last) = all.last() else { continue };
			let (name, variant) = row;
			let comma = if variant.is_empty() { "" } else { ", " };
			print!("| `{name}`{comma}{variant} | {} |", claim(last.weight));
			for part in parts {
				let is_low = largest(&all, part.ratio).is_some_and(|ratio| ratio < LEAST_RATIO);
				for rows in sizes {
					match largest(&by_rows[rows], part.ratio) {
						Some(ratio) if ratio > 1.0 => print!(" **{ratio:.2}** |"),
						Some(ratio) if is_low => print!(" *{ratio:.2}* |"),
						Some(ratio) => print!(" {ratio:.2} |"),
						None => print!(" |"),
					}
				}
			}
			println!();
		}
	}

	/// Checks that no weight is less than what was measured, except with the files on the disk, and
	/// that none is more than five times as much in all states without a reason.
	pub fn check(&self) -> Result<(), Box<dyn Error>> {
		let mut wrong = 0;
		for ((name, variant), by_rows) in &self.measured {
			let all: Vec<_> = by_rows.values().flatten().copied().collect();
			for part in [FROM_MEMORY, FROM_DISK, PROOF] {
				let Some(largest) = largest(&all, part.ratio) else { continue };
				let found = format!("{name} {variant}: {}: {largest:.2} of the weight", part.name);
				let reason = LOW.iter().find(|(call, _)| call == name);
				match reason {
					_ if largest > 1.0 => {
						println!("{found}");
						wrong += u32::from(part.is_limited);
					},
					_ if largest >= LEAST_RATIO => (),
					Some((_, reason)) => println!("{found}, because {reason}"),
					None => {
						println!("{found}, without a reason");
						wrong += 1;
					},
				}
			}
		}
		match wrong {
			0 => Ok(()),
			_ => Err(format!("{wrong} ratios are above 1, or below {LEAST_RATIO}").into()),
		}
	}
}

fn largest(measured: &[Measured], ratio: Ratio) -> Option<f64> {
	measured.iter().filter_map(ratio).reduce(f64::max)
}

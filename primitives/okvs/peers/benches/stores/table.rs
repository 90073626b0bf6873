// SPDX-License-Identifier: Apache-2.0
//! Tables of what was measured, in Markdown.

use crate::runner::{quartiles, Measured};

/// The rows of a kind of store, at all sizes.
pub struct Table {
	title: &'static str,
	sizes: Vec<u32>,
	rows: Vec<Row>,
}

/// A row: what was done, and how fast each store did it.
struct Row {
	what: &'static str,
	/// The least ratio to the first peer that is good enough.
	goal: f64,
	/// The measurement of each run, with the size.
	measured: Vec<(u32, Vec<Measured>)>,
}

impl Row {
	/// Returns the median over the runs of the time and of the ratio of an implementation.
	fn medians(&self, size: u32, number: usize) -> [f64; 2] {
		let runs = self.measured.iter().filter(|(of, _)| *of == size);
		let (times, ratios) = runs.map(|(_, run)| (run[number].time, run[number].ratio[1])).unzip();
		[quartiles(times)[1], quartiles(ratios)[1]]
	}
}

impl Table {
	/// Makes a table without rows.
	pub fn new(title: &'static str, sizes: &[u32]) -> Self {
		Self { title, sizes: sizes.to_vec(), rows: Vec::new() }
	}

	/// Adds what was measured at a size.
	pub fn add(&mut self, what: &'static str, goal: f64, size: u32, measured: Vec<Measured>) {
		let ratios: Vec<_> = measured[1..]
			.iter()
			.map(|Measured { name, ratio: [low, middle, high], least, .. }| {
				format!("{name} {middle:.2} ({low:.2} to {high:.2}, least {least:.2})")
			})
			.collect();
		eprintln!(
			"{}, {what}, {size} pairs: {}; {}",
			self.title,
			time(measured[0].time),
			ratios.join(", ")
		);
		let row = match self.rows.iter().position(|row| row.what == what) {
			Some(row) => row,
			None => {
				self.rows.push(Row { what, goal, measured: Vec::new() });
				self.rows.len() - 1
			},
		};
		self.rows[row].measured.push((size, measured));
	}

	/// Prints the table, and the rows that miss their goal.
	pub fn print(&self) {
		println!("\n### {}\n", self.title);
		let power = |size: &u32| format!("10^{}", size.ilog10());
		let sizes: Vec<_> = self.sizes.iter().map(power).collect();
		let span = match sizes.as_slice() {
			[only] => only.clone(),
			[first, .., last] => format!("{first} to {last}"),
			[] => return,
		};
		println!("| what | implementation | {} | ratio, {span} |", sizes.join(" | "));
		println!("| --- | --- |{} --- |", " ---: |".repeat(sizes.len()));
		for row in &self.rows {
			let [(_, first), ..] = row.measured.as_slice() else { continue };
			for (number, Measured { name, .. }) in first.iter().enumerate() {
				let what = if number == 0 { row.what } else { "" };
				let (mut times, mut ratios) = (Vec::new(), Vec::new());
				for size in &self.sizes {
					let [median, ratio] = row.medians(*size, number);
					times.push(time(median));
					if number > 0 {
						ratios.push(format!("{ratio:.2}"));
					}
				}
				println!("| {what} | {name} | {} | {} |", times.join(" | "), ratios.join(" "));
			}
		}
		for row in &self.rows {
			let [(_, first), ..] = row.measured.as_slice() else { continue };
			for size in &self.sizes {
				let [_, ratio] = row.medians(*size, 1);
				if ratio < row.goal {
					eprintln!(
						"{}, {}, {size} pairs: {ratio:.2} of {}, and {:.2} is the goal",
						self.title, row.what, first[1].name, row.goal
					);
				}
			}
		}
	}
}

/// Writes a time with three digits.
fn time(nanoseconds: f64) -> String {
	let (number, unit) = match nanoseconds {
		..1e3 => (nanoseconds, "ns"),
		..1e6 => (nanoseconds / 1e3, "µs"),
		..1e9 => (nanoseconds / 1e6, "ms"),
		_ => (nanoseconds / 1e9, "s"),
	};
	let digits = match number {
		..10.0 => 2,
		..100.0 => 1,
		_ => 0,
	};
	format!("{number:.digits$} {unit}")
}

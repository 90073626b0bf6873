// SPDX-License-Identifier: Apache-2.0
//! Lists of the first items of many: their options, columns, and last line.

use std::io::{self, Write};

use clap::Args;
use serde::Serialize;

use crate::{index::At, text::count, time::utc};

/// The option that limits a list.
#[derive(Clone, Copy, Debug, Args)]
pub struct Limit {
	/// Number of items to print
	#[arg(
		long,
		value_name = "N",
		default_value_t = 50,
		value_parser = clap::value_parser!(u32).range(1..=10_000)
	)]
	pub limit: u32,
}

/// The block at which a list was read.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Seen {
	pub block: u64,
	/// False if a fork can still retract the block.
	#[serde(rename = "final")]
	pub is_final: bool,
}

impl From<At> for Seen {
	fn from(at: At) -> Self {
		Self { block: at.number, is_final: at.is_final }
	}
}

impl Seen {
	/// Writes the last line of a list: the block, the number of items, and whether there are more.
	pub fn write(
		self,
		out: &mut dyn Write,
		items: usize,
		[singular, plural]: [&str; 2],
		more: bool,
	) -> io::Result<()> {
		let Self { block, is_final } = self;
		let state = if is_final { "" } else { ", not final" };
		let items = count(items, singular, plural);
		match more {
			false => writeln!(out, "block {block}{state}: {items}"),
			true => {
				writeln!(out, "block {block}{state}: the first {items}; more with a larger --limit")
			},
		}
	}
}

/// Writes lines in columns. The last one is not padded.
pub fn write_columns<const N: usize>(out: &mut dyn Write, lines: &[[String; N]]) -> io::Result<()> {
	let width = |place: usize| lines.iter().map(|line| line[place].chars().count()).max();
	let widths: [usize; N] = std::array::from_fn(|place| width(place).unwrap_or(0));
	for line in lines {
		let cells = line.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}"));
		let text = cells.collect::<Vec<_>>().join("  ");
		writeln!(out, "{}", text.trim_end())?;
	}
	Ok(())
}

/// Returns the text of a time in milliseconds since the Unix epoch.
pub fn time(millis: Option<u64>) -> String {
	millis.map_or_else(String::new, |millis| utc(millis.saturating_mul(1_000)))
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn columns_are_aligned_and_nothing_follows_the_last_one() {
		let lines = [["naïve", "b", "c"], ["a", "bb", ""]].map(|line| line.map(str::to_owned));
		let mut out = Vec::new();
		write_columns(&mut out, &lines).expect("vectors take everything");
		assert_eq!(String::from_utf8_lossy(&out), "naïve  b   c\na      bb\n");
	}
}

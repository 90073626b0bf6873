//! Prints results and progress.

use std::{
	fmt,
	io::{self, IsTerminal, Write},
};

use indicatif::{ProgressBar, ProgressStyle};
use serde::{Serialize, Serializer};

use crate::Error;

/// A result in text or in JSON, on standard output.
pub trait Report: Serialize {
	/// Writes the text.
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()>;
}

/// Writes a result to standard output: as text, or as one line of JSON.
pub fn print(report: &impl Report, json: bool) -> Result<(), Error> {
	let mut out = io::stdout().lock();
	let written = if json {
		serde_json::to_writer(&mut out, report)
			.map_err(io::Error::from)
			.and_then(|()| writeln!(out))
	} else {
		report.write_text(&mut out)
	};
	written.and_then(|()| out.flush()).map_err(Error::Output)
}

/// Progress on standard error: a bar on a terminal, plain lines elsewhere.
pub struct Progress {
	bar: Option<ProgressBar>,
	total: u64,
	done: u64,
}

impl Progress {
	/// Returns the progress of a task with this many steps.
	pub fn new(total: u64) -> Self {
		let bar = io::stderr().is_terminal().then(|| {
			let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}")
				.unwrap_or_else(|_| ProgressStyle::default_bar());
			ProgressBar::new(total).with_style(style)
		});
		Self { bar, total, done: 0 }
	}

	/// Adds steps that are done, of the kind that `what` names.
	pub fn advance(&mut self, steps: u64, what: &str) {
		self.done += steps;
		match &self.bar {
			Some(bar) => {
				bar.set_position(self.done);
				bar.set_message(what.to_owned());
			},
			None => eprintln!("{}/{} {what}", self.done, self.total),
		}
	}

	/// Removes the bar.
	pub fn finish(self) {
		if let Some(bar) = self.bar {
			bar.finish_and_clear();
		}
	}
}

/// Returns a number with its noun, `1 node` or `2,000 nodes`.
pub fn count(number: impl TryInto<u64>, singular: &str, plural: &str) -> String {
	let number: u64 = number.try_into().unwrap_or(u64::MAX);
	let noun = if number == 1 { singular } else { plural };
	format!("{} {noun}", grouped(number.into()))
}

/// An amount of the chain's currency, in its smallest unit. In text its digits are in groups. In
/// JSON it is a string: many readers of JSON take numbers for floating-point ones, which are not
/// exact at this size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amount(
	/// Smallest units.
	pub u128,
);

impl fmt::Display for Amount {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.pad(&grouped(self.0))
	}
}

impl Serialize for Amount {
	fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
		serializer.collect_str(&self.0)
	}
}

/// Reads an amount from the command line. Its digits may be in groups, as they are printed.
pub fn amount(text: &str) -> Result<u128, String> {
	let digits: String = text.chars().filter(|mark| !matches!(mark, ',' | '_')).collect();
	digits
		.parse()
		.map_err(|_| "an amount is a whole number of the smallest unit, below 2^128".into())
}

/// Returns a number with its digits in groups of three.
pub fn grouped(number: u128) -> String {
	let digits = number.to_string();
	let mut text = String::with_capacity(digits.len() + digits.len() / 3);
	for (i, digit) in digits.chars().enumerate() {
		if i > 0 && (digits.len() - i).is_multiple_of(3) {
			text.push(',');
		}
		text.push(digit);
	}
	text
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn counts_agree_with_their_nouns() {
		assert_eq!(count(0u32, "row", "rows"), "0 rows");
		assert_eq!(count(1usize, "row", "rows"), "1 row");
		assert_eq!(count(999u32, "row", "rows"), "999 rows");
		assert_eq!(count(1_234_567u64, "row", "rows"), "1,234,567 rows");
	}

	#[test]
	fn amounts_are_read_as_they_are_printed() {
		for number in [0, 999, 1_000, 1_000_000_000_000, u128::MAX] {
			assert_eq!(amount(&Amount(number).to_string()), Ok(number));
			assert_eq!(amount(&number.to_string()), Ok(number));
		}
		assert_eq!(Amount(1_000_000_000_000).to_string(), "1,000,000,000,000");
		assert_eq!(serde_json::to_string(&Amount(1_000)).ok().as_deref(), Some("\"1000\""));
		for text in ["", ",", "-1", "1.5", "1e3", "340282366920938463463374607431768211456"] {
			assert!(amount(text).is_err(), "{text:?}");
		}
	}
}

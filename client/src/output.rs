//! How results and progress are shown.

use std::io::{self, IsTerminal, Write};

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

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
	/// Progress of a task with so many steps.
	pub fn new(total: u64) -> Self {
		let bar = io::stderr().is_terminal().then(|| {
			let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}")
				.unwrap_or_else(|_| ProgressStyle::default_bar());
			ProgressBar::new(total).with_style(style)
		});
		Self { bar, total, done: 0 }
	}

	/// Says that so many more steps are done, of the kind that `what` names.
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

	/// Takes the bar away.
	pub fn finish(self) {
		if let Some(bar) = self.bar {
			bar.finish_and_clear();
		}
	}
}

/// A number with its noun, `1 node` or `2,000 nodes`.
pub fn count(number: impl TryInto<u64>, singular: &str, plural: &str) -> String {
	let number: u64 = number.try_into().unwrap_or(u64::MAX);
	let noun = if number == 1 { singular } else { plural };
	format!("{} {noun}", grouped(number))
}

/// A number with its digits in groups of three.
fn grouped(number: u64) -> String {
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
}

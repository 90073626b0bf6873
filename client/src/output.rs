//! Prints results and progress.

use std::{
	fmt::Display,
	io::{self, Write},
};

use serde::{Serialize, Serializer};

use crate::{error::Class, text::printable, Error};

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

/// Writes bytes to standard output.
pub fn print_bytes(bytes: &[u8]) -> Result<(), Error> {
	let mut out = io::stdout().lock();
	out.write_all(bytes).and_then(|()| out.flush()).map_err(Error::Output)
}

/// Writes a line to standard error. A reader who has closed it misses the line, and nothing else.
pub fn warn(line: &str) {
	let _ = writeln!(io::stderr(), "{line}");
}

/// Writes an error to standard error: as text, or as one line of JSON.
pub fn report_error(error: &Error, json: bool) {
	#[derive(Serialize)]
	struct Failure {
		error: String,
		class: Class,
	}
	let failure = Failure { error: error.to_string(), class: error.class() };
	match serde_json::to_string(&failure) {
		Ok(line) if json => warn(&line),
		// A node may have had a say in the text.
		_ => warn(&format!("error: {}", printable(&error.to_string()))),
	}
}

/// Writes the text of a value, which has no form of its own in JSON.
pub fn as_text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
	serializer.collect_str(value)
}

/// Returns a number with its noun, `1 node` or `2,000 nodes`.
pub fn count(number: impl TryInto<u64>, singular: &str, plural: &str) -> String {
	let number: u64 = number.try_into().unwrap_or(u64::MAX);
	let noun = if number == 1 { singular } else { plural };
	format!("{} {noun}", grouped(number.into()))
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
}

// SPDX-License-Identifier: Apache-2.0
//! Prints results and progress.

use std::{
	fmt::Display,
	io::{self, Write},
};

use content_fabric_client::text::{is_escaped, json_line, printable};
use serde::{Serialize, Serializer};

/// A result cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("the result cannot be written: {0}")]
pub struct OutputError(#[source] pub io::Error);

/// A result in text or in JSON, on standard output.
pub trait Report: Serialize {
	/// Writes the text.
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()>;
}

/// Writes a result to standard output: as text, or as one line of JSON.
pub fn print(report: &impl Report, json: bool) -> Result<(), OutputError> {
	let mut out = io::stdout().lock();
	write(report, json, &mut out).and_then(|()| out.flush()).map_err(OutputError)
}

fn write(report: &impl Report, json: bool, out: &mut dyn Write) -> io::Result<()> {
	match json {
		true => writeln!(out, "{}", json_line(report)?),
		false => report.write_text(&mut Escaped(out)),
	}
}

/// A writer of text in lines, which escapes what must not reach a terminal. Reports escape what
/// they have from the chain. This holds if one forgets it.
struct Escaped<'a>(&'a mut dyn Write);

impl Write for Escaped<'_> {
	fn write(&mut self, text: &[u8]) -> io::Result<usize> {
		for part in String::from_utf8_lossy(text).split_inclusive(['\n', '\t']) {
			let words = part.trim_end_matches(['\n', '\t']);
			if !words.contains(is_escaped) {
				self.0.write_all(part.as_bytes())?;
				continue;
			}
			write!(self.0, "{}{}", printable(words), &part[words.len()..])?;
		}
		Ok(text.len())
	}

	fn flush(&mut self) -> io::Result<()> {
		self.0.flush()
	}
}

/// Writes bytes to standard output.
pub fn print_bytes(bytes: &[u8]) -> Result<(), OutputError> {
	let mut out = io::stdout().lock();
	out.write_all(bytes).and_then(|()| out.flush()).map_err(OutputError)
}

/// Writes a line to standard error, with control characters escaped: a node may have had a say in
/// it. A reader who has closed standard error misses the line, and nothing else.
pub fn warn(line: &str) {
	let _ = writeln!(io::stderr(), "{}", printable(line));
}

/// Writes the text of a value, which has no form of its own in JSON.
pub fn as_text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
	serializer.collect_str(value)
}

/// Writes a number of bytes as digits, or `null`. Not all of them fit into the numbers of other
/// programs, which have 53 bits.
pub(crate) fn size_or_none<S: Serializer>(
	size: &Option<u64>,
	serializer: S,
) -> Result<S::Ok, S::Error> {
	size.map(|size| size.to_string()).serialize(serializer)
}

/// Returns the text of a report.
#[cfg(test)]
pub(crate) fn text_of(report: &impl Report) -> String {
	let mut text = Vec::new();
	report.write_text(&mut text).expect("vectors take everything");
	String::from_utf8(text).expect("reports are text")
}

#[cfg(test)]
mod tests {
	use super::*;

	/// A report of a text that escapes nothing itself.
	#[derive(Serialize)]
	struct Raw(&'static str);

	impl Report for Raw {
		fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
			writeln!(out, "is {}", self.0)
		}
	}

	fn printed(text: &'static str, json: bool) -> String {
		let mut out = Vec::new();
		write(&Raw(text), json, &mut out).expect("vectors take everything");
		String::from_utf8(out).expect("reports are text")
	}

	#[test]
	fn json_escapes_what_must_not_reach_a_terminal_and_reads_back() {
		for (text, line) in [
			("naïve ✓ \"q\"\n", r#""naïve ✓ \"q\"\n""#),
			("\u{9b}2J\u{7f}", r#""\u009b2J\u007f""#),
			("a\u{202e}b\u{1b}[31m", r#""a\u202eb\u001b[31m""#),
			("\u{e0041}", r#""\udb40\udc41""#),
		] {
			let printed = printed(text, true);
			assert_eq!(printed, format!("{line}\n"));
			let read: String = serde_json::from_str(&printed).expect("it is JSON");
			assert_eq!(read, text);
		}
	}

	#[test]
	fn reports_that_forget_to_escape_do_not_reach_a_terminal_raw() {
		assert_eq!(
			printed("\u{1b}]0;x\u{7}\u{9b}\u{202e}é", false),
			"is \\u{1b}]0;x\\u{7}\\u{9b}\\u{202e}é\n"
		);
	}
}

// SPDX-License-Identifier: Apache-2.0
//! Prints results and progress.

use std::{
	fmt::Display,
	io::{self, Write},
};

use serde::{Serialize, Serializer};
use serde_json::ser::Formatter;

use crate::text::{is_escaped, printable};

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

/// Returns a value as one line of JSON that a terminal shows as it is.
pub fn json_line(value: &impl Serialize) -> serde_json::Result<String> {
	let mut line = Vec::new();
	value.serialize(&mut serde_json::Serializer::with_formatter(&mut line, EscapingFormatter))?;
	// The serializer writes text only.
	Ok(String::from_utf8_lossy(&line).into_owned())
}

/// Writes JSON in one line. Escapes the control characters that JSON permits in strings, and those
/// that change how others are shown, too.
struct EscapingFormatter;

impl Formatter for EscapingFormatter {
	fn write_string_fragment<W: ?Sized + Write>(
		&mut self,
		out: &mut W,
		fragment: &str,
	) -> io::Result<()> {
		escape(out, fragment, is_escaped, |out, mark| {
			let mut units = [0; 2];
			let mut units = mark.encode_utf16(&mut units).iter();
			units.try_for_each(|unit| write!(out, "\\u{unit:04x}"))
		})
	}
}

/// A writer of text in lines, which escapes what must not reach a terminal. Reports escape what
/// they have from the chain. This holds if one forgets it.
struct Escaped<'a>(&'a mut dyn Write);

impl Write for Escaped<'_> {
	fn write(&mut self, text: &[u8]) -> io::Result<usize> {
		let is_escaped = |mark| !matches!(mark, '\n' | '\t') && is_escaped(mark);
		escape(self.0, &String::from_utf8_lossy(text), is_escaped, |out, mark| {
			write!(out, "{}", printable(mark.encode_utf8(&mut [0; 4])))
		})?;
		Ok(text.len())
	}

	fn flush(&mut self) -> io::Result<()> {
		self.0.flush()
	}
}

/// Writes a text, with some of its characters in another form.
fn escape<W: ?Sized + Write>(
	out: &mut W,
	text: &str,
	is_escaped: impl Fn(char) -> bool,
	write_escaped: impl Fn(&mut W, char) -> io::Result<()>,
) -> io::Result<()> {
	let mut rest = text;
	while let Some(place) = rest.find(&is_escaped) {
		let (plain, other) = rest.split_at(place);
		out.write_all(plain.as_bytes())?;
		let mut marks = other.chars();
		if let Some(mark) = marks.next() {
			write_escaped(out, mark)?;
		}
		rest = marks.as_str();
	}
	out.write_all(rest.as_bytes())
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

/// Returns the text of a report.
#[cfg(all(test, feature = "cli"))]
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
		let key = serde_json::json!({ "a\u{9d}": "\u{2066}" });
		assert_eq!(json_line(&key).ok().as_deref(), Some(r#"{"a\u009d":"\u2066"}"#));
	}

	#[test]
	fn reports_that_forget_to_escape_do_not_reach_a_terminal_raw() {
		assert_eq!(
			printed("\u{1b}]0;x\u{7}\u{9b}\u{202e}é", false),
			"is \\u{1b}]0;x\\u{7}\\u{9b}\\u{202e}é\n"
		);
	}
}

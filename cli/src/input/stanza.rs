// SPDX-License-Identifier: Apache-2.0
//! Stanzas of a Debian index, read one by one.
//!
//! An index is made of stanzas with empty lines between them. A stanza is a paragraph of fields,
//! `Key: value`; the case of the keys does not count. A line of spaces or tabs ends a stanza only
//! if the next one names a package; otherwise it belongs to a description. A stanza of comments is
//! skipped. Bytes that are not UTF-8 matter only in fields that are used.

use std::io::{BufRead, Read};

use deb822_fast::borrowed::{BorrowedParagraph, BorrowedParser};

use super::{content::escaped, FormatError};

/// Number of characters of a wrong text that an error shows.
const SHOWN: usize = 40;
/// Maximum number of bytes of a value that is used. Real ones have less than 200, and the time to
/// compare the numbers in versions grows with the square of their length.
pub(super) const MAX_VALUE: usize = 4096;

/// Limits on an index, so that a small compressed file cannot exhaust memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
	/// Maximum number of bytes of a line, and of a stanza with the blank line after it.
	pub stanza: usize,
	/// Maximum number of bytes of all stanzas.
	pub index: u64,
	pub stanzas: usize,
}

impl Limits {
	/// The limits on real indexes, some 20 times as large as Debian 12: 63,440 stanzas in 48 MiB.
	pub(super) const INDEX: Self =
		Self { stanza: 16 * 1024 * 1024, index: 1024 * 1024 * 1024, stanzas: 2 * 1024 * 1024 };
}

/// Returns true if a text begins as an index does: with a stanza that names a package.
pub(super) fn begins(text: &[u8]) -> bool {
	let mut stanza = text
		.split(|byte| *byte == b'\n')
		.skip_while(|line| is_blank(line))
		.take_while(|line| !is_blank(line));
	stanza.any(is_package)
}

/// Returns true if a line is the field that names a package.
fn is_package(line: &[u8]) -> bool {
	let key = line.split(|byte| *byte == b':').next().unwrap_or_default();
	key.len() < line.len() && key.eq_ignore_ascii_case(b"Package")
}

fn is_blank(line: &[u8]) -> bool {
	line.trim_ascii().is_empty()
}

/// Returns true if all lines are comments.
fn is_comment(text: &[u8]) -> bool {
	text.split(|byte| *byte == b'\n').all(|line| line.is_empty() || line.starts_with(b"#"))
}

/// A stanza and its place in the text.
pub(super) struct Stanza<'a> {
	/// The number of its first line.
	pub line: usize,
	fields: BorrowedParagraph<'a>,
	text: &'a Lossy,
}

/// A text in which U+FFFD stands for bytes that are not UTF-8.
#[derive(Default)]
struct Lossy {
	text: String,
	/// The places of these characters, which the text may have of its own, too.
	replaced: Vec<usize>,
}

impl Lossy {
	fn new(bytes: &[u8]) -> Self {
		let mut lossy = Self::default();
		for chunk in bytes.utf8_chunks() {
			lossy.text.push_str(chunk.valid());
			if !chunk.invalid().is_empty() {
				lossy.replaced.push(lossy.text.len());
				lossy.text.push(char::REPLACEMENT_CHARACTER);
			}
		}
		lossy
	}

	/// Returns whether a part of the text was text before.
	fn was_text(&self, part: &str) -> bool {
		let start = part.as_ptr().addr().wrapping_sub(self.text.as_ptr().addr());
		let range = start..start.saturating_add(part.len());
		!self.replaced.iter().any(|place| range.contains(place))
	}
}

impl<'a> Stanza<'a> {
	fn parse(line: usize, text: &'a Lossy) -> Result<Self, FormatError> {
		let wrong = |reason| FormatError::Stanza { line, reason };
		let paragraphs =
			BorrowedParser::new(&text.text).parse_all().map_err(|error| match error {
				deb822_fast::Error::UnexpectedToken(token) => {
					wrong(format!("`{}` is not a field", shown(&token)))
				},
				error => wrong(escaped(&error.to_string())),
			})?;
		match <[_; 1]>::try_from(paragraphs) {
			Ok([fields]) => Ok(Self { line, fields, text }),
			Err(_) => Err(wrong("it has no fields".into())),
		}
	}

	/// Returns the value of a field, if the stanza has it, or the reason why it has no one value.
	pub(super) fn field(&self, key: &str) -> Result<Option<&'a str>, String> {
		let mut fields = self.fields.iter().filter(|field| field.name().eq_ignore_ascii_case(key));
		let Some(field) = fields.next() else { return Ok(None) };
		if fields.next().is_some() {
			return Err(format!("it gives the {key} a second time"));
		}
		let value = field.as_single_line();
		let value = value.ok_or_else(|| format!("its {key} has several lines"))?.trim();
		if !self.text.was_text(value) {
			return Err(format!("its {key} is not UTF-8 text"));
		}
		if value.len() > MAX_VALUE {
			return Err(format!("its {key} has more than {MAX_VALUE} bytes"));
		}
		Ok(Some(value))
	}
}

/// Returns the start of a text as an error shows it.
pub(super) fn shown(text: &str) -> String {
	let text: String = text.trim_end().chars().take(2 * SHOWN).collect();
	escaped(&text)
}

/// Reads stanzas in their order.
pub(super) struct Stanzas<R> {
	reader: R,
	limits: Limits,
	/// The bytes of the stanza that was read last, without its lines of blanks.
	bytes: Vec<u8>,
	text: Lossy,
	/// The first lines of the next stanza, if they were read already.
	ahead: Vec<u8>,
	/// The number of the first of them.
	ahead_line: usize,
	lines: usize,
	/// Number of bytes so far.
	read: u64,
	stanzas: usize,
}

impl<R: BufRead> Stanzas<R> {
	pub(super) fn new(reader: R, limits: Limits) -> Self {
		Self {
			reader,
			limits,
			bytes: Vec::new(),
			text: Lossy::default(),
			ahead: Vec::new(),
			ahead_line: 0,
			lines: 0,
			read: 0,
			stanzas: 0,
		}
	}

	/// Returns the next stanza, or `None` at the end of the index.
	pub(super) fn next(&mut self) -> Result<Option<Stanza<'_>>, FormatError> {
		let line = loop {
			let Some(line) = self.read_stanza()? else { return Ok(None) };
			self.stanzas += 1;
			if self.stanzas > self.limits.stanzas {
				return Err(FormatError::TooMany { limit: self.limits.stanzas });
			}
			if !is_comment(&self.bytes) {
				break line;
			}
		};
		self.text = Lossy::new(&self.bytes);
		Stanza::parse(line, &self.text).map(Some)
	}

	/// Reads the bytes of a stanza. Returns the number of its first line.
	fn read_stanza(&mut self) -> Result<Option<usize>, FormatError> {
		self.bytes = std::mem::take(&mut self.ahead);
		let mut first = (!self.bytes.is_empty()).then_some(self.ahead_line);
		// The place and the number of the line after the last line of blanks, if a stanza may begin
		// there.
		let mut next = None;
		loop {
			let start = self.bytes.len();
			if !self.read_line(first)? {
				return Ok(first);
			}
			let line = &self.bytes[start..];
			if is_blank(line) {
				let is_empty = matches!(line, b"\n" | b"\r\n");
				self.bytes.truncate(start);
				if is_empty && first.is_some() {
					return Ok(first);
				}
				next = first.map(|_| (start, self.lines + 1));
				continue;
			}
			let continues = line[0].is_ascii_whitespace();
			next = next.filter(|(place, _)| *place < start || !continues);
			if let (true, Some((place, number))) = (is_package(line), next) {
				self.ahead = self.bytes.split_off(place);
				self.ahead_line = number;
				return Ok(first);
			}
			first = first.or(Some(self.lines));
		}
	}

	/// Appends a line to the bytes of the stanza that began at `first`. Returns false at the end.
	fn read_line(&mut self, first: Option<usize>) -> Result<bool, FormatError> {
		let room = (self.limits.stanza - self.bytes.len()) as u64;
		let count = self.reader.by_ref().take(room + 1).read_until(b'\n', &mut self.bytes)? as u64;
		if count == 0 {
			return Ok(false);
		}
		self.lines += 1;
		self.read += count;
		let too_large = |what, line, limit| Err(FormatError::TooLarge { what, line, limit });
		if count > room {
			let line = first.unwrap_or(self.lines);
			return too_large("the stanza", line, self.limits.stanza as u64);
		}
		if self.read > self.limits.index {
			return too_large("the index", 1, self.limits.index);
		}
		if self.bytes.last() != Some(&b'\n') {
			return Err(FormatError::CutOff);
		}
		Ok(true)
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	fn read(text: &[u8], limits: Limits) -> Result<Vec<(usize, String)>, FormatError> {
		let mut stanzas = Stanzas::new(text, limits);
		let mut found = Vec::new();
		while let Some(stanza) = stanzas.next()? {
			let wrong = |reason| FormatError::Stanza { line: stanza.line, reason };
			let value = stanza.field("a").map_err(wrong)?;
			found.push((stanza.line, value.unwrap_or_default().to_owned()));
		}
		Ok(found)
	}

	#[test]
	fn stanzas_have_the_numbers_of_their_first_lines() {
		let found = read(b"\n \t\na: 1\nb: 2\n\n\r\nA:3 \r\n", Limits::INDEX);
		assert_eq!(found.expect("it is valid"), [(3, "1".into()), (7, "3".into())]);
		assert!(read(b"\n\n", Limits::INDEX).expect("it is blank").is_empty());
	}

	#[test]
	fn bytes_that_are_not_text_matter_in_the_fields_that_are_used() {
		let found = read(b"b: \xff\n \xfe\na: 1\n\na: 2\n", Limits::INDEX).expect("a is text");
		assert_eq!(found, [(1, "1".into()), (5, "2".into())]);
		// Text may have the character that stands for other bytes.
		let text = [b"b: \xff\na: \xef\xbf\xbd\n", &b"c: \xff\xfe\n"[..]].concat();
		let found = read(&text, Limits::INDEX).expect("a is text");
		assert_eq!(found, [(1, "\u{fffd}".into())]);
		let error = read(b"a: 1\n\nb: 2\na: \xff\n", Limits::INDEX).expect_err("it is not text");
		assert_eq!(error.to_string(), "the stanza from line 3 on: its a is not UTF-8 text");
	}

	#[test]
	fn stanzas_of_comments_are_skipped() {
		let text = b"# a: 1\n#\n\n# b\na: 1\n# c\n\n#\n";
		assert_eq!(read(text, Limits::INDEX).expect("it is valid"), [(4, "1".into())]);
		let limits = Limits { stanzas: 2, ..Limits::INDEX };
		assert!(read(b"#\n\n#\n\n#\n", limits).is_err(), "they count");
	}

	#[test]
	fn a_line_of_blanks_ends_a_stanza_before_one_whose_package_is_not_its_first_field() {
		let text =
			b"Package: x\na: 1\n \n\t\n# b\nSource: y\nVersion: 1\n\tz\nPackage: z\na: 2\n \n\
		             Homepage: z\n \nVersion: 2\nPackage: z\na: 3\nb:\n \n continued\nPackage: t\n";
		let mut stanzas = Stanzas::new(&text[..], Limits::INDEX);
		for (line, number) in [(1, "1"), (5, "2"), (14, "3")] {
			let stanza = stanzas.next().expect("it is valid").expect("there is one more");
			assert_eq!(stanza.line, line);
			assert_eq!(stanza.field("a"), Ok(Some(number)));
			// The line after the last blanks continues a field, so a package after it is a second
			// one.
			assert_eq!(stanza.field("Package").is_err(), number == "3");
		}
		assert!(stanzas.next().expect("it is valid").is_none());
	}

	#[test]
	fn a_line_of_blanks_ends_a_stanza_only_before_the_next_package() {
		let text = b"Package: x\nDescription: y\n z\n \t \n z\n\t\na: 1\n\na: 2\n \nPackage: u\n\
		             a: 3\n \n\t\n\n \na: 4\n";
		let found = read(text, Limits::INDEX).expect("it is valid");
		let expected = [(1, "1"), (9, "2"), (11, "3"), (17, "4")];
		assert_eq!(found, expected.map(|(line, value)| (line, value.to_owned())));
	}

	#[test]
	fn stanzas_and_lines_have_a_limit() {
		let endless = std::io::BufReader::new(std::io::repeat(b'a'));
		let error = Stanzas::new(endless, Limits::INDEX).next().map(|_| ()).expect_err("no end");
		let expected = "the stanza from line 1 on has more than 16777216 bytes when unpacked";
		assert_eq!(error.to_string(), expected);

		let limits = Limits { stanza: 11, ..Limits::INDEX };
		assert_eq!(read(b"a: 1\nb: 2\n\na: 234567\n", limits).expect("it fits").len(), 2);
		for text in ["\na: 1\nb: 234\n", "\na: 23456789\n"] {
			let error = read(text.as_bytes(), limits).expect_err("it has 12 bytes");
			assert!(matches!(error, FormatError::TooLarge { line: 2, .. }), "{text}: {error}");
		}
	}

	#[test]
	fn indexes_have_a_limit() {
		let text = b"a: 1\n\na: 2\n\na: 3\n";
		let error = read(text, Limits { index: 12, ..Limits::INDEX }).expect_err("it has 17 bytes");
		let expected = "the index from line 1 on has more than 12 bytes when unpacked";
		assert_eq!(error.to_string(), expected);
		let error = read(text, Limits { stanzas: 2, ..Limits::INDEX }).expect_err("it has 3");
		assert_eq!(error.to_string(), "it has more than 2 stanzas");
		assert_eq!(read(text, Limits { index: 17, stanzas: 3, stanza: 6 }).expect("fits").len(), 3);
	}

	#[test]
	fn an_index_begins_with_a_stanza_that_names_a_package() {
		for (text, is_index) in [
			("\nVersion: 1\nPACKAGE: a\n\nPackage: b\n", true),
			("Package:a", true),
			("Version: 1\n\nPackage: b\n", false),
			("[package]\nname = \"package:\"\n", false),
			("Package\n", false),
			("", false),
		] {
			assert_eq!(begins(text.as_bytes()), is_index, "{text:?}");
		}
	}
}

// SPDX-License-Identifier: Apache-2.0
//! Text that comes from the chain, where anybody may have put it, and text of numbers.

use std::{
	fmt::{self, Write},
	marker::PhantomData,
};

use codec::{Decode, Encode};
use content_fabric_identifiers::{Cid, VersionCheck};
use scale_decode::{
	visitor::DecodeAsTypeResult, DecodeAsType, Error as DecodeError, IntoVisitor, TypeResolver,
	Visitor,
};
use scale_encode::EncodeAsType;
use scale_info::TypeInfo;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes that should be text, such as a locator or a reason.
///
/// Its text has control characters escaped, so that they cannot move the cursor of a terminal,
/// recolor it, or reverse the direction of what follows. Bytes that are not UTF-8 are replaced.
#[derive(
	Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Encode, Decode, EncodeAsType, TypeInfo,
)]
pub struct Text(pub Vec<u8>);

impl Text {
	/// Returns the text as it is, with control characters, for comparisons.
	pub fn raw(&self) -> std::borrow::Cow<'_, str> {
		String::from_utf8_lossy(&self.0)
	}
}

/// Decodes a text from whatever bytes are decoded from: a list, or a bounded one.
pub struct TextVisitor<R>(PhantomData<R>);

impl<R: TypeResolver> Visitor for TextVisitor<R> {
	type Value<'scale, 'resolver> = Text;
	type Error = DecodeError;
	type TypeResolver = R;

	fn unchecked_decode_as_type(
		self,
		input: &mut &[u8],
		type_id: R::TypeId,
		types: &R,
	) -> DecodeAsTypeResult<Self, Result<Text, DecodeError>> {
		DecodeAsTypeResult::Decoded(Vec::<u8>::decode_as_type(input, type_id, types).map(Text))
	}
}

impl IntoVisitor for Text {
	type AnyVisitor<R: TypeResolver> = TextVisitor<R>;

	fn into_visitor<R: TypeResolver>() -> TextVisitor<R> {
		TextVisitor(PhantomData)
	}
}

impl fmt::Display for Text {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.pad(&printable(&self.raw()))
	}
}

impl fmt::Debug for Text {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		fmt::Debug::fmt(&self.raw(), f)
	}
}

impl Serialize for Text {
	/// JSON escapes control characters itself.
	fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
		serializer.collect_str(&self.raw())
	}
}

impl<'de> Deserialize<'de> for Text {
	fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
		String::deserialize(deserializer).map(|text| Self(text.into_bytes()))
	}
}

/// Returns a text with control characters escaped, as `\u{1b}`.
pub fn printable(text: &str) -> String {
	let mut printable = String::with_capacity(text.len());
	for mark in text.chars() {
		match mark {
			'\t' => printable.push_str("\\t"),
			'\n' => printable.push_str("\\n"),
			'\r' => printable.push_str("\\r"),
			mark if is_escaped(mark) => {
				// Writing to a string does not fail.
				let _ = write!(printable, "\\u{{{:x}}}", u32::from(mark));
			},
			mark => printable.push(mark),
		}
	}
	printable
}

/// First and last code points of the characters that a terminal and the explorer show as escapes,
/// in ascending order: controls, line separators, marks that change the direction of text, other
/// format characters, letters without a shape, variation selectors, surrogates, and characters for
/// private use.
///
/// The explorer reads the same file, whose code points are hexadecimal.
const INVISIBLE: &[[u32; 2]] = &code_points(include!("invisible.json"));

/// Parses hexadecimal code points at compile time.
const fn code_points<const N: usize>(texts: [[&str; 2]; N]) -> [[u32; 2]; N] {
	let mut ranges = [[0; 2]; N];
	let mut at = 0;
	while at < 2 * N {
		ranges[at / 2][at % 2] = match u32::from_str_radix(texts[at / 2][at % 2], 16) {
			Ok(code_point) => code_point,
			Err(_) => panic!("a code point is hexadecimal"),
		};
		at += 1;
	}
	ranges
}

/// Returns whether a character must not reach a terminal: a control character, one that changes
/// how others are shown, or one that is not visible.
pub fn is_escaped(mark: char) -> bool {
	let code_point = u32::from(mark);
	let mut ranges = INVISIBLE.iter().take_while(|[first, _]| *first <= code_point);
	ranges.any(|[_, last]| code_point <= *last)
}

/// Returns a length of time in words, in whole numbers of the unit that fits.
pub fn length_of_time(seconds: u64) -> String {
	match seconds {
		0..120 => count(seconds, "second", "seconds"),
		120..7_200 => count(seconds / 60, "minute", "minutes"),
		7_200..172_800 => count(seconds / 3_600, "hour", "hours"),
		_ => count(seconds / 86_400, "day", "days"),
	}
}

/// Returns the hashes of data that is not a version's, beside the one that was expected.
pub fn other_hash(check: &VersionCheck) -> String {
	let named = |Cid { hash, version }: Cid| format!("the {} hash {version}", hash.name());
	let found: Vec<_> = check.hashes().map(named).collect();
	format!("{}, expected {}", found.join(" and "), check.version())
}

/// Returns a number with its noun, `1 node` or `2,000 nodes`.
pub fn count(number: impl TryInto<u64>, singular: &str, plural: &str) -> String {
	let number: u64 = number.try_into().unwrap_or(u64::MAX);
	let noun = if number == 1 { singular } else { plural };
	format!("{} {noun}", grouped(number.into()))
}

/// Returns the size of data. `None` is one that is not known.
pub fn size(bytes: Option<u64>) -> String {
	bytes.map_or_else(|| "size not known".into(), |bytes| count(bytes, "byte", "bytes"))
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

/// Returns the reason why a text is not the expected JSON.
pub fn json_fault(error: &serde_json::Error) -> String {
	match error.is_eof() {
		true if (error.line(), error.column()) == (1, 0) => "it is empty".into(),
		true => format!("it ends too early, in line {}", error.line()),
		// It repeats parts of the text.
		false => printable(&error.to_string()),
	}
}

/// Returns a value as one line of JSON that a terminal shows as it is: the control characters that
/// JSON permits in strings, and those that change how others are shown, are escaped.
pub fn json_line(value: &impl Serialize) -> serde_json::Result<String> {
	let json = serde_json::to_string(value)?;
	let mut line = String::with_capacity(json.len());
	for mark in json.chars() {
		// Only strings have such characters.
		match is_escaped(mark) {
			true => mark.encode_utf16(&mut [0; 2]).iter().for_each(|unit| {
				line.push_str(&format!("\\u{unit:04x}"));
			}),
			false => line.push(mark),
		}
	}
	Ok(line)
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn control_characters_are_escaped_and_other_text_is_not() {
		for (text, shown) in [
			("/ip4/127.0.0.1/tcp/1", "/ip4/127.0.0.1/tcp/1"),
			("naïve ✓ 漢字", "naïve ✓ 漢字"),
			("a\x1b[31mb\x07", "a\\u{1b}[31mb\\u{7}"),
			("a\r\nb\tc", "a\\r\\nb\\tc"),
			("a\u{202e}b\u{2066}c\u{200b}d", "a\\u{202e}b\\u{2066}c\\u{200b}d"),
			("\u{9b}2J", "\\u{9b}2J"),
		] {
			assert_eq!(Text(text.into()).to_string(), shown);
		}
		assert_eq!(Text(vec![0xff, b'a']).to_string(), "\u{fffd}a");
	}

	#[test]
	fn invisible_characters_are_escaped_up_to_the_bounds_of_their_ranges() {
		for (before, first, last, after) in [
			('a', '\u{7f}', '\u{9f}', '\u{a0}'),
			('\u{ac}', '\u{ad}', '\u{ad}', '\u{ae}'),
			('\u{2027}', '\u{2028}', '\u{202e}', '\u{202f}'),
			('\u{d7ff}', '\u{e000}', '\u{f8ff}', '\u{f900}'),
			('\u{fffff}', '\u{100000}', '\u{10fffd}', '\u{10fffe}'),
		] {
			assert!(!is_escaped(before) && !is_escaped(after), "{first:?}");
			assert!((first..=last).all(is_escaped), "{first:?}");
		}
		assert!(('\0'..=char::MAX).filter(|mark| mark.is_control()).all(is_escaped));
		// The search stops at the first range after the character.
		assert!(INVISIBLE.iter().flatten().is_sorted());
	}

	#[test]
	fn counts_agree_with_their_nouns() {
		assert_eq!(count(0u32, "row", "rows"), "0 rows");
		assert_eq!(count(1usize, "row", "rows"), "1 row");
		assert_eq!(count(999u32, "row", "rows"), "999 rows");
		assert_eq!(count(1_234_567u64, "row", "rows"), "1,234,567 rows");
	}

	#[test]
	fn json_has_the_text_itself() {
		let json = serde_json::to_string(&Text(b"a\x1bb".to_vec())).ok();
		assert_eq!(json.as_deref(), Some("\"a\\u001bb\""));
	}

	#[test]
	fn json_escapes_names_and_texts_alike() {
		let key = serde_json::json!({ "a\u{9d}": "\u{2066}" });
		assert_eq!(json_line(&key).ok().as_deref(), Some(r#"{"a\u009d":"\u2066"}"#));
	}
}

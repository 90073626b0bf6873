// SPDX-License-Identifier: Apache-2.0
//! Texts of muids.

use core::fmt;

use super::{Muid, MEDALLION_DIGITS};
use crate::{
	convert::{ascii, parsed, rules},
	hex,
};

/// Digits of each other part.
const TIMESTAMP_DIGITS: usize = 13;
const OFFSET_DIGITS: usize = 8;
/// Positions of the parts in the text.
const MEDALLION_AT: usize = TIMESTAMP_DIGITS + 1;
const OFFSET_AT: usize = MEDALLION_AT + MEDALLION_DIGITS + 1;
/// Digits of a timestamp and a medallion without a dash.
const UNDASHED_SHORT: usize = TIMESTAMP_DIGITS + MEDALLION_DIGITS;
/// Widths of the groups.
const WIDTHS: [usize; 3] = [TIMESTAMP_DIGITS, MEDALLION_DIGITS, OFFSET_DIGITS];
/// A tail of zeros in the groups of an older layout.
const OLD_TAIL: &[u8] = b"-0000000000000-00000";

/// The text is not a valid muid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseMuidError {
	/// No form of a muid has this length.
	Length {
		/// The length of the text, in bytes.
		found: usize,
	},
	/// A text without dashes has no number of digits that a muid has.
	HexLength {
		/// The length of the text, in bytes.
		found: usize,
	},
	/// A group has too few or too many digits.
	Group {
		/// Position of the group.
		at: usize,
		/// Number of its digits in a muid.
		expected: usize,
		/// Number of its digits in the text.
		found: usize,
	},
	/// A byte is not a hexadecimal digit.
	Digit {
		/// Position of the byte.
		at: usize,
	},
	/// There is no dash between two groups.
	Dash {
		/// Position of the byte that should be one.
		at: usize,
	},
	/// A tail with the widths of an older layout is not all zeros.
	OldTail {
		/// Position of the first byte that is not zero.
		at: usize,
	},
}

rules! { ParseMuidError, position,
	"For a wrong length, it is the end of the text; for a group that is too short, its end.":
	Self::Length { found } =>
		found, "a muid has 13, 24, 25, 32 or 34 bytes of text, not {found}";
	Self::HexLength { found } =>
		found, "a muid without dashes has 13, 24 or {} digits, not {found}", Muid::HEX_LEN;
	Self::Group { at, expected, found } => at + if found < expected { found } else { expected },
		"the group at byte {at} has {found} digits, expected {expected}";
	Self::Digit { at } => at, "byte {at} is not a hexadecimal digit";
	Self::Dash { at } => at, "byte {at} is not a dash";
	Self::OldTail { at } =>
		at, "byte {at} is not zero: groups of 13 and 5 digits may only hold zeros";
}

impl Muid {
	/// Bytes of the canonical text.
	pub const TEXT_LEN: usize = OFFSET_AT + OFFSET_DIGITS;
	/// Bytes of the text without dashes.
	pub const HEX_LEN: usize = 32;

	/// Writes the canonical text into a buffer.
	#[inline]
	pub fn write_to(self, text: &mut [u8; Self::TEXT_LEN]) -> &str {
		self.fill(text);
		ascii(text)
	}

	/// Returns the bytes of the canonical text.
	#[inline]
	pub fn to_text(self) -> [u8; Self::TEXT_LEN] {
		let mut text = [0; Self::TEXT_LEN];
		self.fill(&mut text);
		text
	}

	#[inline(always)]
	fn fill(self, text: &mut [u8; Self::TEXT_LEN]) {
		let digits = self.to_hex();
		text[..TIMESTAMP_DIGITS].copy_from_slice(&digits[..13]);
		text[MEDALLION_AT - 1] = b'-';
		text[MEDALLION_AT..OFFSET_AT - 1].copy_from_slice(&digits[13..24]);
		text[OFFSET_AT - 1] = b'-';
		text[OFFSET_AT..].copy_from_slice(&digits[24..]);
	}

	/// Returns the 32 upper-case digits of the packed bytes: the canonical text without dashes.
	#[inline]
	pub fn to_hex(self) -> [u8; Self::HEX_LEN] {
		let mut digits = [0; Self::HEX_LEN];
		for (digits, shift) in digits.chunks_exact_mut(8).zip([96, 64, 32, 0]) {
			digits.copy_from_slice(&hex::encode((self.0 >> shift) as u32));
		}
		digits
	}

	/// Writes the text without dashes into a buffer.
	#[inline]
	pub fn write_hex_to(self, text: &mut [u8; Self::HEX_LEN]) -> &str {
		*text = self.to_hex();
		ascii(text)
	}

	/// Returns the shortest text: without an offset of zero, and without the medallion if both are
	/// zero.
	pub const fn short(self) -> ShortMuid {
		ShortMuid(self)
	}

	/// Parses the canonical form in either case, with or without its dashes, and with or without
	/// its zero tail. The specification also prints zero tails in the groups of an older layout, of
	/// 13 and of 5 digits; these are accepted as well.
	///
	/// ```
	/// use content_fabric_identifiers::Muid;
	///
	/// let muid = Muid::parse("5D5EAC793E61F-1BFC71B112D")?;
	/// assert_eq!(Muid::parse("5D5EAC793E61F1BFC71B112D"), Ok(muid));
	/// assert_eq!(Muid::parse("5D5EAC793E61F1BFC71B112D00000000"), Ok(muid));
	/// # Ok::<_, content_fabric_identifiers::ParseMuidError>(())
	/// ```
	#[inline]
	pub fn parse(text: &str) -> Result<Self, ParseMuidError> {
		Self::from_text(text.as_bytes())
	}

	/// Parses a text given in bytes, as [`Self::parse`] does.
	pub fn from_text(text: &[u8]) -> Result<Self, ParseMuidError> {
		if let Ok(text) = <&[u8; Self::TEXT_LEN]>::try_from(text) {
			return Self::parse_full(text);
		}
		if text.len() == TIMESTAMP_DIGITS || text.len() == OFFSET_AT - 1 {
			return Self::parse_padded(text);
		}
		if matches!(text.len(), UNDASHED_SHORT | Self::HEX_LEN) && !text.contains(&b'-') {
			let mut digits = [b'0'; Self::HEX_LEN];
			digits[..text.len()].copy_from_slice(text);
			return Self::parse_digits(&digits);
		}
		match text.split_at_checked(TIMESTAMP_DIGITS) {
			Some((timestamp, tail)) if has_old_widths(tail) => {
				Self::parse_old_tail(timestamp, tail)
			},
			_ => Err(error_of_length(text)),
		}
	}

	fn parse_digits(digits: &[u8; Self::HEX_LEN]) -> Result<Self, ParseMuidError> {
		Self::of_words([0, 8, 16, 24].map(|at| word(digits, at))).ok_or_else(|| {
			let digit = digits.iter().position(|byte| !byte.is_ascii_hexdigit());
			ParseMuidError::Digit { at: digit.unwrap_or(Self::HEX_LEN) }
		})
	}

	#[inline(always)]
	fn parse_full(text: &[u8; Self::TEXT_LEN]) -> Result<Self, ParseMuidError> {
		// The 32 digits in four words: the second word of the text holds the first dash after five
		// digits, and the third word lacks the digit that stands before the second dash.
		let (first, second, third) = (word(text, 0), word(text, 8), word(text, 16));
		let words = [
			first,
			second & 0xffff_ffff_ff00_0000 | (second & 0xffff) << 8 | third >> 56,
			third << 8 | u64::from(text[OFFSET_AT - 2]),
			word(text, OFFSET_AT),
		];
		let are_dashes = text[MEDALLION_AT - 1] == b'-' && text[OFFSET_AT - 1] == b'-';
		Self::of_words(words).filter(|_| are_dashes).ok_or_else(|| Self::first_error(text))
	}

	/// Returns the muid of 32 digits, if all of them are.
	#[inline(always)]
	fn of_words(words: [u64; 4]) -> Option<Self> {
		let (mut value, mut all_digits) = (0, true);
		for word in words {
			let (number, is_number) = hex::decode(word);
			value = value << 32 | u128::from(number);
			all_digits &= is_number;
		}
		all_digits.then_some(Self(value))
	}

	/// Parses a canonical text whose tail, all zeros, is missing.
	fn parse_padded(text: &[u8]) -> Result<Self, ParseMuidError> {
		let mut full = *b"0000000000000-00000000000-00000000";
		full[..text.len()].copy_from_slice(text);
		Self::parse_full(&full)
	}

	/// Parses a timestamp, and a tail with the widths of an older layout.
	fn parse_old_tail(timestamp: &[u8], tail: &[u8]) -> Result<Self, ParseMuidError> {
		let muid = Self::parse_padded(timestamp)?;
		match tail.iter().zip(OLD_TAIL).position(|(found, zero)| found != zero) {
			Some(at) => Err(ParseMuidError::OldTail { at: TIMESTAMP_DIGITS + at }),
			None => Ok(muid),
		}
	}

	/// Returns the error of a text that has one: a digit or a dash is missing.
	#[cold]
	fn first_error(text: &[u8; Self::TEXT_LEN]) -> ParseMuidError {
		let is_dash = |at| at == MEDALLION_AT - 1 || at == OFFSET_AT - 1;
		let is_wrong = |(at, byte): (usize, &u8)| match is_dash(at) {
			true => *byte != b'-',
			false => !byte.is_ascii_hexdigit(),
		};
		match text.iter().enumerate().position(is_wrong).unwrap_or(Self::TEXT_LEN) {
			at if is_dash(at) => ParseMuidError::Dash { at },
			at => ParseMuidError::Digit { at },
		}
	}
}

/// Returns the eight bytes from a position on, which a text must have.
#[inline(always)]
fn word(text: &[u8], at: usize) -> u64 {
	u64::from_be_bytes(*text[at..].first_chunk().expect("8 of the 32 or 34 bytes; qed"))
}

/// Returns true if a tail has the length and the dashes of one in the groups of an older layout.
fn has_old_widths(tail: &[u8]) -> bool {
	let old = match tail.len() {
		14 => &OLD_TAIL[..14],
		20 => OLD_TAIL,
		_ => return false,
	};
	tail.iter().zip(old).all(|(found, old)| (*found == b'-') == (*old == b'-'))
}

/// Returns the error for a text with a wrong length: the first group with a wrong number of digits,
/// if the text consists of groups, or the number of digits, if it has no dashes.
#[cold]
fn error_of_length(text: &[u8]) -> ParseMuidError {
	let length = ParseMuidError::Length { found: text.len() };
	if !text.is_empty() && text.iter().all(u8::is_ascii_hexdigit) {
		return ParseMuidError::HexLength { found: text.len() };
	}
	let mut wrong = None;
	let mut at = 0;
	for (i, group) in text.split(|byte| *byte == b'-').enumerate() {
		let is_group = !group.is_empty() && group.iter().all(u8::is_ascii_hexdigit);
		let Some(expected) = WIDTHS.get(i).copied().filter(|_| is_group) else { return length };
		if group.len() != expected && wrong.is_none() {
			wrong = Some(ParseMuidError::Group { at, expected, found: group.len() });
		}
		at += group.len() + 1;
	}
	wrong.unwrap_or(length)
}

impl fmt::Display for Muid {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.pad(self.write_to(&mut [0; Self::TEXT_LEN]))
	}
}

impl fmt::Debug for Muid {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		write!(f, "Muid({self})")
	}
}

parsed!(Muid: ParseMuidError, Self::parse);

/// A muid that is written in its shortest form, by [`Muid::short`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShortMuid(Muid);

impl fmt::Display for ShortMuid {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		let mut text = [0; Muid::TEXT_LEN];
		let text = self.0.write_to(&mut text);
		f.pad(match (self.0.medallion(), self.0.offset()) {
			(0, 0) => &text[..TIMESTAMP_DIGITS],
			(_, 0) => &text[..OFFSET_AT - 1],
			_ => text,
		})
	}
}

// SPDX-License-Identifier: Apache-2.0
//! Parsing and printing of TIDs.

use super::Tid;
use crate::convert::rules;

const ALPHABET: &[u8; 32] = b"234567abcdefghijklmnopqrstuvwxyz";
/// The entry of [`VALUES`] for a character outside the alphabet: a bit that no value has.
const NO_VALUE: u8 = 0x80;

const VALUES: [u8; 256] = {
	let mut table = [NO_VALUE; 256];
	let mut value = 0;
	while value < 32 {
		table[ALPHABET[value] as usize] = value as u8;
		value += 1;
	}
	table
};

/// The two characters of every ten bits.
const PAIRS: [[u8; 2]; 1024] = {
	let mut pairs = [[0; 2]; 1024];
	let mut bits = 0;
	while bits < pairs.len() {
		pairs[bits] = [ALPHABET[bits >> 5], ALPHABET[bits & 31]];
		bits += 1;
	}
	pairs
};

/// The text is not a valid TID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseTidError {
	/// The length of the text is not 13 bytes.
	Length {
		/// The length of the text, in bytes.
		found: usize,
	},
	/// A byte is not in the alphabet.
	Character {
		/// Position of the byte.
		at: usize,
	},
	/// The first character makes the number larger than 64 bits.
	TooLarge,
	/// The top bit of the number is set. [`LenientTid`](super::LenientTid) accepts that.
	TopBit,
}

rules! { ParseTidError, at, "For a wrong length, it is the end of the text.":
	Self::Length { found } => found, "a TID has {} bytes of text, not {found}", Tid::TEXT_LEN;
	Self::Character { at } => at, "byte {at} is not one of 234567abcdefghijklmnopqrstuvwxyz";
	Self::TooLarge => 0, "byte {at} is after `j`, so the number needs more than 64 bits";
	Self::TopBit => 0, "byte {at} is after `b`, so the top bit of the number is not zero";
}

/// Returns the text of a number.
#[inline(always)]
pub(super) fn encode(value: u64) -> [u8; Tid::TEXT_LEN] {
	let mut text = [ALPHABET[(value >> 60) as usize]; Tid::TEXT_LEN];
	let mut rest = value;
	for pair in text[1..].rchunks_exact_mut(2) {
		pair.copy_from_slice(&PAIRS[(rest & 0x3ff) as usize]);
		rest >>= 10;
	}
	text
}

/// Returns the number of a text, whose top bit may be set.
#[inline(always)]
pub(super) fn decode(text: &[u8]) -> Result<u64, ParseTidError> {
	let digits = <&[u8; Tid::TEXT_LEN]>::try_from(text)
		.map_err(|_| ParseTidError::Length { found: text.len() })?;
	let first = VALUES[digits[0] as usize];
	let (mut value, mut seen) = (first as u64, first);
	let mut i = 1;
	while i < Tid::TEXT_LEN {
		let digit = VALUES[digits[i] as usize];
		seen |= digit;
		value = value << 5 | digit as u64 & 31;
		i += 1;
	}
	if seen & NO_VALUE != 0 || first > 15 {
		return Err(first_error(digits));
	}
	Ok(value)
}

#[cold]
fn first_error(digits: &[u8; Tid::TEXT_LEN]) -> ParseTidError {
	match digits.iter().position(|byte| VALUES[*byte as usize] == NO_VALUE) {
		Some(at) if at == 0 || VALUES[digits[0] as usize] <= 15 => ParseTidError::Character { at },
		_ => ParseTidError::TooLarge,
	}
}

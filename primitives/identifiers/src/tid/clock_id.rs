// SPDX-License-Identifier: Apache-2.0
//! The numbers of clocks.

use core::fmt;

use super::{ClockId, CLOCK_ID_BITS};
use crate::convert::{bounded, parsed, rules};

/// Most digits of a clock id.
const MAX_DIGITS: usize = 4;

bounded!(ClockId(u16): ClockIdError, "a clock id");

/// The text is not a valid clock id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseClockIdError {
	/// The text does not have 1 to 4 digits.
	Length {
		/// The length of the text, in bytes.
		found: usize,
	},
	/// A byte is not a decimal digit.
	Digit {
		/// Position of the byte.
		at: usize,
	},
	/// The number is too large.
	TooLarge(ClockIdError),
}

rules! { ParseClockIdError, at:
	Self::Length { found } => if found == 0 { 0 } else { MAX_DIGITS },
		"a clock id has 1 to {MAX_DIGITS} digits, not {found} bytes";
	Self::Digit { at } => at, "byte {at} is not a decimal digit";
	Self::TooLarge(error) => 0, "{error}";
}

impl ClockId {
	/// The largest clock id.
	pub const MAX: Self = Self((1 << CLOCK_ID_BITS) - 1);

	/// Returns a clock id made of the lowest 10 of these random bits.
	pub const fn random(bits: u64) -> Self {
		Self(bits as u16 & Self::MAX.0)
	}

	/// Parses a decimal number.
	pub fn parse(text: &str) -> Result<Self, ParseClockIdError> {
		if text.is_empty() || text.len() > MAX_DIGITS {
			return Err(ParseClockIdError::Length { found: text.len() });
		}
		let mut value = 0;
		for (at, byte) in text.bytes().enumerate() {
			if !byte.is_ascii_digit() {
				return Err(ParseClockIdError::Digit { at });
			}
			value = 10 * value + u16::from(byte - b'0');
		}
		Self::new(value).map_err(ParseClockIdError::TooLarge)
	}
}

impl fmt::Display for ClockId {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		self.0.fmt(f)
	}
}

parsed!(ClockId: ParseClockIdError, Self::parse);

// SPDX-License-Identifier: Apache-2.0
//! The numbers of clocks.

use core::fmt;

use super::{ClockId, CLOCK_ID_BITS};
use crate::convert::parsed;

/// Most digits of a clock id.
const MAX_DIGITS: usize = 4;

/// The number is too large for a clock id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockIdError {
	/// The number.
	pub value: u16,
}

impl fmt::Display for ClockIdError {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		write!(f, "{} is not a clock id: the largest is {}", self.value, ClockId::MAX.0)
	}
}

impl core::error::Error for ClockIdError {}

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

impl ParseClockIdError {
	/// Returns the position of the byte that broke the rule.
	pub const fn position(&self) -> usize {
		match *self {
			Self::Length { found: 0 } | Self::TooLarge(_) => 0,
			Self::Length { .. } => MAX_DIGITS,
			Self::Digit { at } => at,
		}
	}
}

impl fmt::Display for ParseClockIdError {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::Length { found } => {
				write!(f, "a clock id has 1 to {MAX_DIGITS} digits, not {found} bytes")
			},
			Self::Digit { at } => write!(f, "byte {at} is not a decimal digit"),
			Self::TooLarge(error) => error.fmt(f),
		}
	}
}

impl core::error::Error for ParseClockIdError {}

impl ClockId {
	/// Number of bytes in the packed form.
	pub const LEN: usize = 2;
	/// The largest clock id.
	pub const MAX: Self = Self((1 << CLOCK_ID_BITS) - 1);
	/// The clock id of a chain that mints TIDs: the largest. No other clock should use it, so that
	/// the TIDs of clients and those of their chain never meet.
	pub const CHAIN: Self = Self::MAX;

	/// Returns the clock id of this number.
	pub const fn new(value: u16) -> Result<Self, ClockIdError> {
		if value > Self::MAX.0 {
			return Err(ClockIdError { value });
		}
		Ok(Self(value))
	}

	/// Returns a clock id made of these random bits. It is never [`ClockId::CHAIN`].
	pub const fn random(bits: u64) -> Self {
		Self((bits % Self::CHAIN.0 as u64) as u16)
	}

	/// Returns the number.
	pub const fn get(self) -> u16 {
		self.0
	}

	/// Returns the clock id of two big-endian bytes.
	pub const fn from_bytes(bytes: [u8; Self::LEN]) -> Result<Self, ClockIdError> {
		Self::new(u16::from_be_bytes(bytes))
	}

	/// Returns the two big-endian bytes.
	pub const fn to_bytes(self) -> [u8; Self::LEN] {
		self.0.to_be_bytes()
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

impl TryFrom<u16> for ClockId {
	type Error = ClockIdError;

	fn try_from(value: u16) -> Result<Self, ClockIdError> {
		Self::new(value)
	}
}

impl From<ClockId> for u16 {
	fn from(clock_id: ClockId) -> Self {
		clock_id.0
	}
}

impl fmt::Display for ClockId {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		self.0.fmt(f)
	}
}

parsed! { ClockId: ParseClockIdError; }

#[cfg(feature = "arbitrary")]
impl arbitrary::Arbitrary<'_> for ClockId {
	fn arbitrary(bytes: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Self> {
		bytes.int_in_range(0..=Self::MAX.0).map(Self)
	}
}

// SPDX-License-Identifier: Apache-2.0
//! The names of writers.

use core::fmt;

use super::{Medallion, MEDALLION_BITS, MEDALLION_DIGITS};
use crate::convert::parsed;

/// The number is too large for a medallion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MedallionError {
	/// The number.
	pub value: u64,
}

impl fmt::Display for MedallionError {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		write!(f, "{} is not a medallion: the largest is {}", self.value, Medallion::MAX.0)
	}
}

impl core::error::Error for MedallionError {}

/// The text is not a valid medallion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseMedallionError {
	/// The text does not have 11 digits.
	Length {
		/// The length of the text, in bytes.
		found: usize,
	},
	/// A byte is not a hexadecimal digit.
	Digit {
		/// Position of the byte.
		at: usize,
	},
	/// All digits are `F`.
	TooLarge(MedallionError),
}

impl ParseMedallionError {
	/// Returns the position of the byte that broke the rule; for a wrong length, the end of the
	/// text.
	pub const fn position(&self) -> usize {
		match *self {
			Self::Length { found } => found,
			Self::Digit { at } => at,
			Self::TooLarge(_) => 0,
		}
	}
}

impl fmt::Display for ParseMedallionError {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::Length { found } => {
				write!(f, "a medallion has {MEDALLION_DIGITS} bytes of text, not {found}")
			},
			Self::Digit { at } => write!(f, "byte {at} is not a hexadecimal digit"),
			Self::TooLarge(error) => error.fmt(f),
		}
	}
}

impl core::error::Error for ParseMedallionError {}

impl Medallion {
	/// Number of bytes in the packed form.
	pub const LEN: usize = 8;
	/// The largest medallion.
	pub const MAX: Self = Self((1 << MEDALLION_BITS) - 2);
	/// The first medallion that can be assigned for the time being.
	pub const FIRST_ASSIGNABLE: Self = Self(0x100_0000_0000);
	/// The last medallion that can be assigned for the time being. (The specification's decimal
	/// number is larger by one than its hexadecimal one, which is meant.)
	pub const LAST_ASSIGNABLE: Self = Self(0x1ff_ffff_ffff);

	/// Returns the medallion of this number.
	pub const fn new(value: u64) -> Result<Self, MedallionError> {
		if value > Self::MAX.0 {
			return Err(MedallionError { value });
		}
		Ok(Self(value))
	}

	/// Returns one of the medallions that can be assigned, made of the lowest 40 of these random
	/// bits.
	pub const fn random(bits: u64) -> Self {
		Self(Self::FIRST_ASSIGNABLE.0 | bits & (Self::FIRST_ASSIGNABLE.0 - 1))
	}

	/// Returns the number.
	pub const fn get(self) -> u64 {
		self.0
	}

	/// Returns true if a writer can be assigned it for the time being.
	pub const fn is_assignable(self) -> bool {
		self.0 >= Self::FIRST_ASSIGNABLE.0 && self.0 <= Self::LAST_ASSIGNABLE.0
	}

	/// Returns the medallion of eight big-endian bytes.
	pub const fn from_bytes(bytes: [u8; Self::LEN]) -> Result<Self, MedallionError> {
		Self::new(u64::from_be_bytes(bytes))
	}

	/// Returns the eight big-endian bytes.
	pub const fn to_bytes(self) -> [u8; Self::LEN] {
		self.0.to_be_bytes()
	}

	/// Parses the eleven hexadecimal digits that represent it in a muid, of either case.
	pub fn parse(text: &str) -> Result<Self, ParseMedallionError> {
		if text.len() != MEDALLION_DIGITS {
			return Err(ParseMedallionError::Length { found: text.len() });
		}
		let mut value = 0;
		for (at, byte) in text.bytes().enumerate() {
			let digit = char::from(byte).to_digit(16).ok_or(ParseMedallionError::Digit { at })?;
			value = value << 4 | u64::from(digit);
		}
		Self::new(value).map_err(ParseMedallionError::TooLarge)
	}
}

impl TryFrom<u64> for Medallion {
	type Error = MedallionError;

	fn try_from(value: u64) -> Result<Self, MedallionError> {
		Self::new(value)
	}
}

impl From<Medallion> for u64 {
	fn from(medallion: Medallion) -> Self {
		medallion.0
	}
}

impl fmt::Display for Medallion {
	/// Writes the eleven digits that represent it in a muid.
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		write!(f, "{:0width$X}", self.0, width = MEDALLION_DIGITS)
	}
}

parsed! { Medallion: ParseMedallionError; }

#[cfg(feature = "arbitrary")]
impl arbitrary::Arbitrary<'_> for Medallion {
	fn arbitrary(bytes: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Self> {
		bytes.int_in_range(0..=Self::MAX.0).map(Self)
	}
}

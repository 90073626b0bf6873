// SPDX-License-Identifier: Apache-2.0
//! The names of writers.

use core::fmt;

use super::{Medallion, MEDALLION_BITS, MEDALLION_DIGITS};
use crate::convert::{bounded, parsed, rules};

bounded!(Medallion(u64): MedallionError, "a medallion");

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

rules! { ParseMedallionError, at, "For a wrong length, it is the end of the text.":
	Self::Length { found } =>
		found, "a medallion has {MEDALLION_DIGITS} bytes of text, not {found}";
	Self::Digit { at } => at, "byte {at} is not a hexadecimal digit";
	Self::TooLarge(error) => 0, "{error}";
}

impl Medallion {
	/// The largest medallion.
	pub const MAX: Self = Self((1 << MEDALLION_BITS) - 2);
	/// The first medallion that can be assigned for the time being.
	pub const FIRST_ASSIGNABLE: Self = Self(0x100_0000_0000);
	/// The last medallion that can be assigned for the time being. (The specification's decimal
	/// number is larger by one than its hexadecimal one, which is meant.)
	pub const LAST_ASSIGNABLE: Self = Self(0x1ff_ffff_ffff);

	/// Returns one of the medallions that can be assigned, made of the lowest 40 of these random
	/// bits.
	pub const fn random(bits: u64) -> Self {
		Self(Self::FIRST_ASSIGNABLE.0 | bits & (Self::FIRST_ASSIGNABLE.0 - 1))
	}

	/// Returns true if a writer can be assigned it for the time being.
	pub const fn is_assignable(self) -> bool {
		self.0 >= Self::FIRST_ASSIGNABLE.0 && self.0 <= Self::LAST_ASSIGNABLE.0
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

impl fmt::Display for Medallion {
	/// Writes the eleven digits that represent it in a muid.
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		write!(f, "{:0width$X}", self.0, width = MEDALLION_DIGITS)
	}
}

parsed!(Medallion: ParseMedallionError, Self::parse);

// SPDX-License-Identifier: Apache-2.0
//! TIDs: 64-bit timestamp ids of 13 characters.
//!
//! A TID is a bit that is zero, 53 bits of microseconds since the Unix epoch, and 10 bits of a
//! clock id, which distinguishes clocks that tick at the same time. In text, the number is
//! right-aligned in 13 characters of five bits each, from the alphabet
//! `234567abcdefghijklmnopqrstuvwxyz`. The alphabet is in the order of ASCII, so the texts have the
//! order of the numbers. The format is the AT Protocol's.
//!
//! The first character holds four bits of the number, so it is one of the first sixteen. The
//! protocol's interoperability vectors include valid texts whose number has its top bit set. They
//! are parsed here without loss; no generator makes them, and [`Tid::parse_strict`] and collections
//! of TIDs refuse them.

mod clock_id;
mod generator;
#[cfg(feature = "codec")]
mod scale;

use core::fmt;

pub use clock_id::{ClockIdError, ParseClockIdError};
#[cfg(target_has_atomic = "64")]
pub use generator::AtomicTidGenerator;
pub use generator::TidGenerator;

use crate::convert::{ascii, messages, packed, parsed, rules};

const ALPHABET: &[u8; 32] = b"234567abcdefghijklmnopqrstuvwxyz";
const CLOCK_ID_BITS: u32 = 10;
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

/// A 64-bit timestamp id.
///
/// ```
/// use content_fabric_identifiers::Tid;
///
/// let tid: Tid = "3jui7kd54zh2y".parse()?;
/// assert_eq!(tid.timestamp(), 1_682_739_741_953_005);
/// assert_eq!(tid.clock_id(), 30);
/// assert_eq!(tid.to_string(), "3jui7kd54zh2y");
/// # Ok::<_, content_fabric_identifiers::ParseTidError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct Tid(u64);

/// The number of a clock, 0 to 1023. Text: the decimal number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "codec", derive(codec::Encode, codec::MaxEncodedLen, scale_info::TypeInfo))]
pub struct ClockId(u16);

/// No TID has the timestamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TidError {
	/// The timestamp needs more than 53 bits: it is past the year 2255.
	TimestampTooLarge {
		/// The timestamp that the TID would have, in microseconds since the Unix epoch.
		found: u64,
	},
}

messages! { TidError:
	Self::TimestampTooLarge { found } =>
		"the timestamp of a TID is at most {} microseconds, not {found}", Tid::MAX_TIMESTAMP;
}

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
	/// The first character needs more bits than are left of the 64.
	TooLarge,
	/// The top bit of the number is set, which only [`Tid::parse_strict`] refuses.
	TopBit,
}

rules! { ParseTidError, at, "For a wrong length, it is the end of the text.":
	Self::Length { found } => found, "a TID has {} bytes of text, not {found}", Tid::TEXT_LEN;
	Self::Character { at } => at, "byte {at} is not one of 234567abcdefghijklmnopqrstuvwxyz";
	Self::TooLarge => 0, "byte 0 is after `j`, so the number needs more than 64 bits";
	Self::TopBit => 0, "byte 0 is after `b`, so the top bit is set, which is always 0 in a TID";
}

impl Tid {
	/// Number of bytes in the packed form.
	pub const LEN: usize = 8;
	/// Bytes of the text.
	pub const TEXT_LEN: usize = 13;
	/// The largest timestamp that [`Tid::new`] takes: 2^53 - 1.
	pub const MAX_TIMESTAMP: u64 = (1 << 53) - 1;

	/// Returns the TID of a timestamp, in microseconds since the Unix epoch, and a clock id.
	#[inline]
	pub const fn new(timestamp: u64, clock_id: ClockId) -> Result<Self, TidError> {
		if timestamp > Self::MAX_TIMESTAMP {
			return Err(TidError::TimestampTooLarge { found: timestamp });
		}
		Ok(Self(timestamp << CLOCK_ID_BITS | clock_id.0 as u64))
	}

	/// Returns the TID that a clock makes after `last` at the time `now`, in microseconds since the
	/// Unix epoch: the one of that time, or of the microsecond after `last` if the clock stands
	/// still or has stepped back. It is always later than `last`.
	///
	/// ```
	/// use content_fabric_identifiers::{ClockId, Tid};
	///
	/// let first = Tid::next(None, 1_682_739_741_953_005, ClockId::MAX)?;
	/// let second = Tid::next(Some(first), 1_682_739_741_953_004, ClockId::MAX)?;
	/// assert_eq!(second.timestamp(), 1_682_739_741_953_006);
	/// # Ok::<_, content_fabric_identifiers::TidError>(())
	/// ```
	#[inline]
	pub const fn next(last: Option<Self>, now: u64, clock_id: ClockId) -> Result<Self, TidError> {
		match last {
			// A timestamp has 54 bits at most, so the sum fits.
			Some(last) if now <= last.timestamp() => Self::new(last.timestamp() + 1, clock_id),
			_ => Self::new(now, clock_id),
		}
	}

	/// Returns true if a generator can have made this TID: its top bit is not set.
	pub const fn is_generated(self) -> bool {
		self.timestamp() <= Self::MAX_TIMESTAMP
	}

	/// Returns the TID of a number. Every number is one.
	pub const fn from_u64(value: u64) -> Self {
		Self(value)
	}

	/// Returns the number.
	pub const fn to_u64(self) -> u64 {
		self.0
	}

	/// Returns the TID of eight big-endian bytes. Every value of eight bytes is a TID.
	pub const fn from_bytes(bytes: [u8; Self::LEN]) -> Self {
		Self(u64::from_be_bytes(bytes))
	}

	/// Returns the eight big-endian bytes, whose order is the order of the TIDs.
	pub const fn to_bytes(self) -> [u8; Self::LEN] {
		self.0.to_be_bytes()
	}

	/// Returns the microseconds since the Unix epoch: 53 bits, or 54 in a TID whose top bit is set.
	pub const fn timestamp(self) -> u64 {
		self.0 >> CLOCK_ID_BITS
	}

	/// Returns the number of the clock.
	pub const fn clock_id(self) -> u16 {
		self.0 as u16 & ClockId::MAX.0
	}

	/// Writes the text into a buffer.
	#[inline]
	pub fn write_to(self, text: &mut [u8; Self::TEXT_LEN]) -> &str {
		*text = self.to_text();
		ascii(text)
	}

	/// Returns the bytes of the text.
	#[inline]
	pub fn to_text(self) -> [u8; Self::TEXT_LEN] {
		let mut text = [ALPHABET[(self.0 >> 60) as usize]; Self::TEXT_LEN];
		let mut rest = self.0;
		for pair in text[1..].rchunks_exact_mut(2) {
			pair.copy_from_slice(&PAIRS[(rest & 0x3ff) as usize]);
			rest >>= 10;
		}
		text
	}

	/// Parses a text. Its number may have the top bit set, as in the protocol's vectors.
	#[inline]
	pub fn parse(text: &str) -> Result<Self, ParseTidError> {
		Self::from_text(text.as_bytes())
	}

	/// Parses a text whose number has a top bit of 0, as the format requires: one that a generator
	/// can have made.
	///
	/// ```
	/// use content_fabric_identifiers::{ParseTidError, Tid};
	///
	/// assert!(Tid::parse_strict("bzzzzzzzzzzzz").is_ok());
	/// assert!(Tid::parse("jzzzzzzzzzzzz").is_ok());
	/// assert_eq!(Tid::parse_strict("jzzzzzzzzzzzz"), Err(ParseTidError::TopBit));
	/// ```
	#[inline]
	pub fn parse_strict(text: &str) -> Result<Self, ParseTidError> {
		match Self::parse(text) {
			Ok(tid) if !tid.is_generated() => Err(ParseTidError::TopBit),
			parsed => parsed,
		}
	}

	/// Parses a text given in bytes, as [`Self::parse`] does.
	#[inline]
	pub fn from_text(text: &[u8]) -> Result<Self, ParseTidError> {
		let digits = <&[u8; Self::TEXT_LEN]>::try_from(text)
			.map_err(|_| ParseTidError::Length { found: text.len() })?;
		let first = VALUES[digits[0] as usize];
		let (mut value, mut seen) = (first as u64, first);
		let mut i = 1;
		while i < Self::TEXT_LEN {
			let digit = VALUES[digits[i] as usize];
			seen |= digit;
			value = value << 5 | digit as u64 & 31;
			i += 1;
		}
		if seen & NO_VALUE != 0 || first > 15 {
			return Err(Self::first_error(digits));
		}
		Ok(Self(value))
	}

	#[cold]
	fn first_error(digits: &[u8; Self::TEXT_LEN]) -> ParseTidError {
		match digits.iter().position(|byte| VALUES[*byte as usize] == NO_VALUE) {
			Some(at) if at == 0 || VALUES[digits[0] as usize] <= 15 => {
				ParseTidError::Character { at }
			},
			_ => ParseTidError::TooLarge,
		}
	}
}

impl fmt::Display for Tid {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.pad(self.write_to(&mut [0; Self::TEXT_LEN]))
	}
}

impl fmt::Debug for Tid {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		write!(f, "Tid({self})")
	}
}

packed!(Tid, Tid::LEN);
parsed!(Tid: ParseTidError, Self::parse);

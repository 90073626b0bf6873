// SPDX-License-Identifier: Apache-2.0
//! TIDs: 64-bit timestamp ids of 13 characters.
//!
//! A TID is a bit that is zero, 53 bits of microseconds since the Unix epoch, and 10 bits of a
//! clock id, which distinguishes clocks that tick at the same time. In text, the number is
//! right-aligned in 13 characters of five bits each, from the alphabet
//! `234567abcdefghijklmnopqrstuvwxyz`. The alphabet is in the order of ASCII, so the texts have the
//! order of the numbers. The format is the AT Protocol's.
//!
//! The top bit of the number is 0, so the first character is one of `2` to `b`: [`Tid`] holds no
//! other number. The protocol's interoperability vectors also have texts whose top bit is set, with
//! a first character of `c` to `j`. [`LenientTid`] reads and writes these, too.

mod clock_id;
mod generator;
mod lenient;
#[cfg(feature = "codec")]
mod scale;
mod text;

use core::fmt;

pub use clock_id::{ClockIdError, ParseClockIdError};
#[cfg(target_has_atomic = "64")]
pub use generator::AtomicTidGenerator;
pub use generator::TidGenerator;
pub use lenient::LenientTid;
pub use text::ParseTidError;

use crate::convert::{ascii, messages, parsed};

const CLOCK_ID_BITS: u32 = 10;

/// A 64-bit timestamp id, whose top bit is 0.
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

impl Tid {
	/// Number of bytes in the packed form.
	pub const LEN: usize = 8;
	/// Bytes of the text.
	pub const TEXT_LEN: usize = 13;
	/// The largest timestamp: 2^53 - 1.
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
			// A timestamp has 53 bits, so the sum fits.
			Some(last) if now <= last.timestamp() => Self::new(last.timestamp() + 1, clock_id),
			_ => Self::new(now, clock_id),
		}
	}

	/// Returns the TID of a number, whose top bit must be 0: otherwise its timestamp is too large.
	#[inline]
	pub const fn from_u64(value: u64) -> Result<Self, TidError> {
		let timestamp = value >> CLOCK_ID_BITS;
		if timestamp > Self::MAX_TIMESTAMP {
			return Err(TidError::TimestampTooLarge { found: timestamp });
		}
		Ok(Self(value))
	}

	/// Returns the number.
	pub const fn to_u64(self) -> u64 {
		self.0
	}

	/// Returns the TID of eight big-endian bytes, whose top bit must be 0.
	#[inline]
	pub const fn from_bytes(bytes: [u8; Self::LEN]) -> Result<Self, TidError> {
		Self::from_u64(u64::from_be_bytes(bytes))
	}

	/// Returns the eight big-endian bytes, whose order is the order of the TIDs.
	pub const fn to_bytes(self) -> [u8; Self::LEN] {
		self.0.to_be_bytes()
	}

	/// Returns the microseconds since the Unix epoch: 53 bits.
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
		text::encode(self.0)
	}

	/// Parses a text whose first character is one of `2` to `b`: the top bit is 0.
	///
	/// ```
	/// use content_fabric_identifiers::{LenientTid, ParseTidError, Tid};
	///
	/// assert!(Tid::parse("bzzzzzzzzzzzz").is_ok());
	/// assert_eq!(Tid::parse("czzzzzzzzzzzz"), Err(ParseTidError::TopBit));
	/// assert!(LenientTid::parse("czzzzzzzzzzzz").is_ok());
	/// ```
	#[inline]
	pub fn parse(text: &str) -> Result<Self, ParseTidError> {
		Self::from_text(text.as_bytes())
	}

	/// Parses a text given in bytes, as [`Self::parse`] does.
	#[inline]
	pub fn from_text(text: &[u8]) -> Result<Self, ParseTidError> {
		let value = text::decode(text)?;
		Self::from_u64(value).map_err(|_| ParseTidError::TopBit)
	}
}

impl From<Tid> for u64 {
	fn from(tid: Tid) -> Self {
		tid.0
	}
}

impl From<Tid> for [u8; Tid::LEN] {
	fn from(tid: Tid) -> Self {
		tid.to_bytes()
	}
}

impl TryFrom<u64> for Tid {
	type Error = TidError;

	fn try_from(value: u64) -> Result<Self, TidError> {
		Self::from_u64(value)
	}
}

impl TryFrom<[u8; Tid::LEN]> for Tid {
	type Error = TidError;

	/// Reads the packed bytes.
	fn try_from(bytes: [u8; Self::LEN]) -> Result<Self, TidError> {
		Self::from_bytes(bytes)
	}
}

#[cfg(feature = "arbitrary")]
impl arbitrary::Arbitrary<'_> for Tid {
	fn arbitrary(bytes: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Self> {
		bytes.int_in_range(0..=u64::MAX >> 1).map(Self)
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

parsed!(Tid: ParseTidError, Self::parse);

// SPDX-License-Identifier: Apache-2.0
//! TIDs of other writers, whose top bit may be set.

use core::fmt;

use super::{text, ClockId, ParseTidError, Tid, TidError, CLOCK_ID_BITS};
use crate::convert::{ascii, packed, parsed};

/// A number in the form of a TID whose top bit may be set, as in the AT Protocol's interoperability
/// vectors. A [`Tid`] cannot hold a number with that bit set. No generator makes such a number, and
/// no collection of TIDs accepts it as a record key.
///
/// ```
/// use content_fabric_identifiers::{LenientTid, Tid};
///
/// let tid: LenientTid = "jzzzzzzzzzzzz".parse()?;
/// assert_eq!((tid.to_u64(), tid.to_string().as_str()), (u64::MAX, "jzzzzzzzzzzzz"));
/// assert!(tid.has_top_bit() && tid.strict().is_err());
/// let tid: LenientTid = "3jui7kd54zh2y".parse()?;
/// assert_eq!(tid.strict().ok(), Tid::parse("3jui7kd54zh2y").ok());
/// # Ok::<_, content_fabric_identifiers::ParseTidError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct LenientTid(u64);

impl LenientTid {
	/// Number of bytes in the packed form.
	pub const LEN: usize = Tid::LEN;

	/// Returns the lenient TID of a number. Every number is valid.
	pub const fn from_u64(value: u64) -> Self {
		Self(value)
	}

	/// Returns the number.
	pub const fn to_u64(self) -> u64 {
		self.0
	}

	/// Returns the lenient TID of eight big-endian bytes. All bytes are valid.
	pub const fn from_bytes(bytes: [u8; Self::LEN]) -> Self {
		Self(u64::from_be_bytes(bytes))
	}

	/// Returns the eight big-endian bytes.
	pub const fn to_bytes(self) -> [u8; Self::LEN] {
		self.0.to_be_bytes()
	}

	/// Returns the microseconds since the Unix epoch: 53 bits, or 54 if the top bit is set.
	pub const fn timestamp(self) -> u64 {
		self.0 >> CLOCK_ID_BITS
	}

	/// Returns the number of the clock.
	pub const fn clock_id(self) -> u16 {
		self.0 as u16 & ClockId::MAX.0
	}

	/// Returns `true` if the top bit is set, so that this is not a valid [`Tid`].
	pub const fn has_top_bit(self) -> bool {
		self.timestamp() > Tid::MAX_TIMESTAMP
	}

	/// Returns the TID, if the top bit is 0.
	pub const fn strict(self) -> Result<Tid, TidError> {
		Tid::from_u64(self.0)
	}

	/// Parses a text whose first character is one of `2` to `j`: the number has 64 bits.
	pub fn parse(text: &str) -> Result<Self, ParseTidError> {
		Self::from_text(text.as_bytes())
	}

	/// Parses a text given in bytes, as [`Self::parse`] does.
	pub fn from_text(text: &[u8]) -> Result<Self, ParseTidError> {
		text::decode(text).map(Self)
	}
}

impl From<Tid> for LenientTid {
	fn from(tid: Tid) -> Self {
		Self(tid.0)
	}
}

impl TryFrom<LenientTid> for Tid {
	type Error = TidError;

	fn try_from(tid: LenientTid) -> Result<Self, TidError> {
		tid.strict()
	}
}

impl fmt::Display for LenientTid {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.pad(ascii(&text::encode(self.0)))
	}
}

impl fmt::Debug for LenientTid {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		write!(f, "LenientTid({self})")
	}
}

packed!(LenientTid, LenientTid::LEN);
parsed!(LenientTid: ParseTidError, Self::parse);

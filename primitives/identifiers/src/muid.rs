// SPDX-License-Identifier: Apache-2.0
//! Muids: 128-bit ids that are ordered by time.
//!
//! A muid is a timestamp of 52 bits, in microseconds since the Unix epoch; a medallion of 44 bits,
//! which names the writer; and an offset of 32 bits, which numbers the creations of one transaction
//! of the writer. Packed, the three stand one after the other, most significant byte first. In
//! text they are upper-case hexadecimal digits in groups of 13, 11 and 8, so the digits spell the
//! packed bytes. Muids have the order of their packed bytes, and of their texts: all three parts
//! are compared without a sign, so negative offsets come after positive ones.
//!
//! The format follows Gink's muid specification.

#[cfg(any(feature = "scale-decode", feature = "scale-encode"))]
mod as_type;
mod generator;
mod medallion;
mod parts;
mod reference;
#[cfg(feature = "codec")]
mod scale;
mod text;

pub use generator::{MuidGenerator, Transaction};
pub use medallion::{MedallionError, ParseMedallionError};
pub use parts::MuidParts;
pub use reference::ResolveMuidError;
pub use text::{ParseMuidError, ShortMuid};

use crate::convert::{messages, packed};

/// Digits of the medallion in text.
const MEDALLION_DIGITS: usize = 11;

const MEDALLION_BITS: u32 = 44;
const OFFSET_BITS: u32 = 32;

/// A 128-bit id that is ordered by time.
///
/// Every value of 16 bytes is a muid.
///
/// ```
/// use content_fabric_identifiers::Muid;
///
/// let muid: Muid = "5D5EAC793E61F-1BFC71B112D-0000000B".parse()?;
/// assert_eq!(muid.timestamp(), 1_642_579_230_975_519);
/// assert_eq!(muid.medallion(), 1_923_190_821_165);
/// assert_eq!(muid.offset(), 11);
/// assert_eq!(muid.with_offset(0).short().to_string(), "5D5EAC793E61F-1BFC71B112D");
/// # Ok::<_, content_fabric_identifiers::ParseMuidError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
pub struct Muid(u128);

/// The name of a writer of muids: 0 to 17592186044414, which excludes the 44-bit number of ones
/// only. Text: the eleven digits that represent it in a muid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "codec", derive(codec::Encode, codec::MaxEncodedLen, scale_info::TypeInfo))]
pub struct Medallion(u64);

/// No muid has these parts, or no further muid can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MuidError {
	/// The timestamp needs more than 52 bits: it is past the year 2112.
	TimestampTooLarge {
		/// The timestamp that the muid would have, in microseconds since the Unix epoch.
		found: u64,
	},
	/// The medallion needs more than 44 bits.
	MedallionTooLarge {
		/// The number.
		found: u64,
	},
	/// The transaction has all the 2^31 - 1 creations that offsets can distinguish.
	OffsetExhausted,
}

messages! { MuidError:
	Self::TimestampTooLarge { found } =>
		"the timestamp of a muid is at most {} microseconds, not {found}", Muid::MAX_TIMESTAMP;
	Self::MedallionTooLarge { found } =>
		"the medallion {found} needs more than {MEDALLION_BITS} bits";
	Self::OffsetExhausted => "the transaction has used all offsets";
}

impl Muid {
	/// Number of bytes in the packed form.
	pub const LEN: usize = 16;
	/// The largest timestamp: 2112-09-17T23:53:47.370495Z.
	pub const MAX_TIMESTAMP: u64 = (1 << 52) - 1;

	/// Returns the muid of a timestamp, in microseconds since the Unix epoch, a medallion and an
	/// offset.
	pub const fn new(timestamp: u64, medallion: Medallion, offset: i32) -> Result<Self, MuidError> {
		if timestamp > Self::MAX_TIMESTAMP {
			return Err(MuidError::TimestampTooLarge { found: timestamp });
		}
		Ok(Self::pack(timestamp, medallion.0, offset as u32))
	}

	/// Packs three parts, all of which must be in range.
	#[inline(always)]
	const fn pack(timestamp: u64, medallion: u64, offset: u32) -> Self {
		Self(
			(timestamp as u128) << (MEDALLION_BITS + OFFSET_BITS)
				| (medallion as u128) << OFFSET_BITS
				| offset as u128,
		)
	}

	/// Returns the muid of the transaction that a writer begins after `last` at the time `now`, in
	/// microseconds since the Unix epoch: offset 0 of that time, or of the microsecond after `last`
	/// if the clock stands still or has stepped back.
	#[inline]
	pub const fn next_transaction(
		last: Option<Self>,
		now: u64,
		medallion: Medallion,
	) -> Result<Self, MuidError> {
		match last {
			// A timestamp has 52 bits, so the sum fits.
			Some(last) if now <= last.timestamp() => Self::new(last.timestamp() + 1, medallion, 0),
			_ => Self::new(now, medallion, 0),
		}
	}

	/// Returns the muid that a writer makes after `last` at the time `now`, in microseconds since
	/// the Unix epoch. It is always later than `last`: the next positive offset of its timestamp,
	/// if the clock stands still or has stepped back; otherwise, or if there is no such offset,
	/// offset 1 of a later timestamp. (Offset 0 is the transaction itself.)
	///
	/// ```
	/// use content_fabric_identifiers::{Medallion, Muid};
	///
	/// let first = Muid::next(None, 1_642_579_230_975_519, Medallion::FIRST_ASSIGNABLE)?;
	/// let second = Muid::next(Some(first), 1_642_579_230_975_518, Medallion::FIRST_ASSIGNABLE)?;
	/// assert_eq!(second.to_string(), "5D5EAC793E61F-10000000000-00000002");
	/// # Ok::<_, content_fabric_identifiers::MuidError>(())
	/// ```
	pub const fn next(
		last: Option<Self>,
		now: u64,
		medallion: Medallion,
	) -> Result<Self, MuidError> {
		if let Some(last) = last {
			// A negative offset is relative to a context, so the next one is not an absolute muid.
			if now <= last.timestamp() && last.offset() >= 0 {
				if let Some(offset) = last.offset().checked_add(1) {
					let muid = Self::pack(last.timestamp(), medallion.0, offset as u32);
					// The medallion may be lower than in `last`.
					if muid.0 > last.0 {
						return Ok(muid);
					}
				}
			}
		}
		match Self::next_transaction(last, now, medallion) {
			Ok(transaction) => Ok(transaction.with_offset(1)),
			Err(error) => Err(error),
		}
	}

	/// Returns the muid of a number. Every number is one.
	pub const fn from_u128(value: u128) -> Self {
		Self(value)
	}

	/// Returns the number whose big-endian bytes are the packed form.
	pub const fn to_u128(self) -> u128 {
		self.0
	}

	/// Returns the muid of 16 big-endian bytes. Every value of 16 bytes is a muid.
	pub const fn from_bytes(bytes: [u8; Self::LEN]) -> Self {
		Self(u128::from_be_bytes(bytes))
	}

	/// Returns the 16 big-endian bytes, whose order is the order of the muids.
	pub const fn to_bytes(self) -> [u8; Self::LEN] {
		self.0.to_be_bytes()
	}

	/// Returns the microseconds since the Unix epoch.
	pub const fn timestamp(self) -> u64 {
		(self.0 >> (MEDALLION_BITS + OFFSET_BITS)) as u64
	}

	/// Returns the number of the writer. A muid from elsewhere can hold the one number that is not
	/// a [`Medallion`].
	pub const fn medallion(self) -> u64 {
		(self.0 >> OFFSET_BITS) as u64 & ((1 << MEDALLION_BITS) - 1)
	}

	/// Returns the number of the creation within its transaction. 0 is the transaction itself.
	pub const fn offset(self) -> i32 {
		self.0 as u32 as i32
	}

	/// Returns the muid of another creation of the same transaction.
	pub const fn with_offset(self, offset: i32) -> Self {
		Self(self.0 >> OFFSET_BITS << OFFSET_BITS | offset as u32 as u128)
	}
}

packed!(Muid, Muid::LEN);

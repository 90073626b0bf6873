// SPDX-License-Identifier: Apache-2.0
//! Items whose type is known at run time only.

use alloc::{borrow::Cow, vec::Vec};
use core::cmp::Ordering;

/// The item that comes before all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Null;

/// The 16 bytes of a UUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uuid(pub [u8; 16]);

/// A number of 96 bits by which a store orders transactions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Versionstamp {
	/// Given by the store to each transaction.
	pub transaction: [u8; 10],
	/// Given by the user within the transaction.
	pub user: u16,
}

/// An integer of up to 255 bytes, the most that a packed one can have.
#[cfg(feature = "bigint")]
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BigInt(pub(super) num_bigint::BigInt);

/// An integer has more than 255 bytes.
#[cfg(feature = "bigint")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BigIntError {
	/// Number of bits of the integer.
	pub bits: u64,
}

#[cfg(feature = "bigint")]
impl core::fmt::Display for BigIntError {
	fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
		write!(f, "an integer in a tuple has at most {} bits, not {}", BigInt::MAX_BITS, self.bits)
	}
}

#[cfg(feature = "bigint")]
impl core::error::Error for BigIntError {}

#[cfg(feature = "bigint")]
impl BigInt {
	/// Greatest number of bits of the magnitude.
	pub const MAX_BITS: u64 = 255 * 8;

	/// Returns the number.
	pub fn get(&self) -> &num_bigint::BigInt {
		&self.0
	}
}

#[cfg(feature = "bigint")]
impl TryFrom<num_bigint::BigInt> for BigInt {
	type Error = BigIntError;

	fn try_from(value: num_bigint::BigInt) -> Result<Self, BigIntError> {
		match value.bits() {
			..=Self::MAX_BITS => Ok(Self(value)),
			bits => Err(BigIntError { bits }),
		}
	}
}

/// An item of any type. An item read from bytes borrows from them, except strings that hold zeros.
///
/// Elements have the order of their packed bytes: first by type, in the order of the variants here
/// but for the integers, which are ordered among each other; floats by IEEE 754's total order.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Element<'a> {
	/// Null.
	Null,
	/// A byte string.
	Bytes(Cow<'a, [u8]>),
	/// A string, ordered by its UTF-8, which is the order of code points.
	String(Cow<'a, str>),
	/// A nested tuple.
	Tuple(Vec<Element<'a>>),
	/// An integer.
	Int(i128),
	/// An integer of any size. An integer that is read is an [`Element::Int`] if it fits.
	#[cfg(feature = "bigint")]
	BigInt(BigInt),
	/// A float of 32 bits.
	Float(f32),
	/// A float of 64 bits.
	Double(f64),
	/// A boolean.
	Bool(bool),
	/// A UUID.
	Uuid(Uuid),
	/// A versionstamp.
	Versionstamp(Versionstamp),
}

impl Element<'_> {
	fn rank(&self) -> u8 {
		match self {
			Self::Null => 0,
			Self::Bytes(_) => 1,
			Self::String(_) => 2,
			Self::Tuple(_) => 3,
			Self::Int(_) => 4,
			#[cfg(feature = "bigint")]
			Self::BigInt(_) => 4,
			Self::Float(_) => 5,
			Self::Double(_) => 6,
			Self::Bool(_) => 7,
			Self::Uuid(_) => 8,
			Self::Versionstamp(_) => 9,
		}
	}
}

impl Ord for Element<'_> {
	fn cmp(&self, other: &Self) -> Ordering {
		match (self, other) {
			(Self::Bytes(a), Self::Bytes(b)) => a.cmp(b),
			(Self::String(a), Self::String(b)) => a.cmp(b),
			(Self::Tuple(a), Self::Tuple(b)) => a.cmp(b),
			(Self::Int(a), Self::Int(b)) => a.cmp(b),
			#[cfg(feature = "bigint")]
			(Self::BigInt(a), Self::BigInt(b)) => a.cmp(b),
			#[cfg(feature = "bigint")]
			(Self::BigInt(a), Self::Int(b)) => a.0.cmp(&(*b).into()),
			#[cfg(feature = "bigint")]
			(Self::Int(a), Self::BigInt(b)) => num_bigint::BigInt::from(*a).cmp(&b.0),
			(Self::Float(a), Self::Float(b)) => a.total_cmp(b),
			(Self::Double(a), Self::Double(b)) => a.total_cmp(b),
			(Self::Bool(a), Self::Bool(b)) => a.cmp(b),
			(Self::Uuid(a), Self::Uuid(b)) => a.cmp(b),
			(Self::Versionstamp(a), Self::Versionstamp(b)) => a.cmp(b),
			_ => self.rank().cmp(&other.rank()),
		}
	}
}

impl PartialOrd for Element<'_> {
	fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
		Some(self.cmp(other))
	}
}

impl PartialEq for Element<'_> {
	fn eq(&self, other: &Self) -> bool {
		self.cmp(other).is_eq()
	}
}

impl Eq for Element<'_> {}

macro_rules! from {
	($($type:ty => |$value:ident| $element:expr;)*) => {$(
		impl<'a> From<$type> for Element<'a> {
			fn from($value: $type) -> Self {
				$element
			}
		}
	)*};
}

from! {
	Null => |_null| Self::Null;
	&'a [u8] => |value| Self::Bytes(value.into());
	Vec<u8> => |value| Self::Bytes(value.into());
	&'a str => |value| Self::String(value.into());
	alloc::string::String => |value| Self::String(value.into());
	Vec<Element<'a>> => |value| Self::Tuple(value);
	i32 => |value| Self::Int(value.into());
	u32 => |value| Self::Int(value.into());
	i64 => |value| Self::Int(value.into());
	u64 => |value| Self::Int(value.into());
	i128 => |value| Self::Int(value);
	f32 => |value| Self::Float(value);
	f64 => |value| Self::Double(value);
	bool => |value| Self::Bool(value);
	Uuid => |value| Self::Uuid(value);
	Versionstamp => |value| Self::Versionstamp(value);
}
#[cfg(feature = "bigint")]
from! { BigInt => |value| Self::BigInt(value); }

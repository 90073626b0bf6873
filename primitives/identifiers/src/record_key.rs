// SPDX-License-Identifier: Apache-2.0
//! Record keys: the names of records within a collection.
//!
//! A record key has 1 to 512 bytes, is neither `.` nor `..`, and consists of letters, digits and a
//! few marks. The marks depend on the dialect, see [`RecordKeySyntax`]. A collection can restrict
//! its keys further to a [`RecordKeyType`]. The rules are the AT Protocol's.

mod check;
mod key_type;
#[cfg(feature = "alloc")]
mod name;
#[cfg(feature = "alloc")]
mod owned;
mod syntax;

pub(crate) use check::check;
pub use key_type::{ParseRecordKeyTypeError, RecordKeyTypeError};
#[cfg(feature = "alloc")]
pub use owned::RecordKeyBuf;
pub use syntax::ParseRecordKeySyntaxError;

use crate::{
	convert::{ascii, borrowed, rules},
	Nsid,
};

/// The characters that a record key may have. Record keys are case-sensitive. Text: `unreserved` or
/// `path-segment`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
#[cfg_attr(feature = "codec", derive(codec::Encode, codec::Decode, codec::MaxEncodedLen))]
#[cfg_attr(feature = "codec", derive(codec::DecodeWithMemTracking, scale_info::TypeInfo))]
#[cfg_attr(feature = "scale-decode", derive(scale_decode::DecodeAsType))]
#[cfg_attr(feature = "scale-encode", derive(scale_encode::EncodeAsType))]
pub enum RecordKeySyntax {
	/// The characters that a URI never escapes: letters, digits, `.`, `-`, `_` and `~`. The AT
	/// Protocol's syntax until February 2024.
	#[cfg_attr(feature = "codec", codec(index = 0))]
	Unreserved,
	/// Those, and `:`. The AT Protocol's syntax since.
	#[cfg_attr(feature = "codec", codec(index = 1))]
	#[default]
	PathSegment,
}

/// A record key, borrowed.
///
/// `TryFrom<&str>` and serde accept the wider dialect, [`RecordKeySyntax::PathSegment`].
///
/// ```
/// use content_fabric_identifiers::{ParseRecordKeyError, RecordKey, RecordKeySyntax};
///
/// assert!(RecordKey::parse("example.com", RecordKeySyntax::Unreserved).is_ok());
/// assert!(RecordKey::parse("pre:fix", RecordKeySyntax::PathSegment).is_ok());
/// let refused = RecordKey::parse("pre:fix", RecordKeySyntax::Unreserved);
/// assert_eq!(refused, Err(ParseRecordKeyError::Character { at: 3 }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordKey<'a>(pub(crate) &'a str);

/// The text is not a valid record key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseRecordKeyError {
	/// The text is empty.
	Empty,
	/// The text has more than 512 bytes.
	TooLong {
		/// The length of the text, in bytes.
		found: usize,
	},
	/// The text is `.` or `..`.
	Dots,
	/// A byte is not one of the dialect's characters.
	Character {
		/// Position of the byte.
		at: usize,
	},
}

rules! { ParseRecordKeyError, at:
	Self::Empty => 0, "a record key must not be empty";
	Self::TooLong { found } =>
		RecordKey::MAX_LEN, "a record key has at most {} bytes, not {found}", RecordKey::MAX_LEN;
	Self::Dots => 0, "`.` and `..` are not record keys";
	Self::Character { at } => at, "byte {at} is not allowed in a record key";
}

impl<'a> RecordKey<'a> {
	/// Most bytes of a record key.
	pub const MAX_LEN: usize = 512;
	/// Keys and paths are recommended to have fewer bytes than this.
	pub(crate) const RECOMMENDED_LEN: usize = 80;

	/// Parses a text.
	#[inline]
	pub fn parse(text: &'a str, syntax: RecordKeySyntax) -> Result<Self, ParseRecordKeyError> {
		check(text.as_bytes(), syntax).map(|()| Self(text))
	}

	/// Parses a text given in bytes.
	#[inline]
	pub fn from_bytes(
		bytes: &'a [u8],
		syntax: RecordKeySyntax,
	) -> Result<Self, ParseRecordKeyError> {
		check(bytes, syntax).map(|()| Self(ascii(bytes)))
	}

	/// Returns true if the key belongs to this dialect.
	pub fn is_of(&self, syntax: RecordKeySyntax) -> bool {
		check(self.0.as_bytes(), syntax).is_ok()
	}

	/// Returns true if the key has no upper-case letter and fewer than 80 bytes, as the protocol
	/// recommends. With its collection, the limit holds for the whole path, see
	/// [`RecordPath::is_recommended`](crate::RecordPath::is_recommended).
	pub fn is_recommended(&self) -> bool {
		self.0.len() < Self::RECOMMENDED_LEN
			&& !self.0.bytes().any(|byte| byte.is_ascii_uppercase())
	}
}

impl<'a> From<Nsid<'a>> for RecordKey<'a> {
	/// Returns the NSID as a key. Every NSID is one, of both dialects.
	fn from(nsid: Nsid<'a>) -> Self {
		Self(nsid.as_str())
	}
}

borrowed!(RecordKey: ParseRecordKeyError, |text| RecordKey::parse(text, Default::default()));

/// The type of the record keys that a collection has. `Literal` is the text of a key, borrowed or
/// owned.
///
/// In text: `tid`, `nsid`, `any`, or `literal:` and the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "arbitrary", derive(arbitrary::Arbitrary))]
#[cfg_attr(feature = "codec", derive(codec::Encode, codec::Decode, codec::MaxEncodedLen))]
#[cfg_attr(feature = "codec", derive(codec::DecodeWithMemTracking, scale_info::TypeInfo))]
#[cfg_attr(feature = "scale-decode", derive(scale_decode::DecodeAsType))]
#[cfg_attr(feature = "scale-encode", derive(scale_encode::EncodeAsType))]
pub enum RecordKeyType<Literal> {
	/// TIDs whose top bit is 0: records are ordered by the time of their creation.
	#[cfg_attr(feature = "codec", codec(index = 0))]
	Tid,
	/// NSIDs: at most one record for each record type.
	#[cfg_attr(feature = "codec", codec(index = 1))]
	Nsid,
	/// One key, so at most one record. Case counts.
	#[cfg_attr(feature = "codec", codec(index = 2))]
	Literal(Literal),
	/// Any record key.
	#[cfg_attr(feature = "codec", codec(index = 3))]
	Any,
}

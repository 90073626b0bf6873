//! Record keys: the names of records within a collection.
//!
//! A record key has 1 to 512 bytes, is neither `.` nor `..`, and is made of letters, digits and a
//! few marks. Which marks is a matter of dialect, see [`RecordKeySyntax`]. The keys of a collection
//! may be narrowed further to a [`RecordKeyType`]. The rules are the AT Protocol's.

use core::fmt;

use crate::{Nsid, ParseNsidError, ParseTidError, Tid};

/// Which characters a record key may have. Record keys are case-sensitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
	feature = "codec",
	derive(
		codec::Encode,
		codec::Decode,
		codec::DecodeWithMemTracking,
		codec::MaxEncodedLen,
		scale_info::TypeInfo,
	)
)]
pub enum RecordKeySyntax {
	/// The characters that a URI never escapes: letters, digits, `.`, `-`, `_` and `~`. The AT
	/// Protocol's syntax until February 2024.
	#[cfg_attr(feature = "codec", codec(index = 0))]
	Unreserved,
	/// Those, and `:`. The AT Protocol's syntax since.
	#[cfg_attr(feature = "codec", codec(index = 1))]
	PathSegment,
}

/// A record key, borrowed.
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
pub struct RecordKey<'a>(&'a str);

/// A text is no record key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
	/// A byte is not of the dialect's characters.
	Character {
		/// Position of the byte.
		at: usize,
	},
}

impl ParseRecordKeyError {
	/// Position of the byte that broke the rule.
	pub const fn position(&self) -> usize {
		match *self {
			Self::Empty | Self::Dots => 0,
			Self::TooLong { .. } => RecordKey::MAX_LEN,
			Self::Character { at } => at,
		}
	}
}

impl fmt::Display for ParseRecordKeyError {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::Empty => f.write_str("a record key is not empty"),
			Self::TooLong { found } => write!(
				f,
				"a record key has at most {} bytes of text, not {found}",
				RecordKey::MAX_LEN
			),
			Self::Dots => f.write_str("`.` and `..` are no record keys"),
			Self::Character { at } => write!(f, "byte {at} may not stand in a record key"),
		}
	}
}

impl core::error::Error for ParseRecordKeyError {}

impl RecordKeySyntax {
	/// Whether a byte may stand in a record key.
	#[inline(always)]
	const fn allows(self, byte: u8) -> bool {
		let colon = matches!(self, Self::PathSegment);
		byte.is_ascii_alphanumeric()
			|| matches!(byte, b'-' | b'.' | b'_' | b'~')
			|| colon && byte == b':'
	}

	/// Whether all bytes may stand in a record key. A whole block is looked at before the result is
	/// asked for, so that the compiler can look at its bytes at the same time.
	#[inline(always)]
	fn allows_all<const COLON: bool>(bytes: &[u8]) -> bool {
		const BLOCK: usize = 32;
		let allowed = |byte: u8| {
			let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
			// The colon follows the digits.
			let digit = byte.wrapping_sub(b'0') < 10 + COLON as u8;
			// `-` and `.` are neighbours.
			let mark = byte.wrapping_sub(b'-') < 2;
			letter | digit | mark | (byte == b'_') | (byte == b'~')
		};
		let (blocks, rest) = bytes.as_chunks::<BLOCK>();
		blocks.iter().all(|block| block.iter().fold(true, |all, byte| all & allowed(*byte)))
			& rest.iter().fold(true, |all, byte| all & allowed(*byte))
	}
}

impl<'a> RecordKey<'a> {
	/// Most bytes of a record key.
	pub const MAX_LEN: usize = 512;
	/// Keys are recommended to have fewer bytes than this.
	const RECOMMENDED_LEN: usize = 80;

	/// Reads a text.
	#[inline]
	pub fn parse(text: &'a str, syntax: RecordKeySyntax) -> Result<Self, ParseRecordKeyError> {
		check(text.as_bytes(), syntax).map(|()| Self(text))
	}

	/// Reads a text given in bytes.
	#[inline]
	pub fn from_bytes(
		bytes: &'a [u8],
		syntax: RecordKeySyntax,
	) -> Result<Self, ParseRecordKeyError> {
		check(bytes, syntax)?;
		Ok(Self(
			core::str::from_utf8(bytes).expect("the characters of both dialects are ASCII; qed"),
		))
	}

	/// The text.
	pub const fn as_str(&self) -> &'a str {
		self.0
	}

	/// Whether the key is all lower-case and has fewer than 80 bytes, as the protocol recommends.
	pub fn is_recommended(&self) -> bool {
		self.0.len() < Self::RECOMMENDED_LEN
			&& !self.0.bytes().any(|byte| byte.is_ascii_uppercase())
	}
}

#[inline]
fn check(bytes: &[u8], syntax: RecordKeySyntax) -> Result<(), ParseRecordKeyError> {
	let allowed = match syntax {
		RecordKeySyntax::Unreserved => RecordKeySyntax::allows_all::<false>(bytes),
		RecordKeySyntax::PathSegment => RecordKeySyntax::allows_all::<true>(bytes),
	};
	let length = bytes.len().wrapping_sub(1) < RecordKey::MAX_LEN;
	if allowed & length && bytes != b"." && bytes != b".." {
		return Ok(());
	}
	Err(first_error(bytes, syntax))
}

#[cold]
fn first_error(bytes: &[u8], syntax: RecordKeySyntax) -> ParseRecordKeyError {
	if bytes.is_empty() {
		return ParseRecordKeyError::Empty;
	}
	if bytes.len() > RecordKey::MAX_LEN {
		return ParseRecordKeyError::TooLong { found: bytes.len() };
	}
	match bytes.iter().position(|byte| !syntax.allows(*byte)) {
		Some(at) => ParseRecordKeyError::Character { at },
		None => ParseRecordKeyError::Dots,
	}
}

impl fmt::Display for RecordKey<'_> {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.pad(self.0)
	}
}

impl AsRef<str> for RecordKey<'_> {
	fn as_ref(&self) -> &str {
		self.0
	}
}

/// Which record keys a collection has. `Literal` is the text of a key, borrowed or owned.
///
/// In text: `tid`, `nsid`, `any`, or `literal:` and the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
	feature = "codec",
	derive(
		codec::Encode,
		codec::Decode,
		codec::DecodeWithMemTracking,
		codec::MaxEncodedLen,
		scale_info::TypeInfo,
	)
)]
pub enum RecordKeyType<Literal> {
	/// TIDs: records are ordered by the time of their creation.
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

/// A text names no type of record keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseRecordKeyTypeError {
	/// The text is neither `tid`, `nsid` nor `any`, and does not begin with `literal:`.
	Unknown,
	/// The text after `literal:` is no record key. Positions are within it.
	Literal(ParseRecordKeyError),
}

impl ParseRecordKeyTypeError {
	/// Position of the byte that broke the rule.
	pub const fn position(&self) -> usize {
		match self {
			Self::Unknown => 0,
			Self::Literal(error) => LITERAL.len() + error.position(),
		}
	}
}

impl fmt::Display for ParseRecordKeyTypeError {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::Unknown => f.write_str(
				"a record key type is `tid`, `nsid`, `any`, or `literal:` and a record key",
			),
			Self::Literal(error) => write!(f, "after `{LITERAL}`, {error}"),
		}
	}
}

impl core::error::Error for ParseRecordKeyTypeError {}

/// A text is no record key of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKeyTypeError {
	/// It is no record key at all.
	Syntax(ParseRecordKeyError),
	/// It is no TID.
	Tid(ParseTidError),
	/// It is no NSID.
	Nsid(ParseNsidError),
	/// It is not the one key.
	Literal {
		/// Position of the first byte that differs, or the end of the shorter.
		at: usize,
	},
}

impl RecordKeyTypeError {
	/// Position of the byte that broke the rule.
	pub const fn position(&self) -> usize {
		match self {
			Self::Syntax(error) => error.position(),
			Self::Tid(error) => error.position(),
			Self::Nsid(error) => error.position(),
			Self::Literal { at } => *at,
		}
	}
}

impl fmt::Display for RecordKeyTypeError {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::Syntax(error) => error.fmt(f),
			Self::Tid(error) => write!(f, "the key is no TID: {error}"),
			Self::Nsid(error) => write!(f, "the key is no NSID: {error}"),
			Self::Literal { at } => {
				write!(f, "from byte {at} on the key differs from the only one that is allowed")
			},
		}
	}
}

impl core::error::Error for RecordKeyTypeError {}

const LITERAL: &str = "literal:";

impl<'a> RecordKeyType<RecordKey<'a>> {
	/// Reads a text.
	pub fn parse(text: &'a str, syntax: RecordKeySyntax) -> Result<Self, ParseRecordKeyTypeError> {
		match text {
			"tid" => Ok(Self::Tid),
			"nsid" => Ok(Self::Nsid),
			"any" => Ok(Self::Any),
			_ => {
				let literal = text.strip_prefix(LITERAL).ok_or(ParseRecordKeyTypeError::Unknown)?;
				RecordKey::parse(literal, syntax)
					.map(Self::Literal)
					.map_err(ParseRecordKeyTypeError::Literal)
			},
		}
	}
}

impl<Literal: AsRef<str>> RecordKeyType<Literal> {
	/// Reads a text as a record key of this type.
	pub fn check<'key>(
		&self,
		key: &'key str,
		syntax: RecordKeySyntax,
	) -> Result<RecordKey<'key>, RecordKeyTypeError> {
		let parsed = RecordKey::parse(key, syntax).map_err(RecordKeyTypeError::Syntax)?;
		match self {
			Self::Any => {},
			Self::Tid => {
				Tid::parse(key).map_err(RecordKeyTypeError::Tid)?;
			},
			Self::Nsid => {
				Nsid::parse(key).map_err(RecordKeyTypeError::Nsid)?;
			},
			Self::Literal(literal) => {
				let literal = literal.as_ref();
				if key != literal {
					let differ = key.bytes().zip(literal.bytes()).position(|(a, b)| a != b);
					let at = differ.unwrap_or(key.len().min(literal.len()));
					return Err(RecordKeyTypeError::Literal { at });
				}
			},
		}
		Ok(parsed)
	}
}

impl<Literal: AsRef<str>> fmt::Display for RecordKeyType<Literal> {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::Tid => f.pad("tid"),
			Self::Nsid => f.pad("nsid"),
			Self::Any => f.pad("any"),
			Self::Literal(literal) => write!(f, "{LITERAL}{}", literal.as_ref()),
		}
	}
}

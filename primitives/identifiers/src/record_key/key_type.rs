// SPDX-License-Identifier: Apache-2.0
//! Types of record keys.

use core::fmt;

use super::{ParseRecordKeyError, RecordKey, RecordKeySyntax, RecordKeyType};
use crate::{convert::rules, Nsid, ParseNsidError, ParseTidError, Tid};

/// The text names no type of record keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseRecordKeyTypeError {
	/// The text is neither `tid`, `nsid` nor `any`, and does not begin with `literal:`.
	Unknown,
	/// The text after `literal:` is not a record key. Positions in the error are relative to it.
	Literal(ParseRecordKeyError),
}

rules! { ParseRecordKeyTypeError, at:
	Self::Unknown => 0, "a record key type is `tid`, `nsid`, `any`, or `literal:` and a record key";
	Self::Literal(error) => LITERAL.len() + error.position(), "after `{LITERAL}`, {error}";
}

/// The key is not of the type that its collection has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordKeyTypeError {
	/// It is not a record key at all.
	Syntax(ParseRecordKeyError),
	/// It is not a TID.
	Tid(ParseTidError),
	/// It is not an NSID.
	Nsid(ParseNsidError),
	/// It is not the only key of the collection.
	Literal {
		/// Position of the first byte that differs, or the end of the shorter.
		at: usize,
	},
}

rules! { RecordKeyTypeError, at:
	Self::Syntax(error) => error.position(), "{error}";
	Self::Tid(error) => error.position(), "the key is not a TID: {error}";
	Self::Nsid(error) => error.position(), "the key is not an NSID: {error}";
	Self::Literal { at } =>
		at, "from byte {at} on, the key differs from the only one that is allowed";
}

const LITERAL: &str = "literal:";

impl<'a> RecordKeyType<RecordKey<'a>> {
	/// Parses a text.
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

impl<'a> TryFrom<&'a str> for RecordKeyType<RecordKey<'a>> {
	type Error = ParseRecordKeyTypeError;

	/// Parses a text whose literal is of the wider dialect, [`RecordKeySyntax::PathSegment`].
	fn try_from(text: &'a str) -> Result<Self, ParseRecordKeyTypeError> {
		Self::parse(text, RecordKeySyntax::default())
	}
}

impl<Literal> RecordKeyType<Literal> {
	/// Applies a function to the literal, if there is one.
	///
	/// ```
	/// use content_fabric_identifiers::RecordKeyType;
	///
	/// let owned = RecordKeyType::Literal("self").map(String::from);
	/// assert_eq!(owned.as_ref().map(String::len), RecordKeyType::Literal(4));
	/// ```
	pub fn map<U>(self, f: impl FnOnce(Literal) -> U) -> RecordKeyType<U> {
		match self {
			Self::Tid => RecordKeyType::Tid,
			Self::Nsid => RecordKeyType::Nsid,
			Self::Literal(literal) => RecordKeyType::Literal(f(literal)),
			Self::Any => RecordKeyType::Any,
		}
	}

	/// Returns the type with its literal borrowed.
	pub const fn as_ref(&self) -> RecordKeyType<&Literal> {
		match self {
			Self::Tid => RecordKeyType::Tid,
			Self::Nsid => RecordKeyType::Nsid,
			Self::Literal(literal) => RecordKeyType::Literal(literal),
			Self::Any => RecordKeyType::Any,
		}
	}

	/// Returns the only key of the collection, if the type is `Literal`.
	pub fn literal(self) -> Option<Literal> {
		match self {
			Self::Literal(literal) => Some(literal),
			Self::Tid | Self::Nsid | Self::Any => None,
		}
	}

	/// Returns the name of the variant, as in a chain's type information.
	pub const fn variant_name(&self) -> &'static str {
		match self {
			Self::Tid => "Tid",
			Self::Nsid => "Nsid",
			Self::Literal(_) => "Literal",
			Self::Any => "Any",
		}
	}
}

impl<Literal: AsRef<[u8]>> RecordKeyType<Literal> {
	/// Parses a text as a record key of this type. The literal can be a text or bytes.
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
				let (key, literal) = (key.as_bytes(), literal.as_ref());
				if key != literal {
					let differ = key.iter().zip(literal).position(|(a, b)| a != b);
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

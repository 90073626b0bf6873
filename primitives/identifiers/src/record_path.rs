// SPDX-License-Identifier: Apache-2.0
//! Paths of records: a collection and a record key, as in the repositories of the AT Protocol.

use core::{cmp::Ordering, fmt};

use crate::{
	convert::{ascii, composed, Rules},
	nsid, record_key, Nsid, ParseNsidError, ParseRecordKeyError, RecordKey, RecordKeySyntax,
};

/// A collection and the key of a record in it, borrowed. Text: `collection/key`.
///
/// The name of a collection is a record key of the dialect [`RecordKeySyntax::Unreserved`], as on a
/// content fabric. In a repository of the AT Protocol it must be an NSID:
/// [`Self::parse_repository`] and [`Self::nsid`] check that. The key is of the wider dialect,
/// [`RecordKeySyntax::PathSegment`]; a collection can restrict its keys by a type and a syntax.
///
/// Paths have the order of their texts, which is also the order of records in a repository.
///
/// ```
/// use content_fabric_identifiers::RecordPath;
///
/// let path = RecordPath::parse("names/serde:1.0.0")?;
/// assert_eq!((path.collection().as_str(), path.key().as_str()), ("names", "serde:1.0.0"));
/// assert!(RecordPath::parse_repository("names/serde:1.0.0").is_err());
/// assert!(RecordPath::parse_repository("app.bsky.feed.post/3jui7kd54zh2y").is_ok());
/// # Ok::<_, content_fabric_identifiers::ParseRecordPathError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct RecordPath<'a> {
	collection: RecordKey<'a>,
	key: RecordKey<'a>,
}

/// The text is not a valid path of a record. Positions in the errors of parts are relative to their
/// parts; [`Self::position`] and the message are relative to the whole text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseRecordPathError {
	/// The collection, which is the first part, has no valid name.
	Collection(ParseRecordKeyError),
	/// The collection is not an NSID, as it must be in a repository.
	Nsid(ParseNsidError),
	/// No `/` follows the collection.
	NoKey {
		/// Position of the end of the text.
		at: usize,
	},
	/// The record key is not valid.
	Key {
		/// Position of the record key.
		start: usize,
		/// The rule that it breaks.
		error: ParseRecordKeyError,
	},
}

impl ParseRecordPathError {
	/// Returns the position of the byte that broke the rule.
	pub const fn position(&self) -> usize {
		match self {
			Self::Collection(error) => error.position(),
			Self::Nsid(error) => error.position(),
			Self::NoKey { at } => *at,
			Self::Key { start, error } => *start + error.position(),
		}
	}
}

impl Rules for ParseRecordPathError {
	fn write_from(&self, f: &mut fmt::Formatter<'_>, from: usize) -> fmt::Result {
		match self {
			Self::Collection(error) => error.write_part(f, "collection", from),
			Self::Nsid(error) => error.write_part(f, "collection", from),
			Self::NoKey { at } => {
				write!(f, "expected `/` and a record key at byte {}", from + at)
			},
			Self::Key { start, error } => error.write_part(f, "record key", from + start),
		}
	}
}

impl<'a> RecordPath<'a> {
	/// Most bytes of a path.
	pub const MAX_LEN: usize = RecordKey::MAX_LEN + 1 + RecordKey::MAX_LEN;

	/// Returns the path of a record in a collection, whose name must be of the dialect
	/// [`RecordKeySyntax::Unreserved`].
	pub fn new(
		collection: RecordKey<'a>,
		key: RecordKey<'a>,
	) -> Result<Self, ParseRecordPathError> {
		RecordKey::parse(collection.as_str(), RecordKeySyntax::Unreserved)
			.map(|collection| Self { collection, key })
			.map_err(ParseRecordPathError::Collection)
	}

	/// Parses a text: a collection, `/`, and a record key.
	pub fn parse(text: &'a str) -> Result<Self, ParseRecordPathError> {
		check(text.as_bytes()).map(|slash| Self::checked(text, slash))
	}

	/// Parses a text given in bytes.
	pub fn from_bytes(bytes: &'a [u8]) -> Result<Self, ParseRecordPathError> {
		check(bytes).map(|slash| Self::checked(ascii(bytes), slash))
	}

	/// Parses a path in a repository of the AT Protocol: an NSID, `/`, and a record key.
	pub fn parse_repository(text: &'a str) -> Result<Self, ParseRecordPathError> {
		check_repository(text.as_bytes()).map(|slash| Self::checked(text, slash))
	}

	/// Parses a path in a repository of the AT Protocol, given in bytes.
	pub fn repository_from_bytes(bytes: &'a [u8]) -> Result<Self, ParseRecordPathError> {
		check_repository(bytes).map(|slash| Self::checked(ascii(bytes), slash))
	}

	/// Returns the path of a text that has been checked, with the position of its slash.
	pub(crate) fn checked(text: &'a str, slash: usize) -> Self {
		Self { collection: RecordKey(&text[..slash]), key: RecordKey(&text[slash + 1..]) }
	}

	/// Returns the name of the collection.
	pub const fn collection(&self) -> RecordKey<'a> {
		self.collection
	}

	/// Returns the name of the collection as an NSID, if it is one.
	pub fn nsid(&self) -> Option<Nsid<'a>> {
		Nsid::parse(self.collection.as_str()).ok()
	}

	/// Returns the key of the record.
	pub const fn key(&self) -> RecordKey<'a> {
		self.key
	}

	/// Returns true if the path has fewer than 80 bytes and its record key has no upper-case
	/// letter, as the protocol recommends.
	///
	/// ```
	/// use content_fabric_identifiers::RecordPath;
	///
	/// assert!(RecordPath::parse("names/serde:1.0.0")?.is_recommended());
	/// assert!(!RecordPath::parse("names/Serde")?.is_recommended());
	/// # Ok::<_, content_fabric_identifiers::ParseRecordPathError>(())
	/// ```
	pub fn is_recommended(&self) -> bool {
		let len = self.collection.as_str().len() + 1 + self.key.as_str().len();
		len < RecordKey::RECOMMENDED_LEN && self.key.is_recommended()
	}

	fn bytes(&self) -> impl Iterator<Item = u8> + 'a {
		self.collection.as_str().bytes().chain([b'/']).chain(self.key.as_str().bytes())
	}
}

/// Checks that bytes are a path. Returns the position of the slash.
pub(crate) fn check(bytes: &[u8]) -> Result<usize, ParseRecordPathError> {
	check_parts(bytes, |name| {
		record_key::check(name, RecordKeySyntax::Unreserved)
			.map_err(ParseRecordPathError::Collection)
	})
}

/// Checks that bytes are a path in a repository. Returns the position of the slash.
pub(crate) fn check_repository(bytes: &[u8]) -> Result<usize, ParseRecordPathError> {
	check_parts(bytes, |name| nsid::check(name).map_err(ParseRecordPathError::Nsid))
}

#[inline(always)]
fn check_parts(
	bytes: &[u8],
	check_collection: impl FnOnce(&[u8]) -> Result<(), ParseRecordPathError>,
) -> Result<usize, ParseRecordPathError> {
	let slash = bytes.iter().position(|byte| *byte == b'/');
	check_collection(&bytes[..slash.unwrap_or(bytes.len())])?;
	let slash = slash.ok_or(ParseRecordPathError::NoKey { at: bytes.len() })?;
	let start = slash + 1;
	record_key::check(&bytes[start..], RecordKeySyntax::PathSegment)
		.map(|()| slash)
		.map_err(|error| ParseRecordPathError::Key { start, error })
}

impl Ord for RecordPath<'_> {
	fn cmp(&self, other: &Self) -> Ordering {
		self.bytes().cmp(other.bytes())
	}
}

impl PartialOrd for RecordPath<'_> {
	fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
		Some(self.cmp(other))
	}
}

impl fmt::Display for RecordPath<'_> {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		write!(f, "{}/{}", self.collection.as_str(), self.key.as_str())
	}
}

composed!(RecordPath: ParseRecordPathError);

// SPDX-License-Identifier: Apache-2.0
//! Text forms of entity ids: a prefix of four characters that names the kind, then the bytes in
//! base58 (Bitcoin's alphabet). The prefixes are those that the Content Fabric's own tools print;
//! `iprv` is an addition, as they name no provider.

use core::fmt;

use crate::{
	convert::{messages, parsed},
	ContentObjectId, ContentObjectPath, KmsId, NodeId, ProviderId, SpaceId, TenantId, VersionId,
};

/// The prefixes of ids, each with what the id names.
pub const ID_KINDS: [(&str, &str); 8] = [
	(SpaceId::PREFIX, "a space"),
	(ProviderId::PREFIX, "a provider"),
	(NodeId::PREFIX, "a node"),
	(TenantId::PREFIX, "a tenant"),
	(KmsId::PREFIX, "a KMS"),
	(ContentObjectId::PREFIX, "a content object"),
	(ContentObjectPath::PREFIX, "a content object"),
	(VersionId::PREFIX, "a version"),
];

/// Returns what the id that starts with `text` names, such as `a tenant`, if `text` starts with a
/// prefix of ids.
pub fn id_kind(text: &str) -> Option<&'static str> {
	ID_KINDS.into_iter().find(|(prefix, _)| text.starts_with(prefix)).map(|(_, kind)| kind)
}

/// Characters of every prefix.
const PREFIX_LEN: usize = 4;
/// Base58 takes at most 44 characters for the 32 bytes of the longest id.
const MAX_BASE58_LEN: usize = 44;

/// The text is not an id of the requested kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseIdError {
	/// The text does not start with the four characters that name the kind.
	Prefix {
		/// The characters that name the kind.
		expected: &'static str,
		/// The kind of id that the text starts as, such as `a tenant`, if it starts as another kind of id does.
		found: Option<&'static str>,
	},
	/// A character is not in the base58 alphabet.
	Character {
		/// Position of the character, in bytes from the start of the text.
		at: usize,
	},
	/// The base58 part does not represent as many bytes as the id has.
	Length {
		/// The length of the id, in bytes.
		expected: usize,
	},
	/// The length byte of a composed id is not the length of a tenant.
	TenantLength {
		/// The number in the length byte.
		found: u8,
	},
}

impl ParseIdError {
	/// Returns the position of the byte that broke the rule; for a rule about the bytes that the
	/// base58 part represents, the start of that part.
	pub const fn position(&self) -> usize {
		match *self {
			Self::Prefix { .. } => 0,
			Self::Character { at } => at,
			Self::Length { .. } | Self::TenantLength { .. } => PREFIX_LEN,
		}
	}

	/// Returns the error of an id that begins at `start`.
	pub(crate) const fn moved(self, start: usize) -> Self {
		match self {
			Self::Character { at } => Self::Character { at: start + at },
			Self::Prefix { .. } | Self::Length { .. } | Self::TenantLength { .. } => self,
		}
	}
}

messages! { ParseIdError:
	Self::Prefix { expected, found: None } => "the id does not start with `{expected}`";
	Self::Prefix { expected, found: Some(found) } =>
		"it is the id of {found}, expected {} ({expected}…)", id_kind(expected).unwrap_or(expected);
	Self::Character { at } => "the character at byte {at} is not base58";
	Self::Length { expected } => "the text after the prefix does not represent {expected} bytes";
	Self::TenantLength { found } =>
		"the id holds a tenant of {found} bytes instead of {}", TenantId::LEN;
}

fn write_text(f: &mut fmt::Formatter<'_>, prefix: &str, bytes: &[u8]) -> fmt::Result {
	let mut text = [0; PREFIX_LEN + MAX_BASE58_LEN];
	text[..PREFIX_LEN].copy_from_slice(prefix.as_bytes());
	let len = bs58::encode(bytes).onto(&mut text[PREFIX_LEN..]).map_err(|_| fmt::Error)?;
	f.pad(core::str::from_utf8(&text[..PREFIX_LEN + len]).map_err(|_| fmt::Error)?)
}

fn parse_text<const N: usize>(text: &[u8], prefix: &'static str) -> Result<[u8; N], ParseIdError> {
	let base58 = text.strip_prefix(prefix.as_bytes()).ok_or_else(|| ParseIdError::Prefix {
		expected: prefix,
		found: text.get(..PREFIX_LEN).and_then(|start| id_kind(core::str::from_utf8(start).ok()?)),
	})?;
	let length = ParseIdError::Length { expected: N };
	let mut bytes = [0; N];
	match bs58::decode(base58).onto(&mut bytes) {
		Ok(len) if len == N => Ok(bytes),
		Ok(_) => Err(length),
		Err(bs58::decode::Error::InvalidCharacter { index, .. })
		| Err(bs58::decode::Error::NonAsciiCharacter { index }) => {
			Err(ParseIdError::Character { at: PREFIX_LEN + index })
		},
		Err(_) => Err(length),
	}
}

macro_rules! text_form {
	($($name:ident: $prefix:literal;)*) => {$(
		impl $name {
			/// The four characters that start the text form.
			pub const PREFIX: &'static str = $prefix;

			/// Parses a text.
			pub fn parse(text: &str) -> Result<Self, ParseIdError> {
				Self::from_text(text.as_bytes())
			}

			/// Parses a text given in bytes.
			pub fn from_text(text: &[u8]) -> Result<Self, ParseIdError> {
				parse_text(text, Self::PREFIX).map(Self)
			}
		}

		impl fmt::Display for $name {
			fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
				write_text(f, Self::PREFIX, &self.0)
			}
		}

		parsed! { $name: ParseIdError; }
	)*};
}

text_form! {
	SpaceId: "ispc";
	ProviderId: "iprv";
	TenantId: "iten";
	NodeId: "inod";
	KmsId: "ikms";
	ContentObjectId: "iq__";
	VersionId: "hq__";
}

/// Bytes of a composed id: the length of the tenant in one byte, the tenant, the object.
const COMPOSED_LEN: usize = 1 + ContentObjectPath::LEN;

impl ContentObjectPath {
	/// The four characters that start the text form.
	pub const PREFIX: &'static str = "itq_";

	/// Parses a text.
	pub fn parse(text: &str) -> Result<Self, ParseIdError> {
		Self::from_text(text.as_bytes())
	}

	/// Parses a text given in bytes.
	pub fn from_text(text: &[u8]) -> Result<Self, ParseIdError> {
		let bytes: [u8; COMPOSED_LEN] = parse_text(text, Self::PREFIX)?;
		if usize::from(bytes[0]) != TenantId::LEN {
			return Err(ParseIdError::TenantLength { found: bytes[0] });
		}
		let mut path = [0; Self::LEN];
		path.copy_from_slice(&bytes[1..]);
		Ok(Self::from_bytes(path))
	}
}

impl fmt::Display for ContentObjectPath {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		let mut bytes = [TenantId::LEN as u8; COMPOSED_LEN];
		bytes[1..].copy_from_slice(&self.to_bytes());
		write_text(f, Self::PREFIX, &bytes)
	}
}

parsed! { ContentObjectPath: ParseIdError; }

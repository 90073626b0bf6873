// SPDX-License-Identifier: Apache-2.0
//! Text forms of entity ids: a prefix of four characters that names the kind, then the bytes in
//! base58 (Bitcoin's alphabet). The prefixes are those that the Content Fabric's own tools print;
//! `iprv` is an addition, as they name no provider.

use core::fmt;

use crate::{
	convert::{parsed, rules},
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
		/// The kind of id that the text starts as, such as `a tenant`, if it starts as another kind
		/// of id does.
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

rules! { ParseIdError, at,
	"For a rule about the bytes that the base58 part represents, it is the start of that part.":
	Self::Prefix { expected, found: None } => 0, "the id does not start with `{expected}`";
	Self::Prefix { expected, found: Some(found) } => 0,
		"it is the id of {found}, expected {} ({expected}…)", id_kind(expected).unwrap_or(expected);
	Self::Character { at } => at, "the character at byte {at} is not base58";
	Self::Length { expected } =>
		PREFIX_LEN, "the text after the prefix does not represent {expected} bytes";
	Self::TenantLength { found } =>
		PREFIX_LEN, "the id holds a tenant of {found} bytes instead of {}", TenantId::LEN;
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

/// The text form of an id, which represents the bytes that `$to` returns and `$from` reads.
macro_rules! text_form {
	($($name:ident: $prefix:literal, $from:expr, $to:expr;)*) => {$(
		impl $name {
			/// The four characters that start the text form.
			pub const PREFIX: &'static str = $prefix;

			/// Parses a text.
			pub fn parse(text: &str) -> Result<Self, ParseIdError> {
				Self::from_text(text.as_bytes())
			}

			/// Parses a text given in bytes.
			pub fn from_text(text: &[u8]) -> Result<Self, ParseIdError> {
				parse_text(text, Self::PREFIX).and_then($from)
			}
		}

		impl fmt::Display for $name {
			fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
				write_text(f, Self::PREFIX, &$to(*self))
			}
		}

		parsed!($name: ParseIdError, Self::parse);
	)*};
}

macro_rules! own_bytes {
	($($name:ident: $prefix:literal;)*) => {
		text_form! { $($name: $prefix, |bytes| Ok($name(bytes)), $name::to_bytes;)* }
	};
}

own_bytes! {
	SpaceId: "ispc";
	ProviderId: "iprv";
	TenantId: "iten";
	NodeId: "inod";
	KmsId: "ikms";
	ContentObjectId: "iq__";
	VersionId: "hq__";
}

text_form! { ContentObjectPath: "itq_", from_composed, to_composed; }

/// Bytes of a composed id: the length of the tenant in one byte, the tenant, the object.
const COMPOSED_LEN: usize = 1 + ContentObjectPath::LEN;

fn from_composed([len, path @ ..]: [u8; COMPOSED_LEN]) -> Result<ContentObjectPath, ParseIdError> {
	match usize::from(len) {
		TenantId::LEN => Ok(ContentObjectPath::from_bytes(path)),
		_ => Err(ParseIdError::TenantLength { found: len }),
	}
}

fn to_composed(path: ContentObjectPath) -> [u8; COMPOSED_LEN] {
	let mut bytes = [TenantId::LEN as u8; COMPOSED_LEN];
	bytes[1..].copy_from_slice(&path.to_bytes());
	bytes
}

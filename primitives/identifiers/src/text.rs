//! Text forms of entity ids: a prefix of four characters that names the kind, then the bytes in
//! base58 (Bitcoin's alphabet). The prefixes are those that the Content Fabric's own tools print;
//! `iprv` is an addition, as they name no provider.

use crate::{
	ContentObjectId, ContentObjectPath, KmsId, NodeId, ProviderId, SpaceId, TenantId, VersionId,
};
use core::{fmt, str::FromStr};

/// Characters of every prefix.
const PREFIX_LEN: usize = 4;
/// Base58 takes at most 44 characters for the 32 bytes of the longest id.
const MAX_BASE58_LEN: usize = 44;

/// A text is not an id of the kind that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseIdError {
	/// The text does not start with the four characters that name the kind.
	Prefix {
		/// The characters that name the kind.
		expected: &'static str,
	},
	/// A character is not in the base58 alphabet.
	Character {
		/// Position of the character, in bytes from the start of the text.
		at: usize,
	},
	/// The base58 part stands for another number of bytes than the id has.
	Length {
		/// The length of the id, in bytes.
		expected: usize,
	},
	/// The length byte of a composed id is not that of a tenant.
	TenantLength {
		/// The length that it gives, in bytes.
		found: u8,
	},
}

impl fmt::Display for ParseIdError {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::Prefix { expected } => write!(f, "the id does not start with `{expected}`"),
			Self::Character { at } => write!(f, "the character at byte {at} is not base58"),
			Self::Length { expected } => {
				write!(f, "the text after the prefix does not stand for {expected} bytes")
			},
			Self::TenantLength { found } => {
				write!(f, "the id holds a tenant of {found} bytes instead of {}", TenantId::LEN)
			},
		}
	}
}

impl core::error::Error for ParseIdError {}

fn write_text(f: &mut fmt::Formatter<'_>, prefix: &str, bytes: &[u8]) -> fmt::Result {
	let mut text = [0; PREFIX_LEN + MAX_BASE58_LEN];
	text[..PREFIX_LEN].copy_from_slice(prefix.as_bytes());
	let len = bs58::encode(bytes).onto(&mut text[PREFIX_LEN..]).map_err(|_| fmt::Error)?;
	f.pad(core::str::from_utf8(&text[..PREFIX_LEN + len]).map_err(|_| fmt::Error)?)
}

fn parse_text<const N: usize>(text: &str, prefix: &'static str) -> Result<[u8; N], ParseIdError> {
	let base58 = text.strip_prefix(prefix).ok_or(ParseIdError::Prefix { expected: prefix })?;
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
		}

		impl fmt::Display for $name {
			fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
				write_text(f, Self::PREFIX, &self.0)
			}
		}

		impl FromStr for $name {
			type Err = ParseIdError;

			fn from_str(text: &str) -> Result<Self, ParseIdError> {
				parse_text(text, Self::PREFIX).map(Self)
			}
		}
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

/// A composed id: the length of the tenant in one byte, the tenant, the object.
const COMPOSED_LEN: usize = 1 + TenantId::LEN + ContentObjectId::LEN;

impl ContentObjectPath {
	/// The four characters that start the text form.
	pub const PREFIX: &'static str = "itq_";
}

impl fmt::Display for ContentObjectPath {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		let mut bytes = [TenantId::LEN as u8; COMPOSED_LEN];
		bytes[1..].copy_from_slice(&self.to_bytes());
		write_text(f, Self::PREFIX, &bytes)
	}
}

impl FromStr for ContentObjectPath {
	type Err = ParseIdError;

	fn from_str(text: &str) -> Result<Self, ParseIdError> {
		let bytes: [u8; COMPOSED_LEN] = parse_text(text, Self::PREFIX)?;
		if usize::from(bytes[0]) != TenantId::LEN {
			return Err(ParseIdError::TenantLength { found: bytes[0] });
		}
		let mut path = [0; COMPOSED_LEN - 1];
		path.copy_from_slice(&bytes[1..]);
		Ok(Self::from_bytes(path))
	}
}

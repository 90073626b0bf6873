// SPDX-License-Identifier: Apache-2.0
//! Keys of KMSes.

use codec::{Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
use scale_info::TypeInfo;

/// The key of a KMS for which clients encrypt: an X25519 public key, as an age recipient.
///
/// The text form is `age1…`, as the age program writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "scale-decode", derive(scale_decode::DecodeAsType))]
#[cfg_attr(feature = "scale-encode", derive(scale_encode::EncodeAsType))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(into = "alloc::string::String"))]
#[cfg_attr(feature = "serde", serde(try_from = "alloc::string::String"))]
#[derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub struct KmsKey(pub [u8; 32]);

impl KmsKey {
	/// Returns whether all bytes are zero. Everybody can read what is encrypted for this key.
	pub fn is_zero(&self) -> bool {
		self.0 == [0; 32]
	}
}

#[cfg(feature = "text")]
mod text {
	use alloc::string::{String, ToString};
	use core::{fmt, str::FromStr};

	use bech32::{primitives::decode::CheckedHrpstring, Bech32, Hrp};

	use super::KmsKey;

	/// The characters before the separator `1`.
	const PREFIX: Hrp = Hrp::parse_unchecked("age");
	/// `age1`, 52 characters for the key, and 6 for the checksum.
	const LEN: usize = 62;

	/// The text is not the key of a KMS.
	#[derive(Clone, Copy, Debug, PartialEq, Eq)]
	#[non_exhaustive]
	pub enum ParseKmsKeyError {
		/// The text does not start with `age1`.
		Prefix {
			/// True if the text starts as an age identity does, which is secret.
			secret: bool,
		},
		/// The text does not have 62 characters.
		Length {
			/// The number of characters found.
			found: usize,
		},
		/// A character is not one of bech32, or the checksum does not match.
		Checksum,
	}

	impl fmt::Display for ParseKmsKeyError {
		fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
			match self {
				Self::Prefix { secret: false } => f.write_str("the key does not start with `age1`"),
				Self::Prefix { secret: true } => {
					f.write_str("it is a secret age identity, expected its recipient (age1…)")
				},
				Self::Length { found } => {
					write!(f, "the key has {found} characters, expected {LEN}")
				},
				Self::Checksum => {
					f.write_str("the checksum of the key does not match: a character is wrong")
				},
			}
		}
	}

	impl core::error::Error for ParseKmsKeyError {}

	impl fmt::Display for KmsKey {
		/// Writes the text form: `age1…`.
		fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
			f.pad(&bech32::encode::<Bech32>(PREFIX, &self.0).map_err(|_| fmt::Error)?)
		}
	}

	impl FromStr for KmsKey {
		type Err = ParseKmsKeyError;

		fn from_str(text: &str) -> Result<Self, ParseKmsKeyError> {
			if !text.starts_with("age1") {
				let secret = text
					.get(..15)
					.is_some_and(|start| start.eq_ignore_ascii_case("age-secret-key-"));
				return Err(ParseKmsKeyError::Prefix { secret });
			}
			let found = text.chars().count();
			if found != LEN {
				return Err(ParseKmsKeyError::Length { found });
			}
			let checked = CheckedHrpstring::new::<Bech32>(text);
			let checked = checked.map_err(|_| ParseKmsKeyError::Checksum)?;
			let mut bytes = checked.byte_iter();
			let key = Self(core::array::from_fn(|_| bytes.next().unwrap_or_default()));
			// The last character has four bits more than the key.
			match key.to_string() == text {
				true => Ok(key),
				false => Err(ParseKmsKeyError::Checksum),
			}
		}
	}

	impl TryFrom<String> for KmsKey {
		type Error = ParseKmsKeyError;

		fn try_from(text: String) -> Result<Self, ParseKmsKeyError> {
			text.parse()
		}
	}

	impl From<KmsKey> for String {
		fn from(key: KmsKey) -> Self {
			key.to_string()
		}
	}
}

#[cfg(feature = "text")]
pub use text::ParseKmsKeyError;

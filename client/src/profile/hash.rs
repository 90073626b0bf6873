// SPDX-License-Identifier: Apache-2.0
//! Hashes in files: `0x` and 64 hex digits.

use std::fmt;

use serde::{de, Deserialize, Deserializer, Serialize, Serializer};

/// A hash of a block, an extrinsic or a chain, as `0x` and hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hash(/** Its bytes. */ pub [u8; 32]);

impl fmt::Display for Hash {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.write_str(&to_text(&self.0))
	}
}

impl Serialize for Hash {
	fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
		serializer.collect_str(self)
	}
}

impl<'de> Deserialize<'de> for Hash {
	fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
		deserialize(deserializer).map(Self)
	}
}

/// Returns the text of a hash.
pub fn to_text(hash: &[u8; 32]) -> String {
	format!("0x{}", hex::encode(hash))
}

/// Writes a hash.
pub fn serialize<S: Serializer>(hash: &[u8; 32], serializer: S) -> Result<S::Ok, S::Error> {
	serializer.serialize_str(&to_text(hash))
}

/// Reads a hash. No error repeats the text: a seed looks alike.
pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<[u8; 32], D::Error> {
	let refused = || de::Error::custom("expected a hash of 0x and 64 hex digits");
	let text = String::deserialize(deserializer).map_err(|_| refused())?;
	let mut hash = [0; 32];
	let digits = text.strip_prefix("0x").ok_or_else(refused)?;
	hex::decode_to_slice(digits, &mut hash).map_err(|_| refused())?;
	Ok(hash)
}

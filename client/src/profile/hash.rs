// SPDX-License-Identifier: Apache-2.0
//! Hashes in files: `0x` and 64 hex digits.

use serde::{de, Deserialize, Deserializer, Serializer};

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

// SPDX-License-Identifier: Apache-2.0
//! The JSON of a KMS.

use base64::{engine::general_purpose::STANDARD_NO_PAD as BASE64, DecodeError, Engine};
use content_fabric_identifiers::{ContentObjectId, VersionId};
use content_fabric_primitives::KmsKey;
use serde::{Deserialize, Serialize};
use subxt::utils::AccountId32;

use crate::{ids::deserialize_account, profile::hash};

/// A request for a file key: `POST /v1/unwrap`. The account signs the recipient, in the header
/// `Authorization`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnwrapRequest {
	/// The one-time recipient for which the KMS wraps the file key.
	pub recipient: KmsKey,
	/// The content object of the version. The chain has no index by version.
	#[serde(default, skip_serializing_if = "Option::is_none")]
	pub object: Option<ContentObjectId>,
	/// The version whose file it is, for the receipt. Given with its object, or not at all.
	#[serde(default, skip_serializing_if = "Option::is_none")]
	pub version: Option<VersionId>,
	/// The stanzas of the file's header that may be for a key of the KMS.
	pub stanzas: Vec<Stanza>,
}

/// A stanza of the header of an age file: a wrapped file key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stanza {
	/// The type, such as `X25519`, and its arguments.
	pub args: Vec<String>,
	/// The wrapped key, in base64 without padding.
	#[serde(with = "base64_text")]
	pub body: Vec<u8>,
}

/// The file key of a request, wrapped for its recipient.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unwrapped {
	/// The stanza that the recipient's identity unwraps.
	pub stanza: Stanza,
	/// The key for which the file is encrypted, which may be a former one of the KMS.
	pub key: KmsKey,
	/// The final block in which the account had the level.
	pub block: AtBlock,
}

/// A block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AtBlock {
	/// Its number.
	pub number: u64,
	/// Its hash.
	#[serde(with = "hash")]
	pub hash: [u8; 32],
}

/// A page of receipts: `GET /v1/receipts?after=N&limit=N`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipts {
	/// The receipts, oldest first.
	pub receipts: Vec<Receipt>,
	/// The number of the last one, if there are more.
	pub next: Option<u64>,
}

/// The record of a file key that was released.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
	/// Its number. The first one has the number 1.
	pub number: u64,
	/// When it was released: a time in UTC such as `2026-11-27T05:00:00Z`.
	pub time: String,
	/// The account that asked for it.
	#[serde(deserialize_with = "deserialize_account")]
	pub account: AccountId32,
	/// The version that the account named, if it did.
	pub version: Option<VersionId>,
	/// The final block in which the account had the level.
	pub block: AtBlock,
}

mod base64_text {
	use serde::{de::Error, Deserialize, Deserializer, Serializer};

	use super::{DecodeError, Engine, BASE64};

	pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
		serializer.serialize_str(&BASE64.encode(bytes))
	}

	pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
		let text = String::deserialize(deserializer)?;
		BASE64.decode(text).map_err(|error: DecodeError| {
			D::Error::custom(format!("`body` is not base64 without padding: {error}"))
		})
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn stanzas_have_bodies_in_base64_without_padding() {
		let text = r#"{"args":["X25519","c2hhcmU"],"body":"AAECAw"}"#;
		let stanza: Stanza = serde_json::from_str(text).expect("it is a stanza");
		assert_eq!((&*stanza.body, stanza.args.len()), (&[0, 1, 2, 3][..], 2));
		assert_eq!(serde_json::to_string(&stanza).expect("it is JSON"), text);
		for body in ["AAECAw==", "AAEC Aw", "A", "AAECAx"] {
			let text = format!(r#"{{"args":["X25519"],"body":"{body}"}}"#);
			let error = serde_json::from_str::<Stanza>(&text).expect_err(body).to_string();
			assert!(error.starts_with("`body` is not base64 without padding"), "{error}");
		}
	}
}

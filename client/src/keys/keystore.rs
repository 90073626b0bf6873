// SPDX-License-Identifier: Apache-2.0
//! Encrypted JSON keystores, as polkadot-js exports them.

use std::{fs::File, path::Path, str::FromStr};

use base64::{engine::general_purpose::STANDARD, Engine};
use serde::{de::IgnoredAny, Deserialize};
use subxt::utils::AccountId32;
use subxt_signer::{
	polkadot_js_compat::{decrypt_json, Error},
	sr25519::Keypair,
	ExposeSecret,
};

use super::{read, InvalidKeystore, KeyError, PasswordSource};

/// The largest keystore in bytes. Those of polkadot-js have less than a thousand.
const MAX_KEYSTORE: usize = 64 * 1024;

/// Bytes of an encrypted sr25519 key: 32 of salt, 12 of scrypt parameters, 24 of nonce, 16 of
/// authentication and 117 of the key in PKCS #8.
const ENCRYPTED_LENGTH: usize = 32 + 12 + 24 + 16 + 117;

/// The parts of a keystore that are checked before it is decrypted.
#[derive(Deserialize)]
struct Keystore {
	encoded: String,
	encoding: Encoding,
	address: String,
}

#[derive(Deserialize)]
struct Encoding {
	content: Words,
	r#type: Words,
	version: String,
}

/// A list of texts. Old versions of the format have single texts.
#[derive(Deserialize)]
#[serde(untagged)]
enum Words {
	Many(Vec<String>),
	Other(IgnoredAny),
}

impl Words {
	fn has(&self, word: &str) -> bool {
		match self {
			Self::Many(words) => words.iter().any(|listed| listed == word),
			Self::Other(_) => false,
		}
	}
}

/// Reads and decrypts a keystore. Checks the file before it asks for the password.
pub(super) fn load(
	path: &Path,
	origin: &str,
	passwords: &PasswordSource,
) -> Result<Keypair, KeyError> {
	let file = File::open(path).map_err(|source| read::read_error(origin, source))?;
	let bytes = read::at_most(file, MAX_KEYSTORE, origin)?;
	let invalid = |reason| KeyError::Keystore { path: path.into(), reason };
	let json = std::str::from_utf8(&bytes)
		.map_err(|_| invalid(InvalidKeystore::Json { line: 1, column: 1 }))?;
	ensure_supported(json).map_err(invalid)?;
	let password = passwords.read(path)?;
	decrypt_json(json, password.expose_secret()).map_err(|error| match decryption_error(error) {
		Some(reason) => invalid(reason),
		None => KeyError::Password(path.into()),
	})
}

/// Checks a keystore as far as possible without the password. subxt's decoder reports all of these
/// alike, and panics if the encrypted key is short.
fn ensure_supported(json: &str) -> Result<(), InvalidKeystore> {
	let keystore: Keystore = serde_json::from_str(json).map_err(json_error)?;
	let Keystore { encoded, encoding, address } = keystore;
	if encoding.version != "3" {
		return Err(InvalidKeystore::Version);
	}
	if !encoding.content.has("pkcs8") || !encoding.content.has("sr25519") {
		return Err(InvalidKeystore::KeyType);
	}
	if !encoding.r#type.has("scrypt") || !encoding.r#type.has("xsalsa20-poly1305") {
		return Err(InvalidKeystore::Encryption);
	}
	AccountId32::from_str(&address).map_err(|_| InvalidKeystore::Address)?;
	let encrypted = STANDARD.decode(encoded).map_err(|_| InvalidKeystore::Base64)?;
	if encrypted.len() != ENCRYPTED_LENGTH {
		return Err(InvalidKeystore::Length { found: encrypted.len(), expected: ENCRYPTED_LENGTH });
	}
	Ok(())
}

/// Returns the reason, or `None` if the password is wrong.
fn decryption_error(error: Error) -> Option<InvalidKeystore> {
	Some(match error {
		Error::Secretbox(_) => return None,
		Error::Json(error) => json_error(error),
		Error::UnsupportedEncoding => InvalidKeystore::Encryption,
		Error::Base64(_) => InvalidKeystore::Base64,
		Error::UnsupportedScryptParameters { n, p, r } => InvalidKeystore::Scrypt { n, p, r },
		Error::Sr25519(_) | Error::InvalidKeys => InvalidKeystore::KeyMismatch,
	})
}

/// Returns the place of an error only: its text repeats values, and the file may be a phrase.
fn json_error(error: serde_json::Error) -> InvalidKeystore {
	InvalidKeystore::Json { line: error.line(), column: error.column() }
}

#[cfg(test)]
mod tests {
	use subxt_signer::sr25519::dev;

	use super::*;
	use crate::keys::tests::written;

	/// Exported by polkadot-js: the key `//Alice`, encrypted with [`PASSWORD`].
	const SR25519: &str = include_str!("../../tests/data/keystores/sr25519.json");
	const PASSWORD: &str = "correct horse";

	/// Loads a keystore with a password, each from a file.
	fn decrypt(json: &[u8], password: &str) -> Result<Keypair, KeyError> {
		let keystore = written(json, 0o644);
		let password = written(password.as_bytes(), 0o600);
		load(keystore.path(), "key.json", &PasswordSource::File(password.path().into()))
	}

	fn reason(json: &str) -> InvalidKeystore {
		match decrypt(json.as_bytes(), PASSWORD).map(drop) {
			Err(KeyError::Keystore { reason, .. }) => reason,
			other => panic!("expected an invalid keystore, got {other:?}"),
		}
	}

	/// Returns the keystore with another encrypted key.
	fn with_encoded(change: impl FnOnce(&mut Vec<u8>)) -> String {
		let mut json: serde_json::Value = serde_json::from_str(SR25519).expect("it is JSON; qed");
		let encoded = json["encoded"].as_str().expect("polkadot-js writes a text; qed");
		let mut bytes = STANDARD.decode(encoded).expect("polkadot-js writes base64; qed");
		change(&mut bytes);
		json["encoded"] = STANDARD.encode(bytes).into();
		json.to_string()
	}

	#[test]
	fn a_keystore_of_polkadot_js_is_decrypted() {
		let keypair = decrypt(SR25519.as_bytes(), "correct horse\n").expect("it is sound; qed");
		assert_eq!(keypair.public_key().0, dev::alice().public_key().0);
	}

	#[test]
	fn a_wrong_password_and_a_damaged_key_are_reported() {
		let damaged = with_encoded(|bytes| bytes[100] ^= 1);
		for (json, password) in [(SR25519, "guess"), (&damaged, PASSWORD)] {
			let error = decrypt(json.as_bytes(), password).map(drop).expect_err("it fails; qed");
			assert!(matches!(error, KeyError::Password(_)), "{error}");
			assert!(error.to_string().ends_with("is wrong, or the file is damaged"), "{error}");
			assert!(!format!("{error} {error:?}").contains(password), "{error:?}");
		}
	}

	#[test]
	fn keys_of_other_types_are_refused() {
		for json in [
			include_str!("../../tests/data/keystores/ed25519.json"),
			include_str!("../../tests/data/keystores/ecdsa.json"),
		] {
			assert_eq!(reason(json), InvalidKeystore::KeyType);
		}
	}

	#[test]
	fn a_keystore_without_encryption_is_refused() {
		let json = include_str!("../../tests/data/keystores/unencrypted.json");
		assert_eq!(reason(json), InvalidKeystore::Encryption);
	}

	#[test]
	fn other_versions_are_refused_also_with_single_texts() {
		assert_eq!(reason(&SR25519.replace("\"3\"", "\"2\"")), InvalidKeystore::Version);
		let old = r#"{"encoded":"","encoding":{"content":"none","type":"none","version":"0"},
			"address":""}"#;
		assert_eq!(reason(old), InvalidKeystore::Version);
	}

	#[test]
	fn encrypted_keys_of_any_other_length_are_refused() {
		for found in [0, 1, 67, 68, 84, ENCRYPTED_LENGTH - 1, ENCRYPTED_LENGTH + 1] {
			let json = with_encoded(|bytes| bytes.resize(found, 0));
			let expected = ENCRYPTED_LENGTH;
			assert_eq!(reason(&json), InvalidKeystore::Length { found, expected });
		}
	}

	#[test]
	fn costly_scrypt_parameters_are_refused() {
		let json = with_encoded(|bytes| bytes[35] = 0x40);
		assert_eq!(reason(&json), InvalidKeystore::Scrypt { n: 0x4002_0000, p: 1, r: 8 });
	}

	#[test]
	fn an_address_must_be_ss58_and_of_the_key() {
		let with = |address: &str| {
			SR25519.replace("5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY", address)
		};
		assert_eq!(reason(&with("0x1234")), InvalidKeystore::Address);
		let bob = dev::bob().public_key().to_account_id().to_string();
		assert_eq!(reason(&with(&bob)), InvalidKeystore::KeyMismatch);
	}

	#[test]
	fn a_file_that_is_not_a_keystore_is_reported_without_its_text() {
		for text in [
			"",
			"sesame",
			"\"sesame\"",
			"{\"encoded\": [\"sesame\"]}",
			"{\"encoding\": \"sesame\"}",
		] {
			let error = decrypt(text.as_bytes(), PASSWORD).map(drop).expect_err("no keystore; qed");
			assert!(matches!(error, KeyError::Keystore { .. }), "{error}");
			assert!(!format!("{error} {error:?}").contains("sesame"), "{error:?}");
		}
		assert!(decrypt(b"\xff", PASSWORD).is_err());
		let long = " ".repeat(MAX_KEYSTORE + 1);
		assert!(matches!(decrypt(long.as_bytes(), PASSWORD), Err(KeyError::TooLong { .. })));
	}
}

// SPDX-License-Identifier: Apache-2.0
//! Encrypted JSON keystores, as polkadot-js exports them.

use std::path::{Path, PathBuf};

use base64::{engine::general_purpose::STANDARD, Engine};
use crypto_secretbox::{
	aead::{Aead, KeyInit},
	Key, Nonce, XSalsa20Poly1305,
};
use rand::{rngs::OsRng, TryRngCore};
use serde::{de::IgnoredAny, Deserialize};
use sha2::{Digest, Sha512};
use subxt::utils::AccountId32;
use subxt_signer::{
	polkadot_js_compat::{decrypt_json, Error},
	sr25519::Keypair,
	ExposeSecret, SecretString,
};
use zeroize::Zeroizing;

use super::{read, Ask, KeyError};
use crate::{chain::wall_clock, ids::parse_account};

/// Name of the environment variable that names the file with the password of keystores.
pub(super) const PASSWORD_FILE: &str = "FABRIC_PASSWORD_FILE";

/// Returns the file with the password of keystores, if the environment names one.
pub(super) fn password_file() -> Option<PathBuf> {
	std::env::var_os(PASSWORD_FILE).filter(|file| !file.is_empty()).map(Into::into)
}

/// The largest keystore in bytes. Keystores of polkadot-js have less than a thousand.
const MAX_KEYSTORE: usize = 64 * 1024;

/// Bytes of an encrypted sr25519 key: 32 of salt, 12 of scrypt parameters, 24 of nonce, 16 of
/// authentication and 117 of the key in PKCS #8.
const ENCRYPTED_LENGTH: usize = 32 + 12 + 24 + 16 + 117;

/// The parameters N, p and r of scrypt in new keystores, as polkadot-js has them, and the binary
/// logarithm of N.
const SCRYPT: [u32; 3] = [1 << 15, 1, 8];
const SCRYPT_LOG_N: u8 = 15;
/// The bytes before the secret key and before the public key in PKCS #8.
const PKCS8_SECRET: [u8; 16] = [48, 83, 2, 1, 1, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32];
const PKCS8_PUBLIC: [u8; 5] = [161, 35, 3, 33, 0];

/// The reasons why a file is not a keystore that the client can use.
const ENCRYPTION: &str =
	"it is not encrypted with scrypt and xsalsa20-poly1305: export it with a password";
const BASE64: &str = "its field `encoded` is not base64: the file is damaged";

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

/// Reads and decrypts a keystore. The password is the one line of a file that only its owner may
/// read; without one, asks for it after checking the keystore.
pub(super) fn load(
	path: &Path,
	origin: &str,
	password_file: Option<&Path>,
	ask: Ask,
) -> Result<Keypair, KeyError> {
	let bytes = read::secret_file(path, MAX_KEYSTORE, origin)?;
	let invalid = |reason| KeyError::Keystore { path: path.into(), reason };
	let json = std::str::from_utf8(&bytes).map_err(|_| invalid(not_json(1, 1)))?;
	ensure_supported(json).map_err(invalid)?;
	let password = password(path, password_file, ask)?;
	decrypt_json(json, password.expose_secret()).map_err(|error| match decryption_error(error) {
		Some(reason) => invalid(reason),
		None => KeyError::Password(path.into()),
	})
}

/// Returns the account that a keystore names. Only its password shows whether it has the key of
/// that account.
pub(super) fn account(path: &Path, origin: &str) -> Result<AccountId32, KeyError> {
	let bytes = read::secret_file(path, MAX_KEYSTORE, origin)?;
	let invalid = |reason| KeyError::Keystore { path: path.into(), reason };
	let json = std::str::from_utf8(&bytes).map_err(|_| invalid(not_json(1, 1)))?;
	ensure_supported(json).map_err(invalid)
}

/// Returns the password of an encrypted file: the line of a file that only its owner may read, or
/// else one that is asked for.
pub fn password(
	path: &Path,
	password_file: Option<&Path>,
	ask: Ask,
) -> Result<SecretString, KeyError> {
	match password_file {
		Some(file) => read::from_file(file, &file.display().to_string()),
		None => asked(path, ask),
	}
}

/// Returns the password of a new encrypted file as [`password`] does. Asks twice.
pub fn new_password(
	path: &Path,
	password_file: Option<&Path>,
	ask: Ask,
) -> Result<SecretString, KeyError> {
	match password_file {
		Some(_) => password(path, password_file, ask),
		None => asked_twice(path, ask),
	}
}

/// Asks for the password of an encrypted file.
fn asked(path: &Path, ask: Ask) -> Result<SecretString, KeyError> {
	let password = ask(&format!("password of {}: ", path.display()));
	let failed = |source| KeyError::NoTerminal { path: path.into(), source };
	// Making it a secret may move it, and leave the first copy behind.
	Ok(Zeroizing::new(password.map_err(failed)?).as_str().into())
}

/// Asks twice for the password of a new encrypted file.
fn asked_twice(path: &Path, ask: Ask) -> Result<SecretString, KeyError> {
	let password = asked(path, ask)?;
	if password.expose_secret().is_empty() {
		return Err(KeyError::Empty("the password".into()));
	}
	let again = ask("the same password again: ");
	let failed = |source| KeyError::NoTerminal { path: path.into(), source };
	match *Zeroizing::new(again.map_err(failed)?) == *password.expose_secret() {
		true => Ok(password),
		false => Err(KeyError::PasswordsDiffer),
	}
}

/// Returns the keystore of the key that a phrase with this entropy stands for, encrypted with a
/// password.
pub(super) fn encrypt(
	entropy: &[u8],
	account: &AccountId32,
	password: &str,
) -> Result<String, KeyError> {
	let failed = |reason: &str| KeyError::Random(reason.to_owned());
	let seed = substrate_bip39::seed_from_entropy(entropy, "");
	let seed = Zeroizing::new(seed.map_err(|_| failed("the entropy has a wrong length"))?);
	// The key in the form of Ed25519, of the half of the seed that is in use.
	let mut secret = Zeroizing::new([0; 64]);
	Sha512::new().chain_update(&seed[..32]).finalize_into((&mut *secret).into());
	secret[0] &= 0b1111_1000;
	secret[31] = secret[31] & 0b0011_1111 | 0b0100_0000;
	// It does not grow, which would leave a copy in memory.
	let mut plain = Zeroizing::new(Vec::with_capacity(128));
	for part in [&PKCS8_SECRET[..], &*secret, &PKCS8_PUBLIC, &account.0] {
		plain.extend_from_slice(part);
	}
	let (mut salt, mut nonce) = ([0; 32], Nonce::default());
	for random in [&mut salt[..], nonce.as_mut_slice()] {
		OsRng.try_fill_bytes(random).map_err(|error| failed(&error.to_string()))?;
	}
	let [n, p, r] = SCRYPT;
	let parameters = scrypt::Params::new(SCRYPT_LOG_N, r, p, 32);
	let mut key = Zeroizing::new([0; 32]);
	let derived = parameters
		.map(|parameters| scrypt::scrypt(password.as_bytes(), &salt, &parameters, &mut *key));
	derived
		.map_err(|error| failed(&error.to_string()))?
		.map_err(|error| failed(&error.to_string()))?;
	let cipher = XSalsa20Poly1305::new(Key::from_slice(&*key));
	let sealed = cipher.encrypt(&nonce, &plain[..]);
	let sealed = sealed.map_err(|error| failed(&error.to_string()))?;
	let mut encoded = salt.to_vec();
	[n, p, r].iter().for_each(|number| encoded.extend(number.to_le_bytes()));
	encoded.extend_from_slice(&nonce);
	encoded.extend(sealed);
	let json = serde_json::json!({
		"encoded": STANDARD.encode(encoded),
		"encoding": {
			"content": ["pkcs8", "sr25519"],
			"type": ["scrypt", "xsalsa20-poly1305"],
			"version": "3",
		},
		"address": account.to_string(),
		"meta": { "name": "fabric", "whenCreated": wall_clock() / 1_000 },
	});
	Ok(format!("{json}\n"))
}

/// Checks a keystore as far as possible without the password. Returns the account that it names.
/// subxt's decoder reports all of these alike, and panics if the encrypted key is short.
fn ensure_supported(json: &str) -> Result<AccountId32, String> {
	let keystore: Keystore = serde_json::from_str(json).map_err(json_error)?;
	let Keystore { encoded, encoding, address } = keystore;
	if encoding.version != "3" {
		return Err(
			"its version is not 3: export the account again with a current polkadot-js".into()
		);
	}
	if !encoding.content.has("pkcs8") || !encoding.content.has("sr25519") {
		return Err("its key is not of type sr25519".into());
	}
	if !encoding.r#type.has("scrypt") || !encoding.r#type.has("xsalsa20-poly1305") {
		return Err(ENCRYPTION.into());
	}
	let account = parse_account(&address).map_err(|_| "its address is not an SS58 address")?;
	match STANDARD.decode(encoded).map_err(|_| BASE64)?.len() {
		ENCRYPTED_LENGTH => Ok(account),
		found => Err(format!(
			"its field `encoded` has {found} bytes, expected {ENCRYPTED_LENGTH}: the file is damaged"
		)),
	}
}

/// Returns the reason, or `None` if the password is wrong.
fn decryption_error(error: Error) -> Option<String> {
	Some(match error {
		Error::Secretbox(_) => return None,
		Error::Json(error) => json_error(error),
		Error::UnsupportedEncoding => ENCRYPTION.into(),
		Error::Base64(_) => BASE64.into(),
		Error::UnsupportedScryptParameters { n, p, r } => {
			format!("its scrypt parameters N {n}, p {p}, r {r} are not used by polkadot-js")
		},
		Error::Sr25519(_) | Error::InvalidKeys => {
			"its key does not belong to its address: the file is damaged".into()
		},
	})
}

/// Returns the place of an error only: its text repeats values, and the file may be a phrase.
fn json_error(error: serde_json::Error) -> String {
	not_json(error.line(), error.column())
}

fn not_json(line: usize, column: usize) -> String {
	format!("line {line}, column {column} is not the JSON that polkadot-js exports")
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
		load(keystore.path(), "key.json", Some(password.path()), |_| panic!("nobody is asked"))
	}

	fn reason(json: &str) -> String {
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
			assert_eq!(reason(json), "its key is not of type sr25519");
		}
	}

	#[test]
	fn a_keystore_without_encryption_is_refused() {
		let json = include_str!("../../tests/data/keystores/unencrypted.json");
		assert_eq!(reason(json), ENCRYPTION);
	}

	#[test]
	fn other_versions_are_refused_also_with_single_texts() {
		let expected = "its version is not 3: export the account again with a current polkadot-js";
		assert_eq!(reason(&SR25519.replace("\"3\"", "\"2\"")), expected);
		let old = r#"{"encoded":"","encoding":{"content":"none","type":"none","version":"0"},
			"address":""}"#;
		assert_eq!(reason(old), expected);
	}

	#[test]
	fn encrypted_keys_of_any_other_length_are_refused() {
		for found in [0, 1, 67, 68, 84, ENCRYPTED_LENGTH - 1, ENCRYPTED_LENGTH + 1] {
			let json = with_encoded(|bytes| bytes.resize(found, 0));
			let expected = format!("has {found} bytes, expected 201: the file is damaged");
			assert!(reason(&json).ends_with(&expected), "{found}");
		}
	}

	#[test]
	fn costly_scrypt_parameters_are_refused() {
		let json = with_encoded(|bytes| bytes[35] = 0x40);
		let expected = "its scrypt parameters N 1073872896, p 1, r 8 are not used by polkadot-js";
		assert_eq!(reason(&json), expected);
	}

	#[test]
	fn an_address_must_be_ss58_and_of_the_key() {
		let with = |address: &str| {
			SR25519.replace("5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY", address)
		};
		assert_eq!(reason(&with("0x1234")), "its address is not an SS58 address");
		let bob = dev::bob().public_key().to_account_id().to_string();
		let expected = "its key does not belong to its address: the file is damaged";
		assert_eq!(reason(&with(&bob)), expected);
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

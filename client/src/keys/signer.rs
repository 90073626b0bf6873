// SPDX-License-Identifier: Apache-2.0
//! Keys that sign.

use std::{fmt, str::FromStr};

use subxt::utils::AccountId32;
use subxt_signer::{
	bip39,
	sr25519::{self, Keypair},
	ExposeSecret, SecretUri, DEV_PHRASE,
};

/// The forms of a key.
const FORM: &str = "expected a secret phrase or a seed of 0x and 64 hex digits, each with an \
                    optional derivation such as //1 and ///password";

/// An sr25519 signing key and its account.
///
/// It cannot be cloned, and its `Debug` prints the account only. subxt's own `Debug` of the
/// [keypair](Self::keypair) prints the secret key.
pub struct Signer {
	// Moving it copies no secret.
	keypair: Box<Keypair>,
	account: AccountId32,
	public: bool,
}

impl Signer {
	/// Returns the account that the key signs for.
	pub fn account(&self) -> &AccountId32 {
		&self.account
	}

	/// Returns the sr25519 signature of a message.
	pub fn sign(&self, message: &[u8]) -> [u8; 64] {
		self.keypair.sign(message).0
	}

	/// Returns the key for subxt.
	pub fn keypair(&self) -> &Keypair {
		&self.keypair
	}

	/// Checks whether the key derives from the development phrase, which everybody knows. A file
	/// or variable may contain such a key too.
	pub fn is_public(&self) -> bool {
		self.public
	}

	/// Reads a secret phrase or a seed, with an optional derivation and password. Fails with the
	/// reason, which has no part of the text.
	pub(super) fn from_uri(text: &str) -> Result<Self, String> {
		// As a key, a path would be a derivation of the public development phrase.
		if text.starts_with('/') && !text.starts_with("//") {
			return Err(
				"it starts with a single `/`, like a path: expected a secret phrase or a seed"
					.into(),
			);
		}
		// Without a phrase, subxt takes the development phrase.
		if text.trim().is_empty() {
			return Err(FORM.into());
		}
		let uri = SecretUri::from_str(text).map_err(|_| FORM)?;
		let keypair = Keypair::from_uri(&uri).map_err(invalid_key)?;
		Ok(Self { public: is_public(&uri), ..keypair.into() })
	}
}

impl From<Keypair> for Signer {
	fn from(keypair: Keypair) -> Self {
		let account = keypair.public_key().to_account_id();
		Self { keypair: Box::new(keypair), account, public: false }
	}
}

impl fmt::Debug for Signer {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.debug_struct("Signer").field("account", &self.account).finish_non_exhaustive()
	}
}

fn is_public(uri: &SecretUri) -> bool {
	let words = uri.phrase.expose_secret().split_whitespace();
	let password = uri.password.as_ref().map_or("", |password| password.expose_secret());
	password.is_empty() && words.eq(DEV_PHRASE.split(' '))
}

/// Returns the reason without any part of the text, which the libraries' errors may contain.
fn invalid_key(error: sr25519::Error) -> String {
	match error {
		sr25519::Error::Hex(_) | sr25519::Error::InvalidSeed => {
			"expected a seed of 0x and 64 hex digits".into()
		},
		sr25519::Error::Phrase(bip39::Error::BadWordCount(count)) => {
			format!("the phrase has {count} words, expected 12, 15, 18, 21 or 24")
		},
		sr25519::Error::Phrase(bip39::Error::UnknownWord(index)) => format!(
			"word {} of the phrase is not in the BIP-39 list of English words",
			index.saturating_add(1)
		),
		sr25519::Error::Phrase(bip39::Error::InvalidChecksum) => {
			"the checksum of the phrase is wrong: check its words and their order".into()
		},
		_ => FORM.into(),
	}
}

#[cfg(test)]
mod tests {
	use subxt_signer::sr25519::{dev, verify, Signature};

	use super::*;

	const PHRASE: &str = "legal winner thank year wave sausage worth useful legal winner thank \
	                      yellow";

	fn key(text: &str) -> Signer {
		Signer::from_uri(text).expect("the text is a key; qed")
	}

	#[test]
	fn signatures_are_of_the_account() {
		let signer = key("//Alice");
		let alice = dev::alice();
		assert_eq!(signer.account(), &alice.public_key().to_account_id());
		assert!(verify(&Signature(signer.sign(b"text")), b"text", &alice.public_key()));
		assert_eq!(signer.keypair().public_key().0, alice.public_key().0);
	}

	#[test]
	fn phrases_seeds_derivations_and_passwords_are_read() {
		// Alice's seed, as `subkey inspect //Alice` prints it.
		let seed = "0xe5be9a5092b81bca64be81d212e7f2f9eba183bb7a90954f7b76361f6edb5c0a";
		assert_eq!(key(seed).account(), key("//Alice").account());
		assert_eq!(key(&format!("{DEV_PHRASE}//Alice")).account(), key("//Alice").account());
		assert_ne!(key(&format!("{PHRASE}///pw")).account(), key(PHRASE).account());
		assert_ne!(key(&format!("{PHRASE}//1")).account(), key(PHRASE).account());
	}

	#[test]
	fn keys_of_the_development_phrase_are_public() {
		assert!(key("//Alice").is_public());
		assert!(key(&DEV_PHRASE.replace(' ', "  ")).is_public());
		assert!(!key("//Alice///password").is_public());
		assert!(!key(PHRASE).is_public());
	}

	#[test]
	fn texts_that_are_not_keys_are_refused_with_a_reason() {
		for (text, expected) in [
			("/home/me/key", "starts with a single `/`, like a path"),
			("{}", "expected a secret phrase or a seed of 0x and 64 hex digits, each with"),
			("0x12", "expected a seed of 0x and 64 hex digits"),
			("one two", "has 2 words, expected 12, 15, 18, 21 or 24"),
			(&PHRASE.replace("thank", "thanks"), "word 3 of the phrase is not in the BIP-39 list"),
			(&PHRASE.replace("yellow", "year"), "checksum of the phrase is wrong"),
		] {
			let reason = Signer::from_uri(text).map(drop).expect_err("not a key; qed");
			assert!(reason.contains(expected), "{text}: {reason}");
		}
	}

	#[test]
	fn debug_prints_the_account_only() {
		let debug = format!("{:?}", key("//Alice"));
		let account = format!("{:?}", key("//Alice").account());
		assert_eq!(debug, format!("Signer {{ account: {account}, .. }}"));
	}
}

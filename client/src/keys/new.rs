// SPDX-License-Identifier: Apache-2.0
//! New signing keys, and the files that hold them.

use std::{
	fs::{self, File, OpenOptions},
	io::{ErrorKind, Write},
	path::Path,
};

use rand::{rngs::OsRng, TryRngCore};
use subxt::utils::AccountId32;
use subxt_signer::{bip39::Mnemonic, ExposeSecret};
use zeroize::Zeroizing;

use super::{keystore, Ask, KeyError, KeySource, Signer};

/// Number of bytes of entropy behind a phrase of 12 words.
const ENTROPY: usize = 16;
/// Number of bytes of the longest phrase: 12 words of at most 8 letters, and spaces.
const LONGEST_PHRASE: usize = 12 * 8 + 11;

/// A new signing key. Its `Debug` prints the account only.
///
/// Its secrets are on the heap, in buffers that do not grow, and are wiped there: moving it copies
/// none of them. The libraries that make phrase and key of the entropy leave copies on the stack.
pub struct NewKey {
	entropy: Zeroizing<Vec<u8>>,
	phrase: Zeroizing<String>,
	signer: Signer,
}

impl NewKey {
	/// Returns a random key.
	pub fn generate() -> Result<Self, KeyError> {
		let mut entropy = Zeroizing::new(vec![0; ENTROPY]);
		OsRng.try_fill_bytes(&mut entropy).map_err(|error| KeyError::Random(error.to_string()))?;
		Self::of(entropy)
	}

	fn of(entropy: Zeroizing<Vec<u8>>) -> Result<Self, KeyError> {
		let random = |reason: String| KeyError::Random(reason);
		let words = Mnemonic::from_entropy(&entropy).map_err(|error| random(error.to_string()))?;
		let mut phrase = Zeroizing::new(String::with_capacity(LONGEST_PHRASE));
		for word in words.words() {
			if !phrase.is_empty() {
				phrase.push(' ');
			}
			phrase.push_str(word);
		}
		let signer = Signer::from_uri(&phrase).map_err(random)?;
		Ok(Self { entropy, phrase, signer })
	}

	/// Returns the account of the key.
	pub fn account(&self) -> &AccountId32 {
		self.signer.account()
	}

	/// Returns the secret phrase. Whoever has it can sign with the key.
	pub fn phrase(&self) -> &str {
		&self.phrase
	}

	/// Writes the phrase to a new file that only its owner may read. Returns the source of the key.
	pub fn write_phrase(&self, path: &Path) -> Result<KeySource, KeyError> {
		let mut line = Zeroizing::new(String::with_capacity(self.phrase.len() + 1));
		line.push_str(&self.phrase);
		line.push('\n');
		write_new(path, line.as_bytes())?;
		Ok(KeySource::File(path.into()))
	}

	/// Writes the key to a new keystore of polkadot-js that only its owner may read, encrypted with
	/// a password: the line of the file that `FABRIC_PASSWORD_FILE` names, or else one that is asked
	/// for twice. Returns the source of the key.
	pub fn write_keystore(&self, path: &Path, ask: Ask) -> Result<KeySource, KeyError> {
		self.write_keystore_with(path, keystore::password_file().as_deref(), ask)
	}

	fn write_keystore_with(
		&self,
		path: &Path,
		password_file: Option<&Path>,
		ask: Ask,
	) -> Result<KeySource, KeyError> {
		let password = keystore::new_password(path, password_file, ask)?;
		let json = keystore::encrypt(&self.entropy, self.account(), password.expose_secret())?;
		write_new(path, json.as_bytes())?;
		Ok(KeySource::Keystore(path.into()))
	}
}

impl std::fmt::Debug for NewKey {
	fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
		f.debug_struct("NewKey").field("account", self.account()).finish_non_exhaustive()
	}
}

/// Writes a file that must not exist, and that only its owner may read.
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<(), KeyError> {
	let mut options = OpenOptions::new();
	options.write(true).create_new(true);
	#[cfg(unix)]
	std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
	let mut file = options.open(path).map_err(|source| match source.kind() {
		ErrorKind::AlreadyExists => KeyError::Exists(path.into()),
		_ => KeyError::Write { path: path.into(), source },
	})?;
	let written =
		file.write_all(bytes).and_then(|()| file.sync_all()).and_then(|()| sync_folder(path));
	written.map_err(|source| {
		// A part of a key is of no use.
		let _ = fs::remove_file(path);
		KeyError::Write { path: path.into(), source }
	})
}

/// Makes the name of a new file durable: a key that is lost in a crash may have funds by then.
#[cfg(unix)]
fn sync_folder(path: &Path) -> std::io::Result<()> {
	let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
	File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> std::io::Result<()> {
	Ok(())
}

#[cfg(test)]
mod tests {
	use super::*;
	use crate::keys::{tests::written, ChainKind};

	fn nobody(_: &str) -> std::io::Result<String> {
		panic!("nobody is asked")
	}

	#[test]
	fn keys_are_new_each_time_and_debug_prints_the_account_only() {
		let [one, other] =
			[NewKey::generate(), NewKey::generate()].map(|key| key.expect("it is random"));
		assert_ne!(one.phrase(), other.phrase());
		assert_eq!(one.phrase().split(' ').count(), 12);
		assert_eq!(format!("{one:?}"), format!("NewKey {{ account: {:?}, .. }}", one.account()));
	}

	#[test]
	fn a_phrase_of_known_entropy_is_the_one_of_other_programs() {
		let key = NewKey::of(Zeroizing::new(vec![0; ENTROPY])).expect("it is entropy");
		let phrase = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about";
		assert_eq!(key.phrase(), phrase);
		// As `subkey inspect` prints it.
		assert_eq!(key.account().to_string(), "5EPCUjPxiHAcNooYipQFWr9NmmXJKpNG5RhcntXwbtUySrgH");
	}

	#[test]
	fn the_buffers_of_secrets_do_not_grow() {
		// The words of the phrase are of all lengths, up to 8 letters.
		for byte in [0, 0x55, 0xaa, 0xff] {
			let key = NewKey::of(Zeroizing::new(vec![byte; ENTROPY])).expect("it is entropy");
			assert_eq!(key.phrase.capacity(), LONGEST_PHRASE);
		}
		let longest =
			subxt_signer::bip39::Language::English.word_list().iter().map(|word| word.len());
		assert_eq!(longest.max(), Some(8));
		// A key, an account and lengths take more room than a pointer to them.
		assert!(size_of::<NewKey>() < 4 * size_of::<AccountId32>());
	}

	#[test]
	fn files_of_keys_load_as_the_same_account_and_are_never_overwritten() {
		let dir = tempfile::tempdir().expect("there is room");
		let password = written(b"correct horse\n", 0o600);
		let key = NewKey::generate().expect("it is random");
		for name in ["phrase", "keystore.json"] {
			let path = dir.path().join(name);
			let write = || match name {
				"phrase" => key.write_phrase(&path),
				_ => key.write_keystore_with(&path, Some(password.path()), nobody),
			};
			let source = write().expect("the file is new");
			#[cfg(unix)]
			{
				use std::os::unix::fs::PermissionsExt;
				let mode = fs::metadata(&path).expect("it is there").permissions().mode();
				assert_eq!(mode & 0o777, 0o600, "{name}");
			}
			let before = fs::read(&path).expect("it is there");
			let text = String::from_utf8_lossy(&before).into_owned();
			assert_eq!(text.contains(key.phrase()), name == "phrase", "{name}");
			let loaded = match source {
				KeySource::Keystore(path) => {
					keystore::load(&path, name, Some(password.path()), nobody).map(Signer::from)
				},
				source => source.load(ChainKind::Live),
			};
			assert_eq!(loaded.expect("it is a key").account(), key.account(), "{name}");
			let refused = write().map(drop).expect_err("the file exists").to_string();
			assert!(refused.contains("exists already"), "{refused}");
			assert_eq!(fs::read(&path).expect("it is there"), before);
		}
		let refused = key.write_phrase(&dir.path().join("no/such/folder")).map(drop);
		assert!(matches!(refused, Err(KeyError::Write { .. })), "{refused:?}");
	}

	#[test]
	fn passwords_that_differ_or_are_empty_write_nothing() {
		let dir = tempfile::tempdir().expect("there is room");
		let path = dir.path().join("keystore.json");
		let key = NewKey::generate().expect("it is random");
		let differ: Ask = |prompt| Ok(prompt.to_owned());
		let write = |ask| key.write_keystore_with(&path, None, ask).map(drop);
		assert!(matches!(write(differ), Err(KeyError::PasswordsDiffer)));
		assert!(matches!(write(|_| Ok(String::new())), Err(KeyError::Empty(_))));
		assert!(matches!(
			write(|_| Err(ErrorKind::NotFound.into())),
			Err(KeyError::NoTerminal { .. })
		));
		assert!(!path.exists());
		write(|_| Ok("correct horse".into())).expect("the passwords are equal");
		assert!(path.exists());
	}
}

// SPDX-License-Identifier: Apache-2.0
//! Sources of signing keys.

use std::{
	convert::Infallible,
	fmt,
	io::{self, IsTerminal},
	path::{Path, PathBuf},
	str::FromStr,
};

use subxt::utils::AccountId32;
use subxt_signer::{ExposeSecret, SecretString};
use zeroize::Zeroizing;

use super::{keystore, read, ChainKind, KeyError, Signer};

/// Number of words of the shortest secret phrase.
const SHORTEST_PHRASE: usize = 12;

/// Number of hex digits of a seed.
const SEED_DIGITS: usize = 64;

/// A source of a signing key, as an argument names it.
///
/// The text of an unknown form may be a secret, so every text is accepted, and what is not
/// recognized becomes a [`Phrase`](Self::Phrase): an argument parser repeats the texts that it
/// refuses. An argument that reads its value from an environment variable needs clap's
/// `hide_env_values`, as help texts print such values.
#[derive(Debug, Clone)]
pub enum KeySource {
	/// `env:NAME`: an environment variable that holds a secret phrase or a seed.
	Env(String),
	/// `file:PATH`: a file that holds a secret phrase or a seed, and that only its owner may read.
	File(PathBuf),
	/// `keystore:PATH`: an encrypted JSON keystore of polkadot-js.
	Keystore(PathBuf),
	/// `-`: the next line of standard input. Two keys from `-` are two consecutive lines.
	Stdin,
	/// A derivation of the public development phrase, such as `//Alice`.
	Development(String),
	/// Any other text: a secret phrase or a seed itself, or a mistyped source.
	Phrase(SecretString),
}

/// The account of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identified {
	/// The account.
	pub account: AccountId32,
	/// True if everybody knows the key.
	pub is_public: bool,
	/// False if the key is in a keystore that was not decrypted: the account is what the keystore
	/// says.
	pub is_opened: bool,
}

/// Asks a person for a secret, with this prompt, and returns the line.
pub type Ask = fn(prompt: &str) -> io::Result<String>;

impl KeySource {
	/// Checks whether the source names a key that everybody knows. Warn about one on a live chain.
	pub fn is_public(&self) -> bool {
		matches!(self, Self::Development(_))
	}

	/// Loads the key, for use on a chain of some kind. Asks nobody: `FABRIC_PASSWORD_FILE` names the
	/// file with the password of a keystore.
	///
	/// A [`Phrase`](Self::Phrase) is accepted on development chains only.
	pub fn load(&self, chain: ChainKind) -> Result<Signer, KeyError> {
		self.load_asking(chain, nobody)
	}

	/// Loads the key as [`load`](Self::load) does. Asks for the password of a keystore if no file
	/// has it, and for a line of standard input if that is a terminal.
	pub fn load_asking(&self, chain: ChainKind, ask: Ask) -> Result<Signer, KeyError> {
		self.load_with(chain, keystore::password_file().as_deref(), ask)
	}

	fn load_with(
		&self,
		chain: ChainKind,
		password_file: Option<&Path>,
		ask: Ask,
	) -> Result<Signer, KeyError> {
		let origin = self.origin();
		match self {
			Self::Env(name) => {
				self.signer(&read::from_variable(name, std::env::var_os(name), &origin)?)
			},
			Self::File(path) => self.signer(&read::from_file(path, &origin)?),
			Self::Keystore(path) => Ok(keystore::load(path, &origin, password_file, ask)?.into()),
			Self::Stdin => self.signer(&from_stdin(&origin, ask)?),
			Self::Development(text) => self.signer(&text.as_str().into()),
			Self::Phrase(text) if !has_key(text.expose_secret()) => Err(KeyError::Source),
			Self::Phrase(text) => {
				self.ensure_allowed(chain)?;
				self.signer(text)
			},
		}
	}

	/// Finds the account of the key, and asks nobody. Decrypts a keystore only if a file has its
	/// password. `None` if the key is to be read from standard input.
	pub fn identify(&self) -> Result<Option<Identified>, KeyError> {
		match self {
			Self::Stdin => return Ok(None),
			Self::Keystore(path) if keystore::password_file().is_none() => {
				let account = keystore::account(path, &self.origin())?;
				return Ok(Some(Identified { account, is_public: false, is_opened: false }));
			},
			_ => {},
		}
		let signer = self.load(ChainKind::Development)?;
		let (account, is_public) = (*signer.account(), signer.is_public());
		Ok(Some(Identified { account, is_public, is_opened: true }))
	}

	/// Checks that the source may be used on a chain of some kind.
	pub fn ensure_allowed(&self, chain: ChainKind) -> Result<(), KeyError> {
		match self {
			Self::Phrase(_) if chain != ChainKind::Development => Err(KeyError::Exposed),
			_ => Ok(()),
		}
	}

	fn signer(&self, text: &SecretString) -> Result<Signer, KeyError> {
		// Editors and `echo` leave such a space easily. A password may end in others.
		let text = text.expose_secret();
		let text = text.strip_suffix(' ').unwrap_or(text);
		Signer::from_uri(text).map_err(|reason| KeyError::Invalid { origin: self.origin(), reason })
	}

	/// Returns the name of the source in errors.
	fn origin(&self) -> String {
		match self {
			Self::Stdin => "standard input".into(),
			_ => self.to_string(),
		}
	}
}

/// Answers nothing.
fn nobody(_: &str) -> io::Result<String> {
	Err(io::Error::new(io::ErrorKind::Unsupported, "this program does not ask"))
}

/// Reads the next line of standard input, without echo if it is a terminal.
fn from_stdin(origin: &str, ask: Ask) -> Result<SecretString, KeyError> {
	let input = io::stdin();
	if input.is_terminal() {
		let line = ask("secret phrase or seed: ");
		// Making it a secret may move it, and leave the first copy behind.
		let line = Zeroizing::new(line.map_err(|source| read::read_error(origin, source))?);
		return Ok(line.as_str().into());
	}
	read::from_line(&mut input.lock(), origin)
}

impl FromStr for KeySource {
	type Err = Infallible;

	fn from_str(text: &str) -> Result<Self, Infallible> {
		Ok(match text.split_once(':') {
			Some(("env", name)) if is_variable(name) => Self::Env(name.into()),
			Some(("file", path)) if is_path(path) => Self::File(path.into()),
			Some(("keystore", path)) if is_path(path) => Self::Keystore(path.into()),
			_ if text == "-" => Self::Stdin,
			_ if is_development(text) => Self::Development(text.into()),
			_ => Self::Phrase(text.into()),
		})
	}
}

/// Checks for the name of a variable. After `env:$KEY` the text is the key itself.
fn is_variable(name: &str) -> bool {
	!name.starts_with(|first: char| first.is_ascii_digit())
		&& name.chars().all(|char| char.is_ascii_alphanumeric() || char == '_')
		&& !looks_like_key(name)
}

/// Checks for a path. After `file:$KEY` the text is the key itself.
fn is_path(path: &str) -> bool {
	path.starts_with('/') || !looks_like_key(path)
}

/// Checks for a seed or a phrase, even a mistyped one, as errors would print it.
fn looks_like_key(text: &str) -> bool {
	text.starts_with("0x") || text.split_whitespace().count() >= SHORTEST_PHRASE || is_seed(text)
}

/// Checks for a derivation of the development phrase. With a password it is a secret.
fn is_development(text: &str) -> bool {
	text.starts_with("//") && !text.contains("///") && !text.contains(char::is_whitespace)
}

/// Returns whether a text looks like a secret: a phrase, a seed, the development phrase with a
/// password, an age identity or a private key in PEM. A text that a person has given for something
/// public, such as an address or a locator, must not be printed then.
pub fn looks_secret(text: &str) -> bool {
	/// Marks in the secrets of age and its plugins, and in private keys in PEM.
	const MARKS: [&str; 3] = ["AGE-SECRET-KEY-", "AGE-PLUGIN-", "PRIVATE KEY-"];
	let capital = text.to_ascii_uppercase();
	has_key(text) || MARKS.iter().any(|mark| capital.contains(mark))
}

/// Checks for a phrase, a seed, or the development phrase with a password anywhere in a text that
/// is not a source. Other texts are mistyped sources.
fn has_key(text: &str) -> bool {
	let mut words = text.split(|mark: char| !mark.is_ascii_alphanumeric());
	text.split_whitespace().count() >= SHORTEST_PHRASE
		|| text.starts_with("//") && text.contains("///")
		|| words.any(|word| is_seed(word.strip_prefix("0x").unwrap_or(word)))
}

fn is_seed(word: &str) -> bool {
	word.len() == SEED_DIGITS && word.chars().all(|char| char.is_ascii_hexdigit())
}

impl fmt::Display for KeySource {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::Env(name) => write!(f, "env:{name}"),
			Self::File(path) => write!(f, "file:{}", path.display()),
			Self::Keystore(path) => write!(f, "keystore:{}", path.display()),
			Self::Stdin => f.write_str("-"),
			Self::Development(text) => f.write_str(text),
			Self::Phrase(_) => f.write_str("a phrase"),
		}
	}
}

#[cfg(test)]
mod tests {
	use subxt_signer::sr25519::dev;

	use super::*;
	use crate::keys::tests::written;

	const PHRASE: &str = "legal winner thank year wave sausage worth useful legal winner thank \
	                      yellow";
	const KEYSTORE: &[u8] = include_bytes!("../../tests/data/keystores/sr25519.json");
	const SEED: &str = "0xe5be9a5092b81bca64be81d212e7f2f9eba183bb7a90954f7b76361f6edb5c0a";

	fn source(text: &str) -> KeySource {
		let Ok(source) = text.parse();
		source
	}

	#[test]
	fn sources_are_printed_as_they_were_given() {
		// After `env:$KEY` and `file:$KEY`, nothing is left of a variable that is not set.
		for text in [
			"env:",
			"file:",
			"env:NAME",
			"file:a key",
			"file:/dev/fd/63",
			"keystore:k.json",
			"-",
			"//Bob",
		] {
			let read = source(text);
			assert!(!matches!(read, KeySource::Phrase(_)), "{text}");
			assert_eq!(read.to_string(), text);
		}
	}

	#[test]
	fn everything_else_is_a_secret_and_is_never_printed() {
		let texts = [
			PHRASE.to_owned(),
			SEED.to_owned(),
			format!("env:{PHRASE}"),
			format!("env:{SEED}"),
			format!("file:{PHRASE}"),
			format!("keystore:{SEED}"),
			format!("env:{}", "a".repeat(SEED_DIGITS)),
			format!("FILE:{PHRASE}"),
			"//Alice///password".to_owned(),
			"/Alice".to_owned(),
			String::new(),
		];
		for text in texts {
			let read = source(&text);
			assert!(matches!(read, KeySource::Phrase(_)), "{text}");
			assert_eq!(format!("{read} {read:?}"), "a phrase Phrase(SecretBox<str>([REDACTED]))");
		}
	}

	#[test]
	fn a_phrase_is_accepted_on_development_chains_only() {
		let phrase = source(PHRASE);
		assert!(phrase.load(ChainKind::Development).is_ok());
		for chain in [ChainKind::Local, ChainKind::Live] {
			let error = phrase.load(chain).expect_err("it is refused; qed");
			assert!(error.to_string().contains("visible in `ps`"), "{error}");
		}
	}

	#[test]
	fn only_a_text_with_a_key_is_called_one() {
		let bare = SEED.trim_start_matches("0x");
		let twelve = "legal winner thank year wave sausage worth useful legal winner thank yelow";
		for text in [
			twelve.to_owned(),
			format!("{PHRASE}//1"),
			format!("env:{PHRASE}"),
			bare.to_owned(),
			format!("file:{SEED}//1///pass"),
			"//Alice///password".to_owned(),
		] {
			let error = source(&text).load(ChainKind::Live).map(drop);
			assert!(matches!(error, Err(KeyError::Exposed)), "{text}: {error:?}");
		}
		let eleven = twelve.trim_end_matches(" yelow");
		for text in [
			"sesame.key",
			"//sesame with space",
			"/sesame",
			"ENV:SESAME",
			"",
			"  ",
			eleven,
			&bare[1..],
			&format!("0x{}", "0".repeat(63)),
		] {
			for chain in [ChainKind::Live, ChainKind::Development] {
				let error = source(text).load(chain).expect_err("it is not a key; qed");
				assert!(matches!(error, KeyError::Source), "{text}: {error}");
				let shown = error.to_string();
				assert!(shown.starts_with("the key is not a key source: expected env:NAME, "));
				assert!(text.trim().is_empty() || !shown.contains(text), "{shown}");
			}
		}
	}

	#[test]
	fn development_keys_load_on_every_chain_and_are_public() {
		let signer = source("//Alice").load(ChainKind::Live).expect("it is a key; qed");
		assert_eq!(signer.account().0, dev::alice().public_key().0);
		assert!(signer.is_public() && source("//Alice").is_public());
		assert!(!source("env:NAME").is_public());
	}

	#[test]
	fn a_file_holds_a_phrase_a_seed_or_a_derivation() {
		for (text, public) in [
			(format!("{SEED}\n"), false),
			(format!("{SEED} \r\n"), false),
			("//Alice\n".to_owned(), true),
		] {
			let file = written(text.as_bytes(), 0o600);
			let signer = KeySource::File(file.path().into()).load(ChainKind::Live);
			let signer = signer.expect("it is a key; qed");
			assert_eq!(signer.account().0, dev::alice().public_key().0);
			assert_eq!(signer.is_public(), public);
		}
	}

	#[test]
	fn a_keystore_holds_an_encrypted_key() {
		let json = written(KEYSTORE, 0o644);
		let keystore = KeySource::Keystore(json.path().into());
		let load = |password: &Path| keystore.load_with(ChainKind::Live, Some(password), nobody);
		let read = load(Path::new("/no/such/password"));
		assert!(read.is_err_and(|error| error.to_string().starts_with("cannot read ")));
		let password = written(b"correct horse\n", 0o600);
		let signer = load(password.path()).expect("the password is right; qed");
		assert_eq!(signer.account().0, dev::alice().public_key().0);
	}

	#[cfg(unix)]
	#[test]
	fn a_file_that_others_may_read_or_write_is_refused() {
		let json = written(KEYSTORE, 0o644);
		let keystore = KeySource::Keystore(json.path().into());
		for mode in [0o640, 0o604, 0o620, 0o602] {
			let file = written(SEED.as_bytes(), mode);
			let error = KeySource::File(file.path().into()).load(ChainKind::Live);
			let error = error.expect_err("it is refused; qed").to_string();
			assert!(error.ends_with(&format!("`chmod 600 {}`", file.path().display())), "{error}");
			let read = keystore.load_with(ChainKind::Live, Some(file.path()), nobody);
			assert!(matches!(read, Err(KeyError::OpenToOthers { .. })));
		}
	}

	#[cfg(target_os = "linux")]
	#[test]
	fn a_pipe_is_accepted() {
		use std::{io::Write, os::fd::AsRawFd};

		let (reader, mut writer) = io::pipe().expect("pipes can be made; qed");
		writer.write_all(SEED.as_bytes()).expect("the pipe has room; qed");
		drop(writer);
		let read = source(&format!("file:/dev/fd/{}", reader.as_raw_fd())).load(ChainKind::Live);
		assert_eq!(read.expect("it is a key; qed").account().0, dev::alice().public_key().0);
	}

	#[cfg(unix)]
	#[test]
	fn permissions_matter_for_regular_files_only() {
		// Everybody may read and write it.
		let read = source("file:/dev/null").load(ChainKind::Live);
		assert!(matches!(read, Err(KeyError::Empty(_))), "{read:?}");
	}

	#[test]
	fn errors_name_the_source_and_not_the_secret() {
		let wrong = PHRASE.replace("yellow", "sesame");
		let several = format!("{SEED}\n{SEED}\n");
		for text in [wrong.as_str(), &several, "0xsesame", "/sesame", "{\"sesame\": 1}"] {
			let file = written(text.as_bytes(), 0o600);
			let error = KeySource::File(file.path().into()).load(ChainKind::Development);
			let error = error.expect_err("it is not a key; qed");
			let shown = format!("{error} {error:?}");
			assert!(error.to_string().starts_with(&format!("file:{}", file.path().display())));
			for secret in ["sesame", "winner", "e5be9a"] {
				assert!(!shown.contains(secret), "{shown}");
			}
		}
		let error = source(&wrong).load(ChainKind::Development).expect_err("not a key; qed");
		assert!(error.to_string().starts_with("a phrase is not a signing key: "), "{error}");
		let error = source("env:FABRIC_TEST_NO_SUCH_VARIABLE").load(ChainKind::Live);
		assert!(matches!(error, Err(KeyError::Unset(_))));
		let error = source("file:/no/such/key").load(ChainKind::Live).expect_err("no file; qed");
		assert!(error.to_string().starts_with("cannot read file:/no/such/key: "), "{error}");
	}
}

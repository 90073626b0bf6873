// SPDX-License-Identifier: Apache-2.0
//! Errors of signing keys. None of them contains a secret.

use std::{io, path::PathBuf};

/// An error of loading a signing key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
	/// A phrase or seed was given itself, on a chain that is not a development chain.
	#[error(
		"a phrase or seed on the command line is visible in `ps` and in the shell history: pass \
		 env:NAME, file:PATH, keystore:PATH or - instead"
	)]
	Exposed,
	/// The text names no source of a key. It is not repeated, as it may be a secret.
	#[error(
		"the key is not a key source: expected env:NAME, file:PATH, keystore:PATH, - for standard \
		 input, or a development key such as //Alice"
	)]
	Source,
	/// The environment variable is not set.
	#[error("the environment variable {0} is not set: set it to a secret phrase or a seed")]
	Unset(/** The variable. */ String),
	/// The source cannot be read.
	#[error("cannot read {origin}: {source}")]
	Read {
		/// The source.
		origin: String,
		/// The cause.
		source: io::Error,
	},
	/// Other users may read or write the file.
	#[error(
		"{path} is accessible to other users (mode {mode:04o}): run `chmod 600 {path}`",
		path = path.display()
	)]
	OpenToOthers {
		/// The file.
		path: PathBuf,
		/// The permission bits of the file.
		mode: u32,
	},
	/// The source with this name is empty.
	#[error("{0} is empty: expected a secret in one line")]
	Empty(String),
	/// The source is larger than a secret can be.
	#[error("{origin} is too long: expected at most {limit} bytes")]
	TooLong {
		/// The source.
		origin: String,
		/// The largest accepted number of bytes.
		limit: usize,
	},
	/// The source with this name is not text.
	#[error("{0} is not valid UTF-8: expected a secret in one line")]
	NotUtf8(String),
	/// The source with this name has more than one line.
	#[error("{0} has more than one line: expected a secret in one line")]
	Lines(String),
	/// The text is not a signing key.
	#[error("{origin} is not a signing key: {reason}")]
	Invalid {
		/// The source.
		origin: String,
		/// The reason.
		#[source]
		reason: InvalidKey,
	},
	/// The file is not a keystore that the client can use.
	#[error("{path} is not a usable keystore: {reason}", path = path.display())]
	Keystore {
		/// The file.
		path: PathBuf,
		/// The reason.
		#[source]
		reason: InvalidKeystore,
	},
	/// The keystore in this file cannot be decrypted.
	#[error("the password of {} is wrong, or the file is damaged", .0.display())]
	Password(PathBuf),
	/// The password cannot be asked for.
	#[error(
		"cannot ask for the password of {path} ({source}): set {variable} to a file that holds it",
		path = path.display(),
		variable = super::PASSWORD_FILE
	)]
	NoTerminal {
		/// The keystore.
		path: PathBuf,
		/// The cause.
		source: io::Error,
	},
}

/// The reason why a text is not a signing key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidKey {
	/// It has none of the forms of a key.
	#[error(
		"expected a secret phrase or a seed of 0x and 64 hex digits, each with an optional \
		 derivation such as //1 and ///password"
	)]
	Form,
	/// It starts like a path. As a key it would be a derivation of the public development phrase.
	#[error("it starts with a single `/`, like a path: expected a secret phrase or a seed")]
	Path,
	/// The seed does not have its length or contains other characters.
	#[error("expected a seed of 0x and 64 hex digits")]
	Seed,
	/// The phrase has too few or too many words.
	#[error("the phrase has {0} words, expected 12, 15, 18, 21 or 24")]
	WordCount(usize),
	/// A word, counted from 1, is not in the list.
	#[error("word {0} of the phrase is not in the BIP-39 list of English words")]
	Word(usize),
	/// The words do not fit together.
	#[error("the checksum of the phrase is wrong: check its words and their order")]
	Checksum,
}

/// The reason why a file is not a keystore that the client can use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidKeystore {
	/// It is not the JSON of a keystore.
	#[error("line {line}, column {column} is not the JSON that polkadot-js exports")]
	Json {
		/// The line, counted from 1.
		line: usize,
		/// The column, counted from 1.
		column: usize,
	},
	/// Its format has another version.
	#[error("its version is not 3: export the account again with a current polkadot-js")]
	Version,
	/// It has a key of another type.
	#[error("its key is not of type sr25519")]
	KeyType,
	/// It is not encrypted, or in a way that is not supported.
	#[error("it is not encrypted with scrypt and xsalsa20-poly1305: export it with a password")]
	Encryption,
	/// Its address is not an SS58 address.
	#[error("its address is not an SS58 address")]
	Address,
	/// The encrypted key is not base64.
	#[error("its field `encoded` is not base64: the file is damaged")]
	Base64,
	/// The encrypted key does not have the length of one.
	#[error("its field `encoded` has {found} bytes, expected {expected}: the file is damaged")]
	Length {
		/// The number of bytes found.
		found: usize,
		/// The number of bytes of every encrypted sr25519 key.
		expected: usize,
	},
	/// The parameters of scrypt are not among those that polkadot-js uses.
	#[error("its scrypt parameters N {n}, p {p}, r {r} are not among those of polkadot-js")]
	Scrypt {
		/// The cost.
		n: u32,
		/// The parallelism.
		p: u32,
		/// The block size.
		r: u32,
	},
	/// The decrypted key is not the key of the address.
	#[error("its key does not belong to its address: the file is damaged")]
	KeyMismatch,
}

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
		reason: String,
	},
	/// The file is not a keystore that the client can use.
	#[error("{path} is not a usable keystore: {reason}", path = path.display())]
	Keystore {
		/// The file.
		path: PathBuf,
		/// The reason.
		reason: String,
	},
	/// The keystore in this file cannot be decrypted.
	#[error("the password of {} is wrong, or the file is damaged", .0.display())]
	Password(PathBuf),
	/// The two passwords that were entered differ.
	#[error("the two passwords differ: nothing was written")]
	PasswordsDiffer,
	/// The file for a new key already exists.
	#[error("{} exists already, and keys are never overwritten: name another file", .0.display())]
	Exists(PathBuf),
	/// A new key cannot be written.
	#[error("cannot write {}: {source}", path.display())]
	Write {
		/// The file.
		path: PathBuf,
		/// The cause.
		source: io::Error,
	},
	/// A new key cannot be made.
	#[error("cannot make a random key: {0}")]
	Random(String),
	/// The password cannot be asked for.
	#[error(
		"cannot ask for the password of {path} ({source}): set {variable} to a file that holds it",
		path = path.display(),
		variable = super::keystore::PASSWORD_FILE
	)]
	NoTerminal {
		/// The encrypted file.
		path: PathBuf,
		/// The cause.
		source: io::Error,
	},
}

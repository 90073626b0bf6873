// SPDX-License-Identifier: Apache-2.0
//! Reads secrets, each in one line, from files, standard input and the environment.

use std::{
	ffi::{OsStr, OsString},
	fs::File,
	io::{self, BufRead, Read},
	path::Path,
};

use subxt_signer::SecretString;
use zeroize::Zeroizing;

use super::KeyError;

/// The largest number of bytes of a secret with its end of line.
pub(super) const MAX_SECRET: usize = 4096;

/// Reads the secret in a file that only its owner may read.
pub(super) fn from_file(path: &Path, origin: &str) -> Result<SecretString, KeyError> {
	let file = File::open(path).map_err(|source| read_error(origin, source))?;
	ensure_private(&file, path, origin)?;
	secret(&at_most(file, MAX_SECRET, origin)?, origin)
}

/// Reads the secret in the value of an environment variable.
pub(super) fn from_variable(
	name: &str,
	value: Option<OsString>,
	origin: &str,
) -> Result<SecretString, KeyError> {
	let value = value.ok_or_else(|| KeyError::Unset(name.into()))?;
	let bytes = Zeroizing::new(value.into_encoded_bytes());
	ensure_short(&bytes, MAX_SECRET, origin)?;
	secret(&bytes, origin)
}

/// Reads the secret in the next line. The bytes after the line stay in the reader.
pub(super) fn from_line(reader: &mut dyn BufRead, origin: &str) -> Result<SecretString, KeyError> {
	let mut bytes = buffer(MAX_SECRET);
	reader
		.take(limit(MAX_SECRET))
		.read_until(b'\n', &mut bytes)
		.map_err(|source| read_error(origin, source))?;
	ensure_short(&bytes, MAX_SECRET, origin)?;
	secret(&bytes, origin)
}

/// Reads a file that has secrets. Fails if it has more than `max` bytes.
pub fn secret_file(path: &Path, max: usize, origin: &str) -> Result<Zeroizing<Vec<u8>>, KeyError> {
	let file = File::open(path).map_err(|source| read_error(origin, source))?;
	at_most(file, max, origin)
}

/// Reads everything. Fails if there are more than `max` bytes.
fn at_most(reader: impl Read, max: usize, origin: &str) -> Result<Zeroizing<Vec<u8>>, KeyError> {
	let mut bytes = buffer(max);
	reader.take(limit(max)).read_to_end(&mut bytes).map_err(|source| read_error(origin, source))?;
	ensure_short(&bytes, max, origin)?;
	Ok(bytes)
}

pub(super) fn read_error(origin: &str, source: io::Error) -> KeyError {
	KeyError::Read { origin: origin.into(), source }
}

/// Returns a buffer that does not grow, as growing would leave a copy of its bytes in memory.
fn buffer(max: usize) -> Zeroizing<Vec<u8>> {
	Zeroizing::new(Vec::with_capacity(max.saturating_add(64)))
}

/// Returns one byte more than `max`, so that bytes beyond it are noticed.
fn limit(max: usize) -> u64 {
	max as u64 + 1
}

fn ensure_short(bytes: &[u8], max: usize, origin: &str) -> Result<(), KeyError> {
	if bytes.len() > max {
		return Err(KeyError::TooLong { origin: origin.into(), limit: max });
	}
	Ok(())
}

/// Returns the text without its end of line.
fn secret(bytes: &[u8], origin: &str) -> Result<SecretString, KeyError> {
	let text = std::str::from_utf8(bytes).map_err(|_| KeyError::NotUtf8(origin.into()))?;
	let text = text.strip_suffix('\n').unwrap_or(text);
	let text = text.strip_suffix('\r').unwrap_or(text);
	if text.trim().is_empty() {
		return Err(KeyError::Empty(origin.into()));
	}
	if text.contains(['\n', '\r']) {
		return Err(KeyError::Lines(origin.into()));
	}
	Ok(text.into())
}

/// Checks that a file is private to its owner. Pipes, such as `<(command)`, are accepted, and so are
/// credentials: systemd gives them to a service alone, by an access list that shows as the mode 0440.
#[cfg(unix)]
fn ensure_private(file: &File, path: &Path, origin: &str) -> Result<(), KeyError> {
	use std::os::unix::fs::PermissionsExt;

	let metadata = file.metadata().map_err(|source| read_error(origin, source))?;
	let mode = metadata.permissions().mode() & 0o7777;
	let credentials = std::env::var_os("CREDENTIALS_DIRECTORY");
	if is_credential(path, credentials.as_deref()) && mode & 0o037 == 0 {
		return Ok(());
	}
	if metadata.is_file() && mode & 0o077 != 0 {
		return Err(KeyError::OpenToOthers { path: path.into(), mode });
	}
	Ok(())
}

/// Returns whether a file is directly in the folder of credentials.
#[cfg(unix)]
fn is_credential(path: &Path, folder: Option<&OsStr>) -> bool {
	folder.is_some_and(|folder| !folder.is_empty() && path.parent() == Some(Path::new(folder)))
}

/// Accepts every file: there are no permission bits on this system.
#[cfg(not(unix))]
fn ensure_private(_: &File, _: &Path, _: &str) -> Result<(), KeyError> {
	Ok(())
}

#[cfg(test)]
mod tests {
	use subxt_signer::ExposeSecret;

	use super::*;

	fn line(text: &[u8]) -> Result<String, KeyError> {
		from_line(&mut &*text, "standard input").map(|secret| secret.expose_secret().to_owned())
	}

	#[test]
	fn lines_are_read_one_after_another() {
		let mut input: &[u8] = b"first\r\nsecond\n";
		let mut next =
			|| from_line(&mut input, "-").map(|secret| secret.expose_secret().to_owned());
		assert_eq!(next().expect("a line is left; qed"), "first");
		assert_eq!(next().expect("a line is left; qed"), "second");
		assert!(matches!(next(), Err(KeyError::Empty(_))));
	}

	#[test]
	fn only_the_end_of_the_line_is_removed() {
		assert_eq!(line(b" a b  \n").expect("the line is text; qed"), " a b  ");
	}

	#[test]
	fn blank_long_and_binary_lines_are_errors() {
		assert!(matches!(line(b" \n"), Err(KeyError::Empty(_))));
		assert!(matches!(line(b"\xff\n"), Err(KeyError::NotUtf8(_))));
		assert!(matches!(line(&[b'a'; MAX_SECRET + 1]), Err(KeyError::TooLong { .. })));
		assert!(line(&[b'a'; MAX_SECRET]).is_ok());
	}

	#[test]
	fn a_variable_has_the_rules_of_a_file() {
		let read = |value: &str| from_variable("NAME", Some(value.into()), "env:NAME");
		assert_eq!(read("secret\n").expect("the value is text; qed").expose_secret(), "secret");
		assert!(matches!(read("a\nb"), Err(KeyError::Lines(_))));
		assert!(matches!(read(""), Err(KeyError::Empty(_))));
		let long = "a".repeat(MAX_SECRET + 1);
		assert!(matches!(read(&long), Err(KeyError::TooLong { .. })));
		let unset = from_variable("NAME", None, "env:NAME").map(drop);
		assert!(unset.is_err_and(|error| error.to_string().contains("variable NAME is not set")));
	}

	#[cfg(unix)]
	#[test]
	fn credentials_of_a_service_are_the_files_in_their_folder() {
		let folder = Some(OsStr::new("/run/credentials/fabric-kms.service"));
		for (path, folder, expected) in [
			("/run/credentials/fabric-kms.service/passphrase", folder, true),
			("/run/credentials/fabric-kms.service/../passphrase", folder, false),
			("/run/credentials/other.service/passphrase", folder, false),
			("/run/credentials/fabric-kms.service/passphrase", None, false),
			("passphrase", Some(OsStr::new("")), false),
		] {
			assert_eq!(is_credential(Path::new(path), folder), expected, "{path}");
		}
	}

	#[cfg(unix)]
	#[test]
	fn a_variable_that_is_not_text_is_an_error() {
		use std::os::unix::ffi::OsStringExt;

		let value = OsString::from_vec(vec![0xff]);
		let read = from_variable("NAME", Some(value), "env:NAME").map(drop);
		assert!(matches!(read, Err(KeyError::NotUtf8(_))));
	}
}

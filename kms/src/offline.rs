// SPDX-License-Identifier: Apache-2.0
//! Decryption of a file without a chain or a server.

use std::{
	fs::File,
	io::{self, BufReader, Read, Write},
	path::Path,
};

use age::{DecryptError, Decryptor};
use tempfile::NamedTempFile;

use crate::{error::Error, identity::Identities};

/// Number of bytes that are decrypted at once.
const STEP: usize = 64 << 10;

/// Decrypts a file to another one, or to standard output. A file has its name only when it is whole.
/// Standard output may get the start of a damaged file, of which every byte is authentic.
pub fn unwrap(path: &Path, identities: &Identities, output: Option<&Path>) -> Result<(), Error> {
	if let Some(output) = output.filter(|output| output.symlink_metadata().is_ok()) {
		return Err(Error::Exists(output.into()));
	}
	let reason = |reason: &str| Error::Decrypt { path: path.into(), reason: reason.into() };
	let file = File::open(path).map_err(Error::file(path, "read"))?;
	let fault = |error| match error {
		DecryptError::Io(source) if source.kind() != io::ErrorKind::UnexpectedEof => {
			Error::file(path, "read")(source)
		},
		DecryptError::NoMatchingKeys => reason("it is not encrypted for any of the identities"),
		DecryptError::UnknownFormat => reason("it is not a binary age file of version 1"),
		_ => reason("it is damaged, or not an age file"),
	};
	let decryptor = Decryptor::new_buffered(BufReader::new(file)).map_err(fault)?;
	if decryptor.is_scrypt() {
		return Err(reason("it is encrypted with a passphrase, not for a KMS"));
	}
	let mut plain = decryptor.decrypt(identities.all()).map_err(fault)?;
	let mut copy = |to: &mut dyn Write, name: &Path| {
		let mut step = zeroize::Zeroizing::new(vec![0; STEP]);
		loop {
			match plain.read(&mut step) {
				Ok(0) => return to.flush().map_err(Error::file(name, "written")),
				Ok(length) => {
					to.write_all(&step[..length]).map_err(Error::file(name, "written"))?;
				},
				Err(_) => return Err(reason("it is cut off or damaged")),
			}
		}
	};
	let Some(output) = output else {
		return copy(&mut io::stdout().lock(), Path::new("standard output"));
	};
	let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty());
	let folder = folder.unwrap_or(Path::new("."));
	let mut partial = NamedTempFile::new_in(folder).map_err(Error::file(output, "written"))?;
	copy(&mut partial, output)?;
	partial.as_file().sync_all().map_err(Error::file(output, "written"))?;
	match partial.persist_noclobber(output) {
		Ok(_) => Ok(()),
		Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
			Err(Error::Exists(output.into()))
		},
		Err(error) => Err(Error::file(output, "written")(error.error)),
	}
}

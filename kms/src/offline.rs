// SPDX-License-Identifier: Apache-2.0
//! Decryption of a file without a chain or a server.

use std::{
	fs::File,
	io::{self, Write},
	path::Path,
};

use content_fabric_client::kms::{KmsError, Sealed};
use tempfile::NamedTempFile;
use zeroize::Zeroizing;

use crate::{error::Error, identity::Identities};

/// Number of bytes that are decrypted at once.
const STEP: usize = 64 << 10;

/// Decrypts a file to another one, or to standard output. A file has its name only when it is whole.
/// Standard output may get the start of a damaged file, of which every byte is authentic.
pub fn unwrap(path: &Path, identities: &Identities, output: Option<&Path>) -> Result<(), Error> {
	if let Some(output) = output.filter(|output| output.symlink_metadata().is_ok()) {
		return Err(exists(output));
	}
	let file = File::open(path).map_err(Error::file(path, "cannot be read"))?;
	let failed = Error::file::<KmsError>(path, "cannot be decrypted");
	let sealed = Sealed::read(file).map_err(&failed)?;
	let foreign = "is not encrypted for any of the identities".to_owned();
	let foreign = || Error::File { path: path.into(), problem: foreign };
	let (_, key) = identities.unwrap(sealed.stanzas()).ok_or_else(foreign)?;
	let mut plain = sealed.open(&key.into()).map_err(&failed)?;
	let mut copy = |to: &mut dyn Write, name: &Path| {
		let mut step = Zeroizing::new(vec![0; STEP]);
		loop {
			let read = plain.next(&mut step).map_err(&failed)?;
			if read == 0 {
				return to.flush().map_err(unwritten(name));
			}
			to.write_all(&step[..read]).map_err(unwritten(name))?;
		}
	};
	let Some(output) = output else {
		return copy(&mut io::stdout().lock(), Path::new("standard output"));
	};
	let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty());
	let folder = folder.unwrap_or(Path::new("."));
	let mut partial = NamedTempFile::new_in(folder).map_err(unwritten(output))?;
	copy(&mut partial, output)?;
	partial.as_file().sync_all().map_err(unwritten(output))?;
	partial.persist_noclobber(output).map(drop).map_err(|error| match error.error.kind() {
		io::ErrorKind::AlreadyExists => exists(output),
		_ => unwritten(output)(error.error),
	})
}

fn unwritten(path: &Path) -> impl Fn(io::Error) -> Error {
	Error::file(path, "cannot be written")
}

fn exists(path: &Path) -> Error {
	Error::File { path: path.into(), problem: "exists already: name another --output".into() }
}

// SPDX-License-Identifier: Apache-2.0
//! Files of this user alone.

use std::{
	fs::{File, OpenOptions},
	io,
	path::Path,
};

/// Opens a file, and creates it, to write at its end. Other users can neither read nor lock it, nor
/// replace it by a link.
pub fn open_private(path: &Path) -> io::Result<File> {
	let mut options = OpenOptions::new();
	options.read(true).append(true).create(true);
	#[cfg(unix)]
	{
		use std::os::unix::fs::OpenOptionsExt;

		// Without `O_NONBLOCK`, opening a pipe would wait for a reader.
		options.mode(0o600).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
	}
	let file = options.open(path)?;
	#[cfg(unix)]
	{
		use std::{fs::Permissions, os::unix::fs::PermissionsExt};

		file.set_permissions(Permissions::from_mode(0o600))?;
	}
	Ok(file)
}

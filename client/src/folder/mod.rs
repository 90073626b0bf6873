// SPDX-License-Identifier: Apache-2.0
//! Folders that downloads are written to.
//!
//! Names come from the chain, so anyone may have chosen them. Every file is opened and moved by its
//! name in an open folder: no symbolic link below the folder is followed, and nothing outside of it
//! is written. Unfinished downloads are in a folder that no record can name.

#[cfg(unix)]
mod output;
#[cfg(unix)]
mod partial;
#[cfg(all(test, unix))]
mod tests;

use std::{fs::File, io, path::Path};

use crate::text::is_escaped;

#[cfg(unix)]
pub use output::{Folder, Target};
#[cfg(unix)]
pub use partial::Partial;

/// Name of the folder of unfinished downloads.
pub const RESERVED: &str = ".fabric-partial";

/// Opens a regular file to read it. Refuses everything else: a pipe without a writer would block,
/// and some devices have no end.
pub fn open_file(path: &Path) -> io::Result<File> {
	let ensure_file = |is_file| match is_file {
		true => Ok(()),
		false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")),
	};
	ensure_file(std::fs::metadata(path)?.is_file())?;
	let mut options = File::options();
	// Something else may have taken its place.
	#[cfg(unix)]
	std::os::unix::fs::OpenOptionsExt::custom_flags(
		&mut options,
		rustix::fs::OFlags::NONBLOCK.bits().cast_signed(),
	);
	let file = options.read(true).open(path)?;
	ensure_file(file.metadata()?.is_file())?;
	Ok(file)
}

/// Returns the number of bytes that the file system of a path has for this user.
pub fn free_space(path: &Path) -> io::Result<u64> {
	#[cfg(unix)]
	{
		let found = rustix::fs::statvfs(path)?;
		Ok(found.f_bavail.saturating_mul(found.f_frsize))
	}
	#[cfg(not(unix))]
	path.metadata().map(|_| u64::MAX)
}

/// Returns whether a file system may take the name for [`RESERVED`]. Some ignore case, characters
/// without a shape, or dots and spaces at the end. No other text has the same normal form.
pub fn is_reserved(name: &str) -> bool {
	folded(name).trim_end_matches(['.', ' ']) == RESERVED
}

/// Returns whether a file system may take the name for the folder of a Git repository, whose files
/// name programs that `git` runs. `git~1` is its short name on file systems of Windows.
pub fn is_git(name: &str) -> bool {
	matches!(folded(name).trim_end_matches(['.', ' ']), ".git" | "git~1")
}

/// Returns whether a file system may take the name for one that begins with a dot.
pub fn is_hidden(name: &str) -> bool {
	folded(name).starts_with('.')
}

fn folded(name: &str) -> String {
	let visible = name.chars().filter(|mark| !is_escaped(*mark));
	visible.flat_map(char::to_uppercase).flat_map(char::to_lowercase).collect()
}

// SPDX-License-Identifier: Apache-2.0
//! The state of encrypted files on this machine: which version has which plain bytes, and the
//! encrypted bytes that were not uploaded yet. Nothing of it is on the chain.

mod records;
mod spool;

use std::{
	fs::{DirBuilder, File, Metadata},
	io,
	path::{Path, PathBuf},
};

use crate::private::open_private;
pub use records::{Record, Records};
pub use spool::Spool;

/// An error of the files of this folder.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
	/// There is no place for the folder.
	#[error(
		"the home directory is unknown: set FABRIC_STATE to a folder for the state of `fabric`"
	)]
	NoHome(#[from] etcetera::HomeDirError),
	/// A file cannot be read or written.
	#[error("{} cannot be {action}: {error}", path.display())]
	File { action: &'static str, path: PathBuf, error: io::Error },
	/// Somebody else could change what is in a folder or a file.
	#[error("{} {problem}: set FABRIC_STATE, or --spool, to a folder of your own", path.display())]
	Shared { path: PathBuf, problem: &'static str },
	/// There is too little room for encrypted files.
	#[error(
		"{} has room for {free}, and the encrypted files take up to {needed} until they are \
		 uploaded: make room, or pass --spool with a folder elsewhere",
		path.display()
	)]
	Room { path: PathBuf, free: String, needed: String },
}

impl StateError {
	/// Returns the error of a path, for an action as a participle.
	pub fn file(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
		let path = path.to_owned();
		move |error| Self::File { action, path, error }
	}
}

/// Creates a folder, with those above, that only this user can open. One that is there already must
/// belong to this user.
fn create_private(folder: &Path) -> Result<(), StateError> {
	let mut builder = DirBuilder::new();
	builder.recursive(true);
	#[cfg(unix)]
	std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
	builder.create(folder).map_err(StateError::file("created", folder))?;
	let found = folder.metadata().map_err(StateError::file("read", folder))?;
	ensure_own(folder, &found)
}

/// Checks that only this user, or root, can write a folder or a file. Otherwise, another user
/// could make `put` send bytes of theirs, or another file of this user.
fn ensure_own(path: &Path, found: &Metadata) -> Result<(), StateError> {
	#[cfg(unix)]
	{
		use std::os::unix::fs::MetadataExt;

		let refused = |problem| Err(StateError::Shared { path: path.into(), problem });
		if ![0, rustix::process::geteuid().as_raw()].contains(&found.uid()) {
			return refused("belongs to another user");
		}
		// In a folder such as /tmp, nobody can replace the files of others.
		let is_sticky = found.is_dir() && found.mode() & 0o1000 != 0;
		if found.mode() & 0o022 != 0 && !is_sticky {
			return refused("can be written by other users (chmod go-w takes that away)");
		}
	}
	Ok(())
}

/// Makes the names in a folder durable.
fn sync_folder(folder: &Path) -> io::Result<()> {
	match cfg!(unix) {
		true => File::open(folder)?.sync_all(),
		false => Ok(()),
	}
}

// SPDX-License-Identifier: Apache-2.0
//! The state of encrypted files on this machine: which version has which plain bytes, and the
//! encrypted bytes that were not uploaded yet. Nothing of it is on the chain.

mod records;
mod spool;

use std::{
	fs::{DirBuilder, File},
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

/// Creates a folder, with those above, that only this user can open.
fn create_private(folder: &Path) -> Result<(), StateError> {
	let failed = StateError::file("created", folder);
	let mut builder = DirBuilder::new();
	builder.recursive(true);
	#[cfg(unix)]
	std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
	builder.create(folder).map_err(failed)
}

/// Makes the names in a folder durable.
fn sync_folder(folder: &Path) -> io::Result<()> {
	match cfg!(unix) {
		true => File::open(folder)?.sync_all(),
		false => Ok(()),
	}
}

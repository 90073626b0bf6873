// SPDX-License-Identifier: Apache-2.0
//! The errors of a store on disk.

use std::{
	fmt, io,
	path::{Path, PathBuf},
};

use crate::Error;

/// Error of the backend on disk: the file, and what was wrong with it.
#[derive(Debug)]
pub struct DiskError {
	/// The file.
	pub path: PathBuf,
	/// The cause. Apart, as a result is moved with the room for its error at each read.
	pub kind: Box<DiskErrorKind>,
}

/// Cause of a [`DiskError`].
#[derive(Debug)]
#[non_exhaustive]
pub enum DiskErrorKind {
	/// The operating system failed to read or write the file.
	Io(io::Error),
	/// Another process, or another handle of this one, has the file open.
	InUse,
	/// The file is not a store.
	NotAStore(&'static str),
	/// The file has the format of a later release.
	Newer {
		/// Format version of the file.
		found: u64,
		/// Latest format version that this release reads.
		supported: u64,
	},
	/// The file is damaged, and cannot be repaired.
	Corrupted(String),
	/// The file was not closed cleanly, and a reader cannot recover it.
	NotClosed,
	/// `redb` failed in another way.
	Redb(redb::Error),
}

impl From<DiskError> for Error<DiskError> {
	fn from(error: DiskError) -> Self {
		Self::Backend(error)
	}
}

/// Adds the file to an error.
pub(super) trait At<T> {
	fn at(self, path: &Path) -> Result<T, DiskError>;
}

impl<T, E: Into<DiskErrorKind>> At<T> for Result<T, E> {
	#[inline]
	fn at(self, path: &Path) -> Result<T, DiskError> {
		self.map_err(|error| locate(error, path))
	}
}

#[cold]
pub(super) fn locate(kind: impl Into<DiskErrorKind>, path: &Path) -> DiskError {
	DiskError { path: path.to_owned(), kind: Box::new(kind.into()) }
}

impl<E: Into<redb::Error>> From<E> for DiskErrorKind {
	fn from(error: E) -> Self {
		match error.into() {
			redb::Error::Io(error) => Self::Io(error),
			redb::Error::DatabaseAlreadyOpen => Self::InUse,
			redb::Error::RepairAborted => Self::NotClosed,
			redb::Error::Corrupted(detail) => Self::Corrupted(detail),
			other => Self::Redb(other),
		}
	}
}

impl fmt::Display for DiskError {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		write!(f, "{}: {}", self.path.display(), self.kind)
	}
}

impl fmt::Display for DiskErrorKind {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::Io(error) => write!(f, "cannot read or write the store: {}", lower(error)),
			Self::InUse => f.write_str(
				"the store is open in another process or by another handle; close it there first",
			),
			Self::NotAStore(reason) => write!(f, "not a store: {reason}"),
			Self::Newer { found, supported } => write!(
				f,
				"the store has format version {found}, newer than the supported {supported}; \
				 update this program"
			),
			Self::Corrupted(detail) => {
				write!(f, "the store is corrupted: {}; restore a backup", lower(detail))
			},
			Self::NotClosed => f.write_str(
				"the store was not closed cleanly; open it for writing once to recover it",
			),
			Self::Redb(error) => write!(f, "the store failed: {}", lower(error)),
		}
	}
}

/// Returns a message in one line that starts with a lower-case letter and ends without a period.
fn lower(message: &impl fmt::Display) -> String {
	let message = message.to_string().replace('\n', " ");
	let mut letters = message.trim_end_matches('.').chars();
	let first = letters.next().map(|first| first.to_ascii_lowercase());
	first.into_iter().chain(letters).collect()
}

impl std::error::Error for DiskError {
	fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
		match &*self.kind {
			DiskErrorKind::Io(error) => Some(error),
			DiskErrorKind::Redb(error) => Some(error),
			_ => None,
		}
	}
}

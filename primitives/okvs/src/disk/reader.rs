// SPDX-License-Identifier: Apache-2.0
//! Reading of a file that cannot be written.

use std::{
	fmt,
	path::{Path, PathBuf},
};

use redb::ReadableDatabase;

use super::{check, error::At, format, quietly, DiskConfig, DiskError, DiskSnapshot};

/// A store in a file that is only read, by several processes at a time.
///
/// No process can open the file for writing meanwhile. The file needs no permission to write. A
/// reader does not verify it; see [`DiskDatabase::verify`](super::DiskDatabase::verify).
///
/// ```
/// use content_fabric_okvs::{disk::{DiskConfig, DiskDatabase, DiskReader}, Database, Read};
///
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("pairs");
/// DiskDatabase::open(DiskConfig::new(&path))?.close()?;
/// let (one, other) = (DiskReader::open(&path)?, DiskReader::open(&path)?);
/// assert!(one.begin_read()?.is_empty()? && other.begin_read()?.is_empty()?);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
pub struct DiskReader {
	redb: redb::ReadOnlyDatabase,
	path: PathBuf,
}

impl DiskReader {
	/// Opens a file that exists and was closed cleanly.
	pub fn open(path: impl AsRef<Path>) -> Result<Self, DiskError> {
		let path = path.as_ref();
		let open = || {
			format::check_start(path)?;
			let redb = DiskConfig::new(path).builder().open_read_only(path)?;
			check(&redb.begin_read()?)?;
			Ok(redb)
		};
		let redb = quietly(open).at(path)?;
		Ok(Self { redb, path: path.to_owned() })
	}

	/// Begins to read the pairs.
	pub fn begin_read(&self) -> Result<DiskSnapshot<'_>, DiskError> {
		DiskSnapshot::new(self.redb.begin_read().at(&self.path)?, &self.path)
	}
}

impl fmt::Debug for DiskReader {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.debug_struct("DiskReader").field("path", &self.path).finish_non_exhaustive()
	}
}

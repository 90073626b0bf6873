// SPDX-License-Identifier: Apache-2.0
//! Opens the file of the record, or a copy of it on a disk that is only read.

use std::{
	fs::{File, TryLockError},
	io,
	path::Path,
};

use content_fabric_okvs::{
	disk::{DiskConfig, DiskDatabase, DiskError, DiskErrorKind, Verify},
	Database, Error as OkvsError,
};

use rustix::fs::statvfs;

use super::{Changed, KeepError};
use crate::store::{is_full, is_read_only};

/// Size of the cache of the file in memory, in bytes.
const CACHE: usize = 8 << 20;

/// Room on the disk without which the record is not opened for writing, in bytes: a write that
/// fails would end the program.
const ROOM: u64 = 4 << 20;

/// Opens the record at a path, or creates it. If it cannot be written, opens a copy, and also
/// returns the reason.
pub(super) fn open(path: &Path) -> Changed<(DiskDatabase, Option<String>)> {
	if path.exists()
		&& statvfs(path).is_ok_and(|disk| disk.f_bavail.saturating_mul(disk.f_frsize) < ROOM)
	{
		return Ok((open_copy(path)?, Some("the disk is full".into())));
	}
	match open_at(path) {
		Err(OkvsError::Backend(DiskError { kind, .. })) if path.exists() => match *kind {
			DiskErrorKind::Io(reason) if is_read_only(&reason) || is_full(&reason) => {
				Ok((open_copy(path)?, Some(reason.to_string())))
			},
			kind => Err(refused(DiskError { path: path.to_owned(), kind: Box::new(kind) }.into())),
		},
		opened => Ok((opened.map_err(refused)?, None)),
	}
}

fn open_at(path: &Path) -> Result<DiskDatabase, OkvsError<DiskError>> {
	DiskDatabase::open(DiskConfig::new(path).verify(Verify::Always).cache_bytes(CACHE))
}

/// Opens a copy, which nobody else can see and which is removed when it is closed.
fn open_copy(path: &Path) -> Changed<DiskDatabase> {
	let no_copy = |error| KeepError::NoCopy { path: path.display().to_string(), error };
	let copied = || {
		let mut original = File::open(path)?;
		// Another process that can write it would change it meanwhile.
		if let Err(TryLockError::WouldBlock) = original.try_lock_shared() {
			return Err(io::Error::other("it is open in another process"));
		}
		let folder = tempfile::tempdir()?;
		let copy = folder.path().join("record");
		io::copy(&mut original, &mut File::create_new(&copy)?)?;
		Ok((folder, copy))
	};
	let (folder, copy) = copied().map_err(no_copy)?;
	let file = open_at(&copy).map_err(refused)?;
	// The copy stays open, although its folder is removed.
	folder.close().map_err(no_copy)?;
	Ok(file)
}

fn refused(error: OkvsError<DiskError>) -> KeepError {
	use DiskErrorKind::{Corrupted, NotAStore, Redb};
	match &error {
		OkvsError::Backend(DiskError { path, kind })
			if matches!(**kind, Corrupted(_) | NotAStore(_) | Redb(_)) =>
		{
			KeepError::Unreadable { path: path.display().to_string(), source: error }
		},
		_ => error.into(),
	}
}

// SPDX-License-Identifier: Apache-2.0
//! Synchronization of files and folders. Tests use another disk, which records the calls.

use std::{fmt, fs::File, io, path::Path};

/// A disk.
pub trait Disk: fmt::Debug + Send + Sync {
	/// Makes all writes to an open file or folder durable. `path` is its path.
	fn synchronize(&self, file: &File, path: &Path) -> io::Result<()>;
}

/// The disk of the system.
#[derive(Debug)]
pub struct System;

impl Disk for System {
	fn synchronize(&self, file: &File, _path: &Path) -> io::Result<()> {
		file.sync_all()
	}
}

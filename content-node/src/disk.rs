// SPDX-License-Identifier: Apache-2.0
//! What makes files and folders durable. Tests have another one, which records what it is asked.

use std::{fmt, fs::File, io, path::Path};

/// A disk.
pub trait Disk: fmt::Debug + Send + Sync {
	/// Returns when all that was written to an open file or folder, which has this path, is
	/// durable.
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

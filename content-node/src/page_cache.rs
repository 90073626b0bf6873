// SPDX-License-Identifier: Apache-2.0
//! Reads files from the page cache of the system, without waiting for a disk.

use std::fs::File;

/// Reads a file of a known length in a folder, if the folders that lead to it and all of its bytes
/// are in memory. `None` if they are not, if the file has another length, or if the system cannot
/// say.
#[cfg(target_os = "linux")]
pub fn read(folder: &File, name: &str, length: usize) -> Option<Vec<u8>> {
	use rustix::{
		fs::{openat2, Mode, OFlags, ResolveFlags},
		io::{preadv2, ReadWriteFlags},
	};
	let flags = OFlags::RDONLY | OFlags::CLOEXEC;
	let file = openat2(folder, name, flags, Mode::empty(), ResolveFlags::CACHED).ok()?;
	// A file that is too long fills this.
	let mut bytes = vec![0; length + 1];
	let mut buffers = [std::io::IoSliceMut::new(&mut bytes)];
	let read = preadv2(file, &mut buffers, 0, ReadWriteFlags::NOWAIT).ok()?;
	bytes.truncate(length);
	(read == length).then_some(bytes)
}

/// Returns `None`: only Linux offers this.
#[cfg(not(target_os = "linux"))]
pub fn read(_: &File, _: &str, _: usize) -> Option<Vec<u8>> {
	None
}

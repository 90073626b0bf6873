// SPDX-License-Identifier: Apache-2.0
//! Reads files from the page cache of the system, without waiting for a disk.

use std::fs::File;

/// Opens a file in a folder, if the folders that lead to it are in memory. `None` if they are not,
/// or if the system does not report it.
#[cfg(target_os = "linux")]
pub fn open(folder: &File, name: &str) -> Option<File> {
	use rustix::fs::{openat2, Mode, OFlags, ResolveFlags};
	let flags = OFlags::RDONLY | OFlags::CLOEXEC;
	openat2(folder, name, flags, Mode::empty(), ResolveFlags::CACHED).ok().map(File::from)
}

/// Reads bytes of a file from `start`, if all of them are in memory. Returns fewer at the end of the
/// file. `None` if some are not in memory, or if the system does not report it.
#[cfg(target_os = "linux")]
pub fn read(file: &File, start: u64, length: usize) -> Option<Vec<u8>> {
	use rustix::io::{preadv2, ReadWriteFlags};
	let mut bytes = vec![0; length];
	let mut buffers = [std::io::IoSliceMut::new(&mut bytes)];
	let read = preadv2(file, &mut buffers, start, ReadWriteFlags::NOWAIT).ok()?;
	bytes.truncate(read);
	Some(bytes)
}

/// Returns `None`: only Linux offers this.
#[cfg(not(target_os = "linux"))]
pub fn open(_: &File, _: &str) -> Option<File> {
	None
}

/// Returns `None`: only Linux offers this.
#[cfg(not(target_os = "linux"))]
pub fn read(_: &File, _: u64, _: usize) -> Option<Vec<u8>> {
	None
}

// SPDX-License-Identifier: Apache-2.0
//! New files, which appear complete or not at all.

use std::{
	fs::File,
	io,
	path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use super::{format, DiskErrorKind};

/// Makes a store under a temporary name beside its own, and then gives it its name, which must be
/// free.
pub(super) fn create(
	path: &Path,
	builder: &redb::Builder,
	fill: impl FnOnce(&redb::WriteTransaction) -> Result<(), DiskErrorKind>,
) -> Result<(), DiskErrorKind> {
	let mut name = path.file_name().unwrap_or_default().to_owned();
	// The name of a file has at most 255 bytes, also with what is added here.
	if name.len() > 200 {
		name = "store".into();
	}
	name.push(".");
	let mut temporary = tempfile::Builder::new();
	temporary.prefix(&name).suffix(".new");
	#[cfg(unix)]
	{
		use std::{fs::Permissions, os::unix::fs::PermissionsExt};
		// Less what the process masks, as for any new file.
		temporary.permissions(Permissions::from_mode(0o666));
	}
	let unfinished = temporary.tempfile_in(directory(path))?;
	let backend = redb::backends::FileBackend::new(unfinished.reopen()?)?;
	let file = builder.create_with_backend(backend)?;
	let transaction = file.begin_write()?;
	format::mark(&transaction)?;
	fill(&transaction)?;
	transaction.commit()?;
	drop(file);
	unfinished.as_file().sync_all()?;
	// Opened before the file has its name, after which nothing but its synchronization may fail.
	#[cfg(unix)]
	let directory = File::open(directory(path))?;
	place(unfinished, path)?;
	// The name is to survive a crash, too.
	#[cfg(unix)]
	match directory.sync_all() {
		// The file system cannot synchronize folders.
		Err(error)
			if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {},
		synchronized => synchronized?,
	}
	Ok(())
}

fn directory(path: &Path) -> PathBuf {
	match path.parent() {
		Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
		_ => PathBuf::from("."),
	}
}

/// Gives a file its name, unless there is a file of that name.
fn place(file: NamedTempFile, path: &Path) -> io::Result<()> {
	match file.persist_noclobber(path) {
		Ok(_) => Ok(()),
		Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Err(error.error),
		// The file system can neither rename without replacing nor make hard links.
		Err(error) => claim(error.file, path),
	}
}

/// Takes the name by an empty file, which only one process can make, and then replaces that one. A
/// crash between the two leaves the empty file, which [`check_start`](format::check_start) refuses.
fn claim(file: NamedTempFile, path: &Path) -> io::Result<()> {
	File::create_new(path)?;
	match file.persist(path) {
		Ok(_) => Ok(()),
		Err(error) => {
			std::fs::remove_file(path)?;
			Err(error.error)
		},
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	/// Both ways give the file its name, and neither replaces another file.
	#[test]
	fn a_file_of_the_name_is_not_replaced() {
		type Place = fn(NamedTempFile, &Path) -> io::Result<()>;
		for place in [place as Place, claim as Place] {
			let directory = tempfile::tempdir().expect("a temporary folder can be made");
			let path = directory.path().join("pairs");
			let file = |content: &[u8]| {
				let file = NamedTempFile::new_in(&directory).expect("a file can be made");
				std::fs::write(file.path(), content).expect("the file can be written");
				file
			};
			place(file(b"first"), &path).expect("the name is free");
			let error = place(file(b"second"), &path).expect_err("the name is taken");
			assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
			assert_eq!(std::fs::read(&path).expect("the file is there"), b"first");
			assert_eq!(directory.path().read_dir().expect("is there").count(), 1);
		}
	}
}

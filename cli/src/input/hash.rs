// SPDX-License-Identifier: Apache-2.0
//! Hashes files.

use std::{
	fs::{self, File, Metadata},
	io::{self, BufReader},
	path::Path,
};

use content_fabric_identifiers::{VersionHasher, VersionId};

const BUFFER_LEN: usize = 256 * 1024;

/// The reason why a file has no hash.
#[derive(Debug, thiserror::Error)]
pub(super) enum HashError {
	#[error("it cannot be read: {0}")]
	Read(#[from] io::Error),
	/// The file was written or replaced while it was read.
	#[error("it changed while it was read")]
	Changed,
}

/// Returns the hash of a regular file, and the number of its bytes. Fails if somebody changes the
/// file meanwhile.
pub(super) fn hash_unchanged(path: &Path) -> Result<(VersionId, u64), HashError> {
	hash_with(path, digest)
}

/// Returns the hash of a file, and the number of its bytes.
pub fn hash_file(path: &Path) -> io::Result<(VersionId, u64)> {
	digest(&File::open(path)?)
}

fn digest(file: &File) -> io::Result<(VersionId, u64)> {
	let mut hasher = VersionHasher::new();
	let size = io::copy(&mut BufReader::with_capacity(BUFFER_LEN, file), &mut hasher)?;
	Ok((hasher.finish(), size))
}

fn hash_with(
	path: &Path,
	digest: impl FnOnce(&File) -> io::Result<(VersionId, u64)>,
) -> Result<(VersionId, u64), HashError> {
	let file = File::open(path)?;
	let before = file.metadata()?;
	let (hash, size) = digest(&file)?;
	// Of the path, not of the open file: another file may have taken its place.
	let after = fs::symlink_metadata(path)?;
	match size == before.len() && is_same(&before, &after)? {
		true => Ok((hash, size)),
		false => Err(HashError::Changed),
	}
}

fn is_same(before: &Metadata, after: &Metadata) -> io::Result<bool> {
	let is_file = before.is_file() && after.is_file();
	Ok(is_file && before.len() == after.len() && before.modified()? == after.modified()?)
}

#[cfg(test)]
mod tests {
	use std::{io::Write, time::Duration};

	use super::*;

	fn file(data: &[u8]) -> (tempfile::TempDir, std::path::PathBuf) {
		let dir = tempfile::tempdir().expect("there is room for a directory");
		let path = dir.path().join("file");
		fs::write(&path, data).expect("there is room for a file");
		(dir, path)
	}

	/// Hashes a file that `change` changes before it is read to its end.
	fn hash_while(path: &Path, change: impl FnOnce()) -> Result<(VersionId, u64), HashError> {
		hash_with(path, |file| {
			let hashed = digest(file)?;
			change();
			Ok(hashed)
		})
	}

	#[test]
	fn files_of_any_length_are_hashed() {
		// The first two are the examples of FIPS 180; the third was hashed by `sha256sum`.
		for (data, hash) in [
			(vec![], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
			(b"abc".to_vec(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
			(
				vec![b'a'; 1_000_000],
				"cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
			),
		] {
			let (_dir, path) = file(&data);
			let (found, size) = hash_unchanged(&path).expect("it is a file");
			assert_eq!((hex::encode(found.0).as_str(), size), (hash, data.len() as u64));
		}
	}

	#[test]
	fn a_file_that_changes_while_it_is_read_has_no_hash() {
		let (_dir, path) = file(b"data");
		assert!(hash_while(&path, || {}).is_ok());
		let longer = || {
			let mut file = File::options().append(true).open(&path).expect("it is a file");
			file.write_all(b"!").expect("there is room");
		};
		assert!(matches!(hash_while(&path, longer), Err(HashError::Changed)));
		let touched = || {
			let file = File::options().append(true).open(&path).expect("it is a file");
			let before = file.metadata().and_then(|data| data.modified()).expect("it has a time");
			file.set_modified(before + Duration::from_secs(1)).expect("it is ours");
		};
		assert!(matches!(hash_while(&path, touched), Err(HashError::Changed)));
		let removed = || fs::remove_file(&path).expect("it is ours");
		assert!(matches!(hash_while(&path, removed), Err(HashError::Read(_))));
	}

	#[test]
	#[cfg(unix)]
	fn a_link_in_the_place_of_a_file_is_not_followed() {
		let (dir, path) = file(b"data");
		let link = dir.path().join("link");
		std::os::unix::fs::symlink(&path, &link).expect("there is room for a link");
		assert!(matches!(hash_unchanged(&link), Err(HashError::Changed)));
	}
}

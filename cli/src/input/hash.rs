// SPDX-License-Identifier: Apache-2.0
//! Hashes files.

use std::{
	fs::{self, File, Metadata},
	io::{self, BufRead, BufReader},
	path::Path,
};

use content_fabric_client::folder::open_file;
use content_fabric_identifiers::{Cid, HashKind, VersionHasher};

const BUFFER_LEN: usize = 256 * 1024;

/// The reason why a file has no hash.
#[derive(Debug, thiserror::Error)]
pub enum HashError {
	#[error("it cannot be read: {0}")]
	Read(#[from] io::Error),
	/// The file was written or replaced while it was read.
	#[error("it changed while it was read")]
	Changed,
}

/// Returns the BLAKE3 hash of a regular file, and the number of its bytes. Fails if somebody changes
/// the file meanwhile.
pub(super) fn hash_unchanged(path: &Path) -> Result<(Cid, u64), HashError> {
	let ([hash], size) = hash_with(path, |file| digest(file, [HashKind::Blake3]))?;
	Ok((hash, size))
}

/// Returns the hashes of a file, one of each kind, and the number of its bytes.
pub fn hash_file(path: &Path) -> io::Result<([Cid; 2], u64)> {
	digest(&File::open(path)?, HashKind::ALL)
}

fn digest<const N: usize>(file: &File, kinds: [HashKind; N]) -> io::Result<([Cid; N], u64)> {
	let (mut hashers, mut size) = (kinds.map(VersionHasher::new), 0);
	let mut reader = BufReader::with_capacity(BUFFER_LEN, file);
	loop {
		let data = match reader.fill_buf() {
			Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
			data => data?,
		};
		let length = data.len();
		if length == 0 {
			break;
		}
		hashers.iter_mut().for_each(|hasher| hasher.update(data));
		reader.consume(length);
		size += length as u64;
	}
	Ok((hashers.map(|hasher| Cid { hash: hasher.kind(), version: hasher.finish() }), size))
}

/// Reads a regular file. Fails if somebody changes it meanwhile. `digest` returns what it makes of the
/// file, and the number of bytes that it has read.
pub fn hash_with<Hashes>(
	path: &Path,
	digest: impl FnOnce(&File) -> io::Result<(Hashes, u64)>,
) -> Result<(Hashes, u64), HashError> {
	let file = open_file(path)?;
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
	fn hash_while(path: &Path, change: impl FnOnce()) -> Result<([Cid; 2], u64), HashError> {
		hash_with(path, |file| {
			let hashed = digest(file, HashKind::ALL)?;
			change();
			Ok(hashed)
		})
	}

	#[test]
	fn files_of_any_length_are_hashed() {
		// The first two SHA-256 hashes are the examples of FIPS 180. The first two BLAKE3 hashes were
		// made by `b3sum`.
		for (data, blake3, sha256) in [
			(
				"",
				"af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
				"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
			),
			(
				"abc",
				"6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85",
				"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
			),
		] {
			let (_dir, path) = file(data.as_bytes());
			let (found, size) = hash_file(&path).expect("it is a file");
			let hashes = found.map(|cid| (cid.hash, hex::encode(cid.version)));
			let expected = [(HashKind::Blake3, blake3.into()), (HashKind::Sha256, sha256.into())];
			assert_eq!((hashes, size), (expected, data.len() as u64));
			assert_eq!(hash_unchanged(&path).expect("it is a file"), (found[0], size));
		}
		// Longer than a piece that is read.
		let data: Vec<u8> = (0..=250).cycle().take(1_000_000).collect();
		let (_dir, path) = file(&data);
		let (found, size) = hash_file(&path).expect("it is a file");
		let hash = |hash| Cid { hash, version: VersionHasher::hash(hash, &data) };
		assert_eq!((found, size), (HashKind::ALL.map(hash), 1_000_000));
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

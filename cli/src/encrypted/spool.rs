// SPDX-License-Identifier: Apache-2.0
//! The spool: files that are encrypted and not uploaded yet.

use std::{
	collections::HashSet,
	fs::{self, File},
	io::{self, BufWriter, Read, Write},
	path::{Path, PathBuf},
	sync::{Mutex, MutexGuard, PoisonError},
};

use content_fabric_client::{folder::free_space, kms::Encrypting, text};
use content_fabric_identifiers::{HashKind, TenantId, VersionHasher, VersionId};
use content_fabric_primitives::KmsKey;
use tempfile::TempPath;

use super::{
	create_private, open_private, records::spool_name, sync_folder, Record, Records, StateError,
};

/// Start and end of the names of files that are being written.
const UNFINISHED: [&str; 2] = ["unfinished-", ".age"];
/// Number of bytes that are read at once.
const PIECE: usize = 256 << 10;

/// The folder. One run at a time encrypts with the records of a user, so that no file is encrypted
/// twice.
pub struct Spool {
	folder: PathBuf,
	records: Mutex<Records>,
	/// Locked until the spool is dropped.
	_lock: File,
}

/// Encrypted bytes that have no name yet.
pub struct Sealed {
	/// Removed unless it is kept.
	path: TempPath,
	/// Locked, so that no other run removes it.
	_file: File,
	pub plain: VersionId,
	version: VersionId,
	size: u64,
	/// Number of the plain bytes.
	pub read: u64,
}

impl Spool {
	/// Opens the folder, by default in the one of the state, and reads the records. Waits for other
	/// runs, after a call of `waits`. Removes what killed ones have left unfinished.
	pub fn open(given: Option<&Path>, waits: impl FnOnce()) -> Result<Self, StateError> {
		let records = Records::open()?;
		let folder = match given {
			Some(folder) => folder.to_owned(),
			None => records.folder().join("spool"),
		};
		create_private(records.folder())?;
		create_private(&folder)?;
		let folder = folder.canonicalize().map_err(StateError::file("opened", &folder))?;
		let path = records.folder().join("encrypted.lock");
		let failed = |error| StateError::file("locked", &path)(error);
		let lock = open_private(&path).map_err(failed)?;
		if lock.try_lock().is_err() {
			waits();
			lock.lock().map_err(failed)?;
		}
		// Another run may have added records.
		let records = Mutex::new(Records::open()?);
		let spool = Self { folder, records, _lock: lock };
		spool.remove_unfinished().map_err(StateError::file("read", &spool.folder))?;
		// Runs with other records may share a folder that somebody names.
		if given.is_none() {
			spool.remove_unrecorded().map_err(StateError::file("read", &spool.folder))?;
		}
		Ok(spool)
	}

	/// Removes files that a killed run has named, and not recorded. Nobody knows what they are.
	fn remove_unrecorded(&self) -> io::Result<()> {
		let records = self.records();
		// A line that cannot be read may be about any of them.
		if records.is_damaged() {
			return Ok(());
		}
		let recorded: HashSet<_> = records.all().map(|record| spool_name(record.version)).collect();
		for entry in fs::read_dir(&self.folder)? {
			let entry = entry?;
			let name = entry.file_name();
			let version = name.to_str().and_then(|name| name.strip_suffix(UNFINISHED[1]));
			let is_version =
				version.is_some_and(|hex| hex::decode(hex).is_ok_and(|id| id.len() == 32));
			let is_recorded = name.to_str().is_some_and(|name| recorded.contains(name));
			if is_version && !is_recorded && entry.file_type()?.is_file() {
				fs::remove_file(entry.path())?;
			}
		}
		Ok(())
	}

	fn remove_unfinished(&self) -> io::Result<()> {
		let [start, end] = UNFINISHED;
		for entry in fs::read_dir(&self.folder)? {
			let entry = entry?;
			let name = entry.file_name();
			let is_ours = |name: &str| name.starts_with(start) && name.ends_with(end);
			if name.to_str().is_some_and(is_ours) && entry.file_type()?.is_file() {
				// A run with other records may be writing it.
				let file = File::open(entry.path())?;
				if file.try_lock().is_ok() {
					fs::remove_file(entry.path())?;
				}
			}
		}
		Ok(())
	}

	/// Returns the records.
	pub fn records(&self) -> MutexGuard<'_, Records> {
		// No change can be interrupted halfway, so poisoned records are valid.
		self.records.lock().unwrap_or_else(PoisonError::into_inner)
	}

	/// Returns the folder.
	pub fn folder(&self) -> &Path {
		&self.folder
	}

	/// Checks that there is room for this many bytes.
	pub fn ensure_room(&self, needed: u64) -> Result<(), StateError> {
		let free = free_space(&self.folder).map_err(StateError::file("read", &self.folder))?;
		if free >= needed {
			return Ok(());
		}
		let path = self.folder.clone();
		let [free, needed] = [free, needed].map(|bytes| text::size(Some(bytes)));
		Err(StateError::Room { path, free, needed })
	}

	/// Encrypts what a reader has for a key, and returns the hashes of both. The outer error is one
	/// of the spool, the inner one of the reader.
	pub fn seal(&self, key: KmsKey, mut from: impl Read) -> Result<io::Result<Sealed>, StateError> {
		let [start, end] = UNFINISHED;
		let temporary =
			tempfile::Builder::new().prefix(start).suffix(end).tempfile_in(&self.folder);
		let temporary = temporary.map_err(StateError::file("written", &self.folder))?;
		let path = temporary.path().to_owned();
		let failed = |error| StateError::file("written", &path)(error);
		let (file, temporary) = temporary.into_parts();
		file.lock().map_err(failed)?;
		let hasher = VersionHasher::new(HashKind::Blake3);
		let hashing = Hashing { file: &file, hasher, size: 0 };
		let mut sealing =
			Encrypting::new(key, BufWriter::with_capacity(PIECE, hashing)).map_err(failed)?;
		let (mut hasher, mut length) = (VersionHasher::new(HashKind::Blake3), 0_u64);
		let mut piece = vec![0; PIECE];
		loop {
			let read = match from.read(&mut piece) {
				Ok(0) => break,
				Ok(read) => piece.get(..read).unwrap_or_default(),
				Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
				Err(error) => return Ok(Err(error)),
			};
			hasher.update(read);
			length = length.saturating_add(u64::try_from(read.len()).unwrap_or(u64::MAX));
			sealing.write_all(read).map_err(failed)?;
		}
		let buffered = sealing.finish().map_err(failed)?;
		let hashing = buffered.into_inner().map_err(|error| failed(error.into_error()))?;
		let (version, size) = (hashing.hasher.finish(), hashing.size);
		file.sync_all().map_err(failed)?;
		let (plain, read) = (hasher.finish(), length);
		Ok(Ok(Sealed { path: temporary, _file: file, plain, version, size, read }))
	}

	/// Gives encrypted bytes their name, and records which file they are. Both are durable.
	pub fn keep(
		&self,
		sealed: Sealed,
		(tenant, key): (TenantId, KmsKey),
	) -> Result<Record, StateError> {
		let Sealed { path, plain, version, size, .. } = sealed;
		let kept = self.folder.join(spool_name(version));
		path.persist(&kept)
			.map_err(|error| error.error)
			.and_then(|()| sync_folder(&self.folder))
			.map_err(StateError::file("written", &kept))?;
		let record = Record { plain, tenant, key, version, size, spool: Some(kept) };
		self.records().add(record.clone())?;
		Ok(record)
	}
}

/// A file whose bytes are hashed while they are written.
struct Hashing<'a> {
	file: &'a File,
	hasher: VersionHasher,
	size: u64,
}

impl Write for Hashing<'_> {
	fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
		let written = self.file.write(bytes)?;
		self.hasher.update(bytes.get(..written).unwrap_or_default());
		self.size = self.size.saturating_add(u64::try_from(written).unwrap_or(u64::MAX));
		Ok(written)
	}

	fn flush(&mut self) -> io::Result<()> {
		self.file.flush()
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	fn spool(folder: &Path) -> Spool {
		let records = Records::open_in(folder.join("state")).expect("there is none; qed");
		let lock = tempfile::tempfile().expect("there is room; qed");
		Spool { folder: folder.to_owned(), records: Mutex::new(records), _lock: lock }
	}

	fn files(folder: &Path) -> usize {
		fs::read_dir(folder).expect("it is there; qed").count()
	}

	#[test]
	fn a_spool_without_room_says_how_much_is_needed() {
		let dir = tempfile::tempdir().expect("temporary directories can be made; qed");
		let spool = spool(dir.path());
		assert!(spool.ensure_room(1).is_ok());
		let error = spool.ensure_room(u64::MAX).expect_err("no disk is as large; qed").to_string();
		assert!(error.contains("make room, or pass --spool with a folder elsewhere"), "{error}");
	}

	#[test]
	fn sealed_bytes_are_kept_with_a_record_or_removed() {
		let dir = tempfile::tempdir().expect("temporary directories can be made; qed");
		let spool = spool(dir.path());
		let (key, tenant) = (KmsKey([9; 32]), TenantId([1; 10]));
		let seal = || spool.seal(key, &b"plain"[..]).expect("there is room; qed");
		drop(seal());
		assert_eq!(files(dir.path()), 0, "bytes that are not kept are removed");
		let sealed = seal().expect("memory can be read; qed");
		assert_eq!(sealed.read, 5);
		let record = spool.keep(sealed, (tenant, key)).expect("there is room; qed");
		let bytes = fs::read(record.spooled().expect("they are there; qed")).expect("qed");
		assert_eq!(VersionHasher::hash(HashKind::Blake3, &bytes), record.version);
		assert_eq!(VersionHasher::hash(HashKind::Blake3, b"plain"), record.plain);
		assert_eq!(spool.records().of(record.plain, tenant), std::slice::from_ref(&record));
		spool.remove_unfinished().expect("it is ours; qed");
		assert!(record.spooled().is_some(), "only unfinished files are removed");
		for name in ["notes.age", &spool_name(VersionId([1; 32]))] {
			fs::write(dir.path().join(name), "").expect("there is room; qed");
		}
		spool.remove_unrecorded().expect("it is ours; qed");
		assert!(record.spooled().is_some() && dir.path().join("notes.age").exists());
		assert!(!dir.path().join(spool_name(VersionId([1; 32]))).exists(), "nobody knows it");
	}
}

// SPDX-License-Identifier: Apache-2.0
//! Uploads: files that grow until they are whole, and are hashed while they do.

use std::{
	collections::{HashMap, HashSet},
	fs::{self, File, OpenOptions},
	io::{self, BufReader, Write},
	path::{Path, PathBuf},
	sync::{
		atomic::{AtomicBool, Ordering},
		Arc, Mutex, MutexGuard, PoisonError,
	},
};

use content_fabric_client::text::other_hash;
use content_fabric_identifiers::{HashKind, VersionCheck, VersionId};
use rustix::{
	fs::{access, Access},
	io::Errno,
};

use crate::{
	disk::{Disk, System},
	store::{file_error, is_full, is_read_only, StoreError},
};

/// Number of bytes of a file that are hashed at once.
const PIECE: usize = 256 << 10;

/// Disk space that uploads leave free for the record, in bytes.
const RESERVE: u64 = 64 << 20;

/// The folder of uploads.
#[derive(Debug)]
pub struct Uploads {
	folder: PathBuf,
	disk: Arc<dyn Disk>,
	/// True if nothing may be taken in.
	is_frozen: AtomicBool,
	state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
	/// The versions that somebody is uploading now.
	open: HashSet<VersionId>,
	/// The hashes of what has arrived, so that the next part need not read it again.
	hashes: HashMap<VersionId, (u64, VersionCheck)>,
}

/// Keeps everybody else from moving the bytes of a version, until it is dropped.
#[derive(Debug)]
pub struct Claim {
	uploads: Arc<Uploads>,
	version: VersionId,
}

/// A part of an upload that is arriving.
#[derive(Debug)]
pub struct Part {
	claim: Claim,
	file: File,
	check: VersionCheck,
	length: u64,
}

impl Uploads {
	/// Opens the folder, or makes it.
	pub fn open(folder: PathBuf) -> Result<Arc<Self>, StoreError> {
		Self::open_on(folder, Arc::new(System))
	}

	/// Opens the folder on a disk, or makes it.
	pub fn open_on(folder: PathBuf, disk: Arc<dyn Disk>) -> Result<Arc<Self>, StoreError> {
		match fs::create_dir_all(&folder) {
			// Stored bytes can be served all the same.
			Err(error) if is_read_only(&error) => {},
			made => made.map_err(file_error("made", &folder))?,
		}
		let (is_frozen, state) = Default::default();
		Ok(Arc::new(Self { folder, disk, is_frozen, state }))
	}

	/// Refuses all uploads from now on.
	pub fn freeze(&self) {
		self.is_frozen.store(true, Ordering::Relaxed);
	}

	/// Checks that uploads can be written.
	pub fn ensure_writable(&self) -> Result<(), StoreError> {
		let accessed = match self.is_frozen.load(Ordering::Relaxed) {
			true => Err(Errno::ROFS),
			false => access(&self.folder, Access::WRITE_OK),
		};
		accessed.map_err(|error| file_error("written", &self.folder)(error.into()))
	}

	/// Returns the number of bytes that uploads may still take of the disk.
	pub fn room(&self) -> Result<u64, StoreError> {
		self.ensure_writable()?;
		self.free().map_err(file_error("measured", &self.folder))
	}

	fn free(&self) -> io::Result<u64> {
		let disk = rustix::fs::statvfs(&self.folder)?;
		Ok(disk.f_bavail.saturating_mul(disk.f_frsize).saturating_sub(RESERVE))
	}

	/// Returns the number of bytes of a version that have arrived.
	pub fn length(&self, version: VersionId) -> Result<u64, StoreError> {
		let path = self.path(version);
		match fs::metadata(&path) {
			Ok(metadata) => Ok(metadata.len()),
			Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(0),
			Err(error) => Err(file_error("read", &path)(error)),
		}
	}

	/// Begins the next part of a version, whose id may be a hash of these kinds, which are computed
	/// as the bytes arrive. `None` if another upload of it is in progress.
	pub fn part(
		self: &Arc<Self>,
		version: VersionId,
		hashes: &[HashKind],
	) -> Result<Option<Part>, StoreError> {
		self.ensure_writable()?;
		let Some(claim) = self.claim(version) else { return Ok(None) };
		let known = self.lock().hashes.remove(&version);
		let check = VersionCheck::new(version, hashes.iter().copied());
		let (file, check, length) = self.open_file(check, known)?;
		Ok(Some(Part { claim, file, check, length }))
	}

	/// Claims a version. `None` if it is claimed already.
	pub fn claim(self: &Arc<Self>, version: VersionId) -> Option<Claim> {
		let is_free = self.lock().open.insert(version);
		is_free.then(|| Claim { uploads: self.clone(), version })
	}

	/// Opens the file of a version at its end, with the check of what is there.
	fn open_file(
		&self,
		mut check: VersionCheck,
		known: Option<(u64, VersionCheck)>,
	) -> Result<(File, VersionCheck, u64), StoreError> {
		let path = self.path(check.version());
		let file = OpenOptions::new().read(true).append(true).create(true).open(&path);
		let file = file.map_err(file_error("written", &path))?;
		let length = file.metadata().map_err(file_error("read", &path))?.len();
		// Other kinds may be possible since another commit.
		let is_same = |(known, other): &(u64, VersionCheck)| {
			*known == length && other.kinds().eq(check.kinds())
		};
		if let Some((_, check)) = known.filter(is_same) {
			return Ok((file, check, length));
		}
		if check.kinds().next().is_none() {
			return Ok((file, check, length));
		}
		let mut reader = BufReader::with_capacity(PIECE, &file);
		let length = io::copy(&mut reader, &mut check).map_err(file_error("read", &path))?;
		Ok((file, check, length))
	}

	/// Removes what has arrived of the versions that nobody uploads or `needs`. Returns the first
	/// error, after all of them were tried.
	pub fn sweep(&self, needs: impl Fn(VersionId) -> bool) -> Result<(), StoreError> {
		let mut swept = Ok(());
		let unreadable = file_error("read", &self.folder);
		for entry in fs::read_dir(&self.folder).map_err(unreadable)? {
			let entry = entry.map_err(file_error("read", &self.folder))?;
			let name = entry.file_name();
			let version = hex::decode(name.to_string_lossy().as_bytes()).ok();
			let version = version.and_then(|bytes| bytes.try_into().ok()).map(VersionId);
			let Some(version) = version.filter(|version| !needs(*version)) else { continue };
			let mut state = self.lock();
			if !state.open.contains(&version) {
				state.hashes.remove(&version);
				let removed = fs::remove_file(entry.path());
				swept = swept.and(removed.map_err(file_error("removed", &entry.path())));
			}
		}
		swept
	}

	fn path(&self, version: VersionId) -> PathBuf {
		self.folder.join(hex::encode(version.0))
	}

	fn lock(&self) -> MutexGuard<'_, State> {
		// Both parts are right after each statement.
		self.state.lock().unwrap_or_else(PoisonError::into_inner)
	}
}

impl Part {
	/// Returns the number of bytes that have arrived, including earlier parts.
	pub fn length(&self) -> u64 {
		self.length
	}

	/// Returns the path of the file.
	pub fn path(&self) -> PathBuf {
		self.claim.uploads.path(self.claim.version)
	}

	/// Appends bytes. If the disk is full, discards all that has arrived.
	pub fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
		let written = self.ensure_room(bytes).and_then(|()| self.file.write_all(bytes));
		if let Err(error) = written {
			if is_full(&error) {
				self.restart()?;
			}
			// A part of them may be there: what was not hashed is cut off again.
			let cut = self.file.set_len(self.length);
			return Err(file_error("written", &self.path())(cut.err().unwrap_or(error)));
		}
		self.check.update(bytes);
		self.length = self.length.saturating_add(bytes.len() as u64);
		Ok(())
	}

	/// Checks that bytes leave the reserve of the disk free.
	fn ensure_room(&self, bytes: &[u8]) -> io::Result<()> {
		match self.claim.uploads.free()? >= bytes.len() as u64 {
			true => Ok(()),
			false => Err(io::ErrorKind::StorageFull.into()),
		}
	}

	/// Begins anew, without what has arrived.
	pub fn restart(&mut self) -> Result<(), StoreError> {
		self.file.set_len(0).map_err(file_error("written", &self.path()))?;
		self.check.restart();
		self.length = 0;
		Ok(())
	}

	/// Returns the kind of hash by which all that has arrived has the id of the version.
	pub fn found(&self) -> Option<HashKind> {
		self.check.found()
	}

	/// Returns the hash of the bytes that have arrived, and the expected one. `root` is their BLAKE3
	/// hash, if that was not computed while they arrived.
	pub fn other_hash(&self, root: Option<VersionId>) -> String {
		let Some(root) = root else { return other_hash(&self.check) };
		let root = format!("the {} hash {root}", HashKind::Blake3.name());
		match self.check.kinds().next() {
			Some(_) => format!("{root} and {}", other_hash(&self.check)),
			None => format!("{root}, expected {}", self.check.version()),
		}
	}

	/// Opens the file to read the bytes that have arrived.
	pub fn open(&self) -> Result<File, StoreError> {
		let path = self.path();
		File::open(&path).map_err(file_error("read", &path))
	}

	/// Synchronizes the file.
	pub fn synchronize(&self) -> Result<(), StoreError> {
		let path = self.path();
		let synchronized = self.claim.uploads.disk.synchronize(&self.file, &path);
		synchronized.map_err(file_error("synchronized", &path))
	}

	/// Removes all that has arrived.
	pub fn discard(&self) -> Result<(), StoreError> {
		let path = self.path();
		remove(&path).map_err(file_error("removed", &path))
	}
}

fn remove(path: &Path) -> io::Result<()> {
	match fs::remove_file(path) {
		Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
		_ => Ok(()),
	}
}

impl Drop for Part {
	fn drop(&mut self) {
		if self.path().exists() {
			let hash = (self.length, self.check.clone());
			self.claim.uploads.lock().hashes.insert(self.claim.version, hash);
		}
	}
}

impl Drop for Claim {
	fn drop(&mut self) {
		self.uploads.lock().open.remove(&self.version);
	}
}

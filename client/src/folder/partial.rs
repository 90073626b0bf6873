// SPDX-License-Identifier: Apache-2.0
//! The folder of unfinished downloads.

use std::{
	collections::HashMap,
	ffi::OsStr,
	fs::{File, TryLockError},
	io,
	os::unix::fs::MetadataExt,
	sync::Arc,
};

use content_fabric_identifiers::VersionId;
use rustix::{
	fs::{fchmod, fstat, mkdirat, openat, unlinkat, AtFlags, Dir, Mode, OFlags},
	io::Errno,
	process::geteuid,
};

use super::{
	output::{is_named, not_a_folder, stat, FOLDER},
	RESERVED,
};

/// The flags with which files for bytes are opened.
const BYTES: OFlags = OFlags::RDWR.union(OFlags::APPEND).union(OFlags::NOFOLLOW);
/// Start of the names of folders in which names are tried.
const TRIAL: &str = "names-";
/// Start of the names of files for some bytes of a version.
pub(super) const PART: &str = "part-";
/// The mode of files that others may read as well, unless the user's mask forbids it.
pub(super) const SHARED: Mode = Mode::from_raw_mode(0o666);
/// The mode of files that only this user can read.
pub(super) const PRIVATE: Mode = Mode::from_raw_mode(0o600);
/// Names that are one on file systems that ignore case, or that normalize text.
const TWINS: [[&str; 2]; 2] = [["a", "A"], ["\u{e9}", "e\u{301}"]];

/// The folder, which only this user can open. Every run that uses it holds a shared lock on it.
pub(super) struct PartialFolder(File);

impl PartialFolder {
	/// Opens the folder in its parent, and creates it if it does not exist.
	pub(super) fn open(parent: &File) -> io::Result<Self> {
		loop {
			match mkdirat(parent, RESERVED, Mode::RWXU) {
				Ok(()) | Err(Errno::EXIST) => {},
				Err(error) => return Err(error.into()),
			}
			let folder = match openat(parent, RESERVED, FOLDER, Mode::empty()) {
				Ok(folder) => File::from(folder),
				Err(Errno::NOENT) => continue,
				Err(Errno::NOTDIR | Errno::LOOP) => {
					return Err(not_a_folder(parent, OsStr::new(RESERVED)));
				},
				Err(error) => return Err(error.into()),
			};
			if !is_trusted(&folder, parent)? {
				let reason = format!("`{RESERVED}` belongs to another user: choose another folder");
				return Err(io::Error::new(io::ErrorKind::PermissionDenied, reason));
			}
			if folder.metadata()?.mode() & 0o077 != 0 {
				// Fails on file systems without modes, where the output is open to others as well.
				let _ = fchmod(&folder, Mode::RWXU);
			}
			folder.lock_shared()?;
			// Another run may have removed it before it was locked.
			if is_named(parent, RESERVED, &folder)? {
				return Ok(Self(folder));
			}
		}
	}

	/// Returns whether a name in another folder leads to this one.
	pub(super) fn is_named(&self, parent: &File, name: &OsStr) -> io::Result<bool> {
		is_named(parent, name, &self.0)
	}

	/// Locks a file. Returns false if another run has it.
	fn lock(&self, name: &str, file: &File) -> io::Result<bool> {
		match file.try_lock() {
			Ok(()) => {},
			Err(TryLockError::WouldBlock) => return Ok(false),
			Err(TryLockError::Error(error)) => return Err(error),
		}
		// It may have been moved before it was locked.
		is_named(&self.0, name, file)
	}

	/// Opens and locks a file that an earlier run has left. `None` if another run has it, or if it
	/// is not a file of this user with one name.
	fn left(&self, name: &str) -> io::Result<Option<File>> {
		// Without `NONBLOCK`, a pipe would be waited for.
		let flags = BYTES | OFlags::NONBLOCK | OFlags::CLOEXEC;
		// A link, and whatever else cannot be opened, was not left by a run.
		let Ok(file) = openat(&self.0, name, flags, Mode::empty()) else { return Ok(None) };
		let file = File::from(file);
		let data = file.metadata()?;
		let is_own = data.is_file() && data.nlink() == 1 && is_trusted(&file, &self.0)?;
		Ok((is_own && self.lock(name, &file)?).then_some(file))
	}

	/// Returns the lengths of the files of one version, or of all.
	pub(super) fn lengths(&self, of: Option<VersionId>) -> io::Result<Vec<(VersionId, u64)>> {
		let mut found = Vec::new();
		for name in names(&self.0)? {
			let is_meant = |version: &VersionId| of.is_none_or(|of| of == *version);
			if let Some(version) = version_of(&name).filter(is_meant) {
				if let Some(data) = stat(&self.0, &name)? {
					found.push((version, u64::try_from(data.st_size).unwrap_or_default()));
				}
			}
		}
		Ok(found)
	}

	/// Removes the files of a version that no run uses.
	pub(super) fn discard(&self, version: VersionId) -> io::Result<()> {
		for name in names(&self.0)? {
			if version_of(&name) == Some(version) && self.left(&name)?.is_some() {
				unlinkat(&self.0, &name, AtFlags::empty())?;
			}
		}
		Ok(())
	}

	/// Removes the files of versions that `keeps` rejects, the parts of versions, and the folder if
	/// it is then empty. Does nothing while another run uses it.
	pub(super) fn tidy(&self, parent: &File, keeps: impl Fn(VersionId) -> bool) -> io::Result<()> {
		// If the file system cannot lock folders, this one stays.
		if self.0.try_lock().is_err() {
			return Ok(());
		}
		for name in names(&self.0)? {
			if name.starts_with(TRIAL) {
				remove_trial(&self.0, &name)?;
			} else if (name.starts_with(PART)
				|| version_of(&name).is_some_and(|version| !keeps(version)))
				&& self.left(&name)?.is_some()
			{
				unlinkat(&self.0, &name, AtFlags::empty())?;
			}
		}
		match unlinkat(parent, RESERVED, AtFlags::REMOVEDIR) {
			Ok(()) | Err(Errno::NOTEMPTY | Errno::EXIST | Errno::NOENT) => Ok(()),
			Err(error) => Err(error.into()),
		}
	}
}

/// Returns whether a file in a folder belongs to this user, or to the owner of the folder: on some
/// file systems everything belongs to one user.
fn is_trusted(file: &File, folder: &File) -> io::Result<bool> {
	let owner = file.metadata()?.uid();
	Ok(owner == geteuid().as_raw() || owner == folder.metadata()?.uid())
}

/// A file for the bytes of a version, which this run alone writes.
pub struct Partial {
	folder: Arc<PartialFolder>,
	name: String,
	file: File,
}

impl Partial {
	/// Opens a file that an earlier run has left of a version, or creates one.
	pub(super) fn open(folder: Arc<PartialFolder>, version: VersionId) -> io::Result<Self> {
		for name in names(&folder.0)? {
			if version_of(&name) == Some(version) {
				if let Some(file) = folder.left(&name)? {
					return Ok(Self { folder, name, file });
				}
			}
		}
		Self::create(folder, &hex::encode(version.0), SHARED)
	}

	/// Creates a file whose name has this start, with this mode.
	pub(super) fn create(folder: Arc<PartialFolder>, start: &str, mode: Mode) -> io::Result<Self> {
		loop {
			let name = format!("{start}-{:016x}", rand::random::<u64>());
			let flags = BYTES | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
			let file: File = match openat(&folder.0, &name, flags, mode) {
				Ok(file) => file.into(),
				Err(Errno::EXIST) => continue,
				Err(error) => return Err(error.into()),
			};
			// Another run may have found it already.
			if folder.lock(&name, &file)? {
				return Ok(Self { folder, name, file });
			}
		}
	}

	/// Returns the file, which has been written up to its end.
	pub fn file(&self) -> &File {
		&self.file
	}

	pub(super) fn name(&self) -> &str {
		&self.name
	}

	pub(super) fn folder(&self) -> &File {
		&self.folder.0
	}

	/// Checks that the name still leads to the file.
	pub(super) fn ensure_named(&self) -> io::Result<()> {
		match is_named(&self.folder.0, &self.name, &self.file)? {
			true => Ok(()),
			false => Err(io::Error::other("another file has taken the place of its bytes")),
		}
	}

	/// Gives the file the mode of another one.
	pub fn set_mode_of(&self, other: &Self) -> io::Result<()> {
		Ok(fchmod(&self.file, Mode::from_raw_mode(fstat(&other.file)?.st_mode))?)
	}

	/// Removes the file.
	pub fn remove(&self) -> io::Result<()> {
		Ok(unlinkat(&self.folder.0, &self.name, AtFlags::empty())?)
	}
}

/// A folder in which names are tried.
pub struct Trial {
	folder: Arc<PartialFolder>,
	name: String,
	inner: File,
	/// The first name of each file.
	names: HashMap<u64, String>,
}

impl Trial {
	pub(super) fn begin(folder: Arc<PartialFolder>) -> io::Result<Self> {
		let name = format!("{TRIAL}{:016x}", rand::random::<u64>());
		mkdirat(&folder.0, &name, Mode::RWXU)?;
		let inner = openat(&folder.0, &name, FOLDER, Mode::empty())?.into();
		Ok(Self { folder, name, inner, names: HashMap::new() })
	}

	/// Returns whether different names may be one.
	pub(super) fn folds(&self) -> io::Result<bool> {
		for [name, twin] in TWINS {
			self.inode(name)?;
			if stat(&self.inner, twin)?.is_some() {
				return Ok(true);
			}
		}
		Ok(false)
	}

	/// Returns the first tried name that the file system takes for this one.
	pub fn first(&mut self, name: &str) -> io::Result<String> {
		let inode = self.inode(name)?;
		Ok(self.names.entry(inode).or_insert_with(|| name.to_owned()).clone())
	}

	fn inode(&self, name: &str) -> io::Result<u64> {
		let flags = OFlags::CREATE | OFlags::RDWR | OFlags::NOFOLLOW | OFlags::CLOEXEC;
		let file: File = openat(&self.inner, name, flags, Mode::from(0o600))?.into();
		Ok(file.metadata()?.ino())
	}
}

impl Drop for Trial {
	fn drop(&mut self) {
		// If it stays, it is removed with the folder that it is in.
		let _ = remove_trial(&self.folder.0, &self.name);
	}
}

/// Removes a folder in which names were tried.
fn remove_trial(folder: &File, name: &str) -> io::Result<()> {
	let inner: File = openat(folder, name, FOLDER, Mode::empty())?.into();
	for name in names(&inner)? {
		unlinkat(&inner, &name, AtFlags::empty())?;
	}
	Ok(unlinkat(folder, name, AtFlags::REMOVEDIR)?)
}

/// Returns the names in a folder, without those that are not text.
fn names(folder: &File) -> io::Result<Vec<String>> {
	let mut names = Vec::new();
	for entry in Dir::read_from(folder)? {
		if let Ok(name) = entry?.file_name().to_str() {
			if !matches!(name, "." | "..") {
				names.push(name.to_owned());
			}
		}
	}
	Ok(names)
}

/// Returns the version whose bytes a file has, by its name.
fn version_of(name: &str) -> Option<VersionId> {
	let (version, _) = name.split_once('-')?;
	let mut bytes = [0; 32];
	hex::decode_to_slice(version, &mut bytes).ok()?;
	Some(VersionId(bytes))
}

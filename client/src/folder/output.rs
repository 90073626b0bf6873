// SPDX-License-Identifier: Apache-2.0
//! A folder, and the files that are moved to their places in it.

use std::{
	ffi::OsStr,
	fs::{self, File},
	io::{self, BufReader},
	path::{Component, Path, PathBuf},
	sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use content_fabric_identifiers::{VersionCheck, VersionId};
use rustix::{
	fs::{fstat, mkdirat, openat, renameat, statat, AtFlags, FileType, Mode, OFlags, Stat},
	io::Errno,
};

use super::{
	is_reserved,
	partial::{Partial, PartialFolder, Trial, PART, PRIVATE, SHARED},
	RESERVED,
};

/// Number of bytes of a file that are read at once.
const PIECE: usize = 256 << 10;
/// The flags with which folders are opened.
pub(super) const FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// A folder that downloads are written to. It may be reached by a symbolic link.
pub struct Folder {
	path: PathBuf,
	root: File,
	/// Opened when it is needed, so that nothing is written if all files are there.
	partial: Mutex<Option<Arc<PartialFolder>>>,
	/// Locked while a file is moved, so that two files of a run do not replace each other.
	moving: Mutex<()>,
}

/// The place of a file in a folder.
pub struct Target {
	folder: Arc<Folder>,
	/// The path in the folder.
	path: PathBuf,
	/// The file that is there.
	found: Option<File>,
}

impl Folder {
	/// Opens a folder, which is created if it does not exist.
	pub fn open(path: PathBuf) -> io::Result<Self> {
		let place = if path.as_os_str().is_empty() { Path::new(".") } else { &path };
		fs::create_dir_all(place)?;
		let root = File::open(place)?;
		Ok(Self { path, root, partial: Mutex::default(), moving: Mutex::default() })
	}

	/// Returns the path of something in the folder.
	pub fn path(&self, inner: &Path) -> PathBuf {
		self.path.join(inner)
	}

	/// Opens the folder that a target is in. `None` if it does not exist, unless it is created.
	fn parent(&self, target: &Path, create: bool) -> io::Result<Option<File>> {
		let partial = locked(&self.partial).clone();
		let mut folder = self.root.try_clone()?;
		for part in target.parent().into_iter().flat_map(Path::components) {
			let Some(next) = below(&folder, part.as_os_str(), create)? else { return Ok(None) };
			// A file system may have more than one name for the reserved folder.
			if let Some(partial) = &partial {
				if partial.is_named(&folder, part.as_os_str())? {
					return Err(reserved(part.as_os_str()));
				}
			}
			folder = next;
		}
		Ok(Some(folder))
	}

	fn partial(&self) -> io::Result<Arc<PartialFolder>> {
		let mut partial = locked(&self.partial);
		match &*partial {
			Some(partial) => Ok(partial.clone()),
			None => {
				let opened = Arc::new(PartialFolder::open(&self.root)?);
				Ok(partial.insert(opened).clone())
			},
		}
	}

	/// Begins to try names, if the file system takes some different names for one.
	pub fn trial(&self) -> io::Result<Option<Trial>> {
		// Without the folder for it nothing is written, and each file has the reason.
		let Ok(partial) = self.partial() else { return Ok(None) };
		let trial = Trial::begin(partial)?;
		Ok(trial.folds()?.then_some(trial))
	}

	/// Returns the numbers of bytes that earlier runs have left of one version, or of all.
	pub fn leftovers(&self, of: Option<VersionId>) -> io::Result<Vec<(VersionId, u64)>> {
		if statat(&self.root, RESERVED, AtFlags::SYMLINK_NOFOLLOW) == Err(Errno::NOENT) {
			return Ok(Vec::new());
		}
		self.partial()?.lengths(of)
	}

	/// Removes the leftovers of earlier runs for a version, unless another run uses them.
	pub fn discard(&self, version: VersionId) -> io::Result<()> {
		self.partial()?.discard(version)
	}

	/// Removes what earlier runs have left, except of versions that `keeps` accepts. Then removes
	/// the folder of unfinished downloads if it is empty. Does nothing while another run uses it.
	pub fn tidy(&self, keeps: impl Fn(VersionId) -> bool) -> io::Result<()> {
		if statat(&self.root, RESERVED, AtFlags::SYMLINK_NOFOLLOW) == Err(Errno::NOENT) {
			return Ok(());
		}
		self.partial()?.tidy(&self.root, keeps)
	}
}

impl Target {
	/// Finds what is at a path in a folder. Fails if that is not a file, or if the path leads
	/// through a symbolic link.
	pub fn find(folder: &Arc<Folder>, path: PathBuf) -> io::Result<Self> {
		for part in path.components() {
			match part {
				Component::Normal(name) if is_reserved(&name.to_string_lossy()) => {
					return Err(reserved(name));
				},
				Component::Normal(_) => {},
				_ => return Err(invalid("it is not a path in a folder".to_owned())),
			}
		}
		let name = path.file_name().ok_or_else(|| invalid("it names no file".to_owned()))?;
		let parent = folder.parent(&path, false)?;
		let found = match parent {
			Some(parent) if stat(&parent, name)?.is_some() => Some(open(&parent, name)?),
			_ => None,
		};
		Ok(Self { folder: folder.clone(), path, found })
	}

	/// Returns whether a file is there.
	pub fn is_taken(&self) -> bool {
		self.found.is_some()
	}

	/// Returns whether a file with the bytes of a version is there, by a check without data.
	pub fn has(&self, mut check: VersionCheck) -> io::Result<bool> {
		let Some(file) = &self.found else { return Ok(false) };
		io::copy(&mut BufReader::with_capacity(PIECE, file), &mut check)?;
		Ok(check.found().is_some())
	}

	/// Returns the path, including the folder's.
	pub fn path(&self) -> PathBuf {
		self.folder.path(&self.path)
	}

	/// Opens a file for the bytes of a version: one that an earlier run has left, or a new one.
	pub fn partial(&self, version: VersionId) -> io::Result<Partial> {
		Partial::open(self.folder.partial()?, version)
	}

	/// Creates a file for some bytes of a version.
	pub fn new_partial(&self, version: VersionId) -> io::Result<Partial> {
		Partial::create(self.folder.partial()?, &part(version), SHARED)
	}

	/// Creates a file that only this user can read, for the decrypted bytes of a version.
	pub fn private_partial(&self, version: VersionId) -> io::Result<Partial> {
		Partial::create(self.folder.partial()?, &part(version), PRIVATE)
	}

	/// Looks again at what is there.
	pub fn again(&self) -> io::Result<Self> {
		Self::find(&self.folder, self.path.clone())
	}

	/// Moves a file to its place. Returns false, and moves nothing, if that place has changed since
	/// it was found.
	pub fn put(&self, partial: &Partial) -> io::Result<bool> {
		let name = self.path.file_name().unwrap_or_default();
		let _moving = locked(&self.folder.moving);
		let parent = self.folder.parent(&self.path, true)?.ok_or(Errno::NOENT)?;
		let is_as_found = match &self.found {
			Some(found) => is_named(&parent, name, found)?,
			None => stat(&parent, name)?.is_none(),
		};
		if !is_as_found {
			return Ok(false);
		}
		partial.ensure_named()?;
		renameat(partial.folder(), partial.name(), &parent, name).map_err(|error| match error {
			Errno::XDEV => io::Error::other("it is on another file system than the output"),
			error => error.into(),
		})?;
		match is_named(&parent, name, partial.file())? {
			true => Ok(true),
			false => Err(io::Error::other("another file has taken its place")),
		}
	}
}

/// Returns the start of the name of a file that the next run does not continue.
fn part(version: VersionId) -> String {
	format!("{PART}{}", hex::encode(version.0))
}

/// Opens a folder in a folder.
fn below(folder: &File, name: &OsStr, create: bool) -> io::Result<Option<File>> {
	let mut created = false;
	loop {
		match openat(folder, name, FOLDER, Mode::empty()) {
			Ok(found) => return Ok(Some(found.into())),
			Err(Errno::NOENT) if create && !created => {
				match mkdirat(folder, name, Mode::from(0o777)) {
					Ok(()) | Err(Errno::EXIST) => created = true,
					Err(error) => return Err(error.into()),
				}
			},
			Err(Errno::NOENT) if !create => return Ok(None),
			Err(Errno::NOTDIR | Errno::LOOP) => return Err(not_a_folder(folder, name)),
			Err(error) => return Err(error.into()),
		}
	}
}

/// Opens a file that is there.
fn open(folder: &File, name: &OsStr) -> io::Result<File> {
	let is_file = |stat: &Stat| FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
	let other =
		|| io::Error::new(io::ErrorKind::AlreadyExists, "there is something else than a file");
	if !stat(folder, name)?.is_some_and(|found| is_file(&found)) {
		return Err(other());
	}
	// Something else may have taken its place, and without `NONBLOCK` a pipe would be waited for.
	let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
	let file: File = openat(folder, name, flags, Mode::empty())?.into();
	match is_file(&fstat(&file)?) {
		true => Ok(file),
		false => Err(other()),
	}
}

/// Returns what has a name in a folder, without following a link.
pub(super) fn stat(folder: &File, name: impl rustix::path::Arg) -> io::Result<Option<Stat>> {
	match statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
		Ok(found) => Ok(Some(found)),
		Err(Errno::NOENT) => Ok(None),
		Err(error) => Err(error.into()),
	}
}

/// Returns whether a name in a folder leads to an open file.
pub(super) fn is_named(
	folder: &File,
	name: impl rustix::path::Arg,
	file: &File,
) -> io::Result<bool> {
	let opened = fstat(file)?;
	let named = stat(folder, name)?;
	Ok(named.is_some_and(|named| (named.st_dev, named.st_ino) == (opened.st_dev, opened.st_ino)))
}

/// Returns the error of something that is in the place of a folder.
pub(super) fn not_a_folder(folder: &File, name: &OsStr) -> io::Error {
	let name_shown = name.to_string_lossy();
	let link =
		stat(folder, name).ok().flatten().map(|found| FileType::from_raw_mode(found.st_mode));
	io::Error::new(
		io::ErrorKind::NotADirectory,
		match link {
			Some(FileType::Symlink) => {
				format!("`{name_shown}` is a symbolic link, which is not followed")
			},
			_ => format!("`{name_shown}` is not a folder"),
		},
	)
}

fn reserved(name: &OsStr) -> io::Error {
	let name = name.to_string_lossy();
	invalid(format!("`{name}` is reserved for downloads that are not complete"))
}

fn invalid(reason: String) -> io::Error {
	io::Error::new(io::ErrorKind::InvalidInput, reason)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
	mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

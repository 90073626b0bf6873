// SPDX-License-Identifier: Apache-2.0
//! The records of encrypted files: lines of JSON, to which `fabric put --encrypt` and `fabric get`
//! add.

use std::{
	collections::{HashMap, HashSet},
	env,
	fs::File,
	io::{BufRead, BufReader, Read, Seek, SeekFrom, Write},
	path::{Path, PathBuf},
};

use content_fabric_identifiers::{TenantId, VersionId};
use content_fabric_primitives::KmsKey;
use etcetera::BaseStrategy;
use serde::{Deserialize, Serialize};

use super::{create_private, ensure_own, open_private, sync_folder, StateError};
use crate::output::warn;

/// Name of the environment variable that names the folder of the state.
const STATE: &str = "FABRIC_STATE";
/// Name of the file.
const NAME: &str = "encrypted.jsonl";
/// Longest line. A path is the longest part of it.
const MAX_LINE: u64 = 64 << 10;

/// A file that was encrypted or decrypted here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
	/// The BLAKE3 hash of the plain bytes.
	pub plain: VersionId,
	/// The tenant.
	pub tenant: TenantId,
	/// The key of the KMS when it was encrypted or decrypted.
	pub key: KmsKey,
	/// The version: the hash of the encrypted bytes.
	pub version: VersionId,
	/// Number of the encrypted bytes.
	pub size: u64,
	/// The path of the encrypted bytes, if they were encrypted here.
	#[serde(default, skip_serializing_if = "Option::is_none")]
	pub spool: Option<PathBuf>,
}

impl Record {
	/// Returns the path of the encrypted bytes, if they are there. The version is the name of their file.
	pub fn spooled(&self) -> Option<&Path> {
		let path = self.spool.as_deref()?;
		if path.file_name()?.to_str()? != spool_name(self.version) {
			return None;
		}
		let found = path.symlink_metadata().ok()?;
		(found.is_file() && found.len() == self.size).then_some(path)
	}
}

/// Returns the name of the file with the encrypted bytes of a version.
pub(super) fn spool_name(version: VersionId) -> String {
	format!("{}.age", hex::encode(version.0))
}

/// The records, and their file.
pub struct Records {
	folder: PathBuf,
	by_plain: HashMap<(VersionId, TenantId), Vec<Record>>,
	versions: HashSet<VersionId>,
	/// True if some lines could not be read.
	is_damaged: bool,
}

impl Records {
	/// Reads the file in the folder of the state: [`STATE`], or else `fabric` in the user's, such as
	/// `~/.local/state`. A missing file is an empty one. Warns of lines that are damaged.
	pub fn open() -> Result<Self, StateError> {
		let folder = match env::var_os(STATE) {
			Some(folder) if !folder.is_empty() => folder.into(),
			_ => {
				let user = etcetera::choose_base_strategy()?;
				user.state_dir().unwrap_or_else(|| user.data_dir()).join("fabric")
			},
		};
		Self::open_in(folder)
	}

	/// Reads the file as [`open`](Self::open) does. Without a home, there is none. Warns of records
	/// that others could write, and does without them.
	pub fn open_if_any() -> Result<Self, StateError> {
		match Self::open() {
			Err(StateError::NoHome(_)) => Ok(Self::new(PathBuf::new())),
			Err(error @ StateError::Shared { .. }) => {
				warn(&format!("warning: the records of encrypted files are not used: {error}"));
				Ok(Self::new(PathBuf::new()))
			},
			records => records,
		}
	}

	fn new(folder: PathBuf) -> Self {
		Self { folder, by_plain: HashMap::new(), versions: HashSet::new(), is_damaged: false }
	}

	pub(super) fn open_in(folder: PathBuf) -> Result<Self, StateError> {
		let mut records = Self::new(folder);
		let path = records.path();
		match File::open(&path) {
			Ok(file) => {
				let found = file.metadata().map_err(StateError::file("read", &path))?;
				ensure_own(&path, &found)?;
				let folder = &records.folder;
				let found = folder.metadata().map_err(StateError::file("read", folder))?;
				ensure_own(folder, &found)?;
				records.read(&path, file)?;
			},
			Err(error) if error.kind() == std::io::ErrorKind::NotFound => {},
			Err(error) => return Err(StateError::file("read", &path)(error)),
		}
		Ok(records)
	}

	/// Returns whether some lines could not be read.
	pub fn is_damaged(&self) -> bool {
		self.is_damaged
	}

	/// Returns the folder of the state.
	pub fn folder(&self) -> &Path {
		&self.folder
	}

	fn path(&self) -> PathBuf {
		self.folder.join(NAME)
	}

	fn read(&mut self, path: &Path, file: File) -> Result<(), StateError> {
		let (mut reader, mut line, mut damaged) = (BufReader::new(file), Vec::new(), Vec::new());
		for number in 1_u64.. {
			line.clear();
			let read = reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line);
			if read.map_err(StateError::file("read", path))? == 0 {
				break;
			}
			match serde_json::from_slice(&line) {
				Ok(record) => self.insert(record),
				// The process that wrote the last line was killed.
				Err(_) if line.ends_with(b"\n") || !line.trim_ascii().is_empty() => {
					damaged.push(number);
				},
				Err(_) => {},
			}
		}
		self.is_damaged = !damaged.is_empty();
		if let Some(first) = damaged.first() {
			warn(&format!(
				"warning: {}: line {first} is damaged, and {} in all: a later put encrypts their \
				 files again",
				path.display(),
				damaged.len()
			));
		}
		Ok(())
	}

	fn insert(&mut self, record: Record) {
		self.versions.insert(record.version);
		let known = self.by_plain.entry((record.plain, record.tenant)).or_default();
		// The later line has the present path.
		known.retain(|old| old.version != record.version);
		known.push(record);
	}

	/// Returns the records of plain bytes in a tenant.
	pub fn of(&self, plain: VersionId, tenant: TenantId) -> &[Record] {
		self.by_plain.get(&(plain, tenant)).map_or(&[], Vec::as_slice)
	}

	/// Returns the plain bytes of a version.
	pub fn plain_of(&self, version: VersionId) -> Option<VersionId> {
		self.all().find(|record| record.version == version).map(|record| record.plain)
	}

	/// Returns the versions that are plain bytes, encrypted for any tenant.
	pub fn versions_of(&self, plain: VersionId) -> impl Iterator<Item = VersionId> + '_ {
		self.all().filter(move |record| record.plain == plain).map(|record| record.version)
	}

	/// Returns whether the plain bytes of a version are known.
	pub fn knows(&self, version: VersionId) -> bool {
		self.versions.contains(&version)
	}

	/// Returns all records.
	pub fn all(&self) -> impl Iterator<Item = &Record> {
		self.by_plain.values().flatten()
	}

	/// Adds a record, durably.
	pub fn add(&mut self, record: Record) -> Result<(), StateError> {
		if self.of(record.plain, record.tenant).contains(&record) {
			return Ok(());
		}
		let path = self.path();
		create_private(&self.folder)?;
		self.append(&path, &record).map_err(StateError::file("written", &path))?;
		self.insert(record);
		Ok(())
	}

	fn append(&self, path: &Path, record: &Record) -> std::io::Result<()> {
		let mut line = serde_json::to_vec(record)?;
		line.push(b'\n');
		let mut file = open_private(path)?;
		// Unlocked when it is closed.
		file.lock()?;
		let length = file.seek(SeekFrom::End(0))?;
		if length > 0 {
			let mut last = [0];
			file.seek(SeekFrom::Start(length - 1))?;
			file.read_exact(&mut last)?;
			if last != [b'\n'] {
				line.insert(0, b'\n');
			}
		}
		file.write_all(&line)?;
		file.sync_all()?;
		if length == 0 {
			sync_folder(&self.folder)?;
		}
		Ok(())
	}
}

#[cfg(test)]
mod tests {
	use std::fs;

	use super::*;

	fn record(plain: u8, version: u8) -> Record {
		Record {
			plain: VersionId([plain; 32]),
			tenant: TenantId([1; 10]),
			key: KmsKey([3; 32]),
			version: VersionId([version; 32]),
			size: 5,
			spool: Some("/spool/a".into()),
		}
	}

	fn open(folder: &Path) -> Records {
		Records::open_in(folder.join("state")).expect("the file is sound; qed")
	}

	fn place() -> tempfile::TempDir {
		tempfile::tempdir().expect("temporary directories can be made; qed")
	}

	#[test]
	fn records_are_there_after_reopening_and_the_later_path_counts() {
		let dir = place();
		let mut records = open(dir.path());
		let moved = Record { spool: None, ..record(1, 2) };
		for record in [record(1, 2), record(1, 4), moved.clone(), moved.clone()] {
			records.add(record).expect("there is room; qed");
		}
		for records in [records, open(dir.path())] {
			let tenant = TenantId([1; 10]);
			assert_eq!(records.of(VersionId([1; 32]), tenant), [record(1, 4), moved.clone()]);
			assert_eq!(records.of(VersionId([1; 32]), TenantId([2; 10])), []);
			assert!(records.knows(VersionId([4; 32])) && !records.knows(VersionId([1; 32])));
			assert_eq!(records.plain_of(VersionId([4; 32])), Some(VersionId([1; 32])));
		}
		let lines = fs::read_to_string(dir.path().join("state").join(NAME)).expect("it is there");
		assert_eq!(lines.lines().count(), 3, "known records are not written again: {lines}");
	}

	#[test]
	fn a_line_that_a_killed_process_has_left_spoils_no_other() {
		let dir = place();
		open(dir.path()).add(record(1, 2)).expect("there is room; qed");
		let path = dir.path().join("state").join(NAME);
		let mut text = fs::read(&path).expect("it is there");
		text.extend(b"{\"plain\":\"hq");
		fs::write(&path, text).expect("it is writable");
		let mut records = open(dir.path());
		records.add(record(3, 4)).expect("there is room; qed");
		let records = open(dir.path());
		assert!(records.knows(VersionId([2; 32])) && records.knows(VersionId([4; 32])));
	}

	#[cfg(unix)]
	#[test]
	fn only_the_user_can_read_the_records() {
		use std::os::unix::fs::PermissionsExt;

		let dir = place();
		open(dir.path()).add(record(1, 2)).expect("there is room; qed");
		for (path, expected) in
			[(dir.path().join("state"), 0o700), (dir.path().join("state").join(NAME), 0o600)]
		{
			let mode = fs::metadata(&path).expect("it is there").permissions().mode();
			assert_eq!(mode & 0o777, expected, "{}", path.display());
		}
	}

	#[cfg(unix)]
	#[test]
	fn records_that_others_could_write_are_refused() {
		use std::os::unix::fs::PermissionsExt;

		let dir = place();
		open(dir.path()).add(record(1, 2)).expect("there is room; qed");
		let state = dir.path().join("state");
		let allow = |path: &Path, mode| {
			fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("it is ours");
		};
		allow(&state.join(NAME), 0o620);
		let error = Records::open_in(state.clone()).err().expect("a group can write it; qed");
		let text = error.to_string();
		assert!(text.contains("encrypted.jsonl can be written by other users"), "{text}");
		allow(&state.join(NAME), 0o644);
		let mut records = open(dir.path());
		allow(&state, 0o777);
		let error = records.add(record(3, 4)).expect_err("others can replace the file; qed");
		assert!(error.to_string().contains("state can be written by other users"), "{error}");
		allow(&state, 0o755);
		records.add(record(3, 4)).expect("only this user can write there; qed");
	}

	#[test]
	fn a_record_names_no_file_but_the_one_of_its_version() {
		let dir = place();
		let of = |name: &str| {
			let path = dir.path().join(name);
			fs::write(&path, b"12345").expect("there is room; qed");
			Record { spool: Some(path), ..record(1, 2) }
		};
		assert!(of("id_ed25519").spooled().is_none());
		assert!(of(&spool_name(VersionId([3; 32]))).spooled().is_none());
		assert!(of(&spool_name(VersionId([2; 32]))).spooled().is_some());
	}
}

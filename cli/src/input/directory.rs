// SPDX-License-Identifier: Apache-2.0
//! Reads a directory as content: each file is a content object with one version, which is its head.
//!
//! The name of an object is the path of the file from the directory, with `/`. In the name of its
//! record each `/` becomes `:`. A path with the record name of another file fails.
//! Hidden files and folders, whose names begin with a dot, are skipped unless they are asked for:
//! what they hold is often secret, and its hash would stay on the chain. Names that `fabric get`
//! needs for itself, or never writes, fail.

use std::{
	collections::BTreeMap,
	ffi::OsStr,
	io, iter,
	path::{Path, PathBuf},
};

use content_fabric_client::{
	folder::{is_git, is_hidden, is_reserved, RESERVED},
	manifest::{version_text, Object, Release},
	record_names::{key_of, SYNTAX},
};
use content_fabric_identifiers::Cid;
use walkdir::{DirEntry, WalkDir};

use super::{
	content::{escaped, Content, Format, Unpublishable},
	hash::{hash_unchanged, HashError},
	in_parallel, Problem,
};

/// Why a file of a Git repository is not published.
const GIT: &str =
	"`fabric get` never writes files of a Git repository, which make `git` run programs";

/// The versions of files, by their paths.
type Files = BTreeMap<String, Release>;

/// Reads the files under `root`. Links are not followed.
pub(super) fn read(
	root: &Path,
	source: Option<&str>,
	hidden_too: bool,
) -> Result<Content, Problem> {
	content(source_name(root, source)?, walk(root, hidden_too)?)
}

/// Reads one file, under the name that it has in its folder. A link to a file is followed. Returns
/// the folder, too.
pub(super) fn read_file(
	path: &Path,
	source: Option<&str>,
	hidden_too: bool,
) -> Result<(PathBuf, Content), Problem> {
	let path = path.canonicalize()?;
	if !path.metadata()?.is_file() {
		return Err(Problem::NotFiles);
	}
	let folder = path.parent().unwrap_or(&path);
	let mut found = Found::default();
	match path.file_name().is_some_and(is_hidden_name) && !hidden_too {
		true => found.hidden.push(shown(folder, &path)),
		false => found.add_file(folder, &path),
	}
	Ok((folder.to_owned(), content(source_name(folder, source)?, found)?))
}

/// Returns the content of files, which are hashed.
fn content(source: String, found: Found) -> Result<Content, Problem> {
	let Found { files, mut failed, symlinks, hidden } = found;
	let files = hashed(&files, &mut failed);
	if files.is_empty() && failed.is_empty() {
		return Err(Problem::NoFiles { symlinks: symlinks.len(), hidden: hidden.len() });
	}
	let mut content = Content::new(Format::Directory);
	if !files.is_empty() {
		let object = |(name, release)| Object { name, id: None, releases: vec![release] };
		content.sources.insert(source, files.into_iter().map(object).collect());
	}
	failed.sort_by(|a, b| a.name.cmp(&b.name));
	content.failed = failed;
	content.symlinks_skipped = symlinks;
	content.hidden_skipped = hidden;
	Ok(content)
}

/// Returns the entries under the root in the order of their names.
fn walk(root: &Path, hidden_too: bool) -> Result<Found, Problem> {
	let mut found = Found::default();
	let mut entries = WalkDir::new(root).min_depth(1).sort_by_file_name().into_iter();
	while let Some(entry) = entries.next() {
		match entry {
			Ok(entry) if !hidden_too && is_hidden_name(entry.file_name()) => {
				found.hidden.push(shown(root, entry.path()));
				if entry.file_type().is_dir() {
					entries.skip_current_dir();
				}
			},
			Ok(entry) if entry.file_type().is_dir() && is_git_name(entry.file_name()) => {
				found.fail(root, entry.path(), GIT);
				entries.skip_current_dir();
			},
			Ok(entry) => found.add(root, &entry),
			Err(error) if error.depth() == 0 => return Err(cause(error).into()),
			Err(error) => found.add_unreadable(root, error),
		}
	}
	Ok(found)
}

fn is_hidden_name(name: &OsStr) -> bool {
	is_hidden(&name.to_string_lossy())
}

fn is_git_name(name: &OsStr) -> bool {
	is_git(&name.to_string_lossy())
}

/// Returns a path from the root.
fn relative<'a>(root: &Path, path: &'a Path) -> &'a Path {
	path.strip_prefix(root).unwrap_or(path)
}

/// Returns a path from the root as a report has it.
fn shown(root: &Path, path: &Path) -> String {
	escaped(&relative(root, path).to_string_lossy())
}

/// Returns the files that can be read and have keys of records of their own.
fn hashed(files: &[(String, PathBuf)], failed: &mut Vec<Unpublishable>) -> Files {
	let mut hashed = Files::new();
	for ((name, _), hash) in files.iter().zip(hash_all(files)) {
		match hash {
			Ok(hash) => drop(hashed.insert(name.clone(), release(name, hash))),
			Err(error) => failed.push(Unpublishable::new(name, error)),
		}
	}
	for (name, key) in ambiguous(files, &hashed) {
		if hashed.remove(&name).is_some() {
			let reason = format!("another file has the record key `{key}`, too");
			failed.push(Unpublishable::new(&name, reason));
		}
	}
	hashed
}

/// Returns the given name of the source, or the name of the directory.
fn source_name(root: &Path, given: Option<&str>) -> Result<String, Problem> {
	if let Some(given) = given {
		return Ok(given.into());
	}
	let root = root.canonicalize()?;
	let name = root.file_name().and_then(|name| name.to_str());
	name.map(str::to_owned).ok_or(Problem::SourceMissing)
}

#[derive(Default)]
struct Found {
	/// The names and the paths of the files that may be published.
	files: Vec<(String, PathBuf)>,
	failed: Vec<Unpublishable>,
	symlinks: Vec<String>,
	hidden: Vec<String>,
}

impl Found {
	fn add(&mut self, root: &Path, entry: &DirEntry) {
		let kind = entry.file_type();
		if kind.is_symlink() {
			self.symlinks.push(shown(root, entry.path()));
		} else if kind.is_file() {
			self.add_file(root, entry.path());
		} else if !kind.is_dir() {
			self.fail(root, entry.path(), "it is not a regular file");
		}
	}

	fn add_file(&mut self, root: &Path, path: &Path) {
		let Some(name) = name(root, path) else {
			return self.fail(root, path, "its path is not UTF-8 text");
		};
		if name.split('/').any(is_reserved) {
			let reason = format!("`{RESERVED}` is reserved for downloads of `fabric get`");
			return self.fail(root, path, reason);
		}
		if name.split('/').any(is_git) {
			return self.fail(root, path, GIT);
		}
		self.files.push((name, path.into()));
	}

	/// Adds a directory that cannot be listed, or an entry that cannot be examined.
	fn add_unreadable(&mut self, root: &Path, error: walkdir::Error) {
		let path = error.path().unwrap_or(root).to_owned();
		self.fail(root, &path, HashError::Read(cause(error)));
	}

	fn fail(&mut self, root: &Path, path: &Path, reason: impl ToString) {
		let name = relative(root, path).to_string_lossy();
		self.failed.push(Unpublishable::new(&name, reason));
	}
}

/// Returns the system's error, without the path.
fn cause(error: walkdir::Error) -> io::Error {
	error.into_io_error().unwrap_or_else(|| io::ErrorKind::Other.into())
}

/// Returns the name of a file: its path from the root, if that is text.
fn name(root: &Path, path: &Path) -> Option<String> {
	let parts = path.strip_prefix(root).ok()?.components();
	let parts: Option<Vec<&str>> = parts.map(|part| part.as_os_str().to_str()).collect();
	Some(parts?.join("/"))
}

fn release(path: &str, (hash, size): (Cid, u64)) -> Release {
	let (name, version) = (record_name(path), version_text(hash.version));
	Release { name, version, hash, size: Some(size), is_head: true }
}

/// Returns the name of the record of a file.
fn record_name(path: &str) -> String {
	path.replace('/', ":")
}

/// Hashes files. Returns the hashes in their order.
fn hash_all(files: &[(String, PathBuf)]) -> Vec<Result<(Cid, u64), HashError>> {
	in_parallel(files, |(_, path)| hash_unchanged(path))
}

/// Returns the files that share the key of a record, each with that key. None of them can own it.
///
/// The files `a/b` and `a:b` share `a:b`, and `c+` and `c~2b` share `c~2b`, even if one of them
/// cannot be read. A file `a` of the version `0f…` shares the key of its version with the file
/// `a:0f…`.
fn ambiguous(files: &[(String, PathBuf)], hashed: &Files) -> BTreeMap<String, String> {
	let mut owners = BTreeMap::<String, &str>::new();
	let mut ambiguous = BTreeMap::<String, String>::new();
	for (name, _) in files {
		let version = hashed.get(name).map(Release::record_name);
		for record in iter::once(record_name(name)).chain(version) {
			// A name without a key is a matter of the plan.
			let key = key_of(&record, SYNTAX).unwrap_or(record);
			match owners.get(&key) {
				None => drop(owners.insert(key, name)),
				Some(owner) => {
					ambiguous.entry((*owner).into()).or_insert_with(|| key.clone());
					ambiguous.entry(name.clone()).or_insert(key);
				},
			}
		}
	}
	ambiguous
}

#[cfg(test)]
mod round_trips;
#[cfg(test)]
mod tests;

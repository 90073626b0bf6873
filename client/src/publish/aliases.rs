// SPDX-License-Identifier: Apache-2.0
//! Paths that a file system takes for others, for example because it ignores case.

use std::{
	cell::OnceCell,
	collections::{HashMap, HashSet},
	fs, io,
	path::Path,
};

use crate::manifest::Object;

/// The number by which a file system knows a file.
type Identity = (u64, u64);

/// The files of a folder that are published.
pub(super) struct Aliases<'a> {
	folder: &'a Path,
	files: HashSet<&'a str>,
	/// Read only if another path leads to a file.
	by_identity: OnceCell<HashMap<Identity, &'a str>>,
	identity: fn(&Path) -> io::Result<Identity>,
}

impl<'a> Aliases<'a> {
	pub(super) fn new(folder: &'a Path, files: &'a [Object]) -> Self {
		let files = files.iter().map(|file| &*file.name).collect();
		Self { folder, files, by_identity: OnceCell::new(), identity }
	}

	/// Returns the file that another path leads to, although no folder lists that path.
	pub(super) fn file_at(&self, path: &str) -> Option<&'a str> {
		if self.files.contains(path) {
			return None;
		}
		// A missing path, or one that cannot be examined, leads to no file that was read.
		let identity = |path: &str| (self.identity)(&self.folder.join(path)).ok();
		let found = identity(path)?;
		let all = || self.files.iter().filter_map(|file| Some((identity(file)?, *file))).collect();
		let file = self.by_identity.get_or_init(all).get(&found)?;
		(!self.is_listed(Path::new(path))).then_some(file)
	}

	/// Returns whether folders list all parts of a path as they are.
	fn is_listed(&self, path: &Path) -> bool {
		path.ancestors().filter(|part| part.file_name().is_some()).all(|part| {
			let above = part.parent().map_or(self.folder.into(), |above| self.folder.join(above));
			let entries = fs::read_dir(above).into_iter().flatten().flatten();
			entries.map(|entry| entry.file_name()).any(|name| Some(&*name) == part.file_name())
		})
	}
}

#[cfg(unix)]
fn identity(path: &Path) -> io::Result<Identity> {
	use std::os::unix::fs::MetadataExt;
	let found = fs::symlink_metadata(path)?;
	match found.is_file() {
		true => Ok((found.dev(), found.ino())),
		false => Err(io::ErrorKind::InvalidInput.into()),
	}
}

#[cfg(not(unix))]
fn identity(_: &Path) -> io::Result<Identity> {
	Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
	use super::*;

	fn files(names: &[&str]) -> Vec<Object> {
		let object = |name: &&str| Object { name: (*name).into(), id: None, releases: Vec::new() };
		names.iter().map(object).collect()
	}

	#[test]
	fn a_path_that_no_folder_lists_is_an_alias_of_the_file_to_which_it_leads() {
		let dir = tempfile::tempdir().expect("there is room for a folder");
		fs::create_dir(dir.path().join("sub")).expect("there is room");
		fs::write(dir.path().join("README"), "1").expect("there is room");
		fs::write(dir.path().join("sub/a"), "2").expect("there is room");
		let files = files(&["README", "sub/a"]);
		let mut aliases = Aliases::new(dir.path(), &files);
		// As on a file system that ignores case.
		aliases.identity = |path| {
			let folder = path.ancestors().find(|above| above.join("README").exists());
			let path = path.strip_prefix(folder.expect("it is below")).expect("it is below");
			match &*path.to_string_lossy().to_lowercase() {
				"readme" => Ok((1, 1)),
				"sub/a" => Ok((1, 2)),
				_ => Err(io::ErrorKind::NotFound.into()),
			}
		};
		for (path, file) in [
			("Readme", Some("README")),
			("README", None),
			("sub/A", Some("sub/a")),
			("SUB/a", Some("sub/a")),
			("sub/b", None),
		] {
			assert_eq!(aliases.file_at(path), file, "{path}");
		}
	}

	#[test]
	#[cfg(unix)]
	fn another_name_of_a_file_is_no_alias() {
		let dir = tempfile::tempdir().expect("there is room for a folder");
		fs::write(dir.path().join("a"), "1").expect("there is room");
		fs::hard_link(dir.path().join("a"), dir.path().join("b")).expect("there is room");
		std::os::unix::fs::symlink("a", dir.path().join("c")).expect("there is room");
		let files = files(&["a"]);
		let aliases = Aliases::new(dir.path(), &files);
		for path in ["a", "b", "c", "d", "a/b", "../a"] {
			assert_eq!(aliases.file_at(path), None, "{path}");
		}
	}
}

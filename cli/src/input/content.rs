// SPDX-License-Identifier: Apache-2.0
//! The content that an input lists, whatever its format.

use std::{cmp::Ordering, collections::BTreeMap};

use clap::ValueEnum;
use content_fabric_identifiers::VersionId;
use serde::Serialize;

/// The mark between a version and an architecture.
const ARCHITECTURE_MARK: char = '_';

/// The formats of inputs that list content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
	/// A Cargo.lock.
	CargoLock,
	/// A Packages index of a Debian archive.
	DebianPackages,
	/// A directory. Each of its files is a package with one version.
	Directory,
}

/// The content that an input lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
	pub format: Format,
	/// The registries that the packages come from, by source.
	pub registries: BTreeMap<String, Registry>,
	/// The items of the input that should be published and cannot be, in the order of the input.
	pub failed: Vec<Unpublishable>,
	/// The items that name no data of their own, such as the workspace's own packages in its lock
	/// file, in the order of the input.
	pub skipped: Vec<Unpublishable>,
	/// The paths of symbolic links in a directory, which are not followed.
	pub symlinks_skipped: Vec<String>,
	/// The paths of hidden files and folders in a directory, which are skipped.
	pub hidden_skipped: Vec<String>,
}

/// The packages of a registry, by name. Each has at least one release.
pub type Registry = BTreeMap<String, Vec<Release>>;

/// A version of a package. The releases of a package ascend in the order of versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
	/// The version as the input writes it. For a file: the first 16 hex digits of its checksum.
	pub version: String,
	/// The architecture for which the data was built, if the input gives it.
	pub architecture: Option<String>,
	pub checksum: VersionId,
	/// The size of the data in bytes, if the input gives it.
	pub size: Option<u64>,
}

/// An item of an input that cannot be published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unpublishable {
	/// The name of the package, or the path of the file. Control characters are escaped.
	pub name: String,
	/// The version, if the input gives one. Control characters are escaped.
	pub version: Option<String>,
	pub reason: String,
}

impl Format {
	pub fn name(self) -> &'static str {
		match self {
			Self::CargoLock => "Cargo.lock",
			Self::DebianPackages => "Packages index",
			Self::Directory => "directory",
		}
	}

	/// Returns the word for an input of the format.
	pub fn noun(self) -> &'static str {
		match self {
			Self::CargoLock => "lock file",
			Self::DebianPackages => "index",
			Self::Directory => "directory",
		}
	}
}

impl Content {
	pub fn new(format: Format) -> Self {
		Self {
			format,
			registries: BTreeMap::new(),
			failed: Vec::new(),
			skipped: Vec::new(),
			symlinks_skipped: Vec::new(),
			hidden_skipped: Vec::new(),
		}
	}
}

#[cfg(test)]
impl Content {
	/// Returns the names of the packages, over all registries.
	pub(super) fn names(&self) -> Vec<&str> {
		self.registries.values().flat_map(BTreeMap::keys).map(String::as_str).collect()
	}

	/// Returns the number of versions, over all packages.
	pub(super) fn versions(&self) -> usize {
		self.registries.values().flat_map(BTreeMap::values).map(Vec::len).sum()
	}

	/// Returns name, version and reason of each item that failed.
	pub(super) fn failures(&self) -> Vec<(&str, Option<&str>, &str)> {
		self.failed.iter().map(Unpublishable::parts).collect()
	}
}

impl Unpublishable {
	pub fn new(name: &str, version: Option<&str>, reason: impl ToString) -> Self {
		Self {
			name: escaped(name),
			version: version.map(escaped),
			reason: escaped(&reason.to_string()),
		}
	}

	#[cfg(test)]
	pub(super) fn parts(&self) -> (&str, Option<&str>, &str) {
		(&self.name, self.version.as_deref(), &self.reason)
	}
}

/// Returns the order of two versions under the rules of the format: SemVer for a Cargo.lock,
/// Debian's order for an index, with an architecture or without. Returns `None` for directories,
/// where the newest run wins, and if a text is not a version of the format.
pub fn compare_versions(format: Format, a: &str, b: &str) -> Option<Ordering> {
	match format {
		Format::CargoLock => {
			let version = |text: &str| semver::Version::parse(text).ok();
			Some(version(a)?.cmp(&version(b)?))
		},
		Format::DebianPackages => {
			// No version has the mark that stands before an architecture.
			let version = |text: &str| {
				let version = text.split(ARCHITECTURE_MARK).next().unwrap_or(text);
				version.parse::<debversion::Version>().ok()
			};
			Some(version(a)?.cmp(&version(b)?))
		},
		Format::Directory => None,
	}
}

/// Returns the name of the record that leads to a package. For a directory each `/` becomes `:`.
///
/// Its record key may need escapes.
pub fn package_name(format: Format, name: &str) -> String {
	match format {
		Format::Directory => name.replace('/', ":"),
		Format::CargoLock | Format::DebianPackages => name.into(),
	}
}

pub fn release_name(format: Format, name: &str, version: &str) -> String {
	format!("{}:{version}", package_name(format, name))
}

/// Returns the name of a version's record with the architecture, as files of Debian have it.
pub fn built_name(release_name: &str, architecture: &str) -> String {
	format!("{release_name}{ARCHITECTURE_MARK}{architecture}")
}

/// Returns the text in one line that does not control a terminal.
pub(super) fn escaped(text: &str) -> String {
	let mut escaped = String::with_capacity(text.len());
	for character in text.chars() {
		match character.is_control() {
			true => escaped.extend(character.escape_default()),
			false => escaped.push(character),
		}
	}
	escaped
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn versions_compare_under_the_rules_of_their_format() {
		use Format::{CargoLock, DebianPackages, Directory};
		for (format, a, b, order) in [
			(CargoLock, "1.9.0", "1.10.0", Some(Ordering::Less)),
			(CargoLock, "1.0.0-rc.1", "1.0.0", Some(Ordering::Less)),
			(CargoLock, "1.0.0", "1.0.0", Some(Ordering::Equal)),
			(CargoLock, "1.0", "1.0.0", None),
			(CargoLock, "1.0.0", "1:1", None),
			(DebianPackages, "1.9", "1:0.1", Some(Ordering::Less)),
			(DebianPackages, "1.0", "1.0~rc1", Some(Ordering::Greater)),
			(DebianPackages, "1.0", "1.00", Some(Ordering::Equal)),
			(DebianPackages, "1 2", "1", None),
			(DebianPackages, "1.0_amd64", "1.0", Some(Ordering::Equal)),
			(DebianPackages, "1:0_i386", "1.0_amd64", Some(Ordering::Greater)),
			(DebianPackages, "_amd64", "1.0", None),
			(Directory, "0123456789abcdef", "0123456789abcdef", None),
		] {
			assert_eq!(compare_versions(format, a, b), order, "{a} and {b}");
			let reversed = order.map(Ordering::reverse);
			assert_eq!(compare_versions(format, b, a), reversed, "{b} and {a}");
		}
	}

	#[test]
	fn record_names_replace_slashes_for_directories_only() {
		assert_eq!(package_name(Format::Directory, "a/b/c.txt"), "a:b:c.txt");
		assert_eq!(release_name(Format::Directory, "a/b", "0f"), "a:b:0f");
		assert_eq!(package_name(Format::DebianPackages, "a/b"), "a/b");
		assert_eq!(release_name(Format::CargoLock, "a", "1.0.0"), "a:1.0.0");
		assert_eq!(built_name("a:1.0", "amd64"), "a:1.0_amd64");
	}

	#[test]
	fn unpublishable_items_do_not_control_a_terminal() {
		let item = Unpublishable::new("a\x1b[2J\n", Some("1\r\u{9b}"), "ends with\0");
		assert_eq!(item.name, "a\\u{1b}[2J\\n");
		assert_eq!(item.version.as_deref(), Some("1\\r\\u{9b}"));
		assert_eq!(item.reason, "ends with\\u{0}");
		assert_eq!(Unpublishable::new("ä-b", None, "é").name, "ä-b");
	}
}

// SPDX-License-Identifier: Apache-2.0
//! The content that an input lists, whatever its format.

use std::collections::{hash_map::Entry, HashMap};

use content_fabric_client::{
	manifest::Sources,
	text::{count, printable},
};

/// The formats of inputs that list content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
	/// A directory. Each of its files is a content object with one version.
	Directory,
	/// A manifest.
	Manifest,
}

/// The content that an input lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
	pub format: Format,
	/// The content objects by source.
	pub sources: Sources,
	/// The files of a directory that should be published and cannot be, in their order.
	pub failed: Vec<Unpublishable>,
	/// The paths of symbolic links in a directory, which are not followed.
	pub symlinks_skipped: Vec<String>,
	/// The paths of hidden files and folders in a directory, which are skipped.
	pub hidden_skipped: Vec<String>,
}

/// A file that cannot be published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unpublishable {
	/// The path of the file. Control characters are escaped.
	pub name: String,
	pub reason: String,
}

impl Format {
	/// Returns the word for an input of the format.
	pub fn noun(self) -> &'static str {
		match self {
			Self::Directory => "directory",
			Self::Manifest => "manifest",
		}
	}

	/// Returns the words for one object of an input of the format, and for several.
	pub fn nouns(self) -> [&'static str; 2] {
		match self {
			Self::Directory => ["file", "files"],
			Self::Manifest => ["package", "packages"],
		}
	}
}

impl Content {
	pub fn new(format: Format) -> Self {
		Self {
			format,
			sources: Sources::new(),
			failed: Vec::new(),
			symlinks_skipped: Vec::new(),
			hidden_skipped: Vec::new(),
		}
	}

	/// Returns a warning about files of a directory that a file system takes for one if it ignores
	/// case: `fabric get` writes neither of them there.
	pub fn twins(&self) -> Option<String> {
		let (mut first, mut twins) = (HashMap::new(), Vec::new());
		for object in self.sources.values().flatten() {
			match first.entry(object.name.to_uppercase().to_lowercase()) {
				Entry::Vacant(entry) => {
					entry.insert(&object.name);
				},
				Entry::Occupied(entry) => twins.push((*entry.get(), &object.name)),
			}
		}
		let (one, other) = twins.first()?;
		let pairs = count(twins.len(), "file differs", "files differ");
		let (one, other) = (printable(one), printable(other));
		Some(format!(
			"{pairs} from another one only by case, such as {other} from {one}: where a file system \
			 ignores case, `fabric get` writes neither"
		))
	}
}

#[cfg(test)]
impl Content {
	/// Returns the names of the objects, over all sources.
	pub(super) fn names(&self) -> Vec<&str> {
		self.sources.values().flatten().map(|object| object.name.as_str()).collect()
	}

	/// Returns name and reason of each file that failed.
	pub(super) fn failures(&self) -> Vec<(&str, &str)> {
		self.failed.iter().map(|item| (item.name.as_str(), item.reason.as_str())).collect()
	}
}

impl Unpublishable {
	pub fn new(name: &str, reason: impl ToString) -> Self {
		Self { name: escaped(name), reason: escaped(&reason.to_string()) }
	}
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
	fn unpublishable_items_do_not_control_a_terminal() {
		let item = Unpublishable::new("a\x1b[2J\n\u{9b}", "ends with\0");
		assert_eq!(item.name, "a\\u{1b}[2J\\n\\u{9b}");
		assert_eq!(item.reason, "ends with\\u{0}");
		assert_eq!(Unpublishable::new("ä-b", "é").name, "ä-b");
	}
}

//! The packages that a file names, whatever the file's format.

use std::{collections::BTreeMap, io, path::Path};

use clap::ValueEnum;
use serde::Serialize;

use crate::{lockfile, packages, Error};

/// The formats of files that name content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
	/// A Cargo.lock.
	CargoLock,
	/// A Packages index of a Debian archive.
	DebianPackages,
}

/// The content that a file names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
	/// The format of the file.
	pub format: Format,
	/// The registries that the packages come from, by source.
	pub registries: BTreeMap<String, Registry>,
	/// The packages that cannot be published, in the order of the file.
	pub skipped: Vec<Skipped>,
}

/// The packages of a registry, by name. Each has at least one release.
pub type Registry = BTreeMap<String, Vec<Release>>;

/// A version of a package. Those of a package ascend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
	/// The version as the file writes it.
	pub version: String,
	/// The SHA-256 checksum of the data.
	pub checksum: [u8; 32],
	/// The size of the data in bytes, if the file gives it.
	pub size: Option<u64>,
}

/// A package that cannot be published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skipped {
	/// The package's name.
	pub name: String,
	/// Its version.
	pub version: String,
	/// The reason.
	pub reason: String,
}

impl Format {
	/// Returns the name of the format.
	pub fn name(self) -> &'static str {
		match self {
			Self::CargoLock => "Cargo.lock",
			Self::DebianPackages => "Packages index",
		}
	}

	/// Returns the word for a file of the format.
	pub fn noun(self) -> &'static str {
		match self {
			Self::CargoLock => "lock file",
			Self::DebianPackages => "index",
		}
	}

	/// Guesses the format of a file by its name and its first lines.
	fn guess(path: &Path, text: &str) -> Self {
		let is_lock = path.extension().is_some_and(|extension| extension == "lock");
		match !is_lock && packages::begins(text) {
			true => Self::DebianPackages,
			false => Self::CargoLock,
		}
	}
}

impl Content {
	/// Returns content without packages.
	pub fn new(format: Format) -> Self {
		Self { format, registries: BTreeMap::new(), skipped: Vec::new() }
	}

	/// Returns the number of packages, over all registries.
	pub fn packages(&self) -> usize {
		self.registries.values().map(BTreeMap::len).sum()
	}

	/// Returns the number of versions, over all packages.
	pub fn versions(&self) -> usize {
		self.registries.values().flat_map(BTreeMap::values).map(Vec::len).sum()
	}

	/// Adds a package that cannot be published.
	pub fn skip(&mut self, name: &str, version: &str, reason: &str) {
		self.skipped.push(Skipped {
			name: name.into(),
			version: version.into(),
			reason: reason.into(),
		});
	}
}

/// Reads the file at `path`. `source` names the source of an index; without one it is the name of
/// the file.
pub fn read(path: &Path, format: Option<Format>, source: Option<&str>) -> Result<Content, Error> {
	let text = std::fs::read_to_string(path).map_err(|error| {
		let reason = match error.kind() {
			io::ErrorKind::InvalidData => "it is not text; if it is compressed, unpack it".into(),
			_ => error.to_string(),
		};
		Error::File { path: path.into(), reason }
	})?;
	let format = format.unwrap_or_else(|| Format::guess(path, &text));
	let content = match (format, source) {
		(Format::CargoLock, Some(_)) => {
			let what = Format::DebianPackages.name();
			return Err(Error::Source { path: path.into(), what });
		},
		(Format::CargoLock, None) => lockfile::parse(&text),
		(Format::DebianPackages, Some(source)) => packages::parse(&text, source),
		(Format::DebianPackages, None) => {
			let name = path.file_name().unwrap_or(path.as_os_str());
			packages::parse(&text, &name.to_string_lossy())
		},
	};
	content.map_err(|reason| Error::Content { path: path.into(), what: format.name(), reason })
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn the_format_is_guessed_from_the_name_or_the_first_stanza() {
		let index = "\nVersion: 1\nPACKAGE: a\n\nPackage: b\n";
		for (name, text, format) in [
			("Cargo.lock", "version = 4\n", Format::CargoLock),
			("Other.lock", index, Format::CargoLock),
			("Packages", index, Format::DebianPackages),
			("Packages", "Version: 1\n\nPackage: b\n", Format::CargoLock),
			("Cargo.toml", "[package]\nname = \"package:\"\n", Format::CargoLock),
			("text", "This is a text.\n", Format::CargoLock),
			("empty", "", Format::CargoLock),
		] {
			assert_eq!(Format::guess(Path::new(name), text), format, "{name}: {text:?}");
		}
	}

	#[test]
	fn the_source_of_an_index_has_the_given_name_or_that_of_the_file() {
		let dir = tempfile::tempdir().expect("there is room for a folder");
		let path = dir.path().join("Packages");
		let stanza = format!("Package: a\nVersion: 1\nSize: 2\nSHA256: {}\n", "03".repeat(32));
		std::fs::write(&path, stanza).expect("there is room for a file");
		for (source, name) in [(None, "Packages"), (Some("bookworm"), "bookworm")] {
			let content = read(&path, None, source).expect("it is an index");
			assert_eq!(content.registries.keys().collect::<Vec<_>>(), [name]);
			assert_eq!((content.packages(), content.versions()), (1, 1));
		}
		let error = read(&path, Some(Format::CargoLock), None).expect_err("it is no lock file");
		assert!(error.to_string().contains("is not a whole Cargo.lock: "), "{error}");
		let error = read(&path, Some(Format::CargoLock), Some("a")).expect_err("it has a source");
		assert!(matches!(error, Error::Source { .. }));
	}
}

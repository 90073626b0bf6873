// SPDX-License-Identifier: Apache-2.0
//! The source of content, and its name.

use std::{
	ffi::OsString,
	fmt,
	fs::File,
	io::{self, Read},
	path::{Path, PathBuf},
};

use super::{compressed::Compression, content::escaped, Problem};

/// The place that content is read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
	Path(PathBuf),
	/// Standard input, written `-`. A file of that name is `./-`.
	Stdin,
}

impl From<OsString> for Input {
	fn from(text: OsString) -> Self {
		match text == "-" {
			true => Self::Stdin,
			false => Self::Path(text.into()),
		}
	}
}

impl fmt::Display for Input {
	/// Writes the path in one line, whatever characters it has.
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::Path(path) => f.write_str(&escaped(&path.to_string_lossy())),
			Self::Stdin => f.write_str("standard input"),
		}
	}
}

impl Input {
	/// Returns the path, if the input is a directory.
	pub(super) fn directory(&self) -> Option<&Path> {
		match self {
			Self::Path(path) => path.is_dir().then_some(path),
			Self::Stdin => None,
		}
	}

	pub(crate) fn open(&self) -> io::Result<Box<dyn Read>> {
		Ok(match self {
			Self::Path(path) => Box::new(File::open(path)?),
			Self::Stdin => Box::new(io::stdin().lock()),
		})
	}

	/// Returns true if the file is named like a lock file, compressed or not.
	pub(super) fn is_lock_file(&self) -> bool {
		self.stem().is_some_and(|stem| stem.ends_with(".lock"))
	}

	/// Returns the name of the source of an index: `given`, or the name of the file without the
	/// suffix of a compression. Pipes and names that are not text need `given`.
	pub(super) fn source_name(&self, given: Option<&str>) -> Result<String, Problem> {
		let name = given.or_else(|| self.is_file().then(|| self.stem()).flatten());
		name.map(str::to_owned).ok_or(Problem::SourceMissing)
	}

	fn is_file(&self) -> bool {
		matches!(self, Self::Path(path) if path.is_file())
	}

	/// Returns the name of the file without the suffix of a compression.
	fn stem(&self) -> Option<&str> {
		let Self::Path(path) = self else { return None };
		let name = path.file_name()?.to_str()?;
		let mut stems = Compression::SUFFIXES.iter().filter_map(|suffix| name.strip_suffix(suffix));
		Some(stems.find(|stem| !stem.is_empty()).unwrap_or(name))
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	fn input(text: &str) -> Input {
		OsString::from(text).into()
	}

	#[test]
	fn a_hyphen_is_standard_input_and_a_path_to_it_is_a_file() {
		assert_eq!(input("-"), Input::Stdin);
		assert_eq!(input("./-"), Input::Path("./-".into()));
		assert_eq!(input("--"), Input::Path("--".into()));
		assert_eq!(Input::Stdin.to_string(), "standard input");
		assert_eq!(input("a\nb/ü").to_string(), "a\\nb/ü");
	}

	#[test]
	fn the_source_has_the_name_of_the_file_without_its_compression() {
		let dir = tempfile::tempdir().expect("there is room for a directory");
		for (file, name) in [
			("Packages", "Packages"),
			("Packages.xz", "Packages"),
			("Packages.gz", "Packages"),
			("deb.example.org_Packages.lz4", "deb.example.org_Packages"),
			("Packages.bz2", "Packages.bz2"),
			(".xz", ".xz"),
		] {
			let path = dir.path().join(file);
			std::fs::write(&path, "").expect("there is room for a file");
			let input = Input::Path(path);
			assert_eq!(input.source_name(None).expect("the file has a name"), name);
			assert_eq!(input.source_name(Some("s")).expect("a name is given"), "s");
		}
	}

	#[test]
	fn standard_input_and_pipes_need_a_name() {
		for input in [Input::Stdin, input("/dev/null")] {
			let error = input.source_name(None).expect_err("it has no name");
			let expected = "does not name the source of its packages: pass --source";
			assert!(error.to_string().contains(expected), "{error}");
			assert_eq!(input.source_name(Some("s")).expect("a name is given"), "s");
		}
	}
}

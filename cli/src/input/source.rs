// SPDX-License-Identifier: Apache-2.0
//! The source of content, and its name.

use std::{
	ffi::OsString,
	fmt,
	fs::File,
	io::{self, Read},
	path::{Path, PathBuf},
};

use super::content::escaped;

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

	/// Returns the name of the source of a manifest: its file name, without `.jsonl` or `.json`.
	/// Standard input and pipes have none.
	pub(super) fn source_name(&self) -> Option<&str> {
		let Self::Path(path) = self else { return None };
		let name = path.is_file().then(|| path.file_name()?.to_str()).flatten()?;
		let stem = [".jsonl", ".json"].iter().find_map(|suffix| name.strip_suffix(suffix));
		Some(stem.filter(|stem| !stem.is_empty()).unwrap_or(name))
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
	fn standard_input_and_pipes_name_no_source() {
		for input in [Input::Stdin, input("/dev/null"), input("/no/such/file")] {
			assert_eq!(input.source_name(), None, "{input}");
		}
	}
}

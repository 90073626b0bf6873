// SPDX-License-Identifier: Apache-2.0
//! Errors of inputs.

use std::{fmt, io};

use content_fabric_client::manifest::{BadLines, ManifestError};

use super::source::Input;

/// An input that yields no content. Its text is one line, or one for each bad line of a manifest.
#[derive(Debug, thiserror::Error)]
pub struct InputError {
	pub input: Input,
	#[source]
	pub problem: Problem,
}

impl fmt::Display for InputError {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		let Self { input, problem } = self;
		match problem {
			Problem::Manifest(ManifestError::Lines(bad)) => {
				f.write_str(&bad.describe(input))?;
				match is_package_index(bad) {
					true => write!(f, "\n{input} {PACKAGE_INDEX}"),
					false => Ok(()),
				}
			},
			problem => write!(f, "{input} {problem}"),
		}
	}
}

/// The end of a sentence that begins with the input.
const PACKAGE_INDEX: &str = "is not a manifest, which has a JSON object on each line: the scripts \
	in examples/manifests make one of a Cargo.lock and of a Debian index";

/// Returns whether the lines come from a `Cargo.lock` or a Debian index.
fn is_package_index(bad: &BadLines) -> bool {
	let beginnings = ["`[[package]]", "`Package: "];
	bad.first.iter().any(|(_, reason)| beginnings.iter().any(|line| reason.contains(line)))
}

/// The reason why an input yields no content: the end of a sentence that begins with the input.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
	#[error("cannot be read: {0}")]
	Read(#[from] io::Error),
	#[error(transparent)]
	Manifest(#[from] ManifestError),
	/// A source was given for a manifest whose items all name theirs.
	#[error("has no item without a `source` of its own: leave out --source")]
	SourceGiven,
	#[error("has no name that its source could have: pass --source NAME")]
	SourceMissing,
	/// The input is a pipe, a socket or a device.
	#[error("is neither a file nor a directory")]
	NotFiles,
	/// A directory has nothing to publish, except perhaps what was skipped.
	#[error(
		"has no files to publish (skipped symbolic links: {symlinks}, hidden files and folders, which \
		 --hidden publishes: {hidden})"
	)]
	NoFiles { symlinks: usize, hidden: usize },
}

// SPDX-License-Identifier: Apache-2.0
//! Reads what `publish` publishes: from a directory, or from a manifest.

mod content;
mod directory;
mod error;
mod hash;
mod parallel;
mod source;

use std::{
	io::BufReader,
	path::{Path, PathBuf},
};

use content_fabric_client::manifest;
use content_fabric_identifiers::SpaceId;

pub use content::{Content, Format, Unpublishable};
pub use error::InputError;
pub use hash::{hash_file, hash_with, HashError};
pub use parallel::in_parallel;
pub use source::Input;

use error::Problem;

/// Reads the content that a directory or a manifest lists.
///
/// `source` names the source of a directory, or of the items of a manifest that name none. Without
/// it, that is the name of the directory or the file. The objects of a manifest are told apart by
/// the ids that they have in the `space`. Of a directory, files and folders whose names begin with
/// a dot are skipped unless they are `hidden_too`.
pub fn read(
	input: &Input,
	source: Option<&str>,
	hidden_too: bool,
	space: SpaceId,
) -> Result<Content, InputError> {
	let content = match input.directory() {
		Some(root) => directory::read(root, source, hidden_too),
		None => read_manifest(input, source, space),
	};
	content.map_err(|problem| InputError { input: input.clone(), problem })
}

/// Reads a directory, or one file as a directory would list it. Returns the folder from which the
/// paths of the packages lead to the files, too.
pub fn read_files(
	path: &Path,
	source: Option<&str>,
	hidden_too: bool,
) -> Result<(PathBuf, Content), InputError> {
	let read = match path.is_dir() {
		true => directory::read(path, source, hidden_too).map(|content| (path.into(), content)),
		false => directory::read_file(path, source, hidden_too),
	};
	read.map_err(|problem| InputError { input: Input::Path(path.into()), problem })
}

fn read_manifest(input: &Input, given: Option<&str>, space: SpaceId) -> Result<Content, Problem> {
	let source = given.or_else(|| input.source_name());
	let sources = manifest::read(BufReader::new(input.open()?), space, source)?;
	// It would have no effect.
	if given.is_some_and(|given| !sources.contains_key(given)) {
		return Err(Problem::SourceGiven);
	}
	Ok(Content { sources, ..Content::new(Format::Manifest) })
}

#[cfg(test)]
mod tests;

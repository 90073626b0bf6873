// SPDX-License-Identifier: Apache-2.0
//! Reads what `publish` publishes: from a Cargo.lock, from a Packages index of a Debian archive, or
//! from a directory. Files may be compressed.

mod compressed;
mod content;
mod directory;
mod error;
mod hash;
mod lockfile;
mod packages;
mod source;
mod stanza;

use std::{
	io::{self, BufRead},
	path::{Path, PathBuf},
};

pub use content::{
	built_name, compare_versions, package_name, release_name, Content, Format, Registry, Release,
	Unpublishable,
};
pub use directory::file_version;
pub use error::{FormatError, InputError};
pub use hash::hash_file;
pub use source::Input;

/// Number of bytes that the format is guessed from: the first stanza of an index is far shorter.
const GUESS_LEN: u64 = 64 * 1024;

/// U+FEFF in UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Reads the content that an input lists.
///
/// Without a `format`, a directory is known by its path, and the other formats are guessed from the
/// name of the file and its first lines. `source` names the source of an index or a directory;
/// without one it has the name of the file or the directory. Of a directory, files and folders whose
/// names begin with a dot are skipped unless they are `hidden_too`.
pub fn read(
	input: &Input,
	format: Option<Format>,
	source: Option<&str>,
	hidden_too: bool,
) -> Result<Content, InputError> {
	match (input.directory(), format) {
		(Some(root), None | Some(Format::Directory)) => {
			directory::read(input, root, source, hidden_too)
		},
		(Some(_), Some(format)) => Err(InputError::IsDirectory { input: input.clone(), format }),
		(None, Some(Format::Directory)) => Err(InputError::NotDirectory { input: input.clone() }),
		(None, _) => read_file(input, format, source),
	}
}

/// Reads a directory, or one file as a directory would list it. Returns the folder from which the
/// paths of the packages lead to the files, too.
pub fn read_files(
	path: &Path,
	source: Option<&str>,
	hidden_too: bool,
) -> Result<(PathBuf, Content), InputError> {
	let input = Input::Path(path.into());
	match path.is_dir() {
		true => Ok((path.into(), directory::read(&input, path, source, hidden_too)?)),
		false => directory::read_file(&input, path, source),
	}
}

/// Reads a file or standard input.
fn read_file(
	input: &Input,
	format: Option<Format>,
	source: Option<&str>,
) -> Result<Content, InputError> {
	let opened = input.open().and_then(compressed::unpack);
	let opened = opened.and_then(|(compression, reader)| Ok((compression, unmarked(reader)?)));
	let (compression, reader) = opened.map_err(|error| InputError::reading(input, None, error))?;
	let is_guessed = format.is_none();
	let (format, reader) = with_format(input, format, reader)
		.map_err(|error| InputError::reading(input, compression, error))?;
	let content = match (format, source) {
		(Format::CargoLock, None) => lockfile::parse(reader),
		(Format::CargoLock, Some(_)) => {
			return Err(InputError::SourceGiven { input: input.clone() })
		},
		(Format::DebianPackages, source) => packages::parse(reader, &input.source_name(source)?),
		(Format::Directory, _) => return Err(InputError::NotDirectory { input: input.clone() }),
	};
	let content = content.map_err(|error| InputError::parsing(input, compression, format, error));
	match is_guessed {
		true => content.map_err(InputError::with_guess),
		false => content,
	}
}

/// Skips the UTF-8 byte order mark, if there is one.
fn unmarked<'a>(reader: Box<dyn BufRead + 'a>) -> io::Result<Box<dyn BufRead + 'a>> {
	let (head, mut reader) = compressed::peek(reader, MARK.len() as u64)?;
	if head == MARK {
		reader.consume(MARK.len());
	}
	Ok(Box::new(reader))
}

/// Returns the given format, or the one that the name and the first lines of the text suggest.
fn with_format<'a>(
	input: &Input,
	format: Option<Format>,
	reader: Box<dyn BufRead + 'a>,
) -> io::Result<(Format, Box<dyn BufRead + 'a>)> {
	if let Some(format) = format {
		return Ok((format, reader));
	}
	let (head, reader) = compressed::peek(reader, GUESS_LEN)?;
	let format = match !input.is_lock_file() && stanza::begins(&head) {
		true => Format::DebianPackages,
		false => Format::CargoLock,
	};
	Ok((format, Box::new(reader)))
}

#[cfg(test)]
mod tests;

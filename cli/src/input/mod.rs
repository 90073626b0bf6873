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
pub use error::InputError;
pub use hash::hash_file;
pub use source::Input;

use error::{FormatError, Problem};

/// Number of bytes that the format is guessed from: the first stanza of an index is far shorter.
const GUESS_LEN: u64 = 64 * 1024;

/// U+FEFF in UTF-8.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Reads the content that an input lists.
///
/// Without a `format`, a directory is known by its path, and the other formats are guessed from the
/// name of the file and its first lines. `source` names the source of an index or a directory;
/// without one it has the name of the file or the directory. Of a directory, files and folders
/// whose names begin with a dot are skipped unless they are `hidden_too`.
pub fn read(
	input: &Input,
	format: Option<Format>,
	source: Option<&str>,
	hidden_too: bool,
) -> Result<Content, InputError> {
	let content = match (input.directory(), format) {
		(Some(root), None | Some(Format::Directory)) => directory::read(root, source, hidden_too),
		(Some(_), Some(format)) => Err(Problem::IsDirectory(format)),
		(None, Some(Format::Directory)) => Err(Problem::NotDirectory),
		(None, _) => read_file(input, format, source),
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
		false => directory::read_file(path, source),
	};
	read.map_err(|problem| InputError { input: Input::Path(path.into()), problem })
}

/// Reads a file or standard input.
fn read_file(
	input: &Input,
	format: Option<Format>,
	source: Option<&str>,
) -> Result<Content, Problem> {
	let (compression, reader) = compressed::unpack(input.open()?)?;
	let reader = unmarked(reader)?;
	let is_guess = format.is_none();
	let (format, reader) =
		with_format(input, format, reader).map_err(|error| Problem::reading(compression, error))?;
	let content = match (format, source) {
		(Format::CargoLock, None) => lockfile::parse(reader),
		(Format::CargoLock, Some(_)) => return Err(Problem::SourceGiven),
		(Format::DebianPackages, source) => packages::parse(reader, &input.source_name(source)?),
		(Format::Directory, _) => return Err(Problem::NotDirectory),
	};
	content.map_err(|error| match error {
		FormatError::Read(error) => Problem::reading(compression, error),
		source => Problem::Format { format, source, is_guess },
	})
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

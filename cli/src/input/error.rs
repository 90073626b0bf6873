// SPDX-License-Identifier: Apache-2.0
//! Errors of inputs. The text of each is one line.

use std::io;

use super::{compressed::Compression, content::Format, source::Input};

/// An input that yields no content.
#[derive(Debug, thiserror::Error)]
#[error("{input} {problem}")]
pub struct InputError {
	pub input: Input,
	pub problem: Problem,
}

/// The reason why an input yields no content: the end of a sentence that begins with the input.
#[derive(Debug, thiserror::Error)]
pub enum Problem {
	#[error("cannot be read: {0}")]
	Read(#[from] io::Error),
	/// The decoder of a compression refused the data.
	#[error("has damaged or cut-off {compression} data, fetch it again: {source}")]
	Damaged { compression: Compression, source: io::Error },
	/// The compressed data asks for more memory than a decoder gets.
	#[error(
		"needs more than {} MiB of memory to unpack: compress it at a lower level",
		Compression::MEMORY_KIB / 1024
	)]
	Memory,
	/// The input does not have the given or guessed format.
	#[error(
		"is not a whole {}: {source}{}",
		format.name(),
		if *is_guess { "; the format was guessed: pass --format if it is another one" } else { "" }
	)]
	Format { format: Format, source: FormatError, is_guess: bool },
	/// A source was given for an input that names its sources itself.
	#[error(
		"names its own sources: leave out --source, which is for a {} or a {}",
		Format::DebianPackages.name(),
		Format::Directory.name()
	)]
	SourceGiven,
	#[error("does not name the source of its packages: pass --source NAME")]
	SourceMissing,
	#[error("is a directory, not a {}: leave out --format", .0.name())]
	IsDirectory(Format),
	#[error("is not a directory: leave out --format, or give the path of a directory")]
	NotDirectory,
	/// A directory has nothing to publish, except perhaps what was skipped.
	#[error(
		"has no files to publish (skipped symbolic links: {symlinks}, hidden files and folders: \
		 {hidden})"
	)]
	NoFiles { symlinks: usize, hidden: usize },
}

/// The reason why a text is not a whole file of its format.
#[derive(Debug, thiserror::Error)]
pub enum FormatError {
	#[error("it lists no packages")]
	Empty,
	#[error("its last line has no newline, so the file was truncated")]
	CutOff,
	/// A line is not text. Compressed data is not from its first line on.
	#[error(
		"line {line} is not UTF-8 text{}",
		if *line == 1 { "; supported compressions are gzip, xz and LZ4" } else { "" }
	)]
	NotText { line: usize },
	/// A part of the file has more bytes than any real one.
	#[error("{what} from line {line} on has more than {limit} bytes when unpacked")]
	TooLarge { what: &'static str, line: usize, limit: u64 },
	#[error("it has more than {limit} stanzas")]
	TooMany { limit: usize },
	/// A stanza of an index is not valid, for a reason in one line.
	#[error("the stanza from line {line} on: {reason}")]
	Stanza { line: usize, reason: String },
	/// A lock file is not valid, for a reason in one line.
	#[error("{0}")]
	LockFile(String),
	#[error(transparent)]
	Read(#[from] io::Error),
}

impl Problem {
	/// Returns the error of a read, which is the decoder's unless the system reports it.
	pub(super) fn reading(compression: Option<Compression>, source: io::Error) -> Self {
		match compression {
			Some(_) if source.kind() == io::ErrorKind::OutOfMemory => Self::Memory,
			Some(compression) if source.raw_os_error().is_none() => {
				Self::Damaged { compression, source }
			},
			_ => Self::Read(source),
		}
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn errors_of_reads_name_their_cause_and_the_input() {
		let reading = |compression, error| {
			let input = Input::Path("dir/Pack\nages".into());
			InputError { input, problem: Problem::reading(compression, error) }.to_string()
		};
		let denied = || io::Error::from_raw_os_error(13);
		let unreadable = "dir/Pack\\nages cannot be read: Permission denied (os error 13)";
		assert_eq!(reading(None, denied()), unreadable);
		assert_eq!(reading(Some(Compression::Xz), denied()), unreadable);
		assert_eq!(
			reading(Some(Compression::Gzip), io::ErrorKind::UnexpectedEof.into()),
			"dir/Pack\\nages has damaged or cut-off gzip data, fetch it again: unexpected end of file"
		);
		assert_eq!(
			reading(Some(Compression::Xz), io::ErrorKind::OutOfMemory.into()),
			"dir/Pack\\nages needs more than 128 MiB of memory to unpack: compress it at a lower level"
		);
	}
}

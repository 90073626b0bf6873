// SPDX-License-Identifier: Apache-2.0
//! Errors of inputs. The text of each is one line.

use std::io;

use super::{compressed::Compression, content::Format, source::Input};

/// The reason why an input yields no content.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
	#[error("{input} cannot be read: {source}")]
	Read { input: Input, source: io::Error },
	/// The decoder of a compression refused the data.
	#[error("{input} has damaged or cut-off {compression} data, fetch it again: {source}")]
	Damaged { input: Input, compression: Compression, source: io::Error },
	/// The compressed data asks for more memory than a decoder gets.
	#[error(
		"{input} needs more than {} MiB of memory to unpack: compress it at a lower level",
		Compression::MEMORY_KIB / 1024
	)]
	Memory { input: Input },
	#[error("{input} is not a whole {}: {source}", format.name())]
	Format { input: Input, format: Format, source: FormatError },
	/// The input does not have the format that was guessed.
	#[error("{0}; the format was guessed: pass --format if it is another one")]
	Guessed(#[source] Box<Self>),
	/// A source was given for an input that names its sources itself.
	#[error(
		"{input} names its own sources: leave out --source, which is for a {} or a {}",
		Format::DebianPackages.name(),
		Format::Directory.name()
	)]
	SourceGiven { input: Input },
	#[error("{input} does not name the source of its packages: pass --source NAME")]
	SourceMissing { input: Input },
	#[error("{input} is a directory, not a {}: leave out --format", format.name())]
	IsDirectory { input: Input, format: Format },
	#[error("{input} is not a directory: leave out --format, or give the path of a directory")]
	NotDirectory { input: Input },
	/// A directory has nothing to publish, except perhaps what was skipped.
	#[error(
		"{input} has no files to publish (skipped symbolic links: {symlinks}, hidden files and \
		 folders: {hidden})"
	)]
	NoFiles { input: Input, symlinks: usize, hidden: usize },
}

/// The reason why a text is not a whole file of its format.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
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
	#[error("{reason}")]
	LockFile { reason: String },
	#[error(transparent)]
	Read(#[from] io::Error),
}

impl InputError {
	/// Returns the error of a read, which is the decoder's unless the system reports it.
	pub(super) fn reading(
		input: &Input,
		compression: Option<Compression>,
		source: io::Error,
	) -> Self {
		let input = input.clone();
		match compression {
			Some(_) if source.kind() == io::ErrorKind::OutOfMemory => Self::Memory { input },
			Some(compression) if source.raw_os_error().is_none() => {
				Self::Damaged { input, compression, source }
			},
			_ => Self::Read { input, source },
		}
	}

	/// Returns the error for an input whose format was guessed.
	pub(super) fn with_guess(self) -> Self {
		match self {
			Self::Format { .. } => Self::Guessed(Box::new(self)),
			error => error,
		}
	}

	pub(super) fn parsing(
		input: &Input,
		compression: Option<Compression>,
		format: Format,
		error: FormatError,
	) -> Self {
		match error {
			FormatError::Read(source) => Self::reading(input, compression, source),
			source => Self::Format { input: input.clone(), format, source },
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
			InputError::reading(&input, compression, error).to_string()
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

// SPDX-License-Identifier: Apache-2.0
//! Manual pages and completions of a program, made from its command line.

#![deny(missing_docs)]

use std::{
	fs,
	io::{self, Write},
	path::{Path, PathBuf},
};

use clap::{Command, Subcommand};
use clap_complete::Shell;
use clap_mangen::Man;

/// The commands that print the documents of a program.
#[derive(Clone, Debug, Subcommand)]
pub enum Documents {
	/// Print the completions of a shell
	Completions {
		/// The shell
		shell: Shell,
	},
	/// Print the manual, or write one page per command
	Man {
		/// The directory to write one page per command to. Without it, the main page is printed
		directory: Option<PathBuf>,
	},
}

impl Documents {
	/// Runs the command, for a program with this command line.
	pub fn run(self, command: Command) -> io::Result<()> {
		let bytes = match self {
			Self::Completions { shell } => completions(shell, command),
			Self::Man { directory: None } => main_page(command)?,
			Self::Man { directory: Some(directory) } => {
				return match write_pages(command, &directory) {
					Ok(_) => Ok(()),
					Err(error) => Err(unwritable(&directory, &error)),
				}
			},
		};
		match io::stdout().write_all(&bytes) {
			// The reader of the output has closed it.
			Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
			written => written,
		}
	}
}

fn unwritable(directory: &Path, error: &io::Error) -> io::Error {
	let reason = format!("the pages cannot be written to {}: {error}", directory.display());
	io::Error::new(error.kind(), reason)
}

/// Returns the completions of a program for a shell.
pub fn completions(shell: Shell, mut command: Command) -> Vec<u8> {
	let mut script = Vec::new();
	let name = command.get_name().to_owned();
	clap_complete::generate(shell, &mut command, name, &mut script);
	script
}

/// Returns the main page of the manual of a program.
pub fn main_page(command: Command) -> io::Result<Vec<u8>> {
	let mut page = Vec::new();
	Man::new(command).render(&mut page)?;
	Ok(page)
}

/// Writes one page per command to a directory, which is made if it does not exist. Returns the
/// number of pages.
pub fn write_pages(command: Command, directory: &Path) -> io::Result<usize> {
	fs::create_dir_all(directory)?;
	let pages = count_pages(&command);
	clap_mangen::generate_to(command, directory)?;
	Ok(pages)
}

fn count_pages(command: &Command) -> usize {
	let below = command.get_subcommands().filter(|command| !command.is_hide_set());
	1 + below.map(count_pages).sum::<usize>()
}

#[cfg(test)]
mod tests {
	use clap::{CommandFactory, Parser, ValueEnum};

	use super::*;

	/// A program
	#[derive(Debug, Parser)]
	#[command(name = "program")]
	struct Cli {
		#[command(subcommand)]
		_command: Documents,
	}

	fn command() -> Command {
		Cli::command()
	}

	#[test]
	fn every_shell_gets_the_names_of_the_commands() {
		for shell in Shell::value_variants() {
			let script = String::from_utf8(completions(*shell, command()));
			let script = script.expect("a script is text");
			assert!(script.contains("completions") && script.contains("program"), "{shell}");
		}
	}

	#[test]
	fn every_command_gets_a_page_with_its_options() {
		let directory = tempfile::tempdir().expect("there is room for a directory");
		let below = directory.path().join("man1");
		let pages = write_pages(command(), &below).expect("the pages are written");
		assert_eq!(fs::read_dir(&below).expect("the directory can be read").count(), pages);
		let page = fs::read_to_string(below.join("program-man.1")).expect("the page exists");
		assert!(page.contains("program\\-man") && page.contains("one page per command"), "{page}");
		let page = String::from_utf8(main_page(command()).expect("the page is rendered"));
		assert!(page.expect("a page is text").contains(".TH program 1"));
	}

	#[test]
	fn a_directory_that_cannot_be_written_is_named() {
		let file = tempfile::NamedTempFile::new().expect("there is room for a file");
		let run = Documents::Man { directory: Some(file.path().into()) }.run(command());
		let error = run.expect_err("a file is not a directory").to_string();
		assert!(error.contains(&file.path().display().to_string()), "{error}");
	}
}

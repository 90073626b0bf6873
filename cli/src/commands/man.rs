// SPDX-License-Identifier: Apache-2.0
//! `fabric man`: the manual pages.

use std::{
	fs,
	io::{self, Write},
	path::{Path, PathBuf},
};

use clap::Args;
use clap_mangen::Man;
use content_fabric_client::text::count;
use serde::Serialize;

use crate::{
	output::{self, OutputError, Report},
	Error,
};

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  fabric man ~/.local/share/man/man1
  fabric man | man -l -")]
pub struct Options {
	/// The directory to write one page per command to. Without it, the main page is printed
	directory: Option<PathBuf>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Written {
	pub directory: PathBuf,
	pub pages: usize,
}

impl Report for Written {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let pages = count(self.pages, "page", "pages");
		writeln!(out, "wrote {pages} to {}", self.directory.display())
	}
}

/// Writes the pages of a command line, or prints the main one.
pub fn run(options: Options, command: clap::Command, json: bool) -> Result<(), Error> {
	let Some(directory) = options.directory else {
		return Ok(output::print_bytes(&main_page(command).map_err(OutputError)?)?);
	};
	let unwritable = |error| {
		Error::Usage(format!("the pages cannot be written to {}: {error}", directory.display()))
	};
	let pages = write(command, &directory).map_err(unwritable)?;
	Ok(output::print(&Written { directory, pages }, json)?)
}

fn main_page(command: clap::Command) -> io::Result<Vec<u8>> {
	let mut page = Vec::new();
	Man::new(command).render(&mut page)?;
	Ok(page)
}

/// Writes one page per command. Returns the number of pages.
fn write(command: clap::Command, directory: &Path) -> io::Result<usize> {
	fs::create_dir_all(directory)?;
	let pages = count_pages(&command);
	clap_mangen::generate_to(command, directory)?;
	Ok(pages)
}

fn count_pages(command: &clap::Command) -> usize {
	let below = command.get_subcommands().filter(|command| !command.is_hide_set());
	1 + below.map(count_pages).sum::<usize>()
}

#[cfg(test)]
mod tests {
	use clap::CommandFactory;

	use super::*;
	use crate::cli::Cli;

	#[test]
	fn every_command_gets_a_page_with_its_options() {
		let directory = tempfile::tempdir().expect("there is room for a directory");
		let pages = write(Cli::command(), directory.path()).expect("the pages are written");
		let files = fs::read_dir(directory.path()).expect("the directory can be read").count();
		assert_eq!(files, pages);
		let read = |name| fs::read_to_string(directory.path().join(name)).expect("the page exists");
		assert!(read("fabric-space-admit.1").contains("fabric space admit ispc"));
		assert!(read("fabric.1").contains("fabric\\-space(1)"));
		let page = String::from_utf8(main_page(Cli::command()).expect("the page is rendered"));
		assert!(page.expect("a page is text").contains(".TH fabric 1"));
	}
}

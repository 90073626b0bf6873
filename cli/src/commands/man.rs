// SPDX-License-Identifier: Apache-2.0
//! `fabric man`: the manual pages.

use std::{
	io::{self, Write},
	path::PathBuf,
};

use clap::Args;
use content_fabric_client::text::count;
use content_fabric_command_line::{main_page, write_pages};
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
	let pages = write_pages(command, &directory).map_err(unwritable)?;
	Ok(output::print(&Written { directory, pages }, json)?)
}

#[cfg(test)]
mod tests {
	use std::fs;

	use clap::CommandFactory;

	use super::*;
	use crate::cli::Cli;

	#[test]
	fn every_command_gets_a_page_with_its_options() {
		let directory = tempfile::tempdir().expect("there is room for a directory");
		let pages = write_pages(Cli::command(), directory.path()).expect("the pages are written");
		let files = fs::read_dir(directory.path()).expect("the directory can be read").count();
		assert_eq!(files, pages);
		let read = |name| fs::read_to_string(directory.path().join(name)).expect("the page exists");
		assert!(read("fabric-space-admit.1").contains("fabric space admit ispc"));
		assert!(read("fabric.1").contains("fabric\\-space(1)"));
		let page = String::from_utf8(main_page(Cli::command()).expect("the page is rendered"));
		assert!(page.expect("a page is text").contains(".TH fabric 1"));
	}
}

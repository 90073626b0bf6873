// SPDX-License-Identifier: Apache-2.0
//! `fabric completions`: the completions of a shell.

use clap::Args;
use clap_complete::Shell;
use content_fabric_command_line::completions;

use crate::{output, Error};

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  fabric completions bash > ~/.local/share/bash-completion/completions/fabric
  fabric completions zsh > ~/.zfunc/_fabric")]
pub struct Options {
	/// The shell
	shell: Shell,
}

pub fn run(options: &Options, command: clap::Command) -> Result<(), Error> {
	Ok(output::print_bytes(&completions(options.shell, command))?)
}

#[cfg(test)]
mod tests {
	use clap::{CommandFactory, ValueEnum};

	use super::*;
	use crate::cli::Cli;

	#[test]
	fn every_shell_gets_the_names_of_the_commands() {
		for shell in Shell::value_variants() {
			let script = completions(*shell, Cli::command());
			let script = String::from_utf8(script).expect("a script is text");
			assert!(script.contains("set-governor"), "{shell}: {script}");
		}
	}
}

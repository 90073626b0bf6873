// SPDX-License-Identifier: Apache-2.0
//! `fabric completions`: the completions of a shell.

use clap::Args;
use clap_complete::Shell;

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
	Ok(output::print_bytes(&script(options.shell, command))?)
}

fn script(shell: Shell, mut command: clap::Command) -> Vec<u8> {
	let mut script = Vec::new();
	clap_complete::generate(shell, &mut command, "fabric", &mut script);
	script
}

#[cfg(test)]
mod tests {
	use clap::{CommandFactory, ValueEnum};

	use super::*;
	use crate::cli::Cli;

	#[test]
	fn every_shell_gets_the_names_of_the_commands() {
		for shell in Shell::value_variants() {
			let script = script(*shell, Cli::command());
			let script = String::from_utf8(script).expect("a script is text");
			assert!(script.contains("set-governor"), "{shell}: {script}");
		}
	}
}

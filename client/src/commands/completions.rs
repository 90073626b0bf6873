//! `fabric completions`: the completions of a shell.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::{cli::Cli, output, Error};

/// The arguments of `fabric completions`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  fabric completions bash > ~/.local/share/bash-completion/completions/fabric
  fabric completions zsh > ~/.zfunc/_fabric")]
pub struct Options {
	/// The shell
	shell: Shell,
}

/// Prints the completions.
pub fn run(options: &Options) -> Result<(), Error> {
	output::print_bytes(&script(options.shell))
}

fn script(shell: Shell) -> Vec<u8> {
	let mut script = Vec::new();
	clap_complete::generate(shell, &mut Cli::command(), "fabric", &mut script);
	script
}

#[cfg(test)]
mod tests {
	use clap::ValueEnum;

	use super::*;

	#[test]
	fn every_shell_gets_the_names_of_the_commands() {
		for shell in Shell::value_variants() {
			let script = String::from_utf8(script(*shell)).expect("a script is text");
			assert!(script.contains("set-governor"), "{shell}: {script}");
		}
	}
}

//! The command line.

use clap::{Parser, Subcommand};

use crate::{
	commands::{account, completions, id, man, resolve, show, space, Context, Global},
	output, Error,
};

/// A client of a content fabric
#[derive(Debug, Parser)]
#[command(name = "fabric", version)]
pub struct Cli {
	/// The command.
	#[command(subcommand)]
	pub command: Command,
	/// The options of all commands.
	#[command(flatten)]
	pub global: Global,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
	/// Print the funds of an account, what is on hold and why, and its part in the fabric
	Account(account::Options),
	/// Print the completions of a shell
	Completions(completions::Options),
	/// Print the forms of ids, muids and TIDs, and ids from names
	Id(id::Options),
	/// Print the manual, or write one page per command
	Man(man::Options),
	/// Print the content that a record leads to
	Resolve(resolve::Options),
	/// Print the entities that an id names
	Show(show::Options),
	/// Create, change and delete spaces, and admit accounts to them
	#[command(subcommand)]
	Space(space::Command),
}

/// Runs the command.
pub async fn run(cli: Cli) -> Result<(), Error> {
	let context = Context::new(cli.global)?;
	let json = context.json();
	match cli.command {
		Command::Account(options) => output::print(&account::run(options, &context).await?, json),
		Command::Completions(options) => completions::run(&options),
		Command::Id(options) => output::print(&id::run(options)?, json),
		Command::Man(options) => man::run(options, json),
		Command::Resolve(options) => output::print(&resolve::run(options, &context).await?, json),
		Command::Show(options) => output::print(&show::run(options, &context).await?, json),
		Command::Space(command) => output::print(&space::run(command, &context).await?, json),
	}
}

#[cfg(test)]
mod tests {
	use clap::CommandFactory;

	use super::*;

	/// Returns the commands that have no commands under them, with their paths.
	fn leaves(command: &clap::Command, path: &str) -> Vec<(String, clap::Command)> {
		let commands = command.get_subcommands().flat_map(|command| {
			let path = format!("{path} {}", command.get_name());
			let own = command.get_subcommands().next().is_none()
				|| command.get_arguments().any(clap::Arg::is_positional);
			let own = own.then(|| (path.clone(), command.clone()));
			leaves(command, &path).into_iter().chain(own).collect::<Vec<_>>()
		});
		commands.collect()
	}

	#[test]
	fn the_command_line_is_sound() {
		Cli::command().debug_assert();
	}

	#[test]
	fn every_command_has_an_example() {
		for (path, command) in leaves(&Cli::command(), "fabric") {
			let help = command.get_after_long_help().map(ToString::to_string).unwrap_or_default();
			assert!(help.starts_with("Example"), "{path} has no example");
			assert!(help.contains(&path), "the example of `{path}` is of another command");
		}
	}

	#[test]
	fn every_command_has_a_summary_without_a_final_dot() {
		fn check(command: &clap::Command, path: &str) {
			for command in command.get_subcommands() {
				let path = format!("{path} {}", command.get_name());
				let about = command.get_about().map(ToString::to_string).unwrap_or_default();
				assert!(!about.is_empty() && !about.ends_with('.'), "{path}: {about}");
				check(command, &path);
			}
		}
		check(&Cli::command(), "fabric");
	}
}

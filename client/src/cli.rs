//! The command line.

use clap::{Parser, Subcommand};

use crate::{
	commands::{space, Context, Global},
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
	/// Create, change and delete spaces, and admit accounts to them
	#[command(subcommand)]
	Space(space::Command),
}

/// Runs the command.
pub async fn run(cli: Cli) -> Result<(), Error> {
	let context = Context::new(cli.global)?;
	let json = context.json();
	match cli.command {
		Command::Space(command) => output::print(&space::run(command, &context).await?, json),
	}
}

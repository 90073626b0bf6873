//! The command line.

use clap::{Parser, Subcommand};

use crate::{
	commands::{publish, space, Context, Global},
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
	/// Publish what a lock file, a Packages index or a directory lists
	#[command(after_long_help = "\
Examples:
  fabric publish Cargo.lock
  fabric publish Packages.xz --space debian --source bookworm --dry-run
  fabric publish ./site --space docs --source site --provider env:NODE_KEY --tenant env:TENANT_KEY

What the chain has is left alone, so the same command continues a run that was interrupted. Lock
files and indexes name versions by their checksums; of a directory each file is hashed.")]
	Publish(Box<publish::Options>),
	/// Create, change and delete spaces, and admit accounts to them
	#[command(subcommand)]
	Space(space::Command),
}

/// Runs the command.
pub async fn run(cli: Cli) -> Result<(), Error> {
	let context = Context::new(cli.global)?;
	let json = context.json();
	match cli.command {
		Command::Publish(options) => publish::run(*options, &context).await,
		Command::Space(command) => output::print(&space::run(command, &context).await?, json),
	}
}

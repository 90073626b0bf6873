//! The command line.

use clap::{Parser, Subcommand};

use crate::{
	commands::{key, kms, member, node, provider, space, tenant, Context, Global},
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
	/// Grant and revoke access keys, the levels of accounts in a provider or a tenant
	#[command(subcommand)]
	Key(key::Command),
	/// Add, change and remove the KMSes of a tenant
	#[command(subcommand)]
	Kms(kms::Command),
	/// Manage bond, root and rows of a provider or a tenant, and delete it
	#[command(subcommand)]
	Member(member::Command),
	/// Create, confirm, change and remove the nodes of a provider
	#[command(subcommand)]
	Node(node::Command),
	/// Create providers
	#[command(subcommand)]
	Provider(provider::Command),
	/// Create, change and delete spaces, and admit accounts to them
	#[command(subcommand)]
	Space(space::Command),
	/// Create tenants
	#[command(subcommand)]
	Tenant(tenant::Command),
}

/// Runs the command.
pub async fn run(cli: Cli) -> Result<(), Error> {
	let context = Context::new(cli.global)?;
	let json = context.json();
	match cli.command {
		Command::Key(command) => output::print(&key::run(command, &context).await?, json),
		Command::Kms(command) => output::print(&kms::run(command, &context).await?, json),
		Command::Member(command) => output::print(&member::run(command, &context).await?, json),
		Command::Node(command) => output::print(&node::run(command, &context).await?, json),
		Command::Provider(command) => output::print(&provider::run(command, &context).await?, json),
		Command::Space(command) => output::print(&space::run(command, &context).await?, json),
		Command::Tenant(command) => output::print(&tenant::run(command, &context).await?, json),
	}
}

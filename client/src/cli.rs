//! The command line.

use clap::{Parser, Subcommand};

use crate::{
	admissions, create_collection, delete_member, delete_record, output, publish, put_record,
	resolve, set_key, set_rules, show, top_up, tree, watch_deletion, Error,
};

/// A client of a content fabric.
#[derive(Debug, Parser)]
#[command(name = "fabric", version)]
pub struct Cli {
	/// What to do.
	#[command(subcommand)]
	pub command: Command,

	/// Where the node serves JSON-RPC.
	#[arg(long, global = true, default_value = "ws://127.0.0.1:9944", value_name = "URL")]
	pub url: String,

	/// Print the result as one line of JSON.
	#[arg(long, global = true)]
	pub json: bool,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
	/// Publish the packages of a Cargo.lock or of a Debian Packages index: a tenant for each
	/// registry, a content object for each package, a version for each of its versions, and records
	/// for those of their names that are record keys (a `+` may not stand in one).
	Publish(publish::Options),
	/// Print the spaces with all that is in them.
	Tree(tree::Options),
	/// Print what the chain knows of an id.
	Show(show::Options),
	/// Print what a record leads to.
	Resolve(resolve::Options),
	/// Give an account a level in a provider or a tenant, or take it.
	SetKey(set_key::Options),
	/// Add to the bond of a provider or a tenant.
	TopUp(top_up::Options),
	/// Give a tenant a collection for records.
	CreateCollection(create_collection::Options),
	/// Name content by a record, or point a record to other content.
	PutRecord(put_record::Options),
	/// Delete a record. What it names stays.
	DeleteRecord(delete_record::Options),
	/// Give a space new rules. What is not named stays as it is.
	SetRules(set_rules::Options),
	/// Admit an account to a space whose rules ask for approval.
	Admit(admissions::Options),
	/// Take back an admission to a space that has not been used.
	RevokeAdmission(admissions::Options),
	/// Have governance delete a whole tenancy with one call.
	DeleteTenant(delete_member::Options),
	/// Have governance delete a whole provider with one call.
	DeleteProvider(delete_member::Options),
	/// Print how many rows a deletion has left, after each new block until it ends. With --json
	/// every block is a line.
	WatchDeletion(watch_deletion::Options),
}

/// Does what the command line says.
pub async fn run(cli: Cli) -> Result<(), Error> {
	let (url, json) = (cli.url.as_str(), cli.json);
	match cli.command {
		Command::Publish(options) => output::print(&publish::run(options, url).await?, json),
		Command::Tree(options) => output::print(&tree::run(options, url).await?, json),
		Command::Show(options) => output::print(&show::run(options, url).await?, json),
		Command::Resolve(options) => output::print(&resolve::run(options, url).await?, json),
		Command::SetKey(options) => output::print(&set_key::run(options, url).await?, json),
		Command::TopUp(options) => output::print(&top_up::run(options, url).await?, json),
		Command::CreateCollection(options) => {
			output::print(&create_collection::run(options, url).await?, json)
		},
		Command::PutRecord(options) => output::print(&put_record::run(options, url).await?, json),
		Command::DeleteRecord(options) => {
			output::print(&delete_record::run(options, url).await?, json)
		},
		Command::SetRules(options) => output::print(&set_rules::run(options, url).await?, json),
		Command::Admit(options) => output::print(&admissions::admit(options, url).await?, json),
		Command::RevokeAdmission(options) => {
			output::print(&admissions::revoke(options, url).await?, json)
		},
		Command::DeleteTenant(options) => {
			output::print(&delete_member::tenant(options, url).await?, json)
		},
		Command::DeleteProvider(options) => {
			output::print(&delete_member::provider(options, url).await?, json)
		},
		Command::WatchDeletion(options) => watch_deletion::run(options, url, json).await,
	}
}

#[cfg(test)]
mod tests {
	use clap::CommandFactory;

	use super::*;

	#[test]
	fn the_command_line_is_sound() {
		Cli::command().debug_assert();
	}
}

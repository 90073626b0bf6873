//! The command line.

use clap::{Parser, Subcommand};

use crate::{
	admissions, create_collection, delete_member, delete_record, leave, member::ByRoot, output,
	publish, purge, put_record, resolve, roots, set_key, set_max_held, set_operator, set_rules,
	show, suspend, top_up, tree, watch_purge, Error,
};

/// A client of a content fabric.
#[derive(Debug, Parser)]
#[command(name = "fabric", version)]
pub struct Cli {
	/// The command.
	#[command(subcommand)]
	pub command: Command,

	/// The URL of the node's JSON-RPC server.
	#[arg(long, global = true, default_value = "ws://127.0.0.1:9944", value_name = "URL")]
	pub url: String,

	/// Print the result as one line of JSON.
	#[arg(long, global = true)]
	pub json: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
	/// Publish the packages of a Cargo.lock or of a Debian Packages index: a tenant for each
	/// registry, a content object for each package, a version for each of its versions, and records
	/// for their names. A name with a `+` is not a record key and gets no record. Content that is
	/// on the chain already is left alone. Signed by the roots of the provider and the tenants, and
	/// by the governor if the space does not exist.
	Publish(publish::Options),
	/// Print the spaces with everything in them. Signed by nobody.
	Tree(tree::Options),
	/// Print the entities that an id names. Signed by nobody.
	Show(show::Options),
	/// Print the content that a record leads to. Signed by nobody.
	Resolve(resolve::Options),
	/// Grant an account an access key in a provider or a tenant, change its level, or revoke it.
	/// Signed by the root, or by an admin for levels below its own.
	SetKey(set_key::Options),
	/// Add to the bond of a provider or a tenant. Signed by its root.
	TopUp(top_up::Options),
	/// Limit what may be on hold for a provider or a tenant. Signed by its root.
	SetMaxHeld(set_max_held::Options),
	/// Nominate the next root of a provider or a tenant, or withdraw the nomination. Signed by its
	/// root, or by the governor of its space.
	NominateRoot(roots::NominateOptions),
	/// Accept the nomination as the root of a provider or a tenant. Bond and deposits move to the
	/// new root. Signed by the nominated account.
	AcceptRoot(roots::AcceptOptions),
	/// Give a node another operator. Signed by an admin or the root of its provider.
	SetOperator(set_operator::Options),
	/// Remove all rows under a provider or a tenant, which stays, empty, with its bond. Signed by
	/// its root.
	Purge(ByRoot),
	/// Delete a provider or a tenant that has been empty for the unbonding period of the chain.
	/// Releases its bond. Signed by its root.
	Leave(ByRoot),
	/// Create a collection for records of a tenant. Signed by an admin or the root of the tenant.
	CreateCollection(create_collection::Options),
	/// Name content by a record, or point a record to other content. Signed by an account with the
	/// level content or above in the tenant.
	PutRecord(put_record::Options),
	/// Delete a record. Its content stays. Signed by an account with the level content or above in
	/// the tenant.
	DeleteRecord(delete_record::Options),
	/// Give a space new rules. Rules that are not named stay. Signed by the governor of the space.
	SetRules(set_rules::Options),
	/// Admit an account to a space whose rules ask for approval. Signed by the governor of the
	/// space.
	Admit(admissions::Options),
	/// Revoke an unused admission to a space. Signed by the governor of the space.
	RevokeAdmission(admissions::Options),
	/// Suspend a provider or a tenant: nobody but governance can act for it. Signed by the governor
	/// of its space.
	Suspend(suspend::Options),
	/// Lift the suspension of a provider or a tenant. Signed by the governor of its space.
	Resume(suspend::Options),
	/// Delete a tenant and all rows under it. Signed by the governor of its space.
	DeleteTenant(delete_member::Options),
	/// Delete a provider and all rows under it. Signed by the governor of its space.
	DeleteProvider(delete_member::Options),
	/// Print how many rows a purge has left, after each new block until it ends. With --json every
	/// block is one line. A chain that makes blocks for transactions only needs some for the purge
	/// to move. Signed by nobody.
	WatchPurge(watch_purge::Options),
}

/// Runs the command.
pub async fn run(cli: Cli) -> Result<(), Error> {
	let (url, json) = (cli.url.as_str(), cli.json);
	match cli.command {
		Command::Publish(options) => output::print(&publish::run(options, url).await?, json),
		Command::Tree(options) => output::print(&tree::run(options, url).await?, json),
		Command::Show(options) => output::print(&show::run(options, url).await?, json),
		Command::Resolve(options) => output::print(&resolve::run(options, url).await?, json),
		Command::SetKey(options) => output::print(&set_key::run(options, url).await?, json),
		Command::TopUp(options) => output::print(&top_up::run(options, url).await?, json),
		Command::SetMaxHeld(options) => {
			output::print(&set_max_held::run(options, url).await?, json)
		},
		Command::NominateRoot(options) => {
			output::print(&roots::nominate(options, url).await?, json)
		},
		Command::AcceptRoot(options) => output::print(&roots::accept(options, url).await?, json),
		Command::SetOperator(options) => {
			output::print(&set_operator::run(options, url).await?, json)
		},
		Command::Purge(by) => output::print(&purge::run(by, url).await?, json),
		Command::Leave(by) => output::print(&leave::run(by, url).await?, json),
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
		Command::Suspend(options) => output::print(&suspend::suspend(options, url).await?, json),
		Command::Resume(options) => output::print(&suspend::resume(options, url).await?, json),
		Command::DeleteTenant(options) => {
			output::print(&delete_member::tenant(options, url).await?, json)
		},
		Command::DeleteProvider(options) => {
			output::print(&delete_member::provider(options, url).await?, json)
		},
		Command::WatchPurge(options) => watch_purge::run(options, url, json).await,
	}
}

#[cfg(test)]
mod tests {
	use clap::{CommandFactory, ValueEnum};

	use super::*;

	#[test]
	fn the_command_line_is_sound() {
		Cli::command().debug_assert();
	}

	#[test]
	fn every_command_says_who_signs() {
		for command in Cli::command().get_subcommands() {
			let help = command.get_about().map(ToString::to_string).unwrap_or_default();
			assert!(help.contains("Signed by "), "{}: {help}", command.get_name());
		}
	}

	#[test]
	fn arguments_are_read_in_their_forms() {
		for line in [
			"delete-tenant iten1111111111 --reason spam --slash 1,000",
			"delete-provider iprv1111111111",
			"watch-purge iten1111111111",
			"set-max-held iten1111111111 5 --signer //Bob",
			"nominate-root iten1111111111 none --signer //Bob",
			"accept-root iten1111111111 --max-held 5 --signer //Bob",
			"purge iten1111111111 --signer //Bob",
			"leave iten1111111111 --signer //Bob",
			"set-operator iprv1111111111 inod1111111111 5A --signer //Bob",
			"suspend iten1111111111 --reason spam",
			"resume iten1111111111",
			"admit ispc1111111111 5A provider",
			"revoke-admission ispc1111111111 5A tenant",
			"publish Cargo.lock --max-held 7 --json --url ws://127.0.0.1:9",
		] {
			let parsed = Cli::try_parse_from(std::iter::once("fabric").chain(line.split(' ')));
			assert!(parsed.is_ok(), "{line}: {parsed:?}");
		}
		for line in [
			"set-operator inod1111111111 5A --signer //Bob",
			"publish Cargo.lock --space=",
			"admit ispc1111111111 5A governor",
			"accept-root iten1111111111 --signer //Bob",
		] {
			let parsed = Cli::try_parse_from(std::iter::once("fabric").chain(line.split(' ')));
			assert!(parsed.is_err(), "{line}");
		}
		assert!(crate::storage::Level::from_str("node", true).is_err());
	}
}

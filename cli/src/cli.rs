// SPDX-License-Identifier: Apache-2.0
//! The command line.

use clap::{CommandFactory, Parser, Subcommand};

#[cfg(unix)]
use content_fabric_client::ids;

use crate::commands::get;
use crate::{
	commands::{
		account, collection, completions, copies,
		create_member::{ProviderCommand, TenantCommand},
		doctor, find, governance, history, id, key, kms, man, member, node, object, publish,
		record, resolve, runtime, show, space, tree, validator, verify, version, watch, who,
		Context, Global,
	},
	Error,
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
	/// Print the balance of an account, its holds and its roles in the fabric, or send funds
	Account(account::Options),
	/// Create and delete collections of records
	#[command(subcommand)]
	Collection(collection::Command),
	/// Ask nodes to hold versions, and remove their copies
	#[command(subcommand)]
	Copies(copies::Command),
	/// Print the completions of a shell
	Completions(completions::Options),
	/// Examine the node, the index, the servers and the account, and print what is wrong
	Doctor(doctor::Options),
	/// Find names of all tenants, in an index
	Find(find::Options),
	/// Get a file, or a directory, from the content nodes that have it
	#[cfg(unix)]
	Get(get::Options),
	/// Suspend, freeze, slash and purge providers and tenants
	#[command(subcommand)]
	Governance(governance::Command),
	/// Print the past events of an entity or an account, from an index
	History(history::Options),
	/// Print the forms of ids, muids and TIDs, and ids from names
	Id(id::Options),
	/// Make signing keys; grant and revoke access keys, the levels of accounts in members
	#[command(subcommand)]
	Key(key::Command),
	/// Add, change and remove the KMSes of a tenant
	#[command(subcommand)]
	Kms(kms::Command),
	/// Print the manual, or write one page per command
	Man(man::Options),
	/// Manage bond, root and rows of a provider or a tenant, and delete it
	#[command(subcommand)]
	Member(member::Command),
	/// Create, confirm, change and remove the nodes of a provider
	#[command(subcommand)]
	Node(node::Command),
	/// Create and delete content objects, and set their heads
	#[command(subcommand)]
	Object(object::Command),
	/// Create providers
	#[command(subcommand)]
	Provider(ProviderCommand),
	/// Publish what a directory or a manifest lists
	#[command(after_long_help = "\
Examples:
  fabric publish manifest.jsonl --source crates.io --dry-run
  cargo_lock.py Cargo.lock | fabric publish - --yes
  fabric publish ./site --space docs --source site --provider env:NODE_KEY --tenant env:TENANT_KEY
  fabric publish ./site --space docs --node inod… --provider env:OPERATOR_KEY --tenant env:MY_KEY

Content already on the chain is skipped, so the same command continues an interrupted run. In a
directory, each file is hashed. A manifest has a JSON object on each line:

  {\"name\": \"serde\", \"version\": \"1.0.228\", \"hash\": \"sha256:9a8e…\", \"size\": 78242, \"head\": true}

  name     name of the record that leads to the content object
  hash     blake3: or sha256:, and 64 hex digits
  version  the record NAME:VERSION leads to this version [default: the first 16 digits of the hash]
  size     number of bytes [default: not known, for sha256 only]
  object   text that the id of the content object is made of, or iq__… [default: the name]
  head     true if this version becomes the head; without it, the object keeps its head, if any
  source   name of the source, which becomes a tenant [default: --source]

A line that is wrong, or contradicts another one, is reported, and then nothing is published.
examples/manifests has scripts that print manifests of lock files and of Debian's indexes.

Rows that the chain lacks are created first: the space, the provider with its node, the tenant
with its collections. Except on a development chain, the command shows it and asks.

The tenant may belong to somebody else, who has given the key the level content. Whoever signs pays
the fees, and the roots pay the deposits, up to the limit that they set with `fabric member
set-max-held`.

If the node goes away, the command waits --timeout seconds for it to come back. Ctrl-C ends it when
the transactions in flight are in blocks, or soon if the node is gone; a second one ends it at once.

Progress and report count items: versions, heads and records. With --json there is no progress.
Standard error then has warnings and lost connections as lines of text, and at the end the error, if
there is one, as a line of JSON.")]
	Publish(Box<publish::Options>),
	/// Publish a file or a directory with its bytes, through a content node
	#[command(after_long_help = "\
Examples:
  fabric put ./site --node https://store.example.com --signer env:TENANT_KEY
  fabric put ./site/index.html --node inod… --dry-run
  fabric put ./site --node inod… --delete

Names, tenant and records are the same as from `fabric publish` with a directory. The content node
drafts the commits, which --signer signs, takes in the bytes, and finalizes the versions. The
tenant is in the space of the node's provider. A file alone belongs to the tenant of its folder.
In a tenant of somebody else, the key needs the level content, and the root pays the deposits.

Versions that are final on the chain are skipped, and an upload goes on where it was cut. So the
same command continues an interrupted run. Bytes that the node has lost are uploaded again.

With --delete, files that the directory no longer has are removed, as `fabric unpublish` does. Files
of the directory that are not put stay, such as hidden ones without --hidden. Names that somebody
has added also stay, with their content.")]
	Put(Box<publish::put::Options>),
	/// Put, delete and list records, which name content
	#[command(subcommand)]
	Record(record::Command),
	/// Print the content that a record leads to
	Resolve(resolve::Options),
	/// Show and upgrade the runtime
	#[command(subcommand)]
	Runtime(runtime::Command),
	/// Print the entities that an id names
	Show(show::Options),
	/// Create, change and delete spaces, and admit accounts to them
	#[command(subcommand)]
	Space(space::Command),
	/// Create tenants
	#[command(subcommand)]
	Tenant(TenantCommand),
	/// Print the spaces with everything in them, or what is under one id
	Tree(tree::Options),
	/// Remove names of a tenant, with their content
	#[command(after_long_help = "\
Examples:
  fabric unpublish iten… index.html docs/ --dry-run
  fabric unpublish iten… --all --signer env:TENANT_KEY --yes
  fabric unpublish iten… --dangling

Removes the records of the names, and the heads, versions and content objects to which they lead.
Content to which another record leads stays. The deposits go back to the root of the tenant.

With --all, removes all records in the collections `names` and `runs`, and all content that no other
record names. The tenant and its collections stay.

The command shows what it will remove, and asks. Rows that change after that stay, and are listed.
Records are removed last, so the same command continues an interrupted run.")]
	Unpublish(publish::unpublish::Options),
	/// List validators, manage their session keys, add and remove them
	#[command(subcommand)]
	Validator(validator::Command),
	/// Compare the bytes of files with the versions on the chain
	Verify(verify::Options),
	/// Draft, sign, commit, finalize and delete versions of content objects
	#[command(subcommand)]
	Version(version::Command),
	/// Print the events of the fabric as they happen, or the progress of a purge
	Watch(watch::Options),
	/// Print the content objects that have a version of a hash, from an index
	Who(who::Options),
}

/// Runs the command, and prints its report.
pub async fn run(cli: Cli) -> Result<(), Error> {
	let context = Context::new(cli.global)?;
	match cli.command {
		Command::Account(options) => account::run(options, &context).await,
		Command::Collection(command) => collection::run(command, &context).await,
		Command::Copies(command) => copies::run(command, &context).await,
		Command::Completions(options) => completions::run(&options, Cli::command()),
		Command::Doctor(options) => {
			let findings = doctor::run(options, &context).await?;
			context.report(&findings)?;
			findings.ensure_none()
		},
		Command::Find(options) => context.report(&find::run(options, &context).await?),
		#[cfg(unix)]
		Command::Get(options) => get::run(options, &context).await,
		Command::Governance(command) => governance::run(command, &context).await,
		Command::History(options) => context.report(&history::run(options, &context).await?),
		Command::Id(options) => context.report(&id::run(options)?),
		Command::Key(command) => key::run(command, &context).await,
		Command::Kms(command) => kms::run(command, &context).await,
		Command::Man(options) => man::run(options, Cli::command(), context.json()),
		Command::Member(command) => member::run(command, &context).await,
		Command::Node(command) => node::run(command, &context).await,
		Command::Object(command) => object::run(command, &context).await,
		Command::Provider(ProviderCommand::Create(command)) => {
			command.create(&context, ids::provider).await
		},
		Command::Publish(options) => publish::run(*options, &context).await,
		Command::Put(options) => publish::put::run(*options, &context).await,
		Command::Record(command) => record::run(command, &context).await,
		Command::Resolve(options) => context.report(&resolve::run(options, &context).await?),
		Command::Runtime(command) => runtime::run(command, &context).await,
		Command::Show(options) => context.report(&show::run(options, &context).await?),
		Command::Space(command) => space::run(command, &context).await,
		Command::Tenant(TenantCommand::Create(command)) => {
			command.create(&context, ids::tenant).await
		},
		Command::Unpublish(options) => publish::unpublish::run(options, &context).await,
		Command::Tree(options) => context.report(&tree::run(options, &context).await?),
		Command::Validator(command) => validator::run(command, &context).await,
		Command::Verify(options) => verify::run(options, &context).await,
		Command::Version(command) => version::run(command, &context).await,
		Command::Watch(options) => watch::run(options, &context).await,
		Command::Who(options) => context.report(&who::run(options, &context).await?),
	}
}

#[cfg(test)]
mod pages;

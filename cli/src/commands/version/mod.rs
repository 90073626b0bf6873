// SPDX-License-Identifier: Apache-2.0
//! `fabric version`: drafts, signs, commits, finalizes and deletes versions of content objects.
//!
//! A version is committed by a provider's node, and a key of the tenant signs for it. One operator
//! who has both keys uses `commit` alone. Otherwise the provider uses `draft`, the tenant `sign`,
//! and the provider `commit --signed`.

mod commit;
pub(super) mod document;
mod draft;
mod finalize;
mod sign;

use clap::{Args, Subcommand};
use content_fabric_client::{
	chain::calls,
	ids::{ObjectArgument, VersionArgument},
};
use content_fabric_identifiers::TenantId;

use self::{
	commit::Commit,
	draft::DraftOptions,
	finalize::{finalize, Finalize},
	sign::Sign,
};
use super::{Action, Authority, Context, Setting, Submit};
use crate::Error;

#[derive(Debug, Subcommand)]
pub enum Command {
	/// Draft a commit of versions, for a key of the tenant to sign
	#[command(after_long_help = "\
Examples:
  fabric version draft iten… iq__… hq__… --provider iprv… --node inod… > draft.json
  fabric version draft iten… --version iq__…:hq__…:1024 --version iq__…:hq__… --provider iprv… \\
      --node inod… --kms ikms… --head > draft.json

The draft has the next muid of the node. Commits of a node must be submitted in the order of their
drafts, within the time that the chain allows. A wallet can sign the payload of the draft, too.")]
	Draft(DraftOptions),
	/// Sign a draft with a key of the tenant, without a connection
	#[command(after_long_help = "\
Examples:
  fabric version sign draft.json --signer keystore:tenant.json > signed.json
  fabric version sign draft.json --genesis-hash 0x… --signer env:TENANT_KEY --yes > signed.json

Shows what is signed, and asks. The genesis hash of the draft is compared with --genesis-hash, or
with the profile's, if there is one.")]
	Sign(Sign),
	/// Commit versions that a key of the tenant has signed
	#[command(after_long_help = "\
Examples:
  fabric version commit --signed signed.json --signer env:PROVIDER_KEY
  fabric version commit iten… iq__… hq__… --provider iprv… --node inod… --size 1024 \\
      --head --finalize --tenant-signer env:TENANT_KEY --signer env:PROVIDER_KEY

The second form drafts, signs and commits at once, for an operator who has both keys. It shows what
the tenant signs, and asks. A dry run signs nothing, so it takes a signed draft only.")]
	Commit(Submit<Commit>),
	/// Finalize versions of an object: declare that a node holds their data
	#[command(after_long_help = "\
Example:
  fabric version finalize iten… iq__… hq__… hq__… --provider iprv… --node inod…

Either all of the versions are finalized or none.")]
	Finalize(Submit<Finalize>),
	/// Delete a version that is not the head of its object
	#[command(after_long_help = "\
Example:
  fabric version delete iten… iq__… hq__…

To delete the head, first set another one with `fabric object set-head`.")]
	Delete(Submit<Which>),
}

/// `fabric version delete` and `fabric governance delete-version`
#[derive(Debug, Args)]
pub struct Which {
	/// The tenant, iten…
	pub(super) tenant: TenantId,
	/// The content object, iq__… or itq_…
	pub(super) object: ObjectArgument,
	/// The version: hq__…, its hash in hex, or its CID
	pub(super) version: VersionArgument,
}

pub async fn run(command: Command, context: &Context) -> Result<(), Error> {
	match command {
		Command::Draft(command) => context.report(&command.run(context).await?),
		Command::Sign(command) => context.report(&command.run(context)?),
		Command::Commit(command) => command.run(context, Commit::prepare).await,
		Command::Finalize(command) => command.run(context, finalize).await,
		Command::Delete(command) => command.run(context, delete).await,
	}
}

async fn delete(options: Which, setting: &Setting<'_>) -> Result<Action, Error> {
	let Which { tenant, object, version } = options;
	let object = object.of(tenant)?;
	let at = setting.view().await?;
	let version = at.version_id((tenant, object), version).await?;
	let summary = format!("delete the version {version} of {object} of {tenant}");
	let call = calls::DeleteVersion { tenant, object, version };
	at.destructive(Authority::Tenant, call, summary)
}

#[cfg(test)]
mod tests {
	use clap::Parser;
	use content_fabric_identifiers::{ContentObjectId, KmsId, NodeId, ProviderId, VersionId};

	use super::*;

	#[derive(Debug, Parser)]
	struct Cli {
		#[command(subcommand)]
		command: Command,
	}

	/// Parses a command line, with ids in the place of their prefixes.
	fn parse(line: &str) -> Result<Command, String> {
		let (object, version) = (ContentObjectId([1; 10]), VersionId([2; 32]));
		let line = line
			.replace("OBJECT", &object.to_string())
			.replace("VERSION", &version.to_string())
			.replace("iten", &TenantId([3; 10]).to_string())
			.replace("iprv", &ProviderId([4; 10]).to_string())
			.replace("inod", &NodeId([5; 10]).to_string())
			.replace("ikms", &KmsId([6; 10]).to_string());
		let words = std::iter::once("fabric").chain(line.split_whitespace());
		let cli = Cli::try_parse_from(words).map_err(|error| error.to_string())?;
		Ok(cli.command)
	}

	const BY: &str = "--provider iprv --node inod --kms ikms";

	#[test]
	fn a_draft_has_one_version_or_several() {
		for (line, is_sound) in [
			(format!("draft iten OBJECT VERSION {BY} --size 7 --head"), true),
			(format!("draft iten --version OBJECT:VERSION {BY}"), true),
			(format!("draft iten --version OBJECT:VERSION --version OBJECT:VERSION:7 {BY}"), true),
			(format!("draft iten OBJECT {BY}"), false),
			(format!("draft iten OBJECT VERSION --version OBJECT:VERSION {BY}"), false),
			(format!("draft iten --version OBJECT:VERSION --size 7 {BY}"), false),
			("draft iten OBJECT VERSION --provider iprv --node inod".into(), true),
			("draft iten OBJECT VERSION --provider iprv --kms ikms".into(), false),
		] {
			assert_eq!(parse(&line).is_ok(), is_sound, "{line}");
		}
	}

	#[test]
	fn a_commit_is_of_a_signed_draft_or_of_what_the_options_describe() {
		let unsigned = format!("commit iten OBJECT VERSION {BY}");
		for (line, is_sound) in [
			("commit --signed signed.json --signer //Bob".into(), true),
			("commit --signed - --finalize".into(), true),
			(format!("{unsigned} --tenant-signer //Charlie --signer //Bob"), true),
			("commit".into(), false),
			("commit --signed signed.json --tenant-signer //Charlie".into(), false),
			("commit --signed signed.json --head".into(), false),
			(format!("{unsigned} --signed signed.json"), false),
			("commit iten OBJECT VERSION --provider iprv --node inod".into(), true),
			("commit iten OBJECT VERSION --node inod --kms ikms".into(), false),
		] {
			assert_eq!(parse(&line).is_ok(), is_sound, "{line}");
		}
	}

	#[test]
	fn only_a_signed_draft_is_tried_or_printed() {
		let unsigned = format!("commit iten OBJECT VERSION {BY}");
		for (line, accepted) in [
			(unsigned.clone(), true),
			(format!("{unsigned} --dry-run"), false),
			(format!("{unsigned} --print-call"), false),
			("commit --signed signed.json --dry-run".into(), true),
			("commit --signed signed.json --print-call".into(), true),
		] {
			let Ok(Command::Commit(Submit { command, act })) = parse(&line) else {
				panic!("{line} is not sound");
			};
			assert_eq!(command.ensure_signs(&act).is_ok(), accepted, "{line}");
		}
	}
}

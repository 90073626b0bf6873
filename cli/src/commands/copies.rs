// SPDX-License-Identifier: Apache-2.0
//! `fabric copies`: asks nodes to hold versions, and removes their copies.

use clap::{Args, Subcommand};
use content_fabric_client::{
	chain::calls,
	ids::{ObjectArgument, VersionArgument},
};
use content_fabric_identifiers::{ContentObjectId, NodeId, ProviderId, TenantId, VersionId};

use super::{Action, Authority, Context, Setting, Submit, View};
use crate::Error;

#[derive(Debug, Subcommand)]
pub enum Command {
	/// Ask a node to hold versions of an object
	#[command(after_long_help = "\
Example:
  fabric copies add iten… iq__… hq__… hq__… --provider iprv… --node inod…

A node that runs `fabric-store` takes in only versions that are committed to it, so ask nodes whose
operators take in the others by other means.

All of the versions get a copy, or none. A copy counts once the node declares that it holds the
data.")]
	Add(Submit<Copies>),
	/// Remove the copies that a node has of versions of an object
	#[command(after_long_help = "\
Example:
  fabric copies remove iten… iq__… hq__… --provider iprv… --node inod…

The tenant removes any copy. The node's operator, or an Admin of its provider, removes its own.")]
	Remove(Submit<Copies>),
}

/// Versions of an object at a node, also for `fabric version finalize`
#[derive(Debug, Args)]
pub struct Copies {
	/// The tenant, iten…
	pub(super) tenant: TenantId,
	/// The content object, iq__… or itq_…
	object: ObjectArgument,
	/// The versions: hq__…, their hashes in hex, or their CIDs
	#[arg(required = true, value_name = "VERSION")]
	versions: Vec<VersionArgument>,
	/// The provider of the node, iprv…
	#[arg(long, value_name = "ID")]
	pub(super) provider: ProviderId,
	/// The node, inod…
	#[arg(long, value_name = "ID")]
	pub(super) node: NodeId,
}

pub async fn run(command: Command, context: &Context) -> Result<(), Error> {
	match command {
		Command::Add(command) => command.run(context, add).await,
		Command::Remove(command) => command.run(context, remove).await,
	}
}

impl Copies {
	/// Returns the versions with their object, and their names in words, as the chain has them.
	pub(super) async fn versions(
		&self,
		setting: &Setting<'_>,
	) -> Result<(View, Vec<(ContentObjectId, VersionId)>, String), Error> {
		let object = self.object.of(self.tenant)?;
		let at = setting.view().await?;
		let (mut versions, mut names) = (Vec::new(), Vec::new());
		for named in &self.versions {
			let version = at.version_id((self.tenant, object), *named).await?;
			versions.push((object, version));
			names.push(version.to_string());
		}
		let named = format!("{} of {object} of {}", names.join(", "), self.tenant);
		Ok((at, versions, named))
	}
}

async fn add(options: Copies, setting: &Setting<'_>) -> Result<Action, Error> {
	let (at, versions, named) = options.versions(setting).await?;
	let Copies { tenant, provider, node, .. } = options;
	let summary = format!("ask the node {node} of {provider} to hold {named}");
	let call = calls::AddCopies { tenant, provider, node, versions };
	at.action(Authority::Tenant, call, summary)
}

async fn remove(options: Copies, setting: &Setting<'_>) -> Result<Action, Error> {
	let (at, versions, named) = options.versions(setting).await?;
	let Copies { tenant, provider, node, .. } = options;
	let summary = format!("remove the copies that the node {node} of {provider} has of {named}");
	let call = calls::RemoveCopies { tenant, provider, node, versions };
	at.destructive(Authority::Tenant, call, summary)
}

// SPDX-License-Identifier: Apache-2.0
//! `fabric object`: creates and deletes content objects, and sets their heads.

use clap::{Args, Subcommand};
use content_fabric_client::{
	chain::calls,
	ids::{self, ObjectArgument, VersionArgument},
};
use content_fabric_identifiers::TenantId;

use super::{naming::Naming, Action, Authority, Context, Setting, Submit};
use crate::Error;

#[derive(Debug, Subcommand)]
pub enum Command {
	/// Create a content object of a tenant
	#[command(after_long_help = "\
Examples:
  fabric object create iten… --name serde
  fabric object create iten… --id iq__… --signer env:TENANT_KEY")]
	Create(Submit<Create>),
	/// Make a finalized version the head of its object, or clear the head
	#[command(after_long_help = "\
Examples:
  fabric object set-head iten… iq__… hq__…
  fabric object set-head iten… iq__… --none")]
	SetHead(Submit<SetHead>),
	/// Delete a content object that has no versions
	#[command(after_long_help = "\
Example:
  fabric object delete iten… iq__…

Delete its versions first, with `fabric version delete`.")]
	Delete(Submit<Which>),
}

#[derive(Debug, Args)]
pub struct Create {
	/// The tenant, iten…
	tenant: TenantId,
	#[command(flatten)]
	naming: Naming<ObjectArgument>,
}

#[derive(Debug, Args)]
pub struct SetHead {
	#[command(flatten)]
	which: Which,
	/// The version: hq__…, its hash in hex, or its CID
	#[arg(required_unless_present = "none")]
	version: Option<VersionArgument>,
	/// Clear the head
	#[arg(long, conflicts_with = "version")]
	none: bool,
}

/// `fabric object delete` and `fabric governance delete-object`
#[derive(Debug, Args)]
pub struct Which {
	/// The tenant, iten…
	pub(super) tenant: TenantId,
	/// The content object, iq__… or itq_…
	pub(super) object: ObjectArgument,
}

pub async fn run(command: Command, context: &Context) -> Result<(), Error> {
	match command {
		Command::Create(command) => command.run(context, create).await,
		Command::SetHead(command) => command.run(context, set_head).await,
		Command::Delete(command) => command.run(context, delete).await,
	}
}

async fn create(options: Create, setting: &Setting<'_>) -> Result<Action, Error> {
	let tenant = options.tenant;
	let by_name = |name: &str| ObjectArgument::Object(ids::content_object(tenant, name));
	let object = options.naming.resolve(by_name)?.of(tenant)?;
	let summary = format!("create the content object {object} of {tenant}");
	let call = calls::CreateContentObject { tenant, object };
	setting.view().await?.action(Authority::Tenant, call, summary)
}

async fn set_head(options: SetHead, setting: &Setting<'_>) -> Result<Action, Error> {
	let SetHead { which: Which { tenant, object }, version, .. } = options;
	let object = object.of(tenant)?;
	let at = setting.view().await?;
	let version = match version {
		Some(named) => Some(at.version_id((tenant, object), named).await?),
		None => None,
	};
	let summary = match version {
		Some(version) => format!("make {version} the head of {object} of {tenant}"),
		None => format!("clear the head of {object} of {tenant}"),
	};
	let call = calls::SetHeadVersion { tenant, object, version };
	at.action(Authority::Tenant, call, summary)
}

async fn delete(options: Which, setting: &Setting<'_>) -> Result<Action, Error> {
	let tenant = options.tenant;
	let object = options.object.of(tenant)?;
	let summary = format!("delete the content object {object} of {tenant}");
	let call = calls::DeleteContentObject { tenant, object };
	setting.view().await?.destructive(Authority::Tenant, call, summary)
}

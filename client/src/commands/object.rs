// SPDX-License-Identifier: Apache-2.0
//! `fabric object`: creates and deletes content objects, and sets their heads.

use clap::{Args, Subcommand};
use content_fabric_identifiers::{ContentObjectId, TenantId, VersionId};

use super::{naming::Naming, Act, Action, Authority, Context, Outcome};
use crate::{
	chain::calls,
	ids::{self, ObjectArgument},
	Error,
};

/// The commands of content objects.
#[derive(Debug, Subcommand)]
pub enum Command {
	/// Create a content object of a tenant
	#[command(after_long_help = "\
Examples:
  fabric object create iten… --name serde
  fabric object create iten… --id iq__… --signer env:TENANT_KEY")]
	Create(Create),
	/// Make a finalized version the head of its object, or clear the head
	#[command(after_long_help = "\
Examples:
  fabric object set-head iten… iq__… hq__…
  fabric object set-head iten… iq__… --none")]
	SetHead(SetHead),
	/// Delete a content object that has no versions
	#[command(after_long_help = "\
Example:
  fabric object delete iten… iq__…

Delete its versions first, with `fabric version delete`.")]
	Delete(Delete),
}

/// `fabric object create`
#[derive(Debug, Args)]
pub struct Create {
	/// The tenant, iten…
	#[arg(value_parser = ids::parse::<TenantId>)]
	tenant: TenantId,
	#[command(flatten)]
	naming: Naming<ContentObjectId>,
	#[command(flatten)]
	act: Act,
}

/// `fabric object set-head`
#[derive(Debug, Args)]
pub struct SetHead {
	/// The tenant, iten…
	#[arg(value_parser = ids::parse::<TenantId>)]
	tenant: TenantId,
	/// The content object, iq__… or itq_…
	object: ObjectArgument,
	/// The version, hq__…
	#[arg(value_parser = ids::parse::<VersionId>, required_unless_present = "none")]
	version: Option<VersionId>,
	/// Clear the head
	#[arg(long, conflicts_with = "version")]
	none: bool,
	#[command(flatten)]
	act: Act,
}

/// `fabric object delete`
#[derive(Debug, Args)]
pub struct Delete {
	/// The tenant, iten…
	#[arg(value_parser = ids::parse::<TenantId>)]
	tenant: TenantId,
	/// The content object, iq__… or itq_…
	object: ObjectArgument,
	#[command(flatten)]
	act: Act,
}

/// Runs a command.
pub async fn run(command: Command, context: &Context) -> Result<Outcome, Error> {
	match command {
		Command::Create(command) => command.run(context).await,
		Command::SetHead(command) => command.run(context).await,
		Command::Delete(command) => command.run(context).await,
	}
}

impl Create {
	async fn run(self, context: &Context) -> Result<Outcome, Error> {
		let tenant = self.tenant;
		let object = self.naming.resolve(|name| ids::content_object(tenant, name))?;
		let chain = context.connect().await?;
		let call = calls::CreateContentObject { tenant, object };
		let action = Action {
			summary: format!("create the content object {object} of {tenant}"),
			call: chain.best().await?.encode(call)?,
			authority: Authority::Tenant,
			destructive: false,
		};
		self.act.run(context, &chain, action).await
	}
}

impl SetHead {
	async fn run(self, context: &Context) -> Result<Outcome, Error> {
		let (tenant, version) = (self.tenant, self.version);
		let object = self.object.of(tenant)?;
		let chain = context.connect().await?;
		let call = calls::SetHeadVersion { tenant, object, version };
		let action = Action {
			summary: match version {
				Some(version) => format!("make {version} the head of {object} of {tenant}"),
				None => format!("clear the head of {object} of {tenant}"),
			},
			call: chain.best().await?.encode(call)?,
			authority: Authority::Tenant,
			destructive: false,
		};
		self.act.run(context, &chain, action).await
	}
}

impl Delete {
	async fn run(self, context: &Context) -> Result<Outcome, Error> {
		let tenant = self.tenant;
		let object = self.object.of(tenant)?;
		let chain = context.connect().await?;
		let call = calls::DeleteContentObject { tenant, object };
		let action = Action {
			summary: format!("delete the content object {object} of {tenant}"),
			call: chain.best().await?.encode(call)?,
			authority: Authority::Tenant,
			destructive: true,
		};
		self.act.run(context, &chain, action).await
	}
}

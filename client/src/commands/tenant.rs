// SPDX-License-Identifier: Apache-2.0
//! `fabric tenant`: creates tenants.

use clap::Subcommand;
use content_fabric_identifiers::TenantId;

use super::{create_member::Create, Context, Submit};
use crate::{ids, Error};

/// The commands of tenants.
#[derive(Debug, Subcommand)]
pub enum Command {
	/// Create a tenant in a space
	#[command(after_long_help = "\
Examples:
  fabric tenant create ispc… --name docs --max-held '20 UNIT' --signer keystore:docs.json
  fabric tenant create ispc… --name docs --max-held '20 UNIT' --dry-run

The signer becomes the root of the tenant. The bond that the space requires, and a deposit, are put \
on hold on its account. Where the space asks for approval, its governance must have admitted the \
account with `fabric space admit`. The commands that all members share are under `fabric member`.")]
	Create(Submit<Create<TenantId>>),
}

/// Runs a command.
pub async fn run(command: Command, context: &Context) -> Result<(), Error> {
	let Command::Create(create) = command;
	create.create(context, ids::tenant).await
}

// SPDX-License-Identifier: Apache-2.0
//! `fabric provider`: creates providers.

use clap::Subcommand;
use content_fabric_identifiers::ProviderId;

use super::{create_member::Create, Context, Submit};
use crate::{ids, Error};

/// The commands of providers.
#[derive(Debug, Subcommand)]
pub enum Command {
	/// Create a provider in a space
	#[command(after_long_help = "\
Examples:
  fabric provider create ispc… --name acme --max-held '500 UNIT' --signer keystore:acme.json
  fabric provider create ispc… --name acme --max-held '500 UNIT' --dry-run

The signer becomes the root of the provider. The bond that the space requires, and a deposit, are \
put on hold on its account. Where the space asks for approval, its governance must have admitted the \
account with `fabric space admit`. The commands that all members share are under `fabric member`.")]
	Create(Submit<Create<ProviderId>>),
}

/// Runs a command.
pub async fn run(command: Command, context: &Context) -> Result<(), Error> {
	let Command::Create(create) = command;
	create.create(context, ids::provider).await
}

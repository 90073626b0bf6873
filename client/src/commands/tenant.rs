//! `fabric tenant`: creates tenants.

use clap::{Args, Subcommand};
use content_fabric_identifiers::{SpaceId, TenantId};

use super::{create_member, naming::Naming, Act, Context, Outcome};
use crate::{amount::AmountText, ids, Error};

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
	Create(Create),
}

/// `fabric tenant create`
#[derive(Debug, Args)]
pub struct Create {
	/// The space, ispc…
	#[arg(value_parser = ids::parse::<SpaceId>)]
	space: SpaceId,
	#[command(flatten)]
	naming: Naming<TenantId>,
	/// The most that may be on hold for the tenant, bond and deposits together: '20 UNIT', or a
	/// whole number of the smallest unit
	#[arg(long, value_name = "AMOUNT")]
	max_held: AmountText,
	#[command(flatten)]
	act: Act,
}

/// Runs a command.
pub async fn run(command: Command, context: &Context) -> Result<Outcome, Error> {
	let Command::Create(Create { space, naming, max_held, act }) = command;
	let tenant = naming.resolve(|name| ids::tenant(space, name))?;
	create_member::run(context, &act, space, tenant.into(), &max_held).await
}

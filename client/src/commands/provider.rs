//! `fabric provider`: creates providers.

use clap::{Args, Subcommand};
use content_fabric_identifiers::{ProviderId, SpaceId};

use super::{create_member, naming::Naming, Act, Context, Outcome};
use crate::{amount::AmountText, ids, Error};

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
	Create(Create),
}

/// `fabric provider create`
#[derive(Debug, Args)]
pub struct Create {
	/// The space, ispc…
	#[arg(value_parser = ids::parse::<SpaceId>)]
	space: SpaceId,
	#[command(flatten)]
	naming: Naming<ProviderId>,
	/// The most that may be on hold for the provider, bond and deposits together: '500 UNIT', or a
	/// whole number of the smallest unit
	#[arg(long, value_name = "AMOUNT")]
	max_held: AmountText,
	#[command(flatten)]
	act: Act,
}

/// Runs a command.
pub async fn run(command: Command, context: &Context) -> Result<Outcome, Error> {
	let Command::Create(Create { space, naming, max_held, act }) = command;
	let provider = naming.resolve(|name| ids::provider(space, name))?;
	create_member::run(context, &act, space, provider.into(), &max_held).await
}

// SPDX-License-Identifier: Apache-2.0
//! `fabric runtime`: prints the version of the runtime, and upgrades it.

mod blob;
mod upgrade;
mod version;

use clap::Subcommand;

pub use blob::BlobError;
pub use upgrade::Upgrade;
pub use version::Runtime;

use super::{Context, Submit};
use crate::Error;

/// The commands of the runtime.
#[derive(Debug, Subcommand)]
pub enum Command {
	/// Print the version of the runtime, the hash of its code, and the upgrade that is authorized
	#[command(after_long_help = "\
Example:
  fabric runtime show")]
	Show,
	/// Authorize an upgrade, by two thirds of the council or by root
	#[command(after_long_help = "\
Examples:
  fabric runtime authorize runtime.compact.compressed.wasm --council propose --signer env:MEMBER_KEY
  fabric runtime authorize runtime.compact.compressed.wasm --council vote --signer env:MEMBER_KEY
  fabric runtime authorize runtime.compact.compressed.wasm --council close --signer env:MEMBER_KEY

The council authorizes the hash of the file. The file must be a runtime of the same name and of a
higher version. Each member checks that its own copy has the hash that was agreed on.")]
	Authorize(Submit<Upgrade>),
	/// Replace the runtime by the one that is authorized. Any account can do that
	#[command(after_long_help = "\
Example:
  fabric runtime apply runtime.compact.compressed.wasm --signer env:KEY

The next block has the new runtime. If its migrations take several blocks, transactions wait in the
meantime.")]
	Apply(Submit<Upgrade>),
}

/// Runs a command.
pub async fn run(command: Command, context: &Context) -> Result<(), Error> {
	match command {
		Command::Show => context.report(&version::run(context).await?),
		Command::Authorize(command) => command.run(context, Upgrade::authorize).await,
		Command::Apply(command) => command.run(context, Upgrade::apply).await,
	}
}

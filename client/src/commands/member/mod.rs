// SPDX-License-Identifier: Apache-2.0
//! `fabric member`: what providers and tenants have in common, from their bond to their end.

mod changes;
mod purge;

use clap::Subcommand;

pub use changes::Nominate;

use self::{
	changes::{Accept, Leave, Reap, SetMaxHeld, TopUp},
	purge::Purge,
};
use super::{Context, Submit};
use crate::Error;

#[derive(Debug, Subcommand)]
pub enum Command {
	/// Add to the bond of a provider or a tenant
	#[command(after_long_help = "\
Example:
  fabric member top-up iprv… '50 UNIT'

The bond stays on hold until the member is deleted, and governance can slash it.")]
	TopUp(Submit<TopUp>),
	/// Limit what may be on hold for a provider or a tenant
	#[command(after_long_help = "\
Example:
  fabric member set-max-held iten… '40 UNIT'

A call that would put more on hold fails, whoever signs it.")]
	SetMaxHeld(Submit<SetMaxHeld>),
	/// Nominate the next root of a provider or a tenant, or withdraw the nomination
	#[command(after_long_help = "\
Examples:
  fabric member nominate iten… 5F3s…
  fabric member nominate iten… --withdraw

The nominee becomes the root with `fabric member accept`. Governance nominates with \
`fabric governance nominate`.")]
	Nominate(Submit<Nominate>),
	/// Accept a nomination, and become the root of a provider or a tenant
	#[command(after_long_help = "\
Example:
  fabric member accept iten… --max-held '40 UNIT' --signer keystore:new-root.json

Bond and deposits move to the account of the signer. The access keys of others stay: review them \
with `fabric tree`.")]
	Accept(Submit<Accept>),
	/// Remove everything under a provider or a tenant
	#[command(after_long_help = "\
Examples:
  fabric member purge iten…
  fabric member purge iten… --no-wait

The member itself stays, with its bond. The command follows the purge to its end. Run again, it \
asks, and resumes a purge that is under way.")]
	Purge(Submit<Purge>),
	/// Delete a provider or a tenant that has nothing under it, and release its bond
	#[command(after_long_help = "\
Example:
  fabric member leave iten…

While a bond is on hold, the member must have been empty for the chain's unbonding period.")]
	Leave(Submit<Leave>),
	/// Remove rows of a purge that is under way, as any account
	#[command(after_long_help = "\
Examples:
  fabric member reap iten…
  fabric member reap iten… --limit 100

The chain removes the rows by itself in blocks with spare weight. This speeds it up, and costs \
no fee if it removes enough rows, or all that are left.")]
	Reap(Submit<Reap>),
}

pub async fn run(command: Command, context: &Context) -> Result<(), Error> {
	match command {
		Command::TopUp(command) => command.run(context, TopUp::prepare).await,
		Command::SetMaxHeld(command) => command.run(context, SetMaxHeld::prepare).await,
		Command::Nominate(command) => command.run(context, Nominate::by_root).await,
		Command::Accept(command) => command.run(context, Accept::prepare).await,
		Command::Purge(command) => command.purge(context).await,
		Command::Leave(command) => command.run(context, Leave::prepare).await,
		Command::Reap(command) => command.run(context, Reap::prepare).await,
	}
}

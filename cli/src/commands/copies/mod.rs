// SPDX-License-Identifier: Apache-2.0
//! `fabric copies`: the nodes that hold versions of a tenant, and those that are asked to.

mod change;
mod list;
mod selection;

use clap::Subcommand;

use self::{change::Change, list::Missing, selection::Selection};
use super::{Context, Submit};
use crate::Error;

#[derive(Debug, Subcommand)]
pub enum Command {
	/// List the nodes that hold versions, that were asked to hold them, and that are gone
	#[command(after_long_help = "\
Examples:
  fabric copies list iten…
  fabric copies list iten… index.html images/ hq__…")]
	List(Selection),
	/// Ask nodes to hold versions
	#[command(after_long_help = "\
Examples:
  fabric copies add iten… --node inod…
  fabric copies add iten… docs/ hq__… --node inod… --node inod…
  fabric copies add iten… iq__… hq__… --provider iprv… --node inod… --print-call

A node that runs `fabric-store` gets the bytes from the other nodes of a version, and finalizes it
for itself. Skips versions that a node was asked to hold before. Run an interrupted command again
to continue it. With --as, --council or --print-call, there is one call, with at most as many
versions as the chain allows.")]
	Add(Submit<Change>),
	/// Remove the copies that nodes have of versions
	#[command(after_long_help = "\
Examples:
  fabric copies remove iten… --node inod…
  fabric copies remove iten… iq__… hq__… --provider iprv… --node inod…

A key of the tenant can remove any copy. The node's operator, or an Admin of its provider, can remove
the copies of the node. Asks first, and says how many versions lose the last copy that a node holds.
Name a node that no longer exists with its provider.")]
	Remove(Submit<Change>),
	/// List the versions whose nodes have not finalized them, are gone, or do not serve them
	#[command(after_long_help = "\
Examples:
  fabric copies missing iten…
  fabric copies missing iten… docs/ --no-probe

Asks each node whether it serves the versions that it has declared to hold. Does not download the
bytes. Does not ask a node again that has not answered. Fails with exit code 7 if it lists versions.")]
	Missing(Missing),
}

pub async fn run(command: Command, context: &Context) -> Result<(), Error> {
	match command {
		Command::List(selection) => context.report(&list::list(selection, context).await?),
		Command::Add(command) => change::run(command, false, context).await,
		Command::Remove(command) => change::run(command, true, context).await,
		Command::Missing(options) => {
			let listed = list::missing(options, context).await?;
			context.report(&listed)?;
			listed.ensure_none()
		},
	}
}

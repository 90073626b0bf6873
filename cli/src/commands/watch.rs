// SPDX-License-Identifier: Apache-2.0
//! `fabric watch`: the events of the fabric, block by block, or the progress of a purge.

mod filter;
mod follow;
mod origin;

use std::{
	io::{self, Write},
	sync::Arc,
};

use clap::Args;
use content_fabric_client::chain::{self, BlockEvent, Chain, Wait};
use content_fabric_primitives::MemberId;
use serde::Serialize;

use self::{
	filter::Filter,
	follow::{Block, Follower},
	origin::Origin,
};
use super::{
	entity::Parent,
	purges::{Step, Watched},
	Context,
};
use crate::{
	output::{self, warn, OutputError, Report},
	Error,
};

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  fabric watch
  fabric --json watch --from-block 1000 --under iten… --events VersionCommitted,VersionFinalized
  fabric watch --purge iten…

Every block is printed once, even if the node restarts: the command reconnects, and
continues after the last printed block. With --best, a block of another fork that takes the
place of a printed one is also printed, with its own hash. The command fails if the chain was begun
anew, and waits for a node that is behind. Ctrl-C ends the command with success.")]
pub struct Options {
	/// Follow finalized blocks, which is the default
	#[arg(long, conflicts_with = "best")]
	finalized: bool,
	/// Follow best blocks, which a fork can still retract
	#[arg(long)]
	best: bool,
	/// Number of the first block [default: the current one]
	#[arg(long, value_name = "N")]
	from_block: Option<u64>,
	/// Print events of this space, provider, tenant or content object only: ispc…, iprv…, iten… or
	/// itq_…
	#[arg(long, value_name = "ID")]
	under: Option<Parent>,
	/// Print events with these names only
	#[arg(long, value_name = "NAME,…", value_delimiter = ',')]
	events: Vec<String>,
	/// Print the progress of the purge of this provider or tenant until it ends
	#[arg(
		long,
		value_name = "MEMBER",
		conflicts_with_all = ["finalized", "best", "from_block", "under", "events"]
	)]
	purge: Option<MemberId>,
}

#[derive(Clone, Debug, Serialize)]
struct Line {
	block: u64,
	block_hash: String,
	#[serde(flatten)]
	event: BlockEvent,
}

impl Report for Line {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		writeln!(out, "block {}: {}", self.block, self.event.event)
	}
}

/// Prints events, or the progress of a purge, until Ctrl-C.
pub async fn run(options: Options, context: &Context) -> Result<(), Error> {
	let chain = context.connect().await?;
	if options.best && chain.is_light() {
		return Err(chain::Error::NeedsNode {
			what: "watch --best",
			reason: "a light client reports final blocks only",
		}
		.into());
	}
	let json = context.json();
	let watched = async {
		match options.purge {
			Some(member) => purge(chain, member, json).await,
			None => events(options, chain, json).await,
		}
	};
	tokio::select! {
		ended = watched => ended,
		interrupted = tokio::signal::ctrl_c() => Ok(interrupted.map_err(OutputError)?),
	}
}

async fn events(options: Options, chain: Arc<Chain>, json: bool) -> Result<(), Error> {
	ensure_names(&options.events, &chain.best().await?.fabric_event_names()?)?;
	let mut filter = Filter::new(options.under, options.events);
	let wait = if options.best { Wait::Best } else { Wait::Finalized };
	let mut follower = Follower::new(chain, wait, options.from_block);
	loop {
		let block = follower.next().await?;
		let printed = print(follower.chain(), &block, &mut filter, json).await;
		match printed {
			Ok(()) => follower.printed(&block),
			Err(error) => follower.recover(error).await?,
		}
	}
}

async fn print(chain: &Chain, block: &Block, filter: &mut Filter, json: bool) -> Result<(), Error> {
	let events = filter.pass(chain, block).await?;
	events.into_iter().try_for_each(|event| {
		let block_hash = format!("0x{}", hex::encode(block.hash));
		Ok(output::print(&Line { block: block.number, block_hash, event }, json)?)
	})
}

/// Prints how many rows are left after each best block, until none is.
async fn purge(mut chain: Arc<Chain>, member: MemberId, json: bool) -> Result<(), Error> {
	let purge = Watched::find(&chain.best().await?, member).await?;
	let (mut last, mut origin) = (None, Origin::default());
	loop {
		match steps(&chain, &purge, &mut last, &mut origin, json).await {
			Err(error) if error.is_connection() => {
				origin.disconnected();
				chain = reconnect(&chain, &error).await?;
			},
			ended => return ended,
		}
	}
}

async fn steps(
	chain: &Chain,
	purge: &Watched,
	last: &mut Option<Step>,
	origin: &mut Origin,
	json: bool,
) -> Result<(), Error> {
	let mut blocks = chain.blocks(Wait::Best).await?;
	let mut at = chain.best().await?;
	loop {
		origin.ensure_same(chain).await?;
		let printed = last.map(|last| last.block);
		match printed.filter(|printed| *printed > at.block_number()) {
			Some(printed) => origin.behind(at.block_number(), printed),
			None => origin.caught_up(),
		}
		// A subscription begins with a block that may have been printed.
		if printed.is_none_or(|printed| printed < at.block_number()) {
			let left = purge.rows_left(&at).await?;
			let step = purge.step(&at, left);
			output::print(&step, json)?;
			*last = Some(step);
			if left.is_none() {
				return Ok(());
			}
		}
		at = blocks.next().await?;
	}
}

fn ensure_names(names: &[String], known: &[String]) -> Result<(), Error> {
	match names.iter().find(|name| !known.contains(name)) {
		Some(name) => Err(Error::Usage(format!(
			"the fabric has no event `{name}`: its events are {}",
			known.join(", ")
		))),
		None => Ok(()),
	}
}

/// Connects to the node again, as long as it takes.
async fn reconnect(chain: &Chain, lost: &Error) -> Result<Arc<Chain>, Error> {
	warn(&format!("{lost}; connecting again"));
	let chain = chain.reconnect(std::time::Duration::MAX).await?;
	warn("connected again");
	Ok(Arc::new(chain))
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn names_of_events_must_be_those_of_the_chain() {
		let known = ["SpaceCreated".to_owned(), "Slashed".to_owned()];
		assert!(ensure_names(&[], &known).is_ok());
		assert!(ensure_names(&known, &known).is_ok());
		let error = ensure_names(&["slashed".into()], &known).expect_err("the case matters");
		assert_eq!(
			error.to_string(),
			"the fabric has no event `slashed`: its events are SpaceCreated, Slashed"
		);
	}
}

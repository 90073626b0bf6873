//! `fabric watch-purge`: follows the purge of a provider or a tenant, block by block.

use clap::Args;

use crate::{chain::Chain, member, output, purges::Watched, Error};

/// The arguments of `fabric watch-purge`.
#[derive(Debug, Args)]
pub struct Options {
	/// The id of the provider (iprv…) or the tenant (iten…).
	pub id: String,
}

/// Prints how many rows are left after each new best block, until none is. In JSON every block is a
/// line.
pub async fn run(options: Options, url: &str, json: bool) -> Result<(), Error> {
	let member = member::parse(&options.id)?;
	let chain = Chain::connect(url).await?;
	let mut blocks = chain.best_blocks().await?;
	let mut at = chain.best().await?;
	let purge = Watched::find(&at, member).await?;
	loop {
		let (block, left) = (at.block_number(), purge.rows_left(&at).await?);
		output::print(&purge.step(&at, left), json)?;
		if left.is_none() {
			return Ok(());
		}
		// The subscription may begin with blocks before this one.
		while at.block_number() <= block {
			at = blocks.next().await?;
		}
	}
}

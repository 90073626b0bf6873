// SPDX-License-Identifier: Apache-2.0
//! The progress of a purge, block by block.

use std::sync::Arc;

use content_fabric_primitives::MemberId;

use super::reconnect;
use crate::{
	chain::{Chain, Wait},
	commands::purges::{Step, Watched},
	output, Error,
};

/// Prints how many rows are left after each best block, until none is.
pub async fn run(mut chain: Arc<Chain>, member: MemberId, json: bool) -> Result<(), Error> {
	let purge = Watched::find(&chain.best().await?, member).await?;
	let mut last = None;
	loop {
		match steps(&chain, &purge, &mut last, json).await {
			Err(error) if error.is_connection() => chain = reconnect(&chain, &error).await?,
			ended => return ended,
		}
	}
}

async fn steps(
	chain: &Chain,
	purge: &Watched,
	last: &mut Option<Step>,
	json: bool,
) -> Result<(), Error> {
	let mut blocks = chain.blocks(Wait::Best).await?;
	let mut at = chain.best().await?;
	loop {
		// A subscription begins with a block that may have been printed.
		if last.is_none_or(|last| last.block < at.block_number()) {
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

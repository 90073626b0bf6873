//! `fabric watch-deletion`: how far the deletion of a provider or a tenant has come, block by
//! block.

use std::{
	fmt,
	io::{self, Write},
};

use clap::Args;
use serde::Serialize;

use crate::{
	chain::{Chain, Snapshot},
	member::MemberId,
	output::{self, count, Report},
	storage, Error,
};

/// Which deletion is watched. It moves in new blocks only: on a chain that makes blocks for
/// transactions, when there are some.
#[derive(Debug, Args)]
pub struct Options {
	/// The id of the provider (iprv…) or the tenant (iten…).
	pub id: String,
}

/// How far a deletion had come after a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
	/// The number of the block.
	pub block: u64,
	/// Number of rows when the deletion started.
	pub rows: u32,
	/// Number of rows that were left. When there are none the id is free again.
	pub rows_left: u32,
}

impl fmt::Display for Step {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		let Self { block, rows, rows_left } = self;
		match rows_left {
			0 => write!(f, "block {block}: none of {} left", count(*rows, "row", "rows")),
			left => {
				let rows = count(*rows, "row", "rows");
				write!(f, "block {block}: {} of {rows} left", output::grouped((*left).into()))
			},
		}
	}
}

impl Report for Step {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		writeln!(out, "{self}")
	}
}

/// Number of rows that are left under a member that is being deleted. `None` if it is not: the last
/// is gone, and somebody may have taken the id again.
pub async fn rows_left(at: &Snapshot, member: MemberId) -> Result<Option<u32>, Error> {
	let info = member.find(at).await?.filter(|info| info.being_deleted);
	Ok(info.map(|info| info.rows))
}

/// Number of rows when the deletion of a member started.
pub async fn rows_of(at: &Snapshot, member: MemberId) -> Result<u32, Error> {
	let deletion = at.get(&storage::deletions(), (member.subject(),)).await?;
	let none = || Error::NotBeingDeleted { kind: member.kind(), id: member.to_string() };
	Ok(deletion.ok_or_else(none)?.rows)
}

/// Prints how many rows are left after each new best block, until none is. In JSON every block is a
/// line.
pub async fn run(options: Options, url: &str, json: bool) -> Result<(), Error> {
	let member: MemberId = options.id.parse()?;
	let chain = Chain::connect(url).await?;
	let mut blocks = chain.best_blocks().await?;
	let mut at = chain.best().await?;
	let rows = rows_of(&at, member).await?;
	loop {
		let (block, left) = (at.block_number(), rows_left(&at, member).await?);
		output::print(&Step { block, rows, rows_left: left.unwrap_or(0) }, json)?;
		if left.is_none() {
			return Ok(());
		}
		// Those that came before may be told too.
		while at.block_number() <= block {
			at = blocks.next().await?;
		}
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn a_step_says_how_many_rows_are_left() {
		let step = |rows, rows_left| Step { block: 7, rows, rows_left }.to_string();
		assert_eq!(step(4_287, 1_287), "block 7: 1,287 of 4,287 rows left");
		assert_eq!(step(1, 1), "block 7: 1 of 1 row left");
		assert_eq!(step(4_287, 0), "block 7: none of 4,287 rows left");
	}
}

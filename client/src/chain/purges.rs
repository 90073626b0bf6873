//! Purges: their progress, and the transactions that drive them.
//!
//! A chain removes the rows of a purge in blocks that have weight to spare. A development chain
//! makes blocks for transactions only, so [`drive`] sends some that remove rows, which costs no
//! fee.

use std::{fmt, time::Duration};

use content_fabric_identifiers::Muid;
use content_fabric_primitives::MemberId;
use serde::Serialize;

use super::{
	calls::Reap, kind, limits::number_with_room, rows, rows::Member, Chain, Snapshot, Wait,
};
use crate::{
	keys::Signer,
	output::{count, grouped, warn},
	Error,
};

/// The progress of a purge after a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
	/// The number of the block.
	pub block: u64,
	/// Number of rows when the purge started.
	pub rows: u32,
	/// Number of rows that were left. With the last one, the purge ends.
	pub rows_left: u32,
}

impl fmt::Display for Step {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		let Self { block, rows, rows_left } = self;
		let rows = count(*rows, "row", "rows");
		match rows_left {
			0 => write!(f, "block {block}: none of {rows} left"),
			left => write!(f, "block {block}: {} of {rows} left", grouped((*left).into())),
		}
	}
}

/// A purge that was under way when it was found.
#[derive(Clone, Copy, Debug)]
pub struct Watched {
	/// The member whose rows are removed.
	pub member: MemberId,
	/// Number of rows when the purge started.
	pub rows: u32,
	/// When the member was created.
	created: Muid,
}

impl Watched {
	/// Finds the purge of a member.
	pub async fn find(at: &Snapshot, member: MemberId) -> Result<Self, Error> {
		let purge = at.get(&rows::purges(), (member,)).await?;
		match (purge, at.find_member(member).await?) {
			(Some(purge), Some(info)) => {
				Ok(Self { member, rows: purge.rows, created: info.created })
			},
			(_, found) => {
				let (kind, id) = (kind(member), member.to_string());
				Err(match found {
					Some(_) => Error::NotBeingPurged { kind, id },
					None => Error::Unknown { kind, id }.with_hint("it may just have been deleted"),
				})
			},
		}
	}

	/// Returns the number of rows that are left. `None` if the purge has ended: somebody may have
	/// taken the id again.
	pub async fn rows_left(&self, at: &Snapshot) -> Result<Option<u32>, Error> {
		let info = at.find_member(self.member).await?;
		Ok(info.filter(|info| self.is_purge_of(info)).map(|info| info.row_count()))
	}

	fn is_purge_of(&self, info: &Member) -> bool {
		info.purge.is_some() && info.created == self.created
	}

	/// Returns the step after which this many rows are left.
	pub fn step(&self, at: &Snapshot, left: Option<u32>) -> Step {
		Step { block: at.block_number(), rows: self.rows, rows_left: left.unwrap_or(0) }
	}
}

/// Removes rows until none is left. Prints on standard error how many are left after each block. An
/// error says how to go on.
pub async fn drive(
	chain: &Chain,
	purge: &Watched,
	signer: &Signer,
	timeout: Duration,
) -> Result<Vec<Step>, Error> {
	steps(chain, purge, signer, timeout).await.map_err(|error| {
		error.with_hint(format!(
			"the purge is under way: follow it with `fabric watch --purge {}`",
			purge.member
		))
	})
}

async fn steps(
	chain: &Chain,
	purge: &Watched,
	signer: &Signer,
	timeout: Duration,
) -> Result<Vec<Step>, Error> {
	let mut steps = Vec::new();
	let mut limit = None;
	loop {
		let at = chain.best().await?;
		let left = purge.rows_left(&at).await?;
		let step = purge.step(&at, left);
		warn(&step.to_string());
		steps.push(step);
		let Some(left) = left else { return Ok(steps) };
		let reap = |limit| at.encode(Reap { member: purge.member, limit });
		let limit = match limit {
			Some(limit) => limit,
			None => *limit.insert(number_with_room(&at, left, reap).await?),
		};
		if let Err(error) = chain.submit(signer, &reap(limit)?, Wait::Best, timeout).await {
			// The chain may have removed the last row ahead of the transaction.
			if purge.rows_left(&chain.best().await?).await?.is_some() {
				return Err(error);
			}
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

// SPDX-License-Identifier: Apache-2.0
//! Purges: their progress, and the transactions that drive them.
//!
//! A chain removes the rows of a purge in blocks that have weight to spare. A development chain
//! makes blocks for transactions only, so [`drive`] sends some that remove rows. They cost no fee.

use std::{
	fmt,
	io::{self, Write},
	time::Duration,
};

use content_fabric_client::{
	chain::{
		self, calls::Reap, kind, limits::number_with_room, rows, rows::Member, Chain, FabricEvent,
		Snapshot, Wait,
	},
	keys::{ChainKind, Signer},
	text::{count, grouped},
};
use content_fabric_identifiers::Muid;
use content_fabric_primitives::MemberId;
use serde::Serialize;

use crate::{
	output::{warn, Report},
	Error,
};

/// Time without a block after which a chain is taken for one that makes blocks for transactions
/// only.
const PATIENCE: Duration = Duration::from_secs(30);

/// The progress of a purge after a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
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

impl Report for Step {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		writeln!(out, "{self}")
	}
}

/// A purge that was under way when it was found.
#[derive(Clone, Copy, Debug)]
pub struct Watched {
	pub member: MemberId,
	/// Number of rows when the purge started.
	pub rows: u32,
	created: Muid,
}

impl Watched {
	pub async fn find(at: &Snapshot, member: MemberId) -> Result<Self, Error> {
		let purge = at.get(rows::purges(), (member,)).await?;
		match (purge, at.find_member(member).await?) {
			(Some(purge), Some(info)) => {
				Ok(Self { member, rows: purge.rows, created: info.created })
			},
			(_, found) => {
				let (kind, id) = (kind(member), member.to_string());
				Err(match found {
					Some(_) => Error::NotFound(format!("no purge of the {kind} {id} is under way")),
					None => Error::from(chain::Error::Unknown { kind, id })
						.with_hint("it may just have been deleted"),
				})
			},
		}
	}

	/// Reads the purge of a member from the event with which it has started.
	pub fn started(event: &FabricEvent, member: MemberId) -> Option<Self> {
		match *event {
			FabricEvent::PurgeStarted { member: started, created, rows } if started == member => {
				Some(Self { member, rows, created })
			},
			_ => None,
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

	/// Returns the question to the user before the command takes up the purge, with `left` rows
	/// left.
	pub fn question(&self, left: u32, signer: &Signer) -> String {
		let Self { member, rows, .. } = self;
		format!(
			"About to follow the purge of the {} {member}, which the node reports to be under way, and \
			 to remove rows in at most {}.\n  call      ContentFabric.reap\n  signer    {}\n  rows      \
			 {} of {} left",
			kind(*member),
			count(most_reaps(left), "transaction", "transactions"),
			signer.account(),
			grouped(left.into()),
			grouped((*rows).into()),
		)
	}

	/// Returns the step after which this many rows are left.
	pub fn step(&self, at: &Snapshot, left: Option<u32>) -> Step {
		Step { block: at.block_number(), rows: self.rows, rows_left: left.unwrap_or(0) }
	}
}

/// Follows a purge until no row is left. Prints on standard error how many are left after each
/// block. An error says how to go on.
///
/// Removes rows by transactions where the chain does not do it by itself: at once on development
/// and local chains, elsewhere if no block comes for a while. `shown` is the number of rows to
/// whose removal the user has agreed, and no more transactions than that are signed.
pub async fn drive(
	chain: &Chain,
	purge: &Watched,
	shown: u32,
	signer: &Signer,
	timeout: Duration,
) -> Result<Vec<Step>, Error> {
	let steps = async {
		let reaps = Reaps::new(purge.member, shown);
		let mut driver = Driver { chain, purge, signer, timeout, reaps };
		match chain.identity().kind {
			ChainKind::Live => driver.wait().await,
			ChainKind::Development | ChainKind::Local => driver.push().await,
		}
	};
	steps.await.map_err(|error| {
		error.with_hint(format!(
			"the purge is under way: follow it with `fabric watch --purge {}`",
			purge.member
		))
	})
}

/// Returns the number of transactions that rows may take. Each removes one row at least.
fn most_reaps(rows: u32) -> u32 {
	rows.max(1)
}

/// The transactions that remove rows. It is a node alone that says how many rows are left, so their
/// number is limited, and rows must become fewer.
struct Reaps {
	member: MemberId,
	most: u32,
	signed: u32,
	/// Number of rows that were left before the last one.
	left: Option<u32>,
	/// Number of the last ones, one after the other, that have removed nothing.
	in_vain: u32,
}

impl Reaps {
	/// Number of transactions in a row that may remove nothing.
	const MOST_IN_VAIN: u32 = 1;

	fn new(member: MemberId, rows: u32) -> Self {
		Self { member, most: most_reaps(rows), signed: 0, left: None, in_vain: 0 }
	}

	/// Counts a transaction that is about to be signed while `left` rows are left, or refuses it.
	fn count(&mut self, left: u32) -> Result<(), Error> {
		match self.left.replace(left) {
			Some(before) if left >= before => self.in_vain += 1,
			_ => self.in_vain = 0,
		}
		if self.in_vain > Self::MOST_IN_VAIN || self.signed >= self.most {
			return Err(Error::PurgeStalled { member: self.member, reaps: self.signed, left });
		}
		self.signed += 1;
		Ok(())
	}
}

struct Driver<'a> {
	chain: &'a Chain,
	purge: &'a Watched,
	signer: &'a Signer,
	timeout: Duration,
	reaps: Reaps,
}

impl Driver<'_> {
	/// Waits for blocks in which the chain removes rows.
	async fn wait(&mut self) -> Result<Vec<Step>, Error> {
		let mut steps = Vec::new();
		let mut blocks = self.chain.blocks(Wait::Best).await?;
		let mut at = self.chain.best().await?;
		while let Some(left) = self.step(&at, &mut steps).await? {
			let block = at.block_number();
			// The subscription may begin with blocks before this one.
			while at.block_number() <= block {
				match tokio::time::timeout(PATIENCE, blocks.next()).await {
					Ok(next) => at = next?,
					Err(_) => {
						at = self.chain.best().await?;
						let limit = reap_limit(&at, self.purge.member, left).await?;
						self.reap(&at, left, limit).await?;
						at = self.chain.best().await?;
					},
				}
			}
		}
		Ok(steps)
	}

	/// Removes rows by one transaction a block.
	async fn push(&mut self) -> Result<Vec<Step>, Error> {
		let mut steps = Vec::new();
		let mut limit = None;
		loop {
			let at = self.chain.best().await?;
			let Some(left) = self.step(&at, &mut steps).await? else { return Ok(steps) };
			let limit = match limit {
				Some(limit) => limit,
				None => *limit.insert(reap_limit(&at, self.purge.member, left).await?),
			};
			self.reap(&at, left, limit).await?;
		}
	}

	/// Prints the progress after a block and adds it to `steps`. Returns the number of rows that
	/// are left, `None` if the purge has ended.
	async fn step(&self, at: &Snapshot, steps: &mut Vec<Step>) -> Result<Option<u32>, Error> {
		let left = self.purge.rows_left(at).await?;
		let step = self.purge.step(at, left);
		warn(&step.to_string());
		steps.push(step);
		Ok(left)
	}

	async fn reap(&mut self, at: &Snapshot, left: u32, limit: u32) -> Result<(), Error> {
		self.reaps.count(left)?;
		match self.rehearse_and_submit(at, limit).await {
			// The chain may have removed the last row ahead of the transaction.
			Err(error) if self.purge.rows_left(&self.chain.best().await?).await?.is_some() => {
				Err(error)
			},
			_ => Ok(()),
		}
	}

	async fn rehearse_and_submit(&self, at: &Snapshot, limit: u32) -> Result<(), Error> {
		let call = at.encode(Reap { member: self.purge.member, limit })?;
		if let Some(reason) = at.rehearse(self.signer.account(), &call).await?.error {
			return Err(chain::Error::Dispatch { call: call.name(), reason }.into());
		}
		self.chain.submit(self.signer, &call, Wait::Best, self.timeout).await?;
		Ok(())
	}
}

/// Returns the number of rows, of those that are left, that one transaction has room to remove.
pub async fn reap_limit(at: &Snapshot, member: MemberId, left: u32) -> Result<u32, Error> {
	Ok(number_with_room(at, left, |limit| at.encode(Reap { member, limit })).await?)
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::TenantId;

	use super::*;

	#[test]
	fn a_purge_is_read_from_the_event_with_which_it_started() {
		let member = MemberId::from(TenantId([7; 10]));
		let created = Muid::from_bytes([1; 16]);
		let event = FabricEvent::PurgeStarted { member, created, rows: 12 };
		let purge = Watched::started(&event, member).expect("it is a purge of the member");
		assert_eq!((purge.member, purge.rows, purge.created), (member, 12, created));
		let progressed = FabricEvent::PurgeProgressed { member, removed: 1, rows_left: 11 };
		assert!(Watched::started(&progressed, member).is_none());
		// A node must not redirect the command to a member that the user has not named.
		let other = TenantId([8; 10]).into();
		assert!(Watched::started(&event, other).is_none());
	}

	/// Returns the number of transactions that are signed while rows are left by a node's account.
	fn signed(rows: u32, left: impl IntoIterator<Item = u32>) -> (u32, Option<String>) {
		let member = TenantId([7; 10]).into();
		let mut reaps = Reaps::new(member, rows);
		let refused = left.into_iter().find_map(|left| reaps.count(left).err());
		(reaps.signed, refused.map(|error| error.to_string()))
	}

	#[test]
	fn no_more_is_signed_after_two_transactions_that_removed_nothing() {
		let (number, refused) = signed(1_000, std::iter::repeat(1_000));
		assert_eq!(number, 2);
		let refused = refused.expect("the rows do not become fewer");
		assert!(refused.contains("after 2 transactions with 1000 rows left"), "{refused}");
		// Rows that become more are not removed, either.
		assert_eq!(signed(1_000, [10, 11, 12]).0, 2);
		assert_eq!(signed(1_000, [10, 10, 9, 9, 8]), (5, None));
	}

	#[test]
	fn no_more_transactions_are_signed_than_rows_were_shown() {
		let (number, refused) = signed(3, (0..1_000_000).rev());
		assert_eq!(number, 3);
		assert!(refused.is_some());
		assert_eq!(signed(3, [3, 2, 1]), (3, None));
		assert_eq!(signed(0, [1]), (1, None));
	}

	#[test]
	fn taking_up_a_purge_shows_the_call_the_signer_and_the_rows() {
		let member = TenantId([7; 10]).into();
		let purge = Watched { member, rows: 2_000, created: Muid::from_bytes([1; 16]) };
		let signer = content_fabric_client::keys::Signer::from(subxt_signer::sr25519::dev::alice());
		let question = purge.question(1_500, &signer);
		let account = signer.account().to_string();
		for shown in [
			&*member.to_string(),
			"at most 1,500 transactions",
			"reap",
			&account,
			"1,500 of 2,000 left",
		] {
			assert!(question.contains(shown), "{question}");
		}
	}
}

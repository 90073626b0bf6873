// SPDX-License-Identifier: Apache-2.0
//! Commits of versions, which a node drafts.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bounded_collections::ConstU32;
use content_fabric_identifiers::{Medallion, Muid, NodeId, ProviderId};

use super::{rows, Chain, Error, Snapshot, Wait};

/// A commit as this client makes it. The chain has a smaller limit of its own.
pub type VersionCommit = content_fabric_primitives::VersionCommit<Unlimited, Unlimited>;

/// No limit of a list.
type Unlimited = ConstU32<{ u32::MAX }>;

/// Maximum wait for the next block. The chain may make blocks for transactions only.
const NEXT_BLOCK: Duration = Duration::from_secs(8);

/// Mints the muids of a node's commits.
#[derive(Clone, Copy, Debug)]
pub struct MuidSource {
	/// The node.
	pub node: NodeId,
	/// The medallion of the node.
	pub medallion: u64,
	/// The last muid of the node or of the chain. The next one must be later: a version becomes the
	/// head only if it was drafted after the tenant's last decision about the head, which has a
	/// muid of the chain.
	pub last: Option<Muid>,
	/// True if the chain [stands still](Chain::stands_still).
	pub stands_still: bool,
}

impl MuidSource {
	/// Reads what the chain says of a node at a block.
	pub async fn read(
		at: &Snapshot,
		(provider, node): (ProviderId, NodeId),
		stands_still: bool,
	) -> Result<Self, Error> {
		let (info, minted) = tokio::try_join!(
			at.get(rows::nodes(), (provider, node)),
			at.get(rows::last_muid(), ()),
		)?;
		let info = info.ok_or_else(|| Error::Unknown { kind: "node", id: node.to_string() })?;
		let last = info.last_muid.max(minted);
		Ok(Self { node, medallion: info.medallion.into(), last, stands_still })
	}

	/// Returns the next muid: at the time of the chain, unless that stands still, and later than
	/// all before. `clock` is the time of this machine. Both are in microseconds since the Unix
	/// epoch.
	pub fn next(&mut self, chain: u64, clock: u64) -> Result<Muid, Error> {
		let now = time_of_commit(chain, clock, self.stands_still);
		let next = muid(now, self.medallion, self.last);
		let next = next.map_err(|reason| Error::Muid { node: self.node, reason })?;
		self.last = Some(next);
		Ok(next)
	}
}

impl Chain {
	/// Returns whether the chain makes no blocks now, so that the one after `at` will have the time
	/// of this machine's clock. Such a chain may make blocks for transactions only.
	///
	/// Some chains make blocks although their clock is behind, such as development chains that
	/// began in the past. So this waits for a block if the chain's time is so old that it could be
	/// refused in a commit.
	pub async fn stands_still(&self, at: &Snapshot) -> Result<bool, Error> {
		let max_age: u64 = at.constant("ContentFabric", "MaxCommitAge")?;
		let age = wall_clock().saturating_sub(at.now_micros().await?);
		if age <= max_age.saturating_mul(1_000) / 2 {
			return Ok(false);
		}
		let mut blocks = self.blocks(Wait::Best).await?;
		let next = async {
			// The stream may begin with the present block.
			while blocks.next().await?.block_number() <= at.block_number() {}
			Ok(())
		};
		match tokio::time::timeout(NEXT_BLOCK, next).await {
			Ok(next) => next.map(|()| false),
			Err(_) => Ok(true),
		}
	}
}

/// Returns the time of this machine's clock, in microseconds since the Unix epoch.
pub fn wall_clock() -> u64 {
	let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
	u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX)
}

/// Returns the time of a commit, in microseconds: the chain's, whatever the clock of this machine
/// shows, unless the chain [stands still](Chain::stands_still).
fn time_of_commit(chain: u64, clock: u64, stands_still: bool) -> u64 {
	match stands_still {
		true => chain.max(clock),
		false => chain,
	}
}

/// Returns a muid of a medallion at the time `now`, or later if the last muid is not earlier.
fn muid(now: u64, medallion: u64, last: Option<Muid>) -> Result<Muid, String> {
	let medallion = Medallion::new(medallion).map_err(|error| error.to_string())?;
	Muid::next_transaction(last, now, medallion).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn muids_have_the_chains_time_or_the_next_after_those_before() {
		let medallion = Medallion::FIRST_ASSIGNABLE;
		let at = |timestamp, medallion: Medallion| {
			Muid::new(timestamp, medallion, 7).expect("the time is within range")
		};
		for (last, timestamp) in [
			(None, 1_000),
			(Some(at(10, medallion)), 1_000),
			(Some(at(1_000, medallion)), 1_001),
			(Some(at(3_000, Medallion::MAX)), 3_001),
		] {
			let muid = muid(1_000, medallion.get(), last).expect("there is time left");
			assert_eq!(muid, Muid::new(timestamp, medallion, 0).expect("it is within range"));
		}
		assert!(muid(1_000, u64::MAX, None).is_err());
		assert!(muid(u64::MAX, medallion.get(), None).is_err());
	}

	#[test]
	fn commits_have_the_time_of_the_clock_if_the_chain_stands_still() {
		assert_eq!(time_of_commit(1_000, 9_000, false), 1_000);
		assert_eq!(time_of_commit(1_000, 0, false), 1_000);
		assert_eq!(time_of_commit(1_000, 9_000, true), 9_000);
		// Its next block is later than its last one, whatever the clock shows.
		assert_eq!(time_of_commit(1_000, 0, true), 1_000);
	}
}

// SPDX-License-Identifier: Apache-2.0
//! Commits of versions, which a node drafts.

use std::time::{SystemTime, UNIX_EPOCH};

use bounded_collections::ConstU32;
use content_fabric_identifiers::{Medallion, Muid, NodeId, ProviderId};

use super::{rows, Error, Snapshot};

/// A commit as this client makes it. The chain has a smaller limit of its own.
pub type VersionCommit = content_fabric_primitives::VersionCommit<ConstU32<{ u32::MAX }>>;

impl Snapshot {
	/// Returns the muid of a node's next commit.
	///
	/// It has the time of the chain, and is later than all that the node has committed and the chain
	/// has minted: a version becomes the head only if it was drafted after the tenant's last decision
	/// about the head, which has a muid of the chain.
	pub async fn next_muid(&self, provider: ProviderId, node: NodeId) -> Result<Muid, Error> {
		let (nodes, last_muid) = (rows::nodes(), rows::last_muid());
		let (now, info, minted) = tokio::try_join!(
			self.now_micros(),
			self.get(&nodes, (provider, node)),
			self.get(&last_muid, ()),
		)?;
		let info = info.ok_or_else(|| Error::Unknown { kind: "node", id: node.to_string() })?;
		let max_age: u64 = self.constant("ContentFabric", "MaxCommitAge")?;
		let now = time_of_commit(now, wall_clock(), max_age.saturating_mul(1_000));
		let earlier = [info.last_muid, minted].into_iter().flatten();
		muid(now, info.medallion, earlier).map_err(|reason| Error::Muid { node, reason })
	}
}

/// Returns the time of this machine's clock, in microseconds since the Unix epoch.
pub fn wall_clock() -> u64 {
	let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
	u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX)
}

/// Returns the time of a commit: the chain's, whatever the clock of this machine shows. A chain that
/// makes blocks for transactions only may have made none for long, and its next one has the time of
/// the clock. All times are in microseconds.
pub(crate) fn time_of_commit(chain: u64, clock: u64, max_age: u64) -> u64 {
	match clock.saturating_sub(chain) > max_age / 2 {
		true => clock,
		false => chain,
	}
}

/// Returns a muid of a medallion at the time `now`, or later if an earlier muid is not.
fn muid(now: u64, medallion: u64, earlier: impl IntoIterator<Item = Muid>) -> Result<Muid, String> {
	let medallion = Medallion::new(medallion).map_err(|error| error.to_string())?;
	let last = earlier.into_iter().max();
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
		for (earlier, timestamp) in [
			(vec![], 1_000),
			(vec![at(10, medallion)], 1_000),
			(vec![at(1_000, medallion)], 1_001),
			(vec![at(2_000, medallion), at(3_000, Medallion::MAX)], 3_001),
			(vec![at(3_000, medallion), at(2_000, Medallion::MAX)], 3_001),
		] {
			let muid = muid(1_000, medallion.get(), earlier).expect("there is time left");
			assert_eq!(muid, Muid::new(timestamp, medallion, 0).expect("it is within range"));
		}
		assert!(muid(1_000, u64::MAX, None).is_err());
		assert!(muid(u64::MAX, medallion.get(), None).is_err());
	}

	#[test]
	fn commits_have_the_time_of_the_clock_if_the_chain_stands_still() {
		assert_eq!(time_of_commit(1_000, 1_050, 100), 1_000);
		assert_eq!(time_of_commit(1_000, 1_051, 100), 1_051);
		assert_eq!(time_of_commit(1_000, 0, 100), 1_000);
	}
}

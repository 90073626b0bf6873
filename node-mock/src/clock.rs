// SPDX-License-Identifier: Apache-2.0
//! The time of each block.
//!
//! Aura allows one block a slot, so the time of a block must lie in a later slot than its parent's.
//! It is the wall clock's, unless that is still in or before the parent's slot: then it is the
//! start of the next slot. A burst of blocks thus runs ahead of the wall clock by one slot per
//! block, and the wall clock catches up afterwards.

use std::{sync::Arc, time::SystemTime};

use sc_client_api::HeaderBackend;
use sp_consensus_aura::{
	digests::CompatibleDigestItem, sr25519::AuthoritySignature, Slot, SlotDuration,
};
use sp_runtime::traits::{Block as BlockT, Header};
use sp_timestamp::{InherentDataProvider, Timestamp};

type Error = Box<dyn std::error::Error + Send + Sync>;

/// Provides the timestamp for a block on top of `parent`.
pub fn timestamp<Block: BlockT>(
	client: &Arc<impl HeaderBackend<Block>>,
	slot_duration: SlotDuration,
	parent: Block::Hash,
) -> Result<InherentDataProvider, Error> {
	let header = client.header(parent)?.ok_or_else(|| format!("no header of block {parent:?}"))?;
	let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH)?;
	let time = next_time(
		Timestamp::new(u64::try_from(now.as_millis())?),
		slot_duration,
		parent_slot::<Block>(&header),
	);
	Ok(InherentDataProvider::new(time))
}

fn parent_slot<Block: BlockT>(header: &Block::Header) -> Option<Slot> {
	header
		.digest()
		.logs()
		.iter()
		.find_map(CompatibleDigestItem::<AuthoritySignature>::as_aura_pre_digest)
}

fn next_time(now: Timestamp, slot_duration: SlotDuration, parent: Option<Slot>) -> Timestamp {
	// The genesis block has no slot.
	let earliest = parent.map_or(0, |slot| (*slot + 1).saturating_mul(slot_duration.as_millis()));
	Timestamp::new(now.as_millis().max(earliest))
}

#[cfg(test)]
mod tests {
	use super::*;

	const SLOT: SlotDuration = SlotDuration::from_millis(6_000);

	#[test]
	fn time_is_the_wall_clocks_where_the_slots_allow() {
		assert_eq!(next_time(Timestamp::new(60_001), SLOT, None), Timestamp::new(60_001));
		assert_eq!(
			next_time(Timestamp::new(60_001), SLOT, Some(Slot::from(9))),
			Timestamp::new(60_001)
		);
	}

	#[test]
	fn time_is_the_next_slots_in_a_burst_and_when_the_clock_steps_back() {
		let mut slot = Slot::from(10);
		for block in 1..100 {
			let time = next_time(Timestamp::new(60_001), SLOT, Some(slot));
			assert_eq!(time, Timestamp::new(60_000 + block * 6_000));
			slot = Slot::from_timestamp(time, SLOT);
		}
	}
}

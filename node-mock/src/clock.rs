// SPDX-License-Identifier: Apache-2.0
//! The time of each block.
//!
//! Aura allows one block a slot, so the time of a block must lie in a later slot than its parent's.
//! It is the time of the wall clock, or the start of the slot after the parent's if that is later.
//! A burst of blocks thus runs ahead of the wall clock by one slot per block, and the wall clock
//! catches up afterwards.

use std::{sync::Arc, time::SystemTime};

use sc_client_api::HeaderBackend;
use sc_consensus_aura::find_pre_digest;
use sp_consensus_aura::{sr25519::AuthoritySignature, Slot, SlotDuration};
use sp_runtime::traits::Block as BlockT;
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
	let now = Timestamp::new(u64::try_from(now.as_millis())?);
	let parent_slot = find_pre_digest::<Block, AuthoritySignature>(&header)?;
	Ok(InherentDataProvider::new(next_time(now, slot_duration, parent_slot)))
}

fn next_time(now: Timestamp, slot_duration: SlotDuration, parent: Slot) -> Timestamp {
	let earliest = (*parent + 1).saturating_mul(slot_duration.as_millis());
	Timestamp::new(now.as_millis().max(earliest))
}

#[cfg(test)]
mod tests {
	use super::*;

	const SLOT: SlotDuration = SlotDuration::from_millis(6_000);

	#[test]
	fn a_block_has_the_wall_clocks_time_in_a_later_slot_than_its_parent() {
		let now = Timestamp::new(60_001);
		// The genesis block is in slot 0.
		assert_eq!([0, 9].map(|parent| next_time(now, SLOT, Slot::from(parent))), [now; 2]);
	}

	#[test]
	fn a_block_in_a_burst_or_after_a_step_back_has_the_start_of_the_next_slot() {
		let mut slot = Slot::from(10);
		for block in 1..100 {
			let time = next_time(Timestamp::new(60_001), SLOT, slot);
			assert_eq!(time, Timestamp::new(60_000 + block * 6_000));
			slot = Slot::from_timestamp(time, SLOT);
		}
	}
}

// SPDX-License-Identifier: Apache-2.0
//! The weights that blocks register, and the time that they take.

use std::{
	collections::BTreeMap,
	time::{Duration, Instant},
};

use subxt::{ext::codec::Compact, utils::H256};

use crate::raw::{storage_value, Raw};

/// The largest weight of a block, in picoseconds of computing: two seconds, with both runtimes.
const MAX_WEIGHT: u64 = 2_000_000_000_000;
/// A block that registers less takes about as long as the request by which its time is measured.
const MEASURABLE: Duration = Duration::from_millis(50);
/// Number of measurements of a block. The shortest one counts: the nodes of a network share the
/// processors with each other.
const MEASUREMENTS: u32 = 3;

/// The weight of a class of calls: computing time, and size of proofs.
type Weight = (Compact<u64>, Compact<u64>);

/// Checks that no block exceeds the maximum weight, except session changes, which register it by
/// themselves. Until the purges end, no block takes longer than its weight. Later blocks set
/// runtimes, whose weights are the SDK's. Prints the block that takes the largest part of its
/// weight.
pub async fn check(raw: &Raw, blocks: &BTreeMap<u64, H256>, purged: u64) {
	let (mut before, mut full, mut measured) = (None, 0, 0);
	let mut longest = (0.0, 0, Duration::ZERO, Duration::ZERO);
	// The genesis block is never executed.
	for (number, block) in blocks.range(1..) {
		let session = session(raw, *block).await;
		let changes = before.replace(session).is_some_and(|before| before != session);
		let weight = weight(raw, *block).await;
		if changes {
			full += 1;
		} else {
			assert!(weight <= MAX_WEIGHT, "block {number} registers {weight} ps");
		}
		let registered = Duration::from_nanos(weight / 1_000);
		if registered < MEASURABLE || changes {
			continue;
		}
		let time = execution(raw, *block).await;
		let within = time <= registered || *number > purged;
		assert!(within, "block {number} takes {time:?}, and registers {registered:?}");
		measured += 1;
		println!("block {number} registers {registered:.1?} and takes {time:.0?}");
		let part = time.as_secs_f64() / registered.as_secs_f64();
		if part > longest.0 {
			longest = (part, *number, time, registered);
		}
	}
	let (part, number, time, registered) = longest;
	println!(
		"of {} blocks, {full} change sessions; of {measured} that register at least {MEASURABLE:?}, \
		 block {number} takes the largest part of it: {time:.0?} of {registered:.0?}, {:.0} %",
		blocks.len(),
		100.0 * part
	);
	assert!(measured > 0, "no block has registered {MEASURABLE:?}");
}

/// Returns the number of the session at a block.
pub async fn session(raw: &Raw, block: H256) -> Option<u32> {
	raw.value_at(&storage_value("Session", "CurrentIndex"), Some(block)).await
}

/// Returns the computing time that a block has registered, in picoseconds.
async fn weight(raw: &Raw, block: H256) -> u64 {
	let key = storage_value("System", "BlockWeight");
	let classes: [Weight; 3] = raw.value_at(&key, Some(block)).await.expect("every block has one");
	classes.into_iter().map(|(time, _)| time.0).sum()
}

/// Returns the time in which a node executes a block again.
async fn execution(raw: &Raw, block: H256) -> Duration {
	let (bytes, parent) = raw.unsigned_block(block).await;
	let mut shortest = Duration::MAX;
	for _ in 0..MEASUREMENTS {
		let start = Instant::now();
		raw.runtime_api_at("Core_execute_block", &bytes, Some(parent)).await;
		shortest = shortest.min(start.elapsed());
	}
	shortest
}

// SPDX-License-Identifier: Apache-2.0
//! Compares the clock of this machine with the clock of the chain.

use std::sync::{Mutex, MutexGuard, PoisonError};

use content_fabric_client::{
	chain::{wall_clock, Error as ChainError},
	text::length_of_time,
};
use tracing::{info, warn};

use super::{Fabric, Link};

/// Number of seconds by which the clocks may differ.
const TOLERANCE: u64 = 60;

/// A difference of the clocks that was found.
#[derive(Debug, Default)]
pub(super) struct Clock(Mutex<Option<String>>);

impl Clock {
	/// Notes the times of the chain and of this machine, in microseconds. Logs a difference once.
	/// Only a chain that makes blocks now can be behind.
	fn compare(&self, chain: u64, clock: u64, makes_blocks: bool) {
		let seconds = chain.abs_diff(clock) / 1_000_000;
		let mut said = self.said();
		if seconds <= TOLERANCE {
			if said.take().is_some() {
				info!("the clocks of this machine and of the chain agree again");
			}
			return;
		}
		if chain < clock && !makes_blocks {
			return;
		}
		let direction = if chain < clock { "ahead of" } else { "behind" };
		let length = length_of_time(seconds);
		let text = format!("the clock of this machine is {length} {direction} the chain's");
		if said.is_none() {
			warn!("{text}");
		}
		*said = Some(text);
	}

	/// Returns the difference, in words.
	pub fn difference(&self) -> Option<String> {
		self.said().clone()
	}

	fn said(&self) -> MutexGuard<'_, Option<String>> {
		self.0.lock().unwrap_or_else(PoisonError::into_inner)
	}
}

impl Fabric {
	/// Compares the clocks if the chain has a new best block. `seen` is the number of the last one.
	pub(super) async fn compare_clocks(
		&self,
		link: &Link,
		seen: &mut Option<u64>,
	) -> Result<(), ChainError> {
		let best = link.chain.best().await?;
		let before = seen.replace(best.block_number());
		let (chain, clock) = (best.now_micros().await?, wall_clock());
		let mut makes_blocks = before.is_some_and(|before| before < best.block_number());
		if makes_blocks && chain.abs_diff(clock) > TOLERANCE * 1_000_000 {
			// A node that is synchronizing has old blocks.
			let health = link.chain.rpc().system_health().await;
			makes_blocks = health.is_ok_and(|health| !health.is_syncing);
		}
		// The genesis block has no time.
		if chain > 0 {
			self.clock.compare(chain, clock, makes_blocks);
		}
		Ok(())
	}

	/// Returns the difference between the clocks of this machine and of the chain, if it is more
	/// than a minute.
	pub fn clock_difference(&self) -> Option<String> {
		self.clock.difference()
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn a_difference_of_more_than_a_minute_is_noted_while_blocks_come_and_ends() {
		const HOUR: u64 = 3_600_000_000;
		let text = |length, side| {
			Some(format!("the clock of this machine is {length} {side} the chain's"))
		};
		let clock = Clock::default();
		for (chain, now, makes_blocks, expected) in [
			(10 * HOUR, 10 * HOUR + 60_999_999, true, None),
			// It stands still.
			(10 * HOUR, 13 * HOUR, false, None),
			(10 * HOUR, 13 * HOUR, true, text("3 hours", "ahead of")),
			// It was not found to be right since.
			(10 * HOUR, 14 * HOUR, false, text("3 hours", "ahead of")),
			(10 * HOUR, 10 * HOUR, true, None),
			// No block is later than now, whether or not there are more.
			(10 * HOUR, 7 * HOUR, false, text("3 hours", "behind")),
			(10 * HOUR, 10 * HOUR - 61_000_000, true, text("61 seconds", "behind")),
			(10 * HOUR, 10 * HOUR, false, None),
		] {
			clock.compare(chain, now, makes_blocks);
			assert_eq!(clock.difference(), expected, "{chain} {now} {makes_blocks}");
		}
	}
}

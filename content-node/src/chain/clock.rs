// SPDX-License-Identifier: Apache-2.0
//! Compares the clock of this machine with the clock of the chain.

use std::{
	mem,
	sync::{Mutex, MutexGuard, PoisonError},
};

use content_fabric_client::{
	chain::{wall_clock, Error as ChainError},
	text::length_of_time,
};
use tracing::{info, warn};

use super::{Fabric, Link};

/// Number of seconds by which the clocks may differ.
const TOLERANCE: u64 = 60;

/// The number of seconds by which the clock of this machine was found to be ahead of the chain's. 0
/// if they agree.
#[derive(Debug, Default)]
pub(super) struct Clock(Mutex<i64>);

impl Clock {
	/// Notes the times of the chain and of this machine, in microseconds. Logs a difference once.
	/// Only a chain that makes blocks now can be behind.
	fn compare(&self, chain: u64, clock: u64, makes_blocks: bool) {
		let seconds = chain.abs_diff(clock) / 1_000_000;
		let mut ahead = self.lock();
		if seconds <= TOLERANCE {
			if mem::take(&mut *ahead) != 0 {
				info!("the clocks of this machine and of the chain agree again");
			}
			return;
		}
		if chain < clock && !makes_blocks {
			return;
		}
		let seconds = i64::try_from(seconds).unwrap_or(i64::MAX);
		let found = if chain < clock { seconds } else { -seconds };
		if mem::replace(&mut *ahead, found) == 0 {
			warn!("{}", in_words(found));
		}
	}

	/// Returns the number of seconds by which the clock of this machine is ahead.
	pub fn ahead(&self) -> i64 {
		*self.lock()
	}

	fn lock(&self) -> MutexGuard<'_, i64> {
		self.0.lock().unwrap_or_else(PoisonError::into_inner)
	}
}

fn in_words(ahead: i64) -> String {
	let direction = if ahead > 0 { "ahead of" } else { "behind" };
	let length = length_of_time(ahead.unsigned_abs());
	format!("the clock of this machine is {length} {direction} the chain's")
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
		Some(self.clock_ahead()).filter(|ahead| *ahead != 0).map(in_words)
	}

	/// Returns the number of seconds by which the clock of this machine is ahead of the chain's. 0
	/// if they differ by a minute at most.
	pub fn clock_ahead(&self) -> i64 {
		self.clock.ahead()
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn a_difference_of_more_than_a_minute_is_noted_while_blocks_come_and_ends() {
		const HOUR: u64 = 3_600_000_000;
		let clock = Clock::default();
		for (chain, now, makes_blocks, expected) in [
			(10 * HOUR, 10 * HOUR + 60_999_999, true, 0),
			// It stands still.
			(10 * HOUR, 13 * HOUR, false, 0),
			(10 * HOUR, 13 * HOUR, true, 10_800),
			// It was not found to be right since.
			(10 * HOUR, 14 * HOUR, false, 10_800),
			(10 * HOUR, 10 * HOUR, true, 0),
			// No block is later than now, whether or not there are more.
			(10 * HOUR, 7 * HOUR, false, -10_800),
			(10 * HOUR, 10 * HOUR - 61_000_000, true, -61),
			(10 * HOUR, 10 * HOUR, false, 0),
		] {
			clock.compare(chain, now, makes_blocks);
			assert_eq!(clock.ahead(), expected, "{chain} {now} {makes_blocks}");
		}
		for (ahead, words) in
			[(10_800, "3 hours ahead of"), (-10_800, "3 hours behind"), (-61, "61 seconds behind")]
		{
			assert_eq!(
				in_words(ahead),
				format!("the clock of this machine is {words} the chain's")
			);
		}
	}
}

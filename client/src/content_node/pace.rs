// SPDX-License-Identifier: Apache-2.0
//! The minimum speed of a download.

use std::time::Duration;

/// Number of bytes that must arrive within a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Least {
	pub bytes: u64,
	pub window: Duration,
}

impl Least {
	/// While another node may have the bytes: 16 KiB a second.
	pub(super) const BRISK: Self = Self { bytes: 320 << 10, window: Duration::from_secs(20) };
	/// From the last node: 16 KiB a minute, which each of several downloads exceeds on a line of a
	/// few KiB/s.
	pub(super) const LAX: Self = Self { bytes: 16 << 10, window: Duration::from_secs(60) };
}

/// Measures whether bytes arrive fast enough. Only the time in which the client waits for them
/// counts.
pub(super) struct Pace {
	least: Least,
	waited: Duration,
	arrived: u64,
}

impl Pace {
	/// Begins to measure.
	pub(super) fn new(least: Least) -> Self {
		Self { least, waited: Duration::ZERO, arrived: 0 }
	}

	/// Returns the time that is left for the next bytes. Zero means that they were too slow.
	pub(super) fn left(&self) -> Duration {
		self.least.window.saturating_sub(self.waited)
	}

	/// Returns the number of bytes that have arrived in the current window.
	pub(super) fn arrived(&self) -> u64 {
		self.arrived
	}

	/// Counts bytes that have arrived after some time.
	pub(super) fn count(&mut self, waited: Duration, bytes: u64) {
		self.waited = self.waited.saturating_add(waited);
		self.arrived = self.arrived.saturating_add(bytes);
		if self.arrived >= self.least.bytes {
			(self.waited, self.arrived) = (Duration::ZERO, 0);
		}
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	/// Returns the seconds after which a line is too slow, if it is within an hour.
	fn too_slow_after(least: Least, bytes_per_second: u64) -> Option<u64> {
		let mut pace = Pace::new(least);
		(1..=3_600).find(|_| {
			pace.count(Duration::from_secs(1), bytes_per_second);
			pace.left().is_zero()
		})
	}

	#[test]
	fn nodes_must_send_16_kib_a_second_and_the_last_one_16_kib_a_minute() {
		for (least, window, slow, fast) in
			[(Least::LAX, 60, 250, 512), (Least::BRISK, 20, 16_000, 17_300)]
		{
			assert_eq!(too_slow_after(least, 0), Some(window));
			assert_eq!(too_slow_after(least, 1), Some(window));
			assert_eq!(too_slow_after(least, slow), Some(window));
			assert_eq!(too_slow_after(least, fast), None);
			assert_eq!(too_slow_after(least, u64::MAX), None);
		}
	}

	#[test]
	fn what_arrives_late_does_not_make_up_for_a_node_that_stops() {
		let mut pace = Pace::new(Least::LAX);
		pace.count(Duration::from_secs(1), 1 << 30);
		pace.count(Duration::from_secs(59), Least::LAX.bytes - 1);
		assert_eq!(pace.left(), Duration::from_secs(1));
		pace.count(Duration::from_secs(1), 0);
		assert!(pace.left().is_zero());
	}
}

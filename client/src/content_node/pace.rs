// SPDX-License-Identifier: Apache-2.0
//! The minimum speed of a download.

use std::time::Duration;

/// Number of bytes that must arrive within a window. With the window of a node this is 256 bytes a
/// second, which each of several downloads exceeds on a line of a few KiB/s.
pub(super) const LEAST: u64 = 16 << 10;

/// Measures whether bytes arrive fast enough. Only the time in which the client waits for them
/// counts.
pub(super) struct Pace {
	window: Duration,
	waited: Duration,
	arrived: u64,
}

impl Pace {
	/// Begins to measure. Each [`LEAST`] bytes must arrive within `window`.
	pub(super) fn new(window: Duration) -> Self {
		Self { window, waited: Duration::ZERO, arrived: 0 }
	}

	/// Returns the time that is left for the next bytes. Zero means that they were too slow.
	pub(super) fn left(&self) -> Duration {
		self.window.saturating_sub(self.waited)
	}

	/// Counts bytes that have arrived after some time.
	pub(super) fn count(&mut self, waited: Duration, bytes: u64) {
		self.waited = self.waited.saturating_add(waited);
		self.arrived = self.arrived.saturating_add(bytes);
		if self.arrived >= LEAST {
			(self.waited, self.arrived) = (Duration::ZERO, 0);
		}
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	/// Returns the seconds after which a line is too slow, if it is within an hour.
	fn too_slow_after(bytes_per_second: u64) -> Option<u64> {
		let mut pace = Pace::new(Duration::from_secs(60));
		(1..=3_600).find(|_| {
			pace.count(Duration::from_secs(1), bytes_per_second);
			pace.left().is_zero()
		})
	}

	#[test]
	fn a_byte_a_second_is_too_slow_and_half_a_kibibyte_is_not() {
		assert_eq!(too_slow_after(0), Some(60));
		assert_eq!(too_slow_after(1), Some(60));
		assert_eq!(too_slow_after(250), Some(60));
		assert_eq!(too_slow_after(512), None);
		assert_eq!(too_slow_after(u64::MAX), None);
	}

	#[test]
	fn what_arrives_late_does_not_make_up_for_a_node_that_stops() {
		let mut pace = Pace::new(Duration::from_secs(60));
		pace.count(Duration::from_secs(1), 1 << 30);
		pace.count(Duration::from_secs(59), LEAST - 1);
		assert_eq!(pace.left(), Duration::from_secs(1));
		pace.count(Duration::from_secs(1), 0);
		assert!(pace.left().is_zero());
	}
}

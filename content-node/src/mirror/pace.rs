// SPDX-License-Identifier: Apache-2.0
//! The rate of downloads from other nodes.

use std::{
	sync::{Mutex, PoisonError},
	thread,
	time::{Duration, Instant},
};

/// Longest sleep before the caller is asked again whether to go on.
const NAP: Duration = Duration::from_millis(200);

/// Largest number of bytes in a second, for all downloads together.
#[derive(Debug)]
pub(super) struct Rate {
	bytes: u64,
	/// The time from which on the next bytes may arrive.
	free: Mutex<Instant>,
}

impl Rate {
	pub(super) fn new(bytes: u64) -> Self {
		Self { bytes: bytes.max(1), free: Mutex::new(Instant::now()) }
	}

	/// Waits as long as these bytes take, while `goes_on` returns true. Blocks.
	pub(super) fn wait(&self, bytes: u64, goes_on: impl Fn() -> bool) {
		let until = self.book(bytes, Instant::now());
		loop {
			let left = until.saturating_duration_since(Instant::now());
			if left.is_zero() || !goes_on() {
				return;
			}
			thread::sleep(left.min(NAP));
		}
	}

	/// Books the time that bytes take. Returns its end.
	fn book(&self, bytes: u64, now: Instant) -> Instant {
		let micros = u128::from(bytes) * 1_000_000 / u128::from(self.bytes);
		let time = Duration::from_micros(u64::try_from(micros).unwrap_or(u64::MAX));
		let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
		let end = (*free).max(now).checked_add(time);
		*free = end.unwrap_or(now);
		*free
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn bytes_of_all_downloads_take_their_time_one_after_the_other() {
		let (rate, start) = (Rate::new(1_000), Instant::now() + Duration::from_secs(1));
		let after = |millis| start + Duration::from_millis(millis);
		assert_eq!(rate.book(500, start), after(500));
		assert_eq!(rate.book(250, start), after(750));
		assert_eq!(rate.book(0, start), after(750));
		// Time without downloads does not allow a higher rate later.
		assert_eq!(rate.book(1_000, after(5_000)), after(6_000));
		assert_eq!(Rate::new(u64::MAX).book(1 << 40, start), start);
	}

	#[test]
	fn a_download_that_ends_waits_no_more() {
		let rate = Rate::new(1);
		rate.wait(1 << 40, || false);
	}
}

// SPDX-License-Identifier: Apache-2.0
//! Bounds what strangers, or many damaged versions, can make the program log.

use std::{
	sync::{Mutex, PoisonError},
	time::{Duration, Instant},
};

use tracing::warn;

/// The time within which messages are counted.
const WINDOW: Duration = Duration::from_secs(60);

/// Messages of one kind, of which some are logged within a minute.
#[derive(Debug)]
pub(crate) struct Bounded {
	most: u32,
	/// The begin of the minute, and the number of messages since.
	counted: Mutex<Option<(Instant, u32)>>,
}

impl Bounded {
	pub const fn new(most: u32) -> Self {
		Self { most, counted: Mutex::new(None) }
	}

	/// Logs a message, unless enough of them were logged within the minute.
	pub fn log(&self, log: impl FnOnce()) {
		match self.count(Instant::now()) {
			number if number <= self.most => log(),
			number if number == self.most.saturating_add(1) => {
				warn!("there are more such messages: they are not logged for a minute");
			},
			_ => {},
		}
	}

	/// Returns the number of messages within the minute, with this one.
	fn count(&self, now: Instant) -> u32 {
		let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
		let begun = counted.filter(|(since, _)| now.saturating_duration_since(*since) < WINDOW);
		let (since, number) = begun.unwrap_or((now, 0));
		let number = number.saturating_add(1);
		*counted = Some((since, number));
		number
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn some_messages_are_logged_in_each_minute() {
		let (bounded, start) = (Bounded::new(2), Instant::now());
		let number = |seconds| bounded.count(start + Duration::from_secs(seconds));
		assert_eq!([0, 1, 59].map(number), [1, 2, 3]);
		assert_eq!([60, 119, 121].map(number), [1, 2, 1]);
		let mut logged = 0;
		let bounded = Bounded::new(2);
		(0..9).for_each(|_| bounded.log(|| logged += 1));
		assert_eq!(logged, 2);
	}
}

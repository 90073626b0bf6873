// SPDX-License-Identifier: Apache-2.0
//! Sources of time and randomness for generators.

/// A clock for generators: microseconds since the Unix epoch.
///
/// Any `Fn() -> u64` is one. It may stand still or step back: generators rise all the same.
pub trait Clock {
	/// Returns the time, in microseconds since the Unix epoch.
	fn now_micros(&self) -> u64;
}

impl<F: Fn() -> u64> Clock for F {
	fn now_micros(&self) -> u64 {
		self()
	}
}

/// A clock that counts milliseconds since the Unix epoch, padded to microseconds.
#[derive(Clone, Copy, Debug)]
pub struct MillisClock<F>(
	/// Returns the milliseconds.
	pub F,
);

impl<F: Fn() -> u64> Clock for MillisClock<F> {
	fn now_micros(&self) -> u64 {
		(self.0)().saturating_mul(1_000)
	}
}

/// The clock of the operating system. Before 1970 it stands at zero.
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

#[cfg(feature = "std")]
impl Clock for SystemClock {
	fn now_micros(&self) -> u64 {
		let since_epoch = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
		since_epoch.map_or(0, |elapsed| {
			let micros = u64::from(elapsed.subsec_micros());
			elapsed.as_secs().saturating_mul(1_000_000).saturating_add(micros)
		})
	}
}

/// Returns 64 random bits, from the randomness that the operating system gives the hash maps of the
/// standard library. Good for distinguishing generators; not for secrets.
#[cfg(feature = "std")]
pub fn system_random() -> u64 {
	use std::hash::{BuildHasher, RandomState};

	RandomState::new().hash_one(0u8)
}

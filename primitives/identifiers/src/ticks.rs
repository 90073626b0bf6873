//! Time that never repeats and never goes back.

#[cfg(target_has_atomic = "64")]
use core::sync::atomic::{AtomicU64, Ordering};

/// The tick after `last`, if any, at the time `now`: the time, or one more than the last tick where
/// the clock stands still or has stepped back. `None` past `max`: nothing wraps.
#[inline(always)]
fn next(last: Option<u64>, now: u64, max: u64) -> Option<u64> {
	let tick = match last {
		Some(last) => now.max(last.checked_add(1)?),
		None => now,
	};
	(tick <= max).then_some(tick)
}

/// Ticks for one owner.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ticks {
	last: Option<u64>,
}

impl Ticks {
	pub const fn new() -> Self {
		Self { last: None }
	}

	/// A tick that is later than all before it and than those observed.
	#[inline(always)]
	pub fn advance(&mut self, now: u64, max: u64) -> Option<u64> {
		let tick = next(self.last, now, max)?;
		self.last = Some(tick);
		Some(tick)
	}

	/// Makes all ticks to come later than this one.
	pub fn observe(&mut self, tick: u64) {
		self.last = self.last.max(Some(tick));
	}
}

/// Ticks shared by threads.
#[cfg(target_has_atomic = "64")]
#[derive(Debug)]
pub(crate) struct AtomicTicks {
	/// The tick that comes next at the earliest.
	earliest: AtomicU64,
}

#[cfg(target_has_atomic = "64")]
impl AtomicTicks {
	pub const fn new() -> Self {
		Self { earliest: AtomicU64::new(0) }
	}

	/// A tick that is later than all before it and than those observed.
	#[inline(always)]
	pub fn advance(&self, now: u64, max: u64) -> Option<u64> {
		let mut earliest = self.earliest.load(Ordering::Relaxed);
		loop {
			let tick = now.max(earliest);
			if tick > max {
				return None;
			}
			// Each tick is won by one thread, which is all that counts, so no order with other
			// memory is needed. `max` is well below the end of the numbers.
			match self.earliest.compare_exchange_weak(
				earliest,
				tick + 1,
				Ordering::Relaxed,
				Ordering::Relaxed,
			) {
				Ok(_) => return Some(tick),
				Err(found) => earliest = found,
			}
		}
	}

	/// Makes all ticks to come later than this one.
	pub fn observe(&self, tick: u64) {
		self.earliest.fetch_max(tick.saturating_add(1), Ordering::Relaxed);
	}
}

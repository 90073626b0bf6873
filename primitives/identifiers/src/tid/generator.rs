// SPDX-License-Identifier: Apache-2.0
//! Makes TIDs that rise.

#[cfg(target_has_atomic = "64")]
use core::sync::atomic::{AtomicU64, Ordering};

use super::{Tid, TidError};
use crate::{clock::Clock, ClockId};

/// Makes TIDs, each later than the one before, even while the clock stands still or steps back.
///
/// A generator cannot be cloned, as a clone would repeat its TIDs.
///
/// ```
/// use content_fabric_identifiers::{ClockId, TidGenerator};
///
/// let mut generator = TidGenerator::new(|| 1_682_739_741_953_005, ClockId::new(30)?);
/// assert_eq!(generator.generate()?.to_string(), "3jui7kd54zh2y");
/// assert_eq!(generator.generate()?.timestamp(), 1_682_739_741_953_006);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TidGenerator<C> {
	clock: C,
	clock_id: ClockId,
	last: Option<Tid>,
}

impl<C: Clock> TidGenerator<C> {
	/// Creates a generator with a clock and the number of the clock.
	pub const fn new(clock: C, clock_id: ClockId) -> Self {
		Self { clock, clock_id, last: None }
	}

	/// Returns a TID that is later than all generated and observed before.
	#[inline]
	pub fn generate(&mut self) -> Result<Tid, TidError> {
		let tid = Tid::next(self.last, self.clock.now_micros(), self.clock_id)?;
		self.last = Some(tid);
		Ok(tid)
	}

	/// Makes all further TIDs later than this one, such as the last one of an earlier run.
	///
	/// Ignores a TID that no generator can follow: one of the last timestamp.
	pub fn observe(&mut self, tid: Tid) {
		if tid.timestamp() < Tid::MAX_TIMESTAMP {
			self.last = self.last.max(Some(tid));
		}
	}
}

#[cfg(feature = "std")]
impl TidGenerator<crate::SystemClock> {
	/// Creates a generator with the system's clock and a random number for it.
	pub fn system() -> Self {
		Self::new(crate::SystemClock, ClockId::random(crate::system_random()))
	}
}

/// Makes TIDs for threads that share it, each later than the one before.
#[cfg(target_has_atomic = "64")]
#[derive(Debug)]
pub struct AtomicTidGenerator<C> {
	clock: C,
	clock_id: ClockId,
	/// The number of the last TID plus one, which fits because the top bit of a TID is 0; or 0
	/// before the first.
	after_last: AtomicU64,
}

#[cfg(target_has_atomic = "64")]
impl<C: Clock> AtomicTidGenerator<C> {
	/// Creates a generator with a clock and the number of the clock.
	pub const fn new(clock: C, clock_id: ClockId) -> Self {
		Self { clock, clock_id, after_last: AtomicU64::new(0) }
	}

	/// Returns a TID that is later than all generated and observed before.
	#[inline]
	pub fn generate(&self) -> Result<Tid, TidError> {
		let now = self.clock.now_micros();
		let mut after_last = self.after_last.load(Ordering::Relaxed);
		loop {
			let last = after_last.checked_sub(1).map(Tid);
			let tid = Tid::next(last, now, self.clock_id)?;
			// Each TID is won by one thread. Nothing else depends on the number, so no order with
			// other memory is needed.
			match self.after_last.compare_exchange_weak(
				after_last,
				tid.to_u64() + 1,
				Ordering::Relaxed,
				Ordering::Relaxed,
			) {
				Ok(_) => return Ok(tid),
				Err(found) => after_last = found,
			}
		}
	}

	/// Makes all further TIDs later than this one, such as the last one of an earlier run.
	///
	/// Ignores a TID that no generator can follow: one of the last timestamp.
	pub fn observe(&self, tid: Tid) {
		if tid.timestamp() < Tid::MAX_TIMESTAMP {
			self.after_last.fetch_max(tid.to_u64() + 1, Ordering::Relaxed);
		}
	}
}

#[cfg(all(feature = "std", target_has_atomic = "64"))]
impl AtomicTidGenerator<crate::SystemClock> {
	/// Creates a generator with the system's clock and a random number for it.
	pub fn system() -> Self {
		Self::new(crate::SystemClock, ClockId::random(crate::system_random()))
	}
}

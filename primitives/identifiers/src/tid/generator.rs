//! Makes TIDs that rise.

use core::fmt;

#[cfg(target_has_atomic = "64")]
use crate::ticks::AtomicTicks;
use crate::{clock::Clock, ticks::Ticks, ClockId, Tid};

/// No further TID can be made: the time is past what one can hold, the year 2255.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TidError;

impl fmt::Display for TidError {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.write_str("the time is past what a TID can hold")
	}
}

impl core::error::Error for TidError {}

/// Makes TIDs, each later than the one before, also where the clock stands still or steps back.
///
/// ```
/// use content_fabric_identifiers::{ClockId, TidGenerator};
///
/// let mut generator = TidGenerator::new(|| 1_682_739_741_953_005, ClockId::new(30)?);
/// assert_eq!(generator.generate()?.to_string(), "3jui7kd54zh2y");
/// assert_eq!(generator.generate()?.timestamp(), 1_682_739_741_953_006);
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TidGenerator<C> {
	clock: C,
	clock_id: ClockId,
	ticks: Ticks,
}

impl<C: Clock> TidGenerator<C> {
	/// A generator with a clock and its number.
	pub const fn new(clock: C, clock_id: ClockId) -> Self {
		Self { clock, clock_id, ticks: Ticks::new() }
	}

	/// A TID that is later than all before it and than those observed.
	#[inline]
	pub fn generate(&mut self) -> Result<Tid, TidError> {
		let now = self.clock.now_micros();
		let timestamp = self.ticks.advance(now, Tid::MAX_TIMESTAMP);
		timestamp.and_then(|timestamp| Tid::new(timestamp, self.clock_id)).ok_or(TidError)
	}

	/// Makes all TIDs to come later than this one, such as the last one of an earlier run.
	///
	/// A TID whose top bit is set is ignored: no generator makes one, so none can be later.
	pub fn observe(&mut self, tid: Tid) {
		if tid.timestamp() <= Tid::MAX_TIMESTAMP {
			self.ticks.observe(tid.timestamp());
		}
	}
}

#[cfg(feature = "std")]
impl TidGenerator<crate::SystemClock> {
	/// A generator with the system's clock and a random number for it.
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
	ticks: AtomicTicks,
}

#[cfg(target_has_atomic = "64")]
impl<C: Clock> AtomicTidGenerator<C> {
	/// A generator with a clock and its number.
	pub const fn new(clock: C, clock_id: ClockId) -> Self {
		Self { clock, clock_id, ticks: AtomicTicks::new() }
	}

	/// A TID that is later than all before it and than those observed.
	#[inline]
	pub fn generate(&self) -> Result<Tid, TidError> {
		let now = self.clock.now_micros();
		let timestamp = self.ticks.advance(now, Tid::MAX_TIMESTAMP);
		timestamp.and_then(|timestamp| Tid::new(timestamp, self.clock_id)).ok_or(TidError)
	}

	/// Makes all TIDs to come later than this one, such as the last one of an earlier run.
	///
	/// A TID whose top bit is set is ignored: no generator makes one, so none can be later.
	pub fn observe(&self, tid: Tid) {
		if tid.timestamp() <= Tid::MAX_TIMESTAMP {
			self.ticks.observe(tid.timestamp());
		}
	}
}

#[cfg(all(feature = "std", target_has_atomic = "64"))]
impl AtomicTidGenerator<crate::SystemClock> {
	/// A generator with the system's clock and a random number for it.
	pub fn system() -> Self {
		Self::new(crate::SystemClock, ClockId::random(crate::system_random()))
	}
}

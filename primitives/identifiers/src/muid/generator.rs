//! Makes muids that rise.

use core::fmt;

use super::{Medallion, Muid};
use crate::{clock::Clock, ticks::Ticks};

/// No further muid can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MuidError {
	/// The time is past what a muid can hold, the year 2112.
	TimestampExhausted,
	/// The transaction has all the 2^31 - 1 creations that offsets can tell apart.
	OffsetExhausted,
}

impl fmt::Display for MuidError {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.write_str(match self {
			Self::TimestampExhausted => "the time is past what a muid can hold",
			Self::OffsetExhausted => "the transaction is out of offsets",
		})
	}
}

impl core::error::Error for MuidError {}

/// Makes the muids of a writer.
///
/// ```
/// use content_fabric_identifiers::{Medallion, MuidGenerator};
///
/// let clock = || 1_642_579_230_975_519;
/// let mut generator = MuidGenerator::new(clock, Medallion::new(0x1BFC71B112D)?);
/// let mut transaction = generator.begin()?;
/// assert_eq!(transaction.muid().to_string(), "5D5EAC793E61F-1BFC71B112D-00000000");
/// assert_eq!(transaction.create()?.to_string(), "5D5EAC793E61F-1BFC71B112D-00000001");
/// // The clock stands still, but the next transaction is later all the same.
/// assert_eq!(generator.begin()?.muid().to_string(), "5D5EAC793E620-1BFC71B112D-00000000");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MuidGenerator<C> {
	clock: C,
	medallion: Medallion,
	ticks: Ticks,
}

impl<C: Clock> MuidGenerator<C> {
	/// A generator of a writer's muids.
	pub const fn new(clock: C, medallion: Medallion) -> Self {
		Self { clock, medallion, ticks: Ticks::new() }
	}

	/// Begins a transaction, later than all before it and than all muids observed.
	pub fn begin(&mut self) -> Result<Transaction, MuidError> {
		let now = self.clock.now_micros();
		let timestamp =
			self.ticks.advance(now, Muid::MAX_TIMESTAMP).ok_or(MuidError::TimestampExhausted)?;
		Ok(Transaction { last: Muid::from_parts(timestamp, self.medallion.get(), 0) })
	}

	/// Makes all transactions to come later than this muid, such as the last one of an earlier run.
	pub fn observe(&mut self, muid: Muid) {
		self.ticks.observe(muid.timestamp());
	}
}

#[cfg(feature = "std")]
impl MuidGenerator<crate::SystemClock> {
	/// A generator with the system's clock and a random medallion of those that may be assigned.
	pub fn system() -> Self {
		Self::new(crate::SystemClock, Medallion::random(crate::system_random()))
	}
}

impl Medallion {
	/// One of the medallions that may be assigned, from random bits. The lowest 40 count.
	pub const fn random(bits: u64) -> Self {
		Self(Self::FIRST_ASSIGNABLE.0 | bits & (Self::FIRST_ASSIGNABLE.0 - 1))
	}
}

/// The muids of a transaction.
#[derive(Clone, Debug)]
pub struct Transaction {
	last: Muid,
}

impl Transaction {
	/// The transaction itself: offset 0.
	pub const fn muid(&self) -> Muid {
		self.last.with_offset(0)
	}

	/// A creation of the transaction: offsets 1, 2, and so on.
	pub fn create(&mut self) -> Result<Muid, MuidError> {
		let offset = self.last.offset().checked_add(1).ok_or(MuidError::OffsetExhausted)?;
		self.last = self.last.with_offset(offset);
		Ok(self.last)
	}
}

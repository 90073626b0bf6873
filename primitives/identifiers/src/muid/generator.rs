// SPDX-License-Identifier: Apache-2.0
//! Makes muids that rise.

use super::{Medallion, Muid, MuidError};
use crate::clock::Clock;

/// Makes the muids of a writer.
///
/// A generator cannot be cloned, as a clone would repeat its muids.
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
#[derive(Debug)]
pub struct MuidGenerator<C> {
	clock: C,
	medallion: Medallion,
	last: Option<Muid>,
}

impl<C: Clock> MuidGenerator<C> {
	/// Creates a generator of a writer's muids.
	pub const fn new(clock: C, medallion: Medallion) -> Self {
		Self { clock, medallion, last: None }
	}

	/// Begins a transaction, later than all transactions begun and all muids observed before.
	pub fn begin(&mut self) -> Result<Transaction, MuidError> {
		let now = self.clock.now_micros();
		let muid = Muid::next_transaction(self.last, now, self.medallion)?;
		self.last = Some(muid);
		Ok(Transaction { last: muid })
	}

	/// Makes all further transactions later than this muid, such as the last one of an earlier run.
	///
	/// Ignores a muid that no generator can follow, of the last timestamp, and one whose medallion
	/// is not a [`Medallion`]. In the reference implementation, a part with all bits set means the
	/// end of time.
	pub fn observe(&mut self, muid: Muid) {
		let is_last = muid.timestamp() >= Muid::MAX_TIMESTAMP;
		if !is_last && Medallion::new(muid.medallion()).is_ok() {
			self.last = self.last.max(Some(muid));
		}
	}
}

#[cfg(feature = "std")]
impl MuidGenerator<crate::SystemClock> {
	/// Creates a generator with the system's clock and a random medallion of those that can be
	/// assigned.
	pub fn system() -> Self {
		Self::new(crate::SystemClock, Medallion::random(crate::system_random()))
	}
}

/// The muids of a transaction.
///
/// A transaction cannot be cloned, as a clone would repeat its muids.
#[derive(Debug)]
pub struct Transaction {
	last: Muid,
}

impl Transaction {
	/// Returns the muid of the transaction itself: offset 0.
	pub const fn muid(&self) -> Muid {
		self.last.with_offset(0)
	}

	/// Returns the muid of the next creation: offsets 1, 2, and so on.
	pub fn create(&mut self) -> Result<Muid, MuidError> {
		let offset = self.last.offset().checked_add(1).ok_or(MuidError::OffsetExhausted)?;
		self.last = self.last.with_offset(offset);
		Ok(self.last)
	}
}

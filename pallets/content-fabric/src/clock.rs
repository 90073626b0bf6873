// SPDX-License-Identifier: Apache-2.0
//! The chain's own clock: muids and TIDs that increase over its whole life, even while block time
//! stands still; and the medallions that distinguish the clocks of nodes.

use core::marker::PhantomData;

use content_fabric_identifiers::{Medallion, Muid, Tid};
use frame_support::{pallet_prelude::Get, traits::Time};

use crate::{Config, Error, LastMuid, LastTid, MedallionCount, Pallet};

/// Number of medallions that can be assigned, a power of two.
const MEDALLIONS: u64 = Medallion::LAST_ASSIGNABLE.get() - Medallion::FIRST_ASSIGNABLE.get() + 1;
/// Factor by which the count of medallions is multiplied, so that the medallions of successive
/// nodes do not look alike. It is odd, so that no two counts lead to the same medallion, and about
/// [`MEDALLIONS`] divided by the golden ratio.
const SCATTER: u64 = 679_535_556_991;

/// The chain's clock while it is lent by [`Pallet::with_clock`]: read once and written once,
/// however much it mints.
pub(crate) struct Clock<T: Config> {
	now: u64,
	last_muid: Option<Muid>,
	/// Read when the first TID is minted.
	last_tid: Option<Tid>,
	_config: PhantomData<T>,
}

impl<T: Config> Clock<T> {
	/// Mints a muid that is later than all before it: the time of the block in microseconds, the
	/// chain's medallion, and an offset that counts from 1 within the timestamp. (Offset 0 would
	/// stand for everything that happens at that time.)
	pub fn mint_muid(&mut self) -> Result<Muid, Error<T>> {
		let muid = Muid::next(self.last_muid, self.now, T::ChainMedallion::get())
			.map_err(|_| Error::<T>::ClockExhausted)?;
		self.last_muid = Some(muid);
		Ok(muid)
	}

	/// Mints a TID that is later than all before it: the time of the block in microseconds, or the
	/// microsecond after the last one, and the chain's clock id.
	pub fn mint_tid(&mut self) -> Result<Tid, Error<T>> {
		let last = self.last_tid.or_else(LastTid::<T>::get);
		let tid = Tid::next(last, self.now, T::TidClockId::get())
			.map_err(|_| Error::<T>::ClockExhausted)?;
		self.last_tid = Some(tid);
		Ok(tid)
	}
}

impl<T: Config> Pallet<T> {
	/// Lends the clock to `run`, and writes what it has minted.
	pub(crate) fn with_clock<R, E>(
		run: impl FnOnce(&mut Clock<T>) -> Result<R, E>,
	) -> Result<R, E> {
		let last_muid = LastMuid::<T>::get();
		let now = T::Time::now().saturating_mul(1_000);
		let mut clock = Clock { now, last_muid, last_tid: None, _config: PhantomData };
		let result = run(&mut clock)?;
		if clock.last_muid != last_muid {
			LastMuid::<T>::set(clock.last_muid);
		}
		if let Some(tid) = clock.last_tid {
			LastTid::<T>::put(tid);
		}
		Ok(result)
	}

	/// Mints one muid.
	pub(crate) fn mint_muid() -> Result<Muid, Error<T>> {
		Self::with_clock(Clock::mint_muid)
	}

	/// Assigns a medallion that no node has or had.
	pub(crate) fn assign_medallion() -> Result<Medallion, Error<T>> {
		let count = MedallionCount::<T>::get();
		let medallion = nth_medallion(count).ok_or(Error::<T>::MedallionsExhausted)?;
		MedallionCount::<T>::put(count.saturating_add(1));
		Ok(medallion)
	}
}

/// Returns how many nodes were created before the one with this medallion.
#[cfg(any(feature = "std", feature = "try-runtime"))]
pub(crate) fn place_of_medallion(medallion: Medallion) -> Option<u64> {
	/// The inverse of [`SCATTER`] modulo [`MEDALLIONS`].
	const GATHER: u64 = 326_849_267_327;
	let place = medallion.get().checked_sub(Medallion::FIRST_ASSIGNABLE.get())?;
	medallion.is_assignable().then_some(place.wrapping_mul(GATHER) % MEDALLIONS)
}

/// Returns the medallion of the node before which `count` others were created, or `None` if all
/// have been assigned.
pub(crate) fn nth_medallion(count: u64) -> Option<Medallion> {
	if count >= MEDALLIONS {
		return None;
	}
	let place = count.wrapping_mul(SCATTER) % MEDALLIONS;
	Medallion::new(Medallion::FIRST_ASSIGNABLE.get().checked_add(place)?).ok()
}

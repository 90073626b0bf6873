//! The chain's own clock: muids and TIDs that rise over its whole life, also where block time stands
//! still; and the medallions that tell the clocks of nodes apart.

use content_fabric_identifiers::{ClockId, Medallion, Muid, Tid};
use frame_support::{pallet_prelude::Get, traits::Time};

use crate::{Config, Error, LastMuid, LastTid, MedallionCount, Pallet};

/// Number of medallions that can be assigned, a power of two.
const MEDALLIONS: u64 = Medallion::LAST_ASSIGNABLE.get() - Medallion::FIRST_ASSIGNABLE.get() + 1;
/// What the count of medallions is multiplied by, so that nodes that follow each other do not have
/// medallions that look alike. Odd, so that no two counts lead to the same medallion: about the
/// golden ratio of [`MEDALLIONS`].
const SCATTER: u64 = 679_535_556_991;

impl<T: Config> Pallet<T> {
	/// The time of the block in microseconds.
	pub(crate) fn now_micros() -> u64 {
		T::Time::now().saturating_mul(1_000)
	}

	/// A muid that is later than all before it: the time of the block in microseconds, the chain's
	/// medallion, and an offset that counts from 1 within the timestamp. (An offset of 0 would stand
	/// for the whole of what happens at that time.)
	pub(crate) fn mint_muid() -> Result<Muid, Error<T>> {
		let medallion = T::ChainMedallion::get();
		let muid = next_muid(LastMuid::<T>::get(), Self::now_micros(), medallion)
			.ok_or(Error::<T>::ClockExhausted)?;
		LastMuid::<T>::put(muid);
		Ok(muid)
	}

	/// A TID that is later than all before it: the time of the block in microseconds, or the
	/// microsecond after the last one, and the chain's clock id.
	pub(crate) fn mint_tid() -> Result<Tid, Error<T>> {
		let tid = next_tid(LastTid::<T>::get(), Self::now_micros(), T::TidClockId::get())
			.ok_or(Error::<T>::ClockExhausted)?;
		LastTid::<T>::put(tid);
		Ok(tid)
	}

	/// A medallion that no node has or had.
	pub(crate) fn assign_medallion() -> Result<Medallion, Error<T>> {
		let count = MedallionCount::<T>::get();
		let medallion = nth_medallion(count).ok_or(Error::<T>::MedallionsExhausted)?;
		MedallionCount::<T>::put(count + 1);
		Ok(medallion)
	}
}

/// The muid after `last` at the time `now`. `None` past the end of time.
pub(crate) fn next_muid(last: Option<Muid>, now: u64, medallion: Medallion) -> Option<Muid> {
	let Some(last) = last else { return Muid::new(now, medallion, 1) };
	let timestamp = now.max(last.timestamp());
	let offset = match timestamp == last.timestamp() {
		true => last.offset().checked_add(1),
		false => Some(1),
	};
	offset
		.and_then(|offset| Muid::new(timestamp, medallion, offset))
		// A runtime upgrade may bring a lower medallion.
		.filter(|muid| *muid > last)
		.or_else(|| Muid::new(timestamp.checked_add(1)?, medallion, 1))
}

/// The TID after `last` at the time `now`. `None` past the end of time.
pub(crate) fn next_tid(last: Option<Tid>, now: u64, clock_id: ClockId) -> Option<Tid> {
	let timestamp = match last {
		Some(last) => now.max(last.timestamp().checked_add(1)?),
		None => now,
	};
	Tid::new(timestamp, clock_id)
}

/// How many nodes were created before the one with this medallion.
#[cfg(any(feature = "try-runtime", test))]
pub(crate) fn place_of_medallion(medallion: Medallion) -> Option<u64> {
	/// What [`SCATTER`] has to be multiplied by to become 1 modulo [`MEDALLIONS`].
	const GATHER: u64 = 326_849_267_327;
	let place = medallion.get().checked_sub(Medallion::FIRST_ASSIGNABLE.get())?;
	medallion.is_assignable().then_some(place.wrapping_mul(GATHER) % MEDALLIONS)
}

/// The medallion of the node that `count` others were created before. `None` if all have been
/// assigned.
pub(crate) fn nth_medallion(count: u64) -> Option<Medallion> {
	if count >= MEDALLIONS {
		return None;
	}
	let place = count.wrapping_mul(SCATTER) % MEDALLIONS;
	Medallion::new(Medallion::FIRST_ASSIGNABLE.get() + place).ok()
}

//! The chain's own clock: muids that rise over its whole life, also where block time stands still.

use content_fabric_identifiers::{Medallion, Muid};
use frame_support::{pallet_prelude::Get, traits::Time};

use crate::{Config, Error, LastMuid, Pallet};

impl<T: Config> Pallet<T> {
	/// A muid that is later than all before it: the time of the block in microseconds, the chain's
	/// medallion, and an offset that counts from 1 within the timestamp. (An offset of 0 would stand
	/// for the whole of what happens at that time.)
	pub(crate) fn mint_muid() -> Result<Muid, Error<T>> {
		let now = T::Time::now().saturating_mul(1_000);
		let muid = next_muid(LastMuid::<T>::get(), now, T::ChainMedallion::get())
			.ok_or(Error::<T>::ClockExhausted)?;
		LastMuid::<T>::put(muid);
		Ok(muid)
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

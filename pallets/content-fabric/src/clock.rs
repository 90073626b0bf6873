// SPDX-License-Identifier: Apache-2.0
//! The chain's own clock: muids and TIDs that increase over its whole life, even while block time
//! stands still.

use core::marker::PhantomData;

use content_fabric_identifiers::{Muid, Tid};
use frame_support::{pallet_prelude::Get, traits::Time};

use crate::{Config, Error, LastMuid, LastTid, Pallet};

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
}

// SPDX-License-Identifier: Apache-2.0
//! The chain's own clock: muids and TIDs that increase over its whole life, even while block time
//! stands still. The chain is a writer like its nodes: its medallion is the first of their order.

use core::marker::PhantomData;

use content_fabric_identifiers::{ClockId, Muid, Tid};
use frame_support::traits::Time;

use crate::{Config, Error, LastMuid, LastTid, Pallet};

/// The chain's clock while it is lent by [`Pallet::with_clock`]: read once and written once,
/// however much it mints. All muids of a loan belong to one transaction of their own.
pub(crate) struct Clock<T: Config> {
	now: u64,
	/// The last muid of this loan.
	last_muid: Option<Muid>,
	/// Read when the first TID is minted.
	last_tid: Option<Tid>,
	_config: PhantomData<T>,
}

impl<T: Config> Clock<T> {
	/// Mints a muid that is later than all before it. Its timestamp is the time of the block in
	/// microseconds, or the microsecond after the call before; its medallion is the chain's; its
	/// offset counts from 1 within the call. (Offset 0 would stand for all that the call does.)
	pub fn mint_muid(&mut self) -> Result<Muid, Error<T>> {
		let transaction = match self.last_muid {
			Some(last) => last,
			None => {
				let last = LastMuid::<T>::get();
				let medallion = Pallet::<T>::chain_medallion(last)?;
				Muid::next_transaction(last, self.now, medallion)
					.map_err(|_| Error::<T>::ClockExhausted)?
			},
		};
		let offset = transaction.offset().checked_add(1).ok_or(Error::<T>::ClockExhausted)?;
		let muid = transaction.with_offset(offset);
		self.last_muid = Some(muid);
		Ok(muid)
	}

	/// Mints a TID that is later than all before it: the time of the block in microseconds, or the
	/// microsecond after the last one, and the chain's clock id, which the last one has.
	pub fn mint_tid(&mut self) -> Result<Tid, Error<T>> {
		let last = self.last_tid.or_else(LastTid::<T>::get).ok_or(Error::<T>::ClockExhausted)?;
		let tid = ClockId::new(last.clock_id())
			.ok()
			.and_then(|clock_id| Tid::next(Some(last), self.now, clock_id).ok())
			.ok_or(Error::<T>::ClockExhausted)?;
		self.last_tid = Some(tid);
		Ok(tid)
	}
}

impl<T: Config> Pallet<T> {
	/// Lends the clock to `run`, and writes what it has minted.
	pub(crate) fn with_clock<R, E>(
		run: impl FnOnce(&mut Clock<T>) -> Result<R, E>,
	) -> Result<R, E> {
		let now = T::Time::now().saturating_mul(1_000);
		let mut clock = Clock { now, last_muid: None, last_tid: None, _config: PhantomData };
		let result = run(&mut clock)?;
		if let Some(muid) = clock.last_muid {
			LastMuid::<T>::put(muid);
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

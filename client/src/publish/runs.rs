// SPDX-License-Identifier: Apache-2.0
//! The keys of the records of runs: TIDs, each later than those on the chain.

use content_fabric_identifiers::{Clock, SystemClock, TenantId, Tid, TidGenerator};

use super::{Error, RUNS};
use crate::{
	chain::{rows, Chain, Snapshot},
	text::Text,
};

/// Largest number of microseconds by which a key may be ahead of both clocks, this machine's and
/// the chain's: a day. Anyone with a level in the tenant can choose a key of the year 2255, after
/// which there would be no others.
const MAX_AHEAD: u64 = 24 * 60 * 60 * 1_000_000;

/// Makes the keys of runs.
pub(super) struct RunKeys(TidGenerator<SystemClock>);

impl RunKeys {
	/// Makes keys by the clock of this machine.
	pub(super) fn new() -> Self {
		Self(TidGenerator::system())
	}

	/// Returns a key that is later than the keys of the tenant's earlier runs, although the clock
	/// may have stepped back since.
	pub(super) async fn next(
		&mut self,
		chain: &Chain,
		at: &Snapshot,
		tenant: TenantId,
	) -> Result<Tid, Error> {
		let limit = limit(SystemClock.now_micros(), at.now_micros().await?);
		let mut newest = None;
		chain
			.scan(at, rows::records(), (tenant, Text(RUNS.into())), |mut key, _| {
				newest = newest.max(earlier(&key.part::<Vec<u8>>()?, limit));
				Ok(())
			})
			.await?;
		if let Some(newest) = newest {
			self.0.observe(newest);
		}
		self.0.generate().map_err(|reason| Error::Clock(reason.to_string()))
	}
}

/// Returns the latest acceptable time of a key, by the clocks of this machine and the chain.
fn limit(clock: u64, chain: u64) -> u64 {
	clock.max(chain).saturating_add(MAX_AHEAD)
}

/// Reads a key. `None` if it is not a TID, or is later than the limit.
fn earlier(key: &[u8], limit: u64) -> Option<Tid> {
	Tid::from_text(key).ok().filter(|tid| tid.timestamp() <= limit)
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::ClockId;

	use super::*;

	/// Returns the key that follows these, at a time of this machine and of the chain.
	fn next(keys: &[&str], clock: u64, chain: u64) -> Tid {
		let limit = limit(clock, chain);
		let mut generator = TidGenerator::new(move || clock, ClockId::MAX);
		let newest = keys.iter().filter_map(|key| earlier(key.as_bytes(), limit)).max();
		newest.into_iter().for_each(|newest| generator.observe(newest));
		generator.generate().expect("the clock is within range; qed")
	}

	#[test]
	fn a_key_is_later_than_those_on_the_chain_unless_they_are_far_ahead() {
		let now = 1_700_000_000_000_000;
		let key = |time| Tid::new(time, ClockId::MAX).expect("it is within range; qed").to_string();
		let [earlier, later] = [now - 5, now + 3_600_000_000].map(key);
		let [day, beyond] = [now + MAX_AHEAD, now + MAX_AHEAD + 1].map(key);
		let (earlier, later, day, beyond) = (&*earlier, &*later, &*day, &*beyond);
		for (keys, expected) in [
			(&[][..], now),
			(&[earlier], now),
			(&[earlier, later], now + 3_600_000_001),
			(&[later, day], now + MAX_AHEAD + 1),
			(&[later, beyond], now + 3_600_000_001),
			// The last TID of all, TIDs with the top bit, and texts that are none.
			(&["bzzzzzzzzzzzz", "czzzzzzzzzzzz", "zzzzzzzzzzzzz", "self", ""], now),
			(&["bzzzzzzzzzzzz", later], now + 3_600_000_001),
		] {
			assert_eq!(next(keys, now, 0).timestamp(), expected, "{keys:?}");
		}
		// The clock of this machine has stepped back by years: the chain's clock counts.
		assert_eq!(next(&[later], 7, now).timestamp(), now + 3_600_000_001);
		assert_eq!(next(&[later], 7, 0).timestamp(), 7);
	}
}

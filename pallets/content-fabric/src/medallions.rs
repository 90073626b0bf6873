// SPDX-License-Identifier: Apache-2.0
//! The medallions of the chain and its nodes: in a random order, and never the same one twice.
//!
//! The writers of a chain are numbered: 0 is the chain itself, the others are its nodes. A keyed
//! permutation of all numbers, a balanced Feistel network, gives each of them its medallion. So
//! medallions need no list of those in use. Each chain draws its own key once, so writers of two
//! chains are unlikely to share a medallion.

use codec::Encode;
use content_fabric_identifiers::{ClockId, Medallion, Muid, Tid};
use frame_support::{Blake2_128, StorageHasher};

use crate::{Config, Error, LastTid, Medallions, Pallet};

/// Bits of one half of a number.
const HALF: u32 = 20;
/// The place of the chain itself.
const CHAIN: u64 = 0;
/// The largest half.
const HALF_MASK: u32 = (1 << HALF) - 1;
/// Rounds of the network. Four make a permutation that looks random to whoever does not know the
/// key; more cost little.
const ROUNDS: u8 = 8;

/// The order in which a chain assigns medallions, and how far it has come.
#[frame_support::stored]
pub struct MedallionSequence {
	/// The key of the order.
	key: [u8; 16],
	/// Number of medallions that were assigned, the chain's included.
	pub assigned: u64,
}

impl MedallionSequence {
	/// Draws the order by a hash of what no two chains have in common. Its first medallion is the
	/// chain's.
	pub(crate) fn draw(seed: &[u8]) -> Self {
		Self { key: Blake2_128::hash(seed), assigned: CHAIN.saturating_add(1) }
	}

	/// Returns the chain's own medallion.
	pub(crate) fn chain(&self) -> Option<Medallion> {
		self.nth(CHAIN)
	}

	/// Returns the clock id of the TIDs that the chain mints.
	pub(crate) fn clock_id(&self) -> ClockId {
		let [a, b, ..] = (self.key, b"clock id").using_encoded(Blake2_128::hash);
		ClockId::random(u16::from_le_bytes([a, b]).into())
	}

	/// Assigns the next medallion, if one is left.
	pub(crate) fn assign(&mut self) -> Option<Medallion> {
		let medallion = self.nth(self.assigned)?;
		self.assigned = self.assigned.saturating_add(1);
		Some(medallion)
	}

	/// Returns the medallion of the writer before which `count` others were created, or `None` if
	/// there is none.
	pub(crate) fn nth(&self, count: u64) -> Option<Medallion> {
		let halves = (u32::try_from(count >> HALF).ok()?, low_half(count));
		if halves.0 > HALF_MASK {
			return None;
		}
		let place = number(self.run(halves, 0..ROUNDS));
		Medallion::new(Medallion::FIRST_ASSIGNABLE.get().checked_add(place)?).ok()
	}

	/// Returns how many writers were created before the one with this medallion.
	#[cfg(any(feature = "std", feature = "try-runtime"))]
	pub(crate) fn place_of(&self, medallion: Medallion) -> Option<u64> {
		let place = medallion.get().checked_sub(Medallion::FIRST_ASSIGNABLE.get())?;
		let halves = (u32::try_from(place >> HALF).ok()?, low_half(place));
		medallion.is_assignable().then(|| number(self.run(halves, (0..ROUNDS).rev())))
	}

	/// Runs rounds of the network. The halves change places at the end, so that the same rounds in
	/// the opposite order lead back.
	fn run(&self, halves: (u32, u32), rounds: impl Iterator<Item = u8>) -> (u32, u32) {
		let (left, right) = rounds.fold(halves, |(left, right), round| {
			let [a, b, c, d, ..] = (self.key, round, right).using_encoded(Blake2_128::hash);
			(right, left ^ (u32::from_le_bytes([a, b, c, d]) & HALF_MASK))
		});
		(right, left)
	}
}

fn low_half(number: u64) -> u32 {
	u32::try_from(number & u64::from(HALF_MASK)).unwrap_or(HALF_MASK)
}

fn number((left, right): (u32, u32)) -> u64 {
	u64::from(left) << HALF | u64::from(right)
}

impl<T: Config> Pallet<T> {
	/// Draws the order of all medallions, and the clock id of the chain's TIDs, which is noted in a
	/// TID of time zero.
	pub(crate) fn draw_medallions(seed: &[u8]) -> Result<MedallionSequence, Error<T>> {
		let medallions = MedallionSequence::draw(seed);
		let tid = Tid::new(0, medallions.clock_id()).map_err(|_| Error::<T>::ClockExhausted)?;
		LastTid::<T>::put(tid);
		Medallions::<T>::put(&medallions);
		Ok(medallions)
	}

	/// Returns the order of all medallions. The first call draws it, by the hash of the block
	/// before.
	fn medallions() -> Result<MedallionSequence, Error<T>> {
		match Medallions::<T>::get() {
			Some(medallions) => Ok(medallions),
			None => Self::draw_medallions(frame_system::Pallet::<T>::parent_hash().as_ref()),
		}
	}

	/// Returns the chain's own medallion, which the last muid that it has minted has as well.
	pub(crate) fn chain_medallion(last: Option<Muid>) -> Result<Medallion, Error<T>> {
		let medallion = match last {
			Some(last) => Medallion::new(last.medallion()).ok(),
			None => Self::medallions()?.chain(),
		};
		medallion.ok_or(Error::<T>::MedallionsExhausted)
	}

	/// Assigns a medallion that no writer has or had to a node.
	pub(crate) fn assign_medallion() -> Result<Medallion, Error<T>> {
		let mut medallions = Self::medallions()?;
		let medallion = medallions.assign().ok_or(Error::<T>::MedallionsExhausted)?;
		Medallions::<T>::put(medallions);
		Ok(medallion)
	}
}

// SPDX-License-Identifier: Apache-2.0
//! The medallions of nodes: in a random order, and never the same one twice.
//!
//! The nodes of a chain are numbered. A keyed permutation of all numbers, a balanced Feistel
//! network, gives each of them its medallion. So medallions need no list of those in use. Each
//! chain draws its own key once, so nodes of two chains are unlikely to share a medallion.

use codec::Encode;
use content_fabric_identifiers::Medallion;
use frame_support::{Blake2_128, StorageHasher};

use crate::{Config, Error, Medallions, Pallet};

/// Bits of one half of a number.
const HALF: u32 = 20;
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
	/// Number of medallions that were assigned.
	pub assigned: u64,
}

impl MedallionSequence {
	/// Draws the order by a hash of what no two chains have in common.
	pub(crate) fn draw(seed: &[u8]) -> Self {
		Self { key: Blake2_128::hash(seed), assigned: 0 }
	}

	/// Assigns the next medallion, if one is left.
	pub(crate) fn assign(&mut self) -> Option<Medallion> {
		let medallion = self.nth(self.assigned)?;
		self.assigned = self.assigned.saturating_add(1);
		Some(medallion)
	}

	/// Returns the medallion of the node before which `count` others were created, or `None` if all
	/// have been assigned.
	pub(crate) fn nth(&self, count: u64) -> Option<Medallion> {
		let halves = (u32::try_from(count >> HALF).ok()?, low_half(count));
		if halves.0 > HALF_MASK {
			return None;
		}
		let place = number(self.run(halves, 0..ROUNDS));
		Medallion::new(Medallion::FIRST_ASSIGNABLE.get().checked_add(place)?).ok()
	}

	/// Returns how many nodes were created before the one with this medallion.
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
	/// Assigns a medallion that no node has or had. The first one draws the order of all, by the
	/// hash of the block before.
	pub(crate) fn assign_medallion() -> Result<Medallion, Error<T>> {
		let mut medallions = Medallions::<T>::get().unwrap_or_else(|| {
			let parent = frame_system::Pallet::<T>::parent_hash();
			MedallionSequence::draw(parent.as_ref())
		});
		let medallion = medallions.assign().ok_or(Error::<T>::MedallionsExhausted)?;
		Medallions::<T>::put(medallions);
		Ok(medallion)
	}
}

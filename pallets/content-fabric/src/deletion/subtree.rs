// SPDX-License-Identifier: Apache-2.0
//! The rows under a member: the table of its child maps, and the removal of their rows by a purge.
//!
//! A key that was removed in this block stays in the overlay until the block ends, and walking over
//! it takes time that no weight accounts for. Three facts of the host decide how rows are removed:
//!
//! - `next_key` does not stop at a prefix. After the last row under a member, it would walk every
//!   removed key of the next member. So rows are counted, and no step looks for more than the
//!   count.
//! - `clear_prefix` scans all changes of the block, so its weight assumes the changes of a full
//!   block. A step uses it only if that costs less than removing the rows one by one.
//! - `clear_prefix` walks keys again that were removed in this block, so it only clears whole maps.
//!
//! Steps start in the block after the call that closed the member, so they never walk over rows
//! that a call has removed.

use alloc::vec::Vec;
use core::marker::PhantomData;

#[cfg(any(feature = "std", feature = "try-runtime"))]
use codec::DecodeAll;
use codec::{Encode, FullCodec};
use frame_support::{
	defensive,
	pallet_prelude::Weight,
	storage::{unhashed, KeyPrefixIterator, StoragePrefixedMap},
	traits::Defensive,
	Blake2_128Concat, StorageHasher,
};
use frame_system::pallet_prelude::BlockNumberFor;

use super::reap_weight;
use crate::{
	members::{Member, MemberKind},
	types::{len_u32, Deposited},
	BalanceOf, Config, PurgeOf, WeightInfo,
};

/// A map with rows under members of a kind, whose keys begin with the member's id.
pub struct ChildMap<T: Config, K: MemberKind<T>> {
	/// Returns the prefix of all keys of the map.
	pub prefix: fn() -> [u8; 32],
	/// Returns the count of the map's rows under a member.
	pub count: fn(&mut K::Counts) -> &mut u32,
	/// Returns the deposit that an encoded row of the map records, or `None` if the bytes are not
	/// such a row.
	#[cfg(any(feature = "std", feature = "try-runtime"))]
	pub deposit: fn(&[u8]) -> Option<BalanceOf<T>>,
	_config: PhantomData<T>,
}

impl<T: Config, K: MemberKind<T>> ChildMap<T, K> {
	/// Describes a map by its storage type and the field of its count.
	pub const fn of<Map, Row>(count: fn(&mut K::Counts) -> &mut u32) -> Self
	where
		Map: StoragePrefixedMap<Row>,
		Row: Deposited<BalanceOf<T>> + FullCodec,
	{
		Self {
			prefix: Map::final_prefix,
			count,
			#[cfg(any(feature = "std", feature = "try-runtime"))]
			deposit: |mut row| Row::decode_all(&mut row).ok().map(|row| row.deposit()),
			_config: PhantomData,
		}
	}

	/// Returns what the storage keys of the rows under a member begin with.
	pub fn prefix_of(&self, id: K::Id) -> Vec<u8> {
		let mut prefix = (self.prefix)().to_vec();
		prefix.extend(id.using_encoded(Blake2_128Concat::hash));
		prefix
	}
}

/// Rows that were removed.
#[derive(Clone, Copy, Default)]
pub(super) struct Removed {
	/// Number of rows that were removed one by one.
	pub by_key: u32,
	/// Number of rows that were removed with their whole map.
	pub by_prefix: u32,
	/// Number of maps that were removed whole.
	pub maps: u32,
}

impl Removed {
	pub fn rows(self) -> u32 {
		self.by_key.saturating_add(self.by_prefix)
	}

	/// Returns the weight of a call to `reap` that removes these rows, without what an observer
	/// adds.
	pub fn weight<T: Config>(self) -> Weight {
		T::WeightInfo::reap(self.by_key)
			.saturating_add(prefix_weight::<T>(self.maps, self.by_prefix))
	}
}

/// Returns the weight of clearing this many rows with this many whole maps, in a full block.
fn prefix_weight<T: Config>(maps: u32, rows: u32) -> Weight {
	let zero = T::WeightInfo::clear_prefix(0);
	let scan = T::WeightInfo::overlay_scan(1).saturating_sub(T::WeightInfo::overlay_scan(0));
	// Both ways prove the path to a map's rows, for which a step's own weight has room.
	let map = zero.saturating_add(scan).set_proof_size(0);
	map.saturating_mul(maps.into())
		.saturating_add(T::WeightInfo::clear_prefix(rows).saturating_sub(zero))
}

/// Returns the weight of removing this many rows one by one.
fn key_weight<T: Config>(rows: u32) -> Weight {
	T::WeightInfo::reap(rows).saturating_sub(T::WeightInfo::reap(0))
}

/// Returns the number of rows that a step with this weight may remove one by one.
pub(super) fn rows_within<T: Config>(weight: Weight) -> u32 {
	let rest = weight.checked_sub(&reap_weight::<T>(0));
	let rows = rest.and_then(|rest| rest.checked_div_per_component(&key_weight::<T>(1)));
	u32::try_from(rows.unwrap_or(0)).unwrap_or(u32::MAX)
}

/// Removes at most `limit` rows under a member, map by map. Updates the counts and the cursor.
pub(super) fn remove_rows<T: Config, K: MemberKind<T>>(
	member: &Member<T, K>,
	counts: &mut K::Counts,
	purge: &mut PurgeOf<T>,
	limit: u32,
) -> Removed {
	let now = frame_system::Pallet::<T>::block_number();
	let mut removed = Removed::default();
	for map in K::CHILDREN {
		let count = (map.count)(counts);
		let rest = limit.saturating_sub(removed.rows());
		if rest == 0 {
			break;
		}
		if *count == 0 {
			continue;
		}
		let prefix = map.prefix_of(member.id);
		let rows = rest.min(*count);
		let is_untouched = purge.cursor.is_empty() || purge.cursor_block != now;
		let whole = rows == *count && is_untouched;
		if whole && prefix_weight::<T>(1, rows).all_lte(key_weight::<T>(rows)) {
			let _ = unhashed::clear_prefix(&prefix, None, None);
			removed.maps = removed.maps.saturating_add(1);
			removed.by_prefix = removed.by_prefix.saturating_add(rows);
			*count = 0;
		} else {
			let found = remove_one_by_one::<T>(prefix, purge, rows, now);
			if found < rows {
				defensive!("a map has fewer rows under a member than were counted");
				*count = 0;
			} else {
				*count = count.saturating_sub(rows);
			}
			removed.by_key = removed.by_key.saturating_add(found);
		}
		if *count == 0 {
			purge.cursor = Default::default();
		}
	}
	removed
}

/// Removes up to this many rows after the cursor. Returns the number of rows that were removed.
fn remove_one_by_one<T: Config>(
	prefix: Vec<u8>,
	purge: &mut PurgeOf<T>,
	rows: u32,
	now: BlockNumberFor<T>,
) -> u32 {
	let previous = match purge.cursor.is_empty() {
		true => prefix.clone(),
		false => core::mem::take(&mut purge.cursor).into_inner(),
	};
	let mut keys = KeyPrefixIterator::<()>::new(prefix, previous, |_| Ok(())).drain();
	let found = len_u32((0..rows).map_while(|_| keys.next()).count());
	// The integrity test ensures that no key is longer. Without a cursor the next step would find
	// the same rows, but walk over the removed keys.
	purge.cursor = keys.last_raw_key().to_vec().try_into().defensive_unwrap_or_default();
	purge.cursor_block = now;
	found
}

// SPDX-License-Identifier: Apache-2.0
//! The rows of the index as the chain has them: storage keys and encoded values.

use codec::Encode;
use content_fabric_okvs::{Pair, Read};
use sp_crypto_hashing::twox_64;

use super::{
	error::Result,
	keys,
	orders::Stored,
	read::{self, decode},
	view::View,
};
use crate::rows::{storage_prefix, Map, RowKey, RowValue, PALLET};

impl View<'_> {
	/// Returns all rows: storage keys and encoded values, in no order. The deletion queue follows
	/// from the purges.
	///
	/// The chain's clock, the order of medallions and the bounds of the deletion queue are not
	/// indexed. The rows under members that are being purged are left out.
	pub fn rows(&self) -> Result<Vec<Pair<Vec<u8>>>> {
		let mut rows = Vec::new();
		for map in Map::ALL {
			for pair in self.read.range(keys::map(*map).prefix())? {
				let (place, value) = pair?;
				let (_, key, true) = read::place(&self.read, *map, &place)? else { continue };
				let Stored { row, .. } = decode(&value, "a row")?;
				if let (RowKey::Purge(member), RowValue::Purge(purge)) = (&key, &row.value) {
					rows.push((queue_key(purge.place), member.encode()));
				}
				rows.push((key.storage_key(), row.raw));
			}
		}
		Ok(rows)
	}
}

/// Returns the storage key of a place in the deletion queue.
fn queue_key(place: u64) -> Vec<u8> {
	let place = place.encode();
	[&storage_prefix(PALLET, "DeletionQueue")[..], &twox_64(&place), &place].concat()
}

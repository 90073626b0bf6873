// SPDX-License-Identifier: Apache-2.0
//! The rows of the index as the chain has them: storage keys and encoded values.

use std::io::{self, Write};

use codec::Encode;
use content_fabric_okvs::{disk::DiskError, Read};
use sp_crypto_hashing::twox_64;

use super::{error::Error, keys, resync::live_row, view::View, writer::decode_stored};
use crate::rows::{storage_prefix, Map, RowKey, RowValue};

impl<R: Read<Error = DiskError>> View<R> {
	/// Passes all rows to `each`: the storage key and the encoded value. Rows of the same map follow
	/// one another, in no order. The deletion queue follows from the purges, and comes last.
	///
	/// The chain's clock, the order of medallions and the bounds of the deletion queue are not
	/// indexed. The rows under members that are being purged are left out.
	pub fn rows(
		&self,
		mut each: impl FnMut(Vec<u8>, Vec<u8>) -> Result<(), Error>,
	) -> Result<(), Error> {
		let mut queue = Vec::new();
		for map in Map::ALL {
			let prefix = keys::part(keys::Part::Row).subspace(&(map.number(),));
			for pair in self.read.range(prefix.prefix())? {
				let (place, value) = pair?;
				let (_, Some(key)) = live_row(&self.read, *map, &place)? else { continue };
				let stored = decode_stored(&value)?;
				if let (RowKey::Purge(member), RowValue::Purge(purge)) = (&key, &stored.row.value) {
					queue.push((queue_key(purge.place), member.encode()));
				}
				each(key.storage_key(), stored.row.raw)?;
			}
		}
		queue.into_iter().try_for_each(|(key, value)| each(key, value))
	}

	/// Writes all rows as lines of two hex numbers, ascending by storage key.
	pub fn dump(&self, out: &mut impl Write) -> Result<io::Result<()>, Error> {
		let mut rows = Vec::new();
		self.rows(|key, value| {
			rows.push((key, value));
			Ok(())
		})?;
		rows.sort_unstable();
		Ok(rows.iter().try_for_each(|(key, value)| {
			writeln!(out, "0x{} 0x{}", hex::encode(key), hex::encode(value))
		}))
	}
}

/// Returns the storage key of a place in the deletion queue.
fn queue_key(place: u64) -> Vec<u8> {
	let place = place.encode();
	[&storage_prefix("DeletionQueue")[..], &twox_64(&place), &place].concat()
}

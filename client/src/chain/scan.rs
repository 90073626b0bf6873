// SPDX-License-Identifier: Apache-2.0
//! Reading many rows: pages of keys one after another, pages of values at the same time.

use std::{collections::HashMap, pin::pin};

use codec::Decode;
use futures::{stream, StreamExt, TryStreamExt};
use scale_decode::DecodeAsType;
use subxt::{
	rpcs::methods::legacy::Bytes,
	storage::{Address, PrefixOf},
};

use super::{Chain, Error, Snapshot};

/// Number of keys of a page. Nodes allow no more.
const PAGE: u32 = 1_000;
/// Number of pages of values that are requested at the same time.
const PARALLEL: usize = 6;
/// Length of the hash before each part of a storage key: BLAKE2b-128.
pub(super) const KEY_HASH_LEN: usize = 16;

/// The rest of a storage key after a prefix.
pub struct KeyRest<'a>(&'a [u8]);

impl KeyRest<'_> {
	/// Returns the next part of the key.
	pub fn part<Part: Decode>(&mut self) -> Result<Part, Error> {
		let wrong = || Error::Metadata("storage key of the expected form".into());
		self.0 = self.0.get(KEY_HASH_LEN..).ok_or_else(wrong)?;
		Part::decode(&mut self.0).map_err(|_| wrong())
	}
}

impl Chain {
	/// Passes all rows of a map whose keys start with `prefix` to `each`, in no order.
	pub async fn scan<Map: Address>(
		&self,
		at: &Snapshot,
		map: Map,
		prefix: impl PrefixOf<Map::KeyParts>,
		mut each: impl FnMut(KeyRest<'_>, Map::Value) -> Result<(), Error>,
	) -> Result<(), Error> {
		let entry = at.0.storage().entry(&map)?;
		let prefix = entry.iter_key(prefix)?;
		let value_type = at.value_type(entry.pallet_name(), entry.entry_name())?;
		let (rpc, block) = (self.rpc(), Some(at.0.block_hash()));
		let pages = stream::try_unfold(Some(prefix.clone()), |start| async {
			let Some(start) = start else { return Ok(None) };
			let keys = rpc.state_get_keys_paged(&prefix, PAGE, Some(&start), block).await?;
			let is_last = u32::try_from(keys.len()).unwrap_or(PAGE) < PAGE;
			let next = keys.last().filter(|_| !is_last).cloned();
			Ok::<_, Error>(Some((keys, next)))
		});
		let values = pages.map_ok(|keys| async move {
			let keys = keys.iter().map(Vec::as_slice);
			Ok(rpc.state_query_storage_at(keys, block).await?)
		});
		let mut values = pin!(values.try_buffer_unordered(PARALLEL));
		while let Some(changes) = values.try_next().await? {
			for (key, value) in changes.into_iter().flat_map(|set| set.changes) {
				let Some(value) = value else { continue };
				let rest = KeyRest(key.0.get(prefix.len()..).unwrap_or_default());
				each(rest, decode(at, &value, value_type)?)?;
			}
		}
		Ok(())
	}

	/// Returns the rows of a map with these keys, in their order. `None` for those that do not
	/// exist.
	pub async fn get_many<Map: Address>(
		&self,
		at: &Snapshot,
		map: Map,
		keys: impl IntoIterator<Item = Map::KeyParts>,
	) -> Result<Vec<Option<Map::Value>>, Error> {
		let entry = at.0.storage().entry(&map)?;
		let keys = keys.into_iter().map(|key| entry.fetch_key(key));
		let keys = keys.collect::<Result<Vec<_>, _>>()?;
		let value_type = at.value_type(entry.pallet_name(), entry.entry_name())?;
		let (rpc, block) = (self.rpc(), Some(at.0.block_hash()));
		let pages = keys
			.chunks(PAGE as usize)
			.map(|page| rpc.state_query_storage_at(page.iter().map(Vec::as_slice), block));
		let mut found = HashMap::new();
		let mut pages = stream::iter(pages).buffer_unordered(PARALLEL);
		while let Some(changes) = pages.try_next().await? {
			found.extend(changes.into_iter().flat_map(|set| set.changes));
		}
		let row = |key: &Vec<u8>| {
			let value = found.get(&Bytes(key.clone())).and_then(Option::as_ref);
			value.map(|value| decode(at, value, value_type)).transpose()
		};
		keys.iter().map(row).collect()
	}
}

/// Decodes a value of a type of the chain.
fn decode<Value: DecodeAsType>(
	at: &Snapshot,
	bytes: &Bytes,
	value_type: u32,
) -> Result<Value, Error> {
	let value = Value::decode_as_type(&mut &bytes.0[..], value_type, at.metadata().types());
	value.map_err(|error| subxt::Error::other(error).into())
}

#[cfg(test)]
mod tests {
	use codec::Encode;

	use super::*;

	#[test]
	fn parts_of_a_key_follow_their_hashes() {
		let hash = [7u8; KEY_HASH_LEN];
		let key = [&hash[..], &3u32.encode(), &hash, &b"name".to_vec().encode()].concat();
		let mut rest = KeyRest(&key);
		assert_eq!(rest.part::<u32>().ok(), Some(3));
		assert_eq!(rest.part::<Vec<u8>>().ok(), Some(b"name".to_vec()));
		assert!(rest.part::<u32>().is_err());
	}
}

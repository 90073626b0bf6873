// SPDX-License-Identifier: Apache-2.0
//! Values and rows in the chain's storage.

use std::{collections::HashMap, future::Future};

use codec::{Decode, DecodeAll};
use subxt::{rpcs, utils::H256};

use super::{
	error::{ask, is_too_large},
	Node,
};
use crate::{
	rows::{storage_prefix, Map, Row, RowKey, RowValue},
	source::{BlockRef, Result, Runtime, SourceError},
};

impl Node {
	/// Returns a value at the end of a block.
	pub(super) async fn value(&self, block: BlockRef, key: &[u8]) -> Result<Option<Vec<u8>>> {
		let value = self.chain.rpc().state_get_storage(key, Some(H256(block.hash)));
		ask("state_getStorage", Some(block.number), value).await
	}

	/// Returns the single value of a pallet's item at the end of a block.
	pub(super) async fn item<Value: Decode>(
		&self,
		block: BlockRef,
		pallet: &str,
		name: &str,
	) -> Result<Option<Value>> {
		let raw = self.value(block, &storage_prefix(pallet, name)).await?;
		let value = raw.map(|raw| Value::decode_all(&mut &raw[..])).transpose();
		let number = block.number;
		value.map_err(|_| {
			SourceError::Unknown(format!("{pallet}.{name} of block {number} has an unknown shape"))
		})
	}

	/// Returns values at the end of a block, in the order of the keys. One request asks for all of
	/// them, unless the answer is larger than the node sends.
	pub(super) async fn values(
		&self,
		block: BlockRef,
		keys: &[Vec<u8>],
	) -> Result<Vec<Option<Vec<u8>>>> {
		let at = Some(H256(block.hash));
		let sets = in_parts(keys, |keys| {
			self.chain.rpc().state_query_storage_at(keys.iter().map(Vec::as_slice), at)
		});
		let sets = ask("state_queryStorageAt", Some(block.number), sets).await?;
		let changes = sets.into_iter().flatten().flat_map(|set| set.changes);
		in_order(changes.map(|(key, value)| (key.0, value.map(|value| value.0))), keys)
	}

	/// Returns the storage keys with a prefix that come after `start`, at most `limit`.
	pub(super) async fn keys(
		&self,
		block: BlockRef,
		prefix: &[u8],
		limit: u32,
		start: Option<&[u8]>,
	) -> Result<Vec<Vec<u8>>> {
		let at = Some(H256(block.hash));
		let keys = self.chain.rpc().state_get_keys_paged(prefix, limit, start, at);
		ask("state_getKeysPaged", Some(block.number), keys).await
	}

	/// Returns a page of a map, by the storage keys of its rows.
	pub(super) async fn page(
		&self,
		block: BlockRef,
		map: Map,
		keys: Vec<Vec<u8>>,
	) -> Result<Vec<(RowKey, Row)>> {
		let (runtime, values) =
			tokio::try_join!(self.runtime_of(block), self.values(block, &keys))?;
		let rows = keys.iter().zip(values).map(|(key, raw)| {
			let shown = || hex::encode(key);
			let row_key = RowKey::of_storage_key(map, key).ok_or_else(|| {
				let (key, map) = (shown(), map.name());
				SourceError::Unknown(format!(
					"storage key 0x{key} of map {map} does not have the expected form"
				))
			})?;
			let raw = raw.ok_or_else(|| {
				let key = shown();
				SourceError::Node(format!(
					"the node lists storage key 0x{key} and has no value of it"
				))
			})?;
			Ok((row_key, row(map, raw, &runtime)?))
		});
		rows.collect()
	}
}

/// Reads a row.
pub(super) fn row(map: Map, raw: Vec<u8>, runtime: &Runtime) -> Result<Row> {
	let value = RowValue::decode(map, &raw, &runtime.metadata).map_err(|reason| {
		let (map, version) = (map.name(), runtime.spec_version);
		SourceError::Unknown(format!(
			"rows of map {map} have an unknown shape at version {version} of the runtime: {reason}"
		))
	})?;
	Ok(Row { raw, value })
}

/// Asks for all keys. Halves them whenever the answer is larger than the node sends. Fails if the
/// answer for a single key is too large.
async fn in_parts<'k, Answer, Asking>(
	keys: &'k [Vec<u8>],
	request: impl Fn(&'k [Vec<u8>]) -> Asking,
) -> Result<Vec<Answer>, rpcs::Error>
where
	Asking: Future<Output = Result<Answer, rpcs::Error>>,
{
	// The parts that are left, the first one last.
	let (mut answers, mut parts) = (Vec::new(), vec![keys]);
	while let Some(part) = parts.pop() {
		match request(part).await {
			Err(error) if is_too_large(&error) && part.len() > 1 => {
				let (first, second) = part.split_at(part.len() / 2);
				parts.extend([second, first]);
			},
			answer => answers.push(answer?),
		}
	}
	Ok(answers)
}

/// Puts an answer into the order of the keys. A node names every key that it was asked for, also
/// those without a value. So an incomplete answer is not taken for missing rows.
fn in_order(
	answer: impl Iterator<Item = (Vec<u8>, Option<Vec<u8>>)>,
	keys: &[Vec<u8>],
) -> Result<Vec<Option<Vec<u8>>>> {
	let mut values: HashMap<_, _> = answer.collect();
	let value = |key: &Vec<u8>| {
		values.remove(key).ok_or_else(|| {
			let key = hex::encode(key);
			SourceError::Node(format!("the node's answer leaves out storage key 0x{key}"))
		})
	};
	keys.iter().map(value).collect()
}

#[cfg(test)]
mod tests {
	use super::*;

	/// Asks a node that sends at most `most` values of keys that are not 99.
	async fn ask_for(numbers: &[u8], most: usize, code: i32) -> Result<Vec<Vec<u8>>, rpcs::Error> {
		let keys: Vec<_> = numbers.iter().map(|number| vec![*number]).collect();
		let ask = |keys: &[Vec<u8>]| {
			let keys = keys.concat();
			async move {
				match keys.len() > most || keys.contains(&99) {
					true => {
						let message = "Response is too big".into();
						Err(rpcs::Error::User(rpcs::UserError { code, message, data: None }))
					},
					false => Ok(keys),
				}
			}
		};
		in_parts(&keys, ask).await
	}

	#[tokio::test]
	async fn answers_that_are_too_large_are_asked_for_in_parts() {
		const TOO_LARGE: i32 = -32_008;
		let parts = ask_for(&[1, 2, 3, 4, 5], 5, TOO_LARGE).await.expect("all fit");
		assert_eq!(parts, [vec![1, 2, 3, 4, 5]]);
		let parts = ask_for(&[1, 2, 3, 4, 5], 2, TOO_LARGE).await.expect("parts fit");
		assert_eq!(parts, [vec![1, 2], vec![3], vec![4, 5]]);
		let parts = ask_for(&[1, 2, 3], 1, TOO_LARGE).await.expect("each fits");
		assert_eq!(parts, [[1], [2], [3]]);
		// One value that is too large, and an error of another kind.
		assert!(is_too_large(&ask_for(&[1, 99, 3], 3, TOO_LARGE).await.expect_err("one is left")));
		assert!(!is_too_large(&ask_for(&[1, 2], 1, -32_603).await.expect_err("it fails")));
	}

	#[test]
	fn values_are_in_the_order_of_their_keys_and_none_may_be_left_out() {
		let keys = [vec![1], vec![2], vec![3]];
		let (one, two, three) =
			((vec![1], Some(vec![10])), (vec![2], None), (vec![3], Some(vec![])));
		let answer = [three.clone(), one.clone(), two].into_iter();
		let values = in_order(answer, &keys).expect("all are there; qed");
		assert_eq!(values, [Some(vec![10]), None, Some(vec![])]);
		let error = in_order([three, one].into_iter(), &keys).expect_err("one is left out");
		assert_eq!(error.to_string(), "the node's answer leaves out storage key 0x02");
		assert!(error.is_transient());
	}
}

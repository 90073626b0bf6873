//! Values in the chain's storage.

use std::collections::HashMap;

use subxt::utils::H256;

use super::{error::ask, Node};
use crate::source::{BlockRef, SourceError};

impl Node {
	/// Returns a value at the end of a block.
	pub(super) async fn value(
		&self,
		block: BlockRef,
		key: &[u8],
	) -> Result<Option<Vec<u8>>, SourceError> {
		let value = self.chain.rpc().state_get_storage(key, Some(H256(block.hash)));
		ask("state_getStorage", Some(block.number), value).await
	}

	/// Returns values at the end of a block with one request, in the order of the keys.
	pub(super) async fn values(
		&self,
		block: BlockRef,
		keys: &[Vec<u8>],
	) -> Result<Vec<Option<Vec<u8>>>, SourceError> {
		let changes = self
			.chain
			.rpc()
			.state_query_storage_at(keys.iter().map(Vec::as_slice), Some(H256(block.hash)));
		let sets = ask("state_queryStorageAt", Some(block.number), changes).await?;
		let changes = sets.into_iter().flat_map(|set| set.changes);
		in_order(changes.map(|(key, value)| (key.0, value.map(|value| value.0))), keys)
	}

	/// Returns the storage keys with a prefix that come after `start`, at most `limit`.
	pub(super) async fn keys(
		&self,
		block: BlockRef,
		prefix: &[u8],
		limit: u32,
		start: Option<&[u8]>,
	) -> Result<Vec<Vec<u8>>, SourceError> {
		let at = Some(H256(block.hash));
		let keys = self.chain.rpc().state_get_keys_paged(prefix, limit, start, at);
		ask("state_getKeysPaged", Some(block.number), keys).await
	}
}

/// Puts an answer into the order of the keys. A node names every key that it was asked for, also
/// those without a value. So an incomplete answer is not taken for missing rows.
fn in_order(
	answer: impl Iterator<Item = (Vec<u8>, Option<Vec<u8>>)>,
	keys: &[Vec<u8>],
) -> Result<Vec<Option<Vec<u8>>>, SourceError> {
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

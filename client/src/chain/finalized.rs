// SPDX-License-Identifier: Apache-2.0
//! The finalized chain as a light client knows it: by its last block, and from there by the hashes
//! of parents. No node can prove by a number alone which block has it.

use std::{
	collections::BTreeMap,
	sync::{Mutex, PoisonError},
};

use codec::Encode;
use subxt::{config::substrate::SubstrateHeader, rpcs::client::RpcSubscription, utils::H256};

use super::{blake2_256, identity::Rpc, Error};

/// Number of blocks before the last finalized one that are looked up. Each costs a request.
const DEPTH: u64 = 4_096;

pub(super) type Header = SubstrateHeader<H256>;

/// The hashes of finalized blocks that were looked up. Finality does not change, so they stay
/// valid.
#[derive(Debug, Default)]
pub(super) struct Finalized(Mutex<BTreeMap<u64, H256>>);

impl Finalized {
	/// Returns the hash of the finalized block with a number. `None` if none has it yet.
	///
	/// Fails for a block that is too far back.
	pub async fn hash(&self, rpc: &Rpc, number: u64) -> Result<Option<H256>, Error> {
		let head = rpc.chain_get_finalized_head().await?;
		let last = header(rpc, head).await?.number;
		if number > last {
			return Ok(None);
		}
		if last - number > DEPTH {
			return Err(Error::Usage(format!(
				"block {number} is more than {DEPTH} blocks before the last finalized one, and a \
				 light client goes back no further; pass the --url of an archive node"
			)));
		}
		self.remember(last, head);
		let (mut known, mut hash) = self.nearest(number).unwrap_or((last, head));
		while known > number {
			hash = header(rpc, hash).await?.parent_hash;
			known -= 1;
			self.remember(known, hash);
		}
		Ok(Some(hash))
	}

	fn remember(&self, number: u64, hash: H256) {
		let mut hashes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
		hashes.insert(number, hash);
		while u64::try_from(hashes.len()).is_ok_and(|length| length > 2 * DEPTH) {
			hashes.pop_first();
		}
	}

	/// Returns the first block that is known from a number on.
	fn nearest(&self, number: u64) -> Option<(u64, H256)> {
		let hashes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
		hashes.range(number..).next().map(|(number, hash)| (*number, *hash))
	}
}

/// Returns the header of a block.
async fn header(rpc: &Rpc, hash: H256) -> Result<Header, Error> {
	let missing = || subxt::Error::other_str("no node has the header of a finalized block");
	Ok(rpc.chain_get_header(Some(hash)).await?.ok_or_else(missing)?)
}

/// Waits for the next finalized block. Returns its hash.
pub(super) async fn next(heads: &mut RpcSubscription<Header>) -> Result<H256, Error> {
	let header = heads.next().await.ok_or(Error::Disconnected)??;
	Ok(H256(blake2_256(&header.encode())))
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn a_search_starts_at_the_nearest_known_block_and_memory_is_bounded() {
		let finalized = Finalized::default();
		let hash = |number: u64| H256::from_low_u64_be(number);
		for number in [7, 3, 9] {
			finalized.remember(number, hash(number));
		}
		assert_eq!(finalized.nearest(3), Some((3, hash(3))));
		assert_eq!(finalized.nearest(4), Some((7, hash(7))));
		assert_eq!(finalized.nearest(10), None);
		for number in 10..20_000 {
			finalized.remember(number, hash(number));
		}
		let (first, _) = finalized.nearest(0).expect("some are known; qed");
		assert_eq!(first, 20_000 - 2 * DEPTH);
	}
}

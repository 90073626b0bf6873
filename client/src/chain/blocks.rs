// SPDX-License-Identifier: Apache-2.0
//! Blocks, and the state at each.

use subxt::{client::Blocks, rpcs::client::RpcSubscription, utils::H256};

use super::{
	finalized::{self, Header},
	Chain, Error, FabricConfig, Snapshot,
};

/// The kind of block that a command waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wait {
	/// A best block. A fork can still retract it.
	#[default]
	Best,
	/// A finalized block.
	Finalized,
}

/// Blocks as they come, from now on.
pub struct BlockStream(Stream);

enum Stream {
	/// The blocks of a node.
	Node(Blocks<FabricConfig>),
	/// The finalized blocks of a light client. It leaves some out when many come at once.
	Light { chain: subxt::client::OnlineClient<FabricConfig>, heads: RpcSubscription<Header> },
}

impl Chain {
	/// Returns the state at the best block. A light client returns that at the last finalized
	/// block: a single node can make it believe in a best block that nobody else has.
	pub async fn best(&self) -> Result<Snapshot, Error> {
		if self.is_light() {
			return self.finalized().await;
		}
		self.at(self.best_hash().await?).await
	}

	/// Returns the hash of the best block of the node.
	pub async fn best_hash(&self) -> Result<[u8; 32], Error> {
		let missing = || subxt::Error::other_str("the node has no best block");
		Ok(self.rpc.chain_get_block_hash(None).await?.ok_or_else(missing)?.0)
	}

	/// Returns the hash of the last finalized block.
	pub async fn finalized_hash(&self) -> Result<[u8; 32], Error> {
		Ok(self.rpc.chain_get_finalized_head().await?.0)
	}

	/// Returns the state at the last finalized block.
	pub async fn finalized(&self) -> Result<Snapshot, Error> {
		self.at(self.finalized_hash().await?).await
	}

	/// Returns the state at a block.
	pub async fn at(&self, block_hash: [u8; 32]) -> Result<Snapshot, Error> {
		Ok(Snapshot(self.client.at_block(H256(block_hash)).await?))
	}

	/// Returns the hash of the block with a number on the chain of the best block, or, with a light
	/// client, on the finalized chain.
	pub async fn block_hash(&self, number: u64) -> Result<Option<[u8; 32]>, Error> {
		let hash = match &self.finalized {
			Some(finalized) => finalized.hash(&self.rpc, number).await?,
			None => self.rpc.chain_get_block_hash(Some(number.into())).await?,
		};
		Ok(hash.map(|hash| hash.0))
	}

	/// Returns the best blocks from now on, or the finalized ones. A light client returns finalized
	/// ones.
	pub async fn blocks(&self, wait: Wait) -> Result<BlockStream, Error> {
		Ok(BlockStream(match wait {
			_ if self.is_light() => Stream::Light {
				chain: self.client.clone(),
				heads: self.rpc.chain_subscribe_finalized_heads().await?,
			},
			Wait::Best => Stream::Node(self.client.stream_best_blocks().await?),
			Wait::Finalized => Stream::Node(self.client.stream_blocks().await?),
		}))
	}
}

impl BlockStream {
	/// Waits for the next block, and returns its state.
	pub async fn next(&mut self) -> Result<Snapshot, Error> {
		match &mut self.0 {
			Stream::Node(blocks) => {
				let block = blocks.next().await.ok_or(Error::Disconnected)??;
				Ok(Snapshot(block.at().await?))
			},
			Stream::Light { chain, heads } => {
				Ok(Snapshot(chain.at_block(finalized::next(heads).await?).await?))
			},
		}
	}
}

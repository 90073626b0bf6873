//! Blocks, and the state at each.

use subxt::client::Blocks;

use super::{Chain, Error, FabricConfig, Snapshot, Wait};

/// Blocks as they come, from now on.
pub struct BlockStream(Blocks<FabricConfig>);

impl Chain {
	/// Returns the state at the best block.
	pub async fn best(&self) -> Result<Snapshot, Error> {
		let hash = self
			.rpc
			.chain_get_block_hash(None)
			.await?
			.ok_or_else(|| subxt::Error::other_str("the node has no best block"))?;
		Ok(Snapshot(self.client.at_block(hash).await?))
	}

	/// Returns the state at the last finalized block.
	pub async fn finalized(&self) -> Result<Snapshot, Error> {
		let hash = self.rpc.chain_get_finalized_head().await?;
		Ok(Snapshot(self.client.at_block(hash).await?))
	}

	/// Returns the state at a block.
	pub async fn at(&self, block_hash: [u8; 32]) -> Result<Snapshot, Error> {
		let hash = subxt::utils::H256(block_hash);
		Ok(Snapshot(self.client.at_block(hash).await?))
	}

	/// Returns the hash of the block with a number on the chain of the best block.
	pub async fn block_hash(&self, number: u64) -> Result<Option<[u8; 32]>, Error> {
		let hash = self.rpc.chain_get_block_hash(Some(number.into())).await?;
		Ok(hash.map(|hash| hash.0))
	}

	/// Returns the best blocks from now on, or the finalized ones.
	pub async fn blocks(&self, wait: Wait) -> Result<BlockStream, Error> {
		Ok(BlockStream(match wait {
			Wait::Best => self.client.stream_best_blocks().await?,
			Wait::Finalized => self.client.stream_blocks().await?,
		}))
	}
}

impl BlockStream {
	/// Waits for the next block, and returns its state.
	pub async fn next(&mut self) -> Result<Snapshot, Error> {
		let block = self.0.next().await.ok_or(Error::Disconnected)??;
		Ok(Snapshot(block.at().await?))
	}
}

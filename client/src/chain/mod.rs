//! The connection to a node: which chain it is, its state, its calls, its events.

pub mod calls;
mod commits;
mod config;
mod connection;
mod dry_run;
mod events;
mod identity;
pub mod limits;
mod members;
mod metadata_types;
mod node_client;
pub(crate) mod pipeline;
pub mod purges;
pub mod rows;
mod scan;
mod snapshot;
mod stream;
mod text_limits;
mod transaction;

use subxt::client::{Blocks, OnlineClient};

pub(crate) use commits::time_of_commit;
pub use commits::{wall_clock, VersionCommit};
pub use config::FabricConfig;
pub use connection::Endpoint;
pub use dry_run::{no_dry_run, DryRun};
pub use events::{BlockEvent, ChainEvent};
pub use identity::Identity;
pub use members::{admission_name, kind, provider_level_name, role_name, tenant_level_name};
pub use snapshot::Snapshot;
pub use text_limits::TextLimit;
pub use transaction::{Included, Signed, Wait};

use crate::Error;

/// A connection to a node.
pub struct Chain {
	endpoint: Endpoint,
	identity: Identity,
	version: connection::RuntimeVersion,
	client: OnlineClient<FabricConfig>,
	rpc: identity::Rpc,
}

/// Blocks as they come, from now on.
pub struct BlockStream(Blocks<FabricConfig>);

impl Chain {
	/// Returns what the node says about its chain.
	pub fn identity(&self) -> &Identity {
		&self.identity
	}

	/// Returns the RPC methods of the node.
	pub fn rpc(&self) -> &identity::Rpc {
		&self.rpc
	}

	/// Returns the state at the best block.
	pub async fn best(&self) -> Result<Snapshot, Error> {
		let hash = self
			.rpc
			.chain_get_block_hash(None)
			.await?
			.ok_or_else(|| subxt::Error::other_str("the node has no best block"))?;
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

/// Returns the error of a chain that lacks an item in its metadata.
fn metadata_error(what: String) -> Error {
	Error::Metadata { what }
}

// SPDX-License-Identifier: Apache-2.0
//! The chain: commits and finalizations go to it, and the rows of its finalized blocks come from it.

mod commit;
mod finalize;
mod follow;

use std::{
	sync::{atomic::AtomicUsize, Arc, PoisonError, RwLock},
	time::Duration,
};

use content_fabric_client::{
	chain::{
		calls::EncodedCall, rows, Chain, Endpoint, Error as ChainError, Included, Snapshot, Wait,
	},
	keys::{KeySource, Signer},
	profile::NodeUrl,
};
use content_fabric_identifiers::{NodeId, ProviderId};
use tokio::sync::{Mutex, Notify};
use tracing::info;

pub use commit::Refusal;

use crate::{
	error::Error,
	keep::{Identity, Keep, FORMAT},
};

/// Longest time until a transaction is in a block.
const INCLUSION: Duration = Duration::from_secs(90);
/// Longest time of an attempt to connect again.
const PATIENCE: Duration = Duration::from_secs(30);
/// Pause between attempts to follow the chain.
const PAUSE: Duration = Duration::from_secs(1);

/// The connection to the chain, as one node of a provider.
pub struct Fabric {
	chain: RwLock<Arc<Chain>>,
	/// The provider.
	pub provider: ProviderId,
	/// The node.
	pub node: NodeId,
	/// Most versions of a commit, and of a finalization.
	limit: usize,
	/// The number that names the node in muids.
	medallion: u64,
	signer: Signer,
	/// Transactions are signed one after the other, as each has the next nonce.
	submitting: Mutex<()>,
	drafts: commit::Drafts,
	keep: Arc<Keep>,
	/// Notifies the finalizer that there is work.
	pub arrived: Notify,
	/// Number of uploads since the last finalizations.
	uploads: AtomicUsize,
	state: RwLock<Option<u64>>,
}

impl Fabric {
	/// Connects to the chain, and checks that the key is that of the node's operator.
	pub async fn connect(
		url: NodeUrl,
		(provider, node): (ProviderId, NodeId),
		key: &KeySource,
		keep: Arc<Keep>,
		capacity: u64,
	) -> Result<Self, Error> {
		let chain = Chain::connect(Endpoint::new(url)).await?;
		let signer = key.load(chain.identity().kind)?;
		let at = chain.best().await?;
		let row = at.get(&rows::nodes(), (provider, node)).await?;
		let row = row.ok_or_else(|| ChainError::Unknown { kind: "node", id: node.to_string() })?;
		if row.operator != *signer.account() {
			let (found, operator) = (signer.account().to_string(), row.operator.to_string());
			return Err(Error::Operator { found, operator });
		}
		if row.pending {
			return Err(Error::Pending(node.to_string()));
		}
		let limit: u32 = at.constant("ContentFabric", "MaxVersionsPerCommit")?;
		Ok(Self {
			limit: usize::try_from(limit).unwrap_or(usize::MAX).max(1),
			chain: RwLock::new(Arc::new(chain)),
			provider,
			node,
			medallion: row.medallion,
			signer,
			submitting: Mutex::default(),
			drafts: commit::Drafts::new(capacity),
			keep,
			arrived: Notify::new(),
			uploads: AtomicUsize::new(0),
			state: RwLock::default(),
		})
	}

	/// Returns whose record the node needs.
	pub fn identity(&self) -> Identity {
		let genesis = self.chain().identity().genesis_hash;
		Identity { format: FORMAT, genesis, node: (self.provider.0, self.node.0) }
	}

	/// Returns the last finalized block that the node has followed since it started. `None` if it
	/// has not compared itself with the chain yet, or has lost the chain.
	pub fn followed(&self) -> Option<u64> {
		*self.state.read().unwrap_or_else(PoisonError::into_inner)
	}

	fn set_followed(&self, block: Option<u64>) {
		*self.state.write().unwrap_or_else(PoisonError::into_inner) = block;
	}

	fn chain(&self) -> Arc<Chain> {
		self.chain.read().unwrap_or_else(PoisonError::into_inner).clone()
	}

	/// Connects again, once.
	async fn reconnect(&self) -> Result<(), ChainError> {
		let chain = self.chain().reconnect(PATIENCE).await?;
		*self.chain.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(chain);
		info!("connected to the chain again");
		Ok(())
	}

	/// Submits a call with the operator's key, and waits until it is in a block.
	async fn submit(&self, call: &EncodedCall) -> Result<Included, ChainError> {
		let _one = self.submitting.lock().await;
		self.chain().submit(&self.signer, call, Wait::Best, INCLUSION).await
	}

	/// Returns the error with which a call would fail. `None` if it would succeed.
	async fn refusal(
		&self,
		at: &Snapshot,
		call: &EncodedCall,
	) -> Result<Option<String>, ChainError> {
		Ok(at.rehearse(self.signer.account(), call).await?.error)
	}
}

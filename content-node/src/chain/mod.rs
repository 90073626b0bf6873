// SPDX-License-Identifier: Apache-2.0
//! The chain: commits and finalizations go to it, and the rows of its finalized blocks come from
//! it.

mod commit;
mod finalize;
mod follow;
mod funds;
mod origin;
mod owed;

use std::{
	sync::{atomic::AtomicUsize, Arc},
	time::Duration,
};

use content_fabric_client::{
	chain::{
		calls::EncodedCall, rows, Chain, Endpoint, Error as ChainError, Included, Snapshot, Wait,
	},
	keys::{ChainKind, KeyError, KeySource, Signer},
	profile::NodeUrl,
};
use content_fabric_identifiers::{NodeId, ProviderId};
use tokio::sync::{watch, Mutex, Notify};
use tracing::info;

pub use commit::{Refusal, Room};

use crate::{
	error::Error,
	keep::{Identity, Keep, FORMAT},
	verify::Verifier,
};

/// Longest time until a transaction is in a block.
const INCLUSION: Duration = Duration::from_secs(90);
/// Longest time of an attempt to connect again.
const PATIENCE: Duration = Duration::from_secs(30);
/// Pause between attempts to follow the chain.
const PAUSE: Duration = Duration::from_secs(1);

/// The chain, as one node of a provider sees it.
pub struct Fabric {
	endpoint: Endpoint,
	pub provider: ProviderId,
	pub node: NodeId,
	key: KeySource,
	signer: Signer,
	/// The last connection, which may be lost. `None` if the chain has not been reached yet.
	link: watch::Sender<Option<Arc<Link>>>,
	/// Transactions are signed one after the other, as each has the next nonce.
	submitting: Mutex<()>,
	drafts: Mutex<commit::Drafts>,
	room: Room,
	keep: Arc<Keep>,
	/// Knows which stored bytes are sound.
	verifier: Arc<Verifier>,
	/// Notifies the finalizer that there is work.
	pub arrived: Notify,
	/// Notifies the task that hashes stored bytes before they are finalized.
	unverified: Notify,
	/// Number of uploads since the last finalizations.
	uploads: AtomicUsize,
	/// The last finalized block that the node has followed since it started. `None` if it has not
	/// compared itself with the chain yet, or has lost the chain.
	followed: watch::Sender<Option<u64>>,
	/// The lasting problem that keeps the node from following the chain.
	problem: origin::Problem,
	/// Amount that the operator could spend at the last request to the chain.
	balance: watch::Sender<Option<u128>>,
}

/// A connection, and what the chain says of the node.
struct Link {
	chain: Chain,
	/// Largest number of versions of a commit, and of a finalization.
	limit: usize,
	/// The number that names the node in muids.
	medallion: u64,
}

impl Fabric {
	/// Makes the state, without a connection. Reads the key.
	pub fn new(
		url: NodeUrl,
		(provider, node): (ProviderId, NodeId),
		key: KeySource,
		keep: Arc<Keep>,
		room: Room,
		verifier: Arc<Verifier>,
	) -> Result<Self, KeyError> {
		Ok(Self {
			// The chain is not known yet: a key that it does not allow is refused with the
			// connection.
			signer: key.load(ChainKind::Development)?,
			endpoint: Endpoint::new(url),
			provider,
			node,
			key,
			link: watch::Sender::default(),
			submitting: Mutex::default(),
			drafts: Mutex::default(),
			room,
			keep,
			verifier,
			arrived: Notify::new(),
			unverified: Notify::new(),
			uploads: AtomicUsize::new(0),
			followed: watch::Sender::default(),
			problem: origin::Problem::default(),
			balance: watch::Sender::default(),
		})
	}

	/// Connects to the chain. Checks that the key is that of the node's operator, and that the
	/// record is that of the node.
	pub async fn connect(&self) -> Result<(), Error> {
		let (provider, node) = (self.provider, self.node);
		let chain = Chain::connect(self.endpoint.clone()).await?;
		self.key.ensure_allowed(chain.identity().kind)?;
		let genesis = chain.identity().genesis_hash;
		let identity = Identity { format: FORMAT, genesis, node: (provider.0, node.0) };
		if self.keep.is(&identity)? {
			match self.ensure_followed(&chain, &chain.finalized().await?).await {
				// It may catch up.
				Err(Error::Behind { .. }) => {},
				checked => checked?,
			}
		}
		let at = chain.best().await?;
		let row = at.get(rows::nodes(), (provider, node)).await?;
		let row = row.ok_or_else(|| ChainError::Unknown { kind: "node", id: node.to_string() })?;
		if row.operator != *self.signer.account() {
			let (found, operator) = (self.signer.account().to_string(), row.operator.to_string());
			return Err(Error::Operator { found, operator });
		}
		if row.pending {
			return Err(Error::Pending(node.to_string()));
		}
		let limit: u32 = at.constant("ContentFabric", "MaxVersionsPerCommit")?;
		let limit = usize::try_from(limit).unwrap_or(usize::MAX).max(1);
		self.keep.claim(&identity)?;
		self.link.send_replace(Some(Arc::new(Link {
			chain,
			limit,
			medallion: row.medallion.into(),
		})));
		Ok(())
	}

	/// Returns the last finalized block that the node has followed since it started. `None` if it
	/// has not compared itself with the chain yet, or has lost the chain.
	pub fn followed(&self) -> Option<u64> {
		*self.followed.borrow()
	}

	/// Returns the number of the best block, as the chain's node has reported it a few seconds ago
	/// at most. `None` if that is not known, or the chain is lost.
	pub fn best(&self) -> Option<u64> {
		self.followed()?;
		Some(self.link().ok()?.chain.heads()?.best)
	}

	/// Returns the lasting problem that keeps the node from following the chain.
	pub fn problem(&self) -> Option<String> {
		self.problem.reason()
	}

	/// Returns the last connection, which may be lost. Fails if there has been none.
	fn link(&self) -> Result<Arc<Link>, ChainError> {
		self.link.borrow().clone().ok_or(ChainError::Disconnected)
	}

	/// Connects, again or for the first time.
	async fn reconnect(&self) -> Result<(), Error> {
		match self.link() {
			Ok(link) => {
				let Link { limit, medallion, .. } = *link;
				let chain = link.chain.reconnect(PATIENCE).await?;
				self.link.send_replace(Some(Arc::new(Link { chain, limit, medallion })));
			},
			Err(_) => self.connect().await?,
		}
		info!("connected to the chain");
		Ok(())
	}

	/// Submits a call with the operator's key, and waits until it is in a block.
	async fn submit(&self, call: &EncodedCall) -> Result<Included, ChainError> {
		let _one = self.submitting.lock().await;
		self.link()?.chain.submit(&self.signer, call, Wait::Best, INCLUSION).await
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

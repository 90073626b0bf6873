// SPDX-License-Identifier: Apache-2.0
//! The chain: commits and finalizations go to it, and the rows of its finalized blocks come from
//! it.

mod clock;
mod commit;
mod copies;
mod drafts;
mod finalize;
mod follow;
mod funds;
mod levels;
mod origin;
mod owed;
mod progress;
mod tip;
mod unfinal;

use std::{
	sync::{
		atomic::{AtomicBool, AtomicUsize},
		Arc,
	},
	time::Duration,
};

use content_fabric_client::{
	chain::{
		calls::EncodedCall, rows, Chain, Endpoint, Error as ChainError, Included, Sender, Snapshot,
		Wait,
	},
	keys::{KeySource, Signer},
	profile::NodeUrl,
};
use content_fabric_identifiers::{NodeId, ProviderId};
use subxt::utils::AccountId32;
use tokio::sync::{watch, Mutex, Notify};
use tracing::info;

pub use commit::{Refusal, Room};
pub use levels::Denial;
pub use progress::Stall;

use crate::{
	error::Error,
	keep::{Identity, Keep, KeepError},
	mirror::Progress,
	verify::Verifier,
};

/// Longest time until a transaction is in a block.
const INCLUSION: Duration = Duration::from_secs(90);
/// Longest time of an attempt to connect again.
const PATIENCE: Duration = Duration::from_secs(30);
/// Pause between attempts to follow the chain.
const PAUSE: Duration = Duration::from_secs(1);
/// Further pause between attempts to connect to a chain that is behind, or is another one.
const LONG_PAUSE: Duration = Duration::from_secs(5);

/// The chain, as one node of a provider sees it.
pub struct Fabric {
	endpoint: Endpoint,
	pub provider: ProviderId,
	pub node: NodeId,
	key: KeySource,
	/// The key of the operator, with which all commits and finalizations are signed.
	operator: Sender,
	/// The last connection, which may be lost. `None` if the chain has not been reached yet.
	link: watch::Sender<Option<Arc<Link>>>,
	drafts: drafts::Drafts,
	/// The levels of the accounts that have signed requests.
	levels: levels::Levels,
	/// The state at the last best block for which somebody has asked.
	tip: Mutex<Option<Arc<tip::Tip>>>,
	/// The commits in blocks that were not final when somebody last asked.
	unfinal: Mutex<unfinal::Unfinal>,
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
	followed: watch::Sender<Option<progress::Followed>>,
	/// The lasting problem that keeps the node from following the chain.
	problem: origin::Problem,
	/// The difference of the clocks of this machine and of the chain.
	clock: clock::Clock,
	/// Amount that the operator could spend at the last request to the chain.
	balance: watch::Sender<Option<u128>>,
	/// The fees of a commit of one version and its finalization.
	fee: watch::Sender<Option<u128>>,
	/// True if the balance did not suffice for them.
	is_short: AtomicBool,
	/// The state of downloads from other nodes.
	pub pulls: Progress,
}

/// A connection, and what the chain says of the node.
struct Link {
	chain: Chain,
	/// Largest number of versions of a commit, and of a finalization.
	limit: usize,
	/// The number that names the node in muids.
	medallion: u64,
}

/// Checks that an account operates a node, and that the node is confirmed.
fn ensure_operates(account: &AccountId32, node: NodeId, row: &rows::Node) -> Result<(), Error> {
	if row.operator != *account {
		let (found, operator) = (account.to_string(), row.operator.to_string());
		return Err(Error::Operator { found, operator });
	}
	match row.pending {
		true => Err(Error::Pending(node.to_string())),
		false => Ok(()),
	}
}

fn unknown(node: NodeId) -> Error {
	ChainError::Unknown { kind: "node", id: node.to_string() }.into()
}

impl Fabric {
	/// Checks that the chain has a node, and that the key belongs to its operator.
	pub async fn check(
		url: NodeUrl,
		(provider, node): (ProviderId, NodeId),
		(key, operator): (&KeySource, &Signer),
	) -> Result<(), Error> {
		let chain = Chain::connect(Endpoint::new(url)).await?;
		key.ensure_allowed(chain.identity().kind)?;
		let row = chain.best().await?.get(rows::nodes(), (provider, node)).await?;
		ensure_operates(operator.account(), node, &row.ok_or_else(|| unknown(node))?)
	}

	/// Makes the state, without a connection.
	pub fn new(
		url: NodeUrl,
		(provider, node): (ProviderId, NodeId),
		(key, operator): (KeySource, Signer),
		keep: Arc<Keep>,
		room: Room,
		verifier: Arc<Verifier>,
	) -> Self {
		Self {
			operator: Sender::new(operator),
			endpoint: Endpoint::new(url),
			provider,
			node,
			key,
			link: watch::Sender::default(),
			drafts: drafts::Drafts::default(),
			levels: levels::Levels::default(),
			tip: Mutex::default(),
			unfinal: Mutex::default(),
			room,
			keep,
			verifier,
			arrived: Notify::new(),
			unverified: Notify::new(),
			uploads: AtomicUsize::new(0),
			followed: watch::Sender::default(),
			problem: origin::Problem::default(),
			clock: clock::Clock::default(),
			balance: watch::Sender::default(),
			fee: watch::Sender::default(),
			is_short: AtomicBool::new(false),
			pulls: Progress::default(),
		}
	}

	/// Connects to the chain. If the record belongs to the node, bytes that are here can be served
	/// without the chain, so one that cannot be reached or followed now, or does not have the node,
	/// is only reported.
	pub async fn start(&self, forget: bool) -> Result<(), Error> {
		let Err(error) = self.connect(forget).await else { return Ok(()) };
		let may_come = error.is_unfit_chain()
			|| matches!(error, Error::Removed(_))
			|| matches!(&error, Error::Chain(error) if error.is_connection());
		// Only the chain says which node is to be forgotten.
		if forget || !may_come || !self.keep.is_of((self.provider.0, self.node.0), None)? {
			return Err(error);
		}
		self.problem.report(&error);
		Ok(())
	}

	/// Connects to the chain. Checks that the key belongs to the node's operator, and that the
	/// record belongs to the node. With `forget`, the record must belong to an earlier node with
	/// the same id, and is handed to this one.
	async fn connect(&self, forget: bool) -> Result<(), Error> {
		let (provider, node) = (self.provider, self.node);
		let chain = Chain::connect(self.endpoint.clone()).await?;
		self.key.ensure_allowed(chain.identity().kind)?;
		let genesis = chain.identity().genesis_hash;
		let is_known = self.keep.is_of((provider.0, node.0), Some(genesis))?;
		if is_known {
			self.ensure_followed(&chain, &chain.finalized().await?).await?;
		}
		let at = chain.best().await?;
		let row = at.get(rows::nodes(), (provider, node)).await?;
		let row = row.ok_or_else(|| match is_known {
			true => Error::Removed(node.to_string()),
			false => unknown(node),
		})?;
		let medallion = u64::from(row.medallion);
		let identity = Identity { genesis, node: (provider.0, node.0), medallion };
		self.keep.ensure_fits(&identity, forget)?;
		ensure_operates(self.operator(), node, &row)?;
		let limit: u32 = at.constant("ContentFabric", "MaxVersionsPerCommit")?;
		let limit = usize::try_from(limit).unwrap_or(usize::MAX).max(1);
		if let (Some(seen), false) = (self.keep.claim(&identity, forget)?, forget) {
			info!(
				"the node was removed and created again on the chain: its medallion was {seen:011X}, \
				 and is {medallion:011X} now"
			);
		}
		self.link.send_replace(Some(Arc::new(Link { chain, limit, medallion })));
		Ok(())
	}

	/// Checks that the chain has the node, and that it was not removed and created again.
	async fn ensure_same_node(&self, link: &Link) -> Result<(), Error> {
		let at = link.chain.best().await?;
		match at
			.get(rows::nodes(), (self.provider, self.node))
			.await?
			.map(|row| u64::from(row.medallion))
		{
			None => Err(Error::Removed(self.node.to_string())),
			Some(found) if found != link.medallion => {
				Err(KeepError::CreatedAgain { seen: link.medallion, found }.into())
			},
			Some(_) => Ok(()),
		}
	}

	/// Returns the lasting problem that keeps the node from following the chain.
	pub fn problem(&self) -> Option<String> {
		self.problem.reason()
	}

	/// Returns the reason why nothing can be taken in for good: the chain, or the node on it, is
	/// another one than before.
	pub fn other_origin(&self) -> Option<String> {
		self.problem.other_chain()
	}

	/// Returns the genesis hash of the chain to which the node was last connected.
	pub fn genesis(&self) -> Option<[u8; 32]> {
		self.link().ok().map(|link| link.chain.identity().genesis_hash)
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
			Err(_) => self.connect(false).await?,
		}
		info!("connected to the chain");
		Ok(())
	}

	/// Submits a call with the operator's key, and waits until it is in a block.
	async fn submit(&self, call: &EncodedCall) -> Result<Included, ChainError> {
		let turn = self.operator.turn().await;
		turn.submit(&self.link()?.chain, call, Wait::Best, INCLUSION).await
	}

	/// Returns the error with which a call would fail. `None` if it would succeed.
	async fn refusal(
		&self,
		at: &Snapshot,
		call: &EncodedCall,
	) -> Result<Option<String>, ChainError> {
		Ok(at.rehearse(self.operator(), call).await?.error)
	}
}

// SPDX-License-Identifier: Apache-2.0
//! The accounts that publish, and what they own.

use std::{cell::RefCell, collections::HashSet, sync::Arc, time::Duration};

use content_fabric_identifiers::{KmsId, NodeId, ProviderId, SpaceId, TenantId};

#[cfg(feature = "http")]
use super::upload::Store;
use super::{removal::Removes, Error, Event};
use crate::{
	chain::{self, rows, Chain, Snapshot, TextLimit},
	ids,
	keys::Signer,
};

/// The keys that sign.
#[derive(Clone)]
pub struct Keys {
	/// The key for the provider, which commits and finalizes versions: its root's, one with the
	/// level `Admin`, or the operator's of the node.
	pub provider: Arc<Signer>,
	/// The key for the tenants, which signs commits and records: their root's, or one with the
	/// level `Content` or above. It becomes the root of those that are created.
	pub tenant: Arc<Signer>,
	/// The sudo key, which creates the space if it does not exist.
	pub governor: Option<Arc<Signer>>,
}

/// The settings of a publisher.
#[derive(Clone, Debug)]
pub struct Options {
	/// The space.
	pub space: SpaceId,
	/// The node that takes in the content, and its provider. `None` for a node of the provider that
	/// is named after the key for the provider. Those are created if they do not exist.
	pub node: Option<(ProviderId, NodeId)>,
	/// Other nodes that are asked to hold the content.
	pub copies: Vec<(ProviderId, NodeId)>,
	/// True to replace releases whose content has changed, and records that lead to something else.
	pub replace: bool,
	/// True if the names of objects are the paths of files.
	pub are_files: bool,
	/// True to remove the files from the chain that the folder of the content node's
	/// [store](Publisher::with_store) no longer has, and old records that lead nowhere.
	pub delete: bool,
	/// True to wait at the end until all is final. A fork can retract best blocks.
	pub finalized: bool,
	/// Time for which transactions may wait in the pool, for which a node may be away, and for
	/// which the last block may not be final.
	pub patience: Duration,
	/// Maximum number of seconds that a commit may be ahead of the clock of this machine. `None` for
	/// [the usual limit](crate::drafts::ensure_signable).
	pub max_ahead: Option<u64>,
	/// True to create nothing but what [`missing`](super::Publication::missing) has listed.
	pub only_listed: bool,
	/// The bond that a space asks of a provider, if it is created.
	pub provider_bond: u128,
	/// The bond that it asks of a tenant.
	pub tenant_bond: u128,
	/// The limit on what is held for each member that is created: bond and deposits together.
	pub max_held: u128,
	/// The locator of a node that is created.
	pub node_locator: String,
}

impl Options {
	/// The bond of a provider or a tenant in a space that is created.
	pub const BOND: u128 = 1_000_000_000_000;
	/// The limit on what is held for a member that is created.
	pub const MAX_HELD: u128 = 100_000_000_000_000_000;
	/// The locator of a node that is created.
	pub const NODE_LOCATOR: &str = "/ip4/127.0.0.1/tcp/30333";

	/// Returns the usual settings: whatever is missing is created, and all is final at the end.
	pub fn new(space: SpaceId) -> Self {
		Self {
			space,
			node: None,
			copies: Vec::new(),
			replace: false,
			are_files: false,
			delete: false,
			finalized: true,
			patience: Duration::from_secs(120),
			max_ahead: None,
			only_listed: false,
			provider_bond: Self::BOND,
			tenant_bond: Self::BOND,
			max_held: Self::MAX_HELD,
			node_locator: Self::NODE_LOCATOR.into(),
		}
	}
}

/// Publishes content of some accounts on a chain.
pub struct Publisher {
	pub(super) chain: RefCell<Arc<Chain>>,
	pub(super) keys: Keys,
	pub(super) options: Options,
	pub(super) provider_id: ProviderId,
	pub(super) node_id: NodeId,
	/// The content node that takes in the bytes and finalizes versions. Then the provider and the
	/// node exist, and belong to somebody else.
	#[cfg(feature = "http")]
	pub(super) store: Option<Store>,
	/// The instructions that were listed, if there must be no others.
	pub(super) agreed: RefCell<Option<HashSet<String>>>,
	pub(super) report: Box<dyn Fn(Event)>,
}

impl Publisher {
	/// Returns a publisher whose provider finalizes what it commits: the content is elsewhere.
	pub async fn new(chain: Arc<Chain>, keys: Keys, options: Options) -> Result<Self, Error> {
		let at = chain.best().await?;
		TextLimit::Locator.ensure(&at, "--node-locator", &options.node_locator)?;
		let (provider_id, node_id) =
			options.node.unwrap_or_else(|| Self::default_node(options.space, &keys));
		Ok(Self {
			chain: RefCell::new(chain),
			keys,
			options,
			provider_id,
			node_id,
			#[cfg(feature = "http")]
			store: None,
			agreed: RefCell::default(),
			report: Box::new(drop),
		})
	}

	/// Returns the node that is named after the key for the provider, and its provider.
	pub fn default_node(space: SpaceId, keys: &Keys) -> (ProviderId, NodeId) {
		let provider = ids::provider(space, &keys.provider.account().to_string());
		(provider, ids::node(provider, "publisher"))
	}

	/// Uploads the content to a content node, which commits and finalizes it.
	#[cfg(feature = "http")]
	pub fn with_store(self, store: Store) -> Self {
		let (provider_id, node_id) = (store.status.provider, store.status.node);
		Self { provider_id, node_id, store: Some(store), ..self }
	}

	/// Passes on what happens.
	pub fn on_event(self, report: impl Fn(Event) + 'static) -> Self {
		Self { report: Box::new(report), ..self }
	}

	/// Returns the provider, and its node that takes in the content.
	pub fn node(&self) -> (ProviderId, NodeId) {
		(self.provider_id, self.node_id)
	}

	/// Returns whether a content node takes in the bytes, and pays for it.
	pub(super) fn is_put(&self) -> bool {
		#[cfg(feature = "http")]
		return self.store.is_some();
		#[cfg(not(feature = "http"))]
		return false;
	}

	/// Returns the KMS for which the content is encrypted.
	pub(super) fn kms(&self) -> Option<KmsId> {
		#[cfg(feature = "http")]
		return self.store.as_ref()?.encrypted.as_ref().map(|encrypted| encrypted.kms);
		#[cfg(not(feature = "http"))]
		return None;
	}

	/// Returns what is removed.
	pub(super) fn removes(&self) -> Removes<'_> {
		#[cfg(feature = "http")]
		if let Some(store) = self.store.as_ref().filter(|_| self.options.delete) {
			return Removes::Gone(&store.folder);
		}
		Removes::Nothing
	}

	/// Checks that an instruction was listed, if it must be.
	pub(super) fn ensure_agreed(&self, missing: &str) -> Result<(), Error> {
		match &*self.agreed.borrow() {
			Some(agreed) if !agreed.contains(missing) => Err(Error::Unasked(missing.to_owned())),
			_ => Ok(()),
		}
	}

	/// Returns the tenant of a source.
	pub fn tenant_of(&self, source: &str) -> TenantId {
		ids::tenant(self.options.space, source)
	}

	/// Returns the key that can create the space: the sudo key.
	pub(super) async fn governor(&self, at: &Snapshot) -> Result<Arc<Signer>, Error> {
		let sudo = match at.metadata().pallet_by_name("Sudo") {
			Some(_) => at.get(rows::sudo_key(), ()).await?,
			None => None,
		};
		let account = match &self.keys.governor {
			Some(governor) if sudo.as_ref() == Some(governor.account()) => {
				return Ok(governor.clone());
			},
			Some(governor) => governor.account().to_string(),
			None => "ACCOUNT".into(),
		};
		let id = self.options.space;
		let advice = format!(
			"only root or the council creates one, and no sudo key is given: let the council do it \
			 with `fabric space create --id {id} --governor {account} --council propose`"
		);
		Err(Error::Advised { error: chain::Error::unknown("space", id), advice })
	}
}

//! Connecting to a node.

use std::{sync::Arc, time::Duration};

use subxt::{
	backend::LegacyBackend,
	client::OnlineClient,
	rpcs::{LegacyRpcMethods, RpcClient},
};

use super::{
	config::FabricConfig,
	error::rpc_line,
	identity::{self, Identity},
	node_client, Error, Snapshot,
};
use crate::{keys::ChainKind, profile::NodeUrl};

/// Number of rows that are read with one request. Nodes allow no more.
const PAGE_SIZE: u32 = 1_000;
/// Time in which a node must answer the first questions.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
/// The shortest such time of an attempt to reconnect.
const MIN_CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
/// Longest time in which a node must answer a question.
const MAX_REQUEST_TIMEOUT: Duration = Duration::from_secs(60);
/// Time between attempts to reconnect.
const RECONNECT_INTERVAL: Duration = Duration::from_millis(250);

/// The node to connect to, and what is expected of its chain.
#[derive(Clone, Debug)]
pub struct Endpoint {
	/// The URL of the node's JSON-RPC server.
	pub url: NodeUrl,
	/// The genesis hash that the chain must have.
	pub genesis_hash: Option<[u8; 32]>,
	/// True to sign the hash of the metadata with each transaction.
	pub metadata_hash: bool,
	/// False to treat every chain as a live one, whatever the node says.
	pub trusts_kind: bool,
	/// Time in which the node must answer a question.
	pub request_timeout: Duration,
}

impl Endpoint {
	/// Returns the node at a URL, with any chain that checks the hash of its metadata. Its word on
	/// the kind of chain counts if it is on this machine.
	pub fn new(url: NodeUrl) -> Self {
		Self {
			trusts_kind: url.is_local(),
			url,
			genesis_hash: None,
			metadata_hash: true,
			request_timeout: MAX_REQUEST_TIMEOUT,
		}
	}

	/// Returns the endpoint with another time for answers, of at most 60 seconds.
	pub fn with_request_timeout(self, timeout: Duration) -> Self {
		Self { request_timeout: timeout.min(MAX_REQUEST_TIMEOUT), ..self }
	}

	/// Returns the kind of chain to believe in.
	fn kind(&self, told: ChainKind) -> ChainKind {
		match self.trusts_kind {
			true => told,
			false => ChainKind::Live,
		}
	}
}

/// A connection to a node.
pub struct Chain {
	endpoint: Endpoint,
	identity: Identity,
	version: RuntimeVersion,
	pub(super) client: OnlineClient<FabricConfig>,
	pub(super) rpc: identity::Rpc,
	pub(super) node: RpcClient,
}

impl Chain {
	/// Returns what the node says about its chain.
	pub fn identity(&self) -> &Identity {
		&self.identity
	}

	/// Returns the RPC methods of the node.
	pub fn rpc(&self) -> &identity::Rpc {
		&self.rpc
	}

	/// Connects to a node.
	///
	/// Fails if the chain has another genesis hash than the endpoint names, or if transactions
	/// shall carry the hash of the metadata and the runtime does not check it.
	pub async fn connect(endpoint: Endpoint) -> Result<Self, Error> {
		Self::connect_within(&endpoint, CONNECT_TIMEOUT).await
	}

	async fn connect_within(endpoint: &Endpoint, time: Duration) -> Result<Self, Error> {
		let timeout = || Error::Connect {
			url: endpoint.url.to_string(),
			reason: format!("no answer within {} seconds", time.as_secs()),
		};
		let connected = tokio::time::timeout(time, Self::try_connect(endpoint)).await;
		connected.unwrap_or_else(|_| Err(timeout()))
	}

	async fn try_connect(endpoint: &Endpoint) -> Result<Self, Error> {
		let node = node_client::connect(&endpoint.url, endpoint.request_timeout).await;
		let node = node.map_err(|error| Error::Connect {
			url: endpoint.url.to_string(),
			reason: rpc_line(&error),
		})?;
		let rpc = LegacyRpcMethods::new(node.clone());
		let mut identity = identity::identity(&node, &rpc).await?;
		identity.kind = endpoint.kind(identity.kind);
		ensure_genesis(endpoint, &identity)?;
		let runtime = identity::runtime(&rpc, &identity.units, endpoint.metadata_hash).await?;
		identity.checks_metadata_hash = runtime.checks_hash;
		let version = RuntimeVersion {
			spec_version: runtime.spec_version,
			metadata: runtime.metadata_fingerprint,
		};
		let config =
			FabricConfig::new(identity.genesis_hash, runtime.spec_version, runtime.metadata);
		let backend = LegacyBackend::builder().storage_page_size(PAGE_SIZE).build(node.clone());
		let client = OnlineClient::from_backend_with_config(config, Arc::new(backend)).await?;
		let endpoint = Endpoint { genesis_hash: Some(identity.genesis_hash), ..endpoint.clone() };
		Ok(Self { endpoint, identity, version, client, rpc, node })
	}

	/// Connects again as [`reconnect`](Self::reconnect) does. The runtime must be the same, too: the
	/// caller has read its limits, and has transactions in flight.
	pub(crate) async fn resume(&self, patience: Duration) -> Result<Self, Error> {
		let chain = self.reconnect(patience).await?;
		self.version.ensure_same(chain.version)?;
		Ok(chain)
	}

	/// Checks that a block has the runtime of the connection.
	pub(crate) fn ensure_same_runtime(&self, at: &Snapshot) -> Result<(), Error> {
		let version = RuntimeVersion { spec_version: at.spec_version(), ..self.version };
		self.version.ensure_same(version)
	}

	/// Connects to the same node again, and tries until it answers or `patience` is over. The chain
	/// must be the same.
	pub async fn reconnect(&self, patience: Duration) -> Result<Self, Error> {
		let start = tokio::time::Instant::now();
		loop {
			let left = patience.saturating_sub(start.elapsed());
			let time = left.clamp(MIN_CONNECT_TIMEOUT, CONNECT_TIMEOUT);
			match Self::connect_within(&self.endpoint, time).await {
				Err(error) if error.is_connection() && start.elapsed() < patience => {
					tokio::time::sleep(RECONNECT_INTERVAL).await;
				},
				connected => return connected,
			}
		}
	}
}

/// The version of a runtime, and the hash of the metadata that the node gave for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RuntimeVersion {
	spec_version: u32,
	metadata: [u8; 32],
}

impl RuntimeVersion {
	/// Checks that the runtime has not changed.
	fn ensure_same(self, now: Self) -> Result<(), Error> {
		let (from, to) = (self.spec_version, now.spec_version);
		match self == now {
			true => Ok(()),
			false if from == to => Err(Error::OtherMetadata { version: from }),
			false => Err(Error::Upgraded { from, to }),
		}
	}
}

fn ensure_genesis(endpoint: &Endpoint, identity: &Identity) -> Result<(), Error> {
	match endpoint.genesis_hash {
		Some(expected) if expected != identity.genesis_hash => Err(Error::OtherChain {
			url: endpoint.url.to_string(),
			found: hex::encode(identity.genesis_hash),
			expected: hex::encode(expected),
		}),
		_ => Ok(()),
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	fn endpoint(url: &str) -> Endpoint {
		Endpoint::new(url.parse().expect("it is the URL of a node; qed"))
	}

	#[test]
	fn a_remote_node_does_not_make_its_chain_a_development_chain() {
		let kinds = [ChainKind::Development, ChainKind::Local, ChainKind::Live];
		for kind in kinds {
			assert_eq!(endpoint("ws://127.0.0.1:9944").kind(kind), kind);
			assert_eq!(endpoint("wss://rpc.example.com").kind(kind), ChainKind::Live);
		}
	}

	#[test]
	fn another_runtime_is_noticed_by_its_version_or_its_metadata() {
		let version =
			|spec_version, metadata| RuntimeVersion { spec_version, metadata: [metadata; 32] };
		let error = |now: RuntimeVersion| {
			version(3, 1).ensure_same(now).map_err(|error| error.to_string()).err()
		};
		assert_eq!(error(version(3, 1)), None);
		let upgraded =
			"the chain's runtime was upgraded from version 3 to 4: run the command again";
		assert_eq!(error(version(4, 1)).as_deref(), Some(upgraded));
		assert_eq!(error(version(4, 2)).as_deref(), Some(upgraded));
		let other =
			"the node gives other metadata for version 3 of the runtime than before: run the \
		             command again, or use another node";
		assert_eq!(error(version(3, 2)).as_deref(), Some(other));
	}

	#[test]
	fn answers_come_within_a_minute() {
		for (seconds, timeout) in [(1, 1), (60, 60), (3_600, 60)] {
			let endpoint =
				endpoint("ws://127.0.0.1").with_request_timeout(Duration::from_secs(seconds));
			assert_eq!(endpoint.request_timeout.as_secs(), timeout);
		}
	}
}

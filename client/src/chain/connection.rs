// SPDX-License-Identifier: Apache-2.0
//! Connecting to a node.

use std::{fmt, sync::Arc, time::Duration};

use serde::Deserialize;
use subxt::{
	backend::LegacyBackend,
	client::OnlineClient,
	metadata::ArcMetadata,
	rpcs::{client::rpc_params, LegacyRpcMethods, RpcClient},
	utils::{AccountId32, H256},
};

use super::{
	config::FabricConfig,
	error::rpc_line,
	finalized::Finalized,
	identity::{self, Identity},
	light,
	liveness::{Heads, Liveness},
	node_client, Error, Snapshot, Specification,
};
use crate::{keys::ChainKind, profile::NodeUrl};

/// Number of rows that are read with one request. Nodes allow no more.
const PAGE_SIZE: u32 = 1_000;
/// Time in which a node must answer the first questions, unless the endpoint says otherwise.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
/// The shortest such time of an attempt to reconnect.
const MIN_CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
/// Longest time in which a node must answer a question.
const MAX_REQUEST_TIMEOUT: Duration = Duration::from_secs(60);
/// Time in which a light client must synchronize.
const SYNC_TIMEOUT: Duration = Duration::from_secs(120);
/// Time between attempts to reconnect.
const RECONNECT_INTERVAL: Duration = Duration::from_millis(250);

/// The place from which a chain is read.
#[derive(Clone, Debug)]
pub enum Source {
	/// A node, by the URL of its JSON-RPC server.
	Node(NodeUrl),
	/// A light client in this program, by the specification that it starts from.
	Light(Specification),
}

impl Source {
	/// Returns whether this is a light client.
	pub fn is_light(&self) -> bool {
		matches!(self, Self::Light(_))
	}

	/// Returns whether this machine's user vouches for the kind of chain that is reported: it comes
	/// from a node on this machine, or from a file.
	fn is_local(&self) -> bool {
		match self {
			Self::Node(url) => url.is_local(),
			Self::Light(_) => true,
		}
	}
}

impl fmt::Display for Source {
	/// Writes the URL without its secrets, or the path of the specification.
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::Node(url) => url.fmt(f),
			Self::Light(specification) => specification.path().display().fmt(f),
		}
	}
}

/// The node to connect to, or the light client to start, and what is expected of the chain.
#[derive(Clone, Debug)]
pub struct Endpoint {
	/// The node, or the light client.
	pub source: Source,
	/// The genesis hash that the chain must have.
	pub genesis_hash: Option<[u8; 32]>,
	/// True to sign the hash of the metadata with each transaction.
	pub metadata_hash: bool,
	/// False to treat every chain as a live one, whatever the node says.
	pub trusts_kind: bool,
	/// Time in which the node must accept the connection and give its first answers.
	pub connect_timeout: Duration,
	/// Time in which the node must answer a question.
	pub request_timeout: Duration,
	/// Time in which a light client must synchronize.
	pub sync_timeout: Duration,
}

impl Endpoint {
	/// Returns the node at a URL, with any chain that checks the hash of its metadata. Its word on
	/// the kind of chain counts if it is on this machine.
	pub fn new(url: NodeUrl) -> Self {
		Self::of(Source::Node(url))
	}

	/// Returns the endpoint at a source, with any chain that checks the hash of its metadata.
	pub fn of(source: Source) -> Self {
		Self {
			trusts_kind: source.is_local(),
			source,
			genesis_hash: None,
			metadata_hash: true,
			connect_timeout: CONNECT_TIMEOUT,
			request_timeout: MAX_REQUEST_TIMEOUT,
			sync_timeout: SYNC_TIMEOUT,
		}
	}

	/// Returns the endpoint with another time for synchronizing and for answers. Each answer must
	/// come within 60 seconds.
	pub fn with_timeout(self, timeout: Duration) -> Self {
		let request_timeout = timeout.min(MAX_REQUEST_TIMEOUT);
		Self { request_timeout, sync_timeout: timeout, ..self }
	}

	/// Returns the kind of chain to believe in.
	fn kind(&self, told: ChainKind) -> ChainKind {
		match self.trusts_kind {
			true => told,
			false => ChainKind::Live,
		}
	}
}

/// A connection to a node, or to the nodes that a light client finds.
pub struct Chain {
	endpoint: Endpoint,
	identity: Identity,
	version: RuntimeVersion,
	pub(super) client: OnlineClient<FabricConfig>,
	pub(super) rpc: identity::Rpc,
	node: RpcClient,
	/// The liveness of the connection to a node.
	liveness: Option<Arc<Liveness>>,
	/// The finalized blocks, if this is a light client, which reads nothing else.
	pub(super) finalized: Option<Finalized>,
}

impl Chain {
	/// Returns the node's account of its chain.
	pub fn identity(&self) -> &Identity {
		&self.identity
	}

	/// Returns the RPC methods of the node.
	pub fn rpc(&self) -> &identity::Rpc {
		&self.rpc
	}

	/// Returns the version and the metadata of the runtime in the state after a block. Checks the
	/// types in the metadata.
	pub async fn runtime(&self, block_hash: [u8; 32]) -> Result<(u32, ArcMetadata), Error> {
		let at = Some(H256(block_hash));
		let runtime = identity::runtime(&self.rpc, &self.identity.units, false, at).await?;
		Ok((runtime.spec_version, runtime.metadata))
	}

	/// Returns the latest blocks that the node has reported, at most a few seconds ago. `None`
	/// right after connecting, and for a light client.
	pub fn heads(&self) -> Option<Heads> {
		self.liveness.as_ref()?.heads()
	}

	/// Has the node make new session keys for an account. The node keeps its earlier ones as well.
	///
	/// Nodes accept this request from their own machine only, or with `--rpc-methods unsafe`.
	pub async fn make_session_keys(&self, owner: &AccountId32) -> Result<SessionKeys, Error> {
		let owner = format!("0x{}", hex::encode(owner.0));
		Ok(self.node.request("author_rotateKeysWithOwner", rpc_params![owner]).await?)
	}

	/// Returns whether a light client proves everything that is read, at final blocks.
	pub fn is_light(&self) -> bool {
		self.finalized.is_some()
	}

	/// Connects to a node, or starts a light client.
	///
	/// Fails if no node answers within the endpoint's `connect_timeout`, if the chain has another
	/// genesis hash than the endpoint names, or if transactions must carry the hash of the metadata
	/// and the runtime does not check it.
	pub async fn connect(endpoint: Endpoint) -> Result<Self, Error> {
		Self::connect_within(&endpoint, endpoint.connect_timeout).await
	}

	async fn connect_within(endpoint: &Endpoint, time: Duration) -> Result<Self, Error> {
		let connecting = async {
			let (node, liveness) = match &endpoint.source {
				Source::Node(url) => {
					let connected = node_client::connect(url, endpoint.request_timeout).await;
					let url = url.to_string();
					let refused = |error| Error::Connect { url, reason: rpc_line(&error) };
					let (node, liveness) = connected.map_err(refused)?;
					(node, Some(liveness))
				},
				Source::Light(specification) => {
					(light::start(specification, endpoint.request_timeout).await?, None)
				},
			};
			let chain = Self::over(endpoint, node).await.map_err(|error| match error {
				Error::Dead(reason) => Error::Connect { url: endpoint.source.to_string(), reason },
				other => other,
			})?;
			Ok(Self { liveness, ..chain })
		};
		let time = match &endpoint.source {
			Source::Node(_) => time,
			// It has a time of its own to synchronize.
			Source::Light(_) => time.saturating_add(endpoint.sync_timeout),
		};
		let connected = tokio::time::timeout(time, connecting).await;
		connected.unwrap_or_else(|_| {
			Err(Error::Connect {
				url: endpoint.source.to_string(),
				reason: format!("no answer within {} seconds", time.as_secs_f64()),
			})
		})
	}

	/// Finds out about the chain and its runtime over a connection.
	async fn over(endpoint: &Endpoint, node: RpcClient) -> Result<Self, Error> {
		let rpc = LegacyRpcMethods::new(node.clone());
		let mut identity = identity::identity(&node, &rpc).await?;
		identity.kind = endpoint.kind(identity.kind);
		ensure_genesis(endpoint, &identity)?;
		let at = match &endpoint.source {
			Source::Node(_) => None,
			Source::Light(specification) => {
				Some(light::synchronize(&rpc, specification, endpoint.sync_timeout).await?)
			},
		};
		let runtime = identity::runtime(&rpc, &identity.units, endpoint.metadata_hash, at).await?;
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
		let finalized = endpoint.source.is_light().then(Finalized::default);
		let liveness = None;
		Ok(Self { endpoint, identity, version, client, rpc, node, liveness, finalized })
	}

	/// Connects again as [`reconnect`](Self::reconnect) does. The runtime must be the same, too:
	/// the caller has read its limits, and has transactions in flight.
	pub async fn resume(&self, patience: Duration) -> Result<Self, Error> {
		let chain = self.reconnect(patience).await?;
		self.version.ensure_same(chain.version)?;
		Ok(chain)
	}

	/// Connects again as [`reconnect`](Self::reconnect) does. The runtime may be another one, but a
	/// version that was known before must have the same metadata.
	pub async fn rejoin(&self, patience: Duration) -> Result<Self, Error> {
		let chain = self.reconnect(patience).await?;
		if self.version.spec_version == chain.version.spec_version {
			self.version.ensure_same(chain.version)?;
		}
		Ok(chain)
	}

	/// Checks that a block has the runtime of the connection.
	pub fn ensure_same_runtime(&self, at: &Snapshot) -> Result<(), Error> {
		let version = RuntimeVersion { spec_version: at.spec_version(), ..self.version };
		self.version.ensure_same(version)
	}

	/// Connects to the same node again, and tries until it answers or `patience` is over. The chain
	/// must be the same.
	pub async fn reconnect(&self, patience: Duration) -> Result<Self, Error> {
		let start = tokio::time::Instant::now();
		loop {
			let left = patience.saturating_sub(start.elapsed());
			let time = left.max(MIN_CONNECT_TIMEOUT).min(self.endpoint.connect_timeout);
			match Self::connect_within(&self.endpoint, time).await {
				Err(error) if error.is_connection() && start.elapsed() < patience => {
					tokio::time::sleep(RECONNECT_INTERVAL).await;
				},
				connected => return connected,
			}
		}
	}
}

/// The public parts of session keys that a node has made, and the proof that it has made them for
/// their owner.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct SessionKeys {
	/// The encoded keys in hex, with 0x.
	pub keys: String,
	/// The encoded proof in hex, with 0x.
	pub proof: String,
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
			false if from == to => Err(Error::Unexpected(format!(
				"the node gives other metadata for version {from} of the runtime than before: run the \
				 command again, or use another node"
			))),
			false => Err(Error::Unexpected(format!(
				"the chain's runtime was upgraded from version {from} to {to}: run the command again"
			))),
		}
	}
}

fn ensure_genesis(endpoint: &Endpoint, identity: &Identity) -> Result<(), Error> {
	match endpoint.genesis_hash {
		Some(expected) if expected != identity.genesis_hash => Err(Error::Unexpected(format!(
			"the chain at {} has the genesis hash 0x{}, expected 0x{}",
			endpoint.source,
			hex::encode(identity.genesis_hash),
			hex::encode(expected)
		))),
		_ => Ok(()),
	}
}

#[cfg(test)]
mod tests {
	use futures::StreamExt;
	use tokio::net::TcpListener;

	use super::*;

	fn endpoint(url: &str) -> Endpoint {
		Endpoint::new(url.parse().expect("it is the URL of a node; qed"))
	}

	/// Tries to connect to a port for a fifth of a second. Returns the error without the URL.
	async fn refusal(port: u16) -> String {
		let url = format!("ws://127.0.0.1:{port}");
		let connect_timeout = Duration::from_millis(200);
		let connecting = Chain::connect(Endpoint { connect_timeout, ..endpoint(&url) });
		let connected = tokio::time::timeout(CONNECT_TIMEOUT, connecting).await;
		let error = connected.expect("it ends").map(drop).expect_err("there is no node");
		assert!(error.is_connection(), "{error}");
		let text = error.to_string();
		let reason = text.strip_prefix(&format!("no node answers at {url}: "));
		reason.unwrap_or_else(|| panic!("{text}")).to_owned()
	}

	#[tokio::test]
	async fn a_dead_or_silent_port_is_an_error_within_the_time() {
		let reason = refusal(1).await;
		assert!(reason.contains("refused"), "{reason}");

		// The system takes the connection, and no program does.
		let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
		let port = listener.local_addr().expect("it is bound").port();
		assert_eq!(refusal(port).await, "no answer within 0.2 seconds");

		// A program takes it, and answers no question.
		tokio::spawn(async move {
			while let Ok((stream, _)) = listener.accept().await {
				tokio::spawn(async move {
					let socket = tokio_tungstenite::accept_async(stream).await;
					socket.expect("the client speaks WebSocket").for_each(async |_| ()).await;
				});
			}
		});
		assert_eq!(refusal(port).await, "no answer within 0.2 seconds");
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
			let endpoint = endpoint("ws://127.0.0.1").with_timeout(Duration::from_secs(seconds));
			assert_eq!(endpoint.request_timeout.as_secs(), timeout);
			assert_eq!(endpoint.sync_timeout.as_secs(), seconds);
		}
	}
}

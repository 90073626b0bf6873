//! Connecting to a node.

use std::{sync::Arc, time::Duration};

use subxt::{
	backend::LegacyBackend,
	client::OnlineClient,
	rpcs::{LegacyRpcMethods, RpcClient},
};

use super::{
	config::FabricConfig,
	identity::{self, Identity},
	Chain,
};
use crate::{error::rpc_line, profile::NodeUrl, Error};

/// Rows that are read with one request; nodes allow no more.
const PAGE_SIZE: u32 = 1_000;
/// Time in which a node must answer the first questions.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(20);
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
}

impl Chain {
	/// Connects to a node.
	///
	/// Fails if the chain has another genesis hash than the endpoint names, or if transactions
	/// shall carry the hash of the metadata and the runtime does not check it.
	pub async fn connect(endpoint: Endpoint) -> Result<Self, Error> {
		let timeout = || Error::Connect {
			url: endpoint.url.to_string(),
			reason: format!("no answer within {} seconds", CONNECT_TIMEOUT.as_secs()),
		};
		let connected = tokio::time::timeout(CONNECT_TIMEOUT, Self::try_connect(&endpoint)).await;
		connected.unwrap_or_else(|_| Err(timeout()))
	}

	async fn try_connect(endpoint: &Endpoint) -> Result<Self, Error> {
		let url = endpoint.url.as_str();
		// The profile has checked that a URL without encryption is local or wanted.
		let client = RpcClient::from_insecure_url(url).await.map_err(|error| Error::Connect {
			url: endpoint.url.to_string(),
			reason: rpc_line(&error),
		})?;
		let rpc = LegacyRpcMethods::new(client.clone());
		let identity = identity::identity(&client, &rpc).await?;
		ensure_genesis(endpoint, &identity)?;
		let runtime = identity::runtime(&rpc, &identity.units, endpoint.metadata_hash).await?;
		let config =
			FabricConfig::new(identity.genesis_hash, runtime.spec_version, runtime.metadata);
		let backend = LegacyBackend::builder().storage_page_size(PAGE_SIZE).build(client.clone());
		let client = OnlineClient::from_backend_with_config(config, Arc::new(backend)).await?;
		let endpoint = Endpoint { genesis_hash: Some(identity.genesis_hash), ..endpoint.clone() };
		Ok(Self { endpoint, identity, client, rpc })
	}

	/// Connects to the same node again, and tries until it answers or `patience` is over. The chain
	/// must be the same.
	pub async fn reconnect(&self, patience: Duration) -> Result<Self, Error> {
		let start = tokio::time::Instant::now();
		loop {
			match Self::connect(self.endpoint.clone()).await {
				Err(error) if error.is_connection() && start.elapsed() < patience => {
					tokio::time::sleep(RECONNECT_INTERVAL).await;
				},
				connected => return connected,
			}
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

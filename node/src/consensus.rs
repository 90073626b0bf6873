// SPDX-License-Identifier: Apache-2.0
//! The part of a node in which its programs differ.

use std::{fmt::Debug, sync::Arc};

use jsonrpsee::RpcModule;
use sc_client_db::PruningFilter;
use sc_consensus::BasicQueue;
use sc_network::{
	config::FullNetworkConfiguration, service::traits::NetworkService, NetworkBackend,
	NotificationMetrics,
};
use sc_network_sync::{SyncingService, WarpSyncConfig};
use sc_rpc::SubscriptionTaskExecutor;
use sc_service::{Configuration, Error, TaskManager};
use sc_telemetry::TelemetryHandle;
use sp_keystore::KeystorePtr;

use crate::types::{Block, FullBackend, FullClient, Hash, Pool, SelectChain};

/// Builds the RPC methods of a consensus.
pub type RpcBuilder =
	Box<dyn Fn(SubscriptionTaskExecutor) -> Result<RpcModule<()>, Error> + Send + Sync>;

/// The parts of a node before it can import blocks.
pub struct Base<'a> {
	/// The configuration.
	pub config: &'a Configuration,
	/// The client: database, runtime executor, block import.
	pub client: Arc<FullClient>,
	/// The database.
	pub backend: Arc<FullBackend>,
	/// The rule by which the best block is chosen.
	pub select_chain: SelectChain,
	/// Runs the tasks.
	pub task_manager: &'a TaskManager,
	/// Reports to a telemetry server.
	pub telemetry: Option<TelemetryHandle>,
}

/// The parts of a running node that authoring and finality need.
pub struct Running<'a> {
	/// Runs the tasks.
	pub task_manager: &'a TaskManager,
	/// The client.
	pub client: Arc<FullClient>,
	/// The rule by which the best block is chosen.
	pub select_chain: SelectChain,
	/// The transactions that wait for a block.
	pub transaction_pool: Arc<Pool>,
	/// The keys of the validator.
	pub keystore: KeystorePtr,
	/// The network.
	pub network: Arc<dyn NetworkService>,
	/// The synchronization with other nodes.
	pub sync: Arc<SyncingService<Block>>,
	/// Collects what Prometheus asks for.
	pub prometheus: Option<prometheus_endpoint::Registry>,
	/// Reports to a telemetry server.
	pub telemetry: Option<TelemetryHandle>,
}

/// A way to make blocks and to finalize them. Its value holds the flags that it adds to the
/// command line.
pub trait Consensus: clap::Args + Clone + Debug + Send + 'static {
	/// The name of the node.
	const NAME: &'static str;
	/// The sentence with which its help begins.
	const DESCRIPTION: &'static str;

	/// Handles from the import queue that authoring and finality need.
	type Link: Send + 'static;
	/// Settings that the consensus takes from the configuration.
	type Settings: Send + 'static;

	/// Adapts the flags of every Substrate node: their defaults, and which are shown.
	fn adapt(command: clap::Command) -> clap::Command {
		command
	}

	/// Refuses flags of the command line that this consensus cannot honour.
	fn check(_matches: &clap::ArgMatches) -> Result<(), String> {
		Ok(())
	}

	/// Adapts the configuration of the node, and returns the settings that the consensus needs.
	fn configure(&self, config: &mut Configuration) -> Self::Settings;

	/// Returns the filters of blocks that are kept when others are pruned.
	fn pruning_filters() -> Vec<Arc<dyn PruningFilter>> {
		Vec::new()
	}

	/// Makes the queue through which blocks are imported.
	fn import_queue(base: Base) -> Result<(BasicQueue<Block>, Self::Link), Error>;

	/// Reverts the consensus's own data for the last blocks, before they are reverted.
	fn revert(_client: Arc<FullClient>, _blocks: u32) -> sp_blockchain::Result<()> {
		Ok(())
	}

	/// Registers the network protocols of the consensus. Returns the provider of proofs for warp
	/// sync, if there is one.
	fn join<Network: NetworkBackend<Block, Hash>>(
		link: &mut Self::Link,
		base: Base,
		network: &mut FullNetworkConfiguration<Block, Hash, Network>,
		metrics: NotificationMetrics,
	) -> Result<Option<WarpSyncConfig<Block>>, Error>;

	/// Returns the builder of the RPC methods of the consensus.
	fn rpc(link: &Self::Link, backend: &Arc<FullBackend>) -> RpcBuilder;

	/// Starts to make blocks and to finalize them, as far as this node takes part in it.
	fn start(link: Self::Link, settings: Self::Settings, node: Running) -> Result<(), Error>;
}

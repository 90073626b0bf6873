// SPDX-License-Identifier: Apache-2.0
//! The consensus of a node without peers.

use std::{sync::Arc, time::Duration};

use clap::{parser::ValueSource, ArgMatches, Command};
use content_fabric_node::{
	consensus::{Base, Consensus, RpcBuilder, Running},
	types::{Block, FullBackend, FullClient, Hash},
};
use futures::channel::mpsc;
use sc_client_api::Finalizer;
use sc_consensus::BasicQueue;
use sc_consensus_manual_seal::{
	consensus::aura::AuraConsensusDataProvider, rpc::ManualSeal, run_manual_seal, EngineCommand,
	ManualSealParams,
};
use sc_network::{
	config::{FullNetworkConfiguration, TransportConfig},
	NetworkBackend, NotificationMetrics,
};
use sc_network_sync::WarpSyncConfig;
use sc_service::{Configuration, Error as ServiceError};
use sp_api::ProvideRuntimeApi;
use sp_consensus_aura::{AuraApi, SlotDuration};

use crate::{
	clock,
	finality::finalize_later,
	mode::{millis, Mode},
	rpc::{EngineServer, Guarded},
	sealing,
};

/// Capacity of the channel for commands from RPC clients.
const COMMANDS: usize = 1_024;

/// The flags that need peers, by the ids of their arguments.
const NEEDS_PEERS: [&str; 21] = [
	"allow_private_ip",
	"bootnodes",
	"discover_local",
	"force_authoring",
	"in_peers",
	"in_peers_light",
	"ipfs_server",
	"kademlia_disjoint_query_paths",
	"kademlia_replication_factor",
	"listen_addr",
	"max_blocks_per_request",
	"max_parallel_downloads",
	"network_backend",
	"no_grandpa",
	"no_private_ip",
	"out_peers",
	"public_addr",
	"reserved_nodes",
	"reserved_only",
	"sync",
	"validator",
];

/// Seals blocks by itself.
#[derive(Clone, Debug, clap::Args)]
pub struct Mock {
	/// The time at which a block is sealed: `instant` for a block as soon as there is a
	/// transaction, `interval=MS` for one every so many milliseconds. The chain's clock advances by
	/// at least one slot per block, so a faster pace sets it ahead of the wall clock.
	#[arg(long, value_name = "MODE", default_value = "instant")]
	pub consensus: Mode,
	/// The time from a block's import to its finalization, in milliseconds.
	#[arg(long, value_name = "MS", default_value = "1000", value_parser = millis)]
	pub finalize_after: Duration,
}

/// Both ends of the channel for commands from RPC clients.
pub struct Link {
	to_engine: mpsc::Sender<EngineCommand<Hash>>,
	from_rpc: mpsc::Receiver<EngineCommand<Hash>>,
}

impl Consensus for Mock {
	const NAME: &'static str = "Content Fabric Mock Node";
	const DESCRIPTION: &'static str = env!("CARGO_PKG_DESCRIPTION");

	type Link = Link;
	type Settings = Self;

	/// Hides the flags that need peers. The default transaction pool is `single-state`: the usual
	/// one is made for forks, which this chain does not have, and drops transactions in a burst of
	/// blocks that are soon finalized.
	fn adapt(command: Command) -> Command {
		NEEDS_PEERS
			.into_iter()
			.fold(command, |command, flag| command.mut_arg(flag, |arg| arg.hide(true)))
			.mut_arg("pool_type", |arg| arg.default_value("single-state"))
	}

	fn check(matches: &ArgMatches) -> Result<(), String> {
		let given = |flag: &&str| {
			matches.value_source(flag).is_some_and(|source| source != ValueSource::DefaultValue)
		};
		NEEDS_PEERS.into_iter().find(given).map_or(Ok(()), |flag| {
			let flag = flag.replace('_', "-");
			Err(format!(
				"this node has no peers, so it cannot honour --{flag}: run content-fabric-node"
			))
		})
	}

	/// Disables listening and discovery, as there are no peers.
	fn configure(&self, config: &mut Configuration) -> Self {
		config.network.listen_addresses.clear();
		config.network.boot_nodes.clear();
		config.network.transport =
			TransportConfig::Normal { enable_mdns: false, allow_private_ip: false };
		self.clone()
	}

	fn import_queue(base: Base) -> Result<(BasicQueue<Block>, Link), ServiceError> {
		let queue = sc_consensus_manual_seal::import_queue(
			Box::new(base.client),
			&base.task_manager.spawn_essential_handle(),
			base.config.prometheus_registry(),
		);
		let (to_engine, from_rpc) = mpsc::channel(COMMANDS);
		Ok((queue, Link { to_engine, from_rpc }))
	}

	/// There are no peers, but the RPC methods that report this need a network to query.
	fn join<Network: NetworkBackend<Block, Hash>>(
		_: &mut Link,
		_: Base,
		_: &mut FullNetworkConfiguration<Block, Hash, Network>,
		_: NotificationMetrics,
	) -> Result<Option<WarpSyncConfig<Block>>, ServiceError> {
		Ok(None)
	}

	fn rpc(link: &Link, _: &Arc<FullBackend>) -> RpcBuilder {
		let to_engine = link.to_engine.clone();
		Box::new(move |_| {
			Ok(Guarded(ManualSeal::new(to_engine.clone())).into_rpc().remove_context())
		})
	}

	fn start(link: Link, settings: Self, node: Running) -> Result<(), ServiceError> {
		let slot_duration = finalize_all(&node.client)?;
		node.task_manager.spawn_essential_handle().spawn(
			"finalize-blocks",
			Some("block-authoring"),
			finalize_later(node.client.clone(), settings.finalize_after),
		);
		let params = ManualSealParams {
			block_import: node.client.clone(),
			env: sc_basic_authorship::ProposerFactory::new(
				node.task_manager.spawn_handle(),
				node.client.clone(),
				node.transaction_pool.clone(),
				node.prometheus.as_ref(),
				node.telemetry,
			),
			client: node.client.clone(),
			pool: node.transaction_pool.clone(),
			commands_stream: sealing::commands(
				settings.consensus,
				node.client.clone(),
				node.transaction_pool,
				link.from_rpc,
			),
			select_chain: node.select_chain,
			consensus_data_provider: Some(Box::new(
				AuraConsensusDataProvider::new_with_slot_duration(slot_duration),
			)),
			create_inherent_data_providers: move |parent, ()| {
				let timestamp = clock::timestamp::<Block>(&node.client, slot_duration, parent);
				async move { timestamp }
			},
		};
		node.task_manager.spawn_essential_handle().spawn_blocking(
			"seal-blocks",
			Some("block-authoring"),
			run_manual_seal(params),
		);
		Ok(())
	}
}

/// Finalizes what was imported, or sealed just before the node was stopped. Returns the duration of
/// a slot.
fn finalize_all(client: &Arc<FullClient>) -> Result<SlotDuration, ServiceError> {
	let chain = client.chain_info();
	if chain.finalized_hash != chain.best_hash {
		client.finalize_block(chain.best_hash, None, true)?;
	}
	client
		.runtime_api()
		.slot_duration(chain.best_hash)
		.map_err(|error| ServiceError::Other(format!("the runtime has no slot duration: {error}")))
}

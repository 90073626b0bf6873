//! Puts the node together.

use std::sync::Arc;

use content_fabric_runtime::{apis::RuntimeApi, OpaqueBlock as Block};
use futures::channel::mpsc;
use sc_client_api::Finalizer;
use sc_consensus::{BasicQueue, LongestChain};
use sc_consensus_manual_seal::{
	consensus::aura::AuraConsensusDataProvider, run_delayed_finalize, run_manual_seal,
	DelayedFinalizeParams, ManualSealParams,
};
use sc_executor::WasmExecutor;
use sc_network::{config::FullNetworkConfiguration, NetworkBackend};
use sc_service::{
	error::Error as ServiceError, BuildNetworkParams, Configuration, PartialComponents,
	SpawnTasksParams, TaskManager,
};
use sc_transaction_pool::TransactionPoolHandle;
use sp_api::ProvideRuntimeApi;
use sp_consensus_aura::AuraApi;

use crate::{cli::Consensus, clock, consensus, rpc};

#[cfg(not(feature = "runtime-benchmarks"))]
type HostFunctions = sp_io::SubstrateHostFunctions;
#[cfg(feature = "runtime-benchmarks")]
type HostFunctions =
	(sp_io::SubstrateHostFunctions, frame_benchmarking::benchmarking::HostFunctions);

/// Seconds from a block's import to its finalization. Clients are notified of both, and some miss
/// the first if the second comes at the same time.
const FINALIZATION_DELAY: u64 = 1;

/// The client: database, runtime executor, block import.
pub type FullClient = sc_service::TFullClient<Block, RuntimeApi, WasmExecutor<HostFunctions>>;
type FullBackend = sc_service::TFullBackend<Block>;
type SelectChain = LongestChain<FullBackend, Block>;
type Pool = TransactionPoolHandle<Block, FullClient>;

/// The parts of the node that the subcommands need too.
pub type Partial =
	PartialComponents<FullClient, FullBackend, SelectChain, BasicQueue<Block>, Pool, ()>;

/// Opens the database and makes what is built on it alone.
pub fn new_partial(config: &Configuration) -> Result<Partial, ServiceError> {
	let executor = sc_service::new_wasm_executor::<HostFunctions>(&config.executor);
	let (client, backend, keystore_container, task_manager) =
		sc_service::new_full_parts::<Block, RuntimeApi, _>(config, None, executor, Vec::new())?;
	let client = Arc::new(client);
	let transaction_pool = Arc::new(
		sc_transaction_pool::Builder::new(
			task_manager.spawn_essential_handle(),
			client.clone(),
			config.role.is_authority().into(),
		)
		.with_options(config.transaction_pool.clone())
		.with_prometheus(config.prometheus_registry())
		.build(),
	);
	let import_queue = sc_consensus_manual_seal::import_queue(
		Box::new(client.clone()),
		&task_manager.spawn_essential_handle(),
		config.prometheus_registry(),
	);
	Ok(PartialComponents {
		select_chain: LongestChain::new(backend.clone()),
		client,
		backend,
		task_manager,
		import_queue,
		keystore_container,
		transaction_pool,
		other: (),
	})
}

/// Starts the node, which runs until the task manager is dropped.
pub fn start<Network: NetworkBackend<Block, <Block as sp_runtime::traits::Block>::Hash>>(
	config: Configuration,
	consensus: Consensus,
) -> Result<TaskManager, ServiceError> {
	let PartialComponents {
		client,
		backend,
		mut task_manager,
		import_queue,
		keystore_container,
		select_chain,
		transaction_pool,
		other: (),
	} = new_partial(&config)?;

	// There are no peers, but the RPC methods that report this need a network to query.
	let registry = config.prometheus_registry().cloned();
	let (network, system_rpc_tx, tx_handler_controller, sync_service, _) =
		sc_service::build_network(BuildNetworkParams {
			config: &config,
			net_config: FullNetworkConfiguration::<_, _, Network>::new(
				&config.network,
				registry.clone(),
			),
			client: client.clone(),
			transaction_pool: transaction_pool.clone(),
			spawn_handle: task_manager.spawn_handle(),
			spawn_essential_handle: task_manager.spawn_essential_handle(),
			import_queue,
			block_announce_validator_builder: None,
			warp_sync_config: None,
			block_relay: None,
			metrics: Network::register_notification_metrics(registry.as_ref()),
			gap_sync_body_policy: None,
		})?;

	let (rpc_commands, from_rpc) = mpsc::channel(1_024);
	let rpc_builder = {
		let (client, pool) = (client.clone(), transaction_pool.clone());
		Box::new(move |_| {
			rpc::create(client.clone(), pool.clone(), rpc_commands.clone())
				.map_err(ServiceError::Application)
		})
	};
	sc_service::spawn_tasks(SpawnTasksParams {
		config,
		client: client.clone(),
		backend,
		task_manager: &mut task_manager,
		keystore: keystore_container.keystore(),
		transaction_pool: transaction_pool.clone(),
		rpc_builder,
		network,
		system_rpc_tx,
		tx_handler_controller,
		sync_service,
		telemetry: None,
		tracing_execute_block: None,
	})?;

	// What was imported, or sealed just before the node was stopped, is not finalized yet.
	let chain = client.chain_info();
	if chain.finalized_hash != chain.best_hash {
		client.finalize_block(chain.best_hash, None, true)?;
	}
	let slot_duration = client.runtime_api().slot_duration(chain.best_hash).map_err(|error| {
		ServiceError::Other(format!("the runtime has no slot duration: {error}"))
	})?;
	task_manager.spawn_essential_handle().spawn(
		"finalize-blocks",
		Some("block-authoring"),
		run_delayed_finalize(DelayedFinalizeParams {
			client: client.clone(),
			spawn_handle: task_manager.spawn_handle(),
			delay_sec: FINALIZATION_DELAY,
		}),
	);
	let params = ManualSealParams {
		block_import: client.clone(),
		env: sc_basic_authorship::ProposerFactory::new(
			task_manager.spawn_handle(),
			client.clone(),
			transaction_pool.clone(),
			registry.as_ref(),
			None,
		),
		client: client.clone(),
		pool: transaction_pool.clone(),
		commands_stream: consensus::commands(consensus, client.clone(), transaction_pool, from_rpc),
		select_chain,
		consensus_data_provider: Some(Box::new(AuraConsensusDataProvider::new_with_slot_duration(
			slot_duration,
		))),
		create_inherent_data_providers: move |parent, ()| {
			let timestamp = clock::timestamp::<Block>(&client, slot_duration, parent);
			async move { timestamp }
		},
	};
	task_manager.spawn_essential_handle().spawn_blocking(
		"seal-blocks",
		Some("block-authoring"),
		run_manual_seal(params),
	);
	Ok(task_manager)
}

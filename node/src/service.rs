// SPDX-License-Identifier: Apache-2.0
//! Puts the node together.

use std::{env, sync::Arc};

use futures::FutureExt;
use pallet_transaction_payment_rpc::{TransactionPayment, TransactionPaymentApiServer};
use sc_client_api::Backend;
use sc_consensus::{BasicQueue, LongestChain};
use sc_executor::{HeapAllocStrategy, WasmExecutor, DEFAULT_HEAP_ALLOC_STRATEGY};
use sc_network::{
	config::FullNetworkConfiguration, service::traits::NetworkService, NetworkBackend,
};
use sc_offchain::{OffchainWorkerOptions, OffchainWorkers};
use sc_service::{
	config::ExecutorConfiguration, error::Error as ServiceError, BuildNetworkParams, Configuration,
	PartialComponents, SpawnTasksParams, TaskManager,
};
use sc_telemetry::{Telemetry, TelemetryWorker};
use sc_transaction_pool_api::OffchainTransactionPoolFactory;
use substrate_frame_rpc_system::{System, SystemApiServer};

use crate::{
	consensus::{Base, Consensus, Running},
	runtime_api::RuntimeApi,
	types::{Block, FullBackend, FullClient, Hash, HostFunctions, Pool, SelectChain},
};

/// The environment variable that names the cache folder for compiled runtimes. A node that finds
/// its runtime there starts faster. It executes what it finds, so no other user may write there.
const WASM_CACHE: &str = "CONTENT_FABRIC_WASM_CACHE";

/// The number of messages that telemetry keeps for a server that does not answer.
const TELEMETRY_BUFFER: usize = 16;

/// The parts of the node that the subcommands need too.
pub type Partial<Link> = PartialComponents<
	FullClient,
	FullBackend,
	SelectChain,
	BasicQueue<Block>,
	Pool,
	(Link, Option<Telemetry>),
>;

/// Opens the database and makes what is built on it alone.
pub fn new_partial<C: Consensus>(config: &Configuration) -> Result<Partial<C::Link>, ServiceError> {
	let telemetry = start_telemetry(config)?;
	let (client, backend, keystore_container, task_manager) =
		sc_service::new_full_parts::<Block, RuntimeApi, _>(
			config,
			telemetry.as_ref().map(|(_, telemetry)| telemetry.handle()),
			executor(&config.executor),
			C::pruning_filters(),
		)?;
	let client = Arc::new(client);
	let telemetry = telemetry.map(|(worker, telemetry)| {
		task_manager.spawn_handle().spawn("telemetry", None, worker.run());
		telemetry
	});
	let select_chain = LongestChain::new(backend.clone());
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
	let (import_queue, link) = C::import_queue(Base {
		config,
		client: client.clone(),
		backend: backend.clone(),
		select_chain: select_chain.clone(),
		task_manager: &task_manager,
		telemetry: telemetry.as_ref().map(Telemetry::handle),
	})?;
	Ok(PartialComponents {
		client,
		backend,
		task_manager,
		import_queue,
		keystore_container,
		select_chain,
		transaction_pool,
		other: (link, telemetry),
	})
}

/// Makes the executor of the runtime as the SDK's `new_wasm_executor` does, and adds the folder of
/// `WASM_CACHE`.
fn executor(config: &ExecutorConfiguration) -> WasmExecutor<HostFunctions> {
	let heap = config.default_heap_pages.map_or(DEFAULT_HEAP_ALLOC_STRATEGY, |pages| {
		HeapAllocStrategy::Static { extra_pages: pages.try_into().unwrap_or(u32::MAX) }
	});
	let executor = WasmExecutor::builder()
		.with_execution_method(config.wasm_method)
		.with_onchain_heap_alloc_strategy(heap)
		.with_offchain_heap_alloc_strategy(heap)
		.with_max_runtime_instances(config.max_runtime_instances)
		.with_runtime_cache_size(config.runtime_cache_size);
	match env::var_os(WASM_CACHE) {
		Some(folder) => executor.with_cache_path(folder).build(),
		None => executor.build(),
	}
}

fn start_telemetry(
	config: &Configuration,
) -> Result<Option<(TelemetryWorker, Telemetry)>, ServiceError> {
	let endpoints = config.telemetry_endpoints.clone().filter(|endpoints| !endpoints.is_empty());
	endpoints
		.map(|endpoints| -> Result<_, sc_telemetry::Error> {
			let worker = TelemetryWorker::new(TELEMETRY_BUFFER)?;
			let telemetry = worker.handle().new_telemetry(endpoints);
			Ok((worker, telemetry))
		})
		.transpose()
		.map_err(ServiceError::from)
}

/// Starts the node, which runs until the task manager is dropped.
pub fn start<C: Consensus, Network: NetworkBackend<Block, Hash>>(
	config: Configuration,
	settings: C::Settings,
) -> Result<TaskManager, ServiceError> {
	let PartialComponents {
		client,
		backend,
		mut task_manager,
		import_queue,
		keystore_container,
		select_chain,
		transaction_pool,
		other: (mut link, mut telemetry),
	} = new_partial::<C>(&config)?;

	let prometheus = config.prometheus_registry().cloned();
	let mut net_config =
		FullNetworkConfiguration::<_, _, Network>::new(&config.network, prometheus.clone());
	let metrics = Network::register_notification_metrics(prometheus.as_ref());
	let base = Base {
		config: &config,
		client: client.clone(),
		backend: backend.clone(),
		select_chain: select_chain.clone(),
		task_manager: &task_manager,
		telemetry: telemetry.as_ref().map(Telemetry::handle),
	};
	let warp_sync_config = C::join(&mut link, base, &mut net_config, metrics.clone())?;
	let (network, system_rpc_tx, tx_handler_controller, sync, _) =
		sc_service::build_network(BuildNetworkParams {
			config: &config,
			net_config,
			client: client.clone(),
			transaction_pool: transaction_pool.clone(),
			spawn_handle: task_manager.spawn_handle(),
			spawn_essential_handle: task_manager.spawn_essential_handle(),
			import_queue,
			block_announce_validator_builder: None,
			warp_sync_config,
			block_relay: None,
			metrics,
			gap_sync_body_policy: None,
		})?;
	if config.offchain_worker.enabled {
		let keystore = keystore_container.keystore();
		let workers =
			offchain_workers(&config, &client, &backend, &transaction_pool, &network, keystore)?;
		let run = workers.run(client.clone(), task_manager.spawn_handle()).boxed();
		task_manager.spawn_handle().spawn("offchain-workers-runner", "offchain-worker", run);
	}

	let rpc_builder = {
		let (client, pool, consensus) =
			(client.clone(), transaction_pool.clone(), C::rpc(&link, &backend));
		Box::new(move |executor| {
			let mut module = consensus(executor)?;
			module
				.merge(System::new(client.clone(), pool.clone()).into_rpc())
				.and_then(|()| module.merge(TransactionPayment::new(client.clone()).into_rpc()))
				.map_err(|error| ServiceError::Application(error.into()))?;
			Ok(module)
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
		network: network.clone(),
		system_rpc_tx,
		tx_handler_controller,
		sync_service: sync.clone(),
		telemetry: telemetry.as_mut(),
		tracing_execute_block: None,
	})?;

	let running = Running {
		task_manager: &task_manager,
		client,
		select_chain,
		transaction_pool,
		keystore: keystore_container.keystore(),
		network,
		sync,
		prometheus,
		telemetry: telemetry.as_ref().map(Telemetry::handle),
	};
	C::start(link, settings, running)?;
	Ok(task_manager)
}

/// Builds the runner of the runtime's offchain workers.
fn offchain_workers(
	config: &Configuration,
	client: &Arc<FullClient>,
	backend: &Arc<FullBackend>,
	transaction_pool: &Arc<Pool>,
	network: &Arc<dyn NetworkService>,
	keystore: sp_keystore::KeystorePtr,
) -> Result<
	OffchainWorkers<FullClient, Block, <FullBackend as Backend<Block>>::OffchainStorage>,
	ServiceError,
> {
	Ok(OffchainWorkers::new(OffchainWorkerOptions {
		runtime_api_provider: client.clone(),
		keystore: Some(keystore),
		offchain_db: backend.offchain_storage(),
		transaction_pool: Some(OffchainTransactionPoolFactory::new(transaction_pool.clone())),
		network_provider: Arc::new(network.clone()),
		is_validator: config.role.is_authority(),
		// The runtime asks for nothing from the web.
		enable_http_requests: false,
		custom_extensions: |_| Vec::new(),
	})?)
}

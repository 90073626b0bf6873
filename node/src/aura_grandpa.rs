// SPDX-License-Identifier: Apache-2.0
//! Aura makes the blocks, and GRANDPA finalizes them.

use std::{sync::Arc, time::Duration};

use jsonrpsee::RpcModule;
use sc_basic_authorship::ProposerFactory;
use sc_client_api::HeaderBackend;
use sc_client_db::PruningFilter;
use sc_consensus::BasicQueue;
use sc_consensus_aura::{ImportQueueParams, SlotProportion, StartAuraParams};
use sc_consensus_grandpa::{self as grandpa, SharedVoterState};
use sc_consensus_grandpa_rpc::{Grandpa, GrandpaApiServer};
use sc_consensus_slots::BackoffAuthoringOnFinalizedHeadLagging;
use sc_network::{
	config::{FullNetworkConfiguration, Role},
	service::traits::NotificationService,
	types::ProtocolName,
	NetworkBackend, NotificationMetrics,
};
use sc_network_sync::WarpSyncConfig;
use sc_service::{Configuration, Error as ServiceError};
use sc_transaction_pool_api::OffchainTransactionPoolFactory;
use sp_consensus_aura::{inherents::InherentDataProvider as SlotProvider, sr25519::AuthorityPair};

use crate::{
	chain_spec::Extensions,
	consensus::{Base, Consensus, RpcBuilder, Running},
	types::{Block, BlockNumber, FullBackend, FullClient, Hash, SelectChain},
};

/// Largest number of blocks between two proofs of finality that a node stores.
const JUSTIFICATION_PERIOD: u32 = 512;
/// The time in which a vote is expected to reach all validators.
const GOSSIP_DURATION: Duration = Duration::from_millis(333);
/// Number of blocks without finality after which the node makes fewer. They last two sessions of an
/// hour each, in which the council can change the validators.
const UNFINALIZED: BlockNumber = 2 * 600;
/// Maximum number of slots without a block then. Nodes would run out of memory otherwise.
const LONGEST_PAUSE: BlockNumber = 10;

type BlockImport = grandpa::GrandpaBlockImport<FullBackend, Block, FullClient, SelectChain>;
type Voter = grandpa::LinkHalf<Block, FullClient, SelectChain>;

/// Aura makes the blocks, and GRANDPA finalizes them. It adds no flags.
#[derive(Clone, Debug, clap::Args)]
pub struct AuraGrandpa {}

/// Handles of the block import, which authoring and voting need.
pub struct Link {
	block_import: BlockImport,
	voter: Voter,
	voter_state: SharedVoterState,
	/// GRANDPA's protocol and its messages, once the node has a network.
	protocol: Option<(ProtocolName, Box<dyn NotificationService>)>,
}

/// Settings that the consensus takes from the configuration.
pub struct Settings {
	role: Role,
	name: String,
	force_authoring: bool,
	finalize: bool,
}

impl Consensus for AuraGrandpa {
	const NAME: &'static str = "Content Fabric Node";
	const DESCRIPTION: &'static str = env!("CARGO_PKG_DESCRIPTION");

	type Link = Link;
	type Settings = Settings;

	fn configure(&self, config: &mut Configuration) -> Settings {
		Settings {
			role: config.role,
			name: config.network.node_name.clone(),
			force_authoring: config.force_authoring,
			finalize: !config.disable_grandpa,
		}
	}

	/// Keeps the blocks that change the authorities, as warp sync needs them.
	fn pruning_filters() -> Vec<Arc<dyn PruningFilter>> {
		vec![Arc::new(grandpa::GrandpaPruningFilter)]
	}

	fn import_queue(base: Base) -> Result<(BasicQueue<Block>, Link), ServiceError> {
		let Base { config, client, select_chain, task_manager, telemetry, .. } = base;
		let (block_import, voter) = grandpa::block_import_with_authority_set_hard_forks(
			client.clone(),
			JUSTIFICATION_PERIOD,
			&client,
			select_chain,
			hard_forks(config),
			telemetry.clone(),
		)?;
		let slot_duration = sc_consensus_aura::slot_duration(&*client)?;
		let queue =
			sc_consensus_aura::import_queue::<AuthorityPair, _, _, _, _, _>(ImportQueueParams {
				block_import: block_import.clone(),
				justification_import: Some(Box::new(block_import.clone())),
				client,
				create_inherent_data_providers: move |_, ()| async move { Ok(now(slot_duration)) },
				spawner: &task_manager.spawn_essential_handle(),
				registry: config.prometheus_registry(),
				check_for_equivocation: Default::default(),
				telemetry,
				compatibility_mode: Default::default(),
			})?;
		let voter_state = SharedVoterState::empty();
		Ok((queue, Link { block_import, voter, voter_state, protocol: None }))
	}

	fn revert(client: Arc<FullClient>, blocks: BlockNumber) -> sp_blockchain::Result<()> {
		grandpa::revert(client, blocks)
	}

	fn join<Network: NetworkBackend<Block, Hash>>(
		link: &mut Link,
		base: Base,
		network: &mut FullNetworkConfiguration<Block, Hash, Network>,
		metrics: NotificationMetrics,
	) -> Result<Option<WarpSyncConfig<Block>>, ServiceError> {
		let genesis = base.client.info().genesis_hash;
		let name = grandpa::protocol_standard_name(&genesis, &base.config.chain_spec);
		let (protocol, messages) = grandpa::grandpa_peers_set_config::<_, Network>(
			name.clone(),
			metrics,
			network.peer_store_handle(),
		);
		network.add_notification_protocol(protocol);
		link.protocol = Some((name, messages));
		let provider = grandpa::warp_proof::NetworkProvider::new(
			base.backend,
			link.voter.shared_authority_set().clone(),
			hard_forks(base.config),
		);
		Ok(Some(WarpSyncConfig::WithProvider(Arc::new(provider))))
	}

	fn rpc(link: &Link, backend: &Arc<FullBackend>) -> RpcBuilder {
		let authorities = link.voter.shared_authority_set().clone();
		let (state, justifications) = (link.voter_state.clone(), link.voter.justification_stream());
		let proofs = grandpa::FinalityProofProvider::new_for_service(
			backend.clone(),
			Some(authorities.clone()),
		);
		Box::new(move |executor| {
			let methods = Grandpa::new(
				executor,
				authorities.clone(),
				state.clone(),
				justifications.clone(),
				proofs.clone(),
			);
			let mut module = RpcModule::new(());
			module
				.merge(methods.into_rpc())
				.map_err(|error| ServiceError::Application(error.into()))?;
			Ok(module)
		})
	}

	fn start(link: Link, settings: Settings, node: Running) -> Result<(), ServiceError> {
		let Link { block_import, voter, voter_state, protocol } = link;
		if settings.role.is_authority() {
			author(block_import, &settings, &node)?;
		}
		if settings.finalize {
			let protocol = protocol
				.ok_or_else(|| ServiceError::Other("GRANDPA has joined no network".into()))?;
			vote(voter, voter_state, protocol, &settings, &node)?;
		}
		Ok(())
	}
}

/// Returns the changes of authorities that the chain specification names.
fn hard_forks(config: &Configuration) -> Vec<grandpa::AuthoritySetHardFork<Block>> {
	sc_chain_spec::get_extension::<Extensions>(config.chain_spec.extensions())
		.and_then(|extensions| extensions.authority_set_hard_forks.clone())
		.unwrap_or_default()
		.into_iter()
		.map(Into::into)
		.collect()
}

/// Provides a block made now with its slot and its time.
fn now(
	slot_duration: sp_consensus_aura::SlotDuration,
) -> (SlotProvider, sp_timestamp::InherentDataProvider) {
	let time = sp_timestamp::InherentDataProvider::from_system_time();
	(SlotProvider::from_timestamp_and_slot_duration(*time, slot_duration), time)
}

/// Makes blocks in the slots of this validator's key.
fn author(
	block_import: BlockImport,
	settings: &Settings,
	node: &Running,
) -> Result<(), ServiceError> {
	let slot_duration = sc_consensus_aura::slot_duration(&*node.client)?;
	let aura = sc_consensus_aura::start_aura::<AuthorityPair, _, _, _, _, _, _, _, _, _, _>(
		StartAuraParams {
			slot_duration,
			client: node.client.clone(),
			select_chain: node.select_chain.clone(),
			block_import,
			proposer_factory: ProposerFactory::new(
				node.task_manager.spawn_handle(),
				node.client.clone(),
				node.transaction_pool.clone(),
				node.prometheus.as_ref(),
				node.telemetry.clone(),
			),
			sync_oracle: node.sync.clone(),
			justification_sync_link: node.sync.clone(),
			create_inherent_data_providers: move |_, ()| async move { Ok(now(slot_duration)) },
			force_authoring: settings.force_authoring,
			backoff_authoring_blocks: Some(BackoffAuthoringOnFinalizedHeadLagging {
				max_interval: LONGEST_PAUSE,
				unfinalized_slack: UNFINALIZED,
				authoring_bias: 2,
			}),
			keystore: node.keystore.clone(),
			block_proposal_slot_portion: SlotProportion::new(2. / 3.),
			max_block_proposal_slot_portion: None,
			telemetry: node.telemetry.clone(),
			compatibility_mode: Default::default(),
		},
	)?;
	node.task_manager.spawn_essential_handle().spawn_blocking(
		"aura",
		Some("block-authoring"),
		aura,
	);
	Ok(())
}

/// Follows the votes on finality, and votes with this validator's key.
fn vote(
	voter: Voter,
	voter_state: SharedVoterState,
	(protocol_name, notification_service): (ProtocolName, Box<dyn NotificationService>),
	settings: &Settings,
	node: &Running,
) -> Result<(), ServiceError> {
	let config = grandpa::Config {
		gossip_duration: GOSSIP_DURATION,
		justification_generation_period: JUSTIFICATION_PERIOD,
		name: Some(settings.name.clone()),
		observer_enabled: false,
		keystore: settings.role.is_authority().then(|| node.keystore.clone()),
		local_role: settings.role,
		telemetry: node.telemetry.clone(),
		protocol_name,
	};
	let voter = grandpa::run_grandpa_voter(grandpa::GrandpaParams {
		config,
		link: voter,
		network: node.network.clone(),
		sync: node.sync.clone(),
		notification_service,
		voting_rule: grandpa::VotingRulesBuilder::default().build(),
		prometheus_registry: node.prometheus.clone(),
		shared_voter_state: voter_state,
		telemetry: node.telemetry.clone(),
		offchain_tx_pool_factory: OffchainTransactionPoolFactory::new(
			node.transaction_pool.clone(),
		),
	})?;
	node.task_manager.spawn_essential_handle().spawn_blocking("grandpa-voter", None, voter);
	Ok(())
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn blocks_without_finality_slow_down_after_two_sessions() {
		assert_eq!(UNFINALIZED, 2 * content_fabric_runtime::time::HOURS);
	}
}

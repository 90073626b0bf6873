// SPDX-License-Identifier: Apache-2.0
//! The runtime APIs, which a node and its clients call.

use alloc::vec::Vec;

use codec::Encode;
use frame_support::{
	genesis_builder_helper::{build_state, get_preset},
	traits::{Contains, KeyOwnerProofSystem},
	view_functions::{ViewFunctionDispatchError, ViewFunctionId},
	weights::Weight,
};
use pallet_content_fabric::NestingLimit;
use pallet_content_fabric_runtime_api::DryRun;
use pallet_transaction_payment_rpc_runtime_api::{FeeDetails, RuntimeDispatchInfo};
use sp_api::impl_runtime_apis;
use sp_consensus_aura::{sr25519::AuthorityId as AuraId, SlotDuration};
use sp_consensus_grandpa as grandpa;
use sp_core::{crypto::KeyTypeId, OpaqueMetadata};
use sp_genesis_builder::PresetId;
use sp_inherents::{CheckInherentsResult, InherentData};
use sp_runtime::{
	traits::{Block as BlockT, NumberFor},
	transaction_validity::{TransactionSource, TransactionValidity},
	ApplyExtrinsicResult, ExtrinsicInclusionMode,
};
use sp_session::OpaqueGeneratedSessionKeys;
use sp_version::RuntimeVersion;

use crate::{
	configs::dry_run::DryRuns, fees, genesis_config_presets, validators::ActiveVoters, AccountId,
	Aura, Balance, Block, Executive, Grandpa, InherentDataExt, Nonce, Runtime, RuntimeCall,
	RuntimeEvent, RuntimeGenesisConfig, SessionKeys, System, TransactionPayment, VERSION,
};

impl_runtime_apis! {
	impl sp_api::Core<Block> for Runtime {
		fn version() -> RuntimeVersion {
			VERSION
		}

		fn execute_block(block: <Block as BlockT>::LazyBlock) {
			Executive::execute_block(block)
		}

		fn initialize_block(header: &<Block as BlockT>::Header) -> ExtrinsicInclusionMode {
			Executive::initialize_block(header)
		}
	}

	impl sp_api::Metadata<Block> for Runtime {
		fn metadata() -> OpaqueMetadata {
			OpaqueMetadata::new(Runtime::metadata().into())
		}

		fn metadata_at_version(version: u32) -> Option<OpaqueMetadata> {
			Runtime::metadata_at_version(version)
		}

		fn metadata_versions() -> Vec<u32> {
			Runtime::metadata_versions()
		}
	}

	impl frame_support::view_functions::runtime_api::RuntimeViewFunction<Block> for Runtime {
		fn execute_view_function(
			id: ViewFunctionId,
			input: Vec<u8>,
		) -> Result<Vec<u8>, ViewFunctionDispatchError> {
			Runtime::execute_view_function(id, input)
		}
	}

	impl sp_block_builder::BlockBuilder<Block> for Runtime {
		fn apply_extrinsic(extrinsic: <Block as BlockT>::Extrinsic) -> ApplyExtrinsicResult {
			NestingLimit::check(&extrinsic.function)?;
			Executive::apply_extrinsic(extrinsic)
		}

		fn finalize_block() -> <Block as BlockT>::Header {
			Executive::finalize_block()
		}

		fn inherent_extrinsics(data: InherentData) -> Vec<<Block as BlockT>::Extrinsic> {
			data.create_extrinsics()
		}

		fn check_inherents(
			block: <Block as BlockT>::LazyBlock,
			data: InherentData,
		) -> CheckInherentsResult {
			data.check_extrinsics(&block)
		}
	}

	impl sp_transaction_pool::runtime_api::TaggedTransactionQueue<Block> for Runtime {
		fn validate_transaction(
			source: TransactionSource,
			transaction: <Block as BlockT>::Extrinsic,
			block_hash: <Block as BlockT>::Hash,
		) -> TransactionValidity {
			NestingLimit::check(&transaction.function)?;
			Executive::validate_transaction(source, transaction, block_hash)
		}
	}

	impl sp_offchain::OffchainWorkerApi<Block> for Runtime {
		fn offchain_worker(header: &<Block as BlockT>::Header) {
			Executive::offchain_worker(header)
		}
	}

	impl sp_consensus_aura::AuraApi<Block, AuraId> for Runtime {
		fn slot_duration() -> SlotDuration {
			SlotDuration::from_millis(Aura::slot_duration())
		}

		fn authorities() -> Vec<AuraId> {
			pallet_aura::Authorities::<Runtime>::get().into_inner()
		}
	}

	impl sp_session::SessionKeys<Block> for Runtime {
		fn generate_session_keys(
			owner: Vec<u8>,
			seed: Option<Vec<u8>>,
		) -> OpaqueGeneratedSessionKeys {
			SessionKeys::generate(&owner, seed).into()
		}

		fn decode_session_keys(encoded: Vec<u8>) -> Option<Vec<(Vec<u8>, KeyTypeId)>> {
			SessionKeys::decode_into_raw_public_keys(&encoded)
		}
	}

	impl grandpa::GrandpaApi<Block> for Runtime {
		fn grandpa_authorities() -> grandpa::AuthorityList {
			Grandpa::grandpa_authorities()
		}

		fn current_set_id() -> grandpa::SetId {
			pallet_grandpa::CurrentSetId::<Runtime>::get()
		}

		fn submit_report_equivocation_unsigned_extrinsic(
			equivocation: grandpa::EquivocationProof<<Block as BlockT>::Hash, NumberFor<Block>>,
			ownership: grandpa::OpaqueKeyOwnershipProof,
		) -> Option<()> {
			Grandpa::submit_unsigned_equivocation_report(equivocation, ownership.decode()?)
		}

		fn generate_key_ownership_proof(
			set: grandpa::SetId,
			authority: grandpa::AuthorityId,
		) -> Option<grandpa::OpaqueKeyOwnershipProof> {
			if set != Self::current_set_id() {
				return None;
			}
			ActiveVoters::prove((grandpa::KEY_TYPE, authority))
				.map(|proof| grandpa::OpaqueKeyOwnershipProof::new(proof.encode()))
		}
	}

	impl frame_system_rpc_runtime_api::AccountNonceApi<Block, AccountId, Nonce> for Runtime {
		fn account_nonce(account: AccountId) -> Nonce {
			System::account_nonce(account)
		}
	}

	impl pallet_transaction_payment_rpc_runtime_api::TransactionPaymentApi<Block, Balance> for Runtime {
		fn query_info(
			extrinsic: <Block as BlockT>::Extrinsic,
			len: u32,
		) -> RuntimeDispatchInfo<Balance> {
			match NestingLimit::contains(&extrinsic.function) {
				true => TransactionPayment::query_info(extrinsic, len),
				false => fees::UNPAYABLE,
			}
		}

		fn query_fee_details(
			extrinsic: <Block as BlockT>::Extrinsic,
			len: u32,
		) -> FeeDetails<Balance> {
			match NestingLimit::contains(&extrinsic.function) {
				true => TransactionPayment::query_fee_details(extrinsic, len),
				false => fees::UNPAYABLE_DETAILS,
			}
		}

		fn query_weight_to_fee(weight: Weight) -> Balance {
			TransactionPayment::weight_to_fee(weight)
		}

		fn query_length_to_fee(len: u32) -> Balance {
			TransactionPayment::length_to_fee(len)
		}
	}

	impl pallet_transaction_payment_rpc_runtime_api::TransactionPaymentCallApi<Block, Balance, RuntimeCall>
		for Runtime
	{
		fn query_call_info(call: RuntimeCall, len: u32) -> RuntimeDispatchInfo<Balance> {
			match NestingLimit::contains(&call) {
				true => TransactionPayment::query_call_info(call, len),
				false => fees::UNPAYABLE,
			}
		}

		fn query_call_fee_details(call: RuntimeCall, len: u32) -> FeeDetails<Balance> {
			match NestingLimit::contains(&call) {
				true => TransactionPayment::query_call_fee_details(call, len),
				false => fees::UNPAYABLE_DETAILS,
			}
		}

		fn query_weight_to_fee(weight: Weight) -> Balance {
			TransactionPayment::weight_to_fee(weight)
		}

		fn query_length_to_fee(len: u32) -> Balance {
			TransactionPayment::length_to_fee(len)
		}
	}

	impl pallet_content_fabric_runtime_api::ContentFabricApi<Block, Runtime> for Runtime {
		fn dry_run(account: AccountId, call: RuntimeCall) -> DryRun<RuntimeEvent> {
			pallet_content_fabric_runtime_api::dry_run::<Runtime, DryRuns>(account, call)
		}
	}

	impl sp_genesis_builder::GenesisBuilder<Block> for Runtime {
		fn build_state(config: Vec<u8>) -> sp_genesis_builder::Result {
			build_state::<RuntimeGenesisConfig>(config)
		}

		fn get_preset(id: &Option<PresetId>) -> Option<Vec<u8>> {
			get_preset::<RuntimeGenesisConfig>(id, genesis_config_presets::get_preset)
		}

		fn preset_names() -> Vec<PresetId> {
			genesis_config_presets::preset_names()
		}
	}

	#[cfg(feature = "runtime-benchmarks")]
	impl frame_benchmarking::Benchmark<Block> for Runtime {
		fn benchmark_metadata(
			extra: bool,
		) -> (
			Vec<frame_benchmarking::BenchmarkList>,
			Vec<frame_support::traits::StorageInfo>,
		) {
			use crate::*;
			use frame_benchmarking::{baseline::Pallet as BaselineBench, BenchmarkList};
			use frame_support::traits::StorageInfoTrait;
			use frame_system_benchmarking::{
				extensions::Pallet as SystemExtensionsBench, Pallet as SystemBench,
			};

			let mut list = Vec::<BenchmarkList>::new();
			list_benchmarks!(list, extra);
			(list, AllPalletsWithSystem::storage_info())
		}

		fn dispatch_benchmark(
			config: frame_benchmarking::BenchmarkConfig,
		) -> Result<Vec<frame_benchmarking::BenchmarkBatch>, alloc::string::String> {
			use crate::*;
			use frame_benchmarking::{baseline::Pallet as BaselineBench, BenchmarkBatch};
			use frame_support::traits::WhitelistedStorageKeys;
			use frame_system_benchmarking::{
				extensions::Pallet as SystemExtensionsBench, Pallet as SystemBench,
			};
			use sp_storage::TrackedStorageKey;

			let whitelist: Vec<TrackedStorageKey> =
				AllPalletsWithSystem::whitelisted_storage_keys();
			let mut batches = Vec::<BenchmarkBatch>::new();
			let params = (&config, &whitelist);
			add_benchmarks!(params, batches);
			Ok(batches)
		}
	}

	#[cfg(feature = "try-runtime")]
	impl frame_try_runtime::TryRuntime<Block> for Runtime {
		fn on_runtime_upgrade(
			checks: frame_try_runtime::UpgradeCheckSelect,
		) -> (Weight, Weight) {
			let weight = Executive::try_runtime_upgrade(checks)
				.expect("a failed check must stop the try-runtime tool, which is all that calls this; qed");
			(weight, crate::configs::BlockWeights::get().max_block)
		}

		fn execute_block(
			block: <Block as BlockT>::LazyBlock,
			state_root_check: bool,
			signature_check: bool,
			select: frame_try_runtime::TryStateSelect,
		) -> Weight {
			Executive::try_execute_block(block, state_root_check, signature_check, select)
				.expect("a failed check must stop the try-runtime tool, which is all that calls this; qed")
		}
	}
}

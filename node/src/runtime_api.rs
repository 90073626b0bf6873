// SPDX-License-Identifier: Apache-2.0
//! The runtime APIs that the node calls.
//!
//! The node calls them in the runtime's WASM, by name: it has no native runtime. The implementation
//! below only declares which APIs exist, so its functions are never executed.

// The macro generates items without docs.
#![allow(missing_docs)]

use pallet_transaction_payment_rpc_runtime_api::{FeeDetails, RuntimeDispatchInfo};
use sp_api::impl_runtime_apis;
use sp_consensus_aura::{sr25519::AuthorityId as AuraId, SlotDuration};
use sp_consensus_grandpa as grandpa;
use sp_core::{crypto::KeyTypeId, OpaqueMetadata};
use sp_inherents::{CheckInherentsResult, InherentData};
use sp_runtime::{
	traits::{Block as BlockT, NumberFor},
	transaction_validity::{TransactionSource, TransactionValidity},
	ApplyExtrinsicResult, ExtrinsicInclusionMode, Weight,
};
use sp_session::OpaqueGeneratedSessionKeys;
use sp_version::RuntimeVersion;

use crate::types::{AccountId, Balance, Block, Nonce};

/// Stands for the runtime in the declarations below.
struct Runtime;

fn only_in_wasm() -> ! {
	unreachable!("the client calls the WASM runtime, never this one")
}

impl_runtime_apis! {
	impl sp_api::Core<Block> for Runtime {
		fn version() -> RuntimeVersion {
			only_in_wasm()
		}

		fn execute_block(_: <Block as BlockT>::LazyBlock) {
			only_in_wasm()
		}

		fn initialize_block(_: &<Block as BlockT>::Header) -> ExtrinsicInclusionMode {
			only_in_wasm()
		}
	}

	impl sp_api::Metadata<Block> for Runtime {
		fn metadata() -> OpaqueMetadata {
			only_in_wasm()
		}

		fn metadata_at_version(_: u32) -> Option<OpaqueMetadata> {
			only_in_wasm()
		}

		fn metadata_versions() -> Vec<u32> {
			only_in_wasm()
		}
	}

	impl sp_block_builder::BlockBuilder<Block> for Runtime {
		fn apply_extrinsic(_: <Block as BlockT>::Extrinsic) -> ApplyExtrinsicResult {
			only_in_wasm()
		}

		fn finalize_block() -> <Block as BlockT>::Header {
			only_in_wasm()
		}

		fn inherent_extrinsics(_: InherentData) -> Vec<<Block as BlockT>::Extrinsic> {
			only_in_wasm()
		}

		fn check_inherents(_: <Block as BlockT>::LazyBlock, _: InherentData) -> CheckInherentsResult {
			only_in_wasm()
		}
	}

	impl sp_transaction_pool::runtime_api::TaggedTransactionQueue<Block> for Runtime {
		fn validate_transaction(
			_: TransactionSource,
			_: <Block as BlockT>::Extrinsic,
			_: <Block as BlockT>::Hash,
		) -> TransactionValidity {
			only_in_wasm()
		}
	}

	impl sp_offchain::OffchainWorkerApi<Block> for Runtime {
		fn offchain_worker(_: &<Block as BlockT>::Header) {
			only_in_wasm()
		}
	}

	impl sp_session::SessionKeys<Block> for Runtime {
		fn generate_session_keys(_: Vec<u8>, _: Option<Vec<u8>>) -> OpaqueGeneratedSessionKeys {
			only_in_wasm()
		}

		fn decode_session_keys(_: Vec<u8>) -> Option<Vec<(Vec<u8>, KeyTypeId)>> {
			only_in_wasm()
		}
	}

	impl sp_consensus_aura::AuraApi<Block, AuraId> for Runtime {
		fn slot_duration() -> SlotDuration {
			only_in_wasm()
		}

		fn authorities() -> Vec<AuraId> {
			only_in_wasm()
		}
	}

	impl grandpa::GrandpaApi<Block> for Runtime {
		fn grandpa_authorities() -> grandpa::AuthorityList {
			only_in_wasm()
		}

		fn current_set_id() -> grandpa::SetId {
			only_in_wasm()
		}

		fn submit_report_equivocation_unsigned_extrinsic(
			_: grandpa::EquivocationProof<<Block as BlockT>::Hash, NumberFor<Block>>,
			_: grandpa::OpaqueKeyOwnershipProof,
		) -> Option<()> {
			only_in_wasm()
		}

		fn generate_key_ownership_proof(
			_: grandpa::SetId,
			_: grandpa::AuthorityId,
		) -> Option<grandpa::OpaqueKeyOwnershipProof> {
			only_in_wasm()
		}
	}

	impl frame_system_rpc_runtime_api::AccountNonceApi<Block, AccountId, Nonce> for Runtime {
		fn account_nonce(_: AccountId) -> Nonce {
			only_in_wasm()
		}
	}

	impl pallet_transaction_payment_rpc_runtime_api::TransactionPaymentApi<Block, Balance> for Runtime {
		fn query_info(_: <Block as BlockT>::Extrinsic, _: u32) -> RuntimeDispatchInfo<Balance> {
			only_in_wasm()
		}

		fn query_fee_details(_: <Block as BlockT>::Extrinsic, _: u32) -> FeeDetails<Balance> {
			only_in_wasm()
		}

		fn query_weight_to_fee(_: Weight) -> Balance {
			only_in_wasm()
		}

		fn query_length_to_fee(_: u32) -> Balance {
			only_in_wasm()
		}
	}
}

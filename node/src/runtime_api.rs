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

use crate::block::{AccountId, Balance, Block, Nonce};

/// Stands for the runtime in the declarations below.
struct Runtime;

/// Implements APIs with functions that are never executed.
macro_rules! declare {
	($($api:path {
		$(fn $function:ident($($argument:tt)*) $(-> $answer:ty)?;)*
	})*) => {
		impl_runtime_apis! {
			$(impl $api for Runtime {
				$(fn $function($($argument)*) $(-> $answer)? {
					unreachable!("the client calls the WASM runtime, never this one")
				})*
			})*
		}
	};
}

declare! {
	sp_api::Core<Block> {
		fn version() -> RuntimeVersion;
		fn execute_block(_: <Block as BlockT>::LazyBlock);
		fn initialize_block(_: &<Block as BlockT>::Header) -> ExtrinsicInclusionMode;
	}

	sp_api::Metadata<Block> {
		fn metadata() -> OpaqueMetadata;
		fn metadata_at_version(_: u32) -> Option<OpaqueMetadata>;
		fn metadata_versions() -> Vec<u32>;
	}

	sp_block_builder::BlockBuilder<Block> {
		fn apply_extrinsic(_: <Block as BlockT>::Extrinsic) -> ApplyExtrinsicResult;
		fn finalize_block() -> <Block as BlockT>::Header;
		fn inherent_extrinsics(_: InherentData) -> Vec<<Block as BlockT>::Extrinsic>;
		fn check_inherents(_: <Block as BlockT>::LazyBlock, _: InherentData) -> CheckInherentsResult;
	}

	sp_transaction_pool::runtime_api::TaggedTransactionQueue<Block> {
		fn validate_transaction(
			_: TransactionSource,
			_: <Block as BlockT>::Extrinsic,
			_: <Block as BlockT>::Hash,
		) -> TransactionValidity;
	}

	sp_offchain::OffchainWorkerApi<Block> {
		fn offchain_worker(_: &<Block as BlockT>::Header);
	}

	sp_session::SessionKeys<Block> {
		fn generate_session_keys(_: Vec<u8>, _: Option<Vec<u8>>) -> OpaqueGeneratedSessionKeys;
		fn decode_session_keys(_: Vec<u8>) -> Option<Vec<(Vec<u8>, KeyTypeId)>>;
	}

	sp_consensus_aura::AuraApi<Block, AuraId> {
		fn slot_duration() -> SlotDuration;
		fn authorities() -> Vec<AuraId>;
	}

	grandpa::GrandpaApi<Block> {
		fn grandpa_authorities() -> grandpa::AuthorityList;
		fn current_set_id() -> grandpa::SetId;
		fn submit_report_equivocation_unsigned_extrinsic(
			_: grandpa::EquivocationProof<<Block as BlockT>::Hash, NumberFor<Block>>,
			_: grandpa::OpaqueKeyOwnershipProof,
		) -> Option<()>;
		fn generate_key_ownership_proof(
			_: grandpa::SetId,
			_: grandpa::AuthorityId,
		) -> Option<grandpa::OpaqueKeyOwnershipProof>;
	}

	frame_system_rpc_runtime_api::AccountNonceApi<Block, AccountId, Nonce> {
		fn account_nonce(_: AccountId) -> Nonce;
	}

	pallet_transaction_payment_rpc_runtime_api::TransactionPaymentApi<Block, Balance> {
		fn query_info(_: <Block as BlockT>::Extrinsic, _: u32) -> RuntimeDispatchInfo<Balance>;
		fn query_fee_details(_: <Block as BlockT>::Extrinsic, _: u32) -> FeeDetails<Balance>;
		fn query_weight_to_fee(_: Weight) -> Balance;
		fn query_length_to_fee(_: u32) -> Balance;
	}
}

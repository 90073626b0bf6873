// SPDX-License-Identifier: Apache-2.0
//! A purge on the parachain, and its observer.

#[path = "../../shared/mod.rs"]
mod shared;

use codec::Encode;
use cumulus_pallet_parachain_system::parachain_inherent::{
	BasicParachainInherentData, InboundMessagesData,
};
use cumulus_primitives_core::{relay_chain::MAX_POV_SIZE, PersistedValidationData};
use cumulus_test_relay_sproof_builder::RelayStateSproofBuilder;
pub use example_parachain::*;
use finalized_bytes::Bytes;
use shared::{
	chain::Chain,
	fabric::{self, PROVIDER},
};
use sp_runtime::{generic::Era, traits::Header as _};

/// Returns the calls that a block begins with. The relay chain has a block in each slot, and has
/// included the parent.
fn inherents(parent: &Header, slot: u64) -> Vec<RuntimeCall> {
	let parent_head = cumulus_primitives_core::relay_chain::HeadData(parent.encode());
	let relay = RelayStateSproofBuilder {
		para_id: PARA_ID.into(),
		current_slot: slot.into(),
		included_para_head: Some(parent_head.clone()),
		..Default::default()
	};
	let (relay_parent_storage_root, relay_chain_state) = relay.into_state_root_and_proof();
	let validation_data = PersistedValidationData {
		parent_head,
		relay_parent_number: *parent.number() + 1,
		relay_parent_storage_root,
		max_pov_size: MAX_POV_SIZE,
	};
	let data = BasicParachainInherentData {
		validation_data,
		relay_chain_state,
		relay_parent_descendants: vec![],
		collator_peer_id: None,
	};
	let inbound_messages_data = InboundMessagesData::new(Default::default(), Default::default());
	vec![
		cumulus_pallet_parachain_system::Call::set_validation_data { data, inbound_messages_data }
			.into(),
		pallet_timestamp::Call::set { now: slot * SLOT_DURATION }.into(),
	]
}

/// Returns the extension of an account's transaction.
fn extension(nonce: Nonce) -> TxExtension {
	TxExtension::new((
		frame_system::CheckNonZeroSender::new(),
		frame_system::CheckSpecVersion::new(),
		frame_system::CheckTxVersion::new(),
		frame_system::CheckGenesis::new(),
		frame_system::CheckEra::from(Era::Immortal),
		frame_system::CheckNonce::from(nonce),
		frame_system::CheckWeight::new(),
		pallet_transaction_payment::ChargeTransactionPayment::from(0),
		frame_metadata_hash_extension::CheckMetadataHash::new(false),
	))
}

#[test]
fn finalized_bytes_are_counted_for_a_provider_until_it_is_deleted() {
	let mut chain = Chain::new(fabric::genesis());
	chain.block(vec![]);
	let bytes = |chain: &mut Chain| chain.run(|| Bytes::<Runtime>::get(PROVIDER));
	for batch in 0..2 {
		let commit = chain.run(|| fabric::commit(batch));
		chain.block(vec![commit]);
		assert_eq!(bytes(&mut chain), u128::from(batch) * 500, "none of them is final yet");
		chain.block(vec![fabric::finalize(batch)]);
		// Each of the 500 versions has one byte.
		assert_eq!(bytes(&mut chain), u128::from(batch + 1) * 500);
	}
	let delete = chain.run(|| fabric::governance_delete(PROVIDER.into()));
	chain.block(vec![delete]);
	assert_eq!(bytes(&mut chain), 1_000, "its rows are removed from the next block on");
	chain.block(vec![]);
	assert!(!chain.run(|| Bytes::<Runtime>::contains_key(PROVIDER)));
}

// SPDX-License-Identifier: Apache-2.0
//! The hash of the metadata, which the WASM runtime takes from `runtime/metadata-hash`.

use codec::Encode;
use content_fabric_runtime::{
	configs::SS58Prefix, Balance, Nonce, Runtime, RuntimeCall, System, UncheckedExtrinsic, VERSION,
};
use frame_metadata::RuntimeMetadataPrefixed;
use frame_metadata_hash_extension::CheckMetadataHash;
use merkleized_metadata::{generate_metadata_digest, ExtraInfo};
use sp_core::H256;
use sp_keyring::Sr25519Keyring::{self, Alice};
use sp_runtime::transaction_validity::{
	InvalidTransaction, TransactionSource, TransactionValidity,
};

use crate::{
	chain::*,
	transactions,
	wasm::{call, metadata},
};

/// The file from which the WASM takes the hash: first the runtime's, then the drills'.
const FILE: &str = include_str!("../../metadata-hash");

/// Returns the hash that a signer computes of what the chain says about itself.
fn computed() -> [u8; 32] {
	computed_for(VERSION.spec_version)
}

fn computed_for(spec_version: u32) -> [u8; 32] {
	let RuntimeMetadataPrefixed(_, metadata) = metadata(15);
	let info = ExtraInfo {
		spec_version,
		spec_name: VERSION.spec_name.to_string(),
		base58_prefix: SS58Prefix::get().into(),
		decimals: 12,
		token_symbol: "UNIT".into(),
	};
	generate_metadata_digest(&metadata, info).expect("the metadata is complete").hash()
}

#[test]
fn the_hash_in_the_runtime_is_that_of_its_metadata() {
	// The runtime of drills has the same types, and the next version.
	let versions = [VERSION.spec_version, VERSION.spec_version + 1];
	let computed = versions.map(|version| format!("{:?}\n", H256(computed_for(version))));
	let computed = computed.concat();
	assert_eq!(FILE, computed, "write\n{computed}into runtime/metadata-hash, and build again");
}

#[test]
fn a_transaction_signed_with_the_hash_is_valid_and_with_another_it_is_not() {
	let mut chain = Chain::new();
	chain.blocks(1);
	let mut wrong = computed();
	wrong[0] ^= 1;
	let bad_proof = TransactionValidity::Err(InvalidTransaction::BadProof.into());
	for (hash, is_valid) in [(computed(), true), (wrong, false)] {
		let transaction = chain.run(|| {
			let call = frame_system::Call::remark { remark: vec![7] }.into();
			signed_by_alice(call, CheckMetadataHash::new_with_custom_hash(hash))
		});
		let arguments = (TransactionSource::External, transaction, H256::default()).encode();
		let function = "TaggedTransactionQueue_validate_transaction";
		let validity: TransactionValidity = call(&mut chain.state, function, &arguments);
		assert_eq!(validity.is_ok(), is_valid, "{validity:?}");
		assert_eq!(validity == bad_proof, !is_valid, "{validity:?}");
	}
}

/// Returns a transaction of Alice.
pub fn signed_by_alice(
	call: RuntimeCall,
	metadata_hash: CheckMetadataHash<Runtime>,
) -> UncheckedExtrinsic {
	transaction(Alice, 0, 0, call, metadata_hash)
}

/// Returns a transaction of an account, this many after its last.
pub fn transaction(
	who: Sr25519Keyring,
	later: Nonce,
	tip: Balance,
	call: RuntimeCall,
	hash: CheckMetadataHash<Runtime>,
) -> UncheckedExtrinsic {
	let nonce = System::account_nonce(account(who)) + later;
	let sign = |payload: &[u8]| who.sign(payload);
	transactions::transaction(account(who), sign, nonce, tip, call, hash)
}

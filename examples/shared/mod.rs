// SPDX-License-Identifier: Apache-2.0
//! The tests of the examples. Each example includes this module in its own tests.

pub mod chain;
pub mod fabric;
mod genesis;

use chain::{Chain, Took};
use frame_support::{
	storage::unhashed::clear_prefix,
	traits::{
		fungible::{Inspect, InspectHold},
		GetStorageVersion, PalletInfoAccess,
	},
};
use pallet_content_fabric::{Call, Spaces};
use sp_io::hashing::twox_128;
use sp_keyring::Sr25519Keyring::{Alice, Charlie, Eve};

use crate::{Balances, ContentFabric, Runtime, RuntimeBlockWeights, UNIT};

/// Batches of 500 objects with a version and a record each.
const BATCHES: u32 = 4;
/// The objects, versions and records, the access key, the KMS and the collection.
const ROWS: u32 = 3 * 500 * BATCHES + 3;

#[test]
fn governance_deletes_a_tenant_within_the_limits_of_blocks() {
	let mut chain = Chain::new(fabric::genesis());
	chain.block(vec![]);
	let empty = chain.block(vec![]);
	println!("an empty block: {empty:?}");
	chain.block(vec![fabric::create_collection()]);
	for batch in 0..BATCHES {
		for (name, call) in [
			("commit", fabric::commit as fn(u32) -> _),
			("finalize", fabric::finalize),
			("put", fabric::put),
		] {
			let call = chain.run(|| call(batch));
			let took = chain.block(vec![call]);
			println!("{name} 500: {took:?}");
			assert_fits(took, empty);
		}
	}
	assert_eq!(chain.run(|| ContentFabric::rows(fabric::MEMBER)), Some(ROWS));
	let charlie = Charlie.to_account_id();
	assert!(chain.run(|| Balances::total_balance_on_hold(&charlie)) > 10 * UNIT);

	let delete = chain.run(|| fabric::governance_delete(fabric::MEMBER));
	let took = chain.block(vec![delete]);
	assert_fits(took, empty);
	assert_eq!(chain.run(|| Balances::total_balance_on_hold(&charlie)), 0);

	let mut blocks = 0;
	while let Some(left) = chain.run(|| ContentFabric::rows(fabric::MEMBER)) {
		// In every other block, somebody else also removes rows, free of charge.
		let before = chain.run(|| Balances::total_balance(&Eve.to_account_id()));
		let reap = Call::reap { member: fabric::MEMBER, limit: 100 };
		let calls = if blocks % 2 == 1 { vec![(Eve, reap.into())] } else { vec![] };
		let took = chain.block(calls);
		assert_fits(took, empty);
		let now = chain.run(|| ContentFabric::rows(fabric::MEMBER)).unwrap_or(0);
		println!("{} rows removed: {took:?}", left - now);
		assert!(now < left, "every block removes rows");
		assert_eq!(chain.run(|| Balances::total_balance(&Eve.to_account_id())), before);
		blocks += 1;
	}
	println!("{ROWS} rows were removed in {blocks} blocks");
	assert_fits(chain.block(vec![]), empty);
}

#[test]
fn the_pallet_joins_a_running_chain_without_a_migration() {
	let mut chain = Chain::new(serde_json::json!({}));
	chain.block(vec![]);
	chain.run(|| {
		// As before the upgrade that brings the pallet.
		let prefix = twox_128(ContentFabric::name().as_bytes());
		assert!(clear_prefix(&prefix, None, None).maybe_cursor.is_none());
		frame_system::LastRuntimeUpgrade::<Runtime>::kill();
		assert_eq!(ContentFabric::on_chain_storage_version(), 0);
	});
	let (call, space) = fabric::create_space();
	let sudo = pallet_sudo::Call::sudo { call: Box::new(call) };
	chain.block(vec![(Alice, sudo.into())]);
	assert!(chain.run(|| Spaces::<Runtime>::contains_key(space)));
}

/// Checks that a block keeps to the limits, and its proof to its weight. Other pallets may leave a
/// part of their proofs unweighed: at most as much as in an empty block.
fn assert_fits(took: Took, empty: Took) {
	let max = RuntimeBlockWeights::get().max_block;
	assert!(took.weight.all_lte(max), "{took:?}");
	assert!(took.proof + took.len <= max.proof_size(), "{took:?}");
	let unweighed = empty.proof.saturating_sub(empty.weight.proof_size());
	assert!(took.proof <= took.weight.proof_size() + unweighed, "{took:?}, empty: {empty:?}");
}

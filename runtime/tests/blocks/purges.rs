// SPDX-License-Identifier: Apache-2.0
//! Whole tenants, purged by one call, in blocks as they are made, with the weights that were
//! measured.

use std::time::Duration;

use codec::Encode;
use content_fabric_runtime::{
	configs::{BlockWeights, MaxIdleWeight},
	Balances, ContentFabric, Runtime, RuntimeCall, System,
};
use frame_support::{
	assert_noop, assert_ok,
	dispatch::{DispatchClass, Pays},
	traits::{fungible::InspectHold, Hooks},
	weights::Weight,
};
use pallet_content_fabric::{Call, ContentObjects, Error, Event, MemberId, Tenants, WeightInfo};
use sp_keyring::Sr25519Keyring::{self, Alice, Charlie, Dave};
use sp_runtime::traits::Dispatchable;

use crate::{chain::*, fabric::*};

type Weights = pallet_content_fabric::weights::SubstrateWeight<Runtime>;

const MEMBER: MemberId = MemberId::Tenant(TENANT);

fn held(key: Sr25519Keyring) -> u128 {
	Balances::total_balance_on_hold(&account(key))
}

/// Returns what is recorded to be on hold for a tenant.
fn recorded(tenant: pallet_content_fabric::identifiers::TenantId) -> u128 {
	let info = Tenants::<Runtime>::get(tenant).expect("the tenant exists");
	info.bond + info.own_deposit + info.deposit
}

fn fabric_events() -> Vec<Event<Runtime>> {
	System::read_events_for_pallet()
}

/// Adds what is missing to 100,000 rows.
fn round_up() {
	for number in rows(TENANT).expect("the tenant exists")..ROWS {
		let id = object(1_000_000 + number);
		assert_ok!(ContentFabric::create_content_object(signed(Charlie), TENANT, id));
	}
	assert_eq!(rows(TENANT), Some(ROWS));
}

#[test]
fn one_call_of_governance_deletes_a_tenancy_of_100_000_rows() {
	let mut chain = large_fabric();
	chain.block(round_up);
	let (before, freed) = chain.run(|| (held(Charlie), recorded(TENANT) + recorded(OTHER)));
	let (_, took) = chain.measured_block(|| {
		for (tenant, slash) in [(TENANT, BOND / 4), (OTHER, 0)] {
			let (by, member, created) = (signed(Alice), tenant.into(), created(tenant.into()));
			assert_ok!(ContentFabric::governance_delete(by, member, created, slash, text("spam")));
		}
		let started = |event: &Event<Runtime>| matches!(event, Event::PurgeStarted { .. });
		let started: Vec<_> = fabric_events().into_iter().filter(started).collect();
		let [of_tenant, of_other] = [(TENANT, ROWS), (OTHER, 502)].map(|(tenant, rows)| {
			let member: MemberId = tenant.into();
			Event::PurgeStarted { member, created: created(member), rows }
		});
		assert_eq!(started, [of_tenant, of_other]);
	});
	assert_fits(&took);
	// All funds are settled at once.
	assert_eq!(chain.run(|| held(Charlie)), before - freed);

	let mut blocks = 0;
	while let Some(left) = chain.run(|| rows(TENANT)) {
		// Every other block is full, so only transactions get what is left.
		let is_full = blocks % 2 == 1;
		let (reaped, took) = chain.measured_block(|| {
			assert_refused();
			if is_full {
				fill_block_and_reap()
			} else {
				0
			}
		});
		assert_fits(&took);
		let now = chain.run(|| rows(TENANT)).unwrap_or(0);
		assert!(now < left, "every block removes rows");
		if is_full {
			assert_eq!(left - now, reaped, "a full block removes what is reaped, and nothing else");
			assert!(reaped > 1_000 || now == 0, "{reaped}");
		}
		blocks += 1;
	}
	// By the measured weight of a row, a quarter of each block, and some more by those who reap.
	println!("{ROWS} rows were removed in {blocks} blocks");
	assert!((2..100).contains(&blocks));

	// The other purge, which waited in the queue, ends as well.
	chain.blocks(3);
	chain.block(|| {
		assert_eq!((rows(OTHER), rows(NEIGHBOUR)), (None, Some(52)));
		assert_eq!(held(Charlie), recorded(NEIGHBOUR));
		assert_eq!(ContentObjects::<Runtime>::iter_prefix(NEIGHBOUR).count(), 10);
		// The ids can be used again.
		assert_ok!(ContentFabric::create_tenant(signed(Dave), SPACE, TENANT, ENDOWMENT));
		assert_eq!(rows(TENANT), Some(0));
		assert_eq!(ContentObjects::<Runtime>::iter_prefix(TENANT).count(), 0);
	});
}

/// Fills the block but for an eighth, and reaps as much as fits. Returns the number of rows.
fn fill_block_and_reap() -> u32 {
	let max = BlockWeights::get().max_block;
	let fill = max - System::block_weight().total();
	System::register_extra_weight_unchecked(fill / 8 * 7, DispatchClass::Normal);
	let (base, step) = (Weights::reap(0), Weights::reap(1));
	let limit = ((fill / 8 - base).ref_time() / (step - base).ref_time()) as u32;
	let before = rows(TENANT).expect("the tenant is being deleted");
	let call = RuntimeCall::ContentFabric(Call::reap { member: MEMBER, limit });
	let post = call.dispatch(signed(Dave)).expect("the tenant is being deleted");
	let removed = before - rows(TENANT).unwrap_or(0);
	assert_eq!(post.pays_fee, Pays::No);
	let actual = post.actual_weight.expect("reap knows its weight");
	assert!(Weights::reap(removed).all_gte(actual), "{removed} rows for {actual:?}");
	// The rest of the block is not used.
	System::register_extra_weight_unchecked(max, DispatchClass::Normal);
	removed
}

/// Checks that nobody can act on a tenant that is being deleted.
fn assert_refused() {
	let (root, being_deleted) = (|| signed(Charlie), Error::<Runtime>::BeingDeleted);
	assert_noop!(ContentFabric::create_tenant(root(), SPACE, TENANT, ENDOWMENT), being_deleted);
	assert_noop!(
		ContentFabric::create_content_object(root(), TENANT, object(2_000_000)),
		Error::<Runtime>::BeingDeleted
	);
	assert_noop!(ContentFabric::delete_member(root(), MEMBER), Error::<Runtime>::BeingDeleted);
	assert_eq!(ContentFabric::tenant_level(TENANT, account(Charlie)), None);
}

/// On chains with limited proofs, steps stay within the limit.
#[test]
fn the_size_of_proofs_limits_steps() {
	let mut chain = large_fabric();
	chain.block(|| delete(MEMBER));
	for megabytes in [1, 2, 5] {
		let limit = Weight::from_parts(u64::MAX, megabytes << 20);
		let before = chain.run(|| rows(TENANT)).expect("the tenant is being deleted");
		let number = chain.number;
		chain.bare_block(|| ());
		let (consumed, proof) = chain.state.execute_and_prove(|| {
			let consumed = ContentFabric::on_idle(number, limit.min(MaxIdleWeight::get()));
			sp_io::storage::root(sp_runtime::StateVersion::V1);
			consumed
		});
		chain.commit();
		let removed = before - chain.run(|| rows(TENANT)).expect("it is still being deleted");
		assert!(removed > 100, "{removed}");
		assert!(consumed.proof_size() <= megabytes << 20);
		assert!(proof.encoded_size() as u64 <= consumed.proof_size());
		println!(
			"{removed} rows within {megabytes} MiB of weight, {} KiB of proof",
			proof.encoded_size() >> 10
		);
	}
}

/// Checks that a block kept to its weight, in time and in the size of its proof.
fn assert_fits(took: &Took) {
	assert!(BlockWeights::get().max_block.ref_time() * 2 >= took.weight.ref_time());
	assert!(took.proof as u64 <= took.weight.proof_size(), "{} {:?}", took.proof, took.weight);
	assert_in_time("the block", took.time, took.weight, Duration::ZERO);
}

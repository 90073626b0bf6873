//! A tenancy of 100,000 rows, deleted by one call of its governor, in blocks as they are made, with the
//! weights that were measured.

use codec::Encode;
use content_fabric_runtime::{
	configs::{BlockWeights, MaxIdleWeight},
	Balances, ContentFabric, Runtime, RuntimeCall, System,
};
use frame_support::{
	assert_noop, assert_ok,
	dispatch::{DispatchClass, Pays},
	traits::fungible::InspectHold,
	weights::Weight,
};
use pallet_content_fabric::{Error, Event, Subject, WeightInfo};
use sp_keyring::Sr25519Keyring::{Alice, Charlie, Dave};
use sp_runtime::traits::Dispatchable;

use crate::chain::*;

type Weights = pallet_content_fabric::weights::SubstrateWeight<Runtime>;

fn held(key: sp_keyring::Sr25519Keyring) -> u128 {
	Balances::total_balance_on_hold(&key.to_account_id())
}

fn fabric_events() -> Vec<Event<Runtime>> {
	System::read_events_for_pallet()
}

#[test]
fn one_call_deletes_a_tenancy_of_100_000_rows() {
	let mut chain = fabric();
	let missing = chain.block(|| ROWS - rows(TENANT).expect("the tenant exists")).0;
	let (before, _) = chain.block(|| (held(Charlie), rows(NEIGHBOUR), rows(OTHER)));
	assert_eq!((before.1, before.2), (Some(52), Some(502)));
	let deposits = |tenant| {
		let info = pallet_content_fabric::Tenants::<Runtime>::get(tenant);
		info.map(|info| info.bond + info.deposit)
	};

	// The last rows are written in the block of the call.
	let (freed, took) = chain.block(|| {
		for number in 0..missing {
			let id = object(1_000_000 + number);
			assert_ok!(ContentFabric::create_content_object(signed(Charlie), TENANT, id));
		}
		assert_eq!(rows(TENANT), Some(ROWS));
		let freed = deposits(TENANT).expect("exists") + deposits(OTHER).expect("exists");
		let governor = || signed(Alice);
		for (tenant, slash) in [(TENANT, BOND / 4), (OTHER, 0)] {
			assert_ok!(ContentFabric::governance_delete_tenant(governor(), tenant, slash, 0));
		}
		assert_eq!(
			fabric_events()[missing as usize..],
			[
				Event::TenantSlashed { tenant: TENANT, amount: BOND / 4 },
				Event::TenantDeletionStarted { tenant: TENANT, rows: ROWS },
				Event::TenantDeletionStarted { tenant: OTHER, rows: 502 },
			]
		);
		freed
	});
	assert_fits(&took);
	let (bonds_left, _) = chain.block(|| held(Charlie));
	// What the missing rows took was held, and is free again with all the rest.
	assert!(bonds_left < before.0 && before.0 - bonds_left <= freed);

	let mut blocks = 0;
	let mut full = false;
	loop {
		blocks += 1;
		full = !full;
		let ((left, reaped), took) = chain.block(|| {
			assert_refused();
			let left = rows(TENANT);
			// Every other block is full: what is left is for nobody but those who pay.
			let reaped = if full { fill_block_and_reap() } else { 0 };
			(left, reaped)
		});
		assert_fits(&took);
		let (now, _) = chain.block(|| {
			// No weight to spare at all: nothing happens by itself.
			let max = BlockWeights::get().max_block;
			System::register_extra_weight_unchecked(max, DispatchClass::Mandatory);
			rows(TENANT)
		});
		let (Some(left), now) = (left, now.unwrap_or(0)) else { break };
		if full {
			assert_eq!(left - now, reaped, "a full block removes what is reaped, and nothing else");
			assert!(reaped > 1_000 || now == 0, "{reaped}");
		} else {
			assert!(now < left, "a block with weight to spare removes rows");
		}
		if now == 0 {
			break;
		}
	}
	// By the measured weight of a row, a quarter of each block, and some more by those who reap.
	println!("{ROWS} rows were removed in {blocks} blocks");
	assert!((2..100).contains(&blocks));

	// The other deletion, which waited in the queue, ends as well.
	for _ in 0..3 {
		chain.block(|| ());
	}
	chain.block(|| {
		assert_eq!(rows(OTHER), None);
		assert_eq!(rows(NEIGHBOUR), Some(52));
		assert_eq!(held(Charlie), deposits(NEIGHBOUR).expect("exists"));
		let children = ContentFabric::content_objects(NEIGHBOUR, None, 100).items;
		assert_eq!(children.len(), 10);
		// The ids can be used again.
		assert_ok!(ContentFabric::create_tenant(signed(Dave), SPACE, TENANT));
		assert_eq!(rows(TENANT), Some(0));
		assert!(ContentFabric::content_objects(TENANT, None, 100).items.is_empty());
	});
}

/// Fills the block but for an eighth, and reaps as much as fits. Returns the number of rows.
fn fill_block_and_reap() -> u32 {
	let max = BlockWeights::get().max_block;
	let fill = max - System::block_weight().total();
	System::register_extra_weight_unchecked(fill * 7 / 8, DispatchClass::Normal);
	let (base, step) = (Weights::reap(0), Weights::reap(1));
	let room = fill / 8 - base;
	let limit = (room.ref_time() / (step - base).ref_time()) as u32;
	let call = pallet_content_fabric::Call::reap { subject: Subject::Tenant(TENANT), limit };
	let before = rows(TENANT).expect("is being deleted");
	let post = RuntimeCall::ContentFabric(call).dispatch(signed(Dave)).expect("is being deleted");
	let removed = before - rows(TENANT).unwrap_or(0);
	assert_eq!(post.pays_fee, Pays::No);
	assert_eq!(post.actual_weight, Some(Weights::reap(removed)));
	System::register_extra_weight_unchecked(Weights::reap(removed), DispatchClass::Normal);
	removed
}

/// That nobody can do anything with a tenancy that is being deleted.
fn assert_refused() {
	if rows(TENANT).is_none() {
		return;
	}
	let (root, being_deleted) = (|| signed(Charlie), Error::<Runtime>::BeingDeleted);
	assert_noop!(ContentFabric::create_tenant(root(), SPACE, TENANT), being_deleted);
	assert_noop!(
		ContentFabric::create_content_object(root(), TENANT, object(2_000_000)),
		Error::<Runtime>::BeingDeleted
	);
	assert_noop!(ContentFabric::delete_tenant(root(), TENANT), Error::<Runtime>::BeingDeleted);
	assert_eq!(ContentFabric::tenant_level(TENANT, Charlie.to_account_id()), None);
	assert!(ContentFabric::content_objects(TENANT, None, 10).items.is_empty());
}

/// Chains whose proofs are limited get no more than they allow.
#[test]
fn the_size_of_proofs_limits_steps() {
	let mut chain = fabric();
	chain.block(|| {
		assert_ok!(ContentFabric::governance_delete_tenant(signed(Alice), TENANT, 0, 0));
	});
	let left =
		|chain: &mut Chain| chain.state.execute_with(|| rows(TENANT).expect("is being deleted"));
	for megabytes in [1, 2, 5] {
		let limit = Weight::from_parts(u64::MAX, megabytes << 20);
		let before = left(&mut chain);
		let (consumed, proof) = chain.state.execute_and_prove(|| {
			let consumed = <ContentFabric as frame_support::traits::Hooks<u32>>::on_idle(
				chain.number,
				limit.min(MaxIdleWeight::get()),
			);
			sp_io::storage::root(sp_runtime::StateVersion::V1);
			consumed
		});
		chain.state.commit_all().expect("no storage layer is open");
		let removed = before - left(&mut chain);
		assert!(removed > 100, "{removed}");
		assert!(consumed.proof_size() <= megabytes << 20);
		assert!(proof.encoded_size() as u64 <= consumed.proof_size());
		println!(
			"{removed} rows within {megabytes} MiB of weight, {} KiB of proof",
			proof.encoded_size() >> 10
		);
	}
}

/// That a block kept to its weight, in time and in the size of its proof.
fn assert_fits(took: &Took) {
	assert!(BlockWeights::get().max_block.all_gte(took.weight), "{:?}", took.weight);
	assert!(took.proof as u64 <= took.weight.proof_size(), "{} {:?}", took.proof, took.weight);
}

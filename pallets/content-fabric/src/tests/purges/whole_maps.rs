// SPDX-License-Identifier: Apache-2.0
//! Maps that a step clears whole. With the weights of a real machine that pays from hundreds of
//! thousands of rows on. Here it does from two on, because a scan of the block's changes is free.

use frame_support::assert_ok;
use sp_runtime::BuildStorage;

use super::{super::integrity::weights, Weight, Weights};
use crate::{
	identifiers::{ContentObjectId, KmsId, TenantId},
	mock::{
		bounded, keys_under, raw_key, OTHER_TENANT as NEIGHBOUR, SPACE, STRANGER, TENANT,
		TENANT_ROOT, THE_TENANT,
	},
	tests::integrity::adjustable::{
		Adjustable, Balances, ContentFabric, RuntimeGenesisConfig, RuntimeOrigin, System,
	},
	AdmissionPolicy, SpaceRules, Tenants, WeightInfo,
};

const OBJECTS: u8 = 3;
const KMSES: u8 = 5;
const ROWS: u32 = 8;

/// A state to which every block is committed.
struct Chain(sp_io::TestExternalities);

impl Chain {
	fn block(&mut self, body: impl FnOnce()) {
		self.0.execute_with(|| {
			System::set_block_number(System::block_number() + 1);
			body();
			ContentFabric::do_try_state().expect("the storage is sound");
		});
		self.0.commit_all().expect("no storage layer is open");
	}
}

/// Two tenants with rows in two maps, of which one is being deleted since the block before.
fn chain() -> Chain {
	weights::ScansWeigh::set(false);
	let balances = pallet_balances::GenesisConfig {
		balances: vec![(TENANT_ROOT, 1_000_000)],
		dev_accounts: None,
	};
	let genesis = RuntimeGenesisConfig { balances, ..Default::default() };
	let mut chain = Chain(genesis.build_storage().expect("the genesis is valid").into());
	chain.block(|| {
		let rules = SpaceRules {
			provider_bond: 0,
			tenant_bond: 0,
			admission: AdmissionPolicy::Open,
			partitions: 1,
			sla: Default::default(),
		};
		assert_ok!(ContentFabric::create_space(RuntimeOrigin::root(), SPACE, TENANT_ROOT, rules));
		let root = || RuntimeOrigin::signed(TENANT_ROOT);
		for tenant in [TENANT, NEIGHBOUR] {
			assert_ok!(ContentFabric::create_tenant(root(), SPACE, tenant, 1_000_000));
			for number in 0..OBJECTS {
				let object = ContentObjectId([number; 10]);
				assert_ok!(ContentFabric::create_content_object(root(), tenant, object));
			}
			for number in 0..KMSES {
				let (kms, locator) = (KmsId([number; 10]), bounded(*b"x"));
				assert_ok!(ContentFabric::add_kms(root(), tenant, kms, locator));
			}
		}
	});
	chain.block(|| {
		let created = Tenants::<Adjustable>::get(TENANT).expect("it exists").created;
		let (governance, reason) = (RuntimeOrigin::root(), Default::default());
		assert_ok!(ContentFabric::governance_delete(governance, THE_TENANT, created, 0, reason));
	});
	chain
}

/// Returns the numbers of objects and KMSes of a tenant that are in the state.
fn in_state(tenant: TenantId) -> [usize; 2] {
	["ContentObjects", "Kmses"].map(|map| keys_under(&raw_key(map, &[&tenant.0])))
}

/// Reaps, and checks what is left of the tenant, and that its neighbour is as it was.
fn reap(limit: u32, left: Option<[u8; 2]>) -> Weight {
	let origin = RuntimeOrigin::signed(STRANGER);
	let post = ContentFabric::reap(origin, THE_TENANT, limit).expect("it is being purged");
	let rows = left.map(|[objects, kmses]| u32::from(objects) + u32::from(kmses));
	assert_eq!(ContentFabric::rows(THE_TENANT), rows);
	assert_eq!(in_state(TENANT), left.unwrap_or_default().map(usize::from));
	assert_eq!(in_state(NEIGHBOUR), [OBJECTS, KMSES].map(usize::from));
	assert_eq!(ContentFabric::rows(NEIGHBOUR.into()), Some(ROWS));
	post.actual_weight.expect("a reap weighs what it removed")
}

/// Returns the weight of clearing this many rows with one map.
fn whole(rows: u32) -> Weight {
	let none = Weights::clear_prefix(0);
	none.set_proof_size(0) + (Weights::clear_prefix(rows) - none)
}

#[test]
fn a_step_clears_maps_whole_and_the_part_of_a_map_row_by_row() {
	// The objects are cleared before the KMSes.
	let mut chain = chain();
	chain.block(|| {
		let weight = reap(5, Some([0, KMSES - 2]));
		assert_eq!(weight, Weights::reap(2) + whole(OBJECTS.into()));
	});
	// In a later block the rest of a map is a whole map again.
	chain.block(|| {
		assert_eq!(reap(100, None), Weights::reap(0) + whole(3));
		assert_eq!(Balances::free_balance(TENANT_ROOT), {
			let info = ContentFabric::bond(NEIGHBOUR.into()).expect("it exists");
			1_000_000 - info.deposit
		});
	});
}

#[test]
fn a_map_with_rows_removed_in_the_same_block_is_not_cleared_whole() {
	let mut chain = chain();
	chain.block(|| {
		reap(5, Some([0, KMSES - 2]));
		assert_eq!(reap(100, None), Weights::reap(3));
	});
}

#[test]
fn a_limit_of_less_than_the_first_map_removes_just_as_many_rows() {
	let mut chain = chain();
	chain.block(|| assert_eq!(reap(2, Some([1, KMSES])), Weights::reap(2)));
	// One row is removed as cheaply by its key.
	chain.block(|| assert_eq!(reap(1, Some([0, KMSES])), Weights::reap(1)));
	chain.block(|| assert_eq!(reap(5, None), Weights::reap(0) + whole(5)));
}

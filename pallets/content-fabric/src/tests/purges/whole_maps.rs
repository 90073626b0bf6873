// SPDX-License-Identifier: Apache-2.0
//! Maps that a step clears whole. With the weights of a real machine that pays from hundreds of
//! thousands of rows on. Here it does from two on, because a scan of the block's changes is free.

use frame_support::assert_ok;

use super::{Weight, Weights};
use crate::{
	identifiers::{ContentObjectId, KmsId, TenantId},
	mock::{weights::ScansWeigh, OTHER_TENANT as NEIGHBOUR, *},
	Call, WeightInfo,
};

const OBJECTS: u8 = 3;
const KMSES: u8 = 5;
const ROWS: u32 = 8;

/// Two tenants with rows in two maps. The deletion of one of them began in the block before.
fn chain() -> Chain {
	ScansWeigh::set(false);
	let mut chain = Chain::empty();
	chain.block(|| {
		assert_ok!(create_space(SPACE, GOVERNOR, rules()));
		for tenant in [TENANT, NEIGHBOUR] {
			make(TENANT_ROOT, create(tenant.into(), MAX_HELD));
			for object in (0..OBJECTS).map(|number| ContentObjectId([number; 10])) {
				make(TENANT_ROOT, Call::create_content_object { tenant, object });
			}
			for kms in (0..KMSES).map(|number| KmsId([number; 10])) {
				assert_ok!(add_kms(tenant, kms));
			}
		}
	});
	chain.block(|| assert_eq!(governance_delete(THE_TENANT), Ok(())));
	chain
}

/// Returns the numbers of objects and KMSes of a tenant that are in the state.
fn in_state(tenant: TenantId) -> [usize; 2] {
	["ContentObjects", "Kmses"].map(|map| keys_under(&raw_key(map, &[&tenant.0])))
}

/// Reaps, and checks what is left of the tenant, and that its neighbour is as it was.
fn reap(limit: u32, left: Option<[u8; 2]>) -> Weight {
	let post = crate::mock::reap(THE_TENANT, limit).expect("it is being purged");
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
		let neighbour = ContentFabric::bond(NEIGHBOUR.into()).expect("it exists");
		assert_eq!(funds(TENANT_ROOT).1, neighbour.bond + neighbour.deposit);
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

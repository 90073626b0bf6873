//! Deletion of a whole provider or tenancy in one call.

use frame_support::{assert_noop, assert_ok, dispatch::GetDispatchInfo};

use crate::{
	identifiers::{ContentObjectId, NodeId, ProviderId, TenantId, VersionId},
	mock::*,
	Call, Error, Event, Providers, Spaces, Subject, Tenants, VersionCommitMessage, WeightInfo,
};

const MAPS_OF_A_TENANT: [&str; 3] = ["Kmses", "ContentObjects", "Versions"];

/// Gives a new tenant a KMS and `objects` objects with `versions` versions each.
fn fill_tenant(tenant: TenantId, objects: u8, versions: u8) {
	let root = || signed(TENANT_ROOT);
	assert_ok!(ContentFabric::create_tenant(root(), SPACE, tenant));
	assert_ok!(ContentFabric::add_kms(root(), tenant, KMS, locator("x")));
	for object in 0..objects {
		let object = ContentObjectId([object; 10]);
		assert_ok!(ContentFabric::create_content_object(root(), tenant, object));
		for version in 0..versions {
			let version = VersionId([version; 32]);
			let message = VersionCommitMessage { tenant, object, ..message(version) };
			assert_ok!(ContentFabric::commit_version(root(), message));
		}
	}
}

/// Keys under the tenant in each of its maps.
fn tenant_keys(tenant: TenantId) -> [usize; 3] {
	MAPS_OF_A_TENANT.map(|map| keys_under(&raw_key(map, &[&tenant.0])))
}

fn rows(tenant: TenantId) -> u32 {
	ContentFabric::rows(Subject::Tenant(tenant)).expect("the tenant exists")
}

#[test]
fn one_call_deletes_a_tenancy_and_nothing_beside_it() {
	// The ids differ in the last byte, or are the extremes.
	let mut neighbour = TENANT;
	neighbour.0[9] ^= 1;
	for (deleted, kept) in [
		(TenantId([0; 10]), TenantId([0xff; 10])),
		(TenantId([0xff; 10]), TenantId([0; 10])),
		(TENANT, neighbour),
		(neighbour, TENANT),
	] {
		let mut chain = Chain::empty();
		chain.block(|| {
			assert_ok!(ContentFabric::create_space(RuntimeOrigin::root(), SPACE, GOVERNOR));
			let root = || signed(PROVIDER_ROOT);
			assert_ok!(ContentFabric::create_provider(root(), SPACE, PROVIDER));
			assert_ok!(ContentFabric::create_node(
				root(),
				PROVIDER,
				NODE,
				PROVIDER_ROOT,
				locator("x")
			));
			assert_ok!(ContentFabric::confirm_node(root(), PROVIDER, NODE));
			fill_tenant(deleted, 3, 4);
			fill_tenant(kept, 2, 5);
		});
		chain.block(|| {
			assert_eq!((tenant_keys(deleted), rows(deleted)), ([1, 3, 12], 16));
			assert_ok!(ContentFabric::governance_delete_tenant(signed(GOVERNOR), deleted, 16));
			assert_eq!(events(), [Event::TenantDeleted { tenant: deleted, rows: 16 }]);
			assert_eq!(tenant_keys(deleted), [0, 0, 0]);
			assert_eq!(Tenants::<Test>::get(deleted), None);
			assert_eq!((tenant_keys(kept), rows(kept)), ([1, 2, 10], 13));
			assert_eq!(Spaces::<Test>::get(SPACE).map(|space| space.tenant_count), Some(1));
		});
		// Gone from the backend too, and the id is free.
		chain.block(|| {
			assert_eq!(tenant_keys(deleted), [0, 0, 0]);
			fill_tenant(deleted, 1, 1);
			assert_eq!(rows(deleted), 3);
		});
	}
}

#[test]
fn one_call_deletes_a_provider_and_nothing_beside_it() {
	let mut neighbour = PROVIDER;
	neighbour.0[9] ^= 1;
	let nodes = |provider: ProviderId| keys_under(&raw_key("Nodes", &[&provider.0]));
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		let root = || signed(PROVIDER_ROOT);
		assert_ok!(ContentFabric::create_provider(root(), SPACE, neighbour));
		assert_ok!(ContentFabric::create_node(
			root(),
			neighbour,
			NODE,
			PROVIDER_ROOT,
			locator("x")
		));
	});
	chain.block(|| {
		assert_eq!((nodes(PROVIDER), nodes(neighbour)), (2, 1));
		assert_ok!(ContentFabric::governance_delete_provider(signed(GOVERNOR), PROVIDER, 2));
		assert_eq!(events(), [Event::ProviderDeleted { provider: PROVIDER, rows: 2 }]);
		assert_eq!((nodes(PROVIDER), nodes(neighbour)), (0, 1));
		assert_eq!(Providers::<Test>::get(PROVIDER), None);
	});
	chain.block(|| {
		assert_ok!(ContentFabric::create_provider(signed(STRANGER), SPACE, PROVIDER));
		assert_eq!(ContentFabric::rows(Subject::Provider(PROVIDER)), Some(0));
	});
}

#[test]
fn over_the_limit_nothing_changes() {
	Chain::small_fabric().block(|| {
		for max_rows in [0, 1, TENANT_ROWS - 1] {
			let delete =
				|| ContentFabric::governance_delete_tenant(signed(GOVERNOR), TENANT, max_rows);
			let failed = delete().expect_err("there are more rows");
			// No row was touched, so none is paid for.
			assert_eq!(
				failed.post_info.actual_weight,
				Some(<() as WeightInfo>::governance_delete_tenant(0))
			);
			assert_noop!(delete().map_err(|error| error.error), Error::<Test>::TooManyRows);
		}
		assert_noop!(
			ContentFabric::governance_delete_provider(signed(GOVERNOR), PROVIDER, 1)
				.map_err(|error| error.error),
			Error::<Test>::TooManyRows
		);
		assert_ok!(ContentFabric::governance_delete_tenant(signed(GOVERNOR), TENANT, TENANT_ROWS));
	});
}

#[test]
fn rows_of_the_same_block_and_of_earlier_ones_all_go() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		// Some rows of the backend are removed by hand first, and new ones are written.
		let root = || signed(TENANT_ROOT);
		assert_ok!(ContentFabric::delete_version(root(), TENANT, OBJECT, DRAFT));
		let (object, node) = (ContentObjectId([7; 10]), NodeId([7; 10]));
		assert_ok!(ContentFabric::create_content_object(root(), TENANT, object));
		assert_ok!(ContentFabric::create_node(
			signed(PROVIDER_ROOT),
			PROVIDER,
			node,
			PROVIDER_ROOT,
			locator("x")
		));
		assert_ok!(ContentFabric::remove_node(signed(PROVIDER_ROOT), PROVIDER, NODE));
		assert_ok!(ContentFabric::governance_delete_tenant(signed(GOVERNOR), TENANT, TENANT_ROWS));
		assert_ok!(ContentFabric::governance_delete_provider(
			signed(GOVERNOR),
			PROVIDER,
			PROVIDER_ROWS
		));
	});
	chain.block(|| {
		assert_eq!(tenant_keys(TENANT), [0, 0, 0]);
		assert_eq!(keys_under(&raw_key("Nodes", &[])), 0);
	});
}

#[test]
fn a_frozen_member_can_be_deleted_whole() {
	Chain::small_fabric().block(|| {
		let subject = Subject::Tenant(TENANT);
		assert_ok!(ContentFabric::set_governance_delete(signed(GOVERNOR), subject, true));
		assert_ok!(ContentFabric::governance_delete_tenant(signed(GOVERNOR), TENANT, TENANT_ROWS));
		assert_ok!(ContentFabric::create_tenant(signed(STRANGER), SPACE, TENANT));
		// The flag went with the tenant that had it.
		assert_ok!(ContentFabric::add_kms(signed(STRANGER), TENANT, KMS, locator("x")));
	});
}

#[test]
fn unknown_subjects_are_named() {
	Chain::small_fabric().block(|| {
		assert_noop!(
			ContentFabric::governance_delete_tenant(RuntimeOrigin::root(), TenantId([7; 10]), 9)
				.map_err(|error| error.error),
			Error::<Test>::TenantNotFound
		);
		assert_noop!(
			ContentFabric::governance_delete_provider(
				RuntimeOrigin::root(),
				ProviderId([7; 10]),
				9
			)
			.map_err(|error| error.error),
			Error::<Test>::ProviderNotFound
		);
	});
}

#[test]
fn weight_is_linear_in_rows_and_refunded_to_the_rows_there_were() {
	let declared = |max_rows| {
		let call = Call::<Test>::governance_delete_tenant { tenant: TENANT, max_rows };
		call.get_dispatch_info().call_weight
	};
	let row = declared(1) - declared(0);
	assert!(row.all_gt(frame_support::weights::Weight::zero()));
	for rows in [2, 10, 1_000, 1_000_000] {
		assert_eq!(declared(rows), declared(0) + row * u64::from(rows));
	}
	Chain::small_fabric().block(|| {
		let deleted = ContentFabric::governance_delete_tenant(signed(GOVERNOR), TENANT, 1_000)
			.expect("there are fewer rows");
		assert_eq!(deleted.actual_weight, Some(declared(TENANT_ROWS)));
		let deleted = ContentFabric::governance_delete_provider(signed(GOVERNOR), PROVIDER, 1_000)
			.expect("there are fewer rows");
		assert_eq!(
			deleted.actual_weight,
			Some(<() as WeightInfo>::governance_delete_provider(PROVIDER_ROWS))
		);
	});
}

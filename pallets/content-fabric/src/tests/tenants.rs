//! Tenants and KMSes.

use frame_support::{assert_noop, assert_ok};

use crate::{
	identifiers::{KmsId, SpaceId, TenantId},
	mock::*,
	Error, Event, KmsInfo, Kmses, Spaces, Subject, Tenants,
};

const OTHER: TenantId = TenantId([7; 10]);

#[test]
fn the_creator_of_a_tenant_becomes_its_root() {
	Chain::small_fabric().block(|| {
		assert_ok!(ContentFabric::create_tenant(signed(STRANGER), SPACE, OTHER));
		let info = Tenants::<Test>::get(OTHER).expect("just created");
		assert_eq!((info.space, info.root, info.rows), (SPACE, STRANGER, 0));
		assert_eq!(Spaces::<Test>::get(SPACE).map(|space| space.tenant_count), Some(2));
		assert_eq!(
			events(),
			[Event::TenantCreated { tenant: OTHER, space: SPACE, root: STRANGER }]
		);
	});
}

#[test]
fn a_tenant_needs_a_space_and_a_free_id() {
	Chain::small_fabric().block(|| {
		assert_noop!(
			ContentFabric::create_tenant(signed(STRANGER), SpaceId([0; 10]), OTHER),
			Error::<Test>::SpaceNotFound
		);
		assert_noop!(
			ContentFabric::create_tenant(signed(STRANGER), SPACE, TENANT),
			Error::<Test>::TenantAlreadyExists
		);
		// Ids of providers and of tenants do not meet.
		assert_ok!(ContentFabric::create_tenant(signed(STRANGER), SPACE, TenantId(PROVIDER.0)));
	});
}

#[test]
fn a_kms_is_added_moved_and_removed() {
	Chain::small_fabric().block(|| {
		let (root, kms) = (|| signed(TENANT_ROOT), KmsId([7; 10]));
		assert_ok!(ContentFabric::add_kms(root(), TENANT, kms, locator("https://a")));
		assert_noop!(
			ContentFabric::add_kms(root(), TENANT, kms, locator("https://b")),
			Error::<Test>::KmsAlreadyExists
		);
		assert_ok!(ContentFabric::set_kms_locator(root(), TENANT, kms, locator("https://b")));
		assert_eq!(
			Kmses::<Test>::get(TENANT, kms),
			// The base, 84 bytes of key and 18 of value.
			Some(KmsInfo { locator: locator("https://b"), deposit: 100 + 84 + 18 })
		);
		assert_eq!(ContentFabric::rows(Subject::Tenant(TENANT)), Some(TENANT_ROWS + 1));
		assert_ok!(ContentFabric::remove_kms(root(), TENANT, kms));
		assert_eq!(ContentFabric::rows(Subject::Tenant(TENANT)), Some(TENANT_ROWS));
		assert_eq!(
			events(),
			[
				Event::KmsAdded { tenant: TENANT, kms },
				Event::KmsLocatorSet { tenant: TENANT, kms },
				Event::KmsRemoved { tenant: TENANT, kms },
			]
		);
		assert_noop!(ContentFabric::remove_kms(root(), TENANT, kms), Error::<Test>::KmsNotFound);
		assert_noop!(
			ContentFabric::set_kms_locator(root(), TENANT, kms, locator("x")),
			Error::<Test>::KmsNotFound
		);
	});
}

#[test]
fn the_root_deletes_an_empty_tenant() {
	Chain::small_fabric().block(|| {
		let root = || signed(TENANT_ROOT);
		assert_noop!(ContentFabric::delete_tenant(root(), TENANT), Error::<Test>::TenantNotEmpty);
		assert_ok!(ContentFabric::set_head_version(root(), TENANT, OBJECT, None));
		for version in [HEAD, DRAFT, FINALIZED] {
			assert_ok!(ContentFabric::delete_version(root(), TENANT, OBJECT, version));
		}
		for object in [OBJECT, EMPTY_OBJECT] {
			assert_ok!(ContentFabric::delete_content_object(root(), TENANT, object));
		}
		let collection = || name(COLLECTION);
		assert_ok!(ContentFabric::delete_record(root(), TENANT, collection(), key(RECORD)));
		for collection in [collection(), name(EMPTY_COLLECTION)] {
			assert_ok!(ContentFabric::delete_collection(root(), TENANT, collection));
		}
		assert_noop!(ContentFabric::delete_tenant(root(), TENANT), Error::<Test>::TenantNotEmpty);
		assert_ok!(ContentFabric::remove_kms(root(), TENANT, KMS));
		assert_ok!(ContentFabric::delete_tenant(root(), TENANT));
		assert_eq!(events().last(), Some(&Event::TenantDeleted { tenant: TENANT, rows: 0 }));
		assert_eq!(Spaces::<Test>::get(SPACE).map(|space| space.tenant_count), Some(0));
	});
}

// SPDX-License-Identifier: Apache-2.0
//! Answers about members whose rows are being removed: these rows no longer count.

use super::*;
use crate::{Nodes, ProviderKeys, Providers, PurgeScope, Records, TenantKeys, Tenants, Versions};

/// Checks that the rows of both members exist, and that none of them is read.
fn assert_no_row_is_read() {
	assert!(Nodes::<Test>::contains_key(PROVIDER, NODE));
	assert!(ProviderKeys::<Test>::contains_key(PROVIDER, PROVIDER_ADMIN));
	assert!(TenantKeys::<Test>::contains_key(TENANT, TENANT_ADMIN));
	assert!(Versions::<Test>::contains_key((TENANT, OBJECT, HEAD)));
	assert!(Records::<Test>::contains_key((TENANT, name(COLLECTION), key(RECORD))));
	assert_provider_lists_nothing(PROVIDER, None);
	assert_tenant_lists_nothing(TENANT, None);
	assert_eq!(ContentFabric::head_version(TENANT, OBJECT), None);
	let resolution = ContentFabric::resolve(TENANT, name(COLLECTION).into(), key(RECORD).into());
	assert_eq!(resolution, None);
	assert_eq!(ContentFabric::provider_level(PROVIDER, PROVIDER_ADMIN), None);
	for account in [TENANT_ADMIN, KMS_ACCOUNT, EDITOR] {
		assert_eq!(ContentFabric::tenant_level(TENANT, account), None);
	}
	// Except that they are counted.
	assert_eq!(ContentFabric::rows(THE_PROVIDER), Some(PROVIDER_ROWS + 1));
	assert_eq!(ContentFabric::rows(THE_TENANT), Some(TENANT_ROWS + 3));
}

/// Checks that the space lists both members, with what is being removed of them.
fn assert_members_are_listed(purge: Option<PurgeScope>) {
	let providers = ContentFabric::providers(SPACE, None, 10).items;
	let scopes: Vec<_> = providers.into_iter().map(|(id, info)| (id, info.purge)).collect();
	assert_eq!(scopes, [(PROVIDER, purge)]);
	let tenants = ContentFabric::tenants(SPACE, None, 10).items;
	let scopes: Vec<_> = tenants.into_iter().map(|(id, info)| (id, info.purge)).collect();
	assert_eq!(scopes, [(TENANT, purge)]);
}

#[test]
fn nothing_is_read_under_a_member_that_governance_has_deleted() {
	let mut chain = Chain::fabric_with_keys();
	let assert_deleted = || {
		assert_no_row_is_read();
		assert_eq!(ContentFabric::provider_level(PROVIDER, PROVIDER_ROOT), None);
		assert_eq!(ContentFabric::tenant_level(TENANT, TENANT_ROOT), None);
		assert_eq!(ContentFabric::bond(THE_PROVIDER), None);
		assert_eq!(ContentFabric::bond(THE_TENANT), None);
		assert_members_are_listed(Some(PurgeScope::Member));
	};
	chain.block(|| {
		for member in [THE_PROVIDER, THE_TENANT] {
			assert_ok!(governance_delete(member));
		}
		assert_deleted();
	});
	chain.block(assert_deleted);
	// Nor of what a step has left.
	chain.block(|| {
		assert_ok!(ContentFabric::reap(signed(STRANGER), THE_TENANT, 4));
		assert_tenant_lists_nothing(TENANT, None);
		assert_eq!(ContentFabric::rows(THE_TENANT), Some(TENANT_ROWS - 1));
	});
	chain.idle();
	chain.block(|| {
		assert!(ContentFabric::providers(SPACE, None, 10).items.is_empty());
		assert!(ContentFabric::tenants(SPACE, None, 10).items.is_empty());
		assert_eq!(ContentFabric::rows(THE_TENANT), None);
	});
}

#[test]
fn nothing_is_read_under_a_member_that_its_root_has_purged() {
	let mut chain = Chain::fabric_with_keys();
	let deposits = || {
		let provider = Providers::<Test>::get(PROVIDER).expect("exists");
		let tenant = Tenants::<Test>::get(TENANT).expect("exists");
		[(provider.own_deposit, provider.deposit), (tenant.own_deposit, tenant.deposit)]
	};
	let [(provider, provider_rows), (tenant, tenant_rows)] = chain.block(deposits);
	let with_rows = [provider + provider_rows, tenant + tenant_rows];
	// The member itself stays, with its root, its bond, and the deposit for its own row.
	let assert_member_stays = |deposits: [u64; 2]| {
		let level = ContentFabric::provider_level(PROVIDER, PROVIDER_ROOT);
		assert_eq!(level, Some(ProviderLevel::Root));
		let level = ContentFabric::tenant_level(TENANT, TENANT_ROOT);
		assert_eq!(level, Some(TenantLevel::Root));
		let provider = ContentFabric::bond(THE_PROVIDER).expect("exists");
		assert_eq!((provider.bond, provider.deposit), (PROVIDER_BOND, deposits[0]));
		let tenant = ContentFabric::bond(THE_TENANT).expect("exists");
		assert_eq!((tenant.bond, tenant.deposit), (TENANT_BOND, deposits[1]));
	};
	chain.block(|| {
		for (root, member) in [(PROVIDER_ROOT, THE_PROVIDER), (TENANT_ROOT, THE_TENANT)] {
			assert_ok!(ContentFabric::purge_member(signed(root), member));
		}
		assert_no_row_is_read();
		assert_member_stays(with_rows);
	});
	chain.block(|| {
		assert_no_row_is_read();
		assert_member_stays(with_rows);
		assert_members_are_listed(Some(PurgeScope::Rows));
	});
	chain.idle();
	chain.block(|| {
		assert_member_stays([provider, tenant]);
		assert_members_are_listed(None);
		// It is the same incarnation, which its pages carry again.
		assert_provider_lists_nothing(PROVIDER, Some(created(THE_PROVIDER)));
		assert_tenant_lists_nothing(TENANT, Some(created(THE_TENANT)));
		assert_eq!(ContentFabric::rows(THE_PROVIDER), Some(0));
		assert_eq!(ContentFabric::rows(THE_TENANT), Some(0));
		// The keys that were purged do not return.
		assert_eq!(ContentFabric::provider_level(PROVIDER, PROVIDER_ADMIN), None);
		assert_eq!(ContentFabric::tenant_level(TENANT, EDITOR), None);
	});
}

#[test]
fn a_member_can_be_read_again_after_its_purge() {
	let mut chain = Chain::small_fabric();
	let incarnation = chain.block(|| created(THE_TENANT));
	chain.block(|| {
		assert_ok!(ContentFabric::purge_member(signed(TENANT_ROOT), THE_TENANT));
	});
	chain.idle();
	chain.block(|| {
		let root = signed(TENANT_ROOT);
		assert_ok!(ContentFabric::create_content_object(root, TENANT, OBJECT));
		let page = ContentFabric::content_objects(TENANT, None, 10);
		assert_eq!(page.created, Some(incarnation));
		let listed: Vec<_> = page.items.into_iter().map(|(object, _)| object).collect();
		assert_eq!(listed, [OBJECT]);
	});
}

#[test]
fn only_the_purged_member_is_hidden() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		assert_ok!(governance_delete(THE_PROVIDER));
	});
	chain.block(|| {
		// The tenant's versions outlive the provider that took them in.
		assert_eq!(head(), Some(HEAD));
		assert_eq!(ContentFabric::versions(TENANT, OBJECT, None, 10).items.len(), 3);
	});
	chain.block(|| {
		assert_ok!(ContentFabric::purge_member(signed(TENANT_ROOT), THE_TENANT));
		assert_eq!(head(), None);
	});
}

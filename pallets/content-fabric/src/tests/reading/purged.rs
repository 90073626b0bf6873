// SPDX-License-Identifier: Apache-2.0
//! Answers about members whose rows are being removed: these rows no longer count.

use super::*;
use crate::{
	tests::bonds::assert_holds_are_those_of, Nodes, ProviderKeys, Records, TenantKeys, Versions,
};

/// Checks that the rows of both members exist, and that none of them is read.
fn assert_no_row_is_read() {
	assert!(Nodes::<Test>::contains_key(PROVIDER, NODE));
	assert!(ProviderKeys::<Test>::contains_key(PROVIDER, PROVIDER_ADMIN));
	assert!(TenantKeys::<Test>::contains_key(TENANT, TENANT_ADMIN));
	assert!(Versions::<Test>::contains_key((TENANT, OBJECT, HEAD)));
	assert!(Records::<Test>::contains_key((TENANT, name(COLLECTION), key(RECORD))));
	assert_eq!(ContentFabric::head_version(TENANT, OBJECT), None);
	assert_eq!(resolve(RECORD), None);
	assert_eq!(ContentFabric::provider_level(PROVIDER, PROVIDER_ADMIN), None);
	for account in [TENANT_ADMIN, KMS_ACCOUNT, EDITOR, READER] {
		assert_eq!(ContentFabric::tenant_level(TENANT, account), None);
	}
	// Except that they are counted.
	assert_eq!(ContentFabric::rows(THE_PROVIDER), Some(PROVIDER_ROWS + 1));
	assert_eq!(ContentFabric::rows(THE_TENANT), Some(TENANT_ROWS + 4));
}

#[test]
fn nothing_is_read_under_a_member_that_governance_has_deleted() {
	let mut chain = Chain::fabric_with_keys();
	let assert_deleted = || {
		assert_no_row_is_read();
		assert_eq!(ContentFabric::provider_level(PROVIDER, PROVIDER_ROOT), None);
		assert_eq!(ContentFabric::tenant_level(TENANT, TENANT_ROOT), None);
		assert_eq!(THE_MEMBERS.map(ContentFabric::bond), [None, None]);
	};
	chain.block(|| {
		for member in THE_MEMBERS {
			assert_ok!(governance_delete(member));
		}
		assert_deleted();
	});
	chain.block(assert_deleted);
	// Nor of what a step has left.
	chain.block(|| {
		assert_ok!(reap(THE_TENANT, 5));
		assert_eq!(ContentFabric::rows(THE_TENANT), Some(TENANT_ROWS - 1));
	});
	chain.idle();
	chain.block(|| {
		assert_eq!(ContentFabric::rows(THE_TENANT), None);
	});
}

#[test]
fn nothing_is_read_under_a_member_that_its_root_has_purged() {
	let mut chain = Chain::fabric_with_keys();
	// The member itself stays, with its root and its funds on hold.
	let assert_member_stays = || {
		let level = ContentFabric::provider_level(PROVIDER, PROVIDER_ROOT);
		assert_eq!(level, Some(ProviderLevel::Root));
		let level = ContentFabric::tenant_level(TENANT, TENANT_ROOT);
		assert_eq!(level, Some(TenantLevel::Root));
		for member in THE_MEMBERS {
			assert_holds_are_those_of(root_of(member), &[member]);
		}
	};
	chain.block(|| {
		for member in THE_MEMBERS {
			assert_ok!(purge_member(member));
		}
		assert_no_row_is_read();
		assert_member_stays();
	});
	chain.block(|| {
		assert_no_row_is_read();
		assert_member_stays();
	});
	chain.idle();
	chain.block(|| {
		assert_member_stays();
		assert_eq!(THE_MEMBERS.map(ContentFabric::rows), [Some(0); 2]);
		// The keys that were purged do not return.
		assert_eq!(ContentFabric::provider_level(PROVIDER, PROVIDER_ADMIN), None);
		assert_eq!(ContentFabric::tenant_level(TENANT, EDITOR), None);
	});
}

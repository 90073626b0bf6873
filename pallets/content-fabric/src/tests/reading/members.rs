// SPDX-License-Identifier: Apache-2.0
//! Answers about a single member or object: rows, funds, levels, heads, the progress of purges.

use super::*;
use crate::{MemberId, PurgeProgress};

fn remove_rows(member: MemberId, limit: u32) {
	assert!(reap(member, limit).is_ok());
}

fn progress(rows: u32, rows_left: u32, places_before: u64) -> Option<PurgeProgress> {
	Some(PurgeProgress { rows, rows_left, places_before })
}

#[test]
fn nothing_is_read_of_an_unknown_member() {
	Chain::small_fabric().block(|| {
		for unknown in [
			UNKNOWN_PROVIDER.into(),
			UNKNOWN_TENANT.into(),
			// The ids of members of the other kind.
			ProviderId(TENANT.0).into(),
			TenantId(PROVIDER.0).into(),
		] {
			assert_eq!(ContentFabric::rows(unknown), None);
			assert_eq!(ContentFabric::bond(unknown), None);
			assert_eq!(ContentFabric::purge_progress(unknown), None);
		}
		assert_eq!(ContentFabric::provider_level(UNKNOWN_PROVIDER, PROVIDER_ROOT), None);
		assert_eq!(ContentFabric::tenant_level(UNKNOWN_TENANT, TENANT_ROOT), None);
		for (tenant, object) in
			[(UNKNOWN_TENANT, OBJECT), (TENANT, UNKNOWN_OBJECT), (TENANT, EMPTY_OBJECT)]
		{
			assert_eq!(ContentFabric::head_version(tenant, object), None);
		}
	});
}

#[test]
fn levels_are_those_of_the_root_and_of_access_keys() {
	let mut chain = Chain::fabric_with_keys();
	let assert_levels = || {
		for (account, level) in [
			(PROVIDER_ROOT, Some(ProviderLevel::Root)),
			(PROVIDER_ADMIN, Some(ProviderLevel::Admin)),
			// An operator acts for its node without a level.
			(OPERATOR, None),
			(TENANT_ROOT, None),
			(GOVERNOR, None),
		] {
			assert_eq!(ContentFabric::provider_level(PROVIDER, account), level, "{account}");
		}
		for (account, level) in [
			(TENANT_ROOT, Some(TenantLevel::Root)),
			(TENANT_ADMIN, Some(TenantLevel::Admin)),
			(KMS_ACCOUNT, Some(TenantLevel::Kms)),
			(EDITOR, Some(TenantLevel::Content)),
			(READER, Some(TenantLevel::Read)),
			(KMS_OPERATOR, None),
			(PROVIDER_ROOT, None),
			(STRANGER, None),
		] {
			assert_eq!(ContentFabric::tenant_level(TENANT, account), level, "{account}");
		}
	};
	chain.block(assert_levels);
	chain.block(|| {
		for member in THE_MEMBERS {
			assert_ok!(freeze(member, true));
			assert_ok!(suspend(member, true));
		}
		assert_levels();
	});
}

#[test]
fn purges_have_their_progress() {
	let mut chain = Chain::small_fabric();
	// Each has one row.
	let tenants: Vec<_> = (100..105).map(|id| TenantId([id; 10])).collect();
	chain.block(|| {
		for tenant in &tenants {
			make(TENANT_ROOT, create((*tenant).into(), MAX_HELD));
			assert_ok!(add_kms(*tenant, KMS));
		}
	});
	chain.block(|| {
		assert_eq!(ContentFabric::purge_progress(THE_TENANT), None);
		// Purges by roots and by governance share a queue.
		assert_ok!(purge_member(THE_PROVIDER));
		assert_ok!(governance_delete(THE_TENANT));
		for tenant in &tenants {
			assert_ok!(governance_delete((*tenant).into()));
		}
	});
	chain.block(|| {
		for (member, rows, place) in
			[(THE_PROVIDER, PROVIDER_ROWS, 0), (THE_TENANT, TENANT_ROWS, 1)]
		{
			assert_eq!(ContentFabric::purge_progress(member), progress(rows, rows, place));
		}
		for (tenant, place) in tenants.into_iter().zip(2..) {
			assert_eq!(ContentFabric::purge_progress(tenant.into()), progress(1, 1, place));
		}

		remove_rows(THE_TENANT, 2);
		let two_less = progress(TENANT_ROWS, TENANT_ROWS - 2, 1);
		assert_eq!(ContentFabric::purge_progress(THE_TENANT), two_less);
		remove_rows(THE_TENANT, 100);
		assert_eq!(ContentFabric::purge_progress(THE_TENANT), None);
	});
	chain.idle();
	chain.block(|| {
		assert_eq!(ContentFabric::purge_progress(THE_PROVIDER), None);
		assert_eq!(ContentFabric::rows(THE_PROVIDER), Some(0));
	});
}

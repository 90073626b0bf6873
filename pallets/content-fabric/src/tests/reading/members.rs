// SPDX-License-Identifier: Apache-2.0
//! Answers about a single member or object: rows, funds, levels, heads, the progress of purges.

use super::*;
use crate::{
	tests::bonds::usual_bond, BondInfo, Call, MemberId, Providers, PurgeProgress, Purges, Tenants,
	Versions,
};

fn bond(member: MemberId) -> BondInfo<AccountId, Balance> {
	ContentFabric::bond(member).expect("the member exists")
}

fn remove_rows(member: MemberId, limit: u32) {
	assert!(reap(member, limit).is_ok());
}

fn progress(rows: u32, rows_left: u32, places_before: u64) -> Option<PurgeProgress> {
	Some(PurgeProgress { rows, rows_left, places_before })
}

#[test]
fn rows_are_counted_until_the_member_is_gone() {
	let mut chain = Chain::fabric_with_keys();
	chain.block(|| {
		assert_eq!(ContentFabric::rows(THE_PROVIDER), Some(PROVIDER_ROWS + 1));
		assert_eq!(ContentFabric::rows(THE_TENANT), Some(TENANT_ROWS + 3));
		assert_ok!(put(&[("new", whole_object())]));
		assert_eq!(ContentFabric::rows(THE_TENANT), Some(TENANT_ROWS + 4));
		assert_ok!(governance_delete(THE_TENANT));
		assert_eq!(ContentFabric::rows(THE_TENANT), Some(TENANT_ROWS + 4));
	});
	chain.block(|| {
		remove_rows(THE_TENANT, 5);
		assert_eq!(ContentFabric::rows(THE_TENANT), Some(TENANT_ROWS - 1));
		remove_rows(THE_TENANT, 100);
		assert_eq!(ContentFabric::rows(THE_TENANT), None);
		assert_eq!(ContentFabric::rows(THE_PROVIDER), Some(PROVIDER_ROWS + 1));
	});
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
		assert_eq!(ContentFabric::head_version(UNKNOWN_TENANT, OBJECT), None);
	});
}

#[test]
fn the_bond_shows_all_that_is_on_hold() {
	Chain::small_fabric().block(|| {
		let provider = Providers::<Test>::get(PROVIDER).expect("the provider exists");
		let tenant = Tenants::<Test>::get(TENANT).expect("the tenant exists");
		for (member, own, of_rows) in [
			(THE_PROVIDER, provider.own_deposit, provider.deposit),
			(THE_TENANT, tenant.own_deposit, tenant.deposit),
		] {
			assert!(own > 0 && of_rows > 0);
			let (root, bond, max_held) = (root_of(member), usual_bond(member), MAX_HELD);
			let info = BondInfo { root, bond, required: bond, deposit: own + of_rows, max_held };
			assert_eq!(ContentFabric::bond(member), Some(info));
			assert_eq!(funds(root).1, bond + own + of_rows);
		}
	});
}

#[test]
fn the_bond_follows_rules_payments_and_roots() {
	let mut chain = Chain::small_fabric();
	let before = chain.block(|| bond(THE_TENANT));
	chain.block(|| {
		// What is required follows the rules of the space; what is on hold does not.
		let rules = SpaceRules { provider_bond: 7, tenant_bond: TENANT_BOND + 8, ..rules() };
		assert_ok!(ContentFabric::set_space_rules(signed(GOVERNOR), SPACE, rules));
		let expected = BondInfo { required: TENANT_BOND + 8, ..before };
		assert_eq!(bond(THE_TENANT), expected);
		let provider = bond(THE_PROVIDER);
		assert_eq!((provider.required, provider.bond), (7, PROVIDER_BOND));

		make(TENANT_ROOT, Call::top_up_bond { member: THE_TENANT, amount: 100 });
		assert_ok!(slash(THE_TENANT, 30));
		make(TENANT_ROOT, Call::set_max_held { member: THE_TENANT, amount: 20_000 });
		let expected = BondInfo { bond: TENANT_BOND + 70, max_held: 20_000, ..expected };
		assert_eq!(bond(THE_TENANT), expected);

		assert_ok!(nominate(TENANT_ROOT, THE_TENANT, Some(STRANGER)));
		assert_eq!(bond(THE_TENANT), expected);
		make(STRANGER, Call::accept_root { member: THE_TENANT, max_held: 30_000 });
		let expected = BondInfo { root: STRANGER, max_held: 30_000, ..expected };
		assert_eq!(bond(THE_TENANT), expected);
		assert_eq!(funds(STRANGER).1, expected.bond + expected.deposit);
	});
	chain.block(|| {
		// A frozen or suspended member has its bond on hold as before.
		let before = bond(THE_TENANT);
		assert_ok!(freeze(THE_TENANT, true));
		assert_ok!(suspend(THE_TENANT, true));
		assert_eq!(bond(THE_TENANT), before);
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
fn the_head_is_read_with_its_row() {
	Chain::small_fabric().block(|| {
		for version in [HEAD, FINALIZED] {
			assert_ok!(set_head(OBJECT, Some(version)));
			let row = Versions::<Test>::get((TENANT, OBJECT, version)).expect("it exists");
			assert_eq!(ContentFabric::head_version(TENANT, OBJECT), Some((version, row)));
		}
		assert_ok!(set_head(OBJECT, None));
		for object in [OBJECT, EMPTY_OBJECT, UNKNOWN_OBJECT] {
			assert_eq!(ContentFabric::head_version(TENANT, object), None);
		}
	});
}

/// Creates a tenant with one row for each id of [`ids`].
fn create_tenants() -> Vec<TenantId> {
	let tenants: Vec<_> = ids().map(TenantId).collect();
	for tenant in &tenants {
		make(TENANT_ROOT, create((*tenant).into(), MAX_HELD));
		assert_ok!(add_kms(*tenant, KMS));
	}
	tenants
}

#[test]
fn purges_are_listed_with_their_progress() {
	let mut chain = Chain::small_fabric();
	let tenants = chain.block(create_tenants);
	chain.block(|| {
		assert_eq!(ContentFabric::purge_progress(THE_TENANT), None);
		assert_empty(None, THE_TENANT, ContentFabric::purges);
		// Purges by roots and by governance share a queue.
		assert_ok!(purge_member(THE_PROVIDER));
		assert_ok!(governance_delete(THE_TENANT));
		for tenant in &tenants {
			assert_ok!(governance_delete((*tenant).into()));
		}
	});
	let others = tenants.len();
	let members: Vec<MemberId> =
		THE_MEMBERS.into_iter().chain(tenants.into_iter().map(MemberId::Tenant)).collect();
	chain.block(|| {
		let mut listed = rows_on(read(2, ContentFabric::purges));
		listed.sort_by_key(|(member, _)| *member);
		let mut expected: Vec<_> = members
			.iter()
			.map(|member| (*member, Purges::<Test>::get(member).expect("is being purged")))
			.collect();
		expected.sort_by_key(|(member, _)| *member);
		assert_eq!(listed, expected);
		for (member, rows, place) in
			[(THE_PROVIDER, PROVIDER_ROWS, 0), (THE_TENANT, TENANT_ROWS, 1)]
		{
			assert_eq!(ContentFabric::purge_progress(member), progress(rows, rows, place));
		}
		for (member, place) in members[2..].iter().zip(2..) {
			assert_eq!(ContentFabric::purge_progress(*member), progress(1, 1, place));
		}

		remove_rows(THE_TENANT, 2);
		let two_less = progress(TENANT_ROWS, TENANT_ROWS - 2, 1);
		assert_eq!(ContentFabric::purge_progress(THE_TENANT), two_less);
		// A purge that has ended is not listed.
		remove_rows(THE_TENANT, 100);
		assert_eq!(ContentFabric::purge_progress(THE_TENANT), None);
		let listed = ContentFabric::purges(None, 100).items;
		assert_eq!(listed.len(), 1 + others);
		assert!(listed.iter().all(|(member, _)| *member != THE_TENANT));
	});
	chain.idle();
	chain.block(|| {
		assert_empty(None, THE_TENANT, ContentFabric::purges);
		assert_eq!(ContentFabric::purge_progress(THE_PROVIDER), None);
		assert_eq!(ContentFabric::rows(THE_PROVIDER), Some(0));
	});
}

#[test]
fn the_places_before_a_purge_are_those_that_have_not_had_their_turn() {
	let mut chain = Chain::small_fabric();
	let tenants = chain.block(create_tenants);
	let (first, last) = tenants.split_at(3);
	chain.block(|| {
		for tenant in first {
			assert_ok!(governance_delete((*tenant).into()));
		}
	});
	chain.idle();
	chain.block(|| {
		for (tenant, place) in last.iter().zip(0..) {
			assert_ok!(governance_delete((*tenant).into()));
			let member = MemberId::from(*tenant);
			assert_eq!(ContentFabric::purge_progress(member), progress(1, 1, place));
		}
	});
}

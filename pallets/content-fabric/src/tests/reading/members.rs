// SPDX-License-Identifier: Apache-2.0
//! Answers about a single member or object: rows, funds, levels, heads, the progress of purges.

use super::*;
use crate::{BondInfo, MemberId, Providers, PurgeProgress, Purges, Tenants, Versions};

fn bond(member: MemberId) -> BondInfo<AccountId, Balance> {
	ContentFabric::bond(member).expect("the member exists")
}

fn reap(member: MemberId, limit: u32) {
	assert_ok!(ContentFabric::reap(signed(STRANGER), member, limit));
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
		reap(THE_TENANT, 5);
		assert_eq!(ContentFabric::rows(THE_TENANT), Some(TENANT_ROWS - 1));
		reap(THE_TENANT, 100);
		assert_eq!(ContentFabric::rows(THE_TENANT), None);
		assert_eq!(ContentFabric::rows(THE_PROVIDER), Some(PROVIDER_ROWS + 1));
	});
}

#[test]
fn nothing_is_read_of_an_unknown_member() {
	Chain::small_fabric().block(|| {
		for unknown in [
			MemberId::Provider(UNKNOWN_PROVIDER),
			MemberId::Tenant(UNKNOWN_TENANT),
			// The ids of members of the other kind.
			MemberId::Provider(ProviderId(TENANT.0)),
			MemberId::Tenant(TenantId(PROVIDER.0)),
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
		let info = Tenants::<Test>::get(TENANT).expect("the tenant exists");
		assert!(info.own_deposit > 0 && info.deposit > 0);
		let expected = BondInfo {
			root: TENANT_ROOT,
			bond: TENANT_BOND,
			required: TENANT_BOND,
			deposit: info.own_deposit + info.deposit,
			max_held: MAX_HELD,
		};
		assert_eq!(bond(THE_TENANT), expected);
		assert_eq!(funds(TENANT_ROOT).1, expected.bond + expected.deposit);

		let info = Providers::<Test>::get(PROVIDER).expect("the provider exists");
		let expected = BondInfo {
			root: PROVIDER_ROOT,
			bond: PROVIDER_BOND,
			required: PROVIDER_BOND,
			deposit: info.own_deposit + info.deposit,
			max_held: MAX_HELD,
		};
		assert_eq!(bond(THE_PROVIDER), expected);
		assert_eq!(funds(PROVIDER_ROOT).1, expected.bond + expected.deposit);
	});
}

#[test]
fn the_bond_of_a_member_without_rows_shows_the_deposit_of_its_own_row() {
	Chain::small_fabric().block(|| {
		let tenant = UNKNOWN_TENANT;
		assert_ok!(ContentFabric::create_tenant(signed(STRANGER), SPACE, tenant, 7_000));
		let expected = BondInfo {
			root: STRANGER,
			bond: TENANT_BOND,
			required: TENANT_BOND,
			deposit: funds(STRANGER).1 - TENANT_BOND,
			max_held: 7_000,
		};
		assert!(expected.deposit > 0);
		assert_eq!(bond(tenant.into()), expected);
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

		let root = || signed(TENANT_ROOT);
		assert_ok!(ContentFabric::top_up_bond(root(), THE_TENANT, 100));
		assert_ok!(slash(THE_TENANT, 30));
		assert_ok!(ContentFabric::set_max_held(root(), THE_TENANT, 20_000));
		let expected = BondInfo { bond: TENANT_BOND + 70, max_held: 20_000, ..expected };
		assert_eq!(bond(THE_TENANT), expected);

		let created = created(THE_TENANT);
		let nominee = Some(STRANGER);
		assert_ok!(ContentFabric::nominate_root(root(), THE_TENANT, created, nominee));
		assert_eq!(bond(THE_TENANT), expected);
		assert_ok!(ContentFabric::accept_root(signed(STRANGER), THE_TENANT, 30_000));
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
		for member in [THE_PROVIDER, THE_TENANT] {
			assert_ok!(freeze(member, true));
			assert_ok!(suspend(member, true));
		}
		assert_levels();
	});
}

#[test]
fn a_level_is_gone_once_the_key_is_taken() {
	Chain::fabric_with_keys().block(|| {
		let root = signed(TENANT_ROOT);
		assert_ok!(ContentFabric::set_tenant_key(root, TENANT, EDITOR, None));
		assert_eq!(ContentFabric::tenant_level(TENANT, EDITOR), None);
		let root = signed(PROVIDER_ROOT);
		assert_ok!(ContentFabric::set_provider_key(root, PROVIDER, PROVIDER_ADMIN, None));
		assert_eq!(ContentFabric::provider_level(PROVIDER, PROVIDER_ADMIN), None);
	});
}

#[test]
fn the_head_is_read_with_its_row() {
	Chain::small_fabric().block(|| {
		let set_head = |version| {
			let root = signed(TENANT_ROOT);
			assert_ok!(ContentFabric::set_head_version(root, TENANT, OBJECT, version));
		};
		for version in [HEAD, FINALIZED] {
			set_head(Some(version));
			let row = Versions::<Test>::get((TENANT, OBJECT, version)).expect("it exists");
			assert_eq!(ContentFabric::head_version(TENANT, OBJECT), Some((version, row)));
		}
		set_head(None);
		for object in [OBJECT, EMPTY_OBJECT, UNKNOWN_OBJECT] {
			assert_eq!(ContentFabric::head_version(TENANT, object), None);
		}
	});
}

/// Creates a tenant with one row for each id of [`ids`].
fn create_tenants() -> Vec<TenantId> {
	let root = || signed(TENANT_ROOT);
	let create = |id| {
		let tenant = TenantId(id);
		assert_ok!(ContentFabric::create_tenant(root(), SPACE, tenant, MAX_HELD));
		assert_ok!(ContentFabric::add_kms(root(), tenant, KMS, locator("x")));
		tenant
	};
	ids().map(create).collect()
}

#[test]
fn purges_are_listed_with_their_progress() {
	let mut chain = Chain::small_fabric();
	let tenants = chain.block(create_tenants);
	chain.block(|| {
		assert_eq!(ContentFabric::purge_progress(THE_TENANT), None);
		assert_empty(None, THE_TENANT, ContentFabric::purges);
		// Purges by roots and by governance share a queue.
		assert_ok!(ContentFabric::purge_member(signed(PROVIDER_ROOT), THE_PROVIDER));
		assert_ok!(governance_delete(THE_TENANT));
		for tenant in &tenants {
			assert_ok!(governance_delete((*tenant).into()));
		}
	});
	let others = tenants.len();
	let members: Vec<MemberId> = [THE_PROVIDER, THE_TENANT]
		.into_iter()
		.chain(tenants.into_iter().map(MemberId::Tenant))
		.collect();
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

		reap(THE_TENANT, 2);
		let two_less = progress(TENANT_ROWS, TENANT_ROWS - 2, 1);
		assert_eq!(ContentFabric::purge_progress(THE_TENANT), two_less);
		// A purge that has ended is not listed.
		reap(THE_TENANT, 100);
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

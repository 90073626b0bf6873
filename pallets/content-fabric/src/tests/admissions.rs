// SPDX-License-Identifier: Apache-2.0
//! Admissions to a space: given, revoked, used up by creations, and limited in number.

use codec::{Decode, Encode};
use frame_support::{assert_noop, assert_ok};
use sp_runtime::{traits::Dispatchable, DispatchResult, TokenError};

use crate::{
	identifiers::{ProviderId, SpaceId, TenantId},
	mock::*,
	AdmissionPolicy, Admissions, Call, Error, Event, Role, SpaceRules, SpaceRulesOf, Spaces,
};

const OTHER_SPACE: SpaceId = SpaceId([7; 10]);
const OTHER_GOVERNOR: AccountId = 10;
const OTHER_PROVIDER: ProviderId = ProviderId([7; 10]);
const OTHER_TENANT: TenantId = TenantId([7; 10]);

/// Returns rules under which governance admits every member.
fn approval() -> SpaceRulesOf<Test> {
	SpaceRules { admission: AdmissionPolicy::Approval, ..rules() }
}

/// A chain with an empty space that asks for approval.
fn guarded() -> Chain {
	let mut chain = Chain::empty();
	chain.block(|| {
		let root = RuntimeOrigin::root();
		assert_ok!(ContentFabric::create_space(root, SPACE, GOVERNOR, approval()));
	});
	chain
}

/// The same with another such space.
fn two_guarded() -> Chain {
	let mut chain = guarded();
	chain.block(|| {
		let root = RuntimeOrigin::root();
		assert_ok!(ContentFabric::create_space(root, OTHER_SPACE, OTHER_GOVERNOR, approval()));
	});
	chain
}

/// Dispatches a call, which is rolled back if it fails.
fn dispatch(who: AccountId, call: Call<Test>) -> DispatchResult {
	RuntimeCall::from(call).dispatch(signed(who)).map(|_| ()).map_err(|error| error.error)
}

fn admit(account: AccountId, role: Role) -> DispatchResult {
	ContentFabric::admit(signed(GOVERNOR), SPACE, account, role)
}

fn revoke(list: &[(AccountId, Role)]) -> DispatchResult {
	let admissions = list.to_vec().try_into().expect("test lists are short");
	dispatch(GOVERNOR, Call::revoke_admissions { space: SPACE, admissions })
}

fn create_provider_in(space: SpaceId, who: AccountId, id: ProviderId) -> DispatchResult {
	dispatch(who, Call::create_provider { space, id, max_held: MAX_HELD })
}

fn create_tenant_in(space: SpaceId, who: AccountId, id: TenantId) -> DispatchResult {
	dispatch(who, Call::create_tenant { space, id, max_held: MAX_HELD })
}

fn create_provider(who: AccountId, id: ProviderId) -> DispatchResult {
	create_provider_in(SPACE, who, id)
}

fn create_tenant(who: AccountId, id: TenantId) -> DispatchResult {
	create_tenant_in(SPACE, who, id)
}

fn is_admitted(account: AccountId, role: Role) -> bool {
	Admissions::<Test>::contains_key(SPACE, (account, role))
}

/// Returns the number of unused admissions that the space records.
fn count() -> u32 {
	Spaces::<Test>::get(SPACE).expect("the space exists").admission_count
}

fn admitted(account: AccountId, role: Role) -> Event<Test> {
	Event::Admitted { space: SPACE, account, role }
}

fn used(account: AccountId, role: Role) -> Event<Test> {
	Event::AdmissionUsed { space: SPACE, account, role }
}

fn revoked(account: AccountId, role: Role) -> Event<Test> {
	Event::AdmissionRevoked { space: SPACE, account, role }
}

#[test]
fn an_account_without_an_admission_cannot_create_a_member() {
	guarded().block(|| {
		// Governing a space does not admit to it.
		for who in [STRANGER, GOVERNOR, TENANT_ROOT] {
			assert_noop!(create_provider(who, PROVIDER), Error::<Test>::NotAdmitted);
			assert_noop!(create_tenant(who, TENANT), Error::<Test>::NotAdmitted);
		}
	});
}

#[test]
fn an_admission_is_used_up_by_the_creation_of_one_member() {
	let mut chain = guarded();
	chain.block(|| {
		assert_ok!(admit(PROVIDER_ROOT, Role::Provider));
		assert_ok!(admit(TENANT_ROOT, Role::Tenant));
		let expected =
			[admitted(PROVIDER_ROOT, Role::Provider), admitted(TENANT_ROOT, Role::Tenant)];
		assert_eq!(events(), expected);
		assert_eq!(count(), 2);
	});
	chain.block(|| {
		assert_ok!(create_provider(PROVIDER_ROOT, PROVIDER));
		assert_ok!(create_tenant(TENANT_ROOT, TENANT));
		assert_eq!(
			events(),
			[
				used(PROVIDER_ROOT, Role::Provider),
				Event::ProviderCreated { provider: PROVIDER, space: SPACE, root: PROVIDER_ROOT },
				used(TENANT_ROOT, Role::Tenant),
				Event::TenantCreated { tenant: TENANT, space: SPACE, root: TENANT_ROOT },
			]
		);
		assert_eq!(count(), 0);
		assert!(!is_admitted(PROVIDER_ROOT, Role::Provider));
		assert!(!is_admitted(TENANT_ROOT, Role::Tenant));
		assert_noop!(create_provider(PROVIDER_ROOT, OTHER_PROVIDER), Error::<Test>::NotAdmitted);
		assert_noop!(create_tenant(TENANT_ROOT, OTHER_TENANT), Error::<Test>::NotAdmitted);
	});
}

#[test]
fn a_deleted_member_does_not_give_its_admission_back() {
	guarded().block(|| {
		assert_ok!(admit(TENANT_ROOT, Role::Tenant));
		assert_ok!(create_tenant(TENANT_ROOT, TENANT));
		// A member without rows is removed at once.
		assert_ok!(governance_delete(THE_TENANT));
		assert_noop!(create_tenant(TENANT_ROOT, TENANT), Error::<Test>::NotAdmitted);
		assert_ok!(admit(TENANT_ROOT, Role::Tenant));
		assert_ok!(create_tenant(TENANT_ROOT, TENANT));
	});
}

#[test]
fn an_admission_is_for_one_role() {
	guarded().block(|| {
		assert_ok!(admit(STRANGER, Role::Provider));
		assert_noop!(create_tenant(STRANGER, TENANT), Error::<Test>::NotAdmitted);
		assert_ok!(admit(STRANGER, Role::Tenant));
		assert_eq!(count(), 2);
		assert_ok!(create_tenant(STRANGER, TENANT));
		assert!(is_admitted(STRANGER, Role::Provider));
		assert_ok!(create_provider(STRANGER, PROVIDER));
		assert_eq!(count(), 0);
	});
}

#[test]
fn an_account_has_at_most_one_unused_admission_for_a_role() {
	guarded().block(|| {
		for role in [Role::Provider, Role::Tenant] {
			assert_ok!(admit(STRANGER, role));
			assert_noop!(admit(STRANGER, role), Error::<Test>::AlreadyAdmitted);
		}
		assert_ok!(create_tenant(STRANGER, TENANT));
		assert_ok!(admit(STRANGER, Role::Tenant));
		assert_ok!(create_tenant(STRANGER, OTHER_TENANT));
	});
}

#[test]
fn an_admission_is_to_one_space() {
	two_guarded().block(|| {
		assert_ok!(admit(STRANGER, Role::Tenant));
		assert_noop!(create_tenant_in(OTHER_SPACE, STRANGER, TENANT), Error::<Test>::NotAdmitted);
		assert_ok!(create_tenant(STRANGER, TENANT));
	});
}

#[test]
fn a_failed_creation_keeps_the_admission() {
	let pauper = 50;
	guarded().block(|| {
		for who in [pauper, STRANGER, TENANT_ROOT] {
			assert_ok!(admit(who, Role::Tenant));
		}
		assert_noop!(create_tenant(pauper, TENANT), TokenError::FundsUnavailable);
		// The bond alone fits the limit, but the tenant's own row has a deposit, too.
		let call = Call::create_tenant { space: SPACE, id: TENANT, max_held: TENANT_BOND };
		assert_noop!(dispatch(STRANGER, call), Error::<Test>::HeldLimitExceeded);
		assert_ok!(create_tenant(TENANT_ROOT, TENANT));
		assert_noop!(create_tenant(STRANGER, TENANT), Error::<Test>::TenantAlreadyExists);
		assert!(is_admitted(pauper, Role::Tenant) && is_admitted(STRANGER, Role::Tenant));
		assert_eq!(count(), 2);
	});
}

#[test]
fn an_open_space_neither_needs_nor_uses_admissions() {
	Chain::small_fabric().block(|| {
		assert_ok!(admit(STRANGER, Role::Tenant));
		assert_ok!(create_tenant(STRANGER, OTHER_TENANT));
		assert_ok!(create_provider(STRANGER, OTHER_PROVIDER));
		let event = used(STRANGER, Role::Tenant);
		assert!(!events().contains(&event));
		assert_eq!((count(), is_admitted(STRANGER, Role::Tenant)), (1, true));
		// The admission is good once the space asks for approval.
		assert_ok!(ContentFabric::set_space_rules(signed(GOVERNOR), SPACE, approval()));
		let (first, second) = (TenantId([8; 10]), TenantId([9; 10]));
		assert_ok!(create_tenant(STRANGER, first));
		assert!(events().contains(&event));
		assert_noop!(create_tenant(STRANGER, second), Error::<Test>::NotAdmitted);
	});
}

#[test]
fn revoked_admissions_admit_nobody() {
	guarded().block(|| {
		for role in [Role::Provider, Role::Tenant] {
			assert_ok!(admit(STRANGER, role));
		}
		assert_ok!(admit(EDITOR, Role::Tenant));
		System::reset_events();
		assert_ok!(revoke(&[(EDITOR, Role::Tenant), (STRANGER, Role::Provider)]));
		// An event for each, in the order of the list.
		assert_eq!(events(), [revoked(EDITOR, Role::Tenant), revoked(STRANGER, Role::Provider)]);
		assert_eq!(count(), 1);
		assert_noop!(create_tenant(EDITOR, TENANT), Error::<Test>::NotAdmitted);
		assert_noop!(create_provider(STRANGER, PROVIDER), Error::<Test>::NotAdmitted);
		// What the list did not name is left.
		assert_ok!(create_tenant(STRANGER, TENANT));
	});
}

#[test]
fn an_empty_list_of_revocations_is_refused() {
	guarded().block(|| {
		assert_ok!(admit(STRANGER, Role::Tenant));
		assert_noop!(revoke(&[]), Error::<Test>::EmptyBatch);
	});
}

#[test]
fn a_list_with_an_unknown_admission_revokes_none() {
	guarded().block(|| {
		let (known, other) = ((STRANGER, Role::Tenant), (EDITOR, Role::Tenant));
		for (account, role) in [known, other] {
			assert_ok!(admit(account, role));
		}
		System::reset_events();
		for list in [
			&[(TENANT_ROOT, Role::Tenant)][..],
			// The role counts.
			&[(STRANGER, Role::Provider)],
			&[known, (TENANT_ROOT, Role::Tenant)],
			&[(TENANT_ROOT, Role::Tenant), known],
			&[known, other, (STRANGER, Role::Provider)],
			// The second time it is unknown.
			&[known, known],
		] {
			assert_noop!(revoke(list), Error::<Test>::AdmissionNotFound);
		}
		assert!(events().is_empty());
		assert_eq!(count(), 2);
		assert_ok!(create_tenant(STRANGER, TENANT));
	});
}

#[test]
fn a_used_admission_cannot_be_revoked() {
	guarded().block(|| {
		assert_ok!(admit(TENANT_ROOT, Role::Tenant));
		assert_ok!(create_tenant(TENANT_ROOT, TENANT));
		let list = [(TENANT_ROOT, Role::Tenant)];
		assert_noop!(revoke(&list), Error::<Test>::AdmissionNotFound);
	});
}

#[test]
fn revoking_leaves_the_admissions_to_other_spaces() {
	let mut chain = two_guarded();
	chain.block(|| {
		assert_ok!(admit(STRANGER, Role::Tenant));
		let governor = signed(OTHER_GOVERNOR);
		assert_ok!(ContentFabric::admit(governor, OTHER_SPACE, STRANGER, Role::Tenant));
	});
	chain.block(|| {
		assert_ok!(revoke(&[(STRANGER, Role::Tenant)]));
		assert_noop!(create_tenant(STRANGER, TENANT), Error::<Test>::NotAdmitted);
		assert_ok!(create_tenant_in(OTHER_SPACE, STRANGER, TENANT));
	});
}

/// Returns as many admissions as a space may have unused.
fn as_many_as_allowed() -> Vec<(AccountId, Role)> {
	(1..=AccountId::from(MaxAdmissions::get() / 2))
		.flat_map(|account| [(account, Role::Provider), (account, Role::Tenant)])
		.collect()
}

#[test]
fn a_space_has_at_most_max_admissions_unused_ones() {
	two_guarded().block(|| {
		for (account, role) in as_many_as_allowed() {
			assert_ok!(admit(account, role));
		}
		assert_eq!(count(), MaxAdmissions::get());
		assert_noop!(admit(30, Role::Tenant), Error::<Test>::TooManyAdmissions);
		// An account that is admitted already is reported as such.
		assert_noop!(admit(1, Role::Tenant), Error::<Test>::AlreadyAdmitted);
		// Each admission that is revoked, or used, makes room for one.
		assert_ok!(revoke(&[(1, Role::Tenant)]));
		assert_ok!(admit(30, Role::Tenant));
		assert_noop!(admit(31, Role::Tenant), Error::<Test>::TooManyAdmissions);
		assert_ok!(create_provider(2, PROVIDER));
		assert_ok!(admit(31, Role::Tenant));
		assert_noop!(admit(32, Role::Tenant), Error::<Test>::TooManyAdmissions);
		// The limit is for each space on its own.
		assert_ok!(ContentFabric::admit(signed(OTHER_GOVERNOR), OTHER_SPACE, 32, Role::Tenant));
		assert_eq!(count(), MaxAdmissions::get());
	});
}

#[test]
fn a_space_with_admissions_cannot_be_deleted() {
	let mut chain = guarded();
	let all = as_many_as_allowed();
	chain.block(|| {
		for (account, role) in &all {
			assert_ok!(admit(*account, *role));
		}
	});
	chain.block(|| {
		let (last, rest) = all.split_last().expect("some are allowed");
		let delete = |origin| ContentFabric::delete_space(origin, SPACE);
		assert_noop!(delete(signed(GOVERNOR)), Error::<Test>::SpaceNotEmpty);
		assert_ok!(revoke(rest));
		for origin in [signed(GOVERNOR), RuntimeOrigin::root()] {
			assert_noop!(delete(origin), Error::<Test>::SpaceNotEmpty);
		}
		assert_ok!(revoke(&[*last]));
		assert_ok!(delete(signed(GOVERNOR)));
		assert_eq!(events().last(), Some(&Event::SpaceDeleted { space: SPACE }));
	});
	// A space that takes the id has none of the admissions.
	chain.block(|| {
		assert_eq!(keys_under(&raw_key("Admissions", &[])), 0);
		let root = RuntimeOrigin::root();
		assert_ok!(ContentFabric::create_space(root, SPACE, GOVERNOR, approval()));
		assert_eq!(count(), 0);
		assert_noop!(create_tenant(1, TENANT), Error::<Test>::NotAdmitted);
	});
}

#[test]
fn all_admissions_of_a_space_can_be_revoked_in_one_call() {
	let mut chain = guarded();
	let all = as_many_as_allowed();
	chain.block(|| {
		for (account, role) in &all {
			assert_ok!(admit(*account, *role));
		}
	});
	chain.block(|| {
		assert_ok!(revoke(&all));
		assert_eq!((count(), keys_under(&raw_key("Admissions", &[]))), (0, 0));
		assert_eq!(events().len(), all.len());
	});
}

#[test]
fn a_list_longer_than_the_bound_does_not_decode() {
	let decodes = |len: u32| {
		let mut call = Call::<Test>::revoke_admissions {
			space: SPACE,
			admissions: vec![].try_into().expect("none is few"),
		}
		.encode();
		// The length, which is the last byte, is replaced.
		call.pop();
		let list: Vec<_> =
			(0..len).map(|account| (AccountId::from(account), Role::Tenant)).collect();
		list.encode_to(&mut call);
		Call::<Test>::decode(&mut &call[..]).is_ok()
	};
	assert!(decodes(MaxAdmissions::get()));
	assert!(!decodes(MaxAdmissions::get() + 1));
}

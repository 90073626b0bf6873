// SPDX-License-Identifier: Apache-2.0
//! Admissions to a space: given, revoked, used up by creations, and limited in number.

use frame_support::{assert_noop, assert_ok};
use sp_runtime::{DispatchResult, TokenError};

use crate::{identifiers::TenantId, mock::*, Admissions, Call, Error, Event, Role, Spaces};

/// A chain with an empty space that asks for approval.
fn guarded() -> Chain {
	let mut chain = Chain::empty();
	chain.block(|| assert_eq!(create_space(SPACE, GOVERNOR, approval()), Ok(())));
	chain
}

/// The same with another such space.
fn two_guarded() -> Chain {
	let mut chain = guarded();
	chain.block(|| assert_eq!(create_space(OTHER_SPACE, OTHER_GOVERNOR, approval()), Ok(())));
	chain
}

pub(super) fn admit(account: AccountId, role: Role) -> DispatchResult {
	ContentFabric::admit(signed(GOVERNOR), SPACE, account, role)
}

fn admit_to_other_space(account: AccountId, role: Role) -> DispatchResult {
	ContentFabric::admit(signed(OTHER_GOVERNOR), OTHER_SPACE, account, role)
}

fn revoke(list: &[(AccountId, Role)]) -> DispatchResult {
	dispatch(GOVERNOR, Call::revoke_admissions { space: SPACE, admissions: bounded(list) })
}

/// Tries to create a member of a kind.
fn create_one(who: AccountId, role: Role) -> DispatchResult {
	let member = if role == Role::Provider { THE_PROVIDER } else { THE_TENANT };
	dispatch(who, create(member, MAX_HELD))
}

fn create_tenant(who: AccountId, id: TenantId) -> DispatchResult {
	dispatch(who, create(id.into(), MAX_HELD))
}

fn create_in_other_space(who: AccountId) -> DispatchResult {
	dispatch(who, create_in(OTHER_SPACE, THE_TENANT, MAX_HELD))
}

fn is_admitted(account: AccountId, role: Role) -> bool {
	Admissions::<Test>::contains_key(SPACE, (account, role))
}

/// Returns the number of unused admissions that the space records.
fn count() -> u32 {
	Spaces::<Test>::get(SPACE).expect("the space exists").admission_count
}

const BOTH: [(AccountId, Role); 2] = [(PROVIDER_ROOT, Role::Provider), (TENANT_ROOT, Role::Tenant)];

#[test]
fn an_account_without_an_admission_cannot_create_a_member() {
	guarded().block(|| {
		// Governing a space does not admit to it.
		for who in [STRANGER, GOVERNOR, TENANT_ROOT] {
			for role in [Role::Provider, Role::Tenant] {
				assert_noop!(create_one(who, role), Error::<Test>::NotAdmitted);
			}
		}
	});
}

#[test]
fn an_admission_is_used_up_by_the_creation_of_one_member() {
	let mut chain = guarded();
	chain.block(|| {
		for (account, role) in BOTH {
			assert_ok!(admit(account, role));
		}
		let admitted = |(account, role)| Event::<Test>::Admitted { space: SPACE, account, role };
		assert_eq!(events(), BOTH.map(admitted));
		assert_eq!(count(), 2);
	});
	chain.block(|| {
		for (account, role) in BOTH {
			assert_ok!(create_one(account, role));
		}
		let used = |(account, role)| Event::<Test>::AdmissionUsed { space: SPACE, account, role };
		assert_eq!(
			events(),
			[
				used(BOTH[0]),
				Event::ProviderCreated { provider: PROVIDER, space: SPACE, root: PROVIDER_ROOT },
				used(BOTH[1]),
				Event::TenantCreated { tenant: TENANT, space: SPACE, root: TENANT_ROOT },
			]
		);
		assert_eq!(count(), 0);
		for ((account, role), member) in BOTH.into_iter().zip(NEW_MEMBERS) {
			assert!(!is_admitted(account, role));
			assert_refused(account, create(member, MAX_HELD), Error::<Test>::NotAdmitted);
		}
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
		assert_ok!(create_one(STRANGER, Role::Provider));
		assert_eq!(count(), 0);
	});
}

#[test]
fn a_failed_creation_keeps_the_admission() {
	guarded().block(|| {
		for who in [PAUPER, STRANGER, TENANT_ROOT] {
			assert_ok!(admit(who, Role::Tenant));
		}
		assert_noop!(create_tenant(PAUPER, TENANT), TokenError::FundsUnavailable);
		// The bond alone fits the limit, but the tenant's own row has a deposit, too.
		assert_refused(STRANGER, create(THE_TENANT, TENANT_BOND), Error::<Test>::HeldLimitExceeded);
		assert_ok!(create_tenant(TENANT_ROOT, TENANT));
		assert_noop!(create_tenant(STRANGER, TENANT), Error::<Test>::TenantAlreadyExists);
		assert!(is_admitted(PAUPER, Role::Tenant) && is_admitted(STRANGER, Role::Tenant));
		assert_eq!(count(), 2);
	});
}

#[test]
fn an_open_space_neither_needs_nor_uses_admissions() {
	Chain::small_fabric().block(|| {
		assert_ok!(admit(STRANGER, Role::Tenant));
		for member in NEW_MEMBERS {
			make(STRANGER, create(member, MAX_HELD));
		}
		assert_eq!((count(), is_admitted(STRANGER, Role::Tenant)), (1, true));
		// The admission is good once the space asks for approval.
		assert_ok!(ContentFabric::set_space_rules(signed(GOVERNOR), SPACE, approval()));
		assert_ok!(create_tenant(STRANGER, TenantId([8; 10])));
		assert_noop!(create_tenant(STRANGER, TenantId([9; 10])), Error::<Test>::NotAdmitted);
	});
}

#[test]
fn revoked_admissions_admit_nobody() {
	guarded().block(|| {
		let list = [(EDITOR, Role::Tenant), (STRANGER, Role::Provider)];
		for (account, role) in list.into_iter().chain([(STRANGER, Role::Tenant)]) {
			assert_ok!(admit(account, role));
		}
		System::reset_events();
		assert_ok!(revoke(&list));
		// An event for each, in the order of the list.
		let revoked =
			|(account, role)| Event::<Test>::AdmissionRevoked { space: SPACE, account, role };
		assert_eq!(events(), list.map(revoked));
		assert_eq!(count(), 1);
		for (account, role) in list {
			assert_noop!(create_one(account, role), Error::<Test>::NotAdmitted);
		}
		// The admission that the list did not name is left.
		assert_ok!(create_tenant(STRANGER, TENANT));
	});
}

#[test]
fn a_list_with_an_unknown_admission_revokes_none() {
	guarded().block(|| {
		let (known, other) = ((STRANGER, Role::Tenant), (EDITOR, Role::Tenant));
		for (account, role) in [known, other] {
			assert_ok!(admit(account, role));
		}
		// The role counts.
		let [unknown, another] = [(TENANT_ROOT, Role::Tenant), (STRANGER, Role::Provider)];
		for list in [
			&[unknown][..],
			&[another],
			&[known, unknown],
			&[unknown, known],
			&[known, other, another],
			// The second time it is unknown.
			&[known, known],
		] {
			assert_noop!(revoke(list), Error::<Test>::AdmissionNotFound);
		}
		assert_ok!(create_tenant(STRANGER, TENANT));
		// Nor is one that was used.
		assert_noop!(revoke(&[known]), Error::<Test>::AdmissionNotFound);
	});
}

#[test]
fn an_admission_is_to_one_space() {
	two_guarded().block(|| {
		assert_ok!(admit(STRANGER, Role::Tenant));
		assert_noop!(create_in_other_space(STRANGER), Error::<Test>::NotAdmitted);
		assert_ok!(admit_to_other_space(STRANGER, Role::Tenant));
		assert_ok!(revoke(&[(STRANGER, Role::Tenant)]));
		assert_noop!(create_tenant(STRANGER, TENANT), Error::<Test>::NotAdmitted);
		assert_ok!(create_in_other_space(STRANGER));
	});
}

/// Gives as many admissions as a space may have unused.
fn admit_as_many_as_allowed() -> Vec<(AccountId, Role)> {
	let all: Vec<_> = (1..=AccountId::from(MaxAdmissions::get() / 2))
		.flat_map(|account| [(account, Role::Provider), (account, Role::Tenant)])
		.collect();
	for (account, role) in &all {
		assert_ok!(admit(*account, *role));
	}
	all
}

#[test]
fn a_space_has_at_most_max_admissions_unused_ones() {
	two_guarded().block(|| {
		admit_as_many_as_allowed();
		assert_eq!(count(), MaxAdmissions::get());
		assert_noop!(admit(30, Role::Tenant), Error::<Test>::TooManyAdmissions);
		// An account that is admitted already is reported as such.
		assert_noop!(admit(1, Role::Tenant), Error::<Test>::AlreadyAdmitted);
		// Each admission that is revoked, or used, makes room for one.
		assert_ok!(revoke(&[(1, Role::Tenant)]));
		assert_ok!(admit(30, Role::Tenant));
		assert_noop!(admit(31, Role::Tenant), Error::<Test>::TooManyAdmissions);
		assert_ok!(create_one(2, Role::Provider));
		assert_ok!(admit(31, Role::Tenant));
		assert_noop!(admit(32, Role::Tenant), Error::<Test>::TooManyAdmissions);
		// The limit is for each space on its own.
		assert_ok!(admit_to_other_space(32, Role::Tenant));
		assert_eq!(count(), MaxAdmissions::get());
	});
}

#[test]
fn a_space_with_admissions_cannot_be_deleted() {
	let mut chain = guarded();
	let all = chain.block(admit_as_many_as_allowed);
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
		assert_ok!(create_space(SPACE, GOVERNOR, approval()));
		assert_eq!(count(), 0);
		assert_noop!(create_tenant(1, TENANT), Error::<Test>::NotAdmitted);
	});
}

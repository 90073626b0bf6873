// SPDX-License-Identifier: Apache-2.0
//! Spaces: creation, rules, governor, deletion, and ids that are unique over all of them.

use frame_support::{assert_noop, assert_ok};
use sp_runtime::{
	DispatchError::{self, BadOrigin},
	DispatchResult,
};

use super::{admissions::admit, bonds::recorded};
use crate::{
	identifiers::{ProviderId, SpaceId, TenantId},
	mock::*,
	AdmissionPolicy, Error, Event, MemberId, Providers, Role, SpaceInfo, SpaceRules, SpaceRulesOf,
	Spaces, Tenants,
};

/// The small fabric, and another space without members.
fn two_spaces() -> Chain {
	let mut chain = Chain::small_fabric();
	chain.block(|| assert_eq!(create_space(OTHER_SPACE, OTHER_GOVERNOR, rules()), Ok(())));
	chain
}

fn set_rules(origin: RuntimeOrigin, rules: SpaceRulesOf<Test>) -> DispatchResult {
	ContentFabric::set_space_rules(origin, SPACE, rules)
}

fn delete_as(origin: RuntimeOrigin) -> DispatchResult {
	ContentFabric::delete_space(origin, SPACE)
}

/// Creates a member in a space as [`STRANGER`].
fn create_as_stranger(space: SpaceId, member: MemberId) -> DispatchResult {
	dispatch(STRANGER, create_in(space, member, MAX_HELD))
}

#[test]
fn the_creator_creates_a_space() {
	Chain::empty().block(|| {
		assert_ok!(create_space(SPACE, GOVERNOR, rules()));
		let expected = SpaceInfo {
			governor: GOVERNOR,
			rules: rules(),
			provider_count: 0,
			tenant_count: 0,
			admission_count: 0,
			created: muid(1),
		};
		assert_eq!(Spaces::<Test>::get(SPACE), Some(expected));
		assert_eq!(events(), [Event::SpaceCreated { space: SPACE, governor: GOVERNOR }]);
		assert_noop!(create_space(SPACE, STRANGER, rules()), Error::<Test>::SpaceAlreadyExists);
	});
}

#[test]
fn new_rules_apply_to_members_that_are_created_afterwards() {
	Chain::small_fabric().block(|| {
		let new: SpaceRulesOf<Test> = SpaceRules {
			provider_bond: 1,
			tenant_bond: 2,
			admission: AdmissionPolicy::Approval,
			partitions: 9,
			sla: bounded(*b"https://example.net/sla"),
		};
		assert_ok!(set_rules(signed(GOVERNOR), new.clone()));
		assert_eq!(events(), [Event::SpaceRulesSet { space: SPACE, rules: new.clone() }]);
		let info = Spaces::<Test>::get(SPACE).expect("the space exists");
		assert_eq!(info.rules, new);
		assert_eq!((info.governor, info.provider_count, info.tenant_count), (GOVERNOR, 1, 1));

		// Those who are members stay so, with the bond that they have, and add rows.
		let bond = |member| recorded(member).0;
		assert_eq!(THE_MEMBERS.map(bond), [PROVIDER_BOND, TENANT_BOND]);
		assert_ok!(add_kms(TENANT, OTHER_KMS));

		let [provider, tenant] = NEW_MEMBERS;
		assert_noop!(create_as_stranger(SPACE, tenant), Error::<Test>::NotAdmitted);
		assert_ok!(admit(STRANGER, Role::Tenant));
		assert_ok!(create_as_stranger(SPACE, tenant));
		assert_eq!(bond(tenant), 2);

		// Root governs, too.
		assert_ok!(set_rules(RuntimeOrigin::root(), rules()));
		assert_ok!(create_as_stranger(SPACE, provider));
		assert_eq!(bond(provider), PROVIDER_BOND);
	});
}

#[test]
fn governance_gives_a_space_another_governor() {
	Chain::small_fabric().block(|| {
		let set = |origin| ContentFabric::set_space_governor(origin, SPACE, STRANGER);
		assert_ok!(set(signed(GOVERNOR)));
		assert_eq!(events(), [Event::SpaceGovernorSet { space: SPACE, governor: STRANGER }]);
		assert!(governs(signed(STRANGER), SPACE) && !governs(signed(GOVERNOR), SPACE));
		assert_noop!(set(signed(GOVERNOR)), BadOrigin);
		assert_ok!(set(RuntimeOrigin::root()));
	});
}

#[test]
fn one_member_of_either_kind_keeps_a_space_from_being_deleted() {
	for member in THE_MEMBERS {
		Chain::empty().block(|| {
			assert_ok!(create_space(SPACE, GOVERNOR, rules()));
			assert_ok!(create_as_stranger(SPACE, member));
			for origin in [signed(GOVERNOR), RuntimeOrigin::root()] {
				assert_noop!(delete_as(origin), Error::<Test>::SpaceNotEmpty);
			}
			assert_ok!(governance_delete(member));
			assert_ok!(delete_as(signed(GOVERNOR)));
			assert_eq!(events().last(), Some(&Event::SpaceDeleted { space: SPACE }));
		});
	}
}

#[test]
fn members_that_are_being_purged_keep_a_space_from_being_deleted() {
	let mut chain = Chain::small_fabric();
	let created = chain.block(|| {
		assert_ok!(governance_delete(THE_TENANT));
		assert_ok!(governance_delete(THE_PROVIDER));
		assert_noop!(delete_as(signed(GOVERNOR)), Error::<Test>::SpaceNotEmpty);
		Spaces::<Test>::get(SPACE).expect("the space exists").created
	});
	chain.idle();
	chain.block(|| {
		assert_ok!(delete_as(signed(GOVERNOR)));
		assert_eq!(Spaces::<Test>::get(SPACE), None);
		assert_noop!(delete_as(RuntimeOrigin::root()), Error::<Test>::SpaceNotFound);
	});
	// The id is free again, and the creator may delete a space, too.
	chain.block(|| {
		assert_ok!(create_space(SPACE, STRANGER, rules()));
		assert!(Spaces::<Test>::get(SPACE).is_some_and(|info| info.created > created));
		assert_ok!(delete_as(RuntimeOrigin::root()));
	});
}

#[test]
fn an_id_taken_in_one_space_is_taken_in_all() {
	let mut chain = two_spaces();
	for (member, taken) in [
		(THE_PROVIDER, DispatchError::from(Error::<Test>::ProviderAlreadyExists)),
		(THE_TENANT, DispatchError::from(Error::<Test>::TenantAlreadyExists)),
	] {
		chain.block(|| {
			for space in [SPACE, OTHER_SPACE] {
				assert_noop!(create_as_stranger(space, member), taken);
			}
			assert_ok!(governance_delete(member));
			// Its rows are still there, and a new member would inherit them.
			for space in [SPACE, OTHER_SPACE] {
				assert_noop!(create_as_stranger(space, member), Error::<Test>::BeingDeleted);
			}
		});
		chain.idle();
		// Now it is free, and again for one space only.
		chain.block(|| {
			assert_ok!(create_as_stranger(OTHER_SPACE, member));
			assert_noop!(create_as_stranger(SPACE, member), taken);
			assert_eq!(ContentFabric::rows(member), Some(0));
		});
	}
	chain.block(|| {
		let provider = Providers::<Test>::get(PROVIDER).map(|info| (info.space, info.root));
		let tenant = Tenants::<Test>::get(TENANT).map(|info| (info.space, info.root));
		assert_eq!([provider, tenant], [Some((OTHER_SPACE, STRANGER)); 2]);
	});
}

#[test]
fn a_provider_and_a_tenant_may_have_the_same_bytes_as_ids() {
	Chain::small_fabric().block(|| {
		assert_ok!(create_as_stranger(SPACE, ProviderId(TENANT.0).into()));
		assert_ok!(create_as_stranger(SPACE, TenantId(PROVIDER.0).into()));
	});
}

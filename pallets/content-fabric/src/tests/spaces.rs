// SPDX-License-Identifier: Apache-2.0
//! Spaces: creation, rules, governor, deletion, and ids that are unique over all of them.

use frame_support::{assert_noop, assert_ok};
use sp_runtime::{
	traits::Dispatchable,
	DispatchError::{self, BadOrigin},
	DispatchResult,
};

use crate::{
	identifiers::{KmsId, ProviderId, SpaceId, TenantId},
	mock::*,
	AdmissionPolicy, Call, Error, Event, MemberId, Providers, Role, SpaceInfo, SpaceRules,
	SpaceRulesOf, Spaces, Tenants,
};

const OTHER_SPACE: SpaceId = SpaceId([7; 10]);
const OTHER_GOVERNOR: AccountId = 10;
const OTHER_PROVIDER: ProviderId = ProviderId([7; 10]);
const OTHER_TENANT: TenantId = TenantId([7; 10]);

fn create_space(space: SpaceId, governor: AccountId) -> DispatchResult {
	ContentFabric::create_space(RuntimeOrigin::root(), space, governor, rules())
}

/// A chain with one space, without members.
fn one_space() -> Chain {
	let mut chain = Chain::empty();
	chain.block(|| {
		assert_ok!(create_space(SPACE, GOVERNOR));
	});
	chain
}

/// The small fabric, and another space without members.
fn two_spaces() -> Chain {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		assert_ok!(create_space(OTHER_SPACE, OTHER_GOVERNOR));
	});
	chain
}

/// Creates a member in a space as [`STRANGER`].
fn create(space: SpaceId, member: MemberId) -> DispatchResult {
	match member {
		MemberId::Provider(id) => {
			ContentFabric::create_provider(signed(STRANGER), space, id, MAX_HELD)
		},
		MemberId::Tenant(id) => ContentFabric::create_tenant(signed(STRANGER), space, id, MAX_HELD),
	}
}

/// Dispatches a call, which is rolled back if it fails.
fn dispatch(origin: RuntimeOrigin, call: Call<Test>) -> DispatchResult {
	RuntimeCall::from(call).dispatch(origin).map(|_| ()).map_err(|error| error.error)
}

/// Returns every call of governance on a space. One after the other they succeed on an empty space.
fn calls_on(space: SpaceId) -> Vec<Call<Test>> {
	let (account, role) = (STRANGER, Role::Tenant);
	let admissions = vec![(account, role)].try_into().expect("one admission is allowed");
	vec![
		Call::set_space_rules { space, rules: rules() },
		Call::set_space_governor { space, governor: GOVERNOR },
		Call::admit { space, account, role },
		Call::revoke_admissions { space, admissions },
		Call::delete_space { space },
	]
}

#[test]
fn the_creator_creates_a_space() {
	Chain::empty().block(|| {
		assert_ok!(create_space(SPACE, GOVERNOR));
		assert_eq!(
			Spaces::<Test>::get(SPACE),
			Some(SpaceInfo {
				governor: GOVERNOR,
				rules: rules(),
				provider_count: 0,
				tenant_count: 0,
				admission_count: 0,
				created: muid(1),
			})
		);
		assert_eq!(events(), [Event::SpaceCreated { space: SPACE, governor: GOVERNOR }]);
		assert_noop!(create_space(SPACE, STRANGER), Error::<Test>::SpaceAlreadyExists);
	});
}

#[test]
fn nobody_else_creates_a_space() {
	Chain::small_fabric().block(|| {
		for origin in [signed(STRANGER), signed(GOVERNOR), RuntimeOrigin::none()] {
			assert_noop!(
				ContentFabric::create_space(origin, OTHER_SPACE, STRANGER, rules()),
				BadOrigin
			);
		}
	});
}

#[test]
fn a_space_counts_its_members() {
	two_spaces().block(|| {
		let counts = |space: SpaceId| {
			let info = Spaces::<Test>::get(space).expect("the space exists");
			(info.provider_count, info.tenant_count)
		};
		assert_eq!((counts(SPACE), counts(OTHER_SPACE)), ((1, 1), (0, 0)));
		assert_ok!(create(OTHER_SPACE, OTHER_TENANT.into()));
		assert_ok!(create(SPACE, OTHER_PROVIDER.into()));
		assert_eq!((counts(SPACE), counts(OTHER_SPACE)), ((2, 1), (0, 1)));
		// A member without rows is removed at once.
		assert_ok!(governance_delete(OTHER_PROVIDER.into()));
		assert_eq!((counts(SPACE), counts(OTHER_SPACE)), ((1, 1), (0, 1)));
	});
}

#[test]
fn new_rules_apply_to_members_that_are_created_afterwards() {
	Chain::small_fabric().block(|| {
		let sla: Vec<u8> = b"https://example.net/sla".to_vec();
		let new: SpaceRulesOf<Test> = SpaceRules {
			provider_bond: 1,
			tenant_bond: 2,
			admission: AdmissionPolicy::Approval,
			partitions: 9,
			sla: sla.try_into().expect("the text is short"),
		};
		assert_ok!(ContentFabric::set_space_rules(signed(GOVERNOR), SPACE, new.clone()));
		assert_eq!(events(), [Event::SpaceRulesSet { space: SPACE, rules: new.clone() }]);
		let info = Spaces::<Test>::get(SPACE).expect("the space exists");
		assert_eq!(info.rules, new);
		assert_eq!((info.governor, info.provider_count, info.tenant_count), (GOVERNOR, 1, 1));

		// Those who are members stay so, with the bond that they have, and add rows.
		assert_eq!(Providers::<Test>::get(PROVIDER).map(|info| info.bond), Some(PROVIDER_BOND));
		assert_eq!(Tenants::<Test>::get(TENANT).map(|info| info.bond), Some(TENANT_BOND));
		let (root, kms) = (signed(TENANT_ROOT), KmsId([7; 10]));
		assert_ok!(ContentFabric::add_kms(root, TENANT, kms, locator("x")));

		assert_noop!(create(SPACE, OTHER_TENANT.into()), Error::<Test>::NotAdmitted);
		assert_ok!(ContentFabric::admit(signed(GOVERNOR), SPACE, STRANGER, Role::Tenant));
		assert_ok!(create(SPACE, OTHER_TENANT.into()));
		assert_eq!(Tenants::<Test>::get(OTHER_TENANT).map(|info| info.bond), Some(2));

		// Root governs, too.
		assert_ok!(ContentFabric::set_space_rules(RuntimeOrigin::root(), SPACE, rules()));
		assert_ok!(create(SPACE, OTHER_PROVIDER.into()));
		let bond = Providers::<Test>::get(OTHER_PROVIDER).map(|info| info.bond);
		assert_eq!(bond, Some(PROVIDER_BOND));
	});
}

#[test]
fn governance_gives_a_space_another_governor() {
	Chain::small_fabric().block(|| {
		assert_ok!(ContentFabric::set_space_governor(signed(GOVERNOR), SPACE, STRANGER));
		assert_eq!(events(), [Event::SpaceGovernorSet { space: SPACE, governor: STRANGER }]);
		assert!(governs(signed(STRANGER), SPACE));
		assert!(!governs(signed(GOVERNOR), SPACE));
		assert_noop!(
			ContentFabric::set_space_governor(signed(GOVERNOR), SPACE, GOVERNOR),
			BadOrigin
		);
		assert_ok!(ContentFabric::set_space_governor(RuntimeOrigin::root(), SPACE, GOVERNOR));
		assert!(governs(signed(GOVERNOR), SPACE));
	});
}

#[test]
fn the_governor_and_root_govern_a_space() {
	for origin in [signed(GOVERNOR), RuntimeOrigin::root()] {
		one_space().block(|| {
			for call in calls_on(SPACE) {
				assert_ok!(dispatch(origin.clone(), call));
			}
		});
	}
}

#[test]
fn nobody_else_governs_a_space() {
	let mut chain = one_space();
	chain.block(|| {
		assert_ok!(create_space(OTHER_SPACE, OTHER_GOVERNOR));
	});
	chain.block(|| {
		// The governor of another space is a stranger here.
		for (origin, space) in [
			(signed(STRANGER), SPACE),
			(signed(OTHER_GOVERNOR), SPACE),
			(signed(GOVERNOR), OTHER_SPACE),
			(RuntimeOrigin::none(), SPACE),
		] {
			for call in calls_on(space) {
				assert_noop!(dispatch(origin.clone(), call), BadOrigin);
			}
		}
	});
}

#[test]
fn an_unknown_space_is_reported_to_everyone() {
	one_space().block(|| {
		let origins = [RuntimeOrigin::root(), signed(GOVERNOR), signed(STRANGER)];
		for origin in origins {
			for call in calls_on(OTHER_SPACE) {
				assert_noop!(dispatch(origin.clone(), call), Error::<Test>::SpaceNotFound);
			}
		}
		for member in [THE_PROVIDER, THE_TENANT] {
			assert_noop!(create(OTHER_SPACE, member), Error::<Test>::SpaceNotFound);
		}
	});
}

#[test]
fn one_member_of_either_kind_keeps_a_space_from_being_deleted() {
	for member in [THE_PROVIDER, THE_TENANT] {
		one_space().block(|| {
			assert_ok!(create(SPACE, member));
			for origin in [signed(GOVERNOR), RuntimeOrigin::root()] {
				assert_noop!(
					ContentFabric::delete_space(origin, SPACE),
					Error::<Test>::SpaceNotEmpty
				);
			}
			assert_ok!(governance_delete(member));
			assert_ok!(ContentFabric::delete_space(signed(GOVERNOR), SPACE));
			assert_eq!(events().last(), Some(&Event::SpaceDeleted { space: SPACE }));
		});
	}
}

#[test]
fn members_that_are_being_purged_keep_a_space_from_being_deleted() {
	let delete = |origin| ContentFabric::delete_space(origin, SPACE);
	let mut chain = Chain::small_fabric();
	let created = chain.block(|| {
		assert_ok!(governance_delete(THE_TENANT));
		assert_ok!(governance_delete(THE_PROVIDER));
		assert_noop!(delete(signed(GOVERNOR)), Error::<Test>::SpaceNotEmpty);
		Spaces::<Test>::get(SPACE).expect("the space exists").created
	});
	chain.idle();
	chain.block(|| {
		assert_ok!(delete(signed(GOVERNOR)));
		assert_eq!(events(), [Event::SpaceDeleted { space: SPACE }]);
		assert_eq!(Spaces::<Test>::get(SPACE), None);
		assert_noop!(delete(RuntimeOrigin::root()), Error::<Test>::SpaceNotFound);
	});
	// The id is free again, and the creator may delete a space, too.
	chain.block(|| {
		assert_ok!(create_space(SPACE, STRANGER));
		assert!(Spaces::<Test>::get(SPACE).is_some_and(|info| info.created > created));
		assert_ok!(delete(RuntimeOrigin::root()));
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
				assert_noop!(create(space, member), taken);
			}
			assert_ok!(governance_delete(member));
			// Its rows are still there, and a new member would inherit them.
			for space in [SPACE, OTHER_SPACE] {
				assert_noop!(create(space, member), Error::<Test>::BeingDeleted);
			}
		});
		chain.idle();
		// Now it is free, and again for one space only.
		chain.block(|| {
			assert_ok!(create(OTHER_SPACE, member));
			assert_noop!(create(SPACE, member), taken);
			assert_eq!(ContentFabric::rows(member), Some(0));
		});
	}
	chain.block(|| {
		let provider = Providers::<Test>::get(PROVIDER).map(|info| (info.space, info.root));
		let tenant = Tenants::<Test>::get(TENANT).map(|info| (info.space, info.root));
		assert_eq!(
			(provider, tenant),
			(Some((OTHER_SPACE, STRANGER)), Some((OTHER_SPACE, STRANGER)))
		);
	});
}

#[test]
fn a_provider_and_a_tenant_may_have_the_same_bytes_as_ids() {
	Chain::small_fabric().block(|| {
		assert_ok!(create(SPACE, ProviderId(TENANT.0).into()));
		assert_ok!(create(SPACE, TenantId(PROVIDER.0).into()));
	});
}

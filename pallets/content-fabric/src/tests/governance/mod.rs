// SPDX-License-Identifier: Apache-2.0
//! The calls of governance on a member: it slashes, suspends, freezes and deletes. Each call names
//! the incarnation and gives a reason.

mod children;
mod closing;

use codec::{Decode, Encode};
use frame_support::{
	assert_noop, assert_ok,
	dispatch::{DispatchResultWithPostInfo, GetDispatchInfo, Pays},
};
use sp_runtime::{traits::Dispatchable, DispatchError::BadOrigin, DispatchResult};

use super::bonds::{
	assert_holds_are_those_of, create, dispatch, recorded, root_of, usual_bond, NEW_MEMBERS,
	THE_MEMBERS,
};
use crate::{
	identifiers::{
		ContentObjectId, KmsId, Muid, NodeId, ProviderId, RecordKeySyntax, RecordKeyType, SpaceId,
		TenantId,
	},
	mock::*,
	Call, ContentObjects, Error, Event, MemberId, ProviderLevel, Providers, TenantLevel, Tenants,
};

/// Makes a call through the runtime, as an extrinsic does.
fn dispatch_by(origin: RuntimeOrigin, call: Call<Test>) -> DispatchResult {
	RuntimeCall::from(call).dispatch(origin).map(|_| ()).map_err(|error| error.error)
}

/// Returns every call of governance that names an incarnation, the last to be made last.
fn motions(member: MemberId, created: Muid) -> [Call<Test>; 5] {
	let (enabled, reason) = (true, || reason("a motion"));
	[
		Call::slash { member, created, amount: 1, reason: reason() },
		Call::set_suspended { member, created, enabled, reason: reason() },
		Call::set_governance_delete { member, created, enabled, reason: reason() },
		Call::nominate_root { member, created, nominee: Some(OPERATOR) },
		Call::governance_delete { member, created, slash: 1, reason: reason() },
	]
}

fn not_found(member: MemberId) -> Error<Test> {
	match member {
		MemberId::Provider(_) => Error::ProviderNotFound,
		MemberId::Tenant(_) => Error::TenantNotFound,
	}
}

/// Returns the error of calls on a frozen member.
pub fn frozen(member: MemberId) -> Error<Test> {
	match member {
		MemberId::Provider(_) => Error::ProviderFrozen,
		MemberId::Tenant(_) => Error::TenantFrozen,
	}
}

/// Returns the error of calls on a suspended member.
pub fn suspended(member: MemberId) -> Error<Test> {
	match member {
		MemberId::Provider(_) => Error::ProviderSuspended,
		MemberId::Tenant(_) => Error::TenantSuspended,
	}
}

/// Returns the flags `governance_delete` and `suspended` of a member.
fn flags(member: MemberId) -> (bool, bool) {
	let flags = match member {
		MemberId::Provider(id) => {
			Providers::<Test>::get(id).map(|info| (info.governance_delete, info.suspended))
		},
		MemberId::Tenant(id) => {
			Tenants::<Test>::get(id).map(|info| (info.governance_delete, info.suspended))
		},
	};
	flags.expect("the member exists")
}

#[test]
fn a_motion_does_not_hit_the_next_owner_of_an_id() {
	for member in THE_MEMBERS {
		let mut chain = Chain::small_fabric();
		let former = chain.block(|| {
			let former = created(member);
			assert_ok!(governance_delete(member));
			former
		});
		chain.idle();
		chain.block(|| {
			assert_ok!(dispatch(STRANGER, create(member, MAX_HELD)));
		});
		chain.block(|| {
			for call in motions(member, former) {
				for origin in [signed(GOVERNOR), RuntimeOrigin::root()] {
					assert_noop!(
						dispatch_by(origin, call.clone()),
						Error::<Test>::IncarnationMismatch
					);
				}
			}
			// The present owner is hit by motions that name the present incarnation.
			for call in motions(member, created(member)) {
				let what = format!("{call:?}");
				assert_eq!(dispatch(GOVERNOR, call), Ok(()), "{what}");
			}
			assert_eq!(ContentFabric::rows(member), None);
		});
	}
}

#[test]
fn a_motion_names_the_exact_incarnation() {
	Chain::small_fabric().block(|| {
		for member in THE_MEMBERS {
			let created = created(member);
			let wrong = [
				Muid::default(),
				created.with_offset(created.offset() + 1),
				created.with_offset(created.offset() - 1),
			];
			for call in wrong.into_iter().flat_map(|wrong| motions(member, wrong)) {
				assert_noop!(dispatch(GOVERNOR, call), Error::<Test>::IncarnationMismatch);
			}
		}
	});
}

#[test]
fn only_governance_of_the_space_of_a_member_moves_against_it() {
	Chain::fabric_with_keys().block(|| {
		let other_space = SpaceId([7; 10]);
		let creator = RuntimeOrigin::root();
		assert_ok!(ContentFabric::create_space(creator, other_space, STRANGER, rules()));
		for member in THE_MEMBERS {
			// Without the nomination, which roots may make, too.
			let [slash, suspend, freeze, _, delete] = motions(member, created(member));
			for call in [slash, suspend, freeze, delete] {
				for who in [PROVIDER_ROOT, TENANT_ROOT, PROVIDER_ADMIN, TENANT_ADMIN, STRANGER] {
					assert_noop!(dispatch_by(signed(who), call.clone()), BadOrigin);
				}
				assert_noop!(dispatch_by(RuntimeOrigin::none(), call), BadOrigin);
			}
		}
		for member in NEW_MEMBERS {
			for call in motions(member, Muid::default()) {
				assert_noop!(dispatch(GOVERNOR, call), not_found(member));
			}
		}
	});
}

#[test]
fn every_motion_fails_on_a_member_that_is_being_deleted() {
	Chain::small_fabric().block(|| {
		for member in THE_MEMBERS {
			let created = created(member);
			assert_ok!(governance_delete(member));
			for call in motions(member, created) {
				assert_noop!(dispatch(GOVERNOR, call), Error::<Test>::BeingDeleted);
			}
		}
	});
}

#[test]
fn the_event_of_a_slash_has_the_amount_the_bond_left_and_the_reason() {
	for member in THE_MEMBERS {
		Chain::small_fabric().block(|| {
			let (created, (mut bond, deposit)) = (created(member), recorded(member));
			assert_eq!(bond, usual_bond(member));
			for (asked, amount) in [(0, 0), (1_000, 1_000), (Balance::MAX, bond - 1_000), (1, 0)] {
				System::reset_events();
				let reason = || reason("data was lost");
				assert_ok!(ContentFabric::slash(
					signed(GOVERNOR),
					member,
					created,
					asked,
					reason()
				));
				bond -= amount;
				let event = Event::Slashed { member, created, amount, bond, reason: reason() };
				assert_eq!(events(), [event]);
				assert_eq!(recorded(member), (bond, deposit));
			}
			assert_eq!(bond, 0);
		});
	}
}

#[test]
fn a_flag_is_set_and_cleared_with_bond_and_reason_in_its_event() {
	for member in THE_MEMBERS {
		Chain::small_fabric().block(|| {
			let (created, bond) = (created(member), usual_bond(member));
			let governor = || signed(GOVERNOR);
			// A flag that is set can be set again.
			for (enabled, text) in
				[(true, "an audit"), (true, "still the audit"), (false, "the audit is over")]
			{
				System::reset_events();
				let set = ContentFabric::set_suspended(
					governor(),
					member,
					created,
					enabled,
					reason(text),
				);
				assert_ok!(set);
				assert_eq!(flags(member), (false, enabled));
				let reason = reason(text);
				assert_eq!(events(), [Event::Suspended { member, created, enabled, bond, reason }]);
			}
			for (enabled, text) in [(true, "abandoned"), (true, ""), (false, "claimed again")] {
				System::reset_events();
				let set = ContentFabric::set_governance_delete(
					governor(),
					member,
					created,
					enabled,
					reason(text),
				);
				assert_ok!(set);
				assert_eq!(flags(member), (enabled, false));
				let reason = reason(text);
				assert_eq!(
					events(),
					[Event::GovernanceDeleteSet { member, created, enabled, bond, reason }]
				);
			}
		});
	}
}

#[test]
fn the_events_of_a_deletion_have_its_reason() {
	for member in THE_MEMBERS {
		Chain::small_fabric().block(|| {
			let rows = ContentFabric::rows(member).expect("the member exists");
			let (created, bond, reason) =
				(created(member), usual_bond(member) - 1_000, || reason("a court order"));
			let call = Call::governance_delete { member, created, slash: 1_000, reason: reason() };
			assert_ok!(dispatch(GOVERNOR, call));
			assert_eq!(
				events(),
				[
					Event::GovernanceDeleted { member, created, reason: reason() },
					Event::Slashed { member, created, amount: 1_000, bond, reason: reason() },
					Event::PurgeStarted { member, created, rows },
				]
			);
			assert_eq!(funds(root_of(member)), (ENDOWMENT - 1_000, 0));
		});
	}
	// Without rows the member is removed at once, and without a slash there is no event of one.
	for member in NEW_MEMBERS {
		Chain::small_fabric().block(|| {
			assert_ok!(dispatch(STRANGER, create(member, MAX_HELD)));
			System::reset_events();
			let (created, reason) = (created(member), || reason("a court order"));
			let call = Call::governance_delete { member, created, slash: 0, reason: reason() };
			assert_ok!(dispatch_by(RuntimeOrigin::root(), call));
			assert_eq!(
				events(),
				[
					Event::GovernanceDeleted { member, created, reason: reason() },
					Event::Purged { member, space: SPACE, created },
				]
			);
			assert_eq!(ContentFabric::rows(member), None);
			assert_eq!(funds(STRANGER), (ENDOWMENT, 0));
		});
	}
}

#[test]
fn the_longest_reason_is_accepted_and_a_longer_one_does_not_decode() {
	Chain::small_fabric().block(|| {
		let created = created(THE_TENANT);
		let (member, enabled) = (THE_TENANT, true);
		let max_len = MaxReasonLen::get() as usize;
		for call in [
			Call::<Test>::slash { member, created, amount: 1, reason: reason("") },
			Call::set_suspended { member, created, enabled, reason: reason("") },
			Call::set_governance_delete { member, created, enabled, reason: reason("") },
			Call::governance_delete { member, created, slash: 1, reason: reason("") },
		] {
			// The reason is the last argument, so an empty one is the last byte.
			let mut rest = RuntimeCall::from(call).encode();
			assert_eq!(rest.pop(), Some(0));
			let with_reason = |len: usize| {
				let encoded = [rest.clone(), vec![b'x'; len].encode()].concat();
				RuntimeCall::decode(&mut &encoded[..])
			};
			assert!(with_reason(max_len + 1).is_err());
			System::reset_events();
			let longest = with_reason(max_len).expect("the longest reason decodes");
			assert_ok!(longest.dispatch(signed(GOVERNOR)));
			let reasons = events().into_iter().find_map(|event| match event {
				Event::Slashed { reason, .. }
				| Event::Suspended { reason, .. }
				| Event::GovernanceDeleteSet { reason, .. }
				| Event::GovernanceDeleted { reason, .. } => Some(reason),
				_ => None,
			});
			assert_eq!(reasons, Some(reason(&"x".repeat(max_len))));
		}
	});
}

// SPDX-License-Identifier: Apache-2.0
//! The calls of governance on a member: it slashes, suspends, freezes and deletes. Each call names
//! the incarnation and gives a reason.

mod children;
mod closing;

use frame_support::{
	assert_noop, assert_ok,
	dispatch::{DispatchResultWithPostInfo, GetDispatchInfo, Pays},
};
use sp_runtime::traits::Dispatchable;

use super::bonds::{assert_holds_are_those_of, recorded, rows::own_deposit, usual_bond};
use crate::{identifiers::Muid, mock::*, Call, Error, Event, MemberId, Providers, Tenants};

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
		chain.block(|| make(STRANGER, create(member, MAX_HELD)));
		chain.block(|| {
			for call in motions(member, former) {
				for origin in [signed(GOVERNOR), RuntimeOrigin::root()] {
					assert_refused_by(origin, &call, Error::<Test>::IncarnationMismatch);
				}
			}
			// The present owner is hit by motions that name the present incarnation.
			for call in motions(member, created(member)) {
				make(GOVERNOR, call);
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
			for wrong in wrong {
				let [.., nomination, _] = motions(member, wrong);
				assert_refused(root_of(member), nomination, Error::<Test>::IncarnationMismatch);
				for call in motions(member, wrong) {
					assert_refused(GOVERNOR, call, Error::<Test>::IncarnationMismatch);
				}
			}
		}
	});
}

#[test]
fn a_flag_is_set_and_cleared_with_bond_and_reason_in_its_event() {
	for member in THE_MEMBERS {
		Chain::small_fabric().block(|| {
			let (created, bond) = (created(member), usual_bond(member));
			// A flag that is set can be set again.
			for (enabled, text) in
				[(true, "an audit"), (true, "still the audit"), (false, "the audit is over")]
			{
				System::reset_events();
				let reason = || reason(text);
				make(GOVERNOR, Call::set_suspended { member, created, enabled, reason: reason() });
				assert_eq!(flags(member), (false, enabled));
				let set = Event::Suspended { member, created, enabled, bond, reason: reason() };
				assert_eq!(events(), [set]);
			}
			for (enabled, text) in [(true, "abandoned"), (true, ""), (false, "claimed again")] {
				System::reset_events();
				let reason = || reason(text);
				let call =
					Call::set_governance_delete { member, created, enabled, reason: reason() };
				make(GOVERNOR, call);
				assert_eq!(flags(member), (enabled, false));
				let reason = reason();
				let set = Event::GovernanceDeleteSet { member, created, enabled, bond, reason };
				assert_eq!(events(), [set]);
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
			make(GOVERNOR, call);
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
			make(STRANGER, create(member, MAX_HELD));
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

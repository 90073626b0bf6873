// SPDX-License-Identifier: Apache-2.0
//! Nominations: who makes, replaces and withdraws them.

use super::*;

#[test]
fn a_new_nomination_replaces_the_one_before() {
	for member in THE_MEMBERS {
		let root = root_of(member);
		let mut chain = Chain::small_fabric();
		chain.block(|| {
			assert_ok!(nominate(root, member, Some(STRANGER)));
			assert_ok!(nominate(root, member, Some(EDITOR)));
			assert_noop!(accept(STRANGER, member), Error::<Test>::NotNominated);
			// Governance replaces the root's nomination, and the root governance's.
			assert_ok!(nominate(GOVERNOR, member, Some(STRANGER)));
			assert_noop!(accept(EDITOR, member), Error::<Test>::NotNominated);
			assert_noop!(accept(STRANGER, member), Error::<Test>::NominationNotMature);
			assert_ok!(nominate(root, member, Some(EDITOR)));
			assert_noop!(accept(STRANGER, member), Error::<Test>::NotNominated);
			assert_ok!(accept(EDITOR, member));
		});
		// The time of the nomination that was replaced does not count.
		let mut chain = chain_with_nominee_of_governance(member);
		chain.block(|| assert_eq!(nominate(GOVERNOR, member, Some(STRANGER)), Ok(())));
		chain.block(|| {
			assert_noop!(accept(STRANGER, member), Error::<Test>::NominationNotMature);
		});
	}
}

#[test]
fn the_root_itself_is_not_nominated() {
	Chain::small_fabric().block(|| {
		for member in THE_MEMBERS {
			let root = root_of(member);
			for who in [root, GOVERNOR] {
				assert_noop!(nominate(who, member, Some(root)), Error::<Test>::NomineeIsRoot);
			}
		}
	});
}

#[test]
fn a_nomination_is_withdrawn_with_none() {
	for member in THE_MEMBERS {
		let root = root_of(member);
		Chain::small_fabric().block(|| {
			for (by, withdrawn_by) in
				[(root, root), (root, GOVERNOR), (GOVERNOR, root), (GOVERNOR, GOVERNOR)]
			{
				assert_ok!(nominate(by, member, Some(STRANGER)));
				System::reset_events();
				assert_ok!(nominate(withdrawn_by, member, None));
				assert_eq!(events(), [Event::RootNominated { member, nominee: None }]);
				assert_noop!(accept(STRANGER, member), Error::<Test>::NotNominated);
				assert_noop!(
					nominate(withdrawn_by, member, None),
					Error::<Test>::NominationNotFound
				);
			}
		});
	}
}

#[test]
fn a_root_withdraws_the_nomination_of_governance_until_it_has_matured() {
	for member in THE_MEMBERS {
		let root = root_of(member);
		for nominee in [None, Some(EDITOR)] {
			let mut chain = chain_with_nominee_of_governance(member);
			chain.block(|| {
				assert_ok!(nominate(root, member, nominee));
				assert_noop!(accept(STRANGER, member), Error::<Test>::NotNominated);
			});
			// The nomination does not come back, and the root's needs no time.
			chain.block(|| {
				assert_noop!(accept(STRANGER, member), Error::<Test>::NotNominated);
				if nominee.is_some() {
					assert_ok!(accept(EDITOR, member));
				}
			});
		}
		let mut chain = chain_with_nominee_of_governance(member);
		chain.block(|| {});
		chain.block(|| {
			for nominee in [None, Some(EDITOR)] {
				assert_noop!(nominate(root, member, nominee), Error::<Test>::NominationMatured);
			}
		});
		// Governance may change its mind at any time.
		chain.block(|| {
			assert_ok!(nominate(GOVERNOR, member, None));
			assert_noop!(accept(STRANGER, member), Error::<Test>::NotNominated);
			assert_ok!(nominate(root, member, Some(EDITOR)));
		});
	}
}

#[test]
fn without_an_unbonding_period_a_nomination_of_governance_is_mature_at_once() {
	Chain::small_fabric().block(|| {
		UnbondingPeriod::set(0);
		for member in THE_MEMBERS {
			assert_ok!(nominate(GOVERNOR, member, Some(STRANGER)));
			assert_noop!(nominate(root_of(member), member, None), Error::<Test>::NominationMatured);
			assert_ok!(accept(STRANGER, member));
		}
		UnbondingPeriod::reset();
	});
}

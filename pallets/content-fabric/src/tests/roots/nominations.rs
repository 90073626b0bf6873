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
			// Governance replaces that of the root, and the root that of governance.
			assert_ok!(nominate(GOVERNOR, member, Some(STRANGER)));
			assert_noop!(accept(EDITOR, member), Error::<Test>::NotNominated);
			assert_noop!(accept(STRANGER, member), Error::<Test>::NominationNotMature);
			assert_ok!(nominate(root, member, Some(EDITOR)));
			assert_noop!(accept(STRANGER, member), Error::<Test>::NotNominated);
			assert_ok!(accept(EDITOR, member));
		});
		// The time of the nomination that was replaced does not count.
		let mut chain = chain_with_nominee_of_governance(member);
		chain.block(|| {
			assert_ok!(nominate(GOVERNOR, member, Some(STRANGER)));
		});
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
fn a_nomination_names_the_incarnation() {
	Chain::small_fabric().block(|| {
		for member in THE_MEMBERS {
			assert_ok!(nominate(root_of(member), member, Some(EDITOR)));
			for who in [root_of(member), GOVERNOR] {
				for wrong in [Muid::default(), created(member).with_offset(100)] {
					for nominee in [Some(STRANGER), None] {
						assert_noop!(
							ContentFabric::nominate_root(signed(who), member, wrong, nominee),
							Error::<Test>::IncarnationMismatch
						);
					}
				}
			}
		}
	});
}

#[test]
fn only_the_root_and_governance_nominate() {
	Chain::fabric_with_keys().block(|| {
		let other_space = SpaceId([7; 10]);
		let creator = RuntimeOrigin::root();
		assert_ok!(ContentFabric::create_space(creator, other_space, STRANGER, rules()));
		for member in THE_MEMBERS {
			let nominate_by = |origin| {
				ContentFabric::nominate_root(origin, member, created(member), Some(PAUPER))
			};
			for who in [PROVIDER_ADMIN, OPERATOR, TENANT_ADMIN, KMS_ACCOUNT, EDITOR, STRANGER] {
				assert_noop!(nominate_by(signed(who)), BadOrigin);
			}
			assert_noop!(nominate_by(RuntimeOrigin::none()), BadOrigin);
			assert_ok!(nominate_by(RuntimeOrigin::root()));
			// Not even the nominee withdraws.
			assert_noop!(nominate(PAUPER, member, None), BadOrigin);
		}
		let [provider, tenant] = NEW_MEMBERS;
		let nominee = Some(PAUPER);
		assert_noop!(nominate(GOVERNOR, provider, nominee), Error::<Test>::ProviderNotFound);
		assert_noop!(nominate(GOVERNOR, tenant, nominee), Error::<Test>::TenantNotFound);
	});
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
			// The nomination does not come back, and that of the root needs no time.
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
fn a_frozen_or_suspended_root_neither_nominates_nor_withdraws() {
	for member in THE_MEMBERS {
		let root = root_of(member);
		for by in [root, GOVERNOR] {
			Chain::small_fabric().block(|| {
				assert_ok!(nominate(by, member, Some(STRANGER)));
				for nominee in [None, Some(EDITOR)] {
					assert_ok!(freeze(member, true));
					assert_noop!(nominate(root, member, nominee), frozen(member));
					assert_ok!(freeze(member, false));
					assert_ok!(suspend(member, true));
					assert_noop!(nominate(root, member, nominee), suspended(member));
					assert_ok!(suspend(member, false));
				}
				assert_ok!(nominate(root, member, None));
			});
		}
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

#[test]
fn nobody_nominates_or_accepts_while_the_member_is_being_deleted() {
	for member in THE_MEMBERS {
		let root = root_of(member);
		let mut chain = chain_with_nominee_of_governance(member);
		chain.block(|| {});
		chain.block(|| {
			assert_ok!(governance_delete(member));
			assert_noop!(accept(STRANGER, member), Error::<Test>::BeingDeleted);
			for who in [root, GOVERNOR] {
				assert_noop!(nominate(who, member, None), Error::<Test>::BeingDeleted);
			}
		});
	}
}

#[test]
fn a_nomination_ends_with_its_member() {
	for member in NEW_MEMBERS {
		Chain::small_fabric().block(|| {
			assert_ok!(dispatch(STRANGER, create(member, MAX_HELD)));
			assert_ok!(nominate(STRANGER, member, Some(EDITOR)));
			// Without rows, it is removed at once.
			assert_ok!(governance_delete(member));
			assert_ok!(dispatch(STRANGER, create(member, MAX_HELD)));
			assert_noop!(accept(EDITOR, member), Error::<Test>::NotNominated);
		});
	}
}

// SPDX-License-Identifier: Apache-2.0
//! Roots with hardly any funds beside what is on hold, where the existential deposit is above 1.

use frame_support::traits::{
	tokens::{Fortitude, Precision, Preservation},
	Currency, ExistenceRequirement,
};

use super::{rows::*, *};

/// Existential deposits, up to the smallest deposit for a row.
const MINIMUMS: [Balance; 3] = [2, 50, 100];

/// Runs a check with each existential deposit. The accounts of the mock have much more.
fn with_minimums(check: impl Fn(Balance)) {
	for minimum in MINIMUMS {
		assert!(minimum <= DepositBase::get());
		ExistentialDeposit::set(minimum);
		check(minimum);
	}
	ExistentialDeposit::reset();
}

/// Returns the numbers of reasons for an account to exist, and to stay.
fn references(who: AccountId) -> (u32, u32) {
	(System::providers(&who), System::consumers(&who))
}

fn transfer_all(from: AccountId) -> DispatchResult {
	let amount = funds(from).0;
	<Balances as Currency<AccountId>>::transfer(
		&from,
		&STRANGER,
		amount,
		ExistenceRequirement::AllowDeath,
	)
}

#[test]
fn a_creation_leaves_the_minimum_balance_free() {
	with_minimums(|minimum| {
		for member in NEW_MEMBERS {
			Chain::small_fabric().block(|| {
				let needed = usual_bond(member) + own_deposit(member);
				let create = || dispatch(EDITOR, create(member, MAX_HELD));
				set_free(EDITOR, needed + minimum - 1);
				assert_noop!(create(), TokenError::FundsUnavailable);
				set_free(EDITOR, needed + minimum);
				assert_ok!(create());
				assert_eq!(funds(EDITOR), (minimum, needed));
				assert_holds_are_those_of(EDITOR, &[member]);
			});
		}
	});
}

#[test]
fn a_root_at_the_minimum_balance_adds_no_row_and_removes_every_row() {
	with_minimums(|minimum| {
		let mut chain = Chain::fabric_with_keys();
		let roots = THE_MEMBERS.map(root_of);
		chain.block(|| {
			for Kind { adder, add, .. } in kinds() {
				make(adder, add());
			}
			for root in roots {
				set_free(root, minimum);
			}
			for Kind { member, adder, add, remove, .. } in kinds() {
				let (root, held) = (root_of(member), held(member));
				let free = funds(root).0;
				make(root, remove());
				let released = held - super::held(member);
				assert!(released > 0, "{:?}", remove());
				assert_eq!(funds(root).0, free + released, "{:?}", remove());
				// The deposit is just enough for the row again, and one unit less is not.
				make(adder, add());
				make(root, remove());
				set_free(root, minimum + released - 1);
				assert_refused(adder, add(), TokenError::FundsUnavailable);
			}
		});
		// All that is left goes with the members.
		chain.block(|| {
			for member in THE_MEMBERS {
				let (root, held) = (root_of(member), held(member));
				let free = funds(root).0;
				assert_ok!(governance_delete(member));
				assert_eq!(funds(root), (free + held, 0));
			}
		});
		chain.idle();
		chain.block(|| assert_eq!(THE_MEMBERS.map(ContentFabric::rows), [None; 2]));
	});
}

#[test]
fn a_member_keeps_the_account_of_its_root_alive_and_no_longer_than_it_lives() {
	with_minimums(|minimum| {
		for member in NEW_MEMBERS {
			let mut chain = Chain::small_fabric();
			let before = chain.block(|| {
				let before = references(EDITOR);
				make(EDITOR, create(member, MAX_HELD));
				set_free(EDITOR, minimum);
				// An account with funds on hold is not removed, whoever asks for it.
				assert_noop!(transfer_all(EDITOR), TokenError::Frozen);
				let burnt = <Balances as Mutate<AccountId>>::burn_from(
					&EDITOR,
					1,
					Preservation::Expendable,
					Precision::Exact,
					Fortitude::Force,
				);
				assert!(burnt.is_err());
				assert_eq!(funds(EDITOR).0, minimum);
				assert!(references(EDITOR).1 > before.1);
				before
			});
			chain.pass(UnbondingPeriod::get());
			chain.block(|| {
				let released = held(member);
				make(EDITOR, Call::delete_member { member });
				assert_eq!(funds(EDITOR), (minimum + released, 0));
				assert_eq!(references(EDITOR), before);
				// Nothing keeps the account any more.
				assert_ok!(transfer_all(EDITOR));
				assert_eq!((funds(EDITOR), references(EDITOR)), ((0, 0), (0, 0)));
			});
		}
	});
}

#[test]
fn references_come_and_go_with_the_root() {
	with_minimums(|_| {
		for member in THE_MEMBERS {
			Chain::small_fabric().block(|| {
				let former = root_of(member);
				let (without, with) = (references(STRANGER), references(former));
				assert_ne!(without, with);
				hand_over(member, former, STRANGER);
				assert_eq!((references(STRANGER), references(former)), (with, without));
				assert_eq!(funds(former), (ENDOWMENT, 0));
				assert_ok!(governance_delete(member));
				assert_eq!(references(STRANGER), without);
			});
		}
	});
}

#[test]
fn a_nominee_keeps_the_minimum_balance() {
	with_minimums(|minimum| {
		for member in THE_MEMBERS {
			Chain::small_fabric().block(|| {
				let (former, needed) = (root_of(member), held(member));
				assert_ok!(nominate(former, member, Some(EDITOR)));
				let accept = || accept(EDITOR, member);
				set_free(EDITOR, needed + minimum - 1);
				assert_noop!(accept(), TokenError::FundsUnavailable);
				set_free(EDITOR, needed + minimum);
				assert_ok!(accept());
				assert_eq!(funds(EDITOR), (minimum, needed));
				assert_eq!(funds(former), (ENDOWMENT, 0));
			});
		}
	});
}

#[test]
fn a_slash_of_all_that_is_on_hold_leaves_the_minimum_balance() {
	with_minimums(|minimum| {
		for member in THE_MEMBERS {
			let (root, bond) = (root_of(member), usual_bond(member));
			let mut chain = Chain::small_fabric();
			chain.block(|| {
				set_free(root, minimum);
				let issued = total_issuance();
				assert_ok!(slash(member, Balance::MAX));
				assert_eq!(total_issuance(), issued - bond);
				// Another pallet takes the deposits, too.
				let deposit = recorded(member).1;
				slash_from_outside(HoldReason::StorageDeposit, root, deposit);
				assert_eq!(funds(root), (minimum, 0));
				make(root, Call::purge_member { member });
				// The check at the end of the block refuses members without their holds.
				assert_ok!(governance_delete(member));
				assert_eq!(funds(root), (minimum, 0));
			});
			chain.idle();
			chain.block(|| {
				assert_eq!(ContentFabric::rows(member), None);
				assert_ok!(transfer_all(root));
			});
		}
	});
}

#[test]
fn a_root_that_has_died_gets_nothing_and_its_member_can_be_removed() {
	for member in THE_MEMBERS {
		let root = root_of(member);
		let mut chain = Chain::small_fabric();
		chain.block(|| {
			// Other pallets have taken all that was on hold, and the rest has been transferred.
			let (_, deposit) = recorded(member);
			slash_from_outside(bond_reason(member), root, usual_bond(member));
			slash_from_outside(HoldReason::StorageDeposit, root, deposit);
			assert_ok!(transfer_all(root));
			assert_eq!((funds(root), references(root)), ((0, 0), (0, 0)));
			let issued = total_issuance();
			for Kind { adder, add, .. } in kinds_of(member) {
				assert_refused(adder, add(), TokenError::FundsUnavailable);
			}
			assert_ok!(slash_and_delete(member, 1_000));
			assert_eq!((funds(root), total_issuance()), ((0, 0), issued));
		});
		chain.idle();
		chain.block(|| {
			assert_eq!(ContentFabric::rows(member), None);
			assert_eq!((funds(root), references(root)), ((0, 0), (0, 0)));
		});
	}
}

#[test]
fn a_release_that_the_currency_refuses_stops_no_removal() {
	for member in THE_MEMBERS {
		let root = root_of(member);
		let mut chain = Chain::small_fabric();
		chain.block(|| {
			set_free(root, 1);
			// An upgrade raises the minimum balance far above what any row can release.
			ExistentialDeposit::set(ENDOWMENT);
			let before = funds(root);
			for Kind { adder, add, .. } in kinds_of(member) {
				assert!(dispatch(adder, add()).is_err());
			}
			make(root, Call::purge_member { member });
			assert_ok!(governance_delete(member));
			// The funds are where they were.
			assert_eq!(funds(root), before);
		});
		chain.idle();
		chain.block(|| {
			assert_eq!(ContentFabric::rows(member), None);
			ExistentialDeposit::reset();
			// The id is free.
			make(STRANGER, create(member, MAX_HELD));
		});
	}
}

#[test]
fn a_release_that_the_currency_refuses_stays_on_record_and_goes_with_the_member() {
	for member in THE_MEMBERS {
		let root = root_of(member);
		Chain::fabric_with_keys().block(|| {
			for Kind { adder, add, .. } in kinds_of(member) {
				make(adder, add());
			}
			set_free(root, 1);
			// The account has too little to exist by itself.
			ExistentialDeposit::set(ENDOWMENT);
			let (before, on_record) = (funds(root), held(member));
			for Kind { remove, .. } in kinds_of(member) {
				make(root, remove());
				assert_eq!((funds(root), held(member)), (before, on_record), "{:?}", remove());
				assert_holds_are_those_of(root, &[member]);
			}
			ExistentialDeposit::reset();
			assert_ok!(governance_delete(member));
			assert_eq!(funds(root), (1 + before.1, 0));
		});
	}
}

#[test]
fn what_the_currency_refuses_to_release_to_a_former_root_is_in_the_event() {
	for member in THE_MEMBERS {
		let root = root_of(member);
		Chain::small_fabric().block(|| {
			assert_ok!(nominate(root, member, Some(STRANGER)));
			let unreleased = held(member);
			set_free(STRANGER, 2 * ENDOWMENT);
			set_free(root, 1);
			// The former root has too little to exist by itself, even with all that it gets back.
			ExistentialDeposit::set(ENDOWMENT);
			System::reset_events();
			assert_ok!(accept(STRANGER, member));
			assert_eq!(
				events(),
				[Event::RootSet { member, root: STRANGER, previous: root, unreleased }]
			);
			assert_eq!(funds(root), (1, unreleased));
			assert_holds_are_those_of(STRANGER, &[member]);
			ExistentialDeposit::reset();
		});
	}
}

#[test]
fn what_a_slash_from_outside_leaves_is_released_after_the_bond_if_it_is_too_little_alone() {
	with_minimums(|minimum| {
		for member in NEW_MEMBERS {
			Chain::small_fabric().block(|| {
				make(EDITOR, create(member, MAX_HELD));
				let (bond, deposit) = recorded(member);
				// The account has a reason to exist, but nothing free.
				System::inc_providers(&EDITOR);
				set_free(EDITOR, 0);
				slash_from_outside(HoldReason::StorageDeposit, EDITOR, deposit - (minimum - 1));
				assert_ok!(governance_delete(member));
				assert_eq!(funds(EDITOR), (bond + minimum - 1, 0));
			});
		}
	});
}

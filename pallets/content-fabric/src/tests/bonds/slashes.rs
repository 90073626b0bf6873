// SPDX-License-Identifier: Apache-2.0
//! Bonds that are slashed, by governance or from outside the pallet, and what is left of them.

use frame_support::traits::ReservableCurrency;

use super::{rows::*, *};

#[test]
fn a_slash_takes_at_most_the_bond_and_no_deposit() {
	for member in THE_MEMBERS {
		let (root, bond) = (root_of(member), usual_bond(member));
		for (asked, amount) in [
			(0, 0),
			(1, 1),
			(bond - 1, bond - 1),
			(bond, bond),
			(bond + 1, bond),
			(Balance::MAX, bond),
		] {
			Chain::small_fabric().block(|| {
				let (issued, (free, held)) = (total_issuance(), funds(root));
				let (_, deposit) = recorded(member);
				let (created, reason) = (created(member), reason("data was lost"));
				let slash = Call::slash { member, created, amount: asked, reason: reason.clone() };
				make(GOVERNOR, slash);
				let slashed =
					Event::Slashed { member, created, amount, bond: bond - amount, reason };
				assert_eq!(events(), [slashed]);
				assert_eq!(recorded(member), (bond - amount, deposit));
				assert_eq!(funds(root), (free, held - amount));
				assert_holds_are_those_of(root, &[member]);
				// Slashed funds are burnt in this runtime.
				assert_eq!(total_issuance(), issued - amount);
				// The rest is released.
				assert_ok!(governance_delete(member));
				assert_eq!(funds(root), (ENDOWMENT - amount, 0));
			});
		}
	}
}

#[test]
fn a_slash_from_outside_does_not_keep_a_root_from_leaving() {
	for member in NEW_MEMBERS {
		for amount in [1, usual_bond(member)] {
			let mut chain = Chain::small_fabric();
			chain.block(|| {
				make(STRANGER, create(member, MAX_HELD));
			});
			chain.pass(UnbondingPeriod::get());
			chain.block(|| {
				slash_from_outside(bond_reason(member), STRANGER, amount);
				slash_from_outside(HoldReason::StorageDeposit, STRANGER, 1);
				make(STRANGER, Call::delete_member { member });
				assert_eq!(funds(STRANGER), (ENDOWMENT - amount - 1, 0));
			});
		}
	}
}

#[test]
fn governance_slashes_what_a_slash_from_outside_has_left() {
	for member in THE_MEMBERS {
		let (root, bond) = (root_of(member), usual_bond(member));
		let mut chain = Chain::small_fabric();
		chain.block(|| {
			let (_, deposit) = recorded(member);
			slash_from_outside(bond_reason(member), root, bond - 1_000);
			slash_from_outside(HoldReason::StorageDeposit, root, deposit - 10);
			assert_ok!(slash_and_delete(member, 3_000));
			let slashed = events().into_iter().find_map(|event| match event {
				Event::Slashed { amount, .. } => Some(amount),
				_ => None,
			});
			assert_eq!(slashed, Some(1_000));
			assert_eq!(funds(root), (ENDOWMENT - bond - (deposit - 10), 0));
		});
		chain.idle();
		chain.block(|| assert_eq!(ContentFabric::rows(member), None));
	}
}

#[test]
fn a_slash_of_deposits_from_outside_does_not_keep_rows_from_being_removed() {
	Chain::small_fabric().block(|| {
		for Kind { adder, add, .. } in kinds() {
			make(adder, add());
		}
		for member in THE_MEMBERS {
			let (_, deposit) = recorded(member);
			slash_from_outside(HoldReason::StorageDeposit, root_of(member), deposit);
		}
		let free = THE_MEMBERS.map(|member| funds(root_of(member)).0);
		for Kind { member, remove, .. } in kinds() {
			make(root_of(member), remove());
		}
		assert_eq!(THE_MEMBERS.map(|member| funds(root_of(member)).0), free);
		// Less is on hold than members record, which the check at the end of the block refuses.
		for member in THE_MEMBERS {
			assert_ok!(governance_delete(member));
		}
	});
}

#[test]
fn a_deletion_settles_bond_and_deposits_once() {
	let [_, other] = NEW_MEMBERS;
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		let issued = total_issuance();
		for member in THE_MEMBERS {
			let (created, reason) = (created(member), || reason(""));
			let delete =
				Call::<Test>::governance_delete { member, created, slash: 2_000, reason: reason() };
			make(GOVERNOR, delete.clone());
			assert_eq!(funds(root_of(member)), (ENDOWMENT - 2_000, 0));
			assert_eq!(ContentFabric::bond(member), None);
			let slash = Call::<Test>::slash { member, created, amount: 1, reason: reason() };
			for call in [slash, delete] {
				assert_refused(GOVERNOR, call, Error::<Test>::BeingDeleted);
			}
		}
		assert_eq!(total_issuance(), issued - 2 * 2_000);
	});
	chain.block(|| {
		// A new bond of the same account is not taken for the bond of the member being deleted.
		make(TENANT_ROOT, create(other, MAX_HELD));
		let add = Call::create_content_object { tenant: OTHER_TENANT, object: OBJECT };
		make(TENANT_ROOT, add);
	});
	chain.idle();
	chain.block(|| {
		for member in THE_MEMBERS {
			assert_eq!(ContentFabric::rows(member), None);
		}
		assert_holds_are_those_of(TENANT_ROOT, &[other]);
		assert_eq!(recorded(other).1, own_deposit(other) + price(OBJECT_BYTES));
		assert_eq!(funds(PROVIDER_ROOT), (ENDOWMENT - 2_000, 0));
	});
}

#[test]
fn funds_that_another_pallet_has_unreserved_save_no_bond_and_keep_no_rest() {
	for member in NEW_MEMBERS {
		Chain::small_fabric().block(|| {
			make(STRANGER, create(member, MAX_HELD));
			let (bond, deposit) = recorded(member);
			// All that would be left beside the bond, and a part of the bond.
			let missing = deposit + bond / 4;
			assert_eq!(Balances::unreserve(&STRANGER, missing), 0);
			assert_eq!(funds(STRANGER), (ENDOWMENT - bond + bond / 4, bond - bond / 4));
			assert_ok!(slash(member, bond / 2));
			assert_eq!(funds(STRANGER).1, bond - bond / 4 - bond / 2);
			// More than there is.
			assert_ok!(slash(member, bond / 2));
			assert_eq!(funds(STRANGER), (ENDOWMENT - bond + bond / 4, 0));
			assert_ok!(governance_delete(member));
		});
		Chain::small_fabric().block(|| {
			make(STRANGER, create(member, MAX_HELD));
			assert_eq!(Balances::unreserve(&STRANGER, 1), 0);
			assert_ok!(governance_delete(member));
			assert_eq!(funds(STRANGER), (ENDOWMENT, 0));
		});
	}
}

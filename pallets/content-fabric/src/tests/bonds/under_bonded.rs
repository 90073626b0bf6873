// SPDX-License-Identifier: Apache-2.0
//! Members whose bond is less than their space requires, and top-ups of bonds.

use sp_runtime::ArithmeticError;

use super::{rows::*, *};

#[test]
fn under_bonded_members_add_no_rows() {
	let mut chain = Chain::small_fabric();
	for (provider_bond, tenant_bond) in [
		(PROVIDER_BOND + 1, TENANT_BOND),
		(PROVIDER_BOND, TENANT_BOND + 1),
		(Balance::MAX, Balance::MAX),
		(PROVIDER_BOND, TENANT_BOND),
		(0, 0),
	] {
		chain.block(|| {
			set_bonds(provider_bond, tenant_bond);
			let provider_lacks = provider_bond > PROVIDER_BOND;
			let tenant_lacks = tenant_bond > TENANT_BOND;
			for Kind { member, adder, add, remove, .. } in kinds() {
				// The provider commits versions, so both need their bonds for that.
				let error = match member {
					_ if adder == PROVIDER_ROOT && provider_lacks => Some(THE_PROVIDER),
					MemberId::Tenant(_) if tenant_lacks => Some(THE_TENANT),
					_ => None,
				};
				match error.map(|member| errors(member).under_bonded) {
					Some(error) => assert_refused(adder, add(), error),
					None => {
						make(adder, add());
						make(root_of(member), remove());
					},
				}
			}
			// New rules seize no funds.
			assert_eq!(recorded(THE_PROVIDER).0, PROVIDER_BOND);
			assert_eq!(recorded(THE_TENANT).0, TENANT_BOND);
			let required = |member| ContentFabric::bond(member).map(|info| info.required);
			assert_eq!(required(THE_PROVIDER), Some(provider_bond));
			assert_eq!(required(THE_TENANT), Some(tenant_bond));
		});
	}
}

#[test]
fn a_bond_one_unit_too_small_is_not_enough_until_it_is_topped_up() {
	Chain::small_fabric().block(|| {
		for member in THE_MEMBERS {
			assert_ok!(slash(member, 1));
		}
		for Kind { adder, add, .. } in kinds() {
			let error = match adder {
				PROVIDER_ROOT => errors(THE_PROVIDER).under_bonded,
				_ => errors(THE_TENANT).under_bonded,
			};
			assert_refused(adder, add(), error);
		}
		for member in THE_MEMBERS {
			let (root, bond) = (root_of(member), usual_bond(member));
			make(root, Call::top_up_bond { member, amount: 1 });
			assert_eq!(events().last(), Some(&Event::BondToppedUp { member, amount: 1, bond }));
			assert_holds_are_those_of(root, &[member]);
		}
		for Kind { adder, add, .. } in kinds() {
			make(adder, add());
		}
	});
}

#[test]
fn a_top_up_needs_the_amount() {
	Chain::small_fabric().block(|| {
		let member = THE_TENANT;
		let set = Call::set_max_held { member, amount: Balance::MAX };
		make(TENANT_ROOT, set);
		let top_up = |amount| dispatch(TENANT_ROOT, Call::top_up_bond { member, amount });
		let free = funds(TENANT_ROOT).0;
		assert_noop!(top_up(free), TokenError::FundsUnavailable);
		assert_noop!(top_up(Balance::MAX), ArithmeticError::Overflow);
		assert_ok!(top_up(free - 1));
		assert_eq!(recorded(THE_TENANT).0, TENANT_BOND + free - 1);
		assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT]);
		// All of it is released.
		assert_ok!(governance_delete(THE_TENANT));
		assert_eq!(funds(TENANT_ROOT), (ENDOWMENT, 0));
	});
}

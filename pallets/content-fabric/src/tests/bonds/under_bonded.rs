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
			for Kind { what, member, adder, add, remove, .. } in kinds() {
				// The provider commits versions, so both need their bonds for that.
				let error = match member {
					_ if adder == PROVIDER_ROOT && provider_lacks => Some(THE_PROVIDER),
					MemberId::Tenant(_) if tenant_lacks => Some(THE_TENANT),
					_ => None,
				};
				match error.map(under_bonded) {
					Some(error) => {
						assert_noop!(dispatch(adder, add()), error);
					},
					None => {
						assert_eq!(dispatch(adder, add()), Ok(()), "{what}");
						assert_ok!(dispatch(root_of(member), remove()));
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
fn an_under_bonded_tenant_adds_no_minted_record_and_no_object_by_a_commit() {
	Chain::small_fabric().block(|| {
		set_bonds(PROVIDER_BOND, TENANT_BOND + 1);
		let records = vec![(None, whole_object())].try_into().expect("one record fits");
		let (tenant, collection) = (TENANT, name(EMPTY_COLLECTION));
		assert_noop!(
			dispatch(TENANT_ROOT, Call::put_records { tenant, collection, records }),
			Error::<Test>::TenantUnderBonded
		);
		let version = draft(ContentObjectId([7; 10]), NEW);
		assert_noop!(
			dispatch(PROVIDER_ROOT, commit_call(true, &[version])),
			Error::<Test>::TenantUnderBonded
		);
	});
}

#[test]
fn under_bonded_members_do_everything_that_adds_no_row() {
	Chain::fabric_with_keys().block(|| {
		set_bonds(PROVIDER_BOND + 1, TENANT_BOND + 1);
		let (provider, tenant, object, node) = (PROVIDER, TENANT, OBJECT, NODE);
		let key_of_provider =
			|level| Call::<Test>::set_provider_key { id: PROVIDER, account: PROVIDER_ADMIN, level };
		let key_of_tenant =
			|level| Call::<Test>::set_tenant_key { id: TENANT, account: EDITOR, level };
		let versions = vec![(OBJECT, DRAFT)].try_into().expect("one version fits");
		let longer = || locator("a-longer-locator-by-far");
		for (who, call) in [
			(PROVIDER_ROOT, Call::<Test>::confirm_node { provider, node: PENDING_NODE }),
			(PROVIDER_ROOT, Call::set_node_locator { provider, node, locator: longer() }),
			(PROVIDER_ROOT, Call::set_node_operator { provider, node, operator: STRANGER }),
			(PROVIDER_ROOT, key_of_provider(Some(ProviderLevel::Admin))),
			(PROVIDER_ROOT, key_of_provider(None)),
			(
				PROVIDER_ROOT,
				Call::finalize_versions { originator: provider, node, tenant, versions },
			),
			(TENANT_ROOT, Call::set_head_version { tenant, object, version: Some(DRAFT) }),
			(TENANT_ROOT, Call::delete_version { tenant, object, version: HEAD }),
			(TENANT_ROOT, put_call(RECORD, Some(FINALIZED))),
			(TENANT_ROOT, put_call(RECORD, None)),
			(TENANT_ROOT, key_of_tenant(Some(TenantLevel::Admin))),
			(TENANT_ROOT, key_of_tenant(None)),
			(TENANT_ROOT, Call::set_kms_locator { tenant, kms: KMS, locator: longer() }),
			(TENANT_ROOT, delete_record_call(RECORD)),
			(TENANT_ROOT, Call::delete_collection { tenant, name: name(COLLECTION) }),
			(TENANT_ROOT, Call::delete_content_object { tenant, object: EMPTY_OBJECT }),
			(TENANT_ROOT, Call::remove_kms { tenant, kms: KMS }),
			(PROVIDER_ROOT, Call::remove_node { provider, node }),
		] {
			let what = format!("{call:?}");
			assert_eq!(dispatch(who, call), Ok(()), "{what}");
		}
		for member in THE_MEMBERS {
			hand_over(member, STRANGER);
			assert_eq!(recorded(member).0, usual_bond(member));
			assert_ok!(dispatch(STRANGER, Call::purge_member { member }));
		}
	});
}

#[test]
fn new_members_have_the_bond_of_the_present_rules() {
	Chain::small_fabric().block(|| {
		set_bonds(PROVIDER_BOND + 1, 10);
		for (member, bond) in NEW_MEMBERS.into_iter().zip([PROVIDER_BOND + 1, 10]) {
			assert_ok!(dispatch(STRANGER, create(member, MAX_HELD)));
			assert_eq!(recorded(member), (bond, own_deposit(member)));
		}
		// A bond that is larger than it has to be stays, and is released in full.
		assert_eq!(recorded(THE_TENANT).0, TENANT_BOND);
		assert_ok!(governance_delete(THE_TENANT));
		assert_eq!(funds(TENANT_ROOT), (ENDOWMENT, 0));
	});
}

#[test]
fn a_bond_one_unit_too_small_is_not_enough_until_it_is_topped_up() {
	Chain::small_fabric().block(|| {
		for member in THE_MEMBERS {
			assert_ok!(slash(member, 1));
		}
		for Kind { adder, add, .. } in kinds() {
			let error = match adder {
				PROVIDER_ROOT => under_bonded(THE_PROVIDER),
				_ => under_bonded(THE_TENANT),
			};
			assert_noop!(dispatch(adder, add()), error);
		}
		for member in THE_MEMBERS {
			let (root, bond) = (root_of(member), usual_bond(member));
			assert_ok!(dispatch(root, Call::top_up_bond { member, amount: 1 }));
			assert_eq!(events().last(), Some(&Event::BondToppedUp { member, amount: 1, bond }));
			assert_holds_are_those_of(root, &[member]);
		}
		for Kind { what, adder, add, .. } in kinds() {
			assert_eq!(dispatch(adder, add()), Ok(()), "{what}");
		}
	});
}

#[test]
fn only_the_root_tops_up_a_bond() {
	Chain::fabric_with_keys().block(|| {
		let top_up = |member| Call::<Test>::top_up_bond { member, amount: 1 };
		for who in [PROVIDER_ADMIN, OPERATOR, TENANT_ROOT, GOVERNOR, STRANGER] {
			assert_noop!(dispatch(who, top_up(THE_PROVIDER)), Error::<Test>::NoPermission);
		}
		for who in [TENANT_ADMIN, KMS_ACCOUNT, EDITOR, PROVIDER_ROOT, GOVERNOR, STRANGER] {
			assert_noop!(dispatch(who, top_up(THE_TENANT)), Error::<Test>::NoPermission);
		}
		for member in THE_MEMBERS {
			hand_over(member, STRANGER);
			assert_noop!(dispatch(root_of(member), top_up(member)), Error::<Test>::NoPermission);
			assert_ok!(dispatch(STRANGER, top_up(member)));
		}
		let [provider, tenant] = NEW_MEMBERS;
		assert_noop!(dispatch(STRANGER, top_up(provider)), Error::<Test>::ProviderNotFound);
		assert_noop!(dispatch(STRANGER, top_up(tenant)), Error::<Test>::TenantNotFound);
	});
}

#[test]
fn a_top_up_needs_the_amount() {
	Chain::small_fabric().block(|| {
		let member = THE_TENANT;
		let set = Call::set_max_held { member, amount: Balance::MAX };
		assert_ok!(dispatch(TENANT_ROOT, set));
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

//! Too little of a bond, and who adds to it.

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
			let (of_provider, of_tenant) =
				(provider_bond > PROVIDER_BOND, tenant_bond > TENANT_BOND);
			for Kind { what, subject, adder, add, remove, .. } in kinds() {
				// The provider commits versions, so both have to have their bonds.
				let error = match subject {
					_ if adder == PROVIDER_ROOT && of_provider => {
						Some(Error::<Test>::ProviderUnderBonded)
					},
					Subject::Tenant(_) if of_tenant => Some(Error::TenantUnderBonded),
					_ => None,
				};
				match error {
					Some(error) => {
						assert_noop!(dispatch(adder, add()), error);
					},
					None => {
						assert_eq!(dispatch(adder, add()), Ok(()), "{what}");
						assert_ok!(dispatch(root_of(subject), remove()));
					},
				}
			}
			// Nothing was taken from anybody.
			assert_eq!(recorded(THE_PROVIDER).0, PROVIDER_BOND);
			assert_eq!(recorded(THE_TENANT).0, TENANT_BOND);
			let required = |subject| ContentFabric::bond(subject).map(|info| info.required);
			assert_eq!(required(THE_PROVIDER), Some(provider_bond));
			assert_eq!(required(THE_TENANT), Some(tenant_bond));
		});
	}
}

#[test]
fn a_minted_record_and_the_key_of_an_operator_need_the_bond_too() {
	Chain::small_fabric().block(|| {
		set_bonds(PROVIDER_BOND + 1, TENANT_BOND + 1);
		let target = ContentRef { object: OBJECT, version: None };
		let collection = name(EMPTY_COLLECTION);
		assert_noop!(
			dispatch(
				TENANT_ROOT,
				Call::put_record { tenant: TENANT, collection, key: None, target }
			),
			Error::<Test>::TenantUnderBonded
		);
		assert_noop!(
			dispatch(
				PROVIDER_ROOT,
				Call::create_node {
					provider: PROVIDER,
					node: NodeId([7; 10]),
					operator: STRANGER,
					locator: locator("x"),
				}
			),
			Error::<Test>::ProviderUnderBonded
		);
	});
}

#[test]
fn under_bonded_members_do_all_that_adds_no_row() {
	Chain::fabric_with_keys().block(|| {
		set_bonds(PROVIDER_BOND + 1, TENANT_BOND + 1);
		let (provider, tenant, object) = (PROVIDER, TENANT, OBJECT);
		let key_of_provider =
			|account, level| Call::<Test>::set_provider_key { provider, account, level };
		let key_of_tenant =
			|account, level| Call::<Test>::set_tenant_key { tenant, account, level };
		let set_head = |version| Call::<Test>::set_head_version { tenant, object, version };
		let point = |version| Call::<Test>::put_record {
			tenant,
			collection: name(COLLECTION),
			key: Some(key(RECORD)),
			target: ContentRef { object, version },
		};
		for (who, call) in [
			(PROVIDER_ROOT, Call::confirm_node { provider, node: PENDING_NODE }),
			(
				PROVIDER_ROOT,
				Call::set_node_locator { provider, node: NODE, locator: locator("longer-by-far") },
			),
			(PROVIDER_ROOT, key_of_provider(OPERATOR, Some(ProviderLevel::Admin))),
			(PROVIDER_ROOT, key_of_provider(OPERATOR, None)),
			(PROVIDER_ROOT, Call::finalize_version { tenant, object, version: DRAFT }),
			(TENANT_ROOT, set_head(Some(DRAFT))),
			(TENANT_ROOT, Call::delete_version { tenant, object, version: HEAD }),
			(TENANT_ROOT, point(Some(FINALIZED))),
			(TENANT_ROOT, point(None)),
			(TENANT_ROOT, key_of_tenant(EDITOR, Some(TenantLevel::Admin))),
			(TENANT_ROOT, key_of_tenant(EDITOR, None)),
			(
				TENANT_ROOT,
				Call::set_kms_locator { tenant, kms: KMS, locator: locator("longer-by-far") },
			),
			(
				TENANT_ROOT,
				Call::delete_record { tenant, collection: name(COLLECTION), key: key(RECORD) },
			),
			(TENANT_ROOT, Call::delete_collection { tenant, name: name(COLLECTION) }),
			(TENANT_ROOT, Call::delete_content_object { tenant, object: EMPTY_OBJECT }),
			(TENANT_ROOT, Call::remove_kms { tenant, kms: KMS }),
			(PROVIDER_ROOT, Call::remove_node { provider, node: NODE }),
			(PROVIDER_ROOT, Call::set_provider_root { provider, root: STRANGER }),
			(TENANT_ROOT, Call::set_tenant_root { tenant, root: STRANGER }),
		] {
			let what = format!("{call:?}");
			assert_eq!(dispatch(who, call), Ok(()), "{what}");
		}
		assert_eq!(recorded(THE_PROVIDER).0, PROVIDER_BOND);
		assert_eq!(recorded(THE_TENANT).0, TENANT_BOND);
	});
}

#[test]
fn new_members_have_the_bond_of_the_new_rules() {
	Chain::small_fabric().block(|| {
		set_bonds(PROVIDER_BOND + 1, 10);
		assert_ok!(dispatch(STRANGER, create_provider(OTHER_PROVIDER)));
		assert_ok!(dispatch(STRANGER, create_tenant(OTHER_TENANT)));
		assert_eq!(recorded(Subject::Provider(OTHER_PROVIDER)), (PROVIDER_BOND + 1, 0));
		assert_eq!(recorded(Subject::Tenant(OTHER_TENANT)), (10, 0));
		// One whose bond is more than it has to be keeps it bonded, and gets all of it back.
		assert_eq!(recorded(THE_TENANT).0, TENANT_BOND);
		assert_ok!(ContentFabric::governance_delete_tenant(signed(GOVERNOR), TENANT, 0, 100));
		assert_eq!(funds(TENANT_ROOT), (ENDOWMENT, 0));
	});
}

#[test]
fn one_below_the_bond_is_too_little_and_a_top_up_mends_it() {
	Chain::small_fabric().block(|| {
		let governor = || signed(GOVERNOR);
		assert_ok!(ContentFabric::slash_provider(governor(), PROVIDER, 1));
		assert_ok!(ContentFabric::slash_tenant(governor(), TENANT, 1));
		for Kind { adder, add, .. } in kinds() {
			let error = match adder {
				PROVIDER_ROOT => Error::<Test>::ProviderUnderBonded,
				_ => Error::TenantUnderBonded,
			};
			assert_noop!(dispatch(adder, add()), error);
		}
		assert_ok!(ContentFabric::top_up_provider_bond(signed(PROVIDER_ROOT), PROVIDER, 1));
		assert_eq!(
			events().last(),
			Some(&Event::ProviderBondToppedUp {
				provider: PROVIDER,
				amount: 1,
				bond: PROVIDER_BOND
			})
		);
		assert_ok!(ContentFabric::top_up_tenant_bond(signed(TENANT_ROOT), TENANT, 1));
		assert_eq!(
			events().last(),
			Some(&Event::TenantBondToppedUp { tenant: TENANT, amount: 1, bond: TENANT_BOND })
		);
		assert_holds_are_those_of(PROVIDER_ROOT, &[THE_PROVIDER]);
		assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT]);
		for Kind { what, adder, add, .. } in kinds() {
			assert_eq!(dispatch(adder, add()), Ok(()), "{what}");
		}
	});
}

#[test]
fn only_the_root_tops_up() {
	Chain::fabric_with_keys().block(|| {
		let provider = Call::<Test>::top_up_provider_bond { provider: PROVIDER, amount: 1 };
		let tenant = Call::<Test>::top_up_tenant_bond { tenant: TENANT, amount: 1 };
		for who in [PROVIDER_ADMIN, OPERATOR, TENANT_ROOT, GOVERNOR, STRANGER] {
			assert_noop!(dispatch(who, provider.clone()), Error::<Test>::NoPermission);
		}
		for who in [TENANT_ADMIN, KMS_ACCOUNT, EDITOR, PROVIDER_ROOT, GOVERNOR, STRANGER] {
			assert_noop!(dispatch(who, tenant.clone()), Error::<Test>::NoPermission);
		}
		// A depositor who is no longer the root is nobody.
		assert_ok!(ContentFabric::set_provider_root(signed(PROVIDER_ROOT), PROVIDER, STRANGER));
		assert_noop!(dispatch(PROVIDER_ROOT, provider), Error::<Test>::NoPermission);
		assert_ok!(ContentFabric::set_tenant_root(signed(TENANT_ROOT), TENANT, STRANGER));
		assert_noop!(dispatch(TENANT_ROOT, tenant), Error::<Test>::NoPermission);
		assert_noop!(
			dispatch(STRANGER, Call::top_up_tenant_bond { tenant: OTHER_TENANT, amount: 1 }),
			Error::<Test>::TenantNotFound
		);
		assert_noop!(
			dispatch(STRANGER, Call::top_up_provider_bond { provider: OTHER_PROVIDER, amount: 1 }),
			Error::<Test>::ProviderNotFound
		);
	});
}

#[test]
fn a_top_up_needs_the_amount() {
	Chain::small_fabric().block(|| {
		let free = funds(TENANT_ROOT).0;
		for amount in [free, Balance::MAX] {
			assert_noop!(
				dispatch(TENANT_ROOT, Call::top_up_tenant_bond { tenant: TENANT, amount }),
				TokenError::FundsUnavailable
			);
		}
		let amount = free - 1;
		assert_ok!(dispatch(TENANT_ROOT, Call::top_up_tenant_bond { tenant: TENANT, amount }));
		assert_eq!(recorded(THE_TENANT).0, TENANT_BOND + amount);
		// All of it comes back.
		assert_ok!(ContentFabric::governance_delete_tenant(signed(GOVERNOR), TENANT, 0, 100));
		assert_eq!(funds(TENANT_ROOT), (ENDOWMENT, 0));
	});
}

#[test]
fn a_new_root_takes_over_all_that_is_held() {
	for amount in [0, 250] {
		Chain::small_fabric().block(|| {
			let (bond, deposit) = recorded(THE_TENANT);
			assert_ok!(ContentFabric::set_tenant_root(signed(TENANT_ROOT), TENANT, STRANGER));
			// Until then the former root remains the depositor.
			let depositor = |subject| ContentFabric::bond(subject).map(|info| info.depositor);
			assert_eq!(depositor(THE_TENANT), Some(TENANT_ROOT));
			assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT]);
			assert_ok!(dispatch(STRANGER, Call::top_up_tenant_bond { tenant: TENANT, amount }));
			assert_eq!(
				events().last(),
				Some(&Event::TenantBondToppedUp { tenant: TENANT, amount, bond: bond + amount })
			);
			assert_eq!(depositor(THE_TENANT), Some(STRANGER));
			assert_eq!(recorded(THE_TENANT), (bond + amount, deposit));
			assert_eq!(funds(TENANT_ROOT), (ENDOWMENT, 0));
			assert_holds_are_those_of(STRANGER, &[THE_TENANT]);

			let (bond, deposit) = recorded(THE_PROVIDER);
			assert_ok!(ContentFabric::set_provider_root(RuntimeOrigin::root(), PROVIDER, STRANGER));
			let call = Call::top_up_provider_bond { provider: PROVIDER, amount };
			assert_ok!(dispatch(STRANGER, call));
			assert_eq!(depositor(THE_PROVIDER), Some(STRANGER));
			assert_eq!(recorded(THE_PROVIDER), (bond + amount, deposit));
			assert_eq!(funds(PROVIDER_ROOT), (ENDOWMENT, 0));
			assert_holds_are_those_of(STRANGER, &[THE_TENANT, THE_PROVIDER]);

			// A second time moves nothing, and what goes is released to the new depositor.
			let before = funds(STRANGER);
			assert_ok!(dispatch(STRANGER, Call::top_up_tenant_bond { tenant: TENANT, amount: 0 }));
			assert_eq!(funds(STRANGER), before);
			let governor = || signed(GOVERNOR);
			assert_ok!(ContentFabric::governance_delete_tenant(governor(), TENANT, 0, 100));
			assert_ok!(ContentFabric::governance_delete_provider(governor(), PROVIDER, 0, 100));
			assert_eq!(funds(STRANGER), (ENDOWMENT, 0));
		});
	}
}

#[test]
fn a_new_root_without_the_funds_takes_nothing_over() {
	Chain::small_fabric().block(|| {
		let (bond, deposit) = recorded(THE_TENANT);
		let take_over = || Call::<Test>::top_up_tenant_bond { tenant: TENANT, amount: 0 };
		assert_ok!(ContentFabric::set_tenant_root(signed(TENANT_ROOT), TENANT, PAUPER));
		assert_noop!(dispatch(PAUPER, take_over()), TokenError::FundsUnavailable);
		assert_ok!(ContentFabric::set_tenant_root(signed(PAUPER), TENANT, STRANGER));
		// Enough for the bond, and then for all but 1 of the deposits.
		for free in [bond + 1, bond + deposit] {
			set_free(STRANGER, free);
			assert_noop!(dispatch(STRANGER, take_over()), TokenError::FundsUnavailable);
		}
		set_free(STRANGER, bond + deposit + 1);
		assert_ok!(dispatch(STRANGER, take_over()));
		assert_eq!(funds(STRANGER), (1, bond + deposit));
		assert_eq!(funds(TENANT_ROOT), (ENDOWMENT, 0));
	});
}

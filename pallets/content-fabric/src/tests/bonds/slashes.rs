//! Bonds that are slashed, and what is left of them.

use super::{rows::*, *};

#[test]
fn a_slash_takes_at_most_the_bond_and_no_deposit() {
	for (amount, slashed) in [
		(0, 0),
		(1, 1),
		(TENANT_BOND - 1, TENANT_BOND - 1),
		(TENANT_BOND, TENANT_BOND),
		(TENANT_BOND + 1, TENANT_BOND),
		(Balance::MAX, TENANT_BOND),
	] {
		Chain::small_fabric().block(|| {
			let (issued, (free, held)) = (total_issuance(), funds(TENANT_ROOT));
			let (bond, deposit) = recorded(THE_TENANT);
			assert_ok!(ContentFabric::slash_tenant(signed(GOVERNOR), TENANT, amount));
			assert_eq!(events(), [Event::TenantSlashed { tenant: TENANT, amount: slashed }]);
			assert_eq!(recorded(THE_TENANT), (bond - slashed, deposit));
			assert_eq!(funds(TENANT_ROOT), (free, held - slashed));
			assert_eq!(on_hold(HoldReason::StorageDeposit, TENANT_ROOT), deposit);
			// What was slashed is burnt in this runtime.
			assert_eq!(total_issuance(), issued - slashed);
			// The rest comes back.
			assert_ok!(ContentFabric::governance_delete_tenant(signed(GOVERNOR), TENANT, 0, 100));
			assert_eq!(funds(TENANT_ROOT), (ENDOWMENT - slashed, 0));
		});
	}
	for (amount, slashed) in [
		(1, 1),
		(PROVIDER_BOND, PROVIDER_BOND),
		(PROVIDER_BOND + 1, PROVIDER_BOND),
		(Balance::MAX, PROVIDER_BOND),
	] {
		Chain::small_fabric().block(|| {
			let issued = total_issuance();
			let (bond, deposit) = recorded(THE_PROVIDER);
			assert_ok!(ContentFabric::slash_provider(signed(GOVERNOR), PROVIDER, amount));
			assert_eq!(events(), [Event::ProviderSlashed { provider: PROVIDER, amount: slashed }]);
			assert_eq!(recorded(THE_PROVIDER), (bond - slashed, deposit));
			assert_holds_are_those_of(PROVIDER_ROOT, &[THE_PROVIDER]);
			assert_eq!(total_issuance(), issued - slashed);
		});
	}
}

#[test]
fn a_slash_hits_the_depositor_and_spares_a_root_who_has_not_taken_over() {
	Chain::small_fabric().block(|| {
		assert_ok!(ContentFabric::set_tenant_root(signed(TENANT_ROOT), TENANT, STRANGER));
		assert_ok!(ContentFabric::slash_tenant(signed(GOVERNOR), TENANT, 1_000));
		assert_eq!(recorded(THE_TENANT).0, TENANT_BOND - 1_000);
		assert_eq!(funds(STRANGER), (ENDOWMENT, 0));
		assert_holds_are_those_of(TENANT_ROOT, &[THE_TENANT]);
	});
}

#[test]
fn a_slash_from_outside_stops_nobody_from_leaving() {
	for amount in [1, TENANT_BOND] {
		Chain::small_fabric().block(|| {
			assert_ok!(dispatch(STRANGER, create_tenant(OTHER_TENANT)));
			slash_from_outside(HoldReason::TenantBond, STRANGER, amount);
			assert_ok!(dispatch(STRANGER, Call::delete_tenant { tenant: OTHER_TENANT }));
			assert_eq!(funds(STRANGER), (ENDOWMENT - amount, 0));

			assert_ok!(dispatch(STRANGER, create_provider(OTHER_PROVIDER)));
			slash_from_outside(HoldReason::ProviderBond, STRANGER, amount);
			assert_ok!(dispatch(STRANGER, Call::delete_provider { provider: OTHER_PROVIDER }));
			assert_eq!(funds(STRANGER), (ENDOWMENT - 2 * amount, 0));
		});
	}
	// Nor governance from deleting, at once or in steps. It gets what is left to be slashed.
	for max_rows in [0, 100] {
		let mut chain = Chain::small_fabric();
		chain.block(|| {
			let (_, deposit) = recorded(THE_TENANT);
			slash_from_outside(HoldReason::TenantBond, TENANT_ROOT, TENANT_BOND - 1_000);
			slash_from_outside(HoldReason::StorageDeposit, TENANT_ROOT, deposit - 10);
			let governor = signed(GOVERNOR);
			assert_ok!(ContentFabric::governance_delete_tenant(governor, TENANT, 3_000, max_rows));
			assert_eq!(events()[0], Event::TenantSlashed { tenant: TENANT, amount: 1_000 });
			assert_eq!(funds(TENANT_ROOT), (ENDOWMENT - TENANT_BOND - (deposit - 10), 0));

			slash_from_outside(HoldReason::ProviderBond, PROVIDER_ROOT, PROVIDER_BOND);
			let governor = signed(GOVERNOR);
			assert_ok!(ContentFabric::governance_delete_provider(governor, PROVIDER, 1, max_rows));
			assert_eq!(funds(PROVIDER_ROOT), (ENDOWMENT - PROVIDER_BOND, 0));
		});
		if max_rows == 0 {
			chain.block(|| {
				for subject in [THE_PROVIDER, THE_TENANT] {
					assert_ok!(ContentFabric::reap(signed(STRANGER), subject, 100));
				}
			});
		}
		chain.block(|| {
			assert!(!Tenants::<Test>::contains_key(TENANT));
			assert!(!Providers::<Test>::contains_key(PROVIDER));
		});
	}
}

#[test]
fn a_slash_of_deposits_from_outside_stops_nobody_from_removing_rows() {
	Chain::small_fabric().block(|| {
		for Kind { adder, add, .. } in kinds() {
			assert_ok!(dispatch(adder, add()));
		}
		for (subject, root) in [(THE_PROVIDER, PROVIDER_ROOT), (THE_TENANT, TENANT_ROOT)] {
			slash_from_outside(HoldReason::StorageDeposit, root, recorded(subject).1);
		}
		let free = [PROVIDER_ROOT, TENANT_ROOT].map(|who| funds(who).0);
		for Kind { what, subject, remove, .. } in kinds() {
			assert_eq!(dispatch(root_of(subject), remove()), Ok(()), "{what}");
		}
		assert_eq!([PROVIDER_ROOT, TENANT_ROOT].map(|who| funds(who).0), free);
		// Less is on hold than was recorded, so both go, lest the invariants complain.
		let governor = || signed(GOVERNOR);
		assert_ok!(ContentFabric::governance_delete_tenant(governor(), TENANT, 0, 100));
		assert_ok!(ContentFabric::governance_delete_provider(governor(), PROVIDER, 0, 100));
	});
}

#[test]
fn a_deletion_settles_the_bond_once() {
	for max_rows in [0, 100] {
		let mut chain = Chain::small_fabric();
		chain.block(|| {
			let (issued, governor) = (total_issuance(), || signed(GOVERNOR));
			let slash = 2_000;
			assert_ok!(ContentFabric::governance_delete_tenant(
				governor(),
				TENANT,
				slash,
				max_rows
			));
			assert_ok!(ContentFabric::governance_delete_provider(
				governor(),
				PROVIDER,
				slash,
				max_rows
			));
			for who in [TENANT_ROOT, PROVIDER_ROOT] {
				assert_eq!(funds(who), (ENDOWMENT - slash, 0));
			}
			assert_eq!(total_issuance(), issued - 2 * slash);
			if max_rows == 0 {
				assert_eq!([THE_TENANT, THE_PROVIDER].map(recorded), [(0, 0); 2]);
				for call in [
					Call::<Test>::slash_tenant { tenant: TENANT, amount: 1 },
					Call::slash_provider { provider: PROVIDER, amount: 1 },
				] {
					assert_noop!(dispatch(GOVERNOR, call), Error::<Test>::BeingDeleted);
				}
			}
		});
		chain.block(|| {
			// New bonds of the same accounts are not taken for those of the members that go.
			let root = || signed(TENANT_ROOT);
			assert_ok!(ContentFabric::create_tenant(root(), SPACE, OTHER_TENANT));
			assert_ok!(ContentFabric::create_content_object(root(), OTHER_TENANT, OBJECT));
			if max_rows == 0 {
				for subject in [THE_PROVIDER, THE_TENANT] {
					assert_ok!(ContentFabric::reap(signed(STRANGER), subject, 100));
				}
			}
			assert_holds_are_those_of(TENANT_ROOT, &[Subject::Tenant(OTHER_TENANT)]);
			assert_eq!(funds(PROVIDER_ROOT), (ENDOWMENT - 2_000, 0));
		});
	}
}

//! Bonds and deposits: what is held, on whom, and that all of it comes back.

mod deposits;
mod rows;
mod slashes;
mod top_up;

use frame_support::{
	assert_noop, assert_ok,
	traits::fungible::{BalancedHold, Inspect, InspectHold, Mutate},
};
use sp_runtime::{traits::Dispatchable, DispatchResult, TokenError};

use crate::{
	identifiers::{
		ContentObjectId, KmsId, NodeId, ProviderId, RecordKeySyntax, RecordKeyType, TenantId,
		VersionId,
	},
	mock::*,
	BondInfo, Call, ContentObjects, ContentRef, Error, Event, HoldReason, Kmses, Nodes,
	ProviderLevel, Providers, Records, SpaceRules, Subject, TenantLevel, Tenants,
	VersionCommitMessage, Versions,
};

const THE_PROVIDER: Subject = Subject::Provider(PROVIDER);
const THE_TENANT: Subject = Subject::Tenant(TENANT);
const OTHER_PROVIDER: ProviderId = ProviderId([7; 10]);
const OTHER_TENANT: TenantId = TenantId([7; 10]);
const NEW_VERSION: VersionId = VersionId([7; 32]);
/// An account without funds.
const PAUPER: AccountId = 50;

/// Makes a call that takes all back if it fails, as transactions do.
fn dispatch(who: AccountId, call: Call<Test>) -> DispatchResult {
	RuntimeCall::from(call).dispatch(signed(who)).map(|_| ()).map_err(|error| error.error)
}

/// The account that removes rows of a member of the small fabric, and on which their deposits are.
fn root_of(subject: Subject) -> AccountId {
	match subject {
		Subject::Provider(_) => PROVIDER_ROOT,
		Subject::Tenant(_) => TENANT_ROOT,
	}
}

/// What is recorded as held for a member: its bond, and the deposits of its rows.
fn recorded(subject: Subject) -> (Balance, Balance) {
	let info = ContentFabric::bond(subject).expect("the member exists");
	(info.bond, info.deposit)
}

fn on_hold(reason: HoldReason, who: AccountId) -> Balance {
	Balances::balance_on_hold(&RuntimeHoldReason::from(reason), &who)
}

fn total_issuance() -> Balance {
	<Balances as Inspect<AccountId>>::total_issuance()
}

/// Leaves an account with so much that is free.
fn set_free(who: AccountId, amount: Balance) {
	<Balances as Mutate<AccountId>>::set_balance(&who, amount);
	assert_eq!(funds(who).0, amount);
}

/// Takes what is on hold from an account, as other pallets may.
fn slash_from_outside(reason: HoldReason, who: AccountId, amount: Balance) {
	let reason = RuntimeHoldReason::from(reason);
	let (_credit, missing) = <Balances as BalancedHold<AccountId>>::slash(&reason, &who, amount);
	assert_eq!(missing, 0);
}

/// That what is on hold on an account is what these members have recorded, and no more.
fn assert_holds_are_those_of(who: AccountId, members: &[Subject]) {
	let (mut provider_bonds, mut tenant_bonds, mut deposits) = (0, 0, 0);
	for subject in members {
		let (bond, deposit) = recorded(*subject);
		match subject {
			Subject::Provider(_) => provider_bonds += bond,
			Subject::Tenant(_) => tenant_bonds += bond,
		}
		deposits += deposit;
	}
	assert_eq!(on_hold(HoldReason::ProviderBond, who), provider_bonds);
	assert_eq!(on_hold(HoldReason::TenantBond, who), tenant_bonds);
	assert_eq!(on_hold(HoldReason::StorageDeposit, who), deposits);
}

/// Gives the space of the small fabric rules with these bonds.
fn set_bonds(provider_bond: Balance, tenant_bond: Balance) {
	let rules = SpaceRules { provider_bond, tenant_bond, ..rules() };
	assert_ok!(ContentFabric::set_space_rules(signed(GOVERNOR), SPACE, rules));
}

fn create_tenant(tenant: TenantId) -> Call<Test> {
	Call::create_tenant { space: SPACE, tenant }
}

fn create_provider(provider: ProviderId) -> Call<Test> {
	Call::create_provider { space: SPACE, provider }
}

#[test]
fn a_bond_is_held_on_who_creates_a_member() {
	Chain::empty().block(|| {
		assert_ok!(ContentFabric::create_space(RuntimeOrigin::root(), SPACE, GOVERNOR, rules()));
		assert_ok!(ContentFabric::create_provider(signed(PROVIDER_ROOT), SPACE, PROVIDER));
		assert_ok!(ContentFabric::create_tenant(signed(TENANT_ROOT), SPACE, TENANT));
		assert_eq!(funds(PROVIDER_ROOT), (ENDOWMENT - PROVIDER_BOND, PROVIDER_BOND));
		assert_eq!(funds(TENANT_ROOT), (ENDOWMENT - TENANT_BOND, TENANT_BOND));
		assert_eq!(on_hold(HoldReason::ProviderBond, PROVIDER_ROOT), PROVIDER_BOND);
		assert_eq!(on_hold(HoldReason::TenantBond, TENANT_ROOT), TENANT_BOND);
		assert_eq!(
			ContentFabric::bond(THE_PROVIDER),
			Some(BondInfo {
				depositor: PROVIDER_ROOT,
				bond: PROVIDER_BOND,
				required: PROVIDER_BOND,
				deposit: 0
			})
		);
		assert_eq!(
			ContentFabric::bond(THE_TENANT),
			Some(BondInfo {
				depositor: TENANT_ROOT,
				bond: TENANT_BOND,
				required: TENANT_BOND,
				deposit: 0
			})
		);
		// And on nobody else.
		assert_eq!(funds(GOVERNOR), (ENDOWMENT, 0));
		assert_ok!(ContentFabric::delete_provider(signed(PROVIDER_ROOT), PROVIDER));
		assert_ok!(ContentFabric::delete_tenant(signed(TENANT_ROOT), TENANT));
		for account in [PROVIDER_ROOT, TENANT_ROOT] {
			assert_eq!(funds(account), (ENDOWMENT, 0));
		}
	});
}

#[test]
fn without_the_bond_no_member_is_created() {
	Chain::small_fabric().block(|| {
		for call in [create_tenant(OTHER_TENANT), create_provider(OTHER_PROVIDER)] {
			assert_noop!(dispatch(PAUPER, call), TokenError::FundsUnavailable);
		}
		// An account keeps the deposit that it exists by, here of 1.
		set_bonds(ENDOWMENT, ENDOWMENT);
		for call in [create_tenant(OTHER_TENANT), create_provider(OTHER_PROVIDER)] {
			assert_noop!(dispatch(STRANGER, call), TokenError::FundsUnavailable);
		}
		set_bonds(ENDOWMENT - 1, ENDOWMENT - 1);
		assert_ok!(dispatch(STRANGER, create_tenant(OTHER_TENANT)));
		assert_eq!(funds(STRANGER), (1, ENDOWMENT - 1));
		// What is held already does not count as free.
		let call = create_provider(OTHER_PROVIDER);
		assert_noop!(dispatch(STRANGER, call), TokenError::FundsUnavailable);
	});
}

#[test]
fn where_no_bond_is_asked_for_none_is_held() {
	Chain::small_fabric().block(|| {
		set_bonds(0, 0);
		assert_ok!(dispatch(PAUPER, create_tenant(OTHER_TENANT)));
		assert_eq!(recorded(Subject::Tenant(OTHER_TENANT)), (0, 0));
		assert_eq!(funds(PAUPER), (0, 0));
		// But rows have deposits all the same.
		let object = ContentObjectId([7; 10]);
		assert_noop!(
			dispatch(PAUPER, Call::create_content_object { tenant: OTHER_TENANT, object }),
			TokenError::FundsUnavailable
		);
		assert_ok!(dispatch(PAUPER, Call::delete_tenant { tenant: OTHER_TENANT }));
	});
}

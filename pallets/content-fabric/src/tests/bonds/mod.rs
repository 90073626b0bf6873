// SPDX-License-Identifier: Apache-2.0
//! Bonds and deposits: what is on hold, on whom, for what reason, and that all of it is released.

mod deposits;
mod existential;
mod limits;
pub mod rows;
mod slashes;
mod unbonding;
mod under_bonded;

use frame_support::{
	assert_noop, assert_ok,
	traits::fungible::{BalancedHold, Inspect, InspectHold, Mutate},
};
use rows::own_deposit;
use sp_runtime::{traits::Dispatchable, DispatchResult, TokenError};

use crate::{
	identifiers::{
		ContentObjectId, KmsId, NodeId, ProviderId, RecordKeySyntax, RecordKeyType, TenantId,
		VersionId,
	},
	mock::*,
	BondInfo, Call, ContentRef, DraftVersion, Error, Event, HoldReason, MemberId, ProviderLevel,
	Providers, SpaceRules, TenantLevel, Tenants, VersionCommit,
};

/// The members of the small fabric.
pub const THE_MEMBERS: [MemberId; 2] = [THE_PROVIDER, THE_TENANT];
const OTHER_PROVIDER: ProviderId = ProviderId([7; 10]);
const OTHER_TENANT: TenantId = TenantId([7; 10]);
/// Members that do not exist in the small fabric.
pub const NEW_MEMBERS: [MemberId; 2] =
	[MemberId::Provider(OTHER_PROVIDER), MemberId::Tenant(OTHER_TENANT)];
/// An account without funds.
pub const PAUPER: AccountId = 50;

/// Makes a call through the runtime, as an extrinsic does.
pub fn dispatch(who: AccountId, call: Call<Test>) -> DispatchResult {
	RuntimeCall::from(call).dispatch(signed(who)).map(|_| ()).map_err(|error| error.error)
}

/// Returns the root of a member of the small fabric.
pub fn root_of(member: MemberId) -> AccountId {
	match member {
		MemberId::Provider(_) => PROVIDER_ROOT,
		MemberId::Tenant(_) => TENANT_ROOT,
	}
}

/// Returns the bond that the rules of the small fabric require.
pub fn usual_bond(member: MemberId) -> Balance {
	match member {
		MemberId::Provider(_) => PROVIDER_BOND,
		MemberId::Tenant(_) => TENANT_BOND,
	}
}

fn bond_reason(member: MemberId) -> HoldReason {
	match member {
		MemberId::Provider(_) => HoldReason::ProviderBond,
		MemberId::Tenant(_) => HoldReason::TenantBond,
	}
}

fn under_bonded(member: MemberId) -> Error<Test> {
	match member {
		MemberId::Provider(_) => Error::ProviderUnderBonded,
		MemberId::Tenant(_) => Error::TenantUnderBonded,
	}
}

/// Returns what a member records as on hold: its bond, and the deposits for its own row and for
/// those under it.
pub fn recorded(member: MemberId) -> (Balance, Balance) {
	let info = ContentFabric::bond(member).expect("the member exists");
	(info.bond, info.deposit)
}

/// Returns what is on hold for a member, bond and deposits together.
pub fn held(member: MemberId) -> Balance {
	let (bond, deposit) = recorded(member);
	bond + deposit
}

fn on_hold(reason: HoldReason, who: AccountId) -> Balance {
	Balances::balance_on_hold(&RuntimeHoldReason::from(reason), &who)
}

fn total_issuance() -> Balance {
	<Balances as Inspect<AccountId>>::total_issuance()
}

/// Leaves an account with so much that is free.
pub fn set_free(who: AccountId, amount: Balance) {
	<Balances as Mutate<AccountId>>::set_balance(&who, amount);
	assert_eq!(funds(who).0, amount);
}

/// Takes what is on hold from an account, as other pallets may.
fn slash_from_outside(reason: HoldReason, who: AccountId, amount: Balance) {
	let reason = RuntimeHoldReason::from(reason);
	let (_credit, missing) = <Balances as BalancedHold<AccountId>>::slash(&reason, &who, amount);
	assert_eq!(missing, 0);
}

/// Checks that what is on hold on an account is what these members record, and no more.
pub fn assert_holds_are_those_of(who: AccountId, members: &[MemberId]) {
	let (mut provider_bonds, mut tenant_bonds, mut deposits) = (0, 0, 0);
	for member in members {
		let (bond, deposit) = recorded(*member);
		match member {
			MemberId::Provider(_) => provider_bonds += bond,
			MemberId::Tenant(_) => tenant_bonds += bond,
		}
		deposits += deposit;
	}
	assert_eq!(on_hold(HoldReason::ProviderBond, who), provider_bonds);
	assert_eq!(on_hold(HoldReason::TenantBond, who), tenant_bonds);
	assert_eq!(on_hold(HoldReason::StorageDeposit, who), deposits);
	assert_eq!(funds(who).1, provider_bonds + tenant_bonds + deposits);
}

/// Gives the space of the small fabric rules with these bonds.
fn set_bonds(provider_bond: Balance, tenant_bond: Balance) {
	let rules = SpaceRules { provider_bond, tenant_bond, ..rules() };
	assert_ok!(ContentFabric::set_space_rules(signed(GOVERNOR), SPACE, rules));
}

/// Returns a call that creates a member.
pub fn create(member: MemberId, max_held: Balance) -> Call<Test> {
	match member {
		MemberId::Provider(id) => Call::create_provider { space: SPACE, id, max_held },
		MemberId::Tenant(id) => Call::create_tenant { space: SPACE, id, max_held },
	}
}

/// Makes an account the root of a member of the small fabric.
fn hand_over(member: MemberId, nominee: AccountId) {
	let nominate = Call::nominate_root { member, created: created(member), nominee: Some(nominee) };
	assert_ok!(dispatch(root_of(member), nominate));
	assert_ok!(dispatch(nominee, Call::accept_root { member, max_held: MAX_HELD }));
}

#[test]
fn a_creation_holds_the_bond_and_the_deposit_for_the_row_of_the_member() {
	let mut chain = Chain::small_fabric();
	for member in NEW_MEMBERS {
		chain.block(|| {
			let (bond, deposit) = (usual_bond(member), own_deposit(member));
			assert_ok!(dispatch(STRANGER, create(member, MAX_HELD)));
			assert_eq!(
				ContentFabric::bond(member),
				Some(BondInfo {
					root: STRANGER,
					bond,
					required: bond,
					deposit,
					max_held: MAX_HELD
				})
			);
			assert_eq!(on_hold(bond_reason(member), STRANGER), bond);
			assert_eq!(on_hold(HoldReason::StorageDeposit, STRANGER), deposit);
			assert_eq!(funds(STRANGER), (ENDOWMENT - bond - deposit, bond + deposit));
		});
		chain.pass(UnbondingPeriod::get());
		chain.block(|| {
			assert_ok!(dispatch(STRANGER, Call::delete_member { member }));
			assert_eq!(ContentFabric::bond(member), None);
			assert_eq!(funds(STRANGER), (ENDOWMENT, 0));
		});
	}
	// Nothing is held on the governor at any time.
	chain.block(|| assert_eq!(funds(GOVERNOR), (ENDOWMENT, 0)));
}

#[test]
fn without_the_bond_and_the_deposit_no_member_is_created() {
	for member in NEW_MEMBERS {
		Chain::small_fabric().block(|| {
			let create = || create(member, Balance::MAX);
			assert_noop!(dispatch(PAUPER, create()), TokenError::FundsUnavailable);
			// An account keeps the minimum balance, here of 1. The deposit is held beside the bond.
			let bond = ENDOWMENT - 1 - own_deposit(member);
			set_bonds(bond + 1, bond + 1);
			assert_noop!(dispatch(STRANGER, create()), TokenError::FundsUnavailable);
			set_bonds(bond, bond);
			assert_ok!(dispatch(STRANGER, create()));
			assert_eq!(funds(STRANGER), (1, ENDOWMENT - 1));
		});
	}
}

#[test]
fn what_is_on_hold_for_one_member_does_not_serve_for_another() {
	Chain::small_fabric().block(|| {
		let [provider, tenant] = NEW_MEMBERS;
		let free = PROVIDER_BOND + own_deposit(provider) + TENANT_BOND + own_deposit(tenant);
		set_free(STRANGER, free);
		assert_ok!(dispatch(STRANGER, create(provider, MAX_HELD)));
		// One unit is missing, as the account keeps its minimum balance.
		let create = || create(tenant, MAX_HELD);
		assert_noop!(dispatch(STRANGER, create()), TokenError::FundsUnavailable);
		set_free(STRANGER, funds(STRANGER).0 + 1);
		assert_ok!(dispatch(STRANGER, create()));
		assert_holds_are_those_of(STRANGER, &[provider, tenant]);
	});
}

#[test]
fn the_row_of_a_member_has_a_deposit_even_where_bonds_are_zero() {
	Chain::small_fabric().block(|| {
		set_bonds(0, 0);
		for member in NEW_MEMBERS {
			// Otherwise an id would cost its owner no more than a fee.
			let create = || create(member, MAX_HELD);
			assert_noop!(dispatch(PAUPER, create()), TokenError::FundsUnavailable);
			assert_ok!(dispatch(STRANGER, create()));
			assert_eq!(recorded(member), (0, own_deposit(member)));
			assert_holds_are_those_of(STRANGER, &[member]);
			assert_ok!(dispatch(STRANGER, Call::delete_member { member }));
			assert_eq!(funds(STRANGER), (ENDOWMENT, 0));
		}
	});
}

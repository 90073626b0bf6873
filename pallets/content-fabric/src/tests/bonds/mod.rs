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
use sp_runtime::{DispatchResult, TokenError};

use crate::{
	identifiers::{ContentObjectId, KmsId, NodeId, RecordKeySyntax, RecordKeyType, VersionId},
	mock::*,
	BondInfo, Call, ContentRef, DraftVersion, Error, Event, HoldReason, MemberId, ProviderLevel,
	Providers, RecordKeyTypeOf, SpaceRules, TenantLevel, Tenants,
};

/// Returns the bond that the rules of the small fabric require.
pub fn usual_bond(member: MemberId) -> Balance {
	match member {
		MemberId::Provider(_) => PROVIDER_BOND,
		MemberId::Tenant(_) => TENANT_BOND,
	}
}

pub fn bond_reason(member: MemberId) -> HoldReason {
	match member {
		MemberId::Provider(_) => HoldReason::ProviderBond,
		MemberId::Tenant(_) => HoldReason::TenantBond,
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
pub fn set_bonds(provider_bond: Balance, tenant_bond: Balance) {
	let rules = SpaceRules { provider_bond, tenant_bond, ..rules() };
	assert_ok!(ContentFabric::set_space_rules(signed(GOVERNOR), SPACE, rules));
}

#[test]
fn a_creation_holds_the_bond_and_the_deposit_for_the_row_of_the_member() {
	let mut chain = Chain::small_fabric();
	for member in NEW_MEMBERS {
		chain.block(|| {
			let (root, max_held) = (STRANGER, MAX_HELD);
			let (bond, deposit) = (usual_bond(member), own_deposit(member));
			make(root, create(member, max_held));
			let expected = BondInfo { root, bond, required: bond, deposit, max_held };
			assert_eq!(ContentFabric::bond(member), Some(expected));
			assert_holds_are_those_of(root, &[member]);
			assert_eq!(funds(root), (ENDOWMENT - bond - deposit, bond + deposit));
		});
		chain.pass(UnbondingPeriod::get());
		chain.block(|| {
			make(STRANGER, Call::delete_member { member });
			assert_eq!(ContentFabric::bond(member), None);
			assert_eq!(funds(STRANGER), (ENDOWMENT, 0));
		});
	}
	// Nothing is held on the governor at any time.
	chain.block(|| assert_eq!(funds(GOVERNOR), (ENDOWMENT, 0)));
}

#[test]
fn the_row_of_a_member_has_a_deposit_even_where_bonds_are_zero() {
	Chain::small_fabric().block(|| {
		set_bonds(0, 0);
		for member in NEW_MEMBERS {
			// Otherwise an id would cost its owner no more than a fee.
			let create = || create(member, MAX_HELD);
			assert_refused(PAUPER, create(), TokenError::FundsUnavailable);
			make(STRANGER, create());
			assert_eq!(recorded(member), (0, own_deposit(member)));
			assert_holds_are_those_of(STRANGER, &[member]);
			make(STRANGER, Call::delete_member { member });
			assert_eq!(funds(STRANGER), (ENDOWMENT, 0));
		}
	});
}

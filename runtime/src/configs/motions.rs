// SPDX-License-Identifier: Apache-2.0
//! The deposit for a motion of the council. Its price depends only on the proposer's own deposits,
//! so no member can make motions expensive for the others.

use codec::{Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
use frame_support::{
	parameter_types,
	traits::{
		fungible::{HoldConsideration, InspectHold},
		Consideration, MaybeConsideration,
	},
};
use scale_info::TypeInfo;
use sp_runtime::{traits::Identity, DispatchError};

use crate::{units::deposit, AccountId, Balance, Balances, RuntimeHoldReason};

parameter_types! {
	pub const ProposalHoldReason: RuntimeHoldReason =
		RuntimeHoldReason::Council(pallet_collective::HoldReason::ProposalSubmission);
}

/// The deposit for a member's first motion. It pays for two rows: the proposal and its votes.
const FIRST: Balance = deposit(2, 1024);
/// A motion costs `FIRST` and `1 / PARTS` of the funds that its proposer already has on hold for
/// motions. So the price grows geometrically: the deposits of ten motions come to 4 UNIT, and of a
/// hundred to 59 million UNIT.
const PARTS: Balance = 5;

type Held = HoldConsideration<AccountId, Balances, ProposalHoldReason, Identity, Balance>;

/// The deposit that a member has on hold for one motion.
#[derive(
	Clone, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo,
)]
pub struct MotionDeposit(Held);

/// Returns the price of the member's next motion.
fn price(who: &AccountId) -> Balance {
	let held = Balances::balance_on_hold(&ProposalHoldReason::get(), who);
	FIRST.saturating_add(held / PARTS)
}

/// Ignores the number of all open motions, which the pallet passes.
impl Consideration<AccountId, u32> for MotionDeposit {
	fn new(who: &AccountId, _: u32) -> Result<Self, DispatchError> {
		Held::new(who, price(who)).map(Self)
	}

	/// Keeps the deposit: a motion does not change.
	fn update(self, _: &AccountId, _: u32) -> Result<Self, DispatchError> {
		Ok(self)
	}

	fn drop(self, who: &AccountId) -> Result<(), DispatchError> {
		self.0.drop(who)
	}

	fn burn(self, who: &AccountId) {
		self.0.burn(who)
	}

	#[cfg(feature = "runtime-benchmarks")]
	fn ensure_successful(who: &AccountId, _: u32) {
		Held::ensure_successful(who, price(who))
	}
}

impl MaybeConsideration<AccountId, u32> for MotionDeposit {
	fn is_none(&self) -> bool {
		self.0.is_none()
	}
}

// SPDX-License-Identifier: Apache-2.0
//! The deposit of a council's motion. Its price depends on the member alone, so no member can make
//! motions dear for the others.

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

/// The deposit of a member's first motion: for the row of the proposal and that of its votes.
const FIRST: Balance = deposit(2, 1024);
/// A further motion costs a share of what its proposer has on hold for motions: one of so many
/// parts. So the price grows geometrically: ten motions hold 4 UNIT, and a hundred 59 million.
const PARTS: Balance = 5;

type Held = HoldConsideration<AccountId, Balances, ProposalHoldReason, Identity, Balance>;

/// A deposit that a member has on hold for one motion.
#[derive(
	Clone, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo,
)]
pub struct MotionDeposit(Held);

/// Returns the price of the member's next motion.
fn price(who: &AccountId) -> Balance {
	let held = Balances::balance_on_hold(&ProposalHoldReason::get(), who);
	FIRST.saturating_add(held / PARTS)
}

/// The number of all open motions, which the pallet passes, does not count.
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

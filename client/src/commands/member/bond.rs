// SPDX-License-Identifier: Apache-2.0
//! The funds on hold for a member: its bond and the limit.

use clap::Args;
use content_fabric_primitives::MemberId;

use crate::{
	amount::AmountText,
	chain::{calls, kind, rows},
	commands::{Action, Authority, Setting, View},
	Error,
};

/// `fabric member top-up`
#[derive(Debug, Args)]
pub struct TopUp {
	/// The provider or the tenant, iprv… or iten…
	member: MemberId,
	/// The amount to add: '50 UNIT', or a whole number of the smallest unit
	amount: AmountText,
}

/// `fabric member set-max-held`
#[derive(Debug, Args)]
pub struct SetMaxHeld {
	/// The provider or the tenant, iprv… or iten…
	member: MemberId,
	/// The most that may be on hold, bond and deposits together: '40 UNIT', or a whole number of
	/// the smallest unit
	amount: AmountText,
}

/// A member, with the amount that a command names for it.
struct Funds {
	at: View,
	member: MemberId,
	info: rows::Member,
	amount: u128,
}

impl TopUp {
	pub(super) async fn prepare(self, setting: &Setting<'_>) -> Result<Action, Error> {
		let funds = Funds::read(setting, self.member, &self.amount).await?;
		let Funds { at, member, info, amount } = &funds;
		let summary = format!(
			"add {} to the bond of {} of the {} {member}",
			at.units().amount(*amount),
			at.units().amount(info.bond),
			kind(*member)
		);
		let call = calls::TopUpBond { member: *member, amount: *amount };
		let action = at.destructive(Authority::of(*member), call, summary)?;
		Ok(action.explained(move |error| funds.explain_limit(error)))
	}
}

impl SetMaxHeld {
	pub(super) async fn prepare(self, setting: &Setting<'_>) -> Result<Action, Error> {
		let funds = Funds::read(setting, self.member, &self.amount).await?;
		let Funds { at, member, info, amount } = &funds;
		let summary = format!(
			"allow at most {} to be on hold for the {} {member}, in place of {}",
			at.units().amount(*amount),
			kind(*member),
			at.units().amount(info.max_held)
		);
		let call = calls::SetMaxHeld { member: *member, amount: *amount };
		let action = at.action(Authority::of(*member), call, summary)?;
		Ok(action.explained(move |error| funds.explain_limit(error)))
	}
}

impl Funds {
	async fn read(
		setting: &Setting<'_>,
		member: MemberId,
		amount: &AmountText,
	) -> Result<Self, Error> {
		let at = setting.view().await?;
		let info = at.member(member).await?;
		let amount = amount.resolve(at.units())?;
		Ok(Self { at, member, info, amount })
	}

	/// Adds to the chain's refusal of a limit how much is on hold for the member, and the limit.
	fn explain_limit(&self, error: Error) -> Error {
		let Self { at, member, info, .. } = self;
		if !error.is_fabric("HeldLimitExceeded") {
			return error;
		}
		error.with_hint(format!(
			"{} is on hold for {member}, of at most {}",
			at.units().amount(info.held()),
			at.units().amount(info.max_held)
		))
	}
}

// SPDX-License-Identifier: Apache-2.0
//! The funds on hold for a member: its bond and the limit.

use clap::Args;
use content_fabric_primitives::MemberId;

use crate::{
	amount::{AmountText, Units},
	chain::{calls, kind, rows, Snapshot},
	commands::{Act, Action, Authority, Context, Outcome},
	ids, Error,
};

/// `fabric member top-up`
#[derive(Debug, Args)]
pub struct TopUp {
	/// The provider or the tenant, iprv… or iten…
	#[arg(value_parser = ids::parse_member)]
	member: MemberId,
	/// The amount to add: '50 UNIT', or a whole number of the smallest unit
	amount: AmountText,
	#[command(flatten)]
	act: Act,
}

/// `fabric member set-max-held`
#[derive(Debug, Args)]
pub struct SetMaxHeld {
	/// The provider or the tenant, iprv… or iten…
	#[arg(value_parser = ids::parse_member)]
	member: MemberId,
	/// The most that may be on hold, bond and deposits together: '40 UNIT', or a whole number of
	/// the smallest unit
	amount: AmountText,
	#[command(flatten)]
	act: Act,
}

/// A member, with the amount that a command names for it.
struct Funds<'a> {
	member: MemberId,
	info: rows::Member,
	amount: u128,
	units: &'a Units,
}

impl TopUp {
	pub(super) async fn run(self, context: &Context) -> Result<Outcome, Error> {
		let Self { member, amount, act } = self;
		submit(context, &act, member, &amount, |at, funds| {
			let Funds { member, info, amount, units } = funds;
			Ok(Action {
				summary: format!(
					"add {} to the bond of {} of the {} {member}",
					units.amount(*amount),
					units.amount(info.bond),
					kind(*member)
				),
				call: at.encode(calls::TopUpBond { member: *member, amount: *amount })?,
				authority: Authority::of(*member),
				destructive: true,
			})
		})
		.await
	}
}

impl SetMaxHeld {
	pub(super) async fn run(self, context: &Context) -> Result<Outcome, Error> {
		let Self { member, amount, act } = self;
		submit(context, &act, member, &amount, |at, funds| {
			let Funds { member, info, amount, units } = funds;
			Ok(Action {
				summary: format!(
					"allow at most {} to be on hold for the {} {member}, in place of {}",
					units.amount(*amount),
					kind(*member),
					units.amount(info.max_held)
				),
				call: at.encode(calls::SetMaxHeld { member: *member, amount: *amount })?,
				authority: Authority::of(*member),
				destructive: false,
			})
		})
		.await
	}
}

/// Submits the action that `action` makes of a member and an amount. Explains a refusal of a limit.
async fn submit(
	context: &Context,
	act: &Act,
	member: MemberId,
	amount: &AmountText,
	action: impl FnOnce(&Snapshot, &Funds<'_>) -> Result<Action, Error>,
) -> Result<Outcome, Error> {
	let chain = context.connect().await?;
	let at = chain.best().await?;
	let info = at.member(member).await?;
	let units = &chain.identity().units;
	let funds = Funds { member, info, amount: amount.resolve(units)?, units };
	let outcome = act.run(context, &chain, action(&at, &funds)?).await;
	outcome.map_err(|error| funds.explain_limit(error))
}

impl Funds<'_> {
	/// Adds to the chain's refusal of a limit how much is on hold for the member, and the limit.
	fn explain_limit(&self, error: Error) -> Error {
		let Self { member, info, units, .. } = self;
		if !error.is_fabric("HeldLimitExceeded") {
			return error;
		}
		error.with_hint(format!(
			"{} is on hold for {member}, of at most {}",
			units.amount(info.held()),
			units.amount(info.max_held)
		))
	}
}

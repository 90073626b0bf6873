//! The funds on hold for a member: its bond and the limit.

use clap::Args;
use content_fabric_primitives::MemberId;

use crate::{
	amount::{AmountText, Units},
	chain::{calls, kind, rows},
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

impl TopUp {
	pub(super) async fn run(self, context: &Context) -> Result<Outcome, Error> {
		let Self { member, amount, act } = self;
		let chain = context.connect().await?;
		let at = chain.best().await?;
		let info = at.member(member).await?;
		let units = &chain.identity().units;
		let amount = amount.resolve(units)?;
		let action = Action {
			summary: format!(
				"add {} to the bond of {} of the {} {member}",
				units.amount(amount),
				units.amount(info.bond),
				kind(member)
			),
			call: at.encode(calls::TopUpBond { member, amount })?,
			authority: Authority::of(member),
			destructive: true,
		};
		let outcome = act.run(context, &chain, action).await;
		outcome.map_err(|error| explain_limit(error, member, &info, units))
	}
}

impl SetMaxHeld {
	pub(super) async fn run(self, context: &Context) -> Result<Outcome, Error> {
		let Self { member, amount, act } = self;
		let chain = context.connect().await?;
		let at = chain.best().await?;
		let info = at.member(member).await?;
		let units = &chain.identity().units;
		let amount = amount.resolve(units)?;
		let action = Action {
			summary: format!(
				"allow at most {} to be on hold for the {} {member}, in place of {}",
				units.amount(amount),
				kind(member),
				units.amount(info.max_held)
			),
			call: at.encode(calls::SetMaxHeld { member, amount })?,
			authority: Authority::of(member),
			destructive: false,
		};
		let outcome = act.run(context, &chain, action).await;
		outcome.map_err(|error| explain_limit(error, member, &info, units))
	}
}

/// Adds to the chain's refusal of a limit how much is on hold for the member, and the limit.
fn explain_limit(error: Error, member: MemberId, info: &rows::Member, units: &Units) -> Error {
	if !error.is_fabric("HeldLimitExceeded") {
		return error;
	}
	error.with_hint(format!(
		"{} is on hold for {member}, of at most {}",
		units.amount(info.held()),
		units.amount(info.max_held)
	))
}

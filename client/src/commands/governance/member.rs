// SPDX-License-Identifier: Apache-2.0
//! Acts on a member that stays: suspension, freeze and slash.

use clap::Args;
use content_fabric_primitives::MemberId;

use crate::{
	amount::AmountText,
	chain::{
		calls::{self, Call},
		kind,
		rows::Member,
		Chain, Snapshot, TextLimit,
	},
	commands::{Act, Action, Authority, Context, Outcome},
	ids, Error,
};

/// `fabric governance suspend`, `resume`, `freeze` and `unfreeze`
#[derive(Debug, Args)]
pub struct OnMember {
	/// The provider, iprv…, or the tenant, iten…
	#[arg(value_parser = ids::parse_member)]
	member: MemberId,
	/// The reason, or a link to it. The chain's events carry it
	#[arg(long, value_name = "TEXT")]
	reason: String,
	#[command(flatten)]
	act: Act,
}

/// `fabric governance slash`
#[derive(Debug, Args)]
pub struct Slash {
	/// The provider, iprv…, or the tenant, iten…
	#[arg(value_parser = ids::parse_member)]
	member: MemberId,
	/// The amount: '100 UNIT', or a whole number of the smallest unit
	amount: AmountText,
	/// The reason, or a link to it. The chain's events carry it
	#[arg(long, value_name = "TEXT")]
	reason: String,
	#[command(flatten)]
	act: Act,
}

impl OnMember {
	/// Suspends the member, or lifts its suspension.
	pub async fn set_suspended(self, context: &Context, enabled: bool) -> Result<Outcome, Error> {
		let what = if enabled { "suspend" } else { "lift the suspension of" };
		self.set(context, what, enabled, |member, info, reason| calls::SetSuspended {
			member,
			created: info.created,
			enabled,
			reason,
		})
		.await
	}

	/// Freezes the member, or lifts the freeze.
	pub async fn set_frozen(self, context: &Context, enabled: bool) -> Result<Outcome, Error> {
		let what = if enabled { "freeze" } else { "lift the freeze of" };
		self.set(context, what, enabled, |member, info, reason| calls::SetGovernanceDelete {
			member,
			created: info.created,
			enabled,
			reason,
		})
		.await
	}

	async fn set<C: Call>(
		self,
		context: &Context,
		what: &str,
		destructive: bool,
		call: impl FnOnce(MemberId, &Member, Vec<u8>) -> C,
	) -> Result<Outcome, Error> {
		let Self { member, reason, act } = self;
		let chain = context.connect().await?;
		let at = chain.best().await?;
		let info = governed(&at, member, &reason).await?;
		let action = Action {
			summary: format!("{what} the {} {member}, created as {}", kind(member), info.created),
			call: at.encode(call(member, &info, reason.into_bytes()))?,
			authority: Authority::Governance(info.space),
			destructive,
		};
		act.run(context, &chain, action).await
	}
}

/// Returns the row of a member, which must exist. Checks the length of the reason.
pub(super) async fn governed(
	at: &Snapshot,
	member: MemberId,
	reason: &str,
) -> Result<Member, Error> {
	TextLimit::Reason.ensure(at, "--reason", reason)?;
	Ok(at.member(member).await?)
}

/// Returns how much of which bond is slashed.
pub(super) fn slash_of_bond(chain: &Chain, slash: u128, info: &Member) -> String {
	let units = &chain.identity().units;
	let bond = units.amount(info.bond);
	match slash > info.bond {
		false => format!("{} of its bond of {bond}", units.amount(slash)),
		true => format!("all of its bond of {bond}, which is less than {}", units.amount(slash)),
	}
}

impl Slash {
	/// Slashes the bond.
	pub async fn run(self, context: &Context) -> Result<Outcome, Error> {
		let Self { member, amount, reason, act } = self;
		let chain = context.connect().await?;
		let at = chain.best().await?;
		let info = governed(&at, member, &reason).await?;
		let amount = amount.resolve(&chain.identity().units)?;
		let slashed = slash_of_bond(&chain, amount, &info);
		let call =
			calls::Slash { member, created: info.created, amount, reason: reason.into_bytes() };
		let action = Action {
			summary: format!(
				"slash the {} {member}, created as {}, by {slashed}",
				kind(member),
				info.created
			),
			call: at.encode(call)?,
			authority: Authority::Governance(info.space),
			destructive: true,
		};
		act.run(context, &chain, action).await
	}
}

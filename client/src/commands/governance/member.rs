// SPDX-License-Identifier: Apache-2.0
//! Acts on a member that stays: suspension, freeze and slash.

use clap::Args;
use content_fabric_primitives::MemberId;

use crate::{
	amount::{AmountText, Units},
	chain::{
		calls::{self, Call},
		kind,
		rows::Member,
		Snapshot, TextLimit,
	},
	commands::{Action, Authority, Setting},
	Error,
};

/// `fabric governance suspend`, `resume`, `freeze` and `unfreeze`
#[derive(Debug, Args)]
pub struct OnMember {
	/// The provider, iprv…, or the tenant, iten…
	member: MemberId,
	/// The reason, or a link to it. The chain's events carry it
	#[arg(long, value_name = "TEXT")]
	reason: String,
}

/// `fabric governance slash`
#[derive(Debug, Args)]
pub struct Slash {
	/// The provider, iprv…, or the tenant, iten…
	member: MemberId,
	/// The amount: '100 UNIT', or a whole number of the smallest unit
	amount: AmountText,
	/// The reason, or a link to it. The chain's events carry it
	#[arg(long, value_name = "TEXT")]
	reason: String,
}

impl OnMember {
	/// Suspends the member, or lifts its suspension.
	pub async fn set_suspended(
		self,
		enabled: bool,
		setting: &Setting<'_>,
	) -> Result<Action, Error> {
		let what = if enabled { "suspend" } else { "lift the suspension of" };
		self.set(setting, what, enabled, |member, info, reason| calls::SetSuspended {
			member,
			created: info.created,
			enabled,
			reason,
		})
		.await
	}

	/// Freezes the member, or lifts the freeze.
	pub async fn set_frozen(self, enabled: bool, setting: &Setting<'_>) -> Result<Action, Error> {
		let what = if enabled { "freeze" } else { "lift the freeze of" };
		self.set(setting, what, enabled, |member, info, reason| calls::SetGovernanceDelete {
			member,
			created: info.created,
			enabled,
			reason,
		})
		.await
	}

	async fn set<C: Call>(
		self,
		setting: &Setting<'_>,
		what: &str,
		destructive: bool,
		call: impl FnOnce(MemberId, &Member, Vec<u8>) -> C,
	) -> Result<Action, Error> {
		let Self { member, reason } = self;
		let at = setting.view().await?;
		let info = governed(&at, member, &reason).await?;
		let summary = format!("{what} the {} {member}, created as {}", kind(member), info.created);
		let call = call(member, &info, reason.into_bytes());
		let action = at.action(Authority::Governance(info.space), call, summary)?;
		Ok(Action { destructive, ..action })
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
pub(super) fn slash_of_bond(units: &Units, slash: u128, info: &Member) -> String {
	let bond = units.amount(info.bond);
	match slash > info.bond {
		false => format!("{} of its bond of {bond}", units.amount(slash)),
		true => format!("all of its bond of {bond}, which is less than {}", units.amount(slash)),
	}
}

impl Slash {
	/// Slashes the bond.
	pub async fn prepare(self, setting: &Setting<'_>) -> Result<Action, Error> {
		let Self { member, amount, reason } = self;
		let at = setting.view().await?;
		let info = governed(&at, member, &reason).await?;
		let (amount, created) = (amount.resolve(at.units())?, info.created);
		let slashed = slash_of_bond(at.units(), amount, &info);
		let kind = kind(member);
		let summary = format!("slash the {kind} {member}, created as {created}, by {slashed}");
		let call = calls::Slash { member, created, amount, reason: reason.into_bytes() };
		at.destructive(Authority::Governance(info.space), call, summary)
	}
}

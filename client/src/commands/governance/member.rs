// SPDX-License-Identifier: Apache-2.0
//! Acts on a member that stays: suspension, freeze and slash.

use clap::Args;
use content_fabric_primitives::MemberId;

use crate::{
	amount::{AmountText, Units},
	chain::{calls, kind, rows, Snapshot, TextLimit},
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

/// A state of a member that governance sets and clears.
pub enum State {
	Suspended,
	Frozen,
}

impl OnMember {
	pub async fn set(
		self,
		setting: &Setting<'_>,
		state: State,
		enabled: bool,
	) -> Result<Action, Error> {
		let Self { member, reason } = self;
		let at = setting.view().await?;
		let rows::Member { space, created, .. } = governed(&at, member, &reason).await?;
		let reason = reason.into_bytes();
		let call = match state {
			State::Suspended => {
				at.encode(calls::SetSuspended { member, created, enabled, reason })?
			},
			State::Frozen => {
				at.encode(calls::SetGovernanceDelete { member, created, enabled, reason })?
			},
		};
		let what = match (state, enabled) {
			(State::Suspended, true) => "suspend",
			(State::Suspended, false) => "lift the suspension of",
			(State::Frozen, true) => "freeze",
			(State::Frozen, false) => "lift the freeze of",
		};
		let summary = format!("{what} the {} {member}, created as {created}", kind(member));
		let action = at.action_of(Authority::Governance(space), call, summary);
		Ok(Action { destructive: enabled, ..action })
	}
}

/// Returns the row of a member, which must exist. Checks the length of the reason.
pub(super) async fn governed(
	at: &Snapshot,
	member: MemberId,
	reason: &str,
) -> Result<rows::Member, Error> {
	TextLimit::Reason.ensure(at, "--reason", reason)?;
	Ok(at.member(member).await?)
}

/// Returns how much of which bond is slashed.
pub(super) fn slash_of_bond(units: &Units, slash: u128, info: &rows::Member) -> String {
	let bond = units.amount(info.bond);
	match slash > info.bond {
		false => format!("{} of its bond of {bond}", units.amount(slash)),
		true => format!("all of its bond of {bond}, which is less than {}", units.amount(slash)),
	}
}

impl Slash {
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

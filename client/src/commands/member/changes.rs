// SPDX-License-Identifier: Apache-2.0
//! Changes of a member: of its bond and its limit, of its root, and its end.

use clap::Args;
use content_fabric_primitives::MemberId;
use subxt::utils::AccountId32;

use crate::{
	amount::{AmountText, Units},
	chain::{calls, kind, rows, Snapshot},
	commands::{
		purges::{reap_limit, Watched},
		Action, Authority, Setting, View,
	},
	ids,
	text::count,
	Error,
};

#[derive(Debug, Args)]
pub struct TopUp {
	/// The provider or the tenant, iprv… or iten…
	member: MemberId,
	/// The amount to add: '50 UNIT', or a whole number of the smallest unit
	amount: AmountText,
}

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

/// `fabric member nominate` and `fabric governance nominate`
#[derive(Debug, Args)]
pub struct Nominate {
	/// The provider or the tenant, iprv… or iten…
	member: MemberId,
	/// The account that may become the root
	#[arg(required_unless_present = "withdraw", value_parser = ids::parse_account)]
	account: Option<AccountId32>,
	/// Withdraw the present nomination
	#[arg(long, conflicts_with = "account")]
	withdraw: bool,
}

#[derive(Debug, Args)]
pub struct Accept {
	/// The provider or the tenant, iprv… or iten…
	member: MemberId,
	/// The most that may be on hold for it on the account of the signer, bond and deposits
	/// together: '40 UNIT', or a whole number of the smallest unit
	#[arg(long, value_name = "AMOUNT")]
	max_held: AmountText,
}

impl Nominate {
	/// Nominates the next root as the present one, or withdraws the nomination.
	pub(super) async fn by_root(self, setting: &Setting<'_>) -> Result<Action, Error> {
		let authority = Authority::of(self.member);
		self.prepare(setting, |_| authority).await
	}

	/// Nominates the next root as the governance of the space, or withdraws the nomination.
	pub(in crate::commands) async fn by_governance(
		self,
		setting: &Setting<'_>,
	) -> Result<Action, Error> {
		self.prepare(setting, |info| Authority::Governance(info.space)).await
	}

	async fn prepare(
		self,
		setting: &Setting<'_>,
		authority: impl FnOnce(&rows::Member) -> Authority,
	) -> Result<Action, Error> {
		let Self { member, account: nominee, .. } = self;
		let at = setting.view().await?;
		let info = at.member(member).await?;
		let (kind, created) = (kind(member), info.created);
		let of = format!("of the {kind} {member}, created as {created}");
		let summary = match nominee {
			Some(nominee) => format!("nominate {nominee} as the root {of}"),
			None => format!("withdraw the nomination of a root {of}"),
		};
		let call = calls::NominateRoot { member, created, nominee };
		at.destructive(authority(&info), call, summary)
	}
}

impl Accept {
	pub(super) async fn prepare(self, setting: &Setting<'_>) -> Result<Action, Error> {
		let Self { member, max_held } = self;
		let at = setting.view().await?;
		let info = at.member(member).await?;
		let max_held = max_held.resolve(at.units())?;
		let summary = format!(
			"become the root of the {} {member} in place of {}, with at most {} on hold",
			kind(member),
			info.root,
			at.units().amount(max_held)
		);
		let call = calls::AcceptRoot { member, max_held };
		let action = at.destructive(Authority::Anyone, call, summary)?;
		Ok(action.explained(move |error| explain_acceptance(error, member, &info, at.units())))
	}
}

/// Adds to a refusal of a nominee who may accept, and when.
fn explain_acceptance(error: Error, member: MemberId, info: &rows::Member, units: &Units) -> Error {
	let matures = info.nomination.as_ref().and_then(|nomination| nomination.governance_matures);
	match (&info.nomination, matures) {
		(_, Some(block)) if error.is_fabric("NominationNotMature") => {
			error.with_hint(format!("the nominee can accept from block {block} on"))
		},
		(Some(nomination), _) if error.is_fabric("NotNominated") => {
			error.with_hint(format!("the nominee is {}", nomination.nominee))
		},
		(None, _) if error.is_fabric("NotNominated") => {
			error.with_hint("the root nominates with `fabric member nominate`")
		},
		_ if error.is_fabric("HeldLimitExceeded") => error.with_hint(format!(
			"{} is on hold for {member} and moves to the new root: pass --max-held with at least that",
			units.amount(info.held())
		)),
		_ => error,
	}
}

#[derive(Debug, Args)]
pub struct Leave {
	/// The provider or the tenant, iprv… or iten…
	member: MemberId,
}

#[derive(Debug, Args)]
pub struct Reap {
	/// The provider or the tenant, iprv… or iten…
	member: MemberId,
	/// Maximum number of rows to remove [default: as many as fit into a transaction]
	#[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
	limit: Option<u32>,
}

impl Leave {
	pub(super) async fn prepare(self, setting: &Setting<'_>) -> Result<Action, Error> {
		let member = self.member;
		let at = setting.view().await?;
		let info = at.member(member).await?;
		let (kind, held) = (kind(member), at.units().amount(info.held()));
		let summary = format!("delete the {kind} {member}, and release {held} of {}", info.root);
		let call = calls::DeleteMember { member };
		let action = at.destructive(Authority::of(member), call, summary)?;
		Ok(action.explained(move |error| explain_leave(error, &at, member, info.empty_since)))
	}
}

/// Adds to a refusal when the member can be deleted, or what comes first.
fn explain_leave(error: Error, at: &Snapshot, member: MemberId, empty_since: Option<u64>) -> Error {
	if error.is_fabric("ProviderNotEmpty") || error.is_fabric("TenantNotEmpty") {
		return error.with_hint(format!("`fabric member purge {member}` removes all of them"));
	}
	let period = at.constant::<u64>("ContentFabric", "UnbondingPeriod");
	match (empty_since, period) {
		(Some(since), Ok(period)) if error.is_fabric("UnbondingPeriodNotOver") => {
			let block = since.saturating_add(period);
			error.with_hint(format!("it can be deleted from block {block} on"))
		},
		_ => error,
	}
}

impl Reap {
	pub(super) async fn prepare(self, setting: &Setting<'_>) -> Result<Action, Error> {
		let Self { member, limit } = self;
		let at = setting.view().await?;
		let purge = Watched::find(&at, member).await?;
		let left = purge.rows_left(&at).await?.unwrap_or(0);
		let limit = match limit {
			Some(limit) => limit,
			None => reap_limit(&at, member, left).await?,
		};
		let (kind, left) = (kind(member), count(left, "row", "rows"));
		let summary =
			format!("remove at most {limit} of the {left} left under the {kind} {member}");
		at.destructive(Authority::Anyone, calls::Reap { member, limit }, summary)
	}
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::TenantId;

	use super::*;
	use crate::chain::rows::Nomination;

	fn explained(error: &str, nomination: Option<Nomination>) -> String {
		let info = rows::Member {
			nomination,
			bond: 500,
			own_deposit: 20,
			deposit: 5,
			..rows::Member::sample()
		};
		let (call, reason) = ("a".into(), format!("ContentFabric.{error}: Refused."));
		let error = Error::from(crate::chain::Error::Dispatch { call, reason });
		let units = Units::new(2, "UNIT");
		explain_acceptance(error, TenantId([1; 10]).into(), &info, &units).to_string()
	}

	#[test]
	fn a_refusal_to_accept_names_nominee_block_or_amount() {
		let nominee = AccountId32([2; 32]);
		let nomination = |matures| Some(Nomination { nominee, governance_matures: matures });
		for (error, nomination, hint) in [
			("NominationNotMature", nomination(Some(9)), "from block 9 on".to_owned()),
			("NotNominated", nomination(Some(9)), format!("the nominee is {nominee}")),
			("NotNominated", None, "`fabric member nominate`".to_owned()),
			("HeldLimitExceeded", nomination(None), "5.25 UNIT is on hold".to_owned()),
		] {
			let text = explained(error, nomination);
			assert!(text.contains(&hint), "{text}, expected {hint}");
		}
		assert_eq!(explained("BeingPurged", None), "a failed: ContentFabric.BeingPurged: Refused.");
	}
}

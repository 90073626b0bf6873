// SPDX-License-Identifier: Apache-2.0
//! Gives a member another root.

use clap::Args;
use content_fabric_primitives::MemberId;
use subxt::utils::AccountId32;

use crate::{
	amount::{AmountText, Units},
	chain::{calls, kind, rows},
	commands::{Action, Authority, Setting},
	ids, Error,
};

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

/// `fabric member accept`
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

#[cfg(test)]
mod tests {
	use std::collections::BTreeMap;

	use content_fabric_identifiers::{Muid, SpaceId, TenantId};

	use super::*;
	use crate::chain::rows::Nomination;

	fn explained(error: &str, nomination: Option<Nomination>) -> String {
		let info = rows::Member {
			space: SpaceId([1; 10]),
			root: AccountId32([1; 32]),
			nomination,
			max_held: 1_000,
			bond: 500,
			own_deposit: 20,
			deposit: 5,
			rows: BTreeMap::new(),
			empty_since: None,
			governance_delete: false,
			suspended: false,
			purge: None,
			created: Muid::from_bytes([1; 16]),
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

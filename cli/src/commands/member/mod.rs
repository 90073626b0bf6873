// SPDX-License-Identifier: Apache-2.0
//! `fabric member`: what providers and tenants have in common, from their bond to their end.

mod purge;

use clap::{Args, Subcommand};
use content_fabric_client::{
	amount::{AmountText, Units},
	chain::{calls, kind, rows, Snapshot},
	ids::Address,
	text::count,
};
use content_fabric_primitives::MemberId;

use self::purge::Purge;
use super::{
	address::account_of,
	purges::{reap_limit, Watched},
	Action, Authority, Context, Setting, Submit,
};
use crate::Error;

#[derive(Debug, Subcommand)]
pub enum Command {
	/// Add to the bond of a provider or a tenant
	#[command(after_long_help = "\
Example:
  fabric member top-up iprv… '50 UNIT'

The bond stays on hold until the member is deleted, and governance can slash it.")]
	TopUp(Submit<TopUp>),
	/// Limit what may be on hold for a provider or a tenant
	#[command(after_long_help = "\
Example:
  fabric member set-max-held iten… '40 UNIT'

A call that would put more on hold fails, whoever signs it.")]
	SetMaxHeld(Submit<SetMaxHeld>),
	/// Nominate the next root of a provider or a tenant, or withdraw the nomination
	#[command(after_long_help = "\
Examples:
  fabric member nominate iten… 5F3s…
  fabric member nominate iten… --withdraw

The nominee becomes the root with `fabric member accept`. Governance nominates with \
`fabric governance nominate`.")]
	Nominate(Submit<Nominate>),
	/// Accept a nomination, and become the root of a provider or a tenant
	#[command(after_long_help = "\
Example:
  fabric member accept iten… --max-held '40 UNIT' --signer keystore:new-root.json

Bond and deposits move to the account of the signer. The access keys of others stay: review them \
with `fabric tree`.")]
	Accept(Submit<Accept>),
	/// Remove everything under a provider or a tenant
	#[command(after_long_help = "\
Examples:
  fabric member purge iten…
  fabric member purge iten… --no-wait

The member itself stays, with its bond. The command follows the purge to its end. Run again, it \
asks, and resumes a purge that is under way.")]
	Purge(Submit<Purge>),
	/// Delete a provider or a tenant that has nothing under it, and release its bond
	#[command(after_long_help = "\
Example:
  fabric member leave iten…

While a bond is on hold, the member must have been empty for the chain's unbonding period.")]
	Leave(Submit<Leave>),
	/// Remove rows of a purge that is under way, as any account
	#[command(after_long_help = "\
Examples:
  fabric member reap iten…
  fabric member reap iten… --limit 100

The chain removes the rows by itself in blocks with spare weight. This speeds it up, and costs \
no fee if it removes enough rows, or all that are left.")]
	Reap(Submit<Reap>),
}

pub async fn run(command: Command, context: &Context) -> Result<(), Error> {
	match command {
		Command::TopUp(command) => command.run(context, top_up).await,
		Command::SetMaxHeld(command) => command.run(context, set_max_held).await,
		Command::Nominate(command) => command.run(context, nominate).await,
		Command::Accept(command) => command.run(context, accept).await,
		Command::Purge(command) => command.purge(context).await,
		Command::Leave(command) => command.run(context, leave).await,
		Command::Reap(command) => command.run(context, reap).await,
	}
}

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

async fn top_up(options: TopUp, setting: &Setting<'_>) -> Result<Action, Error> {
	let TopUp { member, amount } = options;
	let at = setting.view().await?;
	let info = at.member(member).await?;
	let amount = amount.resolve(at.units())?;
	let summary = format!(
		"add {} to the bond of {} of the {} {member}",
		at.units().amount(amount),
		at.units().amount(info.bond),
		kind(member)
	);
	let call = calls::TopUpBond { member, amount };
	let action = at.destructive(Authority::of(member), call, summary)?;
	Ok(action.explained(move |error| explain_limit(error, at.units(), member, &info)))
}

async fn set_max_held(options: SetMaxHeld, setting: &Setting<'_>) -> Result<Action, Error> {
	let SetMaxHeld { member, amount } = options;
	let at = setting.view().await?;
	let info = at.member(member).await?;
	let amount = amount.resolve(at.units())?;
	let summary = format!(
		"allow at most {} to be on hold for the {} {member}, in place of {}",
		at.units().amount(amount),
		kind(member),
		at.units().amount(info.max_held)
	);
	let call = calls::SetMaxHeld { member, amount };
	let action = at.action(Authority::of(member), call, summary)?;
	Ok(action.explained(move |error| explain_limit(error, at.units(), member, &info)))
}

/// Adds to the chain's refusal of a limit how much is on hold for the member, and the limit.
fn explain_limit(error: Error, units: &Units, member: MemberId, info: &rows::Member) -> Error {
	if !error.is_fabric("HeldLimitExceeded") {
		return error;
	}
	error.with_hint(format!(
		"{} is on hold for {member}, of at most {}",
		units.amount(info.held()),
		units.amount(info.max_held)
	))
}

/// `fabric member nominate` and `fabric governance nominate`
#[derive(Debug, Args)]
pub struct Nominate {
	/// The provider or the tenant, iprv… or iten…
	member: MemberId,
	/// The account that may become the root
	#[arg(required_unless_present = "withdraw")]
	account: Option<Address>,
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

/// Nominates the next root as the present one, or withdraws the nomination.
async fn nominate(options: Nominate, setting: &Setting<'_>) -> Result<Action, Error> {
	let authority = Authority::of(options.member);
	nominate_as(options, setting, |_| authority).await
}

/// Nominates the next root as the governance of the space, or withdraws the nomination.
pub async fn nominate_by_governance(
	options: Nominate,
	setting: &Setting<'_>,
) -> Result<Action, Error> {
	nominate_as(options, setting, |info| Authority::Governance(info.space)).await
}

async fn nominate_as(
	options: Nominate,
	setting: &Setting<'_>,
	authority: impl FnOnce(&rows::Member) -> Authority,
) -> Result<Action, Error> {
	let Nominate { member, account, .. } = options;
	let at = setting.view().await?;
	let nominee = account.map(|address| account_of(&at, &address)).transpose()?;
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

async fn accept(options: Accept, setting: &Setting<'_>) -> Result<Action, Error> {
	let Accept { member, max_held } = options;
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

async fn leave(options: Leave, setting: &Setting<'_>) -> Result<Action, Error> {
	let member = options.member;
	let at = setting.view().await?;
	let info = at.member(member).await?;
	let (kind, held) = (kind(member), at.units().amount(info.held()));
	let summary = format!("delete the {kind} {member}, and release {held} of {}", info.root);
	let call = calls::DeleteMember { member };
	let action = at.destructive(Authority::of(member), call, summary)?;
	Ok(action.explained(move |error| explain_leave(error, &at, member, info.empty_since)))
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

async fn reap(options: Reap, setting: &Setting<'_>) -> Result<Action, Error> {
	let Reap { member, limit } = options;
	let at = setting.view().await?;
	let purge = Watched::find(&at, member).await?;
	let left = purge.rows_left(&at).await?.unwrap_or(0);
	let limit = match limit {
		Some(limit) => limit,
		None => reap_limit(&at, member, left).await?,
	};
	let (kind, left) = (kind(member), count(left, "row", "rows"));
	let summary = format!("remove at most {limit} of the {left} left under the {kind} {member}");
	at.destructive(Authority::Anyone, calls::Reap { member, limit }, summary)
}

#[cfg(test)]
mod tests {
	use content_fabric_client::{chain::rows::Nomination, samples};
	use content_fabric_identifiers::TenantId;

	use super::*;

	fn explained(error: &str, nomination: Option<Nomination>) -> String {
		let info = rows::Member {
			nomination,
			bond: 500,
			own_deposit: 20,
			deposit: 5,
			..samples::member()
		};
		let (call, reason) = ("a".into(), format!("ContentFabric.{error}: Refused."));
		let error = Error::from(content_fabric_client::chain::Error::Dispatch { call, reason });
		let units = Units::new(2, "UNIT");
		explain_acceptance(error, TenantId([1; 10]).into(), &info, &units).to_string()
	}

	#[test]
	fn a_refusal_to_accept_names_nominee_block_or_amount() {
		let nominee = subxt::utils::AccountId32([2; 32]);
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

// SPDX-License-Identifier: Apache-2.0
//! `fabric governance`: what the governance of a space does to its providers and tenants.

mod frozen;
mod purge;
mod reason;

use clap::{Args, Subcommand};
use content_fabric_client::{
	amount::{AmountText, Units},
	chain::{calls, kind, rows},
};
use content_fabric_primitives::MemberId;

use self::{purge::Purge, reason::Reason};
use super::{
	collection, key, kms,
	member::{nominate_by_governance, Nominate},
	node, object, version, Action, Authority, Context, Setting, Submit,
};
use crate::Error;

#[derive(Debug, Subcommand)]
pub enum Command {
	/// Suspend a provider or a tenant: only governance can act for it
	#[command(after_long_help = "\
Examples:
  fabric governance suspend iten… --reason 'unpaid since May'
  fabric governance suspend iten… --reason 'unpaid since May' --council propose --signer env:KEY

A motion of the council is the call with its arguments: vote on it and close it with the same
arguments, including the reason.")]
	Suspend(Submit<OnMember>),
	/// Lift the suspension of a provider or a tenant
	#[command(after_long_help = "\
Example:
  fabric governance resume iten… --reason 'paid'")]
	Resume(Submit<OnMember>),
	/// Freeze a provider or a tenant, so that governance can delete its rows one by one
	#[command(after_long_help = "\
Example:
  fabric governance freeze iten… --reason 'unlawful content'

While a member is frozen, governance can delete its rows one by one with the commands `fabric
governance delete-…`, also while it is suspended.")]
	Freeze(Submit<OnMember>),
	/// Lift the freeze of a provider or a tenant
	#[command(after_long_help = "\
Example:
  fabric governance unfreeze iten… --reason 'content removed'")]
	Unfreeze(Submit<OnMember>),
	/// Slash the bond of a provider or a tenant, at most all of it
	#[command(after_long_help = "\
Examples:
  fabric governance slash iprv… '10 UNIT' --reason 'data lost'
  fabric governance slash iprv… '10 UNIT' --reason 'data lost' --dry-run")]
	Slash(Submit<Slash>),
	/// Delete a provider or a tenant with all rows under it
	#[command(after_long_help = "\
Examples:
  fabric governance purge iten… --reason 'unlawful content'
  fabric governance purge iprv… --slash '10 UNIT' --reason 'data lost' --no-wait
  fabric governance purge iten… --reason 'unlawful content' --council close --signer env:KEY

Follows the purge to its end, and removes rows itself where the chain does not. A purge that is
under way is resumed after a confirmation.")]
	Purge(Submit<Purge>),
	/// Nominate the next root of a provider or a tenant, or withdraw the nomination
	#[command(after_long_help = "\
Examples:
  fabric governance nominate iten… 5F3s…
  fabric governance nominate iten… --withdraw

For members whose root is lost. The nominee can accept after the unbonding period of the chain.")]
	Nominate(Submit<Nominate>),
	/// Remove a node of a frozen provider
	#[command(after_long_help = "\
Example:
  fabric governance delete-node iprv… inod… --reason 'a court order'")]
	DeleteNode(Submit<frozen::Row<node::Which>>),
	/// Revoke an access key in a frozen provider or tenant
	#[command(after_long_help = "\
Example:
  fabric governance delete-key iten… 5F3s… --reason 'a court order'")]
	DeleteKey(Submit<frozen::Row<key::Which>>),
	/// Remove a KMS of a frozen tenant
	#[command(after_long_help = "\
Example:
  fabric governance delete-kms iten… ikms… --reason 'a court order'")]
	DeleteKms(Submit<frozen::Row<kms::Which>>),
	/// Delete a content object of a frozen tenant. It must not have versions
	#[command(after_long_help = "\
Example:
  fabric governance delete-object iten… iq__… --reason 'a court order'")]
	DeleteObject(Submit<frozen::Row<object::Which>>),
	/// Delete a version of a frozen tenant, even the head
	#[command(after_long_help = "\
Examples:
  fabric governance delete-version iten… iq__… hq__… --reason 'a court order'
  fabric governance delete-version iten… iq__… hq__… --reason 'a court order' --council propose

A motion of the council is the call with its arguments: vote on it and close it with the same
arguments, including the reason.")]
	DeleteVersion(Submit<frozen::Row<version::Which>>),
	/// Delete a collection of a frozen tenant. It must not have records
	#[command(after_long_help = "\
Example:
  fabric governance delete-collection iten… names --reason 'a court order'")]
	DeleteCollection(Submit<frozen::Row<collection::Which>>),
	/// Delete a record of a frozen tenant
	#[command(after_long_help = "\
Example:
  fabric governance delete-record iten… names serde:1.0.0 --reason 'a court order'")]
	DeleteRecord(Submit<frozen::Row<frozen::Record>>),
}

pub async fn run(command: Command, context: &Context) -> Result<(), Error> {
	match command {
		Command::Suspend(command) => {
			command.run(context, async |on, by| on.set(by, State::Suspended, true).await).await
		},
		Command::Resume(command) => {
			command.run(context, async |on, by| on.set(by, State::Suspended, false).await).await
		},
		Command::Freeze(command) => {
			command.run(context, async |on, by| on.set(by, State::Frozen, true).await).await
		},
		Command::Unfreeze(command) => {
			command.run(context, async |on, by| on.set(by, State::Frozen, false).await).await
		},
		Command::Slash(command) => command.run(context, slash).await,
		Command::Purge(command) => command.purge(context).await,
		Command::Nominate(command) => command.run(context, nominate_by_governance).await,
		Command::DeleteNode(command) => command.run(context, frozen::node).await,
		Command::DeleteKey(command) => command.run(context, frozen::key).await,
		Command::DeleteKms(command) => command.run(context, frozen::kms).await,
		Command::DeleteObject(command) => command.run(context, frozen::object).await,
		Command::DeleteVersion(command) => command.run(context, frozen::version).await,
		Command::DeleteCollection(command) => command.run(context, frozen::collection).await,
		Command::DeleteRecord(command) => command.run(context, frozen::record).await,
	}
}

/// `fabric governance suspend`, `resume`, `freeze` and `unfreeze`
#[derive(Debug, Args)]
pub struct OnMember {
	/// The provider, iprv…, or the tenant, iten…
	member: MemberId,
	#[command(flatten)]
	reason: Reason,
}

#[derive(Debug, Args)]
pub struct Slash {
	/// The provider, iprv…, or the tenant, iten…
	member: MemberId,
	/// The amount: '100 UNIT', or a whole number of the smallest unit
	amount: AmountText,
	#[command(flatten)]
	reason: Reason,
}

/// A state of a member that governance sets and clears.
enum State {
	Suspended,
	Frozen,
}

impl OnMember {
	async fn set(
		self,
		setting: &Setting<'_>,
		state: State,
		enabled: bool,
	) -> Result<Action, Error> {
		let Self { member, reason } = self;
		let at = setting.view().await?;
		let rows::Member { space, created, .. } = reason.governed(&at, member).await?;
		let reason = reason.to_bytes();
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

/// Returns a text that says how much of the bond is slashed.
fn slash_of_bond(units: &Units, slash: u128, info: &rows::Member) -> String {
	let bond = units.amount(info.bond);
	match slash > info.bond {
		false => format!("{} of its bond of {bond}", units.amount(slash)),
		true => format!("all of its bond of {bond}, which is less than {}", units.amount(slash)),
	}
}

async fn slash(options: Slash, setting: &Setting<'_>) -> Result<Action, Error> {
	let Slash { member, amount, reason } = options;
	let at = setting.view().await?;
	let info = reason.governed(&at, member).await?;
	let (amount, created) = (amount.resolve(at.units())?, info.created);
	let slashed = slash_of_bond(at.units(), amount, &info);
	let kind = kind(member);
	let summary = format!("slash the {kind} {member}, created as {created}, by {slashed}");
	let call = calls::Slash { member, created, amount, reason: reason.to_bytes() };
	at.destructive(Authority::Governance(info.space), call, summary)
}

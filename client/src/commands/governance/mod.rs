// SPDX-License-Identifier: Apache-2.0
//! `fabric governance`: what the governance of a space does to its providers and tenants.

mod frozen;
mod member;
mod purge;

use clap::Subcommand;

use self::{
	member::{OnMember, Slash, State},
	purge::Purge,
};
use super::{collection, kms, member::Nominate, node, object, version, Context, Submit};
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
	/// Freeze a provider or a tenant, and open its rows to deletion one by one
	#[command(after_long_help = "\
Example:
  fabric governance freeze iten… --reason 'unlawful content'

While a member is frozen, any account can delete its rows with the commands `fabric governance
delete-…`.")]
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
  fabric governance delete-node iprv… inod…")]
	DeleteNode(Submit<node::Which>),
	/// Revoke an access key in a frozen provider or tenant
	#[command(after_long_help = "\
Example:
  fabric governance delete-key iten… 5F3s…")]
	DeleteKey(Submit<frozen::Key>),
	/// Remove a KMS of a frozen tenant
	#[command(after_long_help = "\
Example:
  fabric governance delete-kms iten… ikms…")]
	DeleteKms(Submit<kms::Which>),
	/// Delete a content object of a frozen tenant. It must not have versions
	#[command(after_long_help = "\
Example:
  fabric governance delete-object iten… iq__…")]
	DeleteObject(Submit<object::Which>),
	/// Delete a version of a frozen tenant, even the head
	#[command(after_long_help = "\
Example:
  fabric governance delete-version iten… iq__… hq__…")]
	DeleteVersion(Submit<version::Which>),
	/// Delete a collection of a frozen tenant. It must not have records
	#[command(after_long_help = "\
Example:
  fabric governance delete-collection iten… names")]
	DeleteCollection(Submit<collection::Which>),
	/// Delete a record of a frozen tenant
	#[command(after_long_help = "\
Example:
  fabric governance delete-record iten… names serde:1.0.0")]
	DeleteRecord(Submit<frozen::Record>),
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
		Command::Slash(command) => command.run(context, Slash::prepare).await,
		Command::Purge(command) => command.purge(context).await,
		Command::Nominate(command) => command.run(context, Nominate::by_governance).await,
		Command::DeleteNode(command) => command.run(context, frozen::node).await,
		Command::DeleteKey(command) => command.run(context, frozen::key).await,
		Command::DeleteKms(command) => command.run(context, frozen::kms).await,
		Command::DeleteObject(command) => command.run(context, frozen::object).await,
		Command::DeleteVersion(command) => command.run(context, frozen::version).await,
		Command::DeleteCollection(command) => command.run(context, frozen::collection).await,
		Command::DeleteRecord(command) => command.run(context, frozen::record).await,
	}
}

// SPDX-License-Identifier: Apache-2.0
//! `fabric provider` and `fabric tenant`: create providers and tenants.

use clap::{Args, Subcommand};
use content_fabric_client::{
	amount::{AmountText, Units},
	chain::{kind, rows, Chain},
	keys::Signer,
};
use content_fabric_identifiers::{ProviderId, SpaceId, TenantId};
use content_fabric_primitives::MemberId;
use subxt::utils::AccountId32;

use super::{
	naming::{Naming, ParsedId},
	Authority, Context, Submit,
};
use crate::Error;

#[derive(Debug, Subcommand)]
pub enum ProviderCommand {
	/// Create a provider in a space
	#[command(after_long_help = "\
Examples:
  fabric provider create ispc… --name acme --max-held '500 UNIT' --signer keystore:acme.json
  fabric provider create ispc… --name acme --max-held '500 UNIT' --dry-run

The signer becomes the root of the provider. The bond that the space requires, and a deposit, are \
put on hold on its account. Where the space asks for approval, its governance must have admitted the \
account with `fabric space admit`. The commands that all members share are under `fabric member`.")]
	Create(Submit<Create<ProviderId>>),
}

#[derive(Debug, Subcommand)]
pub enum TenantCommand {
	/// Create a tenant in a space
	#[command(after_long_help = "\
Examples:
  fabric tenant create ispc… --name docs --max-held '20 UNIT' --signer keystore:docs.json
  fabric tenant create ispc… --name docs --max-held '20 UNIT' --dry-run

The signer becomes the root of the tenant. The bond that the space requires, and a deposit, are put \
on hold on its account. Where the space asks for approval, its governance must have admitted the \
account with `fabric space admit`. The commands that all members share are under `fabric member`.")]
	Create(Submit<Create<TenantId>>),
}

/// `fabric provider create` and `fabric tenant create`
#[derive(Debug, Args)]
pub struct Create<Id: ParsedId> {
	/// The space, ispc…
	space: SpaceId,
	#[command(flatten)]
	naming: Naming<Id>,
	/// The most that may be on hold for the new member, bond and deposits together: '20 UNIT', or a
	/// whole number of the smallest unit
	#[arg(long, value_name = "AMOUNT")]
	max_held: AmountText,
}

impl<Id: ParsedId + Into<MemberId>> Submit<Create<Id>> {
	/// Creates a member of a space, and prints the outcome. `derive` makes its id of the space and
	/// a name.
	pub(crate) async fn create(
		self,
		context: &Context,
		derive: impl FnOnce(SpaceId, &str) -> Id,
	) -> Result<(), Error> {
		let Self { command: Create { space, naming, max_held }, act } = self;
		let member = naming.resolve(|name| derive(space, name))?.into();
		let at = context.view().await?;
		let max_held = max_held.resolve(at.units())?;
		let bond = at.space(space).await?.rules.bond(member.role());
		let summary = format!(
			"create the {} {member} in {space}, with a bond of {} and at most {} on hold",
			kind(member),
			at.units().amount(bond),
			at.units().amount(max_held)
		);
		let call = at.create_member(space, member, max_held)?;
		let action = at.action_of(Authority::of(member), call, summary);
		let signer = act.load_signer(context, &at.chain, action.authority)?;
		let outcome = act.run_as(context, action, signer.as_ref()).await;
		let root = act.real().or_else(|| signer.as_ref().map(Signer::account));
		match (outcome, root) {
			(Err(error), Some(root)) => {
				Err(explain(error, &at.chain, space, member, bond, root).await)
			},
			(outcome, _) => outcome?.report(context),
		}
	}
}

/// Adds to a refusal what the future root can do about it. `bond` is what the space requires.
async fn explain(
	error: Error,
	chain: &Chain,
	space: SpaceId,
	member: MemberId,
	bond: u128,
	root: &AccountId32,
) -> Error {
	let kind = kind(member);
	if error.is_fabric("NotAdmitted") {
		return error.with_hint(format!(
			"the governance of {space} can admit the account: `fabric space admit {space} {root} \
			 {kind}`"
		));
	}
	if !error.is_fabric("HeldLimitExceeded") && !error.is_lack_of_funds() {
		return error;
	}
	// The refusal matters more than a failure to explain it.
	match funds(chain, space, member, root).await {
		Ok((held, free)) => {
			let units = &chain.identity().units;
			error.with_hint(advice(units, kind, root, bond, held, free))
		},
		Err(_) => error,
	}
}

/// Returns all that would be put on hold for a new member, unless the account cannot afford it, and
/// what the account can spend.
async fn funds(
	chain: &Chain,
	space: SpaceId,
	member: MemberId,
	root: &AccountId32,
) -> Result<(Option<u128>, u128), Error> {
	let at = chain.best().await?;
	let account = at.get(rows::accounts(), (*root,)).await?;
	// Without a limit, a dry run shows all that would be put on hold.
	let run = at.dry_run(root, &at.create_member(space, member, u128::MAX)?).await?;
	let run = run.filter(|run| run.error.is_none());
	let held = run.and_then(|run| run.held.first().map(|(_, amount)| amount.unsigned_abs()));
	Ok((held, account.map_or(0, |account| account.data.free)))
}

fn advice(
	units: &Units,
	kind: &str,
	root: &AccountId32,
	bond: u128,
	held: Option<u128>,
	free: u128,
) -> String {
	match held {
		Some(held) => format!(
			"it takes {}, a bond of {} and a deposit of {}: pass --max-held with at least that, \
			 and more for what the {kind} is to have",
			units.amount(held),
			units.amount(bond),
			units.amount(held.saturating_sub(bond))
		),
		None => format!(
			"it takes a bond of {} and a deposit, and {root} has {} free",
			units.amount(bond),
			units.amount(free)
		),
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn advice_names_what_is_needed_and_what_the_account_has() {
		let units = Units::new(2, "UNIT");
		let root = AccountId32([1; 32]);
		let advice = |held| advice(&units, "tenant", &root, 500, held, 120);
		assert_eq!(
			advice(Some(525)),
			"it takes 5.25 UNIT, a bond of 5 UNIT and a deposit of 0.25 UNIT: pass --max-held with \
			 at least that, and more for what the tenant is to have"
		);
		assert_eq!(
			advice(None),
			format!("it takes a bond of 5 UNIT and a deposit, and {root} has 1.2 UNIT free")
		);
	}
}

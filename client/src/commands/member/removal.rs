// SPDX-License-Identifier: Apache-2.0
//! Deletes a member, and removes rows of one that is being purged.

use clap::Args;
use content_fabric_primitives::MemberId;

use crate::{
	chain::{calls, kind, Snapshot},
	commands::{
		purges::{reap_limit, Watched},
		Act, Action, Authority, Context, Outcome,
	},
	ids,
	text::count,
	Error,
};

/// `fabric member leave`
#[derive(Debug, Args)]
pub struct Leave {
	/// The provider or the tenant, iprv… or iten…
	#[arg(value_parser = ids::parse_member)]
	member: MemberId,
	#[command(flatten)]
	act: Act,
}

/// `fabric member reap`
#[derive(Debug, Args)]
pub struct Reap {
	/// The provider or the tenant, iprv… or iten…
	#[arg(value_parser = ids::parse_member)]
	member: MemberId,
	/// Maximum number of rows to remove [default: as many as fit into a transaction]
	#[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
	limit: Option<u32>,
	#[command(flatten)]
	act: Act,
}

impl Leave {
	pub(super) async fn run(self, context: &Context) -> Result<Outcome, Error> {
		let Self { member, act } = self;
		let chain = context.connect().await?;
		let at = chain.best().await?;
		let info = at.member(member).await?;
		let action = Action {
			summary: format!(
				"delete the {} {member}, and release {} of {}",
				kind(member),
				chain.identity().units.amount(info.held()),
				info.root
			),
			call: at.encode(calls::DeleteMember { member })?,
			authority: Authority::of(member),
			destructive: true,
		};
		let outcome = act.run(context, &chain, action).await;
		outcome.map_err(|error| explain_leave(error, &at, member, info.empty_since))
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
	pub(super) async fn run(self, context: &Context) -> Result<Outcome, Error> {
		let Self { member, limit, act } = self;
		let chain = context.connect().await?;
		let at = chain.best().await?;
		let purge = Watched::find(&at, member).await?;
		let left = purge.rows_left(&at).await?.unwrap_or(0);
		let limit = match limit {
			Some(limit) => limit,
			None => reap_limit(&at, member, left).await?,
		};
		let action = Action {
			summary: format!(
				"remove at most {limit} of the {} left under the {} {member}",
				count(left, "row", "rows"),
				kind(member)
			),
			call: at.encode(calls::Reap { member, limit })?,
			authority: Authority::Anyone,
			destructive: true,
		};
		act.run(context, &chain, action).await
	}
}

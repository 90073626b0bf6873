// SPDX-License-Identifier: Apache-2.0
//! Deletes a member, and removes rows of one that is being purged.

use clap::Args;
use content_fabric_primitives::MemberId;

use crate::{
	chain::{calls, kind, Snapshot},
	commands::{
		purges::{reap_limit, Watched},
		Action, Authority, Setting,
	},
	text::count,
	Error,
};

/// `fabric member leave`
#[derive(Debug, Args)]
pub struct Leave {
	/// The provider or the tenant, iprv… or iten…
	member: MemberId,
}

/// `fabric member reap`
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

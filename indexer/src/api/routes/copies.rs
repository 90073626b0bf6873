// SPDX-License-Identifier: Apache-2.0
//! Copies at risk.

use content_fabric_client::ids;

use crate::{
	api::{
		ask::{missing, Answer, Ask, PageParams},
		views::{CopyAtRisk, List},
	},
	index::view::{CopyFilter, Risk},
};

/// Returns copies at risk, ascending by the medallions of their nodes.
#[utoipa::path(
	get, path = "/v1/copies",
	params(
		("state" = String, Query,
			description = "`missing`: a node was asked for the copy an hour ago or earlier, and does \
				not hold it, or the node is gone. `failing`: the last audit of the copy was wrong or \
				refused, or the last three of its node were, before a copy was asked for, or the last \
				ten of the copy or of its node were late"),
		("tenant" = Option<String>, Query, description = "Only versions of this tenant"),
		("provider" = Option<String>, Query, description = "Only copies at nodes of this provider"),
		("node" = Option<String>, Query, description = "Only copies at nodes with this id"),
		PageParams,
	),
	responses((status = 200, description = "A page of copies", body = List<CopyAtRisk>)),
)]
pub(crate) async fn copies_at_risk(mut ask: Ask) -> Answer {
	let is_failing = ask.take_word("state", &[("missing", false), ("failing", true)])?;
	let is_failing = is_failing.ok_or_else(|| missing("state"))?;
	let filter = CopyFilter {
		tenant: ask.take_as("tenant", ids::parse)?,
		provider: ask.take_as("provider", ids::parse)?,
		node: ask.take_as("node", ids::parse)?,
	};
	let audits = ask.app.audits.clone();
	let risk = match is_failing {
		true => Risk::Failing(audits.failing()),
		false => Risk::Missing,
	};
	ask.list::<CopyAtRisk, _>(is_failing.into(), "there are no copies", move |view, slice| {
		let page = view.copies_at_risk(&risk, filter, slice)?;
		Ok(Some(page.map(|item| {
			let evidence = audits.of_copy(item.copy.copy.medallion, item.version);
			(item, evidence)
		})))
	})
	.await
}

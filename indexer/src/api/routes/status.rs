// SPDX-License-Identifier: Apache-2.0
//! The state of the index, the search, and what programs ask.

use std::sync::LazyLock;

use axum::{body::Bytes, response::IntoResponse};
use tracing::error;

use crate::{
	api::{
		ask::{at, Answer, Ask, JSON},
		error::{Error, Failures, Kind},
		router,
		views::{At, List, One, Point, Status},
	},
	index::view::{Hit, MAX_HITS},
};

/// Largest number of blocks after the last final one while finality does not count as stalled.
const STALLED: u64 = 20;
/// Largest length of a search text, in bytes.
const MAX_QUERY: usize = 600;

/// Returns the state of the index.
#[utoipa::path(
	get, path = "/v1/status",
	responses((status = 200, description = "The state", body = One<Status>)),
)]
pub(crate) async fn status(ask: Ask) -> Answer {
	let (progress, paused) = (ask.app.progress(), ask.app.audits.paused());
	ask.answer(move |view| {
		let at = at(view)?;
		let At { number, hash, time, .. } = at;
		let finalized = Point { number, hash, time };
		let (state, sums) = (view.state().clone(), view.sums()?);
		let item = Status::from((state, progress, sums, finalized, paused));
		Ok(One { at, item })
	})
	.await
}

/// Returns what a text names: an id, an account, the number or the hash of a block, or a name.
/// At most 20 hits.
#[utoipa::path(
	get, path = "/v1/search",
	params(
		("q" = String, Query, description = "The text"),
		("limit" = Option<u32>, Query, description = "Largest number of hits"),
	),
	responses((status = 200, description = "The hits", body = List<Hit>)),
)]
pub(crate) async fn search(mut ask: Ask) -> Answer {
	let query = ask.take("q").unwrap_or_default();
	let length = query.trim().len();
	if !(1..=MAX_QUERY).contains(&length) {
		let message = format!("q has {length} bytes, expected 1 to {MAX_QUERY}");
		return Err(Error::field("q", message));
	}
	let limit = ask.take_limit()?.min(MAX_HITS);
	ask.answer(move |view| {
		Ok(List { at: at(view)?, items: view.search(&query, limit)?, next: None })
	})
	.await
}

/// Answers as long as the process serves.
#[utoipa::path(
	get, path = "/health",
	responses((status = 200, description = "The process serves", body = String)),
)]
pub(crate) async fn health() -> &'static str {
	"ok\n"
}

/// Reports whether the index follows the chain. If it does not, the error has the reason.
#[utoipa::path(
	get, path = "/ready",
	responses(
		(
			status = 200,
			description = "The index is at most 10 final blocks behind its node. The text says so \
				if finality stalls",
			body = String,
		),
		Failures,
	),
)]
pub(crate) async fn ready(ask: Ask) -> Answer {
	let progress = ask.app.progress();
	let problem = match (progress.connected, progress.error) {
		(true, problem) => problem,
		(false, reason) => {
			let reason = reason.unwrap_or_else(|| "no connection yet".into());
			Some(format!("the node does not answer: {reason}"))
		},
	};
	if let Some(problem) = problem {
		return Err(Error::new(Kind::Unavailable, problem));
	}
	let last = ask.app.read(ask.client, |view| Ok(view.state().last.number)).await?;
	let behind = progress.node_finalized.saturating_sub(last);
	if behind > ask.app.limits.ready_behind {
		let message = format!("the index is {behind} final blocks behind its node");
		return Err(Error::new(Kind::Unavailable, message));
	}
	let (best, finalized) = (progress.node_best, progress.node_finalized);
	Ok(match best.saturating_sub(finalized) {
		0..=STALLED => "ready\n".into_response(),
		_ => {
			let heads = format!("the node's best block is {best}, its last final one {finalized}");
			format!("ready, but finality stalls: {heads}\n").into_response()
		},
	})
}

/// Returns figures for Prometheus.
#[utoipa::path(
	get, path = "/metrics",
	responses(
		(status = 200, description = "The figures", body = String, content_type = "text/plain"),
	),
)]
pub(crate) async fn metrics(ask: Ask) -> Answer {
	// An index that cannot be read has figures, too.
	let index =
		ask.app.read(ask.client, |view| Ok((view.state().clone(), view.sums()?))).await.ok();
	Ok(ask.app.metrics.answer(&ask.app, index))
}

/// Returns the description of this interface.
#[utoipa::path(
	get, path = "/openapi.json",
	responses((status = 200, description = "The description", content_type = "application/json")),
)]
pub(crate) async fn openapi() -> Answer {
	static DOCUMENT: LazyLock<Option<Bytes>> = LazyLock::new(|| {
		let json = router::document().to_json();
		json.inspect_err(|error| error!(%error, "cannot describe the interface"))
			.ok()
			.map(Bytes::from)
	});
	let failed = || Error::new(Kind::Internal, "the description cannot be written");
	Ok((JSON, DOCUMENT.clone().ok_or_else(failed)?).into_response())
}

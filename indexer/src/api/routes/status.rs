// SPDX-License-Identifier: Apache-2.0
//! The state of the index, the search, and what programs ask.

use axum::{
	body::Bytes,
	extract::State,
	http::{header, StatusCode},
	response::{IntoResponse, Response},
};

use crate::{
	api::{
		app::{at, App},
		ask::Ask,
		error::{Error, Failures, Kind},
		views::{Hit, List, NodeStatus, One, Point, Status},
	},
	follow::Progress,
	index::{
		self,
		view::{View, MAX_HITS},
	},
	rows::Map,
	source::BlockRef,
};

/// Most bytes of a text that is searched for.
const MAX_QUERY: usize = 600;

/// Returns the state of the index.
#[utoipa::path(
	get, path = "/v1/status",
	responses((status = 200, description = "The state", body = One<Status>), Failures),
)]
pub(crate) async fn status(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let progress = app.progress();
	app.one::<Status, _>(ask, "", move |view| read_status(view, &progress).map(Some)).await
}

fn read_status(view: &View<'_>, progress: &Progress) -> Result<Status, index::Error> {
	let state = view.state().clone();
	let sums = view.sums()?;
	let point = |at: BlockRef| {
		let time = view.block(at.number)?.map_or(0, |row| row.time);
		Ok::<_, index::Error>(Point { number: at.number, hash: at.hash.into(), time })
	};
	Ok(Status {
		best: point(state.best)?,
		finalized: point(state.finalized)?,
		chain: state.chain.kind,
		genesis: state.chain.genesis.into(),
		token: state.chain.token,
		decimals: state.chain.decimals,
		node: NodeStatus {
			best: progress.node_best,
			finalized: progress.node_finalized,
			connected: progress.connected,
			heard_at: progress.heard_at,
		},
		behind: progress.node_finalized.saturating_sub(state.finalized.number),
		// The first block has no events.
		history_since: Some(state.history_since).filter(|since| *since > 1),
		gaps: state.gaps,
		spec_version: state.spec_version,
		storage_version: state.storage_version,
		totals: sums.into(),
		purges: sums.of(Map::Purges),
		index_bytes: progress.index_bytes,
		version: env!("CARGO_PKG_VERSION"),
	})
}

/// Returns what a text names: an id, an account, the number or the hash of a block, or a name.
/// At most 20 hits.
#[utoipa::path(
	get, path = "/v1/search",
	params(
		("q" = String, Query, description = "The text"),
		("limit" = Option<u32>, Query, description = "The most hits"),
	),
	responses((status = 200, description = "The hits", body = List<Hit>), Failures),
)]
pub(crate) async fn search(State(app): State<App>, mut ask: Ask) -> Result<Response, Error> {
	let query = ask.take("q").unwrap_or_default();
	let length = query.trim().len();
	if !(1..=MAX_QUERY).contains(&length) {
		let message = format!("q has {length} bytes, expected 1 to {MAX_QUERY}");
		return Err(Error::field("q", message));
	}
	let limit = ask.take_limit()?.min(MAX_HITS);
	ask.done()?;
	let run = move |view: &View<'_>| {
		let hits = view.search(&query, limit)?;
		let items: Vec<_> = hits.into_iter().map(|hit| Hit::new(hit, query.trim())).collect();
		Ok(List { at: at(view)?, items, next: None })
	};
	app.answer(ask.client, run).await
}

/// Answers as long as the process serves.
#[utoipa::path(
	get, path = "/health",
	responses((status = 200, description = "The process serves", body = String)),
)]
pub(crate) async fn health() -> &'static str {
	"ok\n"
}

/// Answers whether the index follows the chain.
#[utoipa::path(
	get, path = "/ready",
	responses(
		(status = 200, description = "The index is at most 10 blocks behind its node"),
		Failures,
	),
)]
pub(crate) async fn ready(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	let progress = app.progress();
	if !progress.connected {
		let reason = progress.error.unwrap_or_else(|| "no connection yet".into());
		return Err(Error::new(Kind::Unavailable, format!("the node does not answer: {reason}")));
	}
	let best = app.read(ask.client, |view| Ok(view.state().best.number)).await?;
	let behind = progress.node_best.saturating_sub(best);
	if behind > app.limits.ready_behind {
		let message = format!("the index is {behind} blocks behind its node");
		return Err(Error::new(Kind::Unavailable, message));
	}
	Ok("ready\n".into_response())
}

/// Returns figures for Prometheus.
#[utoipa::path(
	get, path = "/metrics",
	responses(
		(status = 200, description = "The figures", body = String, content_type = "text/plain"),
	),
)]
pub(crate) async fn metrics(State(app): State<App>, ask: Ask) -> Result<Response, Error> {
	// An index that cannot be read has figures, too.
	let index = app.read(ask.client, |view| Ok((view.state().clone(), view.sums()?))).await.ok();
	let text = app.metrics.text(&app, index);
	let text = text.ok_or_else(|| Error::new(Kind::Internal, "the figures cannot be written"))?;
	let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
	Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}

/// Returns the description of this interface.
#[utoipa::path(
	get, path = "/openapi.json",
	responses((status = 200, description = "The description", content_type = "application/json")),
)]
pub(crate) async fn openapi(State(app): State<App>) -> Response {
	match app.document.get() {
		Some(document) => {
			let kind = [(header::CONTENT_TYPE, "application/json")];
			(kind, Bytes::clone(document)).into_response()
		},
		None => StatusCode::NOT_FOUND.into_response(),
	}
}

// SPDX-License-Identifier: Apache-2.0
//! The state of the node, for people and for programs that watch it.

use std::sync::Arc;

use axum::{extract::State, response::Response, Json};
use content_fabric_client::profile::hash::Hash;
use content_fabric_http_server::Failure;
use serde_json::{json, Value};

use super::App;
use crate::chain::Stall;

/// Answers with the state.
pub async fn status(State(app): State<Arc<App>>) -> Json<Value> {
	let totals = app.keep.totals();
	Json(json!({
		"provider": app.fabric.provider,
		"node": app.fabric.node,
		"version": env!("CARGO_PKG_VERSION"),
		"genesis_hash": app.fabric.genesis().map(Hash),
		"finalized_block": app.fabric.followed(),
		"finalized_age": app.fabric.age(),
		"best_block": app.fabric.best(),
		"problem": problem(&app),
		"clock_difference": app.fabric.clock_difference(),
		"operator": app.fabric.operator(),
		"balance": app.fabric.balance().map(|balance| balance.to_string()),
		"affordable_commits":
			app.fabric.affordable_commits().map(|commits| u64::try_from(commits).unwrap_or(u64::MAX)),
		"versions": totals.versions,
		"held_bytes": totals.held.to_string(),
		"promised_bytes": totals.promised.to_string(),
		"room_bytes": app.fabric.room().map(|room| room.to_string()),
		"damaged": totals.damaged,
		"missing": totals.missing,
		"lost": app.fabric.pulls.lost(),
		"asked": totals.asked,
	}))
}

/// Answers as long as the process serves.
pub async fn health() -> &'static str {
	"ok\n"
}

/// Reports whether the node follows the chain and takes versions in. If it does not, the error has
/// the reason. Without funds, it does not.
pub async fn ready(State(app): State<Arc<App>>) -> Result<String, Failure> {
	if let Some(problem) = problem(&app) {
		return Err(unready(problem));
	}
	if app.fabric.followed().is_none() {
		return Err(unready("the node does not follow the chain yet".into()));
	}
	if app.fabric.affordable_commits() == Some(0) {
		let operator = app.fabric.operator();
		return Err(unready(format!(
			"the operator of the node, {operator}, cannot pay for a commit"
		)));
	}
	let stall = app.fabric.stall().map(|Stall { best, followed, .. }| {
		format!(
			"finality stalls: the chain's best block is {best}, the last final one that the node has \
			 followed is {followed}"
		)
	});
	let notes: Vec<_> = stall.into_iter().chain(app.fabric.clock_difference()).collect();
	Ok(match notes.is_empty() {
		true => "ready\n".into(),
		false => format!("ready, but {}\n", notes.join("; and ")),
	})
}

/// Answers with the figures for Prometheus.
pub async fn metrics(State(app): State<Arc<App>>) -> Response {
	app.metrics.answer(&app)
}

/// Returns the lasting reason why the node does not follow the chain, or takes nothing in.
fn problem(app: &App) -> Option<String> {
	let reads_only = || Some(format!("the disk cannot be written: {}", app.keep.read_only()?));
	app.fabric.problem().or_else(reads_only)
}

fn unready(reason: String) -> Failure {
	Failure::busy(reason)
}

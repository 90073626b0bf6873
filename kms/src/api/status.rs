// SPDX-License-Identifier: Apache-2.0
//! The state of the KMS, for people and for programs that watch it.

use std::sync::Arc;

use axum::{extract::State, response::Response, Json};
use content_fabric_client::profile::hash::Hash;
use content_fabric_http_server::Failure;
use serde_json::{json, Value};

use super::App;

/// Answers with the state.
pub async fn status(State(app): State<Arc<App>>) -> Json<Value> {
	let view = app.fabric.shown();
	let key = view.as_ref().and_then(|view| view.kms.as_ref()).map(|row| row.key);
	Json(json!({
		"tenant": app.fabric.tenant,
		"kms": app.fabric.kms,
		"version": env!("CARGO_PKG_VERSION"),
		"genesis_hash": Hash(app.fabric.genesis),
		"key": key,
		"keys": app.fabric.keys,
		"block": view.as_ref().map(|view| view.block),
		"finalized_age": view.as_ref().map(|view| view.age().as_secs()),
		"problem": app.problem(),
	}))
}

/// Answers as long as the process serves.
pub async fn health() -> &'static str {
	"ok\n"
}

/// Reports whether keys can be given. If they cannot, the error has the reason.
pub async fn ready(State(app): State<Arc<App>>) -> Result<&'static str, Failure> {
	match app.problem() {
		Some(problem) => Err(Failure::busy(problem)),
		None => Ok("ready\n"),
	}
}

/// Answers with the figures for Prometheus.
pub async fn metrics(State(app): State<Arc<App>>) -> Response {
	app.metrics.answer(&app)
}

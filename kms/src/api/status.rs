// SPDX-License-Identifier: Apache-2.0
//! The state of the KMS, for people and for programs that watch it.

use std::sync::{atomic::AtomicU64, Arc};

use axum::{extract::State, response::Response, Json};
use content_fabric_client::profile::hash::Hash;
use content_fabric_http_server::{metrics::exposition, Failure};
use content_fabric_monitoring::{kms as table, Figures};
use prometheus_client::metrics::{family::Family, gauge::Gauge};
use serde_json::{json, Value};

use super::App;

/// Answers with the state.
pub async fn status(State(app): State<Arc<App>>) -> Json<Value> {
	let (view, (tenant, kms)) = (app.fabric.shown(), app.fabric.ids);
	Json(json!({
		"tenant": tenant,
		"kms": kms,
		"version": env!("CARGO_PKG_VERSION"),
		"genesis_hash": Hash(app.fabric.genesis),
		"key": view.kms.as_ref().map(|row| row.key),
		"keys": app.fabric.keys,
		"block": view.block,
		"finalized_age": view.age().as_secs(),
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

/// Answers with the figures for Prometheus. They name neither accounts nor versions.
pub async fn metrics(State(app): State<Arc<App>>) -> Response {
	let (view, mut figures) = (app.fabric.shown(), Figures::default());
	let state = Family::<[(&str, &str); 1], Gauge<u64, AtomicU64>>::default();
	for (of, value) in [
		("receipts", app.receipts.count()),
		("ready", app.problem().is_none().into()),
		("requests", app.places.taken() as u64),
		("body_bytes", app.bodies.taken() as u64),
		("block", view.block.number),
	] {
		state.get_or_create(&table::STATE.label(of)).set(value);
	}
	let age = Gauge::<f64, AtomicU64>::default();
	age.set(view.age().as_secs_f64());
	app.requests.add_to(&mut figures, &table::REQUESTS, &table::LATENCY);
	figures.add(&table::STATE, state);
	figures.add(&table::FINALIZED_AGE, age);
	exposition(&figures)
}

// SPDX-License-Identifier: Apache-2.0
//! Figures for Prometheus.

use std::time::Duration;

use axum::{
	extract::{MatchedPath, Request},
	http::{header, StatusCode},
	middleware::Next,
	response::{IntoResponse, Response},
};
use content_fabric_monitoring::{Figures, Metric};
use prometheus_client::metrics::{counter::Counter, family::Family, histogram::Histogram};

use crate::Failure;

/// Upper bounds of the buckets of latencies, in seconds.
const BUCKETS: [f64; 12] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0];
/// The path of requests that reach no path of the router.
const OTHER: &str = "other";

/// The labels of a figure, by their names.
type Labels<const N: usize> = [(&'static str, String); N];

/// Answers with all figures.
pub fn exposition(figures: &Figures) -> Response {
	let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
	match figures.text() {
		Ok(text) => ([(header::CONTENT_TYPE, kind)], text).into_response(),
		Err(error) => {
			let reason = format!("the figures cannot be written: {error}");
			Failure::new(StatusCode::INTERNAL_SERVER_ERROR, reason).into_response()
		},
	}
}

/// Returns a histogram of latencies, in seconds.
pub fn latencies() -> Histogram {
	Histogram::new(BUCKETS)
}

/// The numbers and latencies of requests, by the paths of a router that has [`note_path`] as a
/// layer.
#[derive(Debug)]
pub struct Requests {
	counts: Family<Labels<2>, Counter>,
	latencies: Family<Labels<1>, Histogram, fn() -> Histogram>,
}

impl Default for Requests {
	fn default() -> Self {
		let latencies = Family::new_with_constructor(latencies as fn() -> _);
		Self { counts: Family::default(), latencies }
	}
}

impl Requests {
	/// Adds the figures of these entries: the numbers, and the latencies.
	pub fn add_to(&self, figures: &mut Figures, counts: &Metric, latencies: &Metric) {
		figures.add(counts, self.counts.clone());
		figures.add(latencies, self.latencies.clone());
	}

	/// Counts an answer that has taken this time.
	pub fn answered(&self, response: &Response, time: Duration) {
		let path = response.extensions().get::<MatchedPath>().map_or(OTHER, MatchedPath::as_str);
		let path = ("path", path.to_owned());
		let status = ("status", response.status().as_u16().to_string());
		self.counts.get_or_create(&[path.clone(), status]).inc();
		self.latencies.get_or_create(&[path]).observe(time.as_secs_f64());
	}
}

/// Adds the template of the path to the answer: a layer of a router, by `axum::middleware::from_fn`.
pub async fn note_path(request: Request, next: Next) -> Response {
	let path = request.extensions().get::<MatchedPath>().cloned();
	let mut response = next.run(request).await;
	if let Some(path) = path {
		response.extensions_mut().insert(path);
	}
	response
}

// SPDX-License-Identifier: Apache-2.0
//! Figures for Prometheus.

use std::{sync::atomic::AtomicU64, time::Duration};

use axum::http::StatusCode;
use prometheus_client::{
	encoding::text::encode,
	metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
	registry::{Registry, Unit},
};

use super::app::App;
use crate::{
	index::{State, Sums},
	rows::Map,
};

/// Upper bounds of the buckets of latencies, in seconds.
const BUCKETS: [f64; 12] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0];

type Number = Gauge<u64, AtomicU64>;

/// The labels of a figure, by their names.
type Labels<const N: usize> = [(&'static str, String); N];

/// The figures that outlive an answer. Figures of the index stay while it cannot be read.
pub(crate) struct Metrics {
	requests: Family<Labels<2>, Counter>,
	latency: Family<Labels<1>, Histogram, fn() -> Histogram>,
	heights: Family<Labels<1>, Number>,
	rows: Family<Labels<1>, Number>,
}

impl Default for Metrics {
	fn default() -> Self {
		Self {
			requests: Family::default(),
			latency: Family::new_with_constructor(|| Histogram::new(BUCKETS)),
			heights: Family::default(),
			rows: Family::default(),
		}
	}
}

fn number(number: u64) -> Number {
	let gauge = Number::default();
	gauge.set(number);
	gauge
}

fn count(count: usize) -> Number {
	number(u64::try_from(count).unwrap_or(u64::MAX))
}

fn set_heights(family: &Family<Labels<1>, Number>, best: u64, finalized: u64) {
	family.get_or_create(&[("of", "best".into())]).set(best);
	family.get_or_create(&[("of", "finalized".into())]).set(finalized);
}

impl Metrics {
	/// Counts an answer.
	pub fn answered(&self, path: &str, status: StatusCode, time: Duration) {
		let path = ("path", path.to_owned());
		let status = ("status", status.as_u16().to_string());
		self.requests.get_or_create(&[path.clone(), status]).inc();
		self.latency.get_or_create(&[path]).observe(time.as_secs_f64());
	}

	/// Returns all figures as text. `index` is what the index has, if it can be read.
	pub fn text(&self, app: &App, index: Option<(State, Sums)>) -> Option<String> {
		let progress = app.progress();
		let node_heights = Family::default();
		set_heights(&node_heights, progress.node_best, progress.node_finalized);
		let mut purges = 0;
		if let Some((state, sums)) = index {
			set_heights(&self.heights, state.best.number, state.finalized.number);
			for map in Map::ALL {
				self.rows.get_or_create(&[("of", map.name().into())]).set(sums.of(*map));
			}
			purges = sums.of(Map::Purges);
		}
		let mut registry = Registry::with_prefix("fabric_indexer");
		registry.register("requests", "Requests by path and status", self.requests.clone());
		let help = "Time to the start of an answer";
		registry.register_with_unit("latency", help, Unit::Seconds, self.latency.clone());
		registry.register("block", "Blocks of the index", self.heights.clone());
		registry.register("node_block", "Blocks of the node", node_heights);
		let connected = number(progress.connected.into());
		registry.register("node_connected", "1 if the node answers", connected);
		let help = "1 if the chain of the node was begun anew, or is another one";
		registry.register("node_begun_anew", help, number(progress.begun_anew.into()));
		registry.register("rows", "Rows by map", self.rows.clone());
		registry.register("purges", "Purges under way", number(purges));
		registry.register("feed_readers", "Readers of the feed", count(app.feeds.taken()));
		registry.register("reads", "Reads of the index under way", count(app.reads.taken()));
		registry.register("connections", "Connections", count(app.connections.taken()));
		let file = number(progress.index_bytes);
		registry.register_with_unit("file", "Length of the file", Unit::Bytes, file);
		let mut text = String::new();
		encode(&mut text, &registry).ok()?;
		Some(text)
	}
}

// SPDX-License-Identifier: Apache-2.0
//! Figures for Prometheus.

use std::{sync::atomic::AtomicU64, time::Duration};

use axum::http::StatusCode;
use prometheus_client::{
	encoding::{text::encode, EncodeLabelSet},
	metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
	registry::{Registry, Unit},
};

/// Upper bounds of the buckets of latencies, in seconds.
const BUCKETS: [f64; 12] = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0];

type Number = Gauge<u64, AtomicU64>;

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answered {
	path: String,
	status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfPath {
	path: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Of {
	of: &'static str,
}

/// The figures.
pub(crate) struct Metrics {
	registry: Registry,
	requests: Family<Answered, Counter>,
	latency: Family<OfPath, Histogram, fn() -> Histogram>,
	heights: Family<Of, Number>,
	node_heights: Family<Of, Number>,
	rows: Family<Of, Number>,
	connected: Number,
	feeds: Number,
	reads: Number,
	connections: Number,
	purges: Number,
	file: Number,
}

/// Figures that are read when they are asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figures {
	/// The best and the last final block of the index.
	pub heights: Option<(u64, u64)>,
	/// The best and the last final block of the node.
	pub node_heights: (u64, u64),
	/// True if the node answers.
	pub connected: bool,
	/// Numbers of rows, by map.
	pub rows: Vec<(&'static str, u64)>,
	/// Number of purges under way.
	pub purges: u64,
	/// Number of readers of the feed.
	pub feeds: usize,
	/// Number of reads under way.
	pub reads: usize,
	/// Number of connections.
	pub connections: usize,
	/// The length of the file, in bytes.
	pub file: u64,
}

impl Default for Metrics {
	fn default() -> Self {
		let latency: fn() -> Histogram = || Histogram::new(BUCKETS);
		let mut this = Self {
			registry: Registry::with_prefix("fabric_indexer"),
			requests: Family::default(),
			latency: Family::new_with_constructor(latency),
			heights: Family::default(),
			node_heights: Family::default(),
			rows: Family::default(),
			connected: Number::default(),
			feeds: Number::default(),
			reads: Number::default(),
			connections: Number::default(),
			purges: Number::default(),
			file: Number::default(),
		};
		let registry = &mut this.registry;
		registry.register("requests", "Requests by path and status", this.requests.clone());
		let help = "Time to the start of an answer";
		registry.register_with_unit("latency", help, Unit::Seconds, this.latency.clone());
		registry.register("block", "Blocks of the index", this.heights.clone());
		registry.register("node_block", "Blocks of the node", this.node_heights.clone());
		registry.register("node_connected", "1 if the node answers", this.connected.clone());
		registry.register("rows", "Rows by map", this.rows.clone());
		registry.register("purges", "Purges under way", this.purges.clone());
		registry.register("feed_readers", "Readers of the feed", this.feeds.clone());
		registry.register("reads", "Reads of the index under way", this.reads.clone());
		registry.register("connections", "Connections", this.connections.clone());
		registry.register_with_unit("file", "Length of the file", Unit::Bytes, this.file.clone());
		this
	}
}

impl Metrics {
	/// Counts an answer.
	pub fn answered(&self, path: &str, status: StatusCode, time: Duration) {
		let path = path.to_owned();
		let labels = Answered { path: path.clone(), status: status.as_u16() };
		self.requests.get_or_create(&labels).inc();
		self.latency.get_or_create(&OfPath { path }).observe(time.as_secs_f64());
	}

	/// Returns all figures as text.
	pub fn text(&self, figures: &Figures) -> Option<String> {
		let number = |number: usize| u64::try_from(number).unwrap_or(u64::MAX);
		let heights = |family: &Family<Of, Number>, (best, finalized): (u64, u64)| {
			family.get_or_create(&Of { of: "best" }).set(best);
			family.get_or_create(&Of { of: "finalized" }).set(finalized);
		};
		if let Some(found) = figures.heights {
			heights(&self.heights, found);
		}
		heights(&self.node_heights, figures.node_heights);
		for (map, rows) in &figures.rows {
			self.rows.get_or_create(&Of { of: map }).set(*rows);
		}
		self.connected.set(figures.connected.into());
		self.purges.set(figures.purges);
		self.feeds.set(number(figures.feeds));
		self.reads.set(number(figures.reads));
		self.connections.set(number(figures.connections));
		self.file.set(figures.file);
		let mut text = String::new();
		encode(&mut text, &self.registry).ok()?;
		Some(text)
	}
}

// SPDX-License-Identifier: Apache-2.0
//! Figures for Prometheus.

use std::sync::atomic::AtomicU64;

use axum::response::Response;
use content_fabric_http_server::metrics::{exposition, Requests};
use prometheus_client::{
	metrics::{counter::Counter, family::Family, gauge::Gauge},
	registry::{Registry, Unit},
};

use super::app::App;
use crate::{
	index::{State, Sums},
	rows::Map,
};

type Number = Gauge<u64, AtomicU64>;

/// The labels of a figure, by their names.
type Labels<const N: usize> = [(&'static str, String); N];

/// The figures that outlive an answer. Figures of the index stay while it cannot be read.
#[derive(Default)]
pub(crate) struct Metrics {
	pub requests: Requests,
	last: Number,
	rows: Family<Labels<1>, Number>,
}

fn number(number: u64) -> Number {
	let gauge = Number::default();
	gauge.set(number);
	gauge
}

fn count(count: usize) -> Number {
	number(u64::try_from(count).unwrap_or(u64::MAX))
}

impl Metrics {
	/// Answers with all figures. `index` is what the index has, if it can be read.
	pub fn answer(&self, app: &App, index: Option<(State, Sums)>) -> Response {
		let progress = app.progress();
		let node_heights = Family::<Labels<1>, Number>::default();
		for (of, height) in [("best", progress.node_best), ("finalized", progress.node_finalized)] {
			node_heights.get_or_create(&[("of", of.into())]).set(height);
		}
		let mut purges = 0;
		if let Some((state, sums)) = index {
			self.last.set(state.last.number);
			for map in Map::ALL {
				self.rows.get_or_create(&[("of", map.name().into())]).set(sums.of(*map));
			}
			purges = sums.of(Map::Purges);
		}
		let figures = app.audits.figures();
		let audits = Family::<Labels<1>, Counter>::default();
		for (result, number) in figures.results() {
			audits.get_or_create(&[("result", result.into())]).inc_by(number);
		}
		let mut registry = Registry::with_prefix("fabric_indexer");
		self.requests.register(&mut registry);
		registry.register("block", "Last block of the index", self.last.clone());
		registry.register("node_block", "Blocks of the node", node_heights);
		let connected = number(progress.connected.into());
		registry.register("node_connected", "1 if the node answers", connected);
		let help = "1 if the chain of the node was begun anew, or is another one";
		registry.register("node_begun_anew", help, number(progress.begun_anew.into()));
		registry.register("rows", "Rows by map", self.rows.clone());
		registry.register("purges", "Purges under way", number(purges));
		registry.register("feed_readers", "Readers of the feed", count(app.feeds.taken()));
		registry.register("reads", "Reads of the index under way", count(app.reads.taken()));
		registry.register("connections", "Connections", count(app.server.connections()));
		registry.register("audits", "Audits of content nodes, by result", audits);
		let paused = number(figures.is_paused.into());
		registry.register("audits_paused", "1 if the final state is too old to audit by", paused);
		let (help, failing) = ("Content nodes that fail audits", count(figures.failing_nodes));
		registry.register("failing_nodes", help, failing);
		let (help, failing) = ("Copies that fail audits", count(figures.failing_copies));
		registry.register("failing_copies", help, failing);
		let file = number(progress.index_bytes);
		registry.register_with_unit("file", "Length of the file", Unit::Bytes, file);
		exposition(&registry)
	}
}

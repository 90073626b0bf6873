// SPDX-License-Identifier: Apache-2.0
//! Figures for Prometheus.

use std::sync::atomic::AtomicU64;

use axum::response::Response;
use content_fabric_http_server::metrics::{exposition, Requests};
use content_fabric_monitoring::{index as table, Figures};
use prometheus_client::metrics::{counter::Counter, family::Family, gauge::Gauge};

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
		let node_heights = Family::<[(&str, &str); 1], Number>::default();
		for (of, height) in [("best", progress.node_best), ("finalized", progress.node_finalized)] {
			node_heights.get_or_create(&table::NODE_BLOCK.label(of)).set(height);
		}
		let mut purges = 0;
		if let Some((state, sums)) = index {
			self.last.set(state.last.number);
			for map in Map::ALL {
				self.rows.get_or_create(&[("of", map.name().into())]).set(sums.of(*map));
			}
			purges = sums.of(Map::Purges);
		}
		let audited = app.audits.figures();
		let audits = Family::<[(&str, &str); 1], Counter>::default();
		for (result, number) in audited.results() {
			audits.get_or_create(&table::AUDITS.label(result)).inc_by(number);
		}
		let mut figures = Figures::default();
		self.requests.add_to(&mut figures, &table::REQUESTS, &table::LATENCY);
		figures.add(&table::BLOCK, self.last.clone());
		figures.add(&table::NODE_BLOCK, node_heights);
		figures.add(&table::NODE_CONNECTED, number(progress.connected.into()));
		figures.add(&table::NODE_BEGUN_ANEW, number(progress.begun_anew.into()));
		figures.add(&table::ROWS, self.rows.clone());
		figures.add(&table::PURGES, number(purges));
		figures.add(&table::FEED_READERS, count(app.feeds.taken()));
		figures.add(&table::READS, count(app.reads.taken()));
		figures.add(&table::CONNECTIONS, count(app.server.connections()));
		figures.add(&table::AUDITS, audits);
		figures.add(&table::AUDITS_PAUSED, number(audited.is_paused.into()));
		figures.add(&table::AUDIT_INTERVAL, number(audited.interval.as_secs()));
		figures.add(&table::AUDIT_AGE, number(audited.age.as_secs()));
		figures.add(&table::FAILING_NODES, count(audited.failing_nodes));
		figures.add(&table::FAILING_COPIES, count(audited.failing_copies));
		figures.add(&table::FILE, number(progress.index_bytes));
		exposition(&figures)
	}
}

// SPDX-License-Identifier: Apache-2.0
//! The index.

mod alerts;
mod rows;

use crate::{metric::metrics, Metric, Program};

metrics! {
	/// Requests by path and status.
	REQUESTS = Metric::counter("fabric_indexer_requests_total").by(&["path", "status"]);
	/// Time to the start of an answer.
	LATENCY = Metric::histogram("fabric_indexer_latency_seconds").by(&["path"]);
	/// Last block of the index.
	BLOCK = Metric::gauge("fabric_indexer_block");
	/// Blocks of the node.
	NODE_BLOCK = Metric::gauge("fabric_indexer_node_block").of(&["of"], &["best", "finalized"]);
	/// 1 if the node answers.
	NODE_CONNECTED = Metric::gauge("fabric_indexer_node_connected");
	/// 1 if the chain of the node was begun anew, or is another one.
	NODE_BEGUN_ANEW = Metric::gauge("fabric_indexer_node_begun_anew");
	/// Rows by map.
	ROWS = Metric::gauge("fabric_indexer_rows").by(&["of"]);
	/// Purges under way.
	PURGES = Metric::gauge("fabric_indexer_purges");
	/// Readers of the feed.
	FEED_READERS = Metric::gauge("fabric_indexer_feed_readers");
	/// Reads of the index under way.
	READS = Metric::gauge("fabric_indexer_reads");
	/// Connections.
	CONNECTIONS = Metric::gauge("fabric_indexer_connections");
	/// Audits of content nodes, by result.
	AUDITS = Metric::counter("fabric_indexer_audits_total")
		.of(&["result"], &["late", "refused", "right", "wrong"]);
	/// 1 if the final state is too old to audit by.
	AUDITS_PAUSED = Metric::gauge("fabric_indexer_audits_paused");
	/// Time between two audits of a content node. 0 without audits.
	AUDIT_INTERVAL = Metric::gauge("fabric_indexer_audit_interval_seconds");
	/// Time since the last audit, or the last round without content nodes. 0 without audits.
	AUDIT_AGE = Metric::gauge("fabric_indexer_audit_age_seconds");
	/// Content nodes that fail audits.
	FAILING_NODES = Metric::gauge("fabric_indexer_failing_nodes");
	/// Copies that fail audits.
	FAILING_COPIES = Metric::gauge("fabric_indexer_failing_copies");
	/// Length of the file.
	FILE = Metric::gauge("fabric_indexer_file_bytes");
}

/// Alerts and dashboard of an index.
pub const PROGRAM: Program = Program {
	name: "index",
	title: "Index",
	job: "fabric-index",
	metrics: METRICS,
	alerts: alerts::ALERTS,
	rows: rows::ROWS,
	healthy: &[
		(r#"fabric_indexer_requests_total{path="/v1/status",status="200"}"#, 0.0, 600.0),
		(r#"fabric_indexer_requests_total{path="/v1/status",status="500"}"#, 0.0, 1.0),
		(r#"fabric_indexer_requests_total{path="/ready",status="503"}"#, 0.0, 600.0),
		(r#"fabric_indexer_latency_seconds_bucket{path="/v1/status",le="0.1"}"#, 0.0, 600.0),
		(r#"fabric_indexer_latency_seconds_bucket{path="/v1/status",le="2.0"}"#, 0.0, 600.0),
		(r#"fabric_indexer_latency_seconds_bucket{path="/v1/status",le="+Inf"}"#, 0.0, 600.0),
		("fabric_indexer_block", 100.0, 10.0),
		(r#"fabric_indexer_node_block{of="best"}"#, 103.0, 10.0),
		(r#"fabric_indexer_node_block{of="finalized"}"#, 101.0, 10.0),
		("fabric_indexer_node_connected", 1.0, 0.0),
		("fabric_indexer_node_begun_anew", 0.0, 0.0),
		("fabric_indexer_audits_paused", 0.0, 0.0),
		// There are two hours between the audits of the only node.
		("fabric_indexer_audit_interval_seconds", 7_200.0, 0.0),
		("fabric_indexer_audit_age_seconds", 60.0, 60.0),
		("fabric_indexer_failing_nodes", 0.0, 0.0),
		("fabric_indexer_failing_copies", 0.0, 0.0),
	],
};

// SPDX-License-Identifier: Apache-2.0
//! The content node.

mod alerts;
mod rows;

use crate::{metric::metrics, Metric, Program};

metrics! {
	/// Answers by status. Requests for `/health`, `/metrics` and `/ready` do not count.
	ANSWERS = Metric::counter("fabric_store_answers_total").by(&["status"]);
	/// Time to the start of an answer to a read of a version.
	LATENCY = Metric::histogram("fabric_store_latency_seconds");
	/// Bytes of versions that were served.
	SENT = Metric::counter("fabric_store_sent_bytes_total");
	/// Bytes that were uploaded.
	RECEIVED = Metric::counter("fabric_store_received_bytes_total");
	/// Present state of the node.
	STATE = Metric::gauge("fabric_store_state").of(
		&["of"],
		&[
			"answer_bytes", "asked", "best_block", "block", "body_bytes", "connected", "damaged",
			"held_bytes", "lost", "missing", "other_chain", "promised_bytes", "read_only",
			"room_bytes", "uploads", "versions",
		],
	);
	/// Funds that the operator can spend, in the smallest unit of the chain.
	BALANCE = Metric::gauge("fabric_store_balance");
	/// Commits of one version, with finalization, that the operator can pay for.
	AFFORDABLE_COMMITS = Metric::gauge("fabric_store_affordable_commits");
	/// Seconds since the last final block that the node has followed.
	FINALIZED_AGE = Metric::gauge("fabric_store_finalized_age");
	/// Time by which the clock of this machine is ahead of the chain's. 0 up to a minute.
	CLOCK_DIFFERENCE = Metric::gauge("fabric_store_clock_difference_seconds");
}

/// Alerts and dashboard of a content node.
pub const PROGRAM: Program = Program {
	name: "store",
	title: "Content node",
	job: "fabric-store",
	metrics: METRICS,
	alerts: alerts::ALERTS,
	rows: rows::ROWS,
	healthy: &[
		(r#"fabric_store_answers_total{status="200"}"#, 0.0, 600.0),
		(r#"fabric_store_answers_total{status="500"}"#, 0.0, 1.0),
		(r#"fabric_store_answers_total{status="503"}"#, 0.0, 10.0),
		(r#"fabric_store_answers_total{status="507"}"#, 0.0, 0.0),
		(r#"fabric_store_latency_seconds_bucket{le="0.1"}"#, 0.0, 600.0),
		(r#"fabric_store_latency_seconds_bucket{le="2.0"}"#, 0.0, 600.0),
		(r#"fabric_store_latency_seconds_bucket{le="+Inf"}"#, 0.0, 600.0),
		("fabric_store_received_bytes_total", 0.0, 1e6),
		(r#"fabric_store_state{of="asked"}"#, 0.0, 0.0),
		(r#"fabric_store_state{of="best_block"}"#, 103.0, 10.0),
		(r#"fabric_store_state{of="block"}"#, 101.0, 10.0),
		(r#"fabric_store_state{of="connected"}"#, 1.0, 0.0),
		(r#"fabric_store_state{of="damaged"}"#, 0.0, 0.0),
		(r#"fabric_store_state{of="held_bytes"}"#, 5e11, 0.0),
		(r#"fabric_store_state{of="lost"}"#, 0.0, 0.0),
		(r#"fabric_store_state{of="missing"}"#, 0.0, 0.0),
		(r#"fabric_store_state{of="other_chain"}"#, 0.0, 0.0),
		// Others arrive meanwhile.
		(r#"fabric_store_state{of="promised_bytes"}"#, 1e6, 0.0),
		(r#"fabric_store_state{of="read_only"}"#, 0.0, 0.0),
		(r#"fabric_store_state{of="room_bytes"}"#, 5e11, -1e7),
		("fabric_store_affordable_commits", 1e6, 0.0),
		("fabric_store_clock_difference_seconds", 0.0, 0.0),
	],
};

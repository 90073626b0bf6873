// SPDX-License-Identifier: Apache-2.0
//! The KMS. Its metrics name neither accounts nor versions.

mod alerts;
mod rows;

use crate::{metric::metrics, Metric, Program};

metrics! {
	/// Requests by path and status.
	REQUESTS = Metric::counter("fabric_kms_requests_total").by(&["path", "status"]);
	/// Time to the start of an answer.
	LATENCY = Metric::histogram("fabric_kms_latency_seconds").by(&["path"]);
	/// Present state of the KMS.
	STATE = Metric::gauge("fabric_kms_state")
		.of(&["of"], &["block", "body_bytes", "ready", "receipts", "requests"]);
	/// Seconds since the last final block that the KMS knows.
	FINALIZED_AGE = Metric::gauge("fabric_kms_finalized_age");
}

/// Alerts and dashboard of a KMS.
pub const PROGRAM: Program = Program {
	name: "kms",
	title: "KMS",
	job: "fabric-kms",
	metrics: METRICS,
	alerts: alerts::ALERTS,
	rows: rows::ROWS,
	healthy: &[
		(r#"fabric_kms_requests_total{path="/v1/unwrap",status="200"}"#, 0.0, 60.0),
		(r#"fabric_kms_requests_total{path="/v1/unwrap",status="403"}"#, 0.0, 5.0),
		(r#"fabric_kms_requests_total{path="/v1/unwrap",status="503"}"#, 0.0, 0.0),
		(r#"fabric_kms_requests_total{path="/ready",status="503"}"#, 0.0, 60.0),
		(r#"fabric_kms_latency_seconds_bucket{path="/v1/unwrap",le="0.1"}"#, 0.0, 60.0),
		(r#"fabric_kms_latency_seconds_bucket{path="/v1/unwrap",le="2.0"}"#, 0.0, 60.0),
		(r#"fabric_kms_latency_seconds_bucket{path="/v1/unwrap",le="+Inf"}"#, 0.0, 60.0),
		(r#"fabric_kms_state{of="ready"}"#, 1.0, 0.0),
		("fabric_kms_finalized_age", 20.0, 0.0),
	],
};

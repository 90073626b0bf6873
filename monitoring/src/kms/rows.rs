// SPDX-License-Identifier: Apache-2.0
//! The dashboard of a KMS.

use crate::{Panel, Row};

pub(super) const ROWS: &[Row] = &[
	Row {
		title: "Is it healthy?",
		panels: &[
			Panel {
				title: "Gives keys",
				unit: "bool_yes_no",
				help: "Yes if keys can be given.",
				queries: &[(r#"fabric_kms_state{of="ready"}"#, "{{instance}}")],
			},
			Panel {
				title: "Age of the last final block",
				unit: "s",
				help: "Less than a minute. It rises while finality stalls.",
				queries: &[("fabric_kms_finalized_age", "{{instance}}")],
			},
			Panel {
				title: "Last final block",
				unit: "short",
				help: "The block whose state says who may read.",
				queries: &[(r#"fabric_kms_state{of="block"}"#, "{{instance}}")],
			},
		],
	},
	Row {
		title: "Load",
		panels: &[
			Panel {
				title: "Requests",
				unit: "reqps",
				help: "Requests by path.",
				queries: &[(
					"sum by (path) (rate(fabric_kms_requests_total[$__rate_interval]))",
					"{{path}}",
				)],
			},
			Panel {
				title: "Latency",
				unit: "s",
				help: "Time to the answer with a key: the median, and the 99th percentile.",
				queries: &[
					(
						r#"histogram_quantile(0.5, sum by (le) (rate(fabric_kms_latency_seconds_bucket{path="/v1/unwrap"}[$__rate_interval])))"#,
						"median",
					),
					(
						r#"histogram_quantile(0.99, sum by (le) (rate(fabric_kms_latency_seconds_bucket{path="/v1/unwrap"}[$__rate_interval])))"#,
						"99th percentile",
					),
				],
			},
			Panel {
				title: "Receipts",
				unit: "short",
				help: "Receipts since the KMS was set up, one for each key that was given.",
				queries: &[(r#"fabric_kms_state{of="receipts"}"#, "{{instance}}")],
			},
		],
	},
	Row {
		title: "Errors",
		panels: &[
			Panel {
				title: "Failed requests",
				unit: "reqps",
				help: "Requests that the KMS could not answer, by path and status.",
				queries: &[(
					r#"sum by (path, status) (rate(fabric_kms_requests_total{status=~"5.."}[$__rate_interval]))"#,
					"{{path}} {{status}}",
				)],
			},
			Panel {
				title: "Refused requests",
				unit: "reqps",
				help: "Requests of accounts that may not read, and wrong ones, by path and status.",
				queries: &[(
					r#"sum by (path, status) (rate(fabric_kms_requests_total{status=~"4.."}[$__rate_interval]))"#,
					"{{path}} {{status}}",
				)],
			},
		],
	},
	Row {
		title: "Saturation",
		panels: &[
			Panel {
				title: "Requests under way",
				unit: "short",
				help: "Signed requests that are being handled. Others wait above 256.",
				queries: &[(r#"fabric_kms_state{of="requests"}"#, "{{instance}}")],
			},
			Panel {
				title: "Memory of requests",
				unit: "bytes",
				help: "Memory for the bodies of requests.",
				queries: &[(r#"fabric_kms_state{of="body_bytes"}"#, "{{instance}}")],
			},
		],
	},
];

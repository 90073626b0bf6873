// SPDX-License-Identifier: Apache-2.0
//! The dashboard of a content node.

use crate::{Panel, Row};

pub(super) const ROWS: &[Row] = &[
	Row {
		title: "Is it healthy?",
		panels: &[
			Panel {
				title: "Connected",
				unit: "bool_yes_no",
				help: "Yes while the node follows the chain.",
				queries: &[(r#"fabric_store_state{of="connected"}"#, "{{instance}}")],
			},
			Panel {
				title: "Takes nothing in",
				unit: "bool_yes_no",
				help: "Yes if the disk cannot be written, or if the chain is another one.",
				queries: &[(r#"fabric_store_state{of=~"read_only|other_chain"}"#, "{{instance}} {{of}}")],
			},
			Panel {
				title: "Age of the last final block",
				unit: "s",
				help: "Less than a minute. It rises while finality stalls.",
				queries: &[("fabric_store_finalized_age", "{{instance}}")],
			},
			Panel {
				title: "Blocks to follow",
				unit: "short",
				help: "Blocks between the last one that the node has followed and the best one.",
				queries: &[(
					r#"fabric_store_state{of="best_block"} - ignoring(of) fabric_store_state{of="block"}"#,
					"{{instance}}",
				)],
			},
			Panel {
				title: "Affordable commits",
				unit: "short",
				help: "Commits that the funds of the operator pay for.",
				queries: &[("fabric_store_affordable_commits", "{{instance}}")],
			},
			Panel {
				title: "Clock",
				unit: "s",
				help: "Seconds by which the machine's clock is ahead of the chain's. 0 up to a minute.",
				queries: &[("fabric_store_clock_difference_seconds", "{{instance}}")],
			},
		],
	},
	Row {
		title: "Load",
		panels: &[
			Panel {
				title: "Answers",
				unit: "reqps",
				help: "Answers by status.",
				queries: &[(
					"sum by (status) (rate(fabric_store_answers_total[$__rate_interval]))",
					"{{status}}",
				)],
			},
			Panel {
				title: "Latency",
				unit: "s",
				help: "Time to the start of an answer to a read of a version: the median, and the \
					99th percentile.",
				queries: &[
					(
						"histogram_quantile(0.5, sum by (le) (rate(fabric_store_latency_seconds_bucket[$__rate_interval])))",
						"median",
					),
					(
						"histogram_quantile(0.99, sum by (le) (rate(fabric_store_latency_seconds_bucket[$__rate_interval])))",
						"99th percentile",
					),
				],
			},
			Panel {
				title: "Bytes",
				unit: "Bps",
				help: "Bytes that were served, and that were uploaded.",
				queries: &[
					("rate(fabric_store_sent_bytes_total[$__rate_interval])", "{{instance}} sent"),
					(
						"rate(fabric_store_received_bytes_total[$__rate_interval])",
						"{{instance}} received",
					),
				],
			},
			Panel {
				title: "Versions",
				unit: "short",
				help: "Versions that the node holds.",
				queries: &[(r#"fabric_store_state{of="versions"}"#, "{{instance}}")],
			},
			Panel {
				title: "Uploads",
				unit: "short",
				help: "Uploads under way.",
				queries: &[(r#"fabric_store_state{of="uploads"}"#, "{{instance}}")],
			},
			Panel {
				title: "Copies to get",
				unit: "short",
				help: "Copies that tenants have asked for, and that the node has yet to get.",
				queries: &[(r#"fabric_store_state{of="asked"}"#, "{{instance}}")],
			},
		],
	},
	Row {
		title: "Errors",
		panels: &[
			Panel {
				title: "Failed requests",
				unit: "reqps",
				help: "Requests that the node could not answer, by status: 503 puts them off, 507 says \
					that there is no room.",
				queries: &[(
					r#"sum by (status) (rate(fabric_store_answers_total{status=~"5.."}[$__rate_interval]))"#,
					"{{status}}",
				)],
			},
			Panel {
				title: "Refused requests",
				unit: "reqps",
				help: "Requests that were wrong, by status.",
				queries: &[(
					r#"sum by (status) (rate(fabric_store_answers_total{status=~"4.."}[$__rate_interval]))"#,
					"{{status}}",
				)],
			},
			Panel {
				title: "Versions without sound bytes",
				unit: "short",
				help: "Damaged and missing versions. No other node has the lost ones.",
				queries: &[(
					r#"fabric_store_state{of=~"damaged|missing|lost"}"#,
					"{{instance}} {{of}}",
				)],
			},
		],
	},
	Row {
		title: "Saturation",
		panels: &[
			Panel {
				title: "Room",
				unit: "bytes",
				help: "Bytes that are held, bytes that are needed and have yet to arrive, and the room \
					that is left by the capacity and the disk.",
				queries: &[(
					r#"fabric_store_state{of=~"held_bytes|promised_bytes|room_bytes"}"#,
					"{{instance}} {{of}}",
				)],
			},
			Panel {
				title: "Memory of requests",
				unit: "bytes",
				help: "Memory for bodies and for answers.",
				queries: &[(
					r#"fabric_store_state{of=~"body_bytes|answer_bytes"}"#,
					"{{instance}} {{of}}",
				)],
			},
			Panel {
				title: "Funds",
				unit: "short",
				help: "Funds that the operator can spend, in the smallest unit of the chain.",
				queries: &[("fabric_store_balance", "{{instance}}")],
			},
		],
	},
];

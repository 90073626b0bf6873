// SPDX-License-Identifier: Apache-2.0
//! The dashboard of an index.

use crate::{Panel, Row};

pub(super) const ROWS: &[Row] = &[
	Row {
		title: "Is it healthy?",
		panels: &[
			Panel {
				title: "Connected",
				unit: "bool_yes_no",
				help: "Yes if the node answers.",
				queries: &[("fabric_indexer_node_connected", "{{instance}}")],
			},
			Panel {
				title: "Another chain",
				unit: "bool_yes_no",
				help: "Yes if the chain was begun anew, or is another one. The index takes nothing in.",
				queries: &[("fabric_indexer_node_begun_anew", "{{instance}}")],
			},
			Panel {
				title: "Blocks to read",
				unit: "short",
				help: "Final blocks that the index has yet to read. Rarely more than one.",
				queries: &[(
					r#"fabric_indexer_node_block{of="finalized"} - ignoring(of) fabric_indexer_block"#,
					"{{instance}}",
				)],
			},
			Panel {
				title: "Blocks that are not final",
				unit: "short",
				help: "Two or three. If it rises steadily, finality has stalled.",
				queries: &[(
					r#"fabric_indexer_node_block{of="best"} - ignoring(of) fabric_indexer_node_block{of="finalized"}"#,
					"{{instance}}",
				)],
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
					"sum by (path) (rate(fabric_indexer_requests_total[$__rate_interval]))",
					"{{path}}",
				)],
			},
			Panel {
				title: "Latency",
				unit: "s",
				help: "Time to the start of an answer: the median, and the 99th percentile.",
				queries: &[
					(
						"histogram_quantile(0.5, sum by (le) (rate(fabric_indexer_latency_seconds_bucket[$__rate_interval])))",
						"median",
					),
					(
						"histogram_quantile(0.99, sum by (le) (rate(fabric_indexer_latency_seconds_bucket[$__rate_interval])))",
						"99th percentile",
					),
				],
			},
			Panel {
				title: "Readers of the feed",
				unit: "short",
				help: "Streams of events that are open.",
				queries: &[("fabric_indexer_feed_readers", "{{instance}}")],
			},
			Panel {
				title: "Blocks",
				unit: "cpm",
				help: "Blocks that the index has read in a minute.",
				queries: &[("60 * deriv(fabric_indexer_block[5m])", "{{instance}}")],
			},
			Panel {
				title: "Rows",
				unit: "short",
				help: "Rows of the chain, by map.",
				queries: &[("max by (of) (fabric_indexer_rows)", "{{of}}")],
			},
			Panel {
				title: "Purges",
				unit: "short",
				help: "Members that are being deleted.",
				queries: &[("fabric_indexer_purges", "{{instance}}")],
			},
		],
	},
	Row {
		title: "Errors",
		panels: &[
			Panel {
				title: "Failed requests",
				unit: "reqps",
				help: "Requests that the index could not answer, by status.",
				queries: &[(
					r#"sum by (status) (rate(fabric_indexer_requests_total{status=~"5.."}[$__rate_interval]))"#,
					"{{status}}",
				)],
			},
			Panel {
				title: "Refused requests",
				unit: "reqps",
				help: "Requests that were wrong, or too many, by status.",
				queries: &[(
					r#"sum by (status) (rate(fabric_indexer_requests_total{status=~"4.."}[$__rate_interval]))"#,
					"{{status}}",
				)],
			},
			Panel {
				title: "Audits",
				unit: "cpm",
				help: "Audits of content nodes in a minute, by result.",
				queries: &[(
					"60 * sum by (result) (rate(fabric_indexer_audits_total[$__rate_interval]))",
					"{{result}}",
				)],
			},
			Panel {
				title: "Failing content nodes",
				unit: "short",
				help: "Content nodes, and copies on them, that fail audits.",
				queries: &[
					("fabric_indexer_failing_nodes", "{{instance}} nodes"),
					("fabric_indexer_failing_copies", "{{instance}} copies"),
				],
			},
		],
	},
	Row {
		title: "Saturation",
		panels: &[
			Panel {
				title: "Connections",
				unit: "short",
				help: "Connections that are open.",
				queries: &[("fabric_indexer_connections", "{{instance}}")],
			},
			Panel {
				title: "Reads",
				unit: "short",
				help: "Reads of the index under way. Others wait, and are refused with 503 in the end.",
				queries: &[("fabric_indexer_reads", "{{instance}}")],
			},
			Panel {
				title: "File",
				unit: "bytes",
				help: "Length of the file.",
				queries: &[("fabric_indexer_file_bytes", "{{instance}}")],
			},
		],
	},
];

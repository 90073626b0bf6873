// SPDX-License-Identifier: Apache-2.0
//! Alerts of an index.

use crate::{
	Alert,
	Severity::{Page, Ticket},
};

pub(super) const ALERTS: &[Alert] = &[
	Alert {
		name: "FabricIndexDisconnected",
		condition: "fabric_indexer_node_connected == 0",
		minutes: 2,
		severity: Page,
		summary: "The node of the index {{ $labels.instance }} does not answer",
		action: "`GET /ready` has the reason. The index keeps answering queries from its data. Start \
			the node, or see [Connections to a node](#connections-to-a-node).",
		broken: &[("fabric_indexer_node_connected", 0.0, 0.0)],
	},
	Alert {
		name: "FabricIndexBegunAnew",
		condition: "fabric_indexer_node_begun_anew == 1",
		minutes: 1,
		severity: Page,
		summary: "The node of the index {{ $labels.instance }} has another chain than before",
		action: "The chain was begun anew, or the index has the URL of another chain. The index \
			takes nothing in. See [A chain that is begun anew](#a-chain-that-is-begun-anew).",
		broken: &[("fabric_indexer_node_begun_anew", 1.0, 0.0)],
	},
	Alert {
		name: "FabricIndexBehind",
		condition: r#"fabric_indexer_node_block{of="finalized"} - ignoring(of) fabric_indexer_block > 10"#,
		minutes: 5,
		severity: Ticket,
		summary: "The index {{ $labels.instance }} is {{ $value }} final blocks behind its node",
		action: "It reads blocks that it has missed, or its machine is too slow. See [When it \
			stops](indexer.md#when-it-stops).",
		broken: &[("fabric_indexer_block", 60.0, 10.0)],
	},
	Alert {
		name: "FabricIndexFinalityLags",
		condition: r#"fabric_indexer_node_block{of="best"} - ignoring(of) fabric_indexer_node_block{of="finalized"} > 20"#,
		minutes: 5,
		severity: Ticket,
		summary: "The last final block of the node of {{ $labels.instance }} is {{ $value }} blocks behind its best one",
		action: "The index shows final blocks only, so its answers become old. See [Finality is \
			stalled](#finality-is-stalled).",
		broken: &[(r#"fabric_indexer_node_block{of="best"}"#, 150.0, 10.0)],
	},
	Alert {
		name: "FabricIndexErrors",
		condition: r#"sum by (job, instance) (rate(fabric_indexer_requests_total{status=~"5..",path!="/ready"}[10m])) / sum by (job, instance) (rate(fabric_indexer_requests_total[10m])) > 0.05"#,
		minutes: 10,
		severity: Page,
		summary: "The index {{ $labels.instance }} fails {{ $value | humanizePercentage }} of its requests",
		action: "The log of the index has the reason. Status 503 means that too many queries or a \
			resync are under way. If the file is damaged, [restore \
			it](#restore-a-node-and-an-index).",
		broken: &[(
			r#"fabric_indexer_requests_total{path="/v1/status",status="500"}"#,
			0.0,
			100.0,
		)],
	},
	Alert {
		name: "FabricIndexSlow",
		condition: "histogram_quantile(0.99, sum by (job, instance, le) (rate(fabric_indexer_latency_seconds_bucket[5m]))) > 1",
		minutes: 15,
		severity: Ticket,
		summary: "One in a hundred requests to the index {{ $labels.instance }} takes {{ $value | humanizeDuration }}",
		action: "Look at the load and the saturation on its dashboard, and at its disk. More clients \
			need another index: any number can follow one node.",
		broken: &[(
			r#"fabric_indexer_latency_seconds_bucket{path="/v1/status",le="0.1"}"#,
			0.0,
			500.0,
		)],
	},
	Alert {
		name: "FabricAuditsFail",
		condition: "fabric_indexer_failing_nodes > 0 or fabric_indexer_failing_copies > 0",
		minutes: 30,
		severity: Ticket,
		summary: "Content nodes fail the audits of the index {{ $labels.instance }}",
		action: "`GET /v1/copies?state=failing` names the copies, their nodes and their tenants. \
			Compare with another index. Then ask the operator of the node to run [`fabric-store \
			check`](content-nodes.md#check), and to check that the locator names the right \
			machine.",
		broken: &[("fabric_indexer_failing_copies", 1.0, 0.0)],
	},
	Alert {
		name: "FabricAuditsEnd",
		condition: "sum by (job, instance) (increase(fabric_indexer_audits_total[30m])) == 0 and sum by (job, instance) (fabric_indexer_audits_total) > 0",
		minutes: 30,
		severity: Ticket,
		summary: "The index {{ $labels.instance }} no longer audits content nodes",
		action: "The index has no nodes left to audit, or its log has the reason. If \
			`fabric_indexer_audits_paused` is 1, its final state is [too \
			old](indexer.md#audits-of-content-nodes): look at its node, at finality and at the clock. \
			Only an index with `--audit-interval` audits.",
		broken: &[(r#"fabric_indexer_audits_total{result="right"}"#, 7.0, 0.0)],
	},
];

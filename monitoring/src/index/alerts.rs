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
		action: "`curl -s http://127.0.0.1:8080/ready` prints the reason. The index keeps answering \
			queries from its data. Start the node (`systemctl status fabric-node`), or see \
			[Connections to a node](#connections-to-a-node). It is over when the same command prints \
			`ready`.",
		broken: &[("fabric_indexer_node_connected", 0.0, 0.0)],
	},
	Alert {
		name: "FabricIndexBegunAnew",
		condition: "fabric_indexer_node_begun_anew == 1",
		minutes: 1,
		severity: Page,
		summary: "The node of the index {{ $labels.instance }} has another chain than before",
		action: "The chain was begun anew, or `FABRIC_URL` in `/etc/default/fabric-indexer` is the URL \
			of another chain. The index takes nothing in. See [A chain that is begun \
			anew](#a-chain-that-is-begun-anew). It is over when `curl -s \
			http://127.0.0.1:8080/ready` prints `ready`.",
		broken: &[("fabric_indexer_node_begun_anew", 1.0, 0.0)],
	},
	Alert {
		name: "FabricIndexBehind",
		condition: r#"fabric_indexer_node_block{of="finalized"} - ignoring(of) fabric_indexer_block > 10"#,
		minutes: 5,
		severity: Ticket,
		summary: "The index {{ $labels.instance }} is {{ $value }} final blocks behind its node",
		action: "It reads blocks that it has missed, or its machine is too slow. If *Blocks to read* on \
			its dashboard falls, wait until it is 1 or 0. Otherwise look at `journalctl --unit \
			fabric-indexer --since -15min` and `vmstat 5`, and see [When it \
			stops](indexer.md#when-it-stops).",
		broken: &[("fabric_indexer_block", 60.0, 10.0)],
	},
	Alert {
		name: "FabricIndexFinalityLags",
		condition: r#"fabric_indexer_node_block{of="best"} - ignoring(of) fabric_indexer_node_block{of="finalized"} > 20"#,
		minutes: 5,
		severity: Ticket,
		summary: "The last final block of the node of {{ $labels.instance }} is {{ $value }} blocks behind its best one",
		action: "The index shows final blocks only, so its answers become old. Act as in \
			[FabricNodeFinalityLags](#fabricnodefinalitylags).",
		broken: &[(r#"fabric_indexer_node_block{of="best"}"#, 150.0, 10.0)],
	},
	Alert {
		name: "FabricIndexErrors",
		condition: r#"sum by (job, instance) (rate(fabric_indexer_requests_total{status=~"5..",path!~"/health|/metrics|/ready"}[30m])) / sum by (job, instance) (rate(fabric_indexer_requests_total{path!~"/health|/metrics|/ready"}[30m])) > 0.05 and sum by (job, instance) (increase(fabric_indexer_requests_total{status=~"5..",path!~"/health|/metrics|/ready"}[30m])) > 4"#,
		minutes: 10,
		severity: Page,
		summary: "The index {{ $labels.instance }} fails {{ $value | humanizePercentage }} of its requests",
		action: "`journalctl --unit fabric-indexer --since -30min` has the reason, and *Failed requests* \
			on the dashboard has the statuses. Status 503 means that too many queries or a resync are \
			under way. If `df -h /var/lib/fabric-indexer` shows a full disk, see \
			[FabricDiskFull](#fabricdiskfull). If the file is damaged, [restore \
			it](#restore-a-node-and-an-index). It is over when *Failed requests* falls to what \
			it was before.",
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
		action: "Look at the load and the saturation on its dashboard, and at its disk: `vmstat 5`, \
			where a high `wa` means that the disk is too slow. More clients need another index: any \
			number can follow one node. It is over when *Latency* is less than a second.",
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
		action: "`curl -s 'http://127.0.0.1:8080/v1/copies?state=failing'` names the copies, their nodes \
			and their tenants. Compare with another index. Then ask the operator of the node to act \
			as in [FabricStoreLacksBytes](#fabricstorelacksbytes), and to check that the locator \
			names the right machine. It is over when the list is empty, after later audits.",
		broken: &[("fabric_indexer_failing_copies", 1.0, 0.0)],
	},
	Alert {
		name: "FabricAuditsEnd",
		condition: "fabric_indexer_audits_paused == 1 or fabric_indexer_audit_age_seconds > 2 * fabric_indexer_audit_interval_seconds",
		minutes: 30,
		severity: Ticket,
		summary: "The index {{ $labels.instance }} no longer audits content nodes",
		action: "`auditsPaused` in `curl -s http://127.0.0.1:8080/v1/status` has the reason: its \
			final state is [too old](indexer.md#audits-of-content-nodes). Look at its node, at \
			finality and at the clock (`timedatectl`). If it is `null`, `journalctl --unit \
			fabric-indexer --since -2h` has the reason. An index that is reading the chain for the \
			first time, or again after a resync, begins audits afterwards. It is over when \
			`fabric_indexer_audits_total` rises.",
		broken: &[("fabric_indexer_audits_paused", 1.0, 0.0)],
	},
];

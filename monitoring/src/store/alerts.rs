// SPDX-License-Identifier: Apache-2.0
//! Alerts of a content node.

use crate::{
	Alert,
	Severity::{Page, Ticket},
};

pub(super) const ALERTS: &[Alert] = &[
	Alert {
		name: "FabricStoreDisconnected",
		condition: r#"fabric_store_state{of="connected"} == 0"#,
		minutes: 5,
		severity: Page,
		summary: "The content node {{ $labels.instance }} does not follow its chain",
		action: "`problem` in `GET /v1/status` has the reason. The content node keeps serving, and \
			takes nothing in. Start the chain's node, or see [Connections to a \
			node](#connections-to-a-node). After a start, reading many rows can take \
			longer than five minutes.",
		broken: &[(r#"fabric_store_state{of="connected"}"#, 0.0, 0.0)],
	},
	Alert {
		name: "FabricStoreOtherChain",
		condition: r#"fabric_store_state{of="other_chain"} == 1"#,
		minutes: 1,
		severity: Page,
		summary: "The chain of {{ $labels.instance }}, or the node on it, is another one than before",
		action: "The chain was begun anew, the content node has the URL of another chain, or its node \
			was removed. It keeps what it has, and takes nothing in. See [A chain that is begun \
			anew](#a-chain-that-is-begun-anew) and [Watching](content-nodes.md#watching).",
		broken: &[(r#"fabric_store_state{of="other_chain"}"#, 1.0, 0.0)],
	},
	Alert {
		name: "FabricStoreFinalityLags",
		condition: r#"fabric_store_state{of="best_block"} - ignoring(of) fabric_store_state{of="block"} > 20"#,
		minutes: 5,
		severity: Ticket,
		summary: "The content node {{ $labels.instance }} is {{ $value }} blocks behind the best one",
		action: "Finality lags, see [Finality is stalled](#finality-is-stalled), or the content node \
			does: look at its processor and its disk.",
		broken: &[(r#"fabric_store_state{of="best_block"}"#, 150.0, 10.0)],
	},
	Alert {
		name: "FabricStoreErrors",
		condition: r#"sum by (job, instance) (rate(fabric_store_answers_total{status=~"5..",status!~"503|507"}[10m])) / sum by (job, instance) (rate(fabric_store_answers_total[10m])) > 0.05"#,
		minutes: 10,
		severity: Page,
		summary: "The content node {{ $labels.instance }} fails {{ $value | humanizePercentage }} of its requests",
		action: "The log of the content node has the reason: damaged files, or a failing disk. Run \
			[`fabric-store check`](content-nodes.md#check).",
		broken: &[(r#"fabric_store_answers_total{status="500"}"#, 0.0, 100.0)],
	},
	Alert {
		name: "FabricStoreOverloaded",
		condition: r#"sum by (job, instance) (rate(fabric_store_answers_total{status="503"}[10m])) / sum by (job, instance) (rate(fabric_store_answers_total[10m])) > 0.2"#,
		minutes: 15,
		severity: Ticket,
		summary: "The content node {{ $labels.instance }} puts off {{ $value | humanizePercentage }} of its requests",
		action: "Too many uploads, drafts or commits come at the same time, or the content node takes \
			nothing in: `GET /ready` has the reason. If it has none, the tenants need [another \
			node](content-nodes.md#copies).",
		broken: &[(r#"fabric_store_answers_total{status="503"}"#, 0.0, 600.0)],
	},
	Alert {
		name: "FabricStoreSlow",
		condition: "histogram_quantile(0.99, sum by (job, instance, le) (rate(fabric_store_latency_seconds_bucket[5m]))) > 1",
		minutes: 15,
		severity: Ticket,
		summary: "One in a hundred reads of {{ $labels.instance }} takes {{ $value | humanizeDuration }}",
		action: "The disk or the object store is too slow, or too many clients read. Look at the \
			load on its dashboard.",
		broken: &[(r#"fabric_store_latency_seconds_bucket{le="0.1"}"#, 0.0, 500.0)],
	},
	Alert {
		name: "FabricStoreFundsLow",
		condition: "fabric_store_affordable_commits < 1000",
		minutes: 10,
		severity: Ticket,
		summary: "The operator of {{ $labels.instance }} can pay for {{ $value }} commits only",
		action: "Transfer funds to the account that `GET /v1/status` has as `operator`. Choose a \
			limit that pays the fees of a week. `fabric_store_balance` is the amount, in the \
			smallest unit of the chain.",
		broken: &[("fabric_store_affordable_commits", 20.0, 0.0)],
	},
	Alert {
		name: "FabricStoreOutOfFunds",
		condition: "fabric_store_affordable_commits < 1",
		minutes: 1,
		severity: Page,
		summary: "The operator of {{ $labels.instance }} cannot pay for a commit",
		action: "The node refuses drafts with 402, and finalizes nothing. Transfer funds to the \
			account that `GET /v1/status` has as `operator`. If somebody else has spent them, the \
			[key is stolen](#a-stolen-operator-key-of-a-node).",
		broken: &[("fabric_store_affordable_commits", 0.0, 0.0)],
	},
	Alert {
		name: "FabricStoreReadOnly",
		condition: r#"fabric_store_state{of="read_only"} == 1"#,
		minutes: 1,
		severity: Page,
		summary: "The disk of the content node {{ $labels.instance }} cannot be written",
		action: "`problem` in `GET /v1/status` has the reason. If the disk is full (`df -h`), make \
			room. If it fails, the kernel mounts it read-only (`dmesg`): replace it, and see \
			[Restore a content node](#restore-a-content-node). Then `systemctl restart \
			fabric-store`: until it is started again, it serves what it has, and takes nothing in.",
		broken: &[(r#"fabric_store_state{of="read_only"}"#, 1.0, 0.0)],
	},
	Alert {
		name: "FabricStoreFull",
		condition: r#"sum by (job, instance) (increase(fabric_store_answers_total{status="507"}[15m])) > 0"#,
		minutes: 15,
		severity: Ticket,
		summary: "The content node {{ $labels.instance }} has no room for what tenants want to put",
		action: "Raise [`--capacity`](content-nodes.md#set-up), or add disk space.",
		broken: &[(r#"fabric_store_answers_total{status="507"}"#, 0.0, 5.0)],
	},
	Alert {
		name: "FabricStoreLacksBytes",
		condition: r#"fabric_store_state{of=~"damaged|missing"} > 0"#,
		minutes: 15,
		severity: Ticket,
		summary: "The content node {{ $labels.instance }} has {{ $value }} {{ $labels.of }} versions",
		action: "The node lacks sound bytes of versions that are final on the chain, and gets them \
			from other nodes. Run [`fabric-store check`](content-nodes.md#check), which lists \
			them, and check the disk.",
		broken: &[(r#"fabric_store_state{of="damaged"}"#, 1.0, 0.0)],
	},
	Alert {
		name: "FabricStoreLostBytes",
		condition: r#"fabric_store_state{of="lost"} > 0"#,
		minutes: 15,
		severity: Page,
		summary: "No node has the bytes of {{ $value }} versions of {{ $labels.instance }}",
		action: "Whoever has the files uploads the bytes again with [`fabric \
			put`](content-nodes.md#put-and-get-files). See [Restore a content \
			node](#restore-a-content-node).",
		broken: &[(r#"fabric_store_state{of="lost"}"#, 2.0, 0.0)],
	},
	Alert {
		name: "FabricStoreCopiesOverdue",
		condition: r#"fabric_store_state{of="asked"} > 0"#,
		minutes: 60,
		severity: Ticket,
		summary: "The content node {{ $labels.instance }} has yet to get {{ $value }} copies",
		action: "For an hour, the node has had copies to get from [other \
			nodes](content-nodes.md#copies). `asked` and `problem` in \
			`GET /v1/status`, and its log, have the reason. `GET /v1/copies?state=missing` of an \
			index names the copies.",
		broken: &[(r#"fabric_store_state{of="asked"}"#, 3.0, 0.0)],
	},
	Alert {
		name: "FabricStoreUploadsUnfinished",
		condition: r#"fabric_store_state{of="promised_bytes"} > 0 and on (job, instance) increase(fabric_store_received_bytes_total[3h]) == 0"#,
		minutes: 180,
		severity: Ticket,
		summary: "{{ $value | humanize1024 }}B have yet to arrive at {{ $labels.instance }}, and nothing does",
		action: "Tenants have committed versions and do not upload them, or cannot. Meanwhile, they \
			take up room on the node. `fabric history` of the node shows the commits and their \
			tenants: ask them to run [`fabric put`](content-nodes.md#put-and-get-files) again, or \
			to delete the versions.",
		broken: &[("fabric_store_received_bytes_total", 5e6, 0.0)],
	},
	Alert {
		name: "FabricStoreClockDiffers",
		condition: "abs(fabric_store_clock_difference_seconds) > 60",
		minutes: 10,
		severity: Ticket,
		summary: "The clocks of {{ $labels.instance }} and of the chain differ by {{ $value | humanizeDuration }}",
		action: "Synchronize the [clock](#the-machines) of the machine by NTP: `timedatectl`. A wrong \
			clock makes signed requests and drafts invalid. If the clock is right, the validators \
			have a wrong one.",
		broken: &[("fabric_store_clock_difference_seconds", -3_600.0, 0.0)],
	},
];

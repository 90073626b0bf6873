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
		action: "`problem` in `curl -s http://127.0.0.1:8090/v1/status` has the reason. The content \
			node keeps serving, and takes nothing in. Start the chain's node (`systemctl status \
			fabric-node`), or see [Connections to a node](#connections-to-a-node). After a start, \
			reading many rows can take longer than five minutes. It is over when \
			`finalized_block` in the status is a number.",
		broken: &[(r#"fabric_store_state{of="connected"}"#, 0.0, 0.0)],
	},
	Alert {
		name: "FabricStoreOtherChain",
		condition: r#"fabric_store_state{of="other_chain"} == 1"#,
		minutes: 1,
		severity: Page,
		summary: "The chain of {{ $labels.instance }}, or the node on it, is another one than before",
		action: "The chain was begun anew, the content node has the URL of another chain, or its node \
			was removed: `problem` in `curl -s http://127.0.0.1:8090/v1/status` says which. It keeps \
			what it has, and takes nothing in. See [A chain that is begun \
			anew](#a-chain-that-is-begun-anew) and [Watching](content-nodes.md#watching). It is over \
			when `problem` is `null`.",
		broken: &[(r#"fabric_store_state{of="other_chain"}"#, 1.0, 0.0)],
	},
	Alert {
		name: "FabricStoreFinalityLags",
		condition: r#"fabric_store_state{of="best_block"} - ignoring(of) fabric_store_state{of="block"} > 20"#,
		minutes: 5,
		severity: Ticket,
		summary: "The content node {{ $labels.instance }} is {{ $value }} blocks behind the best one",
		action: "If finality lags on the chain's node, act as in \
			[FabricNodeFinalityLags](#fabricnodefinalitylags). Otherwise the content node does: look \
			at its processor and its disk (`vmstat 5`), and at `journalctl --unit fabric-store`. It \
			is over when `finalized_block` in `curl -s http://127.0.0.1:8090/v1/status` follows \
			`best_block` again.",
		broken: &[(r#"fabric_store_state{of="best_block"}"#, 150.0, 10.0)],
	},
	Alert {
		name: "FabricStoreErrors",
		condition: r#"sum by (job, instance) (rate(fabric_store_answers_total{status=~"5..",status!~"503|507"}[30m])) / sum by (job, instance) (rate(fabric_store_answers_total[30m])) > 0.05 and sum by (job, instance) (increase(fabric_store_answers_total{status=~"5..",status!~"503|507"}[30m])) > 4"#,
		minutes: 10,
		severity: Page,
		summary: "The content node {{ $labels.instance }} fails {{ $value | humanizePercentage }} of its requests",
		action: "Let it run, and look for the reason: errors in `journalctl --unit fabric-store --since \
			-30min`, errors of the disk in `dmesg --level err,warn`, and `problem` and `damaged` in \
			`curl -s http://127.0.0.1:8090/v1/status`. For damaged versions, see \
			[FabricStoreLacksBytes](#fabricstorelacksbytes). Replace a disk that fails, see [Restore \
			a content node](#restore-a-content-node). It is over when *Failed requests* on the \
			dashboard has no status 500 or 502. Leave [`fabric-store \
			check`](content-nodes.md#check) for a quiet hour: the service must be stopped, and \
			hashing all bytes may take hours.",
		broken: &[(r#"fabric_store_answers_total{status="500"}"#, 0.0, 100.0)],
	},
	Alert {
		name: "FabricStoreOverloaded",
		condition: r#"sum by (job, instance) (rate(fabric_store_answers_total{status="503"}[10m])) / sum by (job, instance) (rate(fabric_store_answers_total[10m])) > 0.2 and sum by (job, instance) (increase(fabric_store_answers_total{status="503"}[10m])) > 4"#,
		minutes: 15,
		severity: Ticket,
		summary: "The content node {{ $labels.instance }} puts off {{ $value | humanizePercentage }} of its requests",
		action: "Too many uploads, drafts or commits come at the same time, or the content node takes \
			nothing in: `curl -s http://127.0.0.1:8090/ready` prints the reason. If it prints \
			`ready`, the tenants need [another node](content-nodes.md#copies). It is over when \
			*Failed requests* on the dashboard has little of status 503.",
		broken: &[(r#"fabric_store_answers_total{status="503"}"#, 0.0, 600.0)],
	},
	Alert {
		name: "FabricStoreSlow",
		condition: "histogram_quantile(0.99, sum by (job, instance, le) (rate(fabric_store_latency_seconds_bucket[5m]))) > 1",
		minutes: 15,
		severity: Ticket,
		summary: "One in a hundred reads of {{ $labels.instance }} takes {{ $value | humanizeDuration }}",
		action: "The disk or the object store is too slow, or too many clients read. In `vmstat 5`, a \
			high `wa` means the disk. *Bytes* and *Answers* on the dashboard show the load. It is \
			over when *Latency* is less than a second.",
		broken: &[(r#"fabric_store_latency_seconds_bucket{le="0.1"}"#, 0.0, 500.0)],
	},
	Alert {
		name: "FabricStoreFundsLow",
		condition: "fabric_store_affordable_commits < 1000",
		minutes: 10,
		severity: Ticket,
		summary: "The operator of {{ $labels.instance }} can pay for {{ $value }} commits only",
		action: "`curl -s http://127.0.0.1:8090/v1/status` has the account as `operator`. Send it \
			funds: `fabric account send '10 UNIT' OPERATOR --signer KEY`. It is over when \
			`affordable_commits` in the status is above the limit of the alert. Choose that limit \
			so that it pays the fees of a week.",
		broken: &[("fabric_store_affordable_commits", 20.0, 0.0)],
	},
	Alert {
		name: "FabricStoreOutOfFunds",
		condition: "fabric_store_affordable_commits < 1",
		minutes: 1,
		severity: Page,
		summary: "The operator of {{ $labels.instance }} cannot pay for a commit",
		action: "The node refuses drafts with 402, and finalizes nothing. Send funds as in \
			[FabricStoreFundsLow](#fabricstorefundslow). It is over when `affordable_commits` \
			rises, and `curl -s http://127.0.0.1:8090/ready` prints `ready`. `fabric history \
			OPERATOR --signed-by` lists the commits that it has paid for. If their fees do not \
			explain the loss, the [key is stolen](#a-stolen-operator-key-of-a-node).",
		broken: &[("fabric_store_affordable_commits", 0.0, 0.0)],
	},
	Alert {
		name: "FabricStoreReadOnly",
		condition: r#"fabric_store_state{of="read_only"} == 1"#,
		minutes: 1,
		severity: Page,
		summary: "The disk of the content node {{ $labels.instance }} cannot be written",
		action: "`problem` in `curl -s http://127.0.0.1:8090/v1/status` has the reason. If the disk is \
			full (`df -h`), make room as in [FabricDiskFull](#fabricdiskfull). If it fails, the \
			kernel mounts it read-only (`dmesg`): replace it, and see [Restore a content \
			node](#restore-a-content-node). Then `systemctl restart fabric-store`: until it is \
			started again, it serves what it has, and takes nothing in. It is over when `problem` is \
			`null`.",
		broken: &[(r#"fabric_store_state{of="read_only"}"#, 1.0, 0.0)],
	},
	Alert {
		name: "FabricStoreFills",
		condition: r#"fabric_store_state{of="room_bytes"} < ignoring(of) 0.1 * sum without(of) (fabric_store_state{of=~"held_bytes|promised_bytes|room_bytes"}) and ignoring(of) predict_linear(fabric_store_state{of="room_bytes"}[1d], 4 * 86400) < 0"#,
		minutes: 60,
		severity: Ticket,
		summary: "The content node {{ $labels.instance }} has room for {{ $value | humanize1024 }}B, and less than four days until it is full",
		action: "`curl -s http://127.0.0.1:8090/v1/status` has `held_bytes` and `room_bytes`, and `df -h \
			/var/lib/fabric-store` the space of the disk. If the disk has more room than the node, \
			raise [`--capacity`](content-nodes.md#set-up) in `/etc/default/fabric-store`, and \
			`systemctl restart fabric-store`. Otherwise enlarge the disk. With an object store, it \
			may be the disk for uploads that fills. It is over when `room_bytes` has risen.",
		broken: &[(r#"fabric_store_state{of="room_bytes"}"#, 1e10, -1e7)],
	},
	Alert {
		name: "FabricStoreFull",
		condition: r#"sum by (job, instance) (increase(fabric_store_answers_total{status="507"}[1h])) > 0"#,
		minutes: 0,
		severity: Ticket,
		summary: "The content node {{ $labels.instance }} has refused bytes of tenants, for lack of room",
		action: "`journalctl --unit fabric-store --grep 'is refused'` has the reason. If the disk \
			cannot be written, see [FabricStoreReadOnly](#fabricstorereadonly). Otherwise the log \
			has the number of bytes that were needed, and the room that was left. Make room as in \
			[FabricStoreFills](#fabricstorefills), unless somebody asked for far too much. It is \
			over an hour after the last refusal.",
		broken: &[(r#"fabric_store_answers_total{status="507"}"#, 0.0, 5.0)],
	},
	Alert {
		name: "FabricStoreLacksBytes",
		condition: r#"fabric_store_state{of=~"damaged|missing"} > 0"#,
		minutes: 15,
		severity: Ticket,
		summary: "The content node {{ $labels.instance }} has {{ $value }} {{ $labels.of }} versions",
		action: "The node lacks sound bytes of versions that are final on the chain, and gets them from \
			other nodes by itself. `journalctl --unit fabric-store` names the versions, `dmesg \
			--level err,warn` shows whether the disk fails, and `fabric copies missing TENANT` lists \
			the versions of a tenant that its nodes do not serve. It is over when `damaged` and \
			`missing` in `curl -s http://127.0.0.1:8090/v1/status` are 0. If they stay, stop the \
			service and run [`fabric-store check`](content-nodes.md#check).",
		broken: &[(r#"fabric_store_state{of="damaged"}"#, 1.0, 0.0)],
	},
	Alert {
		name: "FabricStoreLostBytes",
		condition: r#"fabric_store_state{of="lost"} > 0"#,
		minutes: 15,
		severity: Page,
		summary: "No node has the bytes of {{ $value }} versions of {{ $labels.instance }}",
		action: "`journalctl --unit fabric-store --grep 'are lost'` names the versions, `fabric who \
			VERSION` their tenants, and `fabric copies missing TENANT` the files. If you have a \
			backup, [restore the content node](#restore-a-content-node). Otherwise ask the tenants \
			to put the files again: [`fabric put FOLDER --node \
			URL`](content-nodes.md#put-and-get-files). It is over when `lost` in `curl -s \
			http://127.0.0.1:8090/v1/status` is 0.",
		broken: &[(r#"fabric_store_state{of="lost"}"#, 2.0, 0.0)],
	},
	Alert {
		name: "FabricStoreCopiesOverdue",
		condition: r#"fabric_store_state{of="asked"} > 0"#,
		minutes: 60,
		severity: Ticket,
		summary: "The content node {{ $labels.instance }} has yet to get {{ $value }} copies",
		action: "For an hour, the node has had copies to get from [other \
			nodes](content-nodes.md#copies). `journalctl --unit fabric-store --since -2h` has the \
			reason, and `curl -s http://127.0.0.1:8090/v1/status` has `problem` and `room_bytes`. \
			On the machine of an index, `curl -s 'http://127.0.0.1:8080/v1/copies?state=missing'` \
			names the copies. It is over when `asked` in the status is 0.",
		broken: &[(r#"fabric_store_state{of="asked"}"#, 3.0, 0.0)],
	},
	Alert {
		name: "FabricStoreUploadsUnfinished",
		condition: r#"fabric_store_state{of="promised_bytes"} > 0 and on (job, instance) increase(fabric_store_received_bytes_total[3h]) == 0"#,
		minutes: 180,
		severity: Ticket,
		summary: "{{ $value | humanize1024 }}B have yet to arrive at {{ $labels.instance }}, and nothing does",
		action: "Tenants have committed versions and do not upload them, or cannot. Meanwhile, they \
			take up room on the node. `fabric history NODE` shows the commits and their \
			tenants: ask them to run [`fabric put`](content-nodes.md#put-and-get-files) again, or \
			to delete the versions. It is over when `promised_bytes` in `curl -s \
			http://127.0.0.1:8090/v1/status` falls.",
		broken: &[("fabric_store_received_bytes_total", 5e6, 0.0)],
	},
	Alert {
		name: "FabricStoreClockDiffers",
		condition: "abs(fabric_store_clock_difference_seconds) > 60",
		minutes: 10,
		severity: Ticket,
		summary: "The clocks of {{ $labels.instance }} and of the chain differ by {{ $value | humanizeDuration }}",
		action: "Look at the [clock](#the-machines) of the machine: `timedatectl`. `timedatectl set-ntp \
			true` synchronizes it by NTP. A wrong clock makes signed requests and drafts invalid. If \
			the clock is right, the validators have a wrong one. It is over when `clock_difference` in \
			`curl -s http://127.0.0.1:8090/v1/status` is `null`.",
		broken: &[("fabric_store_clock_difference_seconds", -3_600.0, 0.0)],
	},
];

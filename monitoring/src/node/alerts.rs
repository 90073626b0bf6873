// SPDX-License-Identifier: Apache-2.0
//! Alerts of a node.

use crate::{
	Alert,
	Severity::{Page, Ticket},
};

pub(super) const ALERTS: &[Alert] = &[
	Alert {
		name: "FabricNodeMakesNoProgress",
		condition: r#"delta(substrate_block_height{status="best"}[2m]) == 0"#,
		minutes: 1,
		severity: Page,
		summary: "{{ $labels.instance }} has had no new block for three minutes",
		action: "On all nodes: see [No blocks](#no-blocks). On one: look at its disk (`df -h`), its \
			connections (`substrate_sync_peers`) and its log (`journalctl --unit fabric-node`). \
			Then `systemctl restart fabric-node`.",
		broken: &[(r#"substrate_block_height{status="best"}"#, 100.0, 0.0)],
	},
	Alert {
		name: "FabricNodeFinalityStalls",
		condition: r#"delta(substrate_block_height{status="finalized"}[5m]) == 0"#,
		minutes: 2,
		severity: Page,
		summary: "No block has become final on {{ $labels.instance }} for seven minutes",
		action: "On all nodes: a third or more of the validators are down or cut off, see \
			[Finality is stalled](#finality-is-stalled). On one: look at its connections, \
			`substrate_sync_peers`.",
		broken: &[(r#"substrate_block_height{status="finalized"}"#, 98.0, 0.0)],
	},
	Alert {
		name: "FabricNodeFinalityLags",
		condition: r#"substrate_block_height{status="best"} - ignoring(status) substrate_block_height{status="finalized"} > 20"#,
		minutes: 5,
		severity: Ticket,
		summary: "The last final block of {{ $labels.instance }} is {{ $value }} blocks behind its best one",
		action: "Some validators are slow, or too few vote. `fabric validator list` names \
			them. If it gets worse, see [Finality is stalled](#finality-is-stalled).",
		broken: &[(r#"substrate_block_height{status="finalized"}"#, 50.0, 10.0)],
	},
	Alert {
		name: "FabricNodeBehind",
		condition: r#"substrate_block_height{status="sync_target"} - ignoring(status) substrate_block_height{status="best"} > 20"#,
		minutes: 30,
		severity: Ticket,
		summary: "{{ $labels.instance }} is {{ $value }} blocks behind its peers",
		action: "A new node synchronizes: `substrate_sub_libp2p_is_major_syncing` is 1. If that \
			lasts, its disk or processor is too slow, see [Memory](#memory).",
		broken: &[(r#"substrate_block_height{status="sync_target"}"#, 200.0, 10.0)],
	},
	Alert {
		name: "FabricNodeLacksPeers",
		condition: "substrate_sync_peers < 2",
		minutes: 10,
		severity: Ticket,
		summary: "{{ $labels.instance }} has {{ $value }} peers",
		action: "Look at its firewall, its bootnodes and its clock. Port 30333 must be \
			[open](#the-machines).",
		broken: &[("substrate_sync_peers", 1.0, 0.0)],
	},
	Alert {
		name: "FabricValidatorMakesNoBlocks",
		condition: "increase(substrate_proposer_block_constructed_count[1h]) == 0 and on (job, instance) substrate_node_roles == 4",
		minutes: 10,
		severity: Page,
		summary: "The validator {{ $labels.instance }} has made no block for an hour",
		action: "It is not active or is disabled (see `fabric validator list`), has no session \
			keys, or its clock is off. See [Remove a validator](#remove-a-validator) and [New \
			session keys](#new-session-keys). A validator that waits for its first session makes \
			no blocks either: silence the alert.",
		broken: &[("substrate_proposer_block_constructed_count", 7.0, 0.0)],
	},
	Alert {
		name: "FabricNodeImportsSlowly",
		condition: "rate(substrate_block_verification_and_import_time_sum[5m]) / rate(substrate_block_verification_and_import_time_count[5m]) > 1",
		minutes: 10,
		severity: Ticket,
		summary: "{{ $labels.instance }} needs {{ $value | humanizeDuration }} for a block",
		action: "The disk or the processor is too slow, or blocks are full. See [Memory](#memory).",
		broken: &[("substrate_block_verification_and_import_time_sum", 0.0, 16.0)],
	},
	Alert {
		name: "FabricNodeForks",
		condition: "substrate_number_leaves > 10",
		minutes: 10,
		severity: Ticket,
		summary: "{{ $labels.instance }} knows {{ $value }} forks",
		action: "Finality is stalled, or a validator runs twice. **Never run the same session \
			keys on [two machines](#the-machines).**",
		broken: &[("substrate_number_leaves", 12.0, 0.0)],
	},
	Alert {
		name: "FabricNodePoolFills",
		condition: "substrate_ready_transactions_number > 5000",
		minutes: 10,
		severity: Ticket,
		summary: "{{ $value }} transactions wait on {{ $labels.instance }}",
		action: "The cause is a burst, a [migration](#upgrade-the-runtime), or [no blocks](#no-blocks).",
		broken: &[("substrate_ready_transactions_number", 6_000.0, 0.0)],
	},
	Alert {
		name: "FabricNodeRestarts",
		condition: "changes(substrate_process_start_time_seconds[1h]) > 1",
		minutes: 0,
		severity: Ticket,
		summary: "{{ $labels.instance }} was started {{ $value }} times within an hour",
		action: "Read the log of the node: `journalctl --unit fabric-node`. A node exits when its \
			database cannot write: look at its disk, `df -h`.",
		broken: &[("substrate_process_start_time_seconds", 1.0, 60.0)],
	},
];

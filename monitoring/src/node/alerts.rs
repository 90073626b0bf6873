// SPDX-License-Identifier: Apache-2.0
//! Alerts of a node.

use crate::{
	Alert,
	Severity::{Page, Ticket},
};

pub(super) const ALERTS: &[Alert] = &[
	Alert {
		name: "FabricNodeMakesNoProgress",
		condition: r#"delta(substrate_block_height{job="fabric-node",status="best"}[2m]) == 0"#,
		minutes: 1,
		severity: Page,
		summary: "{{ $labels.instance }} has had no new block for three minutes",
		action: "On all nodes: see [No blocks](#no-blocks). On one: run `curl -s \
			http://127.0.0.1:9615/metrics | grep -E 'block_height|sync_peers|is_major_syncing'`. \
			If `is_major_syncing` is 1 and `journalctl --unit fabric-node` has `Warping` or `State \
			sync`, do not restart the node: its best block stands still until it has the state. \
			Otherwise look at its disk (`df -h /var/lib/fabric-node`), its connections \
			(`sync_peers`) and its log. Then run `systemctl restart fabric-node`. It is over when \
			the best block rises, by ten a minute.",
		broken: &[(r#"substrate_block_height{status="best"}"#, 100.0, 0.0)],
	},
	Alert {
		name: "FabricNodeFinalityStalls",
		condition: r#"delta(substrate_block_height{job="fabric-node",status="finalized"}[5m]) == 0"#,
		minutes: 2,
		severity: Page,
		summary: "No block has become final on {{ $labels.instance }} for seven minutes",
		action: "On all nodes: a third or more of the validators are down or cut off, see \
			[Finality is stalled](#finality-is-stalled). On one: run `curl -s \
			http://127.0.0.1:9615/metrics | grep -E 'sync_peers|is_major_syncing'`. A node that \
			synchronizes catches up by itself. One with few peers is cut off, see \
			[FabricNodeLacksPeers](#fabricnodelackspeers). It is over when \
			`substrate_block_height{status=\"finalized\"}` rises.",
		broken: &[(r#"substrate_block_height{status="finalized"}"#, 98.0, 0.0)],
	},
	Alert {
		name: "FabricNodeFinalityLags",
		condition: r#"substrate_block_height{job="fabric-node",status="best"} - ignoring(status) substrate_block_height{job="fabric-node",status="finalized"} > 20"#,
		minutes: 5,
		severity: Ticket,
		summary: "The last final block of {{ $labels.instance }} is {{ $value }} blocks behind its best one",
		action: "Some validators are slow, or too few vote. This prints the state of the round, with \
			the keys whose votes are `missing`:\n\n\
			```sh\n\
			curl -s http://127.0.0.1:9944 -H 'Content-Type: application/json' \\\n    \
			-d '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"grandpa_roundState\",\"params\":[]}' | \
			jq .result.best\n\
			```\n\n\
			Type it several times: a validator whose key is always missing in `prevotes` does not \
			vote. `content-fabric-node key inspect KEY` prints the key in hex, as the lines \
			`grandpa` of `fabric validator list` have it. The operator of that validator looks at \
			its log, clock and peers. It is over when *Blocks that are not final* on the dashboard \
			is two or three. If it gets worse, see [Finality is stalled](#finality-is-stalled).",
		broken: &[(r#"substrate_block_height{status="finalized"}"#, 50.0, 10.0)],
	},
	Alert {
		name: "FabricNodeBehind",
		condition: r#"substrate_block_height{job="fabric-node",status="sync_target"} - ignoring(status) substrate_block_height{job="fabric-node",status="best"} > 20"#,
		minutes: 30,
		severity: Ticket,
		summary: "{{ $labels.instance }} is {{ $value }} blocks behind its peers",
		action: "Run `curl -s http://127.0.0.1:9615/metrics | grep -E \
			'block_height|is_major_syncing'`. A new node synchronizes: `is_major_syncing` is 1, \
			and `best` comes nearer to `sync_target`. It is over when they meet. If they do not, \
			the disk or the processor is too slow (`vmstat 5`), see [Memory](#memory).",
		broken: &[(r#"substrate_block_height{status="sync_target"}"#, 200.0, 10.0)],
	},
	Alert {
		name: "FabricNodeLacksPeers",
		condition: r#"substrate_sync_peers{job="fabric-node"} < 2"#,
		minutes: 10,
		severity: Ticket,
		summary: "{{ $labels.instance }} has {{ $value }} peers",
		action: "Port 30333 must be [open](#the-machines): `nc -vz HOST 30333` on another machine \
			shows whether it is. Then look at the bootnodes in the chain specification, at the clock \
			(`timedatectl`), and at `journalctl --unit fabric-node`. It is over when \
			`substrate_sync_peers` is 2 or more.",
		broken: &[("substrate_sync_peers", 1.0, 0.0)],
	},
	Alert {
		name: "FabricValidatorMakesNoBlocks",
		condition: r#"increase(substrate_proposer_block_constructed_count{job="fabric-node"}[1h]) == 0 and on (job, instance) substrate_node_roles{job="fabric-node"} == 4"#,
		minutes: 10,
		severity: Page,
		summary: "The validator {{ $labels.instance }} has made no block for an hour",
		action: "`fabric validator list` shows whether it is active, or disabled. The list also \
			has its key `aura`: without `0x`, a name in `ls \
			/var/lib/fabric-node/chains/*/keystore` must end with it. `timedatectl` shows whether \
			its clock is off. See [Remove a validator](#remove-a-validator) and [New session \
			keys](#new-session-keys). It is over when `substrate_proposer_block_constructed_count` \
			rises. A validator that waits for its first session makes no blocks either: silence \
			the alert.",
		broken: &[("substrate_proposer_block_constructed_count", 7.0, 0.0)],
	},
	Alert {
		name: "FabricNodeImportsSlowly",
		condition: r#"rate(substrate_block_verification_and_import_time_sum{job="fabric-node"}[5m]) / rate(substrate_block_verification_and_import_time_count{job="fabric-node"}[5m]) > 1"#,
		minutes: 10,
		severity: Ticket,
		summary: "{{ $labels.instance }} needs {{ $value | humanizeDuration }} for a block",
		action: "The disk or the processor is too slow, or blocks are full. In `vmstat 5`, a high `wa` \
			means the disk, and a low `id` the processor. See [Memory](#memory). It is over when \
			*Time to import a block* on the dashboard is less than a second.",
		broken: &[("substrate_block_verification_and_import_time_sum", 0.0, 16.0)],
	},
	Alert {
		name: "FabricNodeForks",
		condition: r#"substrate_number_leaves{job="fabric-node"} > 10"#,
		minutes: 10,
		severity: Ticket,
		summary: "{{ $labels.instance }} knows {{ $value }} forks",
		action: "If the last final block stands still, see [Finality is \
			stalled](#finality-is-stalled). Otherwise a validator may run twice: `fabric validator \
			list` shows one that has voted twice as disabled. Stop one of the two nodes that have \
			its keys. **Never run the same session keys on [two machines](#the-machines).** It is \
			over when `substrate_number_leaves` falls, as later blocks become final.",
		broken: &[("substrate_number_leaves", 12.0, 0.0)],
	},
	Alert {
		name: "FabricNodePoolFills",
		condition: r#"substrate_ready_transactions_number{job="fabric-node"} > 5000"#,
		minutes: 10,
		severity: Ticket,
		summary: "{{ $value }} transactions wait on {{ $labels.instance }}",
		action: "The cause is a burst, which ends by itself, a [migration](#upgrade-the-runtime), or \
			[no blocks](#no-blocks). `curl -s http://127.0.0.1:9615/metrics | grep -E \
			'block_height|ready_transactions'` shows whether blocks come. It is over when \
			`substrate_ready_transactions_number` falls.",
		broken: &[("substrate_ready_transactions_number", 6_000.0, 0.0)],
	},
	Alert {
		name: "FabricNodeRestarts",
		condition: r#"changes(substrate_process_start_time_seconds{job="fabric-node"}[1h]) > 1"#,
		minutes: 0,
		severity: Ticket,
		summary: "{{ $labels.instance }} was started {{ $value }} times within an hour",
		action: "`journalctl --unit fabric-node --since -2h` has the reason. A node exits when its \
			database cannot write. If `df -h /var/lib/fabric-node` shows a full disk, make room as \
			in [FabricDiskFull](#fabricdiskfull). After five failures within ten minutes, systemd \
			has given up: `systemctl reset-failed fabric-node`, then `systemctl start fabric-node`. \
			It is over when `systemctl status fabric-node` shows that it has run for an hour.",
		broken: &[("substrate_process_start_time_seconds", 1.0, 60.0)],
	},
];

// SPDX-License-Identifier: Apache-2.0
//! The dashboard of a node.

use crate::{Panel, Row};

pub(super) const ROWS: &[Row] = &[
	Row {
		title: "Is it healthy?",
		panels: &[
			Panel {
				title: "Blocks",
				unit: "short",
				help: "The best block, the last final one, and the best one of all peers. The three \
					rise together, ten blocks a minute.",
				queries: &[("substrate_block_height", "{{instance}} {{status}}")],
			},
			Panel {
				title: "Blocks that are not final",
				unit: "short",
				help: "Two or three. If it rises steadily, finality has stalled.",
				queries: &[(
					r#"substrate_block_height{status="best"} - ignoring(status) substrate_block_height{status="finalized"}"#,
					"{{instance}}",
				)],
			},
			Panel {
				title: "Peers",
				unit: "short",
				help: "Nodes that this one exchanges blocks with.",
				queries: &[("substrate_sync_peers", "{{instance}}")],
			},
			Panel {
				title: "Synchronizes",
				unit: "bool_yes_no",
				help: "Yes while the node reads many blocks of others.",
				queries: &[("substrate_sub_libp2p_is_major_syncing", "{{instance}}")],
			},
			Panel {
				title: "Rounds of votes",
				unit: "cpm",
				help: "Rounds of GRANDPA in a minute. None while finality stalls.",
				queries: &[("60 * deriv(substrate_finality_grandpa_round[5m])", "{{instance}}")],
			},
			Panel {
				title: "Running since",
				unit: "dateTimeFromNow",
				help: "The last start of the process.",
				queries: &[("1000 * substrate_process_start_time_seconds", "{{instance}}")],
			},
		],
	},
	Row {
		title: "Load",
		panels: &[
			Panel {
				title: "Submitted transactions",
				unit: "reqps",
				help: "Transactions that came in, from clients and from other nodes.",
				queries: &[("rate(substrate_sub_txpool_submitted_txs_total[$__rate_interval])", "{{instance}}")],
			},
			Panel {
				title: "Transactions in a block",
				unit: "short",
				help: "In the last block that the node has made.",
				queries: &[("substrate_proposer_number_of_transactions", "{{instance}}")],
			},
			Panel {
				title: "Blocks made",
				unit: "cpm",
				help: "Blocks that this validator has made, in a minute.",
				queries: &[(
					"60 * rate(substrate_proposer_block_constructed_count[$__rate_interval])",
					"{{instance}}",
				)],
			},
			Panel {
				title: "JSON-RPC calls",
				unit: "reqps",
				help: "Answered calls, by method.",
				queries: &[(
					"sum by (method) (rate(substrate_rpc_calls_finished[$__rate_interval]))",
					"{{method}}",
				)],
			},
			Panel {
				title: "JSON-RPC connections",
				unit: "short",
				help: "Connections that are open.",
				queries: &[(
					"substrate_rpc_sessions_opened - substrate_rpc_sessions_closed",
					"{{instance}}",
				)],
			},
			Panel {
				title: "Network",
				unit: "Bps",
				help: "Bytes from and to other nodes.",
				queries: &[(
					"rate(substrate_sub_libp2p_network_bytes_total[$__rate_interval])",
					"{{instance}} {{direction}}",
				)],
			},
		],
	},
	Row {
		title: "Errors",
		panels: &[
			Panel {
				title: "Failed JSON-RPC calls",
				unit: "reqps",
				help: "Calls that were answered with an error, by method.",
				queries: &[(
					r#"sum by (method) (rate(substrate_rpc_calls_finished{is_error="true"}[$__rate_interval]))"#,
					"{{method}}",
				)],
			},
			Panel {
				title: "Forks",
				unit: "short",
				help: "Heads of forks. A few come and go between final blocks.",
				queries: &[("substrate_number_leaves", "{{instance}}")],
			},
		],
	},
	Row {
		title: "Saturation",
		panels: &[
			Panel {
				title: "Waiting transactions",
				unit: "short",
				help: "Transactions that could be in the next block.",
				queries: &[("substrate_ready_transactions_number", "{{instance}}")],
			},
			Panel {
				title: "End of blocks",
				unit: "cpm",
				help: "Reasons why no more transactions were added to a block. `hit_deadline` means that \
					the node is too slow for the weights.",
				queries: &[(
					"60 * rate(substrate_proposer_end_proposal_reason[$__rate_interval])",
					"{{instance}} {{reason}}",
				)],
			},
			Panel {
				title: "Time to import a block",
				unit: "s",
				help: "The average. More than a second is too long.",
				queries: &[(
					"rate(substrate_block_verification_and_import_time_sum[$__rate_interval]) / rate(substrate_block_verification_and_import_time_count[$__rate_interval])",
					"{{instance}}",
				)],
			},
			Panel {
				title: "Time to make a block",
				unit: "s",
				help: "The average. A validator has two thirds of a slot, which has six seconds.",
				queries: &[(
					"rate(substrate_proposer_block_constructed_sum[$__rate_interval]) / rate(substrate_proposer_block_constructed_count[$__rate_interval])",
					"{{instance}}",
				)],
			},
			Panel {
				title: "Caches",
				unit: "bytes",
				help: "Memory of the caches of the database and of the state.",
				queries: &[
					("substrate_database_cache_bytes", "{{instance}} database"),
					("substrate_state_cache_bytes", "{{instance}} state"),
				],
			},
		],
	},
];

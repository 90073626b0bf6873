// SPDX-License-Identifier: Apache-2.0
//! The node of the chain. Substrate defines its metrics: these are the ones that are used.

mod alerts;
mod rows;

use crate::{metric::metrics, Metric, Program};

metrics! {
	/// Height of the chain: of the best block, the last final one, and the best one of all peers.
	BLOCK_HEIGHT = Metric::gauge("substrate_block_height")
		.of(&["status"], &["best", "finalized", "sync_target"]);
	/// Number of heads of forks.
	LEAVES = Metric::gauge("substrate_number_leaves");
	/// Number of transactions that could be in the next block.
	READY_TRANSACTIONS = Metric::gauge("substrate_ready_transactions_number");
	/// 4 for a validator, 1 for a full node.
	ROLES = Metric::gauge("substrate_node_roles");
	/// Time of the start of the process, in seconds since 1970.
	START_TIME = Metric::gauge("substrate_process_start_time_seconds");
	/// Number of peers.
	PEERS = Metric::gauge("substrate_sync_peers");
	/// 1 while the node synchronizes.
	SYNCING = Metric::gauge("substrate_sub_libp2p_is_major_syncing");
	/// Bytes on the network, by direction.
	NETWORK_BYTES = Metric::counter("substrate_sub_libp2p_network_bytes_total").by(&["direction"]);
	/// Time to verify and import a block, in seconds.
	IMPORT_TIME =
		Metric::histogram("substrate_block_verification_and_import_time");
	/// Time to make a block, in seconds.
	CONSTRUCTED = Metric::histogram("substrate_proposer_block_constructed");
	/// Number of transactions in the last block that the node has made.
	BLOCK_TRANSACTIONS = Metric::gauge("substrate_proposer_number_of_transactions");
	/// Number of blocks that the node has made, by the reason why no more transactions were added.
	END_REASON = Metric::counter("substrate_proposer_end_proposal_reason").by(&["reason"]);
	/// Round of votes on finality.
	ROUND = Metric::gauge("substrate_finality_grandpa_round");
	/// Number of transactions that were submitted.
	SUBMITTED = Metric::counter("substrate_sub_txpool_submitted_txs_total");
	/// Number of connections to JSON-RPC that were opened.
	SESSIONS_OPENED = Metric::counter("substrate_rpc_sessions_opened");
	/// Number of connections to JSON-RPC that were closed.
	SESSIONS_CLOSED = Metric::counter("substrate_rpc_sessions_closed");
	/// Number of answered JSON-RPC calls.
	CALLS = Metric::counter("substrate_rpc_calls_finished")
		.by(&["protocol", "method", "is_error", "is_rate_limited"]);
	/// Bytes of the cache of the database.
	DATABASE_CACHE = Metric::gauge("substrate_database_cache_bytes");
	/// Bytes of the cache of the state.
	STATE_CACHE = Metric::gauge("substrate_state_cache_bytes");
}

/// Alerts and dashboard of a node.
pub const PROGRAM: Program = Program {
	name: "node",
	title: "Node",
	job: "fabric-node",
	metrics: METRICS,
	alerts: alerts::ALERTS,
	rows: rows::ROWS,
	healthy: &[
		(r#"substrate_block_height{status="best"}"#, 100.0, 10.0),
		(r#"substrate_block_height{status="finalized"}"#, 98.0, 10.0),
		(r#"substrate_block_height{status="sync_target"}"#, 100.0, 10.0),
		("substrate_number_leaves", 1.0, 0.0),
		("substrate_ready_transactions_number", 10.0, 0.0),
		("substrate_node_roles", 4.0, 0.0),
		("substrate_process_start_time_seconds", 1.0, 0.0),
		("substrate_sync_peers", 3.0, 0.0),
		("substrate_proposer_block_constructed_count", 0.0, 2.0),
		("substrate_block_verification_and_import_time_sum", 0.0, 1.0),
		("substrate_block_verification_and_import_time_count", 0.0, 8.0),
	],
};

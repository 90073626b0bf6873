// SPDX-License-Identifier: Apache-2.0
//! The state of the index, as readers see it.

use serde::Serialize;
use subxt::utils::H256;
use utoipa::ToSchema;

use crate::{
	follow::Progress,
	index::{State, Sums, Total},
	rows::Map,
};

/// The number, the hash and the time of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Point {
	/// The number.
	pub number: u64,
	/// The hash.
	#[schema(value_type = String)]
	pub hash: H256,
	/// The time, in milliseconds since the Unix epoch.
	pub time: u64,
}

answers! {
	/// The blocks of the node.
	NodeHeads of Progress = progress => {
		/// The number of its best block.
		best: u64 = progress.node_best,
		/// The number of its last final block.
		finalized: u64 = progress.node_finalized,
		/// True if it answered the last question.
		connected: bool = progress.connected,
		/// True if its chain is proven not to be the chain of the index: it was begun anew,
		/// or the URL leads to another chain.
		begun_anew: bool = progress.begun_anew,
	}

	/// The blocks of the node, and when it answered.
	NodeStatus of Progress = progress => {
		/// The number of its best block.
		best: u64 = progress.node_best,
		/// The number of its last final block.
		finalized: u64 = progress.node_finalized,
		/// True if it answered the last question.
		connected: bool = progress.connected,
		/// True if its chain is proven not to be the chain of the index: it was begun anew,
		/// or the URL leads to another chain.
		begun_anew: bool = progress.begun_anew,
		/// The time of its last answer, in milliseconds since the Unix epoch.
		heard_at: u64 = progress.heard_at,
	}

	/// Numbers of rows.
	Totals of Sums = sums => {
		/// Number of spaces.
		spaces: u64 = sums.of(Map::Spaces),
		/// Number of providers.
		providers: u64 = sums.of(Map::Providers),
		/// Number of tenants.
		tenants: u64 = sums.of(Map::Tenants),
		/// Number of nodes.
		nodes: u64 = sums.of(Map::Nodes),
		/// Number of KMSes.
		kmses: u64 = sums.of(Map::Kmses),
		/// Number of content objects.
		objects: u64 = sums.of(Map::ContentObjects),
		/// Number of versions.
		versions: u64 = sums.of(Map::Versions),
		/// Number of collections.
		collections: u64 = sums.of(Map::Collections),
		/// Number of records.
		records: u64 = sums.of(Map::Records),
		/// Number of access keys.
		keys: u64 = sums.of(Map::ProviderKeys).saturating_add(sums.of(Map::TenantKeys)),
		/// Number of unused admissions.
		admissions: u64 = sums.of(Map::Admissions),
	}

	/// The totals of an hour.
	Hour of (u64, Total) = (hour, Total { rows, members, commits }) => {
		/// The start of the hour, in milliseconds since the Unix epoch.
		hour: u64 = hour,
		/// Number of rows at its end.
		rows: u64 = rows,
		/// Number of commits in it.
		commits: u64 = commits,
		/// Number of members at its end.
		members: u64 = members,
	}

	/// The state of the index.
	Status of (State, Progress, Sums, Point, Option<String>) =
		(state, progress, sums, finalized, audits_paused) =>
	{
		/// The kind of chain: `Development`, `Local` or `Live`.
		chain: String = state.chain.kind,
		/// The hash of the first block.
		#[schema(value_type = String)]
		genesis: H256 = state.chain.genesis.into(),
		/// The symbol of the currency.
		token: String = state.chain.token,
		/// Number of decimal places of the currency.
		decimals: u8 = state.chain.decimals,
		/// The last block of the index, which has final blocks only.
		finalized: Point = finalized,
		/// The node.
		node: NodeStatus = progress.clone().into(),
		/// The reason why the index does not follow the node, and the remedy. `null` while it
		/// follows the node.
		problem: Option<String> = progress.error.clone(),
		/// The reason why no content nodes are audited now. `null` if they are, or audits are off.
		audits_paused: Option<String> = audits_paused,
		/// Number of final blocks of the node that the index has yet to read.
		behind: u64 = progress.node_finalized.saturating_sub(state.last.number),
		/// Number of blocks by which the node's best block is ahead of the last block of the index.
		best_ahead: u64 = progress.node_best.saturating_sub(state.last.number),
		/// The first block whose events the index has. `null` if it has the events of all blocks.
		// The first block of a chain has no events.
		history_since: Option<u64> = Some(state.history_since).filter(|since| *since > 1),
		/// The ranges of blocks after that whose events are missing: the first and the last of
		/// each.
		gaps: Vec<(u64, u64)> = state.gaps,
		/// The version of the runtime that made the last block.
		spec_version: u32 = state.spec_version,
		/// The version of the pallet's storage.
		storage_version: u16 = state.storage_version,
		/// Numbers of rows.
		totals: Totals = sums.into(),
		/// Number of purges under way.
		purges: u64 = sums.of(Map::Purges),
		/// The length of the file of the index in bytes, as digits.
		index_bytes: String = progress.index_bytes.to_string(),
		/// The version of the program.
		version: &'static str = env!("CARGO_PKG_VERSION"),
	}
}

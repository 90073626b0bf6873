// SPDX-License-Identifier: Apache-2.0
//! Questions to a node before anything is signed or uploaded.

use std::time::Duration;

use content_fabric_identifiers::VersionId;
use serde::{de, Deserialize, Deserializer};
use subxt::utils::AccountId32;

use super::{blocking, ContentNode, NodeError, Status};
use crate::{http::clock, ids::deserialize_account_or_none, profile::hash::Hash};

/// The operator of a node, and the amount that it can spend, in the smallest unit.
#[derive(Debug, Deserialize)]
pub struct Funds {
	/// The account. `None` if the node does not report it.
	#[serde(default, deserialize_with = "deserialize_account_or_none")]
	pub operator: Option<AccountId32>,
	/// The amount in digits. `None` if the node does not know it.
	pub balance: Option<String>,
}

/// The state of a node, as it reports it. Other fields are ignored, and those that an earlier
/// version does not have are `None`.
#[derive(Debug, Deserialize)]
pub struct State {
	/// The ids of the node.
	#[serde(flatten)]
	pub ids: Status,
	/// The version of the program.
	pub version: Option<String>,
	/// The genesis hash of the chain to which it was last connected.
	pub genesis_hash: Option<Hash>,
	/// The last finalized block that it has followed.
	pub finalized_block: Option<u64>,
	/// The reason why it does not follow the chain, or takes nothing in.
	pub problem: Option<String>,
	/// The difference between its clock and the chain's, in words.
	pub clock_difference: Option<String>,
	/// The account that it signs with.
	#[serde(default, deserialize_with = "deserialize_account_or_none")]
	pub operator: Option<AccountId32>,
	/// Number of commits that its balance can pay for.
	pub affordable_commits: Option<u64>,
	/// Number of versions that it holds.
	pub versions: Option<u64>,
	/// Number of held versions that are damaged.
	pub damaged: Option<u64>,
	/// Number of versions that are final on the chain, and that it lacks.
	pub missing: Option<u64>,
	/// Number of damaged and missing versions that no other node holds.
	pub lost: Option<u64>,
	/// Number of bytes that it has room for.
	#[serde(default, deserialize_with = "size_or_none")]
	pub room_bytes: Option<u64>,
	/// Number of seconds by which its clock is ahead of this machine's.
	#[serde(skip)]
	pub clock: Option<i64>,
}

fn size_or_none<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
	let text = Option::<String>::deserialize(deserializer)?;
	text.map(|text| text.parse()).transpose().map_err(de::Error::custom)
}

impl ContentNode {
	/// Asks for the state of the node, which must answer within a time.
	pub async fn state(&self, within: Duration) -> Result<State, NodeError> {
		let this = self.clone();
		blocking(move || {
			let request = this.agent.get(this.url.to(&["status"], &[])).config();
			let answer = this.answered(request.timeout_global(Some(within)).build().call())?;
			let clock = clock(&answer);
			Ok(State { clock, ..this.json_within(within, answer)? })
		})
		.await
	}

	/// Asks for the funds of the operator.
	pub async fn funds(&self) -> Result<Funds, NodeError> {
		self.part_of_status().await
	}

	/// Asks whether the node answers at all within a time.
	pub async fn answers(&self, within: Duration) -> Result<(), NodeError> {
		let this = self.clone();
		blocking(move || {
			let request = this.agent.get(this.url.to(&["status"], &[])).config();
			this.answered(request.timeout_global(Some(within)).build().call()).map(drop)
		})
		.await
	}

	/// Asks whether the node serves a version, without its bytes. Fails with the node's reason if it
	/// does not.
	pub async fn serves(&self, version: VersionId) -> Result<(), NodeError> {
		let this = self.clone();
		blocking(move || {
			let (url, patience) = (this.version_url(version), Some(this.patience.bytes));
			let head = this.agent.head(&url).config().timeout_recv_response(patience).build();
			match this.answered(head.call()) {
				// Only the answer to `GET` has a reason. If the bytes come after all, they are left.
				Err(NodeError::Refused { .. }) => {
					let get = this.agent.get(&url).config().timeout_recv_response(patience).build();
					this.answered(get.call()).map(drop)
				},
				answer => answer.map(drop),
			}
		})
		.await
	}

	/// Asks whether the node lacks the bytes of a version that it has committed.
	pub async fn lacks(&self, version: VersionId) -> Result<bool, NodeError> {
		let this = self.clone();
		blocking(move || Ok(this.arrived(version)?.is_some())).await
	}
}

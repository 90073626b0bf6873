// SPDX-License-Identifier: Apache-2.0
//! Questions to a node before anything is signed or uploaded.

use std::time::Duration;

use content_fabric_identifiers::VersionId;
use serde::Deserialize;
use subxt::utils::AccountId32;

use super::{blocking, ContentNode, NodeError};
use crate::ids::deserialize_account_or_none;

/// The operator of a node, and the amount that it can spend, in the smallest unit.
#[derive(Debug, Deserialize)]
pub struct Funds {
	/// The account. `None` if the node does not report it.
	#[serde(default, deserialize_with = "deserialize_account_or_none")]
	pub operator: Option<AccountId32>,
	/// The amount in digits. `None` if the node does not know it.
	pub balance: Option<String>,
}

impl ContentNode {
	/// Asks for the funds of the operator.
	pub async fn funds(&self) -> Result<Funds, NodeError> {
		let this = self.clone();
		blocking(move || {
			let answer = this.agent.get(this.url.to(&["status"], &[])).call();
			this.json(this.answered(answer)?)
		})
		.await
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

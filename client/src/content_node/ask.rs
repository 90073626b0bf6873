// SPDX-License-Identifier: Apache-2.0
//! Questions to a node before anything is signed or uploaded.

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

	/// Asks whether the node serves a version, without its bytes. Fails if it does not.
	pub async fn serves(&self, version: VersionId) -> Result<(), NodeError> {
		let this = self.clone();
		blocking(move || {
			let request = this.agent.head(this.version_url(version)).config();
			let request = request.timeout_recv_response(Some(this.patience.bytes)).build();
			this.answered(request.call()).map(drop)
		})
		.await
	}

	/// Asks whether the node lacks the bytes of a version that it has committed.
	pub async fn lacks(&self, version: VersionId) -> Result<bool, NodeError> {
		let this = self.clone();
		blocking(move || Ok(this.arrived(version)?.is_some())).await
	}
}

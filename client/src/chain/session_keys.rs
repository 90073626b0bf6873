// SPDX-License-Identifier: Apache-2.0
//! Session keys: the keys with which a node makes and finalizes blocks. They stay in the node.

use serde::Deserialize;
use subxt::{rpcs::client::rpc_params, utils::AccountId32};

use super::{Chain, Error};

/// The public parts of session keys that a node has made, and the proof that it has made them for
/// their owner.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct SessionKeys {
	/// The encoded keys in hex, with 0x.
	pub keys: String,
	/// The encoded proof in hex, with 0x.
	pub proof: String,
}

impl Chain {
	/// Has the node make new session keys for an account, which it keeps beside those that it has.
	///
	/// A node answers that to its own machine, or where `--rpc-methods unsafe` says so.
	pub async fn make_session_keys(&self, owner: &AccountId32) -> Result<SessionKeys, Error> {
		let owner = format!("0x{}", hex::encode(owner.0));
		Ok(self.node.request("author_rotateKeysWithOwner", rpc_params![owner]).await?)
	}
}

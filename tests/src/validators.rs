// SPDX-License-Identifier: Apache-2.0
//! Validators: their keys, the council's calls that name them, and the chain's sessions.

use content_fabric_client::chain::calls::{AddInvulnerable, Encoded, RemoveInvulnerable, SetKeys};
use subxt::{
	client::OnlineClient,
	utils::{AccountId32, H256},
	SubstrateConfig,
};

use crate::{
	client::{signer, Client},
	raw::{storage_value, Raw},
};

/// Returns the account of a development key.
pub fn account(key: &str) -> AccountId32 {
	*signer(key).account()
}

/// Returns the call that names the validator with this development key.
pub fn add(key: &str) -> AddInvulnerable {
	AddInvulnerable { who: account(key) }
}

/// Returns the call that removes the validator with this development key.
pub fn remove(key: &str) -> RemoveInvulnerable {
	RemoveInvulnerable { who: account(key) }
}

/// Has the node make new session keys, and registers them for the account of a development key.
pub async fn register_new_keys(client: &Client, node: &Raw, key: &str) {
	let (keys, proof) = node.rotate_keys(&account(key)).await;
	client.submit(&signer(key), SetKeys { keys: Encoded::from_bytes(keys), proof }).await;
}

/// The state of the chain's sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
	/// Number of changes of sessions so far.
	pub index: u32,
	/// The active validators.
	pub validators: Vec<AccountId32>,
	/// The positions of those that are disabled, with the severity of their offence.
	pub disabled: Vec<(u32, u32)>,
	/// The id of GRANDPA's set.
	pub set_id: u64,
}

impl Session {
	/// Reads it at the best block.
	pub async fn read(raw: &Raw) -> Self {
		Self::read_at(raw, Some(raw.best_block().await.1)).await
	}

	/// Reads it at a block.
	pub async fn read_at(raw: &Raw, block: Option<H256>) -> Self {
		let validators: Option<Vec<[u8; 32]>> =
			raw.value_at(&storage_value("Session", "Validators"), block).await;
		let index = raw.value_at(&storage_value("Session", "CurrentIndex"), block).await;
		let disabled = raw.value_at(&storage_value("Session", "DisabledValidators"), block).await;
		let set_id = raw.value_at(&storage_value("Grandpa", "CurrentSetId"), block).await;
		Self {
			index: index.unwrap_or_default(),
			validators: validators.unwrap_or_default().into_iter().map(AccountId32).collect(),
			disabled: disabled.unwrap_or_default(),
			set_id: set_id.unwrap_or_default(),
		}
	}

	/// Returns whether the account of a development key is active.
	pub fn has(&self, key: &str) -> bool {
		self.validators.contains(&account(key))
	}

	/// Returns the accounts of the validators that are disabled.
	pub fn disabled_accounts(&self) -> Vec<AccountId32> {
		self.disabled.iter().map(|(place, _)| self.validators[*place as usize]).collect()
	}
}

/// Returns the number of the first of these blocks that has an event with this name.
pub async fn find_event(
	url: &str,
	blocks: impl IntoIterator<Item = (u64, H256)>,
	pallet: &str,
	name: &str,
) -> Option<u64> {
	let client = OnlineClient::<SubstrateConfig>::from_insecure_url(url).await;
	let client = client.expect("the node answers");
	for (number, block) in blocks {
		let block = client.at_block(block).await.expect("the node has the state of the block");
		let events = block.events().fetch().await.expect("every block has events");
		let mut events = events.iter().map(|event| event.expect("events are of known types"));
		if events.any(|event| event.pallet_name() == pallet && event.event_name() == name) {
			return Some(number);
		}
	}
	None
}

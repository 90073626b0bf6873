// SPDX-License-Identifier: Apache-2.0
//! The node at the other end of the connection.

use std::{
	cell::{Cell, RefCell},
	collections::{HashSet, VecDeque},
	io,
	sync::Arc,
	time::{Duration, Instant},
};

use blake2::{digest::consts::U32, Blake2b, Digest};
use codec::{Decode, Encode};
use subxt::{
	config::substrate::SubstrateHeader,
	error::{BackendError, DispatchError, ExtrinsicError, RpcError},
	events::{Event, Phase},
	rpcs::{self, client::RpcSubscription},
	utils::{AccountId32, H256},
};

use super::{Hash, Head, Node, Outcome, Refusal, LANES};
use crate::chain::{
	dispatch_line, metadata_error, rows, Chain, ChainEvent, Error, FabricConfig, Snapshot,
};

/// Interval at which the finalized head is asked for.
const FINALITY_POLL: Duration = Duration::from_millis(200);

/// Time between a connection that was lost at once and the next attempt.
const RECONNECT_PAUSE: Duration = Duration::from_millis(200);

/// Number of best blocks that are remembered.
const BIRTH_DEPTH: usize = 8;

/// A connection to a node, and the accounts that sign.
pub(crate) struct ChainNode {
	chain: Arc<Chain>,
	/// The state at the time of the connection. Its metadata decodes events.
	at: Snapshot,
	/// The storage keys of the events and the time of a block.
	events_key: Vec<u8>,
	now_key: Vec<u8>,
	accounts: [AccountId32; LANES],
	/// The last best blocks, the newest last.
	recent: RefCell<VecDeque<Head>>,
	/// The latest time of a block, in milliseconds since the Unix epoch.
	now: Cell<u64>,
}

impl ChainNode {
	/// Returns the node of a connection.
	pub(crate) async fn new(
		chain: Arc<Chain>,
		accounts: [AccountId32; LANES],
	) -> Result<Self, Error> {
		let at = chain.best().await?;
		let events = subxt::dynamic::storage::<(), subxt::dynamic::Value>("System", "Events");
		let events_key = at.0.storage().entry(events)?.key_prefix().to_vec();
		let now_key = at.0.storage().entry(rows::now())?.key_prefix().to_vec();
		let now = Cell::new(at.now_micros().await? / 1_000);
		Ok(Self { chain, at, events_key, now_key, accounts, recent: RefCell::default(), now })
	}

	/// Returns a state whose metadata encodes calls.
	pub(crate) fn at(&self) -> &Snapshot {
		&self.at
	}

	/// Returns the latest time of the chain that is known, in microseconds since the Unix epoch.
	pub(crate) fn now_micros(&self) -> u64 {
		self.now.get().saturating_mul(1_000)
	}

	/// Returns the block from which transactions are valid: one that a short fork does not retract.
	pub(crate) fn birth(&self) -> (u64, Hash) {
		let recent = self.recent.borrow();
		let birth = recent.front().map(|head| (head.number, head.hash));
		birth.unwrap_or_else(|| (self.at.block_number(), self.at.block_hash()))
	}

	fn remember(&self, head: Head) {
		let mut recent = self.recent.borrow_mut();
		// After a fork, only its parent is known to be in the best chain.
		if recent.back().is_some_and(|last| last.hash != head.parent) {
			recent.clear();
		}
		recent.push_back(head);
		if recent.len() > BIRTH_DEPTH {
			recent.pop_front();
		}
	}

	/// Returns the connection.
	pub(crate) fn chain(&self) -> &Arc<Chain> {
		&self.chain
	}

	/// Returns an encoded value in the state of a block.
	async fn value(&self, key: &[u8], block: Hash) -> Result<Vec<u8>, Error> {
		let value = self.chain.rpc().state_get_storage(key, Some(H256(block))).await?;
		Ok(value.unwrap_or_default())
	}
}

impl Node for ChainNode {
	type Heads = RpcSubscription<SubstrateHeader<H256>>;

	async fn heads(&self) -> Result<Self::Heads, Error> {
		self.chain.heads().await
	}

	async fn next_head(&self, heads: &mut Self::Heads) -> Result<Head, Error> {
		let header = heads.next().await.ok_or(Error::Disconnected)??;
		let head = head(&header);
		self.remember(head);
		Ok(head)
	}

	async fn header(&self, block: Hash) -> Result<Head, Error> {
		let header = self.chain.rpc().chain_get_header(Some(H256(block))).await?;
		header.map(|header| head(&header)).ok_or_else(|| missing(block))
	}

	async fn outcomes(
		&self,
		block: Hash,
		ours: &HashSet<Hash>,
	) -> Result<Vec<(Hash, Outcome)>, Error> {
		let body = self.chain.rpc().chain_get_block(Some(H256(block))).await?;
		// A node that was killed may have lost its last blocks. They are retracted soon.
		let Some(body) = body else { return Ok(Vec::new()) };
		let body = body.block.extrinsics;
		let found = body.iter().enumerate().map(|(place, bytes)| (place, blake2_256(&bytes.0)));
		let found: Vec<_> = found.filter(|(_, hash)| ours.contains(hash)).collect();
		if found.is_empty() {
			return Ok(Vec::new());
		}
		let (events, now) = tokio::try_join!(
			self.value(&self.events_key, block),
			self.value(&self.now_key, block),
		)?;
		if let Ok(now) = u64::decode(&mut &now[..]) {
			self.now.set(now.max(self.now.get()));
		}
		read_outcomes(&self.at, events, found)
	}

	async fn submit(&self, bytes: &[u8]) -> Result<(), Refusal> {
		let answer = self.chain.rpc().author_submit_extrinsic(bytes).await;
		answer.map(drop).map_err(refusal)
	}

	async fn nonces(&self, account: usize) -> Result<(u64, u64), Error> {
		let account = &self.accounts[account];
		let (rpc, bytes) = (self.chain.rpc(), account.encode());
		// A light client plans by the finalized state.
		let at = match self.chain.is_light() {
			true => Some(rpc.chain_get_finalized_head().await?),
			false => None,
		};
		let chain = rpc.state_call("AccountNonceApi_account_nonce", Some(&bytes), at);
		let (chain, pool) = tokio::try_join!(chain, rpc.system_account_next_index(account))?;
		let chain = u32::decode(&mut &chain[..])
			.map_err(|_| metadata_error("function AccountNonceApi_account_nonce".into()))?;
		Ok((chain.into(), pool))
	}

	async fn finalized(&self, number: u64, block: Hash) -> Result<bool, Error> {
		let rpc = self.chain.rpc();
		loop {
			let finalized = rpc.chain_get_finalized_head().await?;
			if self.header(finalized.0).await?.number >= number {
				return Ok(self.chain.block_hash(number).await? == Some(block));
			}
			tokio::time::sleep(FINALITY_POLL).await;
		}
	}

	async fn reconnect(&mut self, patience: Duration) -> Result<(), Error> {
		let start = Instant::now();
		loop {
			let left = patience.saturating_sub(start.elapsed());
			let chain = Arc::new(self.chain.resume(left).await?);
			match Self::new(chain, self.accounts).await {
				// The connection was lost again.
				Err(error) if error.is_connection() && start.elapsed() < patience => {
					tokio::time::sleep(RECONNECT_PAUSE).await;
				},
				connected => {
					*self = connected?;
					return Ok(());
				},
			}
		}
	}
}

fn head(header: &SubstrateHeader<H256>) -> Head {
	let hash = blake2_256(&header.encode());
	Head { hash, parent: header.parent_hash.0, number: header.number }
}

fn missing(block: Hash) -> Error {
	let block = hex::encode(block);
	subxt::Error::other(io::Error::other(format!("the node no longer has the block 0x{block}")))
		.into()
}

fn blake2_256(bytes: &[u8]) -> Hash {
	Blake2b::<U32>::digest(bytes).into()
}

/// Returns the reason why a node does not take a transaction.
fn refusal(error: rpcs::Error) -> Refusal {
	/// Codes of `author_submitExtrinsic`.
	const INVALID: i32 = 1010;
	const ALREADY_IMPORTED: i32 = 1013;
	const TOO_LOW_PRIORITY: i32 = 1014;
	let rpcs::Error::User(answer) = &error else { return Refusal::Lost(error.into()) };
	let reason = answer.data.as_ref().map_or("", |data| data.get());
	let kind = match answer.code {
		ALREADY_IMPORTED => return Refusal::Known,
		TOO_LOW_PRIORITY => Refusal::NonceTaken,
		INVALID if reason.contains("outdated") => Refusal::NonceTaken,
		INVALID if reason.contains("pay some fees") => Refusal::Fee,
		_ => Refusal::Other,
	};
	let error = BackendError::Rpc(RpcError::ClientError(error));
	kind(ExtrinsicError::ErrorSubmittingTransaction(error).into())
}

/// Reads what became of transactions from the events of their block. `found` has their places in
/// the block.
fn read_outcomes(
	at: &Snapshot,
	events: Vec<u8>,
	found: Vec<(usize, Hash)>,
) -> Result<Vec<(Hash, Outcome)>, Error> {
	let metadata = at.0.metadata();
	let mut outcomes: Vec<_> = found.iter().map(|(_, hash)| (*hash, None)).collect();
	let mut minted: Option<(usize, Event<'_, FabricConfig>)> = None;
	let events = at.0.events().from_bytes(events);
	for event in events.iter() {
		let event = event?;
		let Phase::ApplyExtrinsic(place) = event.phase() else { continue };
		let is_at = |(found, _): &(usize, Hash)| u32::try_from(*found) == Ok(place);
		let Some(index) = found.iter().position(is_at) else { continue };
		match (event.pallet_name(), event.event_name()) {
			("ContentFabric", "RecordPut") => minted = Some((index, event)),
			("System", "ExtrinsicFailed") => {
				let error = DispatchError::decode_from(event.field_bytes(), metadata.clone());
				let reason = error.map_or_else(|error| error.to_string(), |e| dispatch_line(&e));
				outcomes[index].1 = Some(Err(reason));
			},
			("System", "ExtrinsicSuccess") => {
				// Only the last record that a transaction puts matters.
				let last = minted.take().filter(|(of, _)| *of == index);
				let last =
					last.map(|(_, event)| ChainEvent::read(&event, &metadata)).transpose()?;
				outcomes[index].1 = Some(Ok(last.map(|event| event.text("key").to_owned())));
			},
			_ => {},
		}
	}
	let missing = || metadata_error("outcome of a transaction among the events".into());
	outcomes.into_iter().map(|(hash, outcome)| Ok((hash, outcome.ok_or_else(missing)?))).collect()
}

#[cfg(test)]
mod tests {
	use super::*;

	fn answer(code: i32, data: &str) -> Refusal {
		let answer = serde_json::json!({ "code": code, "message": "no", "data": data });
		refusal(rpcs::Error::User(serde_json::from_value(answer).expect("it is an answer; qed")))
	}

	#[test]
	fn refusals_are_known_by_the_codes_of_nodes() {
		assert!(matches!(answer(1013, "0x"), Refusal::Known));
		assert!(matches!(answer(1014, "0x"), Refusal::NonceTaken(error) if error.is_nonce_taken()));
		assert!(matches!(answer(1010, "Transaction is outdated"), Refusal::NonceTaken(_)));
		let fee = "Inability to pay some fees (e.g. account balance too low)";
		assert!(matches!(answer(1010, fee), Refusal::Fee(_)));
		assert!(matches!(answer(1016, ""), Refusal::Other(_)));
		let lost = rpcs::Error::Client("the connection is closed".into());
		assert!(matches!(refusal(lost), Refusal::Lost(_)));
	}
}

// SPDX-License-Identifier: Apache-2.0
//! The node at the other end of the connection.

use std::{
	cell::{Cell, RefCell},
	collections::{HashSet, VecDeque},
	rc::Rc,
	sync::Arc,
	time::{Duration, Instant},
};

use codec::{Decode, Encode};
use content_fabric_client::chain::{blake2_256, dispatch_line, rows, Chain, Error, Snapshot};
use subxt::{
	error::{BackendError, DispatchError, ExtrinsicError, RpcError},
	events::Phase,
	rpcs::{self, methods::legacy::TransactionStatus},
	utils::{AccountId32, H256},
};

use super::{Hash, Head, Node, Outcome, Refusal, LANES};

/// Interval at which the finalized head is asked for.
const FINALITY_POLL: Duration = Duration::from_millis(200);

/// Time between a connection that was lost at once and the next attempt.
const RECONNECT_PAUSE: Duration = Duration::from_millis(200);

/// Number of blocks that a short fork may retract.
const BIRTH_DEPTH: u64 = 8;

/// A connection to a node, and the accounts that sign.
pub(crate) struct ChainNode {
	accounts: [AccountId32; LANES],
	connection: RefCell<Rc<Connection>>,
	/// The last blocks with transactions of ours, the newest last.
	recent: RefCell<VecDeque<Head>>,
	/// The latest time of a block, in milliseconds since the Unix epoch.
	now: Cell<u64>,
}

struct Connection {
	chain: Arc<Chain>,
	/// The state at the time of the connection. Its metadata decodes events.
	at: Snapshot,
	/// The storage keys of the events and the time of a block.
	events_key: Vec<u8>,
	now_key: Vec<u8>,
}

impl Connection {
	async fn new(chain: Arc<Chain>) -> Result<Self, Error> {
		let at = chain.best().await?;
		let events = subxt::dynamic::storage::<(), subxt::dynamic::Value>("System", "Events");
		let events_key = at.subxt().storage().entry(events)?.key_prefix().to_vec();
		let now_key = at.subxt().storage().entry(rows::now())?.key_prefix().to_vec();
		Ok(Self { chain, at, events_key, now_key })
	}

	/// Returns an encoded value in the state of a block.
	async fn value(&self, key: &[u8], block: Hash) -> Result<Vec<u8>, Error> {
		let value = self.chain.rpc().state_get_storage(key, Some(H256(block))).await?;
		Ok(value.unwrap_or_default())
	}
}

impl ChainNode {
	/// Returns the node of a connection.
	pub(crate) async fn new(
		chain: Arc<Chain>,
		accounts: [AccountId32; LANES],
	) -> Result<Self, Error> {
		let connection = Connection::new(chain).await?;
		let now = Cell::new(connection.at.now_micros().await? / 1_000);
		let connection = RefCell::new(Rc::new(connection));
		Ok(Self { accounts, connection, recent: RefCell::default(), now })
	}

	fn connection(&self) -> Rc<Connection> {
		self.connection.borrow().clone()
	}

	/// Returns the connection.
	pub(crate) fn chain(&self) -> Arc<Chain> {
		self.connection().chain.clone()
	}

	/// Returns a state whose metadata encodes calls.
	pub(crate) fn at(&self) -> Snapshot {
		self.connection().at.clone()
	}

	/// Returns the latest time of the chain that is known, in microseconds since the Unix epoch.
	pub(crate) fn now_micros(&self) -> u64 {
		self.now.get().saturating_mul(1_000)
	}

	/// Returns the block from which transactions are valid: one that a short fork does not retract.
	pub(crate) fn birth(&self) -> (u64, Hash) {
		let recent = self.recent.borrow();
		let birth = recent.front().map(|head| (head.number, head.hash));
		birth.unwrap_or_else(|| {
			let at = self.at();
			(at.block_number(), at.block_hash())
		})
	}

	/// Forgets all blocks, which may be retracted, except the block of a new plan.
	pub(crate) fn begin(&self, plan: Head) {
		self.recent.replace([plan].into());
	}

	/// Remembers a block, and forgets those that are further back than a fork.
	fn remember(&self, head: Head) {
		let mut recent = self.recent.borrow_mut();
		recent.retain(|block| block.number + BIRTH_DEPTH >= head.number);
		recent.push_back(head);
	}
}

impl Node for ChainNode {
	async fn submit(&self, bytes: &[u8]) -> Result<Hash, Refusal> {
		use TransactionStatus::{Dropped, Finalized, InBlock, Invalid, Usurped};
		let chain = self.chain();
		let watch = chain.rpc().author_submit_and_watch_extrinsic(bytes).await;
		let mut watch = watch.map_err(refusal)?;
		while let Some(status) = watch.next().await {
			return Err(dropped(match status.map_err(|error| Refusal::Lost(error.into()))? {
				InBlock(block) if !chain.is_light() => return Ok(block.0),
				Finalized(block) => return Ok(block.0),
				Usurped(_) => "another one has its nonce",
				Dropped => "the pool is full",
				Invalid => "it is no longer valid",
				_ => continue,
			}));
		}
		Err(Refusal::Lost(Error::Disconnected))
	}

	async fn outcomes(
		&self,
		block: Hash,
		ours: &HashSet<Hash>,
	) -> Result<Option<(Head, Vec<(Hash, Outcome)>)>, Error> {
		let connection = self.connection();
		let body = connection.chain.rpc().chain_get_block(Some(H256(block))).await?;
		// A node that was killed may have lost its last blocks.
		let Some(body) = body.map(|body| body.block) else { return Ok(None) };
		let head = Head { hash: block, number: body.header.number };
		let found = body.extrinsics.iter().map(|bytes| blake2_256(&bytes.0)).enumerate();
		let found: Vec<_> = found.filter(|(_, hash)| ours.contains(hash)).collect();
		if found.is_empty() {
			return Ok(Some((head, Vec::new())));
		}
		let (events, now) = tokio::try_join!(
			connection.value(&connection.events_key, block),
			connection.value(&connection.now_key, block),
		)?;
		if let Ok(now) = u64::decode(&mut &now[..]) {
			self.now.set(now.max(self.now.get()));
		}
		self.remember(head);
		Ok(Some((head, read_outcomes(&connection.at, events, found)?)))
	}

	async fn best_number(&self) -> Result<u64, Error> {
		Ok(self.chain().best().await?.block_number())
	}

	async fn block_hash(&self, number: u64) -> Result<Option<Hash>, Error> {
		self.chain().block_hash(number).await
	}

	async fn nonces(&self, account: usize) -> Result<(u64, u64), Error> {
		let (account, connected) = (&self.accounts[account], self.chain());
		let (rpc, bytes) = (connected.rpc(), account.encode());
		// A light client plans by the finalized state.
		let at = match connected.is_light() {
			true => Some(rpc.chain_get_finalized_head().await?),
			false => None,
		};
		let chain = rpc.state_call("AccountNonceApi_account_nonce", Some(&bytes), at);
		let (chain, pool) = tokio::try_join!(chain, rpc.system_account_next_index(account))?;
		let chain = u32::decode(&mut &chain[..])
			.map_err(|_| Error::Metadata("function AccountNonceApi_account_nonce".into()))?;
		Ok((chain.into(), pool))
	}

	async fn finalized(&self, block: Head) -> Result<bool, Error> {
		let chain = self.chain();
		while chain.finalized().await?.block_number() < block.number {
			tokio::time::sleep(FINALITY_POLL).await;
		}
		Ok(chain.block_hash(block.number).await? == Some(block.hash))
	}

	async fn reconnect(&self, patience: Duration) -> Result<(), Error> {
		let (start, chain) = (Instant::now(), self.chain());
		loop {
			let left = patience.saturating_sub(start.elapsed());
			match Connection::new(Arc::new(chain.resume(left).await?)).await {
				// The connection was lost again.
				Err(error) if error.is_connection() && start.elapsed() < patience => {
					tokio::time::sleep(RECONNECT_PAUSE).await;
				},
				connected => {
					self.connection.replace(Rc::new(connected?));
					return Ok(());
				},
			}
		}
	}
}

fn dropped(reason: &str) -> Refusal {
	Refusal::Dropped(Error::Invalid(reason.into()))
}

/// Returns the reason why a node does not take a transaction.
fn refusal(error: rpcs::Error) -> Refusal {
	/// The code of `author_submitAndWatchExtrinsic` for what is not valid.
	const INVALID: i32 = 1010;
	let rpcs::Error::User(answer) = &error else { return Refusal::Lost(error.into()) };
	let reason = answer.data.as_ref().map_or("", |data| data.get());
	let kind = match answer.code {
		INVALID if reason.contains("pay some fees") => Refusal::Fee,
		_ => Refusal::NotTaken,
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
	let metadata = at.subxt().metadata();
	let mut outcomes: Vec<_> = found.iter().map(|(_, hash)| (*hash, None)).collect();
	let events = at.subxt().events().from_bytes(events);
	for event in events.iter() {
		let event = event?;
		let Phase::ApplyExtrinsic(place) = event.phase() else { continue };
		let is_at = |(found, _): &(usize, Hash)| u32::try_from(*found) == Ok(place);
		let Some(index) = found.iter().position(is_at) else { continue };
		match (event.pallet_name(), event.event_name()) {
			("System", "ExtrinsicFailed") => {
				let error = DispatchError::decode_from(event.field_bytes(), metadata.clone());
				let reason = error.map_or_else(|error| error.to_string(), |e| dispatch_line(&e));
				outcomes[index].1 = Some(Err(reason));
			},
			("System", "ExtrinsicSuccess") => outcomes[index].1 = Some(Ok(())),
			_ => {},
		}
	}
	let missing = || Error::Metadata("outcome of a transaction among the events".into());
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
		for (code, data) in
			[(1013, "0x"), (1014, "0x"), (1010, "Transaction is outdated"), (1016, "")]
		{
			assert!(matches!(answer(code, data), Refusal::NotTaken(_)), "{code}");
		}
		assert!(matches!(answer(1014, "0x"), Refusal::NotTaken(error) if error.is_nonce_taken()));
		let fee = "Inability to pay some fees (e.g. account balance too low)";
		assert!(matches!(answer(1010, fee), Refusal::Fee(_)));
		let lost = rpcs::Error::Client("the connection is closed".into());
		assert!(matches!(refusal(lost), Refusal::Lost(_)));
	}
}

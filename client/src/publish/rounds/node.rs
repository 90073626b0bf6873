// SPDX-License-Identifier: Apache-2.0
//! The node at the other end of the connection.

use std::{
	cell::{Cell, RefCell},
	collections::{BTreeMap, HashSet},
	rc::Rc,
	sync::Arc,
	time::{Duration, Instant},
};

use codec::{Decode, Encode};
use futures::FutureExt;
use subxt::{
	config::substrate::DigestItem,
	error::{BackendError, DispatchError, ExtrinsicError, RpcError},
	events::Phase,
	rpcs::{self, client::RpcSubscription},
	utils::H256,
};
use tokio::sync::Mutex;

use super::{Block, Hash, Head, Node, Outcome, Refusal, SignedBytes, LANES};
use crate::{
	chain::{
		blake2_256, calls::EncodedCall, dispatch_line, no_dry_run, rows, Chain, Error,
		FabricConfig, Snapshot, MORTALITY,
	},
	keys::Signer,
};

/// Time between a connection that was lost at once and the next attempt.
const RECONNECT_PAUSE: Duration = Duration::from_millis(200);

/// Number of blocks that a short fork may retract.
const BIRTH_DEPTH: u64 = 8;

/// A connection to a node, and the keys that sign.
pub struct ChainNode {
	signers: [Arc<Signer>; LANES],
	/// The pallets and names of the calls in use.
	calls: &'static [(&'static str, &'static str)],
	connection: RefCell<Rc<Connection>>,
	/// The state from which the round began. Its metadata encodes calls and decodes events.
	at: RefCell<Snapshot>,
	/// The last blocks since the round began that were read, by number.
	recent: RefCell<BTreeMap<u64, Hash>>,
	/// The latest time of a block, in milliseconds since the Unix epoch.
	now: Cell<u64>,
	/// The version of the runtime at the start.
	first_version: u32,
}

struct Connection {
	chain: Arc<Chain>,
	/// Reports blocks.
	heads: Mutex<RpcSubscription<<FabricConfig as subxt::Config>::Header>>,
	/// The storage keys of the events and the time of a block.
	events_key: Vec<u8>,
	now_key: Vec<u8>,
}

impl Connection {
	/// Returns the connection, and the state at the best block.
	async fn new(chain: Arc<Chain>) -> Result<(Self, Snapshot), Error> {
		let at = chain.best().await?;
		let heads = match chain.is_light() {
			true => chain.rpc().chain_subscribe_finalized_heads().await?,
			false => chain.rpc().chain_subscribe_new_heads().await?,
		};
		let events = subxt::dynamic::storage::<(), subxt::dynamic::Value>("System", "Events");
		let events_key = at.subxt().storage().entry(events)?.key_prefix().to_vec();
		let now_key = at.subxt().storage().entry(rows::now())?.key_prefix().to_vec();
		Ok((Self { chain, heads: Mutex::new(heads), events_key, now_key }, at))
	}

	/// Returns an encoded value in the state of a block.
	async fn value(&self, key: &[u8], block: Hash) -> Result<Vec<u8>, Error> {
		let value = self.chain.rpc().state_get_storage(key, Some(H256(block))).await?;
		Ok(value.unwrap_or_default())
	}
}

impl ChainNode {
	/// Returns the node of a connection. If the runtime is upgraded, `calls` must keep their types.
	pub async fn new(
		chain: Arc<Chain>,
		signers: [Arc<Signer>; LANES],
		calls: &'static [(&'static str, &'static str)],
	) -> Result<Self, Error> {
		let (connection, at) = Connection::new(chain).await?;
		Ok(Self {
			signers,
			calls,
			connection: RefCell::new(Rc::new(connection)),
			recent: RefCell::default(),
			now: Cell::new(at.now_micros().await? / 1_000),
			first_version: at.spec_version(),
			at: RefCell::new(at),
		})
	}

	fn connection(&self) -> Rc<Connection> {
		self.connection.borrow().clone()
	}

	/// Returns the connection.
	pub fn chain(&self) -> Arc<Chain> {
		self.connection().chain.clone()
	}

	/// Returns a state whose metadata encodes calls.
	pub fn at(&self) -> Snapshot {
		self.at.borrow().clone()
	}

	/// Returns the latest time of the chain that is known, in microseconds since the Unix epoch.
	pub fn now_micros(&self) -> u64 {
		self.now.get().saturating_mul(1_000)
	}

	/// Connects anew, as the chain has another runtime than the connection. Returns the state after
	/// a block, where all calls in use must have the types that they had.
	async fn follow_upgrade(&self, block: Head) -> Result<Snapshot, Error> {
		let before = self.at();
		let (connection, _) =
			Connection::new(Arc::new(self.chain().rejoin(Duration::ZERO).await?)).await?;
		let at = connection.chain.at(block.hash).await?;
		connection.chain.ensure_same_runtime(&at)?;
		if let Some(changed) = at.changed_call(before.metadata(), self.calls) {
			let (from, to) = (before.spec_version(), at.spec_version());
			return Err(Error::Unexpected(format!(
				"the chain's runtime was upgraded from version {from} to {to}, and its call {changed} \
				 is not what it was: run the command again"
			)));
		}
		self.connection.replace(Rc::new(connection));
		Ok(at)
	}

	/// Remembers a block, and forgets those that are further back than a fork.
	fn remember(&self, head: Head) {
		let mut recent = self.recent.borrow_mut();
		recent.insert(head.number, head.hash);
		let newest = recent.last_key_value().map_or(0, |(number, _)| *number);
		recent.retain(|number, _| number + BIRTH_DEPTH >= newest);
	}

	/// Returns the block from which transactions are valid: one that a short fork does not retract.
	fn birth(&self) -> (u64, Hash) {
		let first = self.recent.borrow().first_key_value().map(|(number, hash)| (*number, *hash));
		first.unwrap_or_else(|| {
			let at = self.at.borrow();
			(at.block_number(), at.block_hash())
		})
	}

	/// Returns the reason why the node does not take a transaction.
	fn refusal(&self, error: rpcs::Error) -> Refusal {
		let (from, to) = (self.first_version, self.at.borrow().spec_version());
		match refusal(error) {
			Refusal::Hopeless(error) if from != to => {
				Refusal::Hopeless(Error::Unexpected(format!(
				"the chain's runtime was upgraded from version {from} to {to}, and {error}: run the \
				 command again"
			)))
			},
			refusal => refusal,
		}
	}
}

impl Node for ChainNode {
	type Call = EncodedCall;
	type State = Snapshot;

	async fn best(&self) -> Result<Head, Error> {
		let chain = self.chain();
		match chain.is_light() {
			true => self.finalized().await,
			false => self.head(chain.best_hash().await?).await,
		}
	}

	async fn finalized(&self) -> Result<Head, Error> {
		let hash = self.chain().rpc().chain_get_finalized_head().await?;
		self.head(hash.0).await
	}

	async fn begin(&self, block: Head) -> Result<Snapshot, Error> {
		let chain = self.chain();
		let mut at = chain.at(block.hash).await?;
		if chain.ensure_same_runtime(&at).is_err() {
			at = self.follow_upgrade(block).await?;
		}
		self.at.replace(at.clone());
		self.recent.replace([(block.number, block.hash)].into());
		Ok(at)
	}

	async fn state(&self, block: Head) -> Result<Snapshot, Error> {
		self.chain().at(block.hash).await
	}

	async fn block(&self, block: Hash, ours: &HashSet<Hash>) -> Result<Option<Block>, Error> {
		let connection = self.connection();
		let body = connection.chain.rpc().chain_get_block(Some(H256(block))).await?;
		// A node that was killed may have lost its last blocks.
		let Some(body) = body.map(|body| body.block) else { return Ok(None) };
		let (number, parent) = (body.header.number, body.header.parent_hash.0);
		let head = Head { hash: block, number };
		self.remember(head);
		let logs = &body.header.digest.logs;
		let upgrades = logs.contains(&DigestItem::RuntimeEnvironmentUpdated);
		let found = body.extrinsics.iter().map(|bytes| blake2_256(&bytes.0)).enumerate();
		let found: Vec<_> = found.filter(|(_, hash)| ours.contains(hash)).collect();
		if found.is_empty() {
			return Ok(Some(Block { head, parent, outcomes: Vec::new(), upgrades }));
		}
		let (events, now) = tokio::try_join!(
			connection.value(&connection.events_key, block),
			connection.value(&connection.now_key, block),
		)?;
		if let Ok(now) = u64::decode(&mut &now[..]) {
			self.now.set(now.max(self.now.get()));
		}
		let outcomes = read_outcomes(&self.at.borrow(), events, found)?;
		Ok(Some(Block { head, parent, outcomes, upgrades }))
	}

	async fn nonce(&self, account: usize, block: Head) -> Result<u64, Error> {
		let (chain, bytes) = (self.chain(), self.signers[account].account().encode());
		let (function, at) = ("AccountNonceApi_account_nonce", Some(H256(block.hash)));
		let nonce = chain.rpc().state_call(function, Some(&bytes), at).await?;
		let nonce = u32::decode(&mut &nonce[..]);
		Ok(nonce.map_err(|_| Error::Metadata(format!("function {function}")))?.into())
	}

	async fn next_nonce(&self, account: usize) -> Result<u64, Error> {
		let chain = self.chain();
		Ok(chain.rpc().system_account_next_index(self.signers[account].account()).await?)
	}

	async fn rehearse(
		&self,
		block: Head,
		account: usize,
		call: &EncodedCall,
	) -> Result<Outcome, Error> {
		let at = self.chain().at(block.hash).await?;
		let run = at.outcome(self.signers[account].account(), call).await?;
		run.ok_or_else(no_dry_run)
	}

	fn sign(&self, account: usize, call: &EncodedCall, nonce: u64) -> Result<SignedBytes, Error> {
		let birth = self.birth();
		let signed =
			self.chain().sign(&self.at.borrow(), &self.signers[account], call, nonce, birth)?;
		let (bytes, hash) = (signed.bytes().to_vec(), signed.hash());
		Ok(SignedBytes { bytes, hash, last_block: birth.0 + MORTALITY })
	}

	async fn submit(&self, bytes: Vec<u8>) -> Result<(), Refusal> {
		let taken = self.chain().rpc().author_submit_extrinsic(&bytes).await;
		taken.map(drop).map_err(|error| self.refusal(error))
	}

	async fn changed(&self) -> Result<(), Error> {
		let connection = self.connection();
		let mut heads = connection.heads.lock().await;
		heads.next().await.ok_or(Error::Disconnected)??;
		// The best block is asked for once, however many were reported meanwhile.
		while let Some(Some(head)) = heads.next().now_or_never() {
			head?;
		}
		Ok(())
	}

	async fn reconnect(&self, patience: Duration) -> Result<(), Error> {
		let (start, chain) = (Instant::now(), self.chain());
		loop {
			let left = patience.saturating_sub(start.elapsed());
			match Connection::new(Arc::new(chain.rejoin(left).await?)).await {
				// The connection was lost again.
				Err(error) if error.is_connection() && start.elapsed() < patience => {
					tokio::time::sleep(RECONNECT_PAUSE).await;
				},
				connected => {
					self.connection.replace(Rc::new(connected?.0));
					return Ok(());
				},
			}
		}
	}
}

impl ChainNode {
	/// Returns the place of a block.
	async fn head(&self, hash: Hash) -> Result<Head, Error> {
		let known = self.recent.borrow().iter().find(|(_, known)| **known == hash).map(|(n, _)| *n);
		if let Some(number) = known {
			return Ok(Head { hash, number });
		}
		let header = self.chain().rpc().chain_get_header(Some(H256(hash))).await?;
		let missing = || subxt::Error::other_str("the node does not have the header of its block");
		Ok(Head { hash, number: header.ok_or_else(missing)?.number })
	}
}

/// Returns the reason why a node does not take a transaction.
fn refusal(error: rpcs::Error) -> Refusal {
	/// The code of `author_submitExtrinsic` for what is not valid.
	const INVALID: i32 = 1010;
	/// The reasons that another attempt is unlikely to mend.
	const HOPELESS: [&str; 2] = ["pay some fees", "bad signature"];
	let rpcs::Error::User(answer) = &error else { return Refusal::Lost(error.into()) };
	let reason = answer.data.as_ref().map_or("", |data| data.get());
	let is_hopeless =
		answer.code == INVALID && HOPELESS.iter().any(|hopeless| reason.contains(hopeless));
	let error = BackendError::Rpc(RpcError::ClientError(error));
	let error = ExtrinsicError::ErrorSubmittingTransaction(error).into();
	match is_hopeless {
		true => Refusal::Hopeless(error),
		false => Refusal::NotTaken(error),
	}
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
		for data in [
			"Inability to pay some fees (e.g. account balance too low)",
			"Transaction has a bad signature",
		] {
			assert!(matches!(answer(1010, data), Refusal::Hopeless(_)), "{data}");
		}
		let lost = rpcs::Error::Client("the connection is closed".into());
		assert!(matches!(refusal(lost), Refusal::Lost(_)));
	}
}

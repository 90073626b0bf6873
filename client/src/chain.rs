//! The connection to a node: submitting calls, and reading storage.

use std::{str::FromStr, sync::Arc, time::Duration};

use scale_decode::{DecodeAsFields, DecodeAsType};
use subxt::{
	backend::LegacyBackend,
	client::{Blocks, OnlineClient, OnlineClientAtBlock},
	config::{DefaultExtrinsicParamsBuilder, RpcConfigFor, SubstrateConfig},
	error::{DispatchError, TransactionEventsError, TransactionStatusError},
	ext::{
		codec::{Compact, Decode, Encode},
		frame_decode::helpers::{IntoDecodableValues, IntoEncodableValues},
	},
	extrinsics::ExtrinsicEvents,
	rpcs::{LegacyRpcMethods, RpcClient},
	storage::PrefixOf,
	tx::TransactionStatus,
	utils::AccountId32,
};
use subxt_signer::{sr25519::Keypair, SecretUri};

use crate::{
	calls::Call,
	error::{dispatch_line, rpc_line},
	room::Weight,
	storage::{self, Map},
	Error,
};

/// Rows that are read with one request; nodes allow no more.
const PAGE_SIZE: u32 = 1_000;
/// Blocks for which a signed transaction is valid.
const MORTALITY: u64 = 256;
/// Time for which transactions of an earlier run may wait in the node's pool.
const POOL_TIMEOUT: Duration = Duration::from_secs(120);

/// The chain's types, as the reference runtime has them.
pub type Config = SubstrateConfig;
/// The events of a transaction.
pub type Events = ExtrinsicEvents<Config>;

/// A connection to a node.
pub struct Chain {
	client: OnlineClient<Config>,
	rpc: LegacyRpcMethods<RpcConfigFor<Config>>,
}

/// The storage at one block.
pub struct Snapshot(OnlineClientAtBlock<Config>);

/// The best blocks, in their order.
pub struct BestBlocks(Blocks<Config>);

/// A key that signs transactions.
pub struct Account {
	keypair: Keypair,
	/// The account's id.
	pub id: AccountId32,
}

impl FromStr for Account {
	type Err = Error;

	/// Reads a secret phrase, a seed in hex, or a derivation of the development phrase such as
	/// `//Alice`.
	fn from_str(uri: &str) -> Result<Self, Error> {
		// The text is a secret unless it is one of the well-known derivations, so an error does not
		// repeat it.
		let shown = if uri.starts_with("//") { uri } else { "the given key" };
		let failed = |reason: String| Error::Key { uri: shown.into(), reason };
		let uri = SecretUri::from_str(uri).map_err(|error| failed(error.to_string()))?;
		let keypair = Keypair::from_uri(&uri).map_err(|error| failed(error.to_string()))?;
		let id = keypair.public_key().to_account_id();
		Ok(Self { keypair, id })
	}
}

impl Account {
	/// Returns the sr25519 signature of some bytes.
	pub fn sign(&self, bytes: &[u8]) -> [u8; 64] {
		self.keypair.sign(bytes).0
	}
}

impl Chain {
	/// Connects to the node at a `ws://` or `wss://` URL.
	pub async fn connect(url: &str) -> Result<Self, Error> {
		let scheme = url.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
		if !matches!(scheme.as_deref(), Some("ws" | "wss")) {
			return Err(Error::Url { url: url.into() });
		}
		let connect = |reason: String| Error::Connect { url: url.into(), reason };
		let rpc =
			RpcClient::from_insecure_url(url).await.map_err(|error| connect(rpc_line(&error)))?;
		let backend = LegacyBackend::builder().storage_page_size(PAGE_SIZE).build(rpc.clone());
		let client =
			OnlineClient::from_backend_with_config(Config::new(), Arc::new(backend)).await?;
		Ok(Self { client, rpc: LegacyRpcMethods::new(rpc) })
	}

	/// Returns the hash of the chain's first block, which identifies the chain.
	pub fn genesis_hash(&self) -> [u8; 32] {
		self.client.genesis_hash().0
	}

	/// Returns the storage at the best block.
	pub async fn best(&self) -> Result<Snapshot, Error> {
		let hash = self
			.rpc
			.chain_get_block_hash(None)
			.await?
			.ok_or_else(|| subxt::Error::other_str("the node has no best block"))?;
		Ok(Snapshot(self.client.at_block(hash).await?))
	}

	/// Returns the best blocks from now on.
	pub async fn best_blocks(&self) -> Result<BestBlocks, Error> {
		Ok(BestBlocks(self.client.stream_best_blocks().await?))
	}

	/// Waits until the node's pool holds no transaction of an account, such as those of a run that
	/// was killed. Later reads include their effects. Fails if there still are some after two
	/// minutes.
	pub async fn wait_for_pool(&self, account: &AccountId32) -> Result<(), Error> {
		let busy =
			|| Error::PoolBusy { account: account.to_string(), seconds: POOL_TIMEOUT.as_secs() };
		let waited = tokio::time::timeout(POOL_TIMEOUT, self.until_pool_is_empty(account)).await;
		waited.unwrap_or_else(|_| Err(busy()))
	}

	async fn until_pool_is_empty(&self, account: &AccountId32) -> Result<(), Error> {
		let mut blocks = None;
		loop {
			let included = self.best().await?.0.tx().account_nonce(account).await?;
			if self.rpc.system_account_next_index(account).await? <= included {
				return Ok(());
			}
			match &mut blocks {
				// Checks again, as a block may have come before the subscription.
				None => blocks = Some(self.best_blocks().await?),
				Some(blocks) => drop(blocks.next().await?),
			}
		}
	}

	/// Signs a call, submits it, and waits until it is in a block and has succeeded. A call inside
	/// a `Sudo.sudo` must succeed, too.
	pub async fn submit(&self, signer: &Account, call: Call) -> Result<Events, Error> {
		let name = call.name();
		let failed = |error: &DispatchError| Error::Dispatch {
			call: name.clone(),
			reason: dispatch_line(error),
		};
		let at = self.best().await?.0;
		let nonce = self.rpc.system_account_next_index(&signer.id).await?;
		let params = DefaultExtrinsicParamsBuilder::<Config>::new()
			.nonce(nonce)
			.mortal_from_unchecked(MORTALITY, at.block_number(), at.block_hash())
			.build();
		let mut progress = at
			.tx()
			.create_signable_offline(&call.payload(), params)?
			.sign(&signer.keypair)?
			.submit_and_watch()
			.await?;
		let block = loop {
			let status = progress.next().await.ok_or(Error::Disconnected)??;
			match status {
				TransactionStatus::InBestBlock(block)
				| TransactionStatus::InFinalizedBlock(block) => break block,
				TransactionStatus::Error { message } => {
					return Err(TransactionStatusError::Error(message).into())
				},
				TransactionStatus::Invalid { message } => {
					return Err(TransactionStatusError::Invalid(message).into())
				},
				TransactionStatus::Dropped { message } => {
					return Err(TransactionStatusError::Dropped(message).into())
				},
				TransactionStatus::Validated
				| TransactionStatus::Broadcasted
				| TransactionStatus::NoLongerInBestBlock => {},
			}
		};
		let events = match block.wait_for_success().await {
			Ok(events) => events,
			Err(TransactionEventsError::ExtrinsicFailed(error)) => return Err(failed(&error)),
			Err(error) => return Err(error.into()),
		};
		for event in events.iter() {
			let event = event?;
			// The result comes first: 0 for success, or 1 and the error.
			if let ("Sudo", "Sudid", [1, error @ ..]) =
				(event.pallet_name(), event.event_name(), event.field_bytes())
			{
				return Err(failed(&DispatchError::decode_from(error, at.metadata())?));
			}
		}
		Ok(events)
	}
}

impl BestBlocks {
	/// Waits for the next block, and returns its storage.
	pub async fn next(&mut self) -> Result<Snapshot, Error> {
		let block = self.0.next().await.ok_or(Error::Disconnected)??;
		Ok(Snapshot(block.at().await?))
	}
}

impl Snapshot {
	/// Returns the number of the block.
	pub fn block_number(&self) -> u64 {
		self.0.block_number()
	}

	/// Returns the chain's time, in microseconds since the Unix epoch. It may be far from
	/// wall-clock time.
	pub async fn now_micros(&self) -> Result<u64, Error> {
		let millis = self.get(&storage::now(), ()).await?;
		Ok(millis.unwrap_or_default().saturating_mul(1_000))
	}

	/// Returns a constant of a pallet, from the chain's metadata.
	pub fn constant<Value: DecodeAsType>(&self, pallet: &str, name: &str) -> Result<Value, Error> {
		let constant = subxt::dynamic::constant::<Value>(pallet, name);
		let missing = || format!("constant {pallet}.{name} of the expected type");
		self.0.constants().entry(constant).map_err(|_| Error::Metadata { what: missing() })
	}

	/// Returns a call as the chain's metadata encodes it.
	pub fn encode(&self, call: Call) -> Result<Vec<u8>, Error> {
		Ok(self.0.tx().call_data(&call.payload())?)
	}

	/// Returns the weight of an encoded call. `None` if the runtime does not offer that.
	pub async fn weight(&self, call: &[u8]) -> Result<Option<Weight>, Error> {
		const API: &str = "TransactionPaymentCallApi";
		if self.0.metadata_ref().runtime_api_trait_by_name(API).is_none() {
			return Ok(None);
		}
		let mut arguments = call.to_vec();
		u32::try_from(call.len()).unwrap_or(u32::MAX).encode_to(&mut arguments);
		let function = format!("{API}_query_call_info");
		let info = self.0.runtime_apis().call_raw(&function, Some(&arguments)).await?;
		// The weight is the first field of `RuntimeDispatchInfo`.
		let weight = <(Compact<u64>, Compact<u64>)>::decode(&mut &info[..]);
		let (Compact(ref_time), Compact(proof_size)) =
			weight.map_err(|_| Error::Metadata { what: function })?;
		Ok(Some(Weight { ref_time, proof_size }))
	}

	/// Returns a row of a map, if it exists.
	pub async fn get<Key, Value>(
		&self,
		map: &Map<Key, Value>,
		key: Key,
	) -> Result<Option<Value>, Error>
	where
		Key: IntoEncodableValues + IntoDecodableValues,
		Value: DecodeAsType,
	{
		let value = self.0.storage().try_fetch(map, key).await?;
		Ok(value.map(|value| value.decode()).transpose()?)
	}

	/// Returns the rows of a map whose keys start with `prefix`, ascending by key.
	pub async fn rows<Key, Value>(
		&self,
		map: &Map<Key, Value>,
		prefix: impl PrefixOf<Key>,
	) -> Result<Vec<(Key, Value)>, Error>
	where
		Key: IntoEncodableValues + IntoDecodableValues + Ord,
		Value: DecodeAsType,
	{
		let mut rows = Vec::new();
		let mut entries = self.0.storage().iter(map, prefix).await?;
		while let Some(entry) = entries.next().await {
			let entry = entry?;
			rows.push((entry.key()?.decode()?, entry.value().decode()?));
		}
		// Storage is ordered by the hashes of the keys.
		rows.sort_by(|(a, _), (b, _)| a.cmp(b));
		Ok(rows)
	}
}

/// Returns the pallet's events with this name among those of a transaction, in their order.
pub fn fabric_events<Event: DecodeAsFields>(
	events: &Events,
	name: &str,
) -> Result<Vec<Event>, Error> {
	let mut found = Vec::new();
	for event in events.iter() {
		let event = event?;
		if event.pallet_name() == "ContentFabric" && event.event_name() == name {
			found.push(event.decode_fields_unchecked_as::<Event>()?);
		}
	}
	Ok(found)
}

//! Raw reads over JSON-RPC, by storage keys that are put together here, independently of metadata
//! and client library.

use std::collections::BTreeSet;

use content_fabric_identifiers::TenantId;
use sp_crypto_hashing::{blake2_128, twox_128};
use subxt::{
	ext::codec::{Decode, Encode},
	rpcs::{
		client::rpc_params,
		methods::legacy::{LegacyRpcMethods, NumberOrHex},
		RpcClient,
	},
	utils::H256,
};

/// The maps that have rows under a tenant.
pub const MAPS_OF_A_TENANT: [&str; 3] = ["Kmses", "ContentObjects", "Versions"];

type Methods = LegacyRpcMethods<subxt::config::RpcConfigFor<subxt::SubstrateConfig>>;

/// A connection that knows nothing of the chain.
pub struct Raw {
	client: RpcClient,
	methods: Methods,
}

impl Raw {
	/// Connects.
	pub async fn connect(url: &str) -> Self {
		let client = RpcClient::from_insecure_url(url).await.expect("the node answers");
		Self { methods: LegacyRpcMethods::new(client.clone()), client }
	}

	/// All keys with a prefix, page by page.
	pub async fn keys(&self, prefix: &[u8]) -> BTreeSet<Vec<u8>> {
		let mut keys = BTreeSet::new();
		let mut last: Option<Vec<u8>> = None;
		loop {
			let page = self
				.methods
				.state_get_keys_paged(prefix, 1_000, last.as_deref(), None)
				.await
				.expect("the node lists keys");
			let Some(end) = page.last().cloned() else { return keys };
			last = Some(end);
			keys.extend(page);
		}
	}

	/// The keys under a tenant, for each of its maps.
	pub async fn tenant_keys(&self, tenant: TenantId) -> [BTreeSet<Vec<u8>>; 3] {
		let [kmses, objects, versions] = MAPS_OF_A_TENANT.map(|map| storage_key(map, &[&tenant.0]));
		[self.keys(&kmses).await, self.keys(&objects).await, self.keys(&versions).await]
	}

	/// The number and the hash of the best block.
	pub async fn best_block(&self) -> (u64, H256) {
		let header = self.methods.chain_get_header(None).await.expect("the node answers");
		let header = header.expect("there is a best block");
		let number = header.number;
		(number, self.block_hash(number).await.expect("the best block has a hash"))
	}

	/// The hash of a block.
	pub async fn block_hash(&self, number: u64) -> Option<H256> {
		let number = NumberOrHex::Number(number);
		self.methods.chain_get_block_hash(Some(number)).await.expect("the node answers")
	}

	/// The milliseconds in `Timestamp.Now` at a block.
	pub async fn time(&self, block: H256) -> u64 {
		let key = [twox_128(b"Timestamp"), twox_128(b"Now")].concat();
		let value = self.methods.state_get_storage(&key, Some(block)).await;
		let value = value.expect("the node answers").expect("every block has a time");
		u64::decode(&mut &value[..]).expect("the time is a number")
	}

	/// Calls a runtime API with arguments that are encoded already.
	pub async fn runtime_api(&self, function: &str, arguments: &[u8]) -> Vec<u8> {
		let arguments = format!("0x{}", hex::encode(arguments));
		let answer: String = self
			.client
			.request("state_call", rpc_params![function, arguments])
			.await
			.expect("the node answers");
		hex::decode(answer.trim_start_matches("0x")).expect("the answer is hex")
	}

	/// Calls a view function by the id that the metadata gives it.
	pub async fn view_function(&self, id: &[u8; 32], arguments: impl Encode) -> Vec<u8> {
		let query = [&id[..], &arguments.encode().encode()].concat();
		let answer = self.runtime_api("RuntimeViewFunction_execute_view_function", &query).await;
		let (status, output) = answer.split_first().expect("the answer is a result");
		assert_eq!(*status, 0, "the view function is found and understands its arguments");
		Vec::decode(&mut &output[..]).expect("the output is in bytes")
	}
}

/// The key of a row of a map of the pallet, or of all rows whose keys start so.
pub fn storage_key(map: &str, keys: &[&[u8]]) -> Vec<u8> {
	let mut key = [twox_128(b"ContentFabric"), twox_128(map.as_bytes())].concat();
	for part in keys {
		key.extend(blake2_128(part));
		key.extend_from_slice(part);
	}
	key
}

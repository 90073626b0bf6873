//! Raw reads over JSON-RPC, by storage keys that are put together here, independently of metadata
//! and client library.

use std::collections::{BTreeMap, BTreeSet};

use content_fabric_identifiers::TenantId;
use sp_crypto_hashing::{blake2_128, twox_128};
use subxt::{
	ext::codec::{Decode, Encode},
	rpcs::{
		client::rpc_params,
		methods::legacy::{LegacyRpcMethods, NumberOrHex},
		RpcClient,
	},
	utils::{AccountId32, H256},
};

/// The maps that have rows under a tenant.
pub const MAPS_OF_A_TENANT: [&str; 6] =
	["TenantKeys", "Kmses", "ContentObjects", "Versions", "Collections", "Records"];

/// The keys of rows, by map.
pub type Rows = BTreeMap<&'static str, BTreeSet<Vec<u8>>>;

/// A reason for holds: the index of the pallet in the runtime, and of the reason in the pallet.
pub type HoldReason = (u8, u8);
/// Holds for the bond of a provider.
pub const PROVIDER_BOND: HoldReason = (50, 0);
/// Holds for the bond of a tenant.
pub const TENANT_BOND: HoldReason = (50, 1);
/// Holds for the rows under a provider or a tenant.
pub const STORAGE_DEPOSIT: HoldReason = (50, 2);

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

	/// The keys of the rows under a tenant, for each of its maps.
	pub async fn tenant_rows(&self, tenant: TenantId) -> Rows {
		let mut rows = Rows::new();
		for map in MAPS_OF_A_TENANT {
			rows.insert(map, self.keys(&storage_key(map, &[&tenant.0])).await);
		}
		rows
	}

	/// What is on hold on an account, by reason.
	pub async fn holds(&self, account: &AccountId32) -> BTreeMap<HoldReason, u128> {
		let key = key_of("Balances", "Holds", &[&account.0]);
		let value = self.methods.state_get_storage(&key, None).await;
		let Some(value) = value.expect("the node answers") else { return BTreeMap::new() };
		let holds = Vec::<(HoldReason, u128)>::decode(&mut &value[..]);
		holds.expect("holds are reasons with amounts").into_iter().collect()
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

/// Number of rows, in all maps together.
pub fn count(rows: &Rows) -> usize {
	rows.values().map(BTreeSet::len).sum()
}

/// The key of a row of a map of the pallet, or of all rows whose keys start so.
pub fn storage_key(map: &str, keys: &[&[u8]]) -> Vec<u8> {
	key_of("ContentFabric", map, keys)
}

/// The key of a tenant's collection. The length of the name comes before it.
pub fn collection_key(tenant: TenantId, name: &str) -> Vec<u8> {
	storage_key("Collections", &[&tenant.0[..], &name.encode()[..]])
}

/// The key of a record in a tenant's collection.
pub fn record_key(tenant: TenantId, collection: &str, key: &str) -> Vec<u8> {
	storage_key("Records", &[&tenant.0[..], &collection.encode()[..], &key.encode()[..]])
}

fn key_of(pallet: &str, map: &str, keys: &[&[u8]]) -> Vec<u8> {
	let mut key = [twox_128(pallet.as_bytes()), twox_128(map.as_bytes())].concat();
	for part in keys {
		key.extend(blake2_128(part));
		key.extend_from_slice(part);
	}
	key
}

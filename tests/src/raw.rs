// SPDX-License-Identifier: Apache-2.0
//! Raw reads over JSON-RPC. Storage keys are put together by hand, independently of metadata and
//! client library.

use std::collections::{BTreeMap, BTreeSet};

use content_fabric_identifiers::{ContentObjectId, NodeId, ProviderId, TenantId};
use content_fabric_primitives::{
	ContentObjectInfo, MemberId, MemberInfo, NodeInfo, ProviderRowCounts, TenantRowCounts,
};
use sp_crypto_hashing::{blake2_128, twox_128};
use subxt::{
	config::substrate::DigestItem,
	ext::codec::{Compact, Decode, DecodeAll, Encode},
	rpcs::{
		client::rpc_params,
		methods::legacy::{LegacyRpcMethods, NumberOrHex},
		RpcClient,
	},
	utils::{AccountId32, H256},
};

/// The maps with rows under a provider, in the order of their counts.
pub const MAPS_OF_A_PROVIDER: [&str; 2] = ["ProviderKeys", "Nodes"];
/// The maps with rows under a tenant, in the order of their counts.
pub const MAPS_OF_A_TENANT: [&str; 6] =
	["TenantKeys", "Kmses", "ContentObjects", "Versions", "Collections", "Records"];

/// The bytes of an id, except a version's.
pub type Id = [u8; 10];
/// The bytes of a muid.
pub type Muid = [u8; 16];
/// The keys of rows, by map.
pub type Rows = BTreeMap<&'static str, BTreeSet<Vec<u8>>>;

/// A reason for holds: the index of the pallet in the runtime, and of the reason in the pallet.
pub type HoldReason = (u8, u8);
/// Holds for the bond of a provider.
pub const PROVIDER_BOND: HoldReason = (50, 0);
/// Holds for the bond of a tenant.
pub const TENANT_BOND: HoldReason = (50, 1);
/// Holds for the row of a member and the rows under it.
pub const STORAGE_DEPOSIT: HoldReason = (50, 2);

/// The row of a provider.
pub type Provider = MemberInfo<[u8; 32], u128, u32, ProviderRowCounts>;
/// The row of a tenant.
pub type Tenant = MemberInfo<[u8; 32], u128, u32, TenantRowCounts>;
/// The row of a node.
pub type Node = NodeInfo<[u8; 32], u128, Vec<u8>>;
/// The row of a content object.
pub type Object = ContentObjectInfo<u128>;

/// Returns what is on hold for a member on its root, by reason.
pub fn holds_of<Counts>(
	member: &MemberInfo<[u8; 32], u128, u32, Counts>,
	bond: HoldReason,
) -> BTreeMap<HoldReason, u128> {
	[(bond, member.bond), (STORAGE_DEPOSIT, member.deposits())]
		.into_iter()
		.filter(|(_, amount)| *amount > 0)
		.collect()
}

/// Returns the number of rows in each map of a tenant, in the order of [`MAPS_OF_A_TENANT`].
pub fn counts_of(tenant: &Tenant) -> [u32; MAPS_OF_A_TENANT.len()] {
	let TenantRowCounts { keys, kmses, content_objects, versions, collections, records } =
		tenant.rows;
	[keys, kmses, content_objects, versions, collections, records]
}

/// Number of keys that are listed at once. Nodes allow no more.
const PAGE: u32 = 1_000;

type Methods = LegacyRpcMethods<subxt::config::RpcConfigFor<subxt::SubstrateConfig>>;

/// The failure of a request to a node that is down or does not answer.
pub type Refused = Box<dyn std::error::Error + Send + Sync>;

/// A connection that knows nothing of the chain.
pub struct Raw {
	client: RpcClient,
	methods: Methods,
}

impl Raw {
	/// Connects.
	pub async fn connect(url: &str) -> Self {
		Self::try_connect(url).await.expect("the node answers")
	}

	/// Connects to a node that may be down.
	pub async fn try_connect(url: &str) -> Result<Self, Refused> {
		let client = RpcClient::from_insecure_url(url).await?;
		Ok(Self { methods: LegacyRpcMethods::new(client.clone()), client })
	}

	/// Returns all keys with a prefix.
	pub async fn keys(&self, prefix: &[u8]) -> BTreeSet<Vec<u8>> {
		self.keys_at(prefix, None).await
	}

	/// Returns all keys with a prefix at a block, page by page.
	async fn keys_at(&self, prefix: &[u8], block: Option<H256>) -> BTreeSet<Vec<u8>> {
		let mut keys = BTreeSet::new();
		loop {
			let last = keys.last().map(Vec::as_slice);
			let page = self.methods.state_get_keys_paged(prefix, PAGE, last, block).await;
			let page = page.expect("the node lists keys");
			if page.is_empty() {
				return keys;
			}
			keys.extend(page);
		}
	}

	/// Returns the value of a key, if there is one.
	pub async fn value<Value: Decode>(&self, key: &[u8]) -> Option<Value> {
		self.value_at(key, None).await
	}

	/// Returns the value of a key at a block, if there is one.
	pub async fn value_at<Value: Decode>(&self, key: &[u8], block: Option<H256>) -> Option<Value> {
		let value = self.methods.state_get_storage(key, block).await.expect("the node answers")?;
		Some(Value::decode_all(&mut &value[..]).expect("the value is of the type known here"))
	}

	/// Returns the code of the runtime at a block.
	pub async fn code(&self, block: H256) -> Vec<u8> {
		let code = self.methods.state_get_storage(b":code", Some(block)).await;
		code.expect("the node answers").expect("every chain has a runtime")
	}

	/// Returns the row of a provider, if there is one.
	pub async fn provider(&self, provider: ProviderId) -> Option<Provider> {
		self.value(&storage_key("Providers", &[&provider.0])).await
	}

	/// Returns the row of a tenant, if there is one.
	pub async fn tenant(&self, tenant: TenantId) -> Option<Tenant> {
		self.value(&storage_key("Tenants", &[&tenant.0])).await
	}

	/// Returns the row of a node, if there is one.
	pub async fn node(&self, provider: ProviderId, node: NodeId) -> Option<Node> {
		self.value(&storage_key("Nodes", &[&provider.0, &node.0])).await
	}

	/// Returns the row of a content object, if there is one.
	pub async fn object(&self, tenant: TenantId, object: ContentObjectId) -> Option<Object> {
		self.value(&storage_key("ContentObjects", &[&tenant.0, &object.0])).await
	}

	/// Returns the keys of the rows under a member, for each of its maps.
	pub async fn rows(&self, member: impl Into<MemberId>) -> Rows {
		let member = member.into();
		let maps = match member {
			MemberId::Provider(_) => &MAPS_OF_A_PROVIDER[..],
			MemberId::Tenant(_) => &MAPS_OF_A_TENANT[..],
		};
		let mut rows = Rows::new();
		for map in maps {
			rows.insert(*map, self.keys(&storage_key(map, &[member.as_bytes()])).await);
		}
		rows
	}

	/// Returns all that the pallet has in storage, by key.
	pub async fn state(&self) -> BTreeMap<Vec<u8>, Vec<u8>> {
		self.pairs(&twox_128(b"ContentFabric"), None).await
	}

	/// Returns all keys with a prefix, with their values at a block.
	pub async fn pairs(&self, prefix: &[u8], block: Option<H256>) -> BTreeMap<Vec<u8>, Vec<u8>> {
		let block = match block {
			Some(block) => block,
			None => self.best_block().await.1,
		};
		let keys: Vec<_> = self.keys_at(prefix, Some(block)).await.into_iter().collect();
		let mut pairs = BTreeMap::new();
		for page in keys.chunks(PAGE as usize) {
			let page = page.iter().map(Vec::as_slice);
			let values = self.methods.state_query_storage_at(page, Some(block)).await;
			for (key, value) in
				values.expect("the node answers").into_iter().flat_map(|set| set.changes)
			{
				pairs.insert(key.0, value.expect("the key was listed").0);
			}
		}
		pairs
	}

	/// Returns what is on hold on an account, by reason.
	pub async fn holds(&self, account: &AccountId32) -> BTreeMap<HoldReason, u128> {
		let key = key_of("Balances", "Holds", &[&account.0]);
		let holds = self.value::<Vec<(HoldReason, u128)>>(&key).await;
		holds.unwrap_or_default().into_iter().collect()
	}

	/// Returns the number and the hash of the best block.
	pub async fn best_block(&self) -> (u64, H256) {
		let header = self.methods.chain_get_header(None).await.expect("the node answers");
		let number = header.expect("there is a best block").number;
		(number, self.block_hash(number).await.expect("the best block has a hash"))
	}

	/// Returns the number and the hash of the last finalized block.
	pub async fn finalized_block(&self) -> (u64, H256) {
		self.try_finalized_block().await.expect("the node answers")
	}

	/// Returns the number and the hash of the last finalized block of a node that may be down.
	pub async fn try_finalized_block(&self) -> Result<(u64, H256), Refused> {
		let hash = self.methods.chain_get_finalized_head().await?;
		let header = self.methods.chain_get_header(Some(hash)).await?;
		Ok((header.ok_or("the last finalized block has no header")?.number, hash))
	}

	/// Returns the number and the state root of a block.
	pub async fn header(&self, block: H256) -> (u64, H256) {
		let header = self.methods.chain_get_header(Some(block)).await.expect("the node answers");
		let header = header.expect("the node has the block");
		(header.number, header.state_root)
	}

	/// Returns a block as its maker made it: without its signature, encoded. Also returns the hash
	/// of the block before it.
	pub async fn unsigned_block(&self, block: H256) -> (Vec<u8>, H256) {
		let details = self.methods.chain_get_block(Some(block)).await.expect("the node answers");
		let block = details.expect("the node has the block").block;
		let mut header = block.header;
		header.digest.logs.retain(|item| !matches!(item, DigestItem::Seal(..)));
		let mut bytes = header.encode();
		Compact(u32::try_from(block.extrinsics.len()).expect("blocks are small"))
			.encode_to(&mut bytes);
		for extrinsic in block.extrinsics {
			bytes.extend(extrinsic.0);
		}
		(bytes, header.parent_hash)
	}

	/// Returns the hash of a block.
	pub async fn block_hash(&self, number: u64) -> Option<H256> {
		self.try_block_hash(number).await.expect("the node answers")
	}

	/// Returns the hash of a block of a node that may be down.
	pub async fn try_block_hash(&self, number: u64) -> Result<Option<H256>, Refused> {
		Ok(self.methods.chain_get_block_hash(Some(NumberOrHex::Number(number))).await?)
	}

	/// Returns the milliseconds in `Timestamp.Now` at a block.
	pub async fn time(&self, block: H256) -> u64 {
		let now = self.value_at(&storage_value("Timestamp", "Now"), Some(block)).await;
		now.expect("every block has a time")
	}

	/// Has the node make new session keys for a validator with this account. Returns the public
	/// keys and the proof that the node owns them, both encoded.
	pub async fn rotate_keys(&self, owner: &AccountId32) -> (Vec<u8>, Vec<u8>) {
		let owner = format!("0x{}", hex::encode(owner.0));
		let answer: BTreeMap<String, String> = self
			.client
			.request("author_rotateKeysWithOwner", rpc_params![owner])
			.await
			.expect("the node makes keys");
		let bytes = |name: &str| {
			hex::decode(answer[name].trim_start_matches("0x")).expect("the answer is hex")
		};
		(bytes("keys"), bytes("proof"))
	}

	/// Returns the id of the set of GRANDPA's voters, as the node counts them.
	pub async fn set_of_the_node(&self) -> u64 {
		let state: serde_json::Value = self
			.client
			.request("grandpa_roundState", rpc_params![])
			.await
			.expect("the node follows finality");
		state["setId"].as_u64().expect("it is a number")
	}

	/// Calls a runtime API with arguments that are encoded already.
	pub async fn runtime_api(&self, function: &str, arguments: &[u8]) -> Vec<u8> {
		self.runtime_api_at(function, arguments, None).await
	}

	/// Calls a runtime API at a block, with arguments that are encoded already.
	pub async fn runtime_api_at(
		&self,
		function: &str,
		arguments: &[u8],
		block: Option<H256>,
	) -> Vec<u8> {
		let arguments = format!("0x{}", hex::encode(arguments));
		let answer: String = self
			.client
			.request("state_call", rpc_params![function, arguments, block])
			.await
			.expect("the node answers");
		hex::decode(answer.trim_start_matches("0x")).expect("the answer is hex")
	}
}

/// Returns the number of rows in all maps together.
pub fn count(rows: &Rows) -> usize {
	rows.values().map(BTreeSet::len).sum()
}

/// Returns the key of a row in a map of the pallet, or what the keys of several rows begin with.
pub fn storage_key(map: &str, keys: &[&[u8]]) -> Vec<u8> {
	key_of("ContentFabric", map, keys)
}

/// Returns the key of a tenant's collection. The length of the name comes before it.
pub fn collection_key(tenant: TenantId, name: &str) -> Vec<u8> {
	storage_key("Collections", &[&tenant.0[..], &name.encode()[..]])
}

/// Returns the key of a record in a tenant's collection.
pub fn record_key(tenant: TenantId, collection: &str, key: &str) -> Vec<u8> {
	storage_key("Records", &[&tenant.0[..], &collection.encode()[..], &key.encode()[..]])
}

/// Returns the key of a value of any pallet.
pub fn storage_value(pallet: &str, name: &str) -> Vec<u8> {
	key_of(pallet, name, &[])
}

/// Returns the key of a row in a map of any pallet.
pub fn key_of(pallet: &str, map: &str, keys: &[&[u8]]) -> Vec<u8> {
	let mut key = [twox_128(pallet.as_bytes()), twox_128(map.as_bytes())].concat();
	for part in keys {
		key.extend(blake2_128(part));
		key.extend_from_slice(part);
	}
	key
}

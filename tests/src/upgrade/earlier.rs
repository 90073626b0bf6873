// SPDX-License-Identifier: Apache-2.0
//! The content fabric of a chain with the old runtime: made by its own calls, some of whose names
//! and arguments have since changed.

use content_fabric_client::ids;
use content_fabric_identifiers::{
	ContentObjectId, KmsId, Medallion, Muid, NodeId, ProviderId, SpaceId, TenantId,
};
use subxt::{dynamic::Value, ext::codec::Encode, utils::H256};

use super::calls::{batch, call, sudo, Call, Sender};
use crate::{
	client::signer,
	lockfile::{checksums, CRATES_IO},
	raw::{storage_key, Raw},
	validators::account,
};

/// The signed bytes of a commit begin with them.
const CONTEXT: &[u8] = b"content-fabric/version-commit/v1";
/// The collection of the names.
const NAMES: &str = "earlier-names";
/// Number of calls in a transaction.
const BATCH: usize = 100;

/// A node of version 1: whether it is pending, its locator, its medallion, the muid of its last
/// commit, and its deposit.
type NodeInfo = (bool, Vec<u8>, u64, Option<[u8; 16]>, u128);

/// A fabric that one account owns all of.
pub struct Earlier {
	/// The development key of the owner.
	pub owner: &'static str,
	/// The space.
	pub space: SpaceId,
	/// The provider.
	pub provider: ProviderId,
	/// The node of the provider.
	pub node: NodeId,
	/// The tenant whose content stays.
	pub tenant: TenantId,
	/// The KMS of that tenant.
	pub kms: KmsId,
	/// The tenant that is purged.
	pub purged: TenantId,
}

fn bytes(bytes: impl AsRef<[u8]>) -> Value {
	Value::from_bytes(bytes)
}

fn fabric<const N: usize>(name: &str, arguments: [(&str, Value); N]) -> Call {
	call("ContentFabric", name, arguments)
}

fn some(value: Value) -> Value {
	Value::unnamed_variant("Some", [value])
}

fn none() -> Value {
	Value::unnamed_variant("None", [])
}

impl Earlier {
	/// Names a fabric of the account with this development key. The names are those by which the
	/// client finds it.
	pub fn new(owner: &'static str) -> Self {
		let space = ids::space("cargo");
		let provider = ids::provider(space, &account(owner).to_string());
		let tenant = ids::tenant(space, CRATES_IO);
		Self {
			owner,
			space,
			provider,
			node: ids::node(provider, "publisher"),
			tenant,
			kms: ids::kms(tenant, "publisher"),
			purged: ids::tenant(space, "purged"),
		}
	}

	/// Returns the calls that create space, members, node, KMS and collections. The account has the
	/// sudo key.
	pub fn create(&self) -> Call {
		let owner = || bytes(account(self.owner).0);
		let rules = Value::named_composite([
			("provider_bond", Value::u128(0)),
			("tenant_bond", Value::u128(0)),
			("admission", Value::unnamed_variant("Open", [])),
			("partitions", Value::u128(1)),
			("sla", bytes(b"")),
		]);
		let space = [("space", bytes(self.space.0)), ("governor", owner()), ("rules", rules)];
		let member = |name: &str, id: &str, bytes_of: &[u8]| {
			fabric(name, [("space", bytes(self.space.0)), (id, bytes(bytes_of))])
		};
		let collection = |tenant: TenantId| {
			fabric(
				"create_collection",
				[
					("tenant", bytes(tenant.0)),
					("name", bytes(NAMES)),
					("key_type", Value::unnamed_variant("Any", [])),
					("syntax", Value::unnamed_variant("PathSegment", [])),
				],
			)
		};
		let node = [("provider", bytes(self.provider.0)), ("node", bytes(self.node.0))];
		let [provider_of_node, id_of_node] = node.clone();
		batch([
			sudo(fabric("create_space", space)),
			member("create_provider", "provider", &self.provider.0),
			fabric(
				"create_node",
				[
					provider_of_node,
					id_of_node,
					("operator", owner()),
					("locator", bytes("https://node.example.com")),
				],
			),
			fabric("confirm_node", node),
			member("create_tenant", "tenant", &self.tenant.0),
			fabric(
				"add_kms",
				[
					("tenant", bytes(self.tenant.0)),
					("kms", bytes(self.kms.0)),
					("locator", bytes("https://kms.example.com")),
				],
			),
			collection(self.tenant),
			member("create_tenant", "tenant", &self.purged.0),
			collection(self.purged),
		])
	}

	/// Returns the transactions that publish the packages of a lock file, finalize all versions, name
	/// each package, and give the tenant that is purged so many records.
	pub async fn publish(
		&self,
		raw: &Raw,
		genesis: [u8; 32],
		lockfile: &str,
		records: usize,
	) -> Vec<Call> {
		let key = storage_key("Nodes", &[&self.provider.0, &self.node.0]);
		let (.., medallion, last, _) =
			raw.value::<NodeInfo>(&key).await.expect("the node was created");
		assert_eq!(last, None, "the node has not committed");
		let medallion = Medallion::new(medallion).expect("it has a medallion");
		let now = 1_000 * raw.time(raw.best_block().await.1).await;
		let (mut objects, mut commits, mut finalizations, mut puts) =
			(Vec::new(), Vec::new(), Vec::new(), Vec::new());
		for (name, checksums) in checksums(lockfile, CRATES_IO) {
			let object = ids::content_object(self.tenant, &name);
			let key = [("tenant", bytes(self.tenant.0)), ("object", bytes(object.0))];
			objects.push(fabric("create_content_object", key.clone()));
			puts.push(put(self.tenant, &name, object));
			for version in checksums {
				let muid = Muid::new(now + commits.len() as u64, medallion, 0);
				let muid = muid.expect("the time is in range");
				commits.push(self.commit(genesis, muid, object, version));
				let [tenant, object] = key.clone();
				let finalize = [tenant, object, ("version", bytes(version))];
				finalizations.push(fabric("finalize_version", finalize));
			}
		}
		let nowhere = ContentObjectId([0; 10]);
		let target = fabric(
			"create_content_object",
			[("tenant", bytes(self.purged.0)), ("object", bytes(nowhere.0))],
		);
		objects.push(target);
		let purged = (0..records).map(|i| put(self.purged, &format!("record-{i}"), nowhere));
		let calls: Vec<_> = objects
			.into_iter()
			.chain(commits)
			.chain(finalizations)
			.chain(puts)
			.chain(purged)
			.collect();
		calls.chunks(BATCH).map(|calls| batch(calls.iter().cloned())).collect()
	}

	fn commit(
		&self,
		genesis: [u8; 32],
		muid: Muid,
		object: ContentObjectId,
		version: [u8; 32],
	) -> Call {
		let (size, set_head) = (1_000u64, true);
		let ids = (self.provider.0, self.node.0, self.tenant.0, object.0, version);
		let message = (ids, size, muid.to_bytes(), set_head, self.kms.0);
		let signature = signer(self.owner).sign(&[CONTEXT, &genesis, &message.encode()].concat());
		let message = Value::named_composite([
			("originator", bytes(self.provider.0)),
			("node", bytes(self.node.0)),
			("tenant", bytes(self.tenant.0)),
			("object", bytes(object.0)),
			("version", bytes(version)),
			("size", Value::u128(size.into())),
			("muid", bytes(muid.to_bytes())),
			("set_head_on_finalize", Value::bool(set_head)),
			("kms", bytes(self.kms.0)),
		]);
		fabric(
			"commit_version",
			[
				("tenant_signer", bytes(account(self.owner).0)),
				("message", message),
				("signature", Value::unnamed_variant("Sr25519", [bytes(signature)])),
			],
		)
	}

	/// Returns the call of the governance that purges a tenant, all of it in steps.
	pub fn purge(&self) -> Call {
		fabric(
			"governance_delete_tenant",
			[
				("tenant", bytes(self.purged.0)),
				("slash", Value::u128(0)),
				("max_rows", Value::u128(0)),
			],
		)
	}

	/// Returns the number of rows of the tenant that is purged, at a block. Both versions of the
	/// storage have these maps.
	pub async fn rows_left(&self, raw: &Raw, block: H256) -> usize {
		let mut rows = 0;
		for map in crate::raw::MAPS_OF_A_TENANT {
			rows += raw.pairs(&storage_key(map, &[&self.purged.0]), Some(block)).await.len();
		}
		rows
	}

	/// Connects the owner to a node.
	pub async fn connect(&self, url: &str) -> Sender {
		Sender::connect(url, signer(self.owner)).await
	}

	/// Returns the collection in which each package has a name.
	pub fn collection(&self) -> &'static str {
		NAMES
	}
}

fn put(tenant: TenantId, key: &str, object: ContentObjectId) -> Call {
	let target = Value::named_composite([("object", bytes(object.0)), ("version", none())]);
	fabric(
		"put_record",
		[
			("tenant", bytes(tenant.0)),
			("collection", bytes(NAMES)),
			("key", some(bytes(key))),
			("target", target),
		],
	)
}

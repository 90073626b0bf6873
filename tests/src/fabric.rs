//! A small fabric on a chain of its own, for tests that make single calls.

use std::path::Path;

use content_fabric_client::{
	calls::{self, Call, VersionCommit},
	chain::{Account, Chain, Events},
	ids,
	storage::{Admission, Rules},
};
use content_fabric_identifiers::{
	ContentObjectId, KmsId, Medallion, Muid, NodeId, ProviderId, SpaceId, TenantId, VersionId,
};
use content_fabric_primitives::{DraftVersion, MemberId};
use subxt::dynamic::Value;

use crate::{
	process::Node,
	raw::{self, Raw},
};

/// The bond that the client asks for in a space that it creates.
pub const BOND: u128 = 1_000_000_000_000;
/// More than any test has on hold for a member, and less than an account has.
pub const MAX_HELD: u128 = 100_000_000_000_000_000;

/// Returns the account of a development key, such as `//Alice`.
pub fn account(key: &str) -> Account {
	key.parse().expect("a development key")
}

/// Returns the rules of a space that is open to all and requires the same bond of all.
pub fn rules(bond: u128) -> Rules {
	Rules {
		provider_bond: bond,
		tenant_bond: bond,
		admission: Admission::Open,
		partitions: 1,
		sla: Vec::new(),
	}
}

/// Returns the encoded fields of the pallet's events of that name, in their order.
pub fn fields(events: &Events, name: &str) -> Vec<Vec<u8>> {
	events
		.iter()
		.map(|event| event.expect("the metadata has the event"))
		.filter(|event| event.pallet_name() == "ContentFabric" && event.event_name() == name)
		.map(|event| event.field_bytes().to_vec())
		.collect()
}

/// Returns a draft of a version that is to become the head of its object.
pub fn draft(object: ContentObjectId, version: VersionId) -> DraftVersion {
	DraftVersion { object, version, size: 1_000, set_head_on_finalize: true }
}

// The client has no command that makes these calls.

/// Makes a call that creates a content object.
pub fn create_content_object(tenant: TenantId, object: ContentObjectId) -> Call {
	let arguments =
		vec![("tenant", Value::from_bytes(tenant)), ("object", Value::from_bytes(object))];
	Call::fabric("create_content_object", arguments)
}

/// Makes a call that deletes a version.
pub fn delete_version(tenant: TenantId, object: ContentObjectId, version: VersionId) -> Call {
	let arguments = vec![
		("tenant", Value::from_bytes(tenant)),
		("object", Value::from_bytes(object)),
		("version", Value::from_bytes(version)),
	];
	Call::fabric("delete_version", arguments)
}

/// A space that Alice governs, with a provider of Bob's and a tenant of Charlie's.
pub struct Fabric {
	/// The node that serves the chain.
	pub process: Node,
	/// The client's connection.
	pub chain: Chain,
	/// A connection that knows nothing of the chain.
	pub raw: Raw,
	/// The governor of the space, who has the sudo key.
	pub alice: Account,
	/// The root of the provider.
	pub bob: Account,
	/// The root of the tenant.
	pub charlie: Account,
	/// An account without a role.
	pub dave: Account,
	/// An account without a role.
	pub eve: Account,
	/// The space.
	pub space: SpaceId,
	/// The provider. It has no nodes yet.
	pub provider: ProviderId,
	/// The tenant. It has one KMS and the object.
	pub tenant: TenantId,
	/// The KMS of the tenant.
	pub kms: KmsId,
	/// A content object without versions.
	pub object: ContentObjectId,
}

impl Fabric {
	/// Starts a chain with its data in `dir`. The space requires this bond of every member.
	pub async fn start(dir: &Path, bond: u128) -> Self {
		let process = Node::start(dir, &[]);
		let space = ids::space("test");
		let tenant = ids::tenant(space, "tenant");
		let fabric = Self {
			chain: Chain::connect(&process.url).await.expect("the node answers"),
			raw: Raw::connect(&process.url).await,
			process,
			alice: account("//Alice"),
			bob: account("//Bob"),
			charlie: account("//Charlie"),
			dave: account("//Dave"),
			eve: account("//Eve"),
			space,
			provider: ids::provider(space, "provider"),
			tenant,
			kms: ids::kms(tenant, "kms"),
			object: ids::content_object(tenant, "object"),
		};
		let Self { alice, bob, charlie, provider, kms, object, .. } = &fabric;
		let create_space = calls::create_space(space, &alice.id, &rules(bond));
		fabric.submit(alice, Call::sudo(create_space)).await;
		let create = |member: MemberId| calls::create_member(space, member, MAX_HELD);
		fabric.submit(bob, create((*provider).into())).await;
		let tenant_calls = [
			create(tenant.into()),
			calls::add_kms(tenant, *kms, "https://127.0.0.1/kms"),
			create_content_object(tenant, *object),
		];
		fabric.submit(charlie, Call::batch_all(tenant_calls)).await;
		fabric
	}

	/// Returns where the node serves JSON-RPC.
	pub fn url(&self) -> &str {
		&self.process.url
	}

	/// Submits a call, which must succeed.
	pub async fn submit(&self, signer: &Account, call: Call) -> Events {
		let name = call.name();
		let submitted = self.chain.submit(signer, call).await;
		submitted.unwrap_or_else(|error| panic!("{name} is refused: {error}"))
	}

	/// Submits a call, which must fail with this error of the pallet and change nothing in its
	/// storage.
	pub async fn assert_refused(&self, signer: &Account, call: Call, error: &str) {
		let (name, before) = (call.name(), self.raw.state().await);
		let refused = self.chain.submit(signer, call).await.map(drop);
		let refused = refused.expect_err("the call is refused").to_string();
		let expected = format!("{name} failed: ContentFabric.{error}: ");
		assert!(refused.starts_with(&expected), "{refused}, expected {expected}");
		assert_eq!(self.raw.state().await, before, "{name} failed, but changed the storage");
	}

	/// Returns the provider's row.
	pub async fn provider_row(&self) -> raw::Provider {
		self.raw.provider(self.provider).await.expect("the provider exists")
	}

	/// Returns the tenant's row.
	pub async fn tenant_row(&self) -> raw::Tenant {
		self.raw.tenant(self.tenant).await.expect("the tenant exists")
	}

	/// Creates a confirmed node of the provider with this operator.
	pub async fn add_node(&self, name: &str, operator: &Account) -> NodeId {
		let node = ids::node(self.provider, name);
		let create = calls::create_node(self.provider, node, &operator.id, "/ip4/127.0.0.1");
		let confirm = calls::confirm_node(self.provider, node);
		self.submit(&self.bob, Call::batch_all([create, confirm])).await;
		node
	}

	/// Drafts a commit of a node, with a muid of the chain's time that is later than all that the
	/// node has committed. Objects may be created.
	pub async fn commit(&self, node: NodeId, versions: &[DraftVersion]) -> VersionCommit {
		let at = self.chain.best().await.expect("there is a best block");
		let now = at.now_micros().await.expect("the block has a time");
		let row = self.raw.node(self.provider, node).await.expect("the node exists");
		let last = row.last_muid.map_or(0, |muid| Muid::from_bytes(muid).timestamp());
		let medallion = Medallion::new(row.medallion).expect("the chain assigned it");
		let muid = Muid::new(now.max(last + 1), medallion, 0).expect("it is not the year 2112");
		VersionCommit {
			muid,
			originator: self.provider,
			node,
			tenant: self.tenant,
			kms: self.kms,
			create_objects: true,
			versions: versions.to_vec().try_into().expect("the list is short"),
		}
	}

	/// Makes the call that submits a commit with the signature of an account of the tenant.
	pub fn signed(&self, signer: &Account, commit: &VersionCommit) -> Call {
		let signature = signer.sign(&commit.payload(self.chain.genesis_hash()));
		calls::commit_versions(&signer.id, commit, &signature)
	}

	/// Makes the call that finalizes versions which a node took in.
	pub fn finalize(&self, node: NodeId, versions: &[(ContentObjectId, VersionId)]) -> Call {
		calls::finalize_versions(self.provider, node, self.tenant, versions)
	}
}

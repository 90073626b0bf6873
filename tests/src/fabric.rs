// SPDX-License-Identifier: Apache-2.0
//! A small fabric on a chain of its own, for tests that make single calls.

use std::path::Path;

use content_fabric_client::{
	chain::{
		calls::{self, Call, EncodedCall},
		rows, Included,
	},
	ids,
	keys::Signer,
};
use content_fabric_identifiers::{
	ContentObjectId, KmsId, Muid, NodeId, ProviderId, SpaceId, TenantId, VersionId,
};
use content_fabric_primitives::{DraftVersion, HashKind, KmsKey};

use crate::{
	client::{create_tenant, rules, signer, Client, VersionCommit, MAX_HELD},
	process::Node,
	raw::{self, Raw},
	store::GENESIS,
};

/// Returns a draft of a version that is to become the head of its object.
pub fn draft(object: ContentObjectId, version: VersionId) -> DraftVersion {
	let hash = HashKind::Blake3;
	DraftVersion { object, version, hash, size: 1_000, set_head_on_finalize: true }
}

/// A space that Alice governs, with a provider of Bob's and a tenant of Charlie's.
pub struct Fabric {
	/// The node that serves the chain.
	pub process: Node,
	/// The client's connection.
	pub client: Client,
	/// A connection that knows nothing of the chain.
	pub raw: Raw,
	/// The governor of the space, who has the sudo key.
	pub alice: Signer,
	/// The root of the provider.
	pub bob: Signer,
	/// The root of the tenant.
	pub charlie: Signer,
	/// The operator of the KMS.
	pub dave: Signer,
	/// An account without a role.
	pub eve: Signer,
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
		Self::start_on(0, dir, bond).await
	}

	/// Starts a chain as [`start`](Self::start) does, on a port of the node that is the same again
	/// when it is started another time.
	pub async fn start_on(port: u16, dir: &Path, bond: u128) -> Self {
		let process = Node::start_on(port, dir, &[]);
		let space = ids::space("test");
		let tenant = ids::tenant(space, "tenant");
		let fabric = Self {
			client: Client::connect(&process.url).await,
			raw: Raw::connect(&process.url).await,
			process,
			alice: signer("//Alice"),
			bob: signer("//Bob"),
			charlie: signer("//Charlie"),
			dave: signer("//Dave"),
			eve: signer("//Eve"),
			space,
			provider: ids::provider(space, "provider"),
			tenant,
			kms: ids::kms(tenant, "kms"),
			object: ids::content_object(tenant, "object"),
		};
		let Self { client, alice, bob, charlie, provider, object, .. } = &fabric;
		GENESIS.get_or_init(|| client.chain.identity().genesis_hash);
		let (governor, rules) = (*alice.account(), rules(bond));
		let create_space = calls::CreateSpace { space, governor, rules };
		fabric.submit(alice, client.sudo(create_space)).await;
		let create = calls::CreateProvider { space, id: *provider, max_held: MAX_HELD };
		fabric.submit(bob, create).await;
		let tenant_calls = [
			client.encode(create_tenant(space, tenant)),
			client.encode(fabric.add_kms()),
			client.encode(calls::CreateContentObject { tenant, object: *object }),
		];
		fabric.submit(charlie, client.batch(tenant_calls)).await;
		fabric
	}

	/// Returns the call that adds the KMS to the tenant.
	pub fn add_kms(&self) -> calls::AddKms {
		let (operator, locator) = (*self.dave.account(), b"https://127.0.0.1/kms".to_vec());
		calls::AddKms {
			tenant: self.tenant,
			kms: self.kms,
			operator,
			locator,
			key: KmsKey([1; 32]),
		}
	}

	/// Replaces the node with the one that `start` returns, which serves the same chain.
	pub async fn served_by(self, start: impl FnOnce(Node) -> Node) -> Self {
		let process = start(self.process);
		Self {
			client: Client::connect(&process.url).await,
			raw: Raw::connect(&process.url).await,
			process,
			..self
		}
	}

	/// Returns where the node serves JSON-RPC.
	pub fn url(&self) -> &str {
		&self.process.url
	}

	/// Submits a call, which must succeed.
	pub async fn submit(&self, signer: &Signer, call: impl Call) -> Included {
		self.client.submit(signer, call).await
	}

	/// Submits a call, which must fail with this error of the pallet and change nothing in its
	/// storage.
	pub async fn assert_refused(&self, signer: &Signer, call: impl Call, error: &str) {
		self.assert_each_refused([(signer, self.client.encode(call))], error).await;
	}

	/// Submits calls, each of which must fail as with [`assert_refused`](Self::assert_refused).
	pub async fn assert_each_refused<'a>(
		&self,
		calls: impl IntoIterator<Item = (&'a Signer, EncodedCall)>,
		error: &str,
	) {
		let before = self.raw.state().await;
		for (signer, call) in calls {
			let name = call.name();
			let refused = self.client.try_submit(signer, &call).await.map(drop);
			let refused = refused.expect_err("the call is refused").to_string();
			let expected = format!(", failed: ContentFabric.{error}: ");
			let is_expected = refused.starts_with(&name) && refused.contains(&expected);
			assert!(is_expected, "{refused}, expected {name}{expected}");
			let after = self.raw.state().await;
			assert_eq!(after, before, "{name} failed, but changed the storage");
		}
	}

	/// Returns the tenant's row.
	pub async fn tenant_row(&self) -> raw::Tenant {
		self.raw.tenant(self.tenant).await.expect("the tenant exists")
	}

	/// Has governance freeze the tenant, or end that.
	pub async fn freeze_tenant(&self, enabled: bool) {
		self.freeze_tenant_of(self.tenant, enabled).await;
	}

	/// Has governance freeze a tenant, or end that.
	pub async fn freeze_tenant_of(&self, tenant: TenantId, enabled: bool) {
		let created = self.raw.tenant(tenant).await.expect("the tenant exists").created;
		let (member, reason) = (tenant.into(), Vec::new());
		let freeze = calls::SetGovernanceDelete { member, created, enabled, reason };
		self.submit(&self.alice, freeze).await;
	}

	/// Has governance freeze or unfreeze the provider. The nodes of a frozen one commit and finalize
	/// nothing.
	pub async fn freeze_provider(&self, enabled: bool) {
		let row = self.raw.provider(self.provider).await.expect("the provider exists");
		let (member, created, reason) = (self.provider.into(), row.created, Vec::new());
		let freeze = calls::SetGovernanceDelete { member, created, enabled, reason };
		self.submit(&self.alice, freeze).await;
	}

	/// Has governance delete the tenant.
	pub async fn delete_tenant(&self) {
		let created = self.tenant_row().await.created;
		let (member, reason) = (self.tenant.into(), Vec::new());
		let delete = calls::GovernanceDelete { member, created, slash: 0, reason };
		self.submit(&self.alice, delete).await;
	}

	/// Creates a confirmed node of the provider with this operator.
	pub async fn add_node(&self, name: &str, operator: &Signer) -> NodeId {
		let (provider, node) = (self.provider, ids::node(self.provider, name));
		let confirm = calls::ConfirmNode { provider, node };
		let create = self.create_node(node, operator);
		let calls = [self.client.encode(create), self.client.encode(confirm)];
		self.submit(&self.bob, self.client.batch(calls)).await;
		node
	}

	/// Makes the call that creates a node of the provider with this operator.
	pub fn create_node(&self, node: NodeId, operator: &Signer) -> calls::CreateNode {
		let (provider, operator) = (self.provider, *operator.account());
		calls::CreateNode { provider, node, operator, locator: b"/ip4/127.0.0.1".to_vec() }
	}

	/// Drafts a commit of a node, with a muid that is later than the time of the best block, than the
	/// chain's last, with which the signer may have been given its level, and than the node's last.
	/// Objects may be created.
	pub async fn commit(&self, node: NodeId, versions: &[DraftVersion]) -> VersionCommit {
		let best = self.client.best().await;
		let now = best.now_micros().await.expect("blocks have times");
		let minted = best.get(rows::last_muid(), ()).await.expect("the node answers");
		let row = self.raw.node(self.provider, node).await.expect("the node exists");
		let last = row.last_muid.max(minted).map_or(0, |muid| muid.timestamp());
		let muid = Muid::new(now.max(last) + 1, row.medallion, 0).expect("it is not the year 2112");
		VersionCommit {
			muid,
			originator: self.provider,
			node,
			copies: Default::default(),
			tenant: self.tenant,
			kms: Some(self.kms),
			create_objects: true,
			versions: versions.to_vec().try_into().expect("the list is short"),
		}
	}

	/// Returns the bytes that an account of the tenant signs.
	pub fn payload(&self, commit: &VersionCommit) -> Vec<u8> {
		commit.payload(self.client.chain.identity().genesis_hash)
	}

	/// Makes the call that submits a commit with the signature of an account of the tenant.
	pub fn signed(&self, signer: &Signer, commit: &VersionCommit) -> calls::CommitVersions {
		self.client.signed(signer, commit)
	}

	/// Makes the call that finalizes versions which a node took in.
	pub fn finalize(
		&self,
		node: NodeId,
		versions: impl Into<Vec<(ContentObjectId, VersionId)>>,
	) -> calls::FinalizeVersions {
		let (provider, tenant) = (self.provider, self.tenant);
		calls::FinalizeVersions { provider, node, tenant, versions: versions.into() }
	}
}

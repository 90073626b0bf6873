// SPDX-License-Identifier: Apache-2.0
//! A fabric with tenants of many rows.

use content_fabric_runtime::{ContentFabric, Runtime, RuntimeCall, RuntimeOrigin, Signature};
use frame_support::{assert_ok, dispatch::DispatchResult};
use pallet_content_fabric::{
	identifiers::{
		ContentObjectId, KmsId, Muid, NodeId, ProviderId, RecordKeySyntax, RecordKeyType, SpaceId,
		TenantId, VersionId,
	},
	wrap_payload, AdmissionPolicy, Call, ContentRef, DraftVersion, HashKind, KmsKey, LastMuid,
	MemberId, Nodes, SpaceRules, SpaceRulesOf, VersionCommit,
};
use sp_keyring::Sr25519Keyring::{self, Alice, Bob, Charlie};
use sp_runtime::traits::Dispatchable;

use crate::chain::*;
pub use crate::state::{bounded, created, object};

pub const SPACE: SpaceId = SpaceId([0xff; 10]);
pub const PROVIDER: ProviderId = ProviderId([0; 10]);
pub const NODE: NodeId = NodeId([0; 10]);
/// The tenants differ in their last byte.
pub const TENANT: TenantId = TenantId([0; 10]);
pub const NEIGHBOUR: TenantId = TenantId([0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
pub const OTHER: TenantId = TenantId([0, 0, 0, 0, 0, 0, 0, 0, 0, 2]);
pub const KMS: KmsId = KmsId([0; 10]);
pub const COLLECTION: &str = "names";
pub const BOND: u128 = 100 * UNIT;
pub const ROWS: u32 = 100_000;
/// Objects of a commit, each with two versions, and with two records.
const OBJECTS_AT_ONCE: usize = 250;

pub fn version(number: u32) -> VersionId {
	let mut id = VersionId([0; 32]);
	id.0[28..].copy_from_slice(&number.to_be_bytes());
	id
}

/// Returns the call that submits a commit to the node, signed by Charlie as wallets sign. It was
/// drafted this many microseconds after the first that is later than the chain's last muid, with
/// which Charlie may have become the root, and than the time of the block.
pub fn commit_versions(
	tenant: TenantId,
	microseconds: u64,
	versions: impl IntoIterator<Item = DraftVersion>,
) -> Call<Runtime> {
	let medallion = Nodes::<Runtime>::get(PROVIDER, NODE).expect("the node exists").medallion;
	let minted = LastMuid::<Runtime>::get().map_or(0, Muid::timestamp);
	let now = (pallet_timestamp::Now::<Runtime>::get() * 1_000).max(minted) + 1 + microseconds;
	let commit = VersionCommit {
		muid: Muid::new(now, medallion, 0).expect("is in range"),
		originator: PROVIDER,
		node: NODE,
		copies: Default::default(),
		tenant,
		kms: Some(KMS),
		create_objects: true,
		versions: bounded(versions),
	};
	let payload = wrap_payload(&ContentFabric::commit_payload(&commit));
	let signature = Signature::Sr25519(Charlie.sign(&payload));
	Call::commit_versions { tenant_signer: account(Charlie), commit, signature }
}

/// Has an account submit a commit of [`commit_versions`].
pub fn commit(
	by: Sr25519Keyring,
	tenant: TenantId,
	microseconds: u64,
	versions: Vec<DraftVersion>,
) {
	let call = RuntimeCall::from(commit_versions(tenant, microseconds, versions));
	assert_ok!(call.dispatch(signed(by)));
}

pub fn draft(object: ContentObjectId, version: VersionId) -> DraftVersion {
	DraftVersion { object, version, hash: HashKind::Blake3, size: 1, set_head_on_finalize: false }
}

/// Adds the KMS to a tenant of an account, which also operates it.
pub fn add_kms(root: Sr25519Keyring, tenant: TenantId) -> DispatchResult {
	let (operator, locator, key) = (account(root), text("https://kms"), KmsKey([1; 32]));
	ContentFabric::add_kms(signed(root), tenant, KMS, operator, locator, key)
}

/// Creates a tenant with a KMS and a collection.
pub fn create_tenant(tenant: TenantId) {
	let root = || signed(Charlie);
	assert_ok!(ContentFabric::create_tenant(root(), SPACE, tenant, ENDOWMENT));
	assert_ok!(add_kms(Charlie, tenant));
	let (any, syntax) = (RecordKeyType::Any, RecordKeySyntax::PathSegment);
	assert_ok!(ContentFabric::create_collection(root(), tenant, text(COLLECTION), any, syntax));
}

/// Fills a tenant with an object, two versions and two records, this many times.
pub fn fill(chain: &mut Chain, tenant: TenantId, objects: u32) {
	let numbers: Vec<_> = (0..objects).collect();
	for block in numbers.chunks(8 * OBJECTS_AT_ONCE) {
		chain.block(|| {
			for (place, numbers) in block.chunks(OBJECTS_AT_ONCE).enumerate() {
				let versions = numbers
					.iter()
					.flat_map(|number| [0, 1].map(|kind| draft(object(*number), version(kind))))
					.collect();
				commit(Bob, tenant, place as u64, versions);
				let records = numbers.iter().flat_map(|number| {
					let target = ContentRef { object: object(*number), version: None };
					[format!("package-{number}"), format!("package-{number}:1.0.0")]
						.map(|key| (Some(text(&key)), target))
				});
				let (root, name, records) = (signed(Charlie), text(COLLECTION), bounded(records));
				assert_ok!(ContentFabric::put_records(root, tenant, name, records));
			}
		});
	}
}

pub fn rows(tenant: TenantId) -> Option<u32> {
	ContentFabric::rows(tenant.into())
}

/// Has the governor purge a member.
pub fn delete(member: impl Into<MemberId>) {
	let member = member.into();
	let (origin, created) = (signed(Alice), created(member));
	assert_ok!(ContentFabric::governance_delete(origin, member, created, 0, text("")));
}

/// Returns the rules of a space that anybody can join.
pub fn rules() -> SpaceRulesOf<Runtime> {
	SpaceRules {
		provider_bond: BOND,
		tenant_bond: BOND,
		admission: AdmissionPolicy::Open,
		partitions: 1,
		sla: Default::default(),
	}
}

/// A space with a provider that has a node.
pub fn space_and_provider() -> Chain {
	let mut chain = Chain::new();
	chain.block(|| {
		let governor = account(Alice);
		assert_ok!(ContentFabric::create_space(RuntimeOrigin::root(), SPACE, governor, rules()));
		assert_ok!(ContentFabric::create_provider(signed(Bob), SPACE, PROVIDER, ENDOWMENT));
		let (operator, locator) = (account(Bob), text("/dns/node"));
		assert_ok!(ContentFabric::create_node(signed(Bob), PROVIDER, NODE, operator, locator));
		assert_ok!(ContentFabric::confirm_node(signed(Bob), PROVIDER, NODE));
	});
	chain
}

/// The same with a tenant.
pub fn space_and_tenant() -> Chain {
	let mut chain = space_and_provider();
	chain.block(|| create_tenant(TENANT));
	chain
}

/// A space and a provider with three tenants: of 100,000 rows less a few, of 52 and of 502.
pub fn large_fabric() -> Chain {
	let mut chain = space_and_provider();
	chain.block(|| [TENANT, NEIGHBOUR, OTHER].into_iter().for_each(create_tenant));
	for (tenant, objects) in [(TENANT, (ROWS - 2) / 5), (NEIGHBOUR, 10), (OTHER, 100)] {
		fill(&mut chain, tenant, objects);
	}
	chain
}

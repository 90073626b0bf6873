// SPDX-License-Identifier: Apache-2.0
//! A fabric with one provider and one tenant, and the calls that fill the tenant.

use pallet_content_fabric::{
	identifiers::{
		ContentObjectId, HashKind, KmsId, Muid, NodeId, ProviderId, RecordKeySyntax, RecordKeyType,
		SpaceId, TenantId, VersionId,
	},
	AdmissionPolicy, Call, ContentRef, DraftVersion, LastMuid, MemberId, Nodes, Providers,
	SpaceRules, Tenants, VersionCommit,
};
use serde_json::Value;
use sp_keyring::Sr25519Keyring::{self, Bob, Charlie, Dave};
use sp_runtime::MultiSignature;

use crate::{ContentFabric, Runtime, RuntimeCall, UNIT};

pub const README: &str = include_str!("../../pallets/content-fabric/README.md");
pub const PROVIDER: ProviderId = ProviderId([2; 10]);
const NODE: NodeId = NodeId([3; 10]);
const TENANT: TenantId = TenantId([4; 10]);
const KMS: KmsId = KmsId([5; 10]);
pub const MEMBER: MemberId = MemberId::Tenant(TENANT);
/// Objects of a batch, each with a version and a record.
const BATCH: u32 = 500;

/// Returns the example of the pallet's README. Dave governs a space. In it Bob has a provider with
/// a node, and Charlie a tenant with a KMS.
pub fn genesis() -> Value {
	let (_, rest) = README.split_once("```json\n").expect("the README has JSON");
	let (json, _) = rest.split_once("```").expect("the JSON ends");
	serde_json::from_str(json).expect("it is JSON")
}

/// Returns a call that needs root, and the space that it creates.
pub fn create_space() -> (RuntimeCall, SpaceId) {
	let rules = SpaceRules {
		provider_bond: 100 * UNIT,
		tenant_bond: 10 * UNIT,
		admission: AdmissionPolicy::Open,
		partitions: 8,
		sla: Default::default(),
	};
	let (space, governor) = (SpaceId([7; 10]), Dave.to_account_id());
	(Call::create_space { space, governor, rules }.into(), space)
}

pub fn create_collection() -> (Sr25519Keyring, RuntimeCall) {
	let (key_type, syntax) = (RecordKeyType::Any, RecordKeySyntax::PathSegment);
	(Charlie, Call::create_collection { tenant: TENANT, name: names(), key_type, syntax }.into())
}

/// Commits new objects, each with a version.
pub fn commit(batch: u32) -> (Sr25519Keyring, RuntimeCall) {
	let versions: Vec<_> = numbers(batch)
		.map(|number| DraftVersion {
			object: object(number),
			version: version(number),
			hash: HashKind::Blake3,
			size: 1,
			set_head_on_finalize: true,
		})
		.collect();
	let medallion = Nodes::<Runtime>::get(PROVIDER, NODE).expect("of the genesis").medallion;
	// Later than the chain's last muid, with which the signer may have become the root.
	let minted = LastMuid::<Runtime>::get().map_or(0, Muid::timestamp);
	let time = (pallet_timestamp::Now::<Runtime>::get() * 1_000).max(minted) + 1;
	let commit = VersionCommit {
		muid: Muid::new(time, medallion, 0).expect("the time is in range"),
		originator: PROVIDER,
		node: NODE,
		copies: Default::default(),
		tenant: TENANT,
		kms: Some(KMS),
		create_objects: true,
		versions: versions.try_into().expect("is not too long"),
	};
	let signature = MultiSignature::Sr25519(Charlie.sign(&ContentFabric::commit_payload(&commit)));
	let tenant_signer = Charlie.to_account_id();
	(Bob, Call::commit_versions { tenant_signer, commit, signature }.into())
}

pub fn finalize(batch: u32) -> (Sr25519Keyring, RuntimeCall) {
	let versions: Vec<_> = numbers(batch).map(|number| (object(number), version(number))).collect();
	let versions = versions.try_into().expect("is not too long");
	let (provider, node, tenant) = (PROVIDER, NODE, TENANT);
	(Bob, Call::finalize_versions { provider, node, tenant, versions }.into())
}

pub fn put(batch: u32) -> (Sr25519Keyring, RuntimeCall) {
	let records: Vec<_> = numbers(batch)
		.map(|number| {
			let key = format!("package-{number}").into_bytes().try_into().expect("is short");
			(Some(key), ContentRef { object: object(number), version: None })
		})
		.collect();
	let records = records.try_into().expect("is not too long");
	(Charlie, Call::put_records { tenant: TENANT, collection: names(), records }.into())
}

pub fn governance_delete(member: MemberId) -> (Sr25519Keyring, RuntimeCall) {
	let created = match member {
		MemberId::Provider(id) => Providers::<Runtime>::get(id).map(|info| info.created),
		MemberId::Tenant(id) => Tenants::<Runtime>::get(id).map(|info| info.created),
	};
	let created = created.expect("the member exists");
	let reason = b"motion 7".to_vec().try_into().expect("is short");
	(Dave, Call::governance_delete { member, created, slash: UNIT, reason }.into())
}

fn numbers(batch: u32) -> core::ops::Range<u32> {
	batch * BATCH..(batch + 1) * BATCH
}

fn names<Name: TryFrom<Vec<u8>>>() -> Name {
	b"names".to_vec().try_into().ok().expect("is short")
}

fn object(number: u32) -> ContentObjectId {
	let mut id = ContentObjectId([6; 10]);
	id.0[6..].copy_from_slice(&number.to_be_bytes());
	id
}

fn version(number: u32) -> VersionId {
	VersionId(sp_io::hashing::blake2_256(&number.to_be_bytes()))
}

//! The calls on content objects and versions.

use content_fabric_identifiers::{
	ContentObjectId, KmsId, Muid, NodeId, ProviderId, TenantId, VersionId,
};
use subxt::{dynamic::Value, utils::AccountId32};

use super::{bytes, number, option, Call};

/// `create_content_object`
pub fn create_content_object(tenant: TenantId, object: ContentObjectId) -> Call {
	Call::fabric(
		"create_content_object",
		vec![("tenant", bytes(tenant)), ("object", bytes(object))],
	)
}

/// What a node drafts, a key of the tenant signs, and `commit_version` is told: the pallet's
/// `VersionCommitMessage`.
#[derive(Clone, Copy, Debug)]
pub struct Commit {
	/// The provider whose node takes in the data.
	pub originator: ProviderId,
	/// The node that takes in the data.
	pub node: NodeId,
	/// The tenant who owns the object.
	pub tenant: TenantId,
	/// The object.
	pub object: ContentObjectId,
	/// The version.
	pub version: VersionId,
	/// Size of the data in bytes, 0 if it is not known.
	pub size: u64,
	/// A muid of the node, later than those of all its commits before.
	pub muid: Muid,
	/// Whether finalizing makes the version the head.
	pub set_head_on_finalize: bool,
	/// The KMS that holds the keys of the data.
	pub kms: KmsId,
}

/// `commit_version`, with the sr25519 signature of an account of the tenant.
pub fn commit_version(signer: &AccountId32, commit: &Commit, signature: &[u8; 64]) -> Call {
	let message = Value::named_composite([
		("originator", bytes(commit.originator)),
		("node", bytes(commit.node)),
		("tenant", bytes(commit.tenant)),
		("object", bytes(commit.object)),
		("version", bytes(commit.version)),
		("size", number(commit.size)),
		("muid", bytes(commit.muid.to_bytes())),
		("set_head_on_finalize", Value::bool(commit.set_head_on_finalize)),
		("kms", bytes(commit.kms)),
	]);
	let signature = Value::unnamed_variant("Sr25519", [bytes(signature)]);
	Call::fabric(
		"commit_version",
		vec![("tenant_signer", bytes(signer.0)), ("message", message), ("signature", signature)],
	)
}

/// `finalize_version`
pub fn finalize_version(tenant: TenantId, object: ContentObjectId, version: VersionId) -> Call {
	Call::fabric(
		"finalize_version",
		vec![("tenant", bytes(tenant)), ("object", bytes(object)), ("version", bytes(version))],
	)
}

/// `set_head_version`
pub fn set_head_version(tenant: TenantId, object: ContentObjectId, version: VersionId) -> Call {
	let version = option(Some(bytes(version)));
	Call::fabric(
		"set_head_version",
		vec![("tenant", bytes(tenant)), ("object", bytes(object)), ("version", version)],
	)
}

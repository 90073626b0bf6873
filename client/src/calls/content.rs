//! The calls on content objects and versions.

use bounded_collections::ConstU32;
use content_fabric_identifiers::{ContentObjectId, NodeId, ProviderId, TenantId, VersionId};
use subxt::{dynamic::Value, utils::AccountId32};

use super::{bytes, list, number, option, Call};

/// A commit as this client makes it. The chain has a smaller limit of its own.
pub type VersionCommit = content_fabric_primitives::VersionCommit<ConstU32<{ u32::MAX }>>;

/// `commit_versions`, with the sr25519 signature of an account of the tenant.
pub fn commit_versions(signer: &AccountId32, commit: &VersionCommit, signature: &[u8; 64]) -> Call {
	let versions = commit.versions.iter().map(|draft| {
		Value::named_composite([
			("object", bytes(draft.object)),
			("version", bytes(draft.version)),
			("size", number(draft.size)),
			("set_head_on_finalize", Value::bool(draft.set_head_on_finalize)),
		])
	});
	let commit = Value::named_composite([
		("muid", bytes(commit.muid.to_bytes())),
		("originator", bytes(commit.originator)),
		("node", bytes(commit.node)),
		("tenant", bytes(commit.tenant)),
		("kms", bytes(commit.kms)),
		("create_objects", Value::bool(commit.create_objects)),
		("versions", list(versions)),
	]);
	let signature = Value::unnamed_variant("Sr25519", [bytes(signature)]);
	Call::fabric(
		"commit_versions",
		vec![("tenant_signer", bytes(signer.0)), ("commit", commit), ("signature", signature)],
	)
}

/// `finalize_versions`
pub fn finalize_versions(
	originator: ProviderId,
	node: NodeId,
	tenant: TenantId,
	versions: &[(ContentObjectId, VersionId)],
) -> Call {
	let versions = versions
		.iter()
		.map(|(object, version)| Value::unnamed_composite([bytes(object), bytes(version)]));
	Call::fabric(
		"finalize_versions",
		vec![
			("originator", bytes(originator)),
			("node", bytes(node)),
			("tenant", bytes(tenant)),
			("versions", list(versions)),
		],
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

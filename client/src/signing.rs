//! What a tenant's key signs to have a version committed.

use crate::calls::Commit;

/// What the signed bytes begin with: what they are for, and in which version.
const COMMIT_CONTEXT: &[u8] = b"content-fabric/version-commit/v1";

/// The bytes that a tenant's key signs: the context, the hash of the chain's genesis block, and the
/// SCALE encoding of the message.
pub fn commit_payload(genesis_hash: &[u8; 32], commit: &Commit) -> Vec<u8> {
	[COMMIT_CONTEXT, genesis_hash, &encode(commit)].concat()
}

/// SCALE writes the fields one after the other, bytes as they are and numbers with their lowest
/// byte first.
fn encode(commit: &Commit) -> Vec<u8> {
	let Commit { originator, node, tenant, object, version, kms, .. } = commit;
	let parts: [&[u8]; 9] = [
		&originator.0,
		&node.0,
		&tenant.0,
		&object.0,
		&version.0,
		&commit.size.to_le_bytes(),
		&commit.muid.to_bytes(),
		&[u8::from(commit.set_head_on_finalize)],
		&kms.0,
	];
	parts.concat()
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::{
		ContentObjectId, KmsId, Muid, NodeId, ProviderId, TenantId, VersionId,
	};

	use super::*;

	#[test]
	fn the_payload_is_context_chain_and_fields_in_the_order_of_the_message() {
		let commit = Commit {
			originator: ProviderId([1; 10]),
			node: NodeId([2; 10]),
			tenant: TenantId([3; 10]),
			object: ContentObjectId([4; 10]),
			version: VersionId([5; 32]),
			size: 0x0102_0304_0506_0708,
			muid: Muid::from_u128(0x0f),
			set_head_on_finalize: true,
			kms: KmsId([6; 10]),
		};
		let mut expected = b"content-fabric/version-commit/v1".to_vec();
		expected.extend([9; 32]);
		expected.extend([1; 10]);
		expected.extend([2; 10]);
		expected.extend([3; 10]);
		expected.extend([4; 10]);
		expected.extend([5; 32]);
		expected.extend([8, 7, 6, 5, 4, 3, 2, 1]);
		expected.extend([0; 15]);
		expected.extend([0x0f, 1]);
		expected.extend([6; 10]);
		assert_eq!(commit_payload(&[9; 32], &commit), expected);
	}
}

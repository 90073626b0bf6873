// SPDX-License-Identifier: Apache-2.0
//! Version commits, which a node drafts and a key of the tenant signs.

use alloc::vec::Vec;

use bounded_collections::{BoundedVec, Get};
use codec::{Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
use content_fabric_identifiers::{
	ContentObjectId, HashKind, KmsId, Muid, NodeId, ProviderId, TenantId, VersionId,
};
use derive_where::derive_where;
use scale_info::TypeInfo;

/// The first bytes of what is signed: its purpose and its format.
pub const COMMIT_CONTEXT: &[u8] = b"content-fabric/version-commit/v3";

/// The tags that wallets put around bytes that they sign, so that these cannot be mistaken for a
/// transaction.
const WRAP: (&[u8], &[u8]) = (b"<Bytes>", b"</Bytes>");

/// Versions that a node takes in for a tenant: one transaction in the sense of the muid
/// specification.
#[doc(alias = "VersionCommitMessage")]
#[derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
#[derive_where(Clone, Debug, PartialEq, Eq)]
#[codec(mel_bound())]
#[scale_info(skip_type_params(MaxVersions, MaxCopies))]
pub struct VersionCommit<MaxVersions: Get<u32>, MaxCopies: Get<u32>> {
	/// The transaction's muid: the node's medallion, offset 0, and a timestamp later than all
	/// earlier commits of the node, and than the moment at which the signer was given its level in
	/// the tenant. It makes the commit usable once, and only under that grant.
	///
	/// Before a tenant's key signs, compare the timestamp with a clock of your own. The chain
	/// compares it with the block in which the commit arrives, which may be much later: a commit
	/// that is dated ahead can still undo what the tenant decides in between.
	pub muid: Muid,
	/// The provider whose node takes in the data.
	pub originator: ProviderId,
	/// The node that takes in the data.
	pub node: NodeId,
	/// Other nodes that the tenant asks to hold the data, each with its provider. The chain checks
	/// that they exist, not that they are willing.
	pub copies: BoundedVec<(ProviderId, NodeId), MaxCopies>,
	/// The tenant that owns the objects.
	pub tenant: TenantId,
	/// The tenant's KMS for which the data is encrypted: each version is an age file with the key
	/// of the KMS as a recipient. `None` if the data is plain.
	pub kms: Option<KmsId>,
	/// True if objects that do not exist are created, also those that were deleted after the commit
	/// was signed.
	pub create_objects: bool,
	/// The versions, at least one. Their muids have the timestamp and medallion of the commit's and
	/// the offsets 1, 2, … in the order of this list.
	pub versions: BoundedVec<DraftVersion, MaxVersions>,
}

/// A version in a [`VersionCommit`].
#[derive(
	Clone,
	Copy,
	Debug,
	PartialEq,
	Eq,
	Hash,
	Encode,
	Decode,
	DecodeWithMemTracking,
	MaxEncodedLen,
	TypeInfo,
)]
pub struct DraftVersion {
	/// The content object that this is a version of.
	pub object: ContentObjectId,
	/// The version: the hash of its data.
	pub version: VersionId,
	/// The kind of the hash.
	pub hash: HashKind,
	/// Size of the data, in bytes. See [`known_size`](crate::known_size).
	pub size: u64,
	/// True if finalizing makes the version the head of its object.
	pub set_head_on_finalize: bool,
}

impl<MaxVersions: Get<u32>, MaxCopies: Get<u32>> VersionCommit<MaxVersions, MaxCopies> {
	/// Returns the bytes that a key of the tenant signs: [`COMMIT_CONTEXT`], the hash of the
	/// chain's genesis block, and the SCALE encoding of the commit.
	pub fn payload(&self, genesis_hash: impl AsRef<[u8]>) -> Vec<u8> {
		let mut payload = [COMMIT_CONTEXT, genesis_hash.as_ref()].concat();
		self.encode_to(&mut payload);
		payload
	}

	/// Returns the versions in their order, each with its muid.
	pub fn drafts(&self) -> impl Iterator<Item = (Muid, &DraftVersion)> {
		(1..).map(|offset| self.muid.with_offset(offset)).zip(&self.versions)
	}
}

/// Returns a payload between `<Bytes>` and `</Bytes>`, as wallets sign it.
pub fn wrap_payload(payload: &[u8]) -> Vec<u8> {
	[WRAP.0, payload, WRAP.1].concat()
}

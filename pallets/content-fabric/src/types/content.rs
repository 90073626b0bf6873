use codec::{Compact, Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
use content_fabric_identifiers::{
	ContentObjectId, KmsId, Muid, NodeId, ProviderId, TenantId, VersionId,
};
use scale_info::TypeInfo;

/// A content object of a tenant.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, MaxEncodedLen, TypeInfo)]
pub struct ContentObjectInfo<Balance> {
	/// The version that stands for the object. It is finalized.
	pub head_version: Option<VersionId>,
	/// Number of versions of the object.
	pub version_count: u32,
	/// What is held for this row.
	pub deposit: Balance,
	/// When the object was created, by the chain's clock.
	pub created: Muid,
}

/// A version of a content object.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, MaxEncodedLen, TypeInfo)]
pub struct VersionInfo<Moment, Balance> {
	/// The provider whose node took in the data. The provider may since have been deleted.
	pub originator: ProviderId,
	/// The node of the originator that took in the data. It may since have been removed.
	pub node: NodeId,
	/// Size of the data, in bytes. (Not a field marked `codec(compact)`, whose maximal length the
	/// derive takes to be 8.)
	pub size: Compact<u64>,
	/// When the version was committed, by the chain's clock.
	pub committed: Muid,
	/// When the originator declared the data complete, if it did.
	pub finalized: Option<Moment>,
	/// Whether finalizing makes the version the head of its object.
	pub set_head_on_finalize: bool,
	/// The KMS that holds the keys of the data. It may since have been removed.
	pub kms: KmsId,
	/// What is held for this row.
	pub deposit: Balance,
}

/// What [`commit_version`](crate::Call::commit_version) is to record: drafted by a node, signed by
/// a key of the tenant.
#[derive(
	Clone, Debug, PartialEq, Eq, Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo,
)]
pub struct VersionCommitMessage {
	/// The provider whose node takes in the data.
	pub originator: ProviderId,
	/// The node that takes in the data.
	pub node: NodeId,
	/// The tenant who owns the object.
	pub tenant: TenantId,
	/// The object.
	pub object: ContentObjectId,
	/// The version: the hash of the data.
	pub version: VersionId,
	/// Size of the data, in bytes.
	pub size: u64,
	/// A muid of the node's own, greater than those of all its commits before: it makes the message
	/// one that can be used once.
	pub muid: Muid,
	/// Whether finalizing makes the version the head of its object.
	pub set_head_on_finalize: bool,
	/// The KMS that holds the keys of the data.
	pub kms: KmsId,
}

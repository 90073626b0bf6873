//! The values of the pallet's storage, and the arguments of its calls.

use codec::{Compact, Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
use content_fabric_identifiers::{
	ContentObjectId, KmsId, Muid, NodeId, ProviderId, SpaceId, TenantId, VersionId,
};
use frame_support::{
	ensure, pallet_prelude::Get, traits::Time, BoundedVec, CloneNoBound, DebugNoBound, EqNoBound,
	PartialEqNoBound,
};
use scale_info::TypeInfo;

use crate::{Config, Error};

/// Time in the unit of [`Config::Time`].
pub type MomentOf<T> = <<T as Config>::Time as Time>::Moment;
/// Where a node or a KMS is reached: 1 to [`Config::MaxLocatorLen`] visible ASCII characters, such
/// as a URL or a multiaddress.
pub type LocatorOf<T> = BoundedVec<u8, <T as Config>::MaxLocatorLen>;
/// [`SpaceInfo`] with the types of a runtime.
pub type SpaceInfoOf<T> = SpaceInfo<<T as frame_system::Config>::AccountId>;
/// [`MemberInfo`] with the types of a runtime.
pub type MemberInfoOf<T> = MemberInfo<<T as frame_system::Config>::AccountId>;
/// [`NodeInfo`] with the types of a runtime.
pub type NodeInfoOf<T> = NodeInfo<<T as Config>::MaxLocatorLen>;
/// [`KmsInfo`] with the types of a runtime.
pub type KmsInfoOf<T> = KmsInfo<<T as Config>::MaxLocatorLen>;
/// [`VersionInfo`] with the types of a runtime.
pub type VersionInfoOf<T> = VersionInfo<MomentOf<T>>;

/// A part of the fabric with a governor of its own.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, MaxEncodedLen, TypeInfo)]
pub struct SpaceInfo<AccountId> {
	/// The account that [`EnsureSpaceGovernor`](crate::EnsureSpaceGovernor) accepts for this
	/// space.
	pub governor: AccountId,
	/// Number of providers in the space.
	pub provider_count: u32,
	/// Number of tenants in the space.
	pub tenant_count: u32,
	/// When the space was created, by the chain's clock.
	pub created: Muid,
}

/// A member of a space: a provider or a tenant.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, MaxEncodedLen, TypeInfo)]
pub struct MemberInfo<AccountId> {
	/// The space that the member belongs to.
	pub space: SpaceId,
	/// The account that acts for the member.
	pub root: AccountId,
	/// Number of storage rows under the member, in all maps together. Exact at all times, so that
	/// a deletion of the whole subtree knows its own size before it starts.
	pub rows: u32,
	/// Set by governance: the member is frozen, and anyone may have its children deleted one by
	/// one.
	pub governance_delete: bool,
	/// When the member was created, by the chain's clock.
	pub created: Muid,
}

/// A node of a provider.
#[derive(
	CloneNoBound, DebugNoBound, PartialEqNoBound, EqNoBound, Encode, Decode, MaxEncodedLen, TypeInfo,
)]
#[scale_info(skip_type_params(MaxLocatorLen))]
pub struct NodeInfo<MaxLocatorLen: Get<u32>> {
	/// Whether the node has yet to be confirmed. A pending node cannot commit versions.
	pub pending: bool,
	/// Where the node is reached.
	pub locator: BoundedVec<u8, MaxLocatorLen>,
}

/// A key management server of a tenant.
#[derive(
	CloneNoBound, DebugNoBound, PartialEqNoBound, EqNoBound, Encode, Decode, MaxEncodedLen, TypeInfo,
)]
#[scale_info(skip_type_params(MaxLocatorLen))]
pub struct KmsInfo<MaxLocatorLen: Get<u32>> {
	/// Where the server is reached.
	pub locator: BoundedVec<u8, MaxLocatorLen>,
}

/// A content object of a tenant.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, MaxEncodedLen, TypeInfo)]
pub struct ContentObjectInfo {
	/// The version that stands for the object. It is finalized.
	pub head_version: Option<VersionId>,
	/// Number of versions of the object.
	pub version_count: u32,
	/// When the object was created, by the chain's clock.
	pub created: Muid,
}

/// A version of a content object.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, MaxEncodedLen, TypeInfo)]
pub struct VersionInfo<Moment> {
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
}

/// What [`commit_version`](crate::Call::commit_version) is to record.
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
	/// Whether finalizing makes the version the head of its object.
	pub set_head_on_finalize: bool,
	/// The KMS that holds the keys of the data.
	pub kms: KmsId,
}

/// A member of a space whose subtree governance can delete.
#[derive(
	Clone,
	Copy,
	Debug,
	PartialEq,
	Eq,
	Encode,
	Decode,
	DecodeWithMemTracking,
	MaxEncodedLen,
	TypeInfo,
)]
pub enum Subject {
	/// A provider.
	#[codec(index = 0)]
	Provider(ProviderId),
	/// A tenant.
	#[codec(index = 1)]
	Tenant(TenantId),
}

/// A locator is one word of visible ASCII characters, as URLs and multiaddresses are.
pub(crate) fn ensure_locator<T: Config>(locator: &LocatorOf<T>) -> Result<(), Error<T>> {
	let visible = locator.iter().all(u8::is_ascii_graphic);
	ensure!(visible && !locator.is_empty(), Error::<T>::InvalidLocator);
	Ok(())
}

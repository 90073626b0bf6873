use codec::{Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
use content_fabric_identifiers::{Medallion, Muid, ProviderId, SpaceId, TenantId};
use frame_support::{
	pallet_prelude::Get, BoundedVec, CloneNoBound, DebugNoBound, EqNoBound, PartialEqNoBound,
};
use scale_info::TypeInfo;

/// A member of a space: a provider or a tenant.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, MaxEncodedLen, TypeInfo)]
pub struct MemberInfo<AccountId, Balance> {
	/// The space that the member belongs to.
	pub space: SpaceId,
	/// The account that acts for the member.
	pub root: AccountId,
	/// The account on which the bond and the deposits are held.
	pub depositor: AccountId,
	/// What is held as the member's bond.
	pub bond: Balance,
	/// What is held for the rows under the member: the sum of their deposits.
	pub deposit: Balance,
	/// Number of storage rows under the member, in all maps together. Exact at all times, so that
	/// a deletion of the whole subtree knows its own size before it starts.
	pub rows: u32,
	/// Set by governance: the member is frozen, and anyone may have its children deleted one by
	/// one.
	pub governance_delete: bool,
	/// Whether governance has deleted the member, and rows under it are left to be removed. See
	/// [`Deletions`](crate::Deletions).
	pub being_deleted: bool,
	/// When the member was created, by the chain's clock.
	pub created: Muid,
}

/// What is held for a member, and what is asked of it.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, TypeInfo)]
pub struct BondInfo<AccountId, Balance> {
	/// The account on which it is held.
	pub depositor: AccountId,
	/// What is held as the bond.
	pub bond: Balance,
	/// What the rules of the space ask to be held as the bond. With less no rows can be added.
	pub required: Balance,
	/// What is held for the rows under the member.
	pub deposit: Balance,
}

/// The level of an account in a provider or a tenant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode, MaxEncodedLen, TypeInfo)]
pub struct KeyInfo<Level, Balance> {
	/// The level.
	pub level: Level,
	/// What is held for this row.
	pub deposit: Balance,
}

/// A node of a provider.
#[derive(
	CloneNoBound, DebugNoBound, PartialEqNoBound, EqNoBound, Encode, Decode, MaxEncodedLen, TypeInfo,
)]
#[scale_info(skip_type_params(MaxLocatorLen))]
pub struct NodeInfo<Balance, MaxLocatorLen>
where
	Balance: Clone + core::fmt::Debug + Eq,
	MaxLocatorLen: Get<u32>,
{
	/// Whether the node has yet to be confirmed. A pending node cannot commit versions.
	pub pending: bool,
	/// Where the node is reached.
	pub locator: BoundedVec<u8, MaxLocatorLen>,
	/// Who the node is among the writers of muids. No two nodes of a chain ever have the same.
	pub medallion: Medallion,
	/// The muid of the last version that the node committed. Those to come must be greater.
	pub last_muid: Option<Muid>,
	/// What is held for this row.
	pub deposit: Balance,
}

/// A key management server of a tenant.
#[derive(
	CloneNoBound, DebugNoBound, PartialEqNoBound, EqNoBound, Encode, Decode, MaxEncodedLen, TypeInfo,
)]
#[scale_info(skip_type_params(MaxLocatorLen))]
pub struct KmsInfo<Balance, MaxLocatorLen>
where
	Balance: Clone + core::fmt::Debug + Eq,
	MaxLocatorLen: Get<u32>,
{
	/// Where the server is reached.
	pub locator: BoundedVec<u8, MaxLocatorLen>,
	/// What is held for this row.
	pub deposit: Balance,
}

/// A member of a space whose subtree governance can delete.
#[derive(
	Clone,
	Copy,
	Debug,
	PartialEq,
	Eq,
	PartialOrd,
	Ord,
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

use codec::{Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
use content_fabric_identifiers::Muid;
use frame_support::{
	pallet_prelude::Get, BoundedVec, CloneNoBound, DebugNoBound, EqNoBound, PartialEqNoBound,
};
use scale_info::TypeInfo;
use serde::{Deserialize, Serialize};

/// A part of the fabric with a governor and rules of its own.
#[derive(
	CloneNoBound, DebugNoBound, PartialEqNoBound, EqNoBound, Encode, Decode, MaxEncodedLen, TypeInfo,
)]
#[scale_info(skip_type_params(MaxSlaLen))]
pub struct SpaceInfo<AccountId, Balance, MaxSlaLen>
where
	AccountId: Clone + core::fmt::Debug + Eq,
	Balance: Clone + core::fmt::Debug + Eq,
	MaxSlaLen: Get<u32>,
{
	/// The account that [`EnsureSpaceGovernor`](crate::EnsureSpaceGovernor) accepts for this
	/// space.
	pub governor: AccountId,
	/// The rules for its providers and tenants.
	pub rules: SpaceRules<Balance, MaxSlaLen>,
	/// Number of providers in the space, those being deleted included.
	pub provider_count: u32,
	/// Number of tenants in the space, those being deleted included.
	pub tenant_count: u32,
	/// Number of admissions that have not been used.
	pub admission_count: u32,
	/// When the space was created, by the chain's clock.
	pub created: Muid,
}

/// The rules of a space.
#[derive(
	CloneNoBound,
	DebugNoBound,
	PartialEqNoBound,
	EqNoBound,
	Encode,
	Decode,
	DecodeWithMemTracking,
	MaxEncodedLen,
	TypeInfo,
)]
#[scale_info(skip_type_params(MaxSlaLen))]
pub struct SpaceRules<Balance, MaxSlaLen>
where
	Balance: Clone + core::fmt::Debug + Eq,
	MaxSlaLen: Get<u32>,
{
	/// What a provider must have bonded to be created, and to add rows.
	pub provider_bond: Balance,
	/// What a tenant must have bonded to be created, and to add rows.
	pub tenant_bond: Balance,
	/// Who may become a provider or a tenant.
	pub admission: AdmissionPolicy,
	/// The number of partitions that nodes divide the space's content into. A fact for nodes; the
	/// chain does not act on it.
	pub partitions: u32,
	/// The service level that providers agree to, or where it is written: 0 to
	/// [`Config::MaxSlaLen`](crate::Config::MaxSlaLen) bytes. The chain does not read it.
	pub sla: BoundedVec<u8, MaxSlaLen>,
}

/// Who may become a provider or a tenant of a space.
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
	Serialize,
	Deserialize,
)]
pub enum AdmissionPolicy {
	/// Any account.
	#[codec(index = 0)]
	Open,
	/// An account that the space's governance has admitted. Each creation uses up one admission.
	#[codec(index = 1)]
	Approval,
}

/// What an account is admitted to a space as.
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
pub enum Role {
	/// As a provider.
	#[codec(index = 0)]
	Provider,
	/// As a tenant.
	#[codec(index = 1)]
	Tenant,
}

// SPDX-License-Identifier: Apache-2.0
//! The rules of a space.

use codec::{Decode, DecodeWithMemTracking, Encode, MaxEncodedLen};
use scale_info::TypeInfo;

use crate::Role;

/// The rules of a space. `Sla` is a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "scale-decode", derive(scale_decode::DecodeAsType))]
#[cfg_attr(feature = "scale-encode", derive(scale_encode::EncodeAsType))]
#[derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
#[scale_info(skip_type_params(Sla))]
pub struct SpaceRules<Balance, Sla> {
	/// Bond that a provider needs to be created and to add rows.
	pub provider_bond: Balance,
	/// Bond that a tenant needs to be created and to add rows.
	pub tenant_bond: Balance,
	/// The accounts that may become a provider or a tenant.
	pub admission: AdmissionPolicy,
	/// Number of partitions that nodes divide the space's content into. The chain itself does not
	/// use it.
	pub partitions: u32,
	/// The service level that providers agree to, or a link to it. The chain itself does not use
	/// it.
	pub sla: Sla,
}

impl<Balance: Copy, Sla> SpaceRules<Balance, Sla> {
	/// Returns the bond that a member needs.
	pub fn bond(&self, role: Role) -> Balance {
		match role {
			Role::Provider => self.provider_bond,
			Role::Tenant => self.tenant_bond,
		}
	}
}

/// The accounts that may become a provider or a tenant of a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "scale-decode", derive(scale_decode::DecodeAsType))]
#[cfg_attr(feature = "scale-encode", derive(scale_encode::EncodeAsType))]
#[derive(Encode, Decode, DecodeWithMemTracking, MaxEncodedLen, TypeInfo)]
pub enum AdmissionPolicy {
	/// Any account.
	#[codec(index = 0)]
	Open,
	/// An account that the space's governance has admitted. Each admission is good for one member.
	#[codec(index = 1)]
	Approval,
}

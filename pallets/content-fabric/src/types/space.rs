// SPDX-License-Identifier: Apache-2.0
use content_fabric_identifiers::Muid;
use content_fabric_primitives::SpaceRules;
use frame_support::pallet_prelude::Get;

/// A part of the fabric with a governor and rules of its own.
#[frame_support::stored]
pub struct SpaceInfo<AccountId, Balance, MaxSlaLen: Get<u32>> {
	/// The account that [`EnsureSpaceGovernor`](crate::EnsureSpaceGovernor) accepts for the space.
	pub governor: AccountId,
	/// The rules for its providers and tenants.
	pub rules: SpaceRules<Balance, MaxSlaLen>,
	/// Number of providers in the space, including those that are being deleted.
	pub provider_count: u32,
	/// Number of tenants in the space, including those that are being deleted.
	pub tenant_count: u32,
	/// Number of unused admissions.
	pub admission_count: u32,
	/// When the space was created, by the chain's clock.
	pub created: Muid,
}

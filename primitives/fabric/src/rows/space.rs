// SPDX-License-Identifier: Apache-2.0
use content_fabric_identifiers::Muid;

use super::rows;
use crate::SpaceRules;

rows! {
	/// A part of the fabric with a governor and rules of its own.
	pub struct SpaceInfo<AccountId, Balance, Sla> {
		/// The account that governs the space.
		pub governor: AccountId,
		/// The rules for its providers and tenants.
		pub rules: SpaceRules<Balance, Sla>,
		/// Number of providers in the space, including those that are being deleted.
		pub provider_count: u32,
		/// Number of tenants in the space, including those that are being deleted.
		pub tenant_count: u32,
		/// Number of unused admissions.
		pub admission_count: u32,
		/// When the space was created, by the chain's clock.
		pub created: Muid,
	}
}

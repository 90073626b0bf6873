// SPDX-License-Identifier: Apache-2.0
//! Changes of a member's root, by nomination and acceptance. The root always pays.

mod acceptance;
mod admissions;
mod nominations;

use frame_support::{assert_noop, assert_ok};
use sp_runtime::DispatchError::BadOrigin;

use super::bonds::{
	assert_holds_are_those_of, held, recorded,
	rows::{price, KEY_BYTES},
};
use crate::{
	identifiers::ContentObjectId, mock::*, Admissions, Call, Error, Event, MemberId, MemberInfo,
	ProviderKeys, ProviderLevel, Providers, Role, Spaces, TenantKeys, TenantLevel, Tenants,
};

/// Returns whether an account has the level of the root in a member.
fn is_root(who: AccountId, member: MemberId) -> bool {
	match member {
		MemberId::Provider(id) => {
			ContentFabric::provider_level(id, who) == Some(ProviderLevel::Root)
		},
		MemberId::Tenant(id) => ContentFabric::tenant_level(id, who) == Some(TenantLevel::Root),
	}
}

/// Has governance nominate an account for the root of a member of the small fabric, and lets blocks
/// pass until the next one is the last in which the nomination has not matured.
fn chain_with_nominee_of_governance(member: MemberId) -> Chain {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		assert_ok!(nominate(GOVERNOR, member, Some(STRANGER)));
		assert_eq!(events(), [Event::RootNominated { member, nominee: Some(STRANGER) }]);
	});
	chain.pass(UnbondingPeriod::get() - 2);
	chain
}

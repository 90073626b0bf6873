// SPDX-License-Identifier: Apache-2.0
//! The permissions of each level.

use content_fabric_primitives::{ProviderLevel, TenantLevel};

const OF_PROVIDERS: [ProviderLevel; 2] = [ProviderLevel::Admin, ProviderLevel::Root];
const OF_TENANTS: [TenantLevel; 5] = [
	TenantLevel::Read,
	TenantLevel::Content,
	TenantLevel::Kms,
	TenantLevel::Admin,
	TenantLevel::Root,
];

#[test]
fn a_level_may_do_what_those_below_it_may_do() {
	let can = |rule: fn(ProviderLevel) -> bool| OF_PROVIDERS.map(rule);
	assert_eq!(can(ProviderLevel::can_manage_nodes), [true, true]);
	let can = |rule: fn(TenantLevel) -> bool| OF_TENANTS.map(rule);
	assert_eq!(can(TenantLevel::can_manage_content), [false, true, true, true, true]);
	assert_eq!(can(TenantLevel::can_manage_kmses), [false, false, false, true, true]);
	assert_eq!(can(TenantLevel::can_manage_collections), [false, false, false, true, true]);
}

#[test]
fn only_admins_and_roots_set_levels_and_only_below_their_own() {
	macro_rules! check {
		($levels:ident, $admin:expr) => {
			let all: Vec<_> = [None].into_iter().chain($levels.map(Some)).collect();
			for setter in $levels {
				let below = all.iter().filter(|level| **level < Some(setter));
				let below: Vec<_> = below.filter(|_| setter >= $admin).collect();
				for present in &all {
					for new in &all {
						let allowed = below.contains(&present) && below.contains(&new);
						let found = setter.can_set_level(*present, *new);
						assert_eq!(found, allowed, "{setter:?}: {present:?} to {new:?}");
					}
				}
			}
		};
	}
	check!(OF_PROVIDERS, ProviderLevel::Admin);
	check!(OF_TENANTS, TenantLevel::Admin);
}

// SPDX-License-Identifier: Apache-2.0
//! The permissions of each level.

use content_fabric_primitives::{ProviderLevel, TenantLevel};

const OF_PROVIDERS: [ProviderLevel; 2] = [ProviderLevel::Admin, ProviderLevel::Root];
const OF_TENANTS: [TenantLevel; 4] =
	[TenantLevel::Content, TenantLevel::Kms, TenantLevel::Admin, TenantLevel::Root];

#[test]
fn a_level_may_do_what_those_below_it_may_do() {
	let can = |rule: fn(ProviderLevel) -> bool| OF_PROVIDERS.map(rule);
	assert_eq!(can(ProviderLevel::can_manage_nodes), [true, true]);
	assert_eq!(can(ProviderLevel::can_manage_member), [false, true]);
	let can = |rule: fn(TenantLevel) -> bool| OF_TENANTS.map(rule);
	assert_eq!(can(TenantLevel::can_manage_content), [true; 4]);
	assert_eq!(can(TenantLevel::can_manage_kmses), [false, false, true, true]);
	assert_eq!(can(TenantLevel::can_manage_collections), [false, false, true, true]);
	assert_eq!(can(TenantLevel::can_manage_member), [false, false, false, true]);
}

#[test]
fn only_admins_and_roots_set_levels_and_only_below_their_own() {
	use ProviderLevel as Provider;
	use TenantLevel as Tenant;
	let mut allowed = Vec::new();
	let levels: Vec<_> = [None].into_iter().chain(OF_TENANTS.map(Some)).collect();
	for setter in OF_TENANTS {
		for present in &levels {
			for new in &levels {
				if setter.can_set_level(*present, *new) {
					allowed.push((setter, *present, *new));
				}
			}
		}
	}
	let below_admin = [None, Some(Tenant::Content), Some(Tenant::Kms)];
	let below_root = [None, Some(Tenant::Content), Some(Tenant::Kms), Some(Tenant::Admin)];
	let pairs = |setter, below: &[Option<Tenant>]| {
		let pair = |present: &Option<Tenant>| {
			below.iter().map(|new| (setter, *present, *new)).collect::<Vec<_>>()
		};
		below.iter().flat_map(pair).collect::<Vec<_>>()
	};
	assert_eq!(
		allowed,
		[pairs(Tenant::Admin, &below_admin), pairs(Tenant::Root, &below_root)].concat()
	);

	assert!(Provider::Root.can_set_level(None, Some(Provider::Admin)));
	assert!(Provider::Root.can_set_level(Some(Provider::Admin), None));
	assert!(!Provider::Root.can_set_level(None, Some(Provider::Root)));
	assert!(!Provider::Admin.can_set_level(None, Some(Provider::Admin)));
	assert!(!Provider::Admin.can_set_level(Some(Provider::Admin), None));
	assert!(Provider::Admin.can_set_level(None, None));
}

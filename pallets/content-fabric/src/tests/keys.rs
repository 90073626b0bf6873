// SPDX-License-Identifier: Apache-2.0
//! Access keys: their levels, the permission to grant and revoke them, and the time for which they
//! count.

use frame_support::{assert_noop, assert_ok};
use sp_runtime::DispatchResult;

use super::bonds::{create, dispatch, recorded, root_of, THE_MEMBERS};
use crate::{
	identifiers::{ContentObjectId, Muid, NodeId, ProviderId, TenantId},
	mock::*,
	Call, Error, Event, KeyInfo, LastMuid, ProviderKeys, ProviderLevel, TenantKeys, TenantLevel,
};

/// The account whose access key is set.
const ACCOUNT: AccountId = 20;
/// The deposit for an access key: the base; hashed names, member and account behind their hashes;
/// level, time of the grant and deposit.
const KEY_DEPOSIT: Balance = 100 + (32 + (16 + 10) + (16 + 8)) + (1 + 16 + 8);

fn set_provider_key(
	who: AccountId,
	account: AccountId,
	level: Option<ProviderLevel>,
) -> DispatchResult {
	ContentFabric::set_provider_key(signed(who), PROVIDER, account, level)
}

fn set_tenant_key(
	who: AccountId,
	account: AccountId,
	level: Option<TenantLevel>,
) -> DispatchResult {
	ContentFabric::set_tenant_key(signed(who), TENANT, account, level)
}

fn provider_level(account: AccountId) -> Option<ProviderLevel> {
	ContentFabric::provider_level(PROVIDER, account)
}

fn tenant_level(account: AccountId) -> Option<TenantLevel> {
	ContentFabric::tenant_level(TENANT, account)
}

#[test]
fn only_admins_and_the_root_set_levels_and_only_below_their_own() {
	let levels =
		[None, Some(TenantLevel::Content), Some(TenantLevel::Kms), Some(TenantLevel::Admin)];
	let signers = [
		(STRANGER, None),
		(EDITOR, Some(TenantLevel::Content)),
		(KMS_ACCOUNT, Some(TenantLevel::Kms)),
		(TENANT_ADMIN, Some(TenantLevel::Admin)),
		(TENANT_ROOT, Some(TenantLevel::Root)),
	];
	Chain::fabric_with_keys().block(|| {
		let rows_without = ContentFabric::rows(THE_TENANT).expect("the tenant exists");
		for present in levels {
			for new in levels.into_iter().chain([Some(TenantLevel::Root)]) {
				for (signer, own) in signers {
					if tenant_level(ACCOUNT) != present {
						assert_ok!(set_tenant_key(TENANT_ROOT, ACCOUNT, present));
					}
					let may = own >= Some(TenantLevel::Admin) && present < own && new < own;
					let expected: DispatchResult = match (present, new) {
						_ if !may => Err(Error::<Test>::NoPermission.into()),
						(None, None) => Err(Error::<Test>::KeyNotFound.into()),
						_ => Ok(()),
					};
					assert_eq!(set_tenant_key(signer, ACCOUNT, new), expected);
					let level = if may { new } else { present };
					assert_eq!(tenant_level(ACCOUNT), level);
					let key = TenantKeys::<Test>::get(TENANT, ACCOUNT);
					assert_eq!(key.map(|key| key.level), level);
					let rows = rows_without + u32::from(level.is_some());
					assert_eq!(ContentFabric::rows(THE_TENANT), Some(rows));
				}
			}
		}
	});
}

#[test]
fn an_admin_of_a_provider_appoints_and_dismisses_no_other() {
	Chain::fabric_with_keys().block(|| {
		for (account, level) in [
			(ACCOUNT, Some(ProviderLevel::Admin)),
			(ACCOUNT, Some(ProviderLevel::Root)),
			(PROVIDER_ADMIN, Some(ProviderLevel::Admin)),
			(PROVIDER_ADMIN, None),
			(PROVIDER_ROOT, None),
		] {
			assert_noop!(
				set_provider_key(PROVIDER_ADMIN, account, level),
				Error::<Test>::NoPermission
			);
		}
		// Nor do the operator of a node, the governor and the root of a tenant.
		for who in [OPERATOR, GOVERNOR, TENANT_ROOT, STRANGER] {
			for (account, level) in [(ACCOUNT, Some(ProviderLevel::Admin)), (PROVIDER_ADMIN, None)]
			{
				assert_noop!(set_provider_key(who, account, level), Error::<Test>::NoPermission);
			}
		}
		assert_ok!(set_provider_key(PROVIDER_ROOT, ACCOUNT, Some(ProviderLevel::Admin)));
		assert_ok!(set_provider_key(PROVIDER_ROOT, PROVIDER_ADMIN, None));
	});
}

#[test]
fn the_key_of_a_kms_dismisses_no_editor() {
	Chain::fabric_with_keys().block(|| {
		// Kms is above Content, but only Admin and above grant and revoke access keys.
		for level in [None, Some(TenantLevel::Content)] {
			assert_noop!(set_tenant_key(KMS_ACCOUNT, EDITOR, level), Error::<Test>::NoPermission);
		}
		assert_noop!(
			set_tenant_key(KMS_ACCOUNT, ACCOUNT, Some(TenantLevel::Content)),
			Error::<Test>::NoPermission
		);
		for account in [EDITOR, KMS_ACCOUNT] {
			assert_ok!(set_tenant_key(TENANT_ADMIN, account, None));
		}
	});
}

#[test]
fn the_root_has_no_key_row_and_none_can_be_made() {
	Chain::fabric_with_keys().block(|| {
		for who in [PROVIDER_ROOT, PROVIDER_ADMIN] {
			for level in [None, Some(ProviderLevel::Admin), Some(ProviderLevel::Root)] {
				assert_noop!(
					set_provider_key(who, PROVIDER_ROOT, level),
					Error::<Test>::NoPermission
				);
			}
		}
		for who in [TENANT_ROOT, TENANT_ADMIN] {
			for level in [None, Some(TenantLevel::Content), Some(TenantLevel::Root)] {
				assert_noop!(set_tenant_key(who, TENANT_ROOT, level), Error::<Test>::NoPermission);
			}
		}
		assert_eq!(ProviderKeys::<Test>::get(PROVIDER, PROVIDER_ROOT), None);
		assert_eq!(TenantKeys::<Test>::get(TENANT, TENANT_ROOT), None);
		// There is no second root either.
		assert_noop!(
			set_provider_key(PROVIDER_ROOT, ACCOUNT, Some(ProviderLevel::Root)),
			Error::<Test>::NoPermission
		);
		assert_noop!(
			set_tenant_key(TENANT_ROOT, ACCOUNT, Some(TenantLevel::Root)),
			Error::<Test>::NoPermission
		);
	});
}

#[test]
fn an_account_without_an_access_key_has_none_to_take() {
	Chain::fabric_with_keys().block(|| {
		for who in [PROVIDER_ROOT, PROVIDER_ADMIN] {
			assert_noop!(set_provider_key(who, ACCOUNT, None), Error::<Test>::KeyNotFound);
		}
		for who in [TENANT_ROOT, TENANT_ADMIN] {
			assert_noop!(set_tenant_key(who, ACCOUNT, None), Error::<Test>::KeyNotFound);
		}
		// A level in one member does not count in another.
		assert_noop!(set_tenant_key(TENANT_ROOT, PROVIDER_ADMIN, None), Error::<Test>::KeyNotFound);
		let level = Some(TenantLevel::Content);
		let unknown = TenantId([7; 10]);
		assert_noop!(
			ContentFabric::set_tenant_key(signed(TENANT_ROOT), unknown, ACCOUNT, level),
			Error::<Test>::TenantNotFound
		);
		let unknown = ProviderId([7; 10]);
		assert_noop!(
			ContentFabric::set_provider_key(signed(PROVIDER_ROOT), unknown, ACCOUNT, None),
			Error::<Test>::ProviderNotFound
		);
	});
}

#[test]
fn a_new_level_keeps_the_deposit() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		assert_ok!(set_tenant_key(TENANT_ROOT, ACCOUNT, Some(TenantLevel::Content)));
		let key = KeyInfo { level: TenantLevel::Content, granted: muid(1), deposit: KEY_DEPOSIT };
		assert_eq!(TenantKeys::<Test>::get(TENANT, ACCOUNT), Some(key));
		assert_ok!(set_provider_key(PROVIDER_ROOT, ACCOUNT, Some(ProviderLevel::Admin)));
		let key = KeyInfo { level: ProviderLevel::Admin, granted: muid(2), deposit: KEY_DEPOSIT };
		assert_eq!(ProviderKeys::<Test>::get(PROVIDER, ACCOUNT), Some(key));
	});
	chain.block(|| {
		let before = (recorded(THE_TENANT), ContentFabric::rows(THE_TENANT));
		DepositBase::set(1_000);
		for (count, level) in
			[(1, TenantLevel::Admin), (2, TenantLevel::Admin), (3, TenantLevel::Kms)]
		{
			assert_ok!(set_tenant_key(TENANT_ROOT, ACCOUNT, Some(level)));
			let key = KeyInfo { level, granted: muid(count), deposit: KEY_DEPOSIT };
			assert_eq!(TenantKeys::<Test>::get(TENANT, ACCOUNT), Some(key));
			assert_eq!((recorded(THE_TENANT), ContentFabric::rows(THE_TENANT)), before);
		}
		// What was held is released, whatever a new access key would cost by now.
		assert_ok!(set_tenant_key(TENANT_ROOT, ACCOUNT, None));
		let ((bond, deposit), _) = before;
		assert_eq!(recorded(THE_TENANT), (bond, deposit - KEY_DEPOSIT));
		DepositBase::reset();
	});
}

#[test]
fn every_change_of_an_access_key_has_an_event() {
	Chain::small_fabric().block(|| {
		let levels = [Some(TenantLevel::Content), Some(TenantLevel::Admin), None];
		for level in levels {
			assert_ok!(set_tenant_key(TENANT_ROOT, ACCOUNT, level));
		}
		let expected =
			levels.map(|level| Event::TenantKeySet { tenant: TENANT, account: ACCOUNT, level });
		assert_eq!(events(), expected);
		System::reset_events();
		let levels = [Some(ProviderLevel::Admin), None];
		for level in levels {
			assert_ok!(set_provider_key(PROVIDER_ROOT, ACCOUNT, level));
		}
		let expected = levels.map(|level| Event::ProviderKeySet {
			provider: PROVIDER,
			account: ACCOUNT,
			level,
		});
		assert_eq!(events(), expected);
	});
}

/// Returns the row of an access key in the provider, granted at that time.
fn admin_of_provider(granted: Muid) -> KeyInfo<ProviderLevel, Balance> {
	KeyInfo { level: ProviderLevel::Admin, granted, deposit: 0 }
}

/// Returns the row of an access key in the tenant, granted at that time.
fn admin_of_tenant(granted: Muid) -> KeyInfo<TenantLevel, Balance> {
	KeyInfo { level: TenantLevel::Admin, granted, deposit: 0 }
}

/// No call leaves such a row behind. If a miscount did, the row must not count in the next
/// incarnation of the id.
#[test]
fn an_access_key_counts_only_if_it_was_granted_after_its_member_was_created() {
	Chain::small_fabric().block(|| {
		let [of_provider, of_tenant] = THE_MEMBERS.map(created);
		let after = |muid: Muid| muid.with_offset(muid.offset() + 1);
		let last = LastMuid::<Test>::get().expect("rows exist");
		for (granted_in_provider, granted_in_tenant, counts) in [
			(Muid::default(), Muid::default(), false),
			(of_provider, of_tenant, false),
			(after(of_provider), after(of_tenant), true),
			(last, last, true),
		] {
			ProviderKeys::<Test>::insert(PROVIDER, ACCOUNT, admin_of_provider(granted_in_provider));
			TenantKeys::<Test>::insert(TENANT, ACCOUNT, admin_of_tenant(granted_in_tenant));
			assert_eq!(provider_level(ACCOUNT), counts.then_some(ProviderLevel::Admin));
			assert_eq!(tenant_level(ACCOUNT), counts.then_some(TenantLevel::Admin));
			// The check at the end of a block would find a row that was not counted.
			ProviderKeys::<Test>::remove(PROVIDER, ACCOUNT);
			TenantKeys::<Test>::remove(TENANT, ACCOUNT);
		}
	});
}

#[test]
fn an_access_key_of_an_earlier_life_permits_nothing() {
	Chain::small_fabric().block(|| {
		ProviderKeys::<Test>::insert(PROVIDER, ACCOUNT, admin_of_provider(created(THE_PROVIDER)));
		TenantKeys::<Test>::insert(TENANT, ACCOUNT, admin_of_tenant(created(THE_TENANT)));
		let (node, locator) = (NodeId([7; 10]), || locator("x"));
		assert_noop!(
			ContentFabric::create_node(signed(ACCOUNT), PROVIDER, node, ACCOUNT, locator()),
			Error::<Test>::NoPermission
		);
		let object = ContentObjectId([7; 10]);
		assert_noop!(
			ContentFabric::create_content_object(signed(ACCOUNT), TENANT, object),
			Error::<Test>::NoPermission
		);
		assert_noop!(
			set_tenant_key(ACCOUNT, STRANGER, Some(TenantLevel::Content)),
			Error::<Test>::NoPermission
		);
		assert_noop!(finalize_as(ACCOUNT, &[DRAFT]), Error::<Test>::NoPermission);
		let commit = commit_of(&[draft(OBJECT, NEW)]);
		let signature = sign(ACCOUNT, &commit);
		assert_noop!(
			ContentFabric::commit_versions(signed(PROVIDER_ROOT), ACCOUNT, commit, signature),
			Error::<Test>::SignerNotPermitted
		);
		// It cannot be revoked, and does not prevent a new one.
		assert_noop!(set_tenant_key(TENANT_ROOT, ACCOUNT, None), Error::<Test>::KeyNotFound);
		let before = recorded(THE_TENANT);
		assert_ok!(set_tenant_key(TENANT_ROOT, ACCOUNT, Some(TenantLevel::Content)));
		assert_eq!(tenant_level(ACCOUNT), Some(TenantLevel::Content));
		assert_eq!(recorded(THE_TENANT), (before.0, before.1 + KEY_DEPOSIT));
		// The check at the end of the block would find the other row, which was not counted.
		ProviderKeys::<Test>::remove(PROVIDER, ACCOUNT);
	});
}

#[test]
fn access_keys_count_no_more_from_the_start_of_a_purge() {
	let mut chain = Chain::fabric_with_keys();
	chain.block(|| {
		for member in THE_MEMBERS {
			assert_ok!(dispatch(root_of(member), Call::purge_member { member }));
		}
		assert!(ProviderKeys::<Test>::contains_key(PROVIDER, PROVIDER_ADMIN));
		assert!(TenantKeys::<Test>::contains_key(TENANT, TENANT_ADMIN));
		assert_eq!(provider_level(PROVIDER_ADMIN), None);
		for account in [TENANT_ADMIN, KMS_ACCOUNT, EDITOR] {
			assert_eq!(tenant_level(account), None);
		}
		// No access key is granted or revoked in between.
		assert_noop!(
			set_provider_key(PROVIDER_ROOT, PROVIDER_ADMIN, None),
			Error::<Test>::BeingPurged
		);
		assert_noop!(
			set_tenant_key(TENANT_ROOT, ACCOUNT, Some(TenantLevel::Content)),
			Error::<Test>::BeingPurged
		);
	});
	// They are the first rows that a purge removes.
	chain.block(|| {
		assert_ok!(ContentFabric::reap(signed(STRANGER), THE_PROVIDER, 1));
		assert_ok!(ContentFabric::reap(signed(STRANGER), THE_TENANT, 3));
		assert_eq!(keys_under(&raw_key("ProviderKeys", &[])), 0);
		assert_eq!(keys_under(&raw_key("TenantKeys", &[])), 0);
		assert_eq!(ContentFabric::rows(THE_PROVIDER), Some(PROVIDER_ROWS));
		assert_eq!(ContentFabric::rows(THE_TENANT), Some(TENANT_ROWS));
	});
}

#[test]
fn access_keys_do_not_outlive_their_member() {
	let mut chain = Chain::fabric_with_keys();
	chain.block(|| {
		for member in THE_MEMBERS {
			assert_ok!(governance_delete(member));
		}
	});
	chain.idle();
	chain.block(|| {
		for member in THE_MEMBERS {
			assert_ok!(dispatch(STRANGER, create(member, MAX_HELD)));
		}
		assert_eq!(provider_level(STRANGER), Some(ProviderLevel::Root));
		assert_eq!(tenant_level(STRANGER), Some(TenantLevel::Root));
		for account in [PROVIDER_ROOT, PROVIDER_ADMIN] {
			assert_eq!(provider_level(account), None);
		}
		for account in [TENANT_ROOT, TENANT_ADMIN, KMS_ACCOUNT, EDITOR] {
			assert_eq!(tenant_level(account), None);
		}
	});
}

// SPDX-License-Identifier: Apache-2.0
//! Access keys: their levels, the permission to grant and revoke them, and the time for which they
//! count.

use frame_support::{assert_noop, assert_ok};
use sp_runtime::{DispatchError, DispatchResult};

use super::bonds::recorded;
use crate::{
	identifiers::Muid, mock::*, Call, Error, Event, KeyInfo, LastMuid, ProviderKeys, ProviderLevel,
	TenantKeys, TenantLevel,
};

/// The account whose access key is set.
const ACCOUNT: AccountId = 20;
/// The deposit for an access key: the base; hashed names, member and account behind their hashes;
/// level, time of the grant and deposit.
const KEY_DEPOSIT: Balance = 100 + (32 + (16 + 10) + (16 + 8)) + (1 + 16 + 8);

fn set_in_provider(account: AccountId, level: Option<ProviderLevel>) -> Call<Test> {
	Call::set_provider_key { id: PROVIDER, account, level }
}

fn set_in_tenant(account: AccountId, level: Option<TenantLevel>) -> Call<Test> {
	Call::set_tenant_key { id: TENANT, account, level }
}

fn provider_level(account: AccountId) -> Option<ProviderLevel> {
	ContentFabric::provider_level(PROVIDER, account)
}

fn tenant_level(account: AccountId) -> Option<TenantLevel> {
	ContentFabric::tenant_level(TENANT, account)
}

#[test]
fn only_admins_and_the_root_set_levels_and_only_below_their_own() {
	let levels = [
		None,
		Some(TenantLevel::Read),
		Some(TenantLevel::Content),
		Some(TenantLevel::Kms),
		Some(TenantLevel::Admin),
	];
	let signers = [
		(STRANGER, None),
		(READER, Some(TenantLevel::Read)),
		(EDITOR, Some(TenantLevel::Content)),
		(KMS_ACCOUNT, Some(TenantLevel::Kms)),
		(TENANT_ADMIN, Some(TenantLevel::Admin)),
		(TENANT_ROOT, Some(TenantLevel::Root)),
	];
	Chain::fabric_with_keys().block(|| {
		for present in levels {
			for new in levels.into_iter().chain([Some(TenantLevel::Root)]) {
				for (signer, own) in signers {
					if tenant_level(ACCOUNT) != present {
						assert_ok!(set_tenant_key(ACCOUNT, present));
					}
					let may = own >= Some(TenantLevel::Admin) && present < own && new < own;
					let expected: DispatchResult = match (present, new) {
						_ if !may => Err(Error::<Test>::NoPermission.into()),
						(None, None) => Err(Error::<Test>::KeyNotFound.into()),
						_ => Ok(()),
					};
					assert_eq!(dispatch(signer, set_in_tenant(ACCOUNT, new)), expected);
					if expected.is_ok() {
						let (tenant, account, level) = (TENANT, ACCOUNT, new);
						let set = Event::TenantKeySet { tenant, account, level };
						assert_eq!(events().last(), Some(&set));
					}
					let level = if may { new } else { present };
					assert_eq!(tenant_level(ACCOUNT), level);
					let key = TenantKeys::<Test>::get(TENANT, ACCOUNT);
					assert_eq!(key.map(|key| key.level), level);
				}
			}
		}
	});
}

#[test]
fn an_admin_of_a_provider_appoints_and_dismisses_no_other() {
	let (admin, root) = (Some(ProviderLevel::Admin), Some(ProviderLevel::Root));
	Chain::fabric_with_keys().block(|| {
		for (account, level) in
			[(ACCOUNT, admin), (ACCOUNT, root), (PROVIDER_ADMIN, admin), (PROVIDER_ADMIN, None)]
		{
			let call = set_in_provider(account, level);
			assert_refused(PROVIDER_ADMIN, call, Error::<Test>::NoPermission);
		}
		for who in [PROVIDER_ROOT, PROVIDER_ADMIN] {
			assert_refused(who, set_in_provider(ACCOUNT, None), Error::<Test>::KeyNotFound);
		}
		let changes = [(ACCOUNT, admin), (PROVIDER_ADMIN, None)];
		for (account, level) in changes {
			assert_ok!(set_provider_key(account, level));
		}
		let provider = PROVIDER;
		let set = |(account, level)| Event::<Test>::ProviderKeySet { provider, account, level };
		assert_eq!(events(), changes.map(set));
	});
}

#[test]
fn the_root_has_no_key_row_and_none_can_be_made() {
	Chain::fabric_with_keys().block(|| {
		let refused = DispatchError::from(Error::<Test>::NoPermission);
		for level in [None, Some(ProviderLevel::Admin), Some(ProviderLevel::Root)] {
			for who in [PROVIDER_ROOT, PROVIDER_ADMIN] {
				assert_refused(who, set_in_provider(PROVIDER_ROOT, level), refused);
			}
		}
		for level in [None, Some(TenantLevel::Content), Some(TenantLevel::Root)] {
			for who in [TENANT_ROOT, TENANT_ADMIN] {
				assert_refused(who, set_in_tenant(TENANT_ROOT, level), refused);
			}
		}
		assert_eq!(ProviderKeys::<Test>::get(PROVIDER, PROVIDER_ROOT), None);
		assert_eq!(TenantKeys::<Test>::get(TENANT, TENANT_ROOT), None);
		// There is no second root either.
		let call = set_in_provider(ACCOUNT, Some(ProviderLevel::Root));
		assert_refused(PROVIDER_ROOT, call, refused);
	});
}

#[test]
fn a_new_level_keeps_the_deposit() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		assert_ok!(set_tenant_key(ACCOUNT, Some(TenantLevel::Content)));
		assert_ok!(set_provider_key(ACCOUNT, Some(ProviderLevel::Admin)));
		let key = KeyInfo { level: ProviderLevel::Admin, granted: muid(2), deposit: KEY_DEPOSIT };
		assert_eq!(ProviderKeys::<Test>::get(PROVIDER, ACCOUNT), Some(key));
	});
	chain.block(|| {
		let (bond, deposit) = recorded(THE_TENANT);
		DepositBase::set(1_000);
		for (count, level) in
			[(1, TenantLevel::Admin), (2, TenantLevel::Admin), (3, TenantLevel::Kms)]
		{
			assert_ok!(set_tenant_key(ACCOUNT, Some(level)));
			let key = KeyInfo { level, granted: muid(count), deposit: KEY_DEPOSIT };
			assert_eq!(TenantKeys::<Test>::get(TENANT, ACCOUNT), Some(key));
			assert_eq!(recorded(THE_TENANT), (bond, deposit));
		}
		// The deposit on hold is released, whatever a new access key would cost by now.
		assert_ok!(set_tenant_key(ACCOUNT, None));
		assert_eq!(recorded(THE_TENANT), (bond, deposit - KEY_DEPOSIT));
		DepositBase::reset();
	});
}

/// Writes access keys of [`ACCOUNT`] that were granted at these times, without counting them.
fn insert_admins(in_provider: Muid, in_tenant: Muid) {
	let key = KeyInfo { level: ProviderLevel::Admin, granted: in_provider, deposit: 0 };
	ProviderKeys::<Test>::insert(PROVIDER, ACCOUNT, key);
	let key = KeyInfo { level: TenantLevel::Admin, granted: in_tenant, deposit: 0 };
	TenantKeys::<Test>::insert(TENANT, ACCOUNT, key);
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
			insert_admins(granted_in_provider, granted_in_tenant);
			assert_eq!(provider_level(ACCOUNT), counts.then_some(ProviderLevel::Admin));
			assert_eq!(tenant_level(ACCOUNT), counts.then_some(TenantLevel::Admin));
		}
		// The check at the end of the block would find rows that were not counted.
		ProviderKeys::<Test>::remove(PROVIDER, ACCOUNT);
		TenantKeys::<Test>::remove(TENANT, ACCOUNT);
	});
}

#[test]
fn an_access_key_of_an_earlier_life_permits_nothing() {
	Chain::small_fabric().block(|| {
		insert_admins(created(THE_PROVIDER), created(THE_TENANT));
		let (provider, node, operator) = (PROVIDER, OTHER_NODE, ACCOUNT);
		for call in [
			Call::<Test>::create_node { provider, node, operator, locator: locator("x") },
			Call::create_content_object { tenant: TENANT, object: OTHER_OBJECT },
			set_in_tenant(STRANGER, Some(TenantLevel::Content)),
			finalize_call(NODE, &[DRAFT]),
		] {
			assert_refused(ACCOUNT, call, Error::<Test>::NoPermission);
		}
		let commit = commit_call(ACCOUNT, commit_of(&[draft(OBJECT, NEW)]));
		assert_refused(PROVIDER_ROOT, commit, Error::<Test>::SignerNotPermitted);
		// It cannot be revoked, and does not prevent a new one.
		assert_noop!(set_tenant_key(ACCOUNT, None), Error::<Test>::KeyNotFound);
		let (bond, deposit) = recorded(THE_TENANT);
		assert_ok!(set_tenant_key(ACCOUNT, Some(TenantLevel::Content)));
		assert_eq!(tenant_level(ACCOUNT), Some(TenantLevel::Content));
		assert_eq!(recorded(THE_TENANT), (bond, deposit + KEY_DEPOSIT));
		// The check at the end of the block would find the other row, which was not counted.
		ProviderKeys::<Test>::remove(PROVIDER, ACCOUNT);
	});
}

// SPDX-License-Identifier: Apache-2.0
//! The all-zero account has no power, since anybody can sign for it.

use frame_support::{assert_noop, assert_ok};
use sp_runtime::DispatchError;

use super::{
	genesis::{assert_each_refused, Refused},
	permissions::every_call,
	signing::submit_signed,
};
use crate::{
	identifiers::Muid, mock::*, Call, Error, KeyInfo, LastMuid, ProviderLevel, Role, Spaces,
	TenantKeys, TenantLevel, Tenants,
};

const ZERO: AccountId = 0;

fn now() -> Muid {
	LastMuid::<Test>::get().expect("muids were minted")
}

#[test]
fn it_may_make_no_call() {
	Chain::fabric_with_keys().block(|| {
		for call in every_call() {
			let refused = [Error::<Test>::ZeroAccount.into(), DispatchError::BadOrigin];
			let result = dispatch(ZERO, call.clone());
			assert!(result.is_err_and(|error| refused.contains(&error)), "{call:?}: {result:?}");
		}
	});
}

#[test]
fn no_call_gives_it_a_power() {
	let (space, provider, tenant, at) = (SPACE, PROVIDER, TENANT, || locator("x"));
	Chain::fabric_with_keys().block(|| {
		let nominate = |member| {
			let (created, nominee) = (created(member), Some(ZERO));
			Call::nominate_root { member, created, nominee }
		};
		let calls = [
			(GOVERNOR, Call::set_space_governor { space, governor: ZERO }),
			(GOVERNOR, Call::admit { space, account: ZERO, role: Role::Tenant }),
			(PROVIDER_ROOT, nominate(THE_PROVIDER)),
			(TENANT_ROOT, nominate(THE_TENANT)),
			// Governance.
			(GOVERNOR, nominate(THE_TENANT)),
			(
				PROVIDER_ROOT,
				Call::set_provider_key {
					id: provider,
					account: ZERO,
					level: Some(ProviderLevel::Admin),
				},
			),
			(
				TENANT_ADMIN,
				Call::set_tenant_key {
					id: tenant,
					account: ZERO,
					level: Some(TenantLevel::Content),
				},
			),
			(
				PROVIDER_ADMIN,
				Call::create_node { provider, node: OTHER_NODE, operator: ZERO, locator: at() },
			),
			(PROVIDER_ADMIN, Call::set_node_operator { provider, node: NODE, operator: ZERO }),
			(
				TENANT_ADMIN,
				Call::add_kms {
					tenant,
					kms: OTHER_KMS,
					operator: ZERO,
					locator: at(),
					key: KMS_KEY,
				},
			),
		];
		for (who, call) in calls {
			assert_refused(who, call, Error::<Test>::ZeroAccount);
		}
		assert_noop!(create_space(OTHER_SPACE, ZERO, rules()), Error::<Test>::ZeroAccount);
	});
}

#[test]
fn no_genesis_gives_it_a_power() {
	let changes: [Refused<Error<Test>>; 7] = [
		("space 0", Error::ZeroAccount, |it| it.spaces[0].governor = ZERO),
		("provider 0", Error::ZeroAccount, |it| it.providers[0].root = ZERO),
		("tenant 1", Error::ZeroAccount, |it| it.tenants[1].root = ZERO),
		("provider access key 0", Error::ZeroAccount, |it| it.provider_keys[0].account = ZERO),
		("tenant access key 2", Error::ZeroAccount, |it| it.tenant_keys[2].account = ZERO),
		("node 1", Error::ZeroAccount, |it| it.nodes[1].operator = ZERO),
		("KMS 0", Error::ZeroAccount, |it| it.kmses[0].operator = ZERO),
	];
	assert_each_refused(changes);
}

/// A chain that had the pallet before may have such rows.
#[test]
fn rows_that_name_it_give_it_no_power() {
	Chain::small_fabric().block(|| {
		let key = KeyInfo { level: TenantLevel::Admin, granted: now(), deposit: 0 };
		TenantKeys::<Test>::insert(TENANT, ZERO, key);
		let commit = commit_of(&[draft(OBJECT, NEW)]);
		let signature = sign(ZERO, &commit);
		assert_noop!(submit_signed(ZERO, &commit, signature), Error::<Test>::ZeroAccount);
		TenantKeys::<Test>::remove(TENANT, ZERO);

		Spaces::<Test>::mutate(SPACE, |info| {
			info.as_mut().expect("the space exists").governor = ZERO;
		});
		assert!(!governs(signed(ZERO), SPACE));
		Spaces::<Test>::mutate(SPACE, |info| {
			info.as_mut().expect("the space exists").governor = GOVERNOR;
		});

		let set_root = |root| {
			Tenants::<Test>::mutate(TENANT, |info| info.as_mut().expect("it exists").root = root)
		};
		set_root(ZERO);
		for call in every_call() {
			assert!(dispatch(ZERO, call.clone()).is_err(), "{call:?}");
		}
		set_root(TENANT_ROOT);
	});
}

/// Rows that should not exist can still be removed.
#[test]
fn its_access_key_can_be_revoked() {
	Chain::small_fabric().block(|| {
		assert_ok!(set_tenant_key(EDITOR, Some(TenantLevel::Content)));
		let key = TenantKeys::<Test>::take(TENANT, EDITOR).expect("it was set");
		TenantKeys::<Test>::insert(TENANT, ZERO, key);
		assert_ok!(set_tenant_key(ZERO, None));
		let keys = Tenants::<Test>::get(TENANT).map(|info| info.rows.keys);
		assert_eq!((keys, TenantKeys::<Test>::iter().count()), (Some(0), 0));
	});
}

// SPDX-License-Identifier: Apache-2.0
//! The KMSes of tenants.

use frame_support::{assert_noop, assert_ok, dispatch::DispatchResult};

use crate::{
	identifiers::{KmsId, VersionId},
	mock::*,
	Call, Error, Event, KmsInfo, KmsKey, Kmses, VersionCommit, Versions,
};

const OTHER_KEY: KmsKey = KmsKey([6; 32]);
const ZERO_KEY: KmsKey = KmsKey([0; 32]);

fn add(kms: KmsId, text: &str) -> DispatchResult {
	dispatch(TENANT_ROOT, add_kms_call(TENANT, kms, text))
}

fn set_by(who: AccountId, kms: KmsId, text: &str, key: KmsKey) -> DispatchResult {
	ContentFabric::set_kms(signed(who), TENANT, kms, locator(text), key)
}

fn set(kms: KmsId, text: &str) -> DispatchResult {
	set_by(TENANT_ROOT, kms, text, OTHER_KEY)
}

fn remove(kms: KmsId) -> DispatchResult {
	ContentFabric::remove_kms(signed(TENANT_ROOT), TENANT, kms)
}

#[test]
fn a_kms_is_added_set_and_removed() {
	Chain::small_fabric().block(|| {
		let (before, tenant, kms) = (funds(TENANT_ROOT), TENANT, OTHER_KMS);
		let operator = KMS_OPERATOR;
		let assert_row = |text: &str, key| {
			// The base, 84 bytes of storage key, and the value.
			let deposit = 100 + 84 + 49 + text.len() as Balance;
			let info = KmsInfo { operator, locator: locator(text), key, deposit };
			assert_eq!(Kmses::<Test>::get(TENANT, kms), Some(info));
			assert_eq!(funds(TENANT_ROOT).1 - before.1, deposit);
		};
		assert_ok!(add(kms, "https://a"));
		assert_row("https://a", KMS_KEY);
		// The row is paid for as it is now, whether it has grown or shrunk.
		for text in ["https://a", "https://abc", "https://"] {
			assert_ok!(set(kms, text));
			assert_row(text, OTHER_KEY);
		}
		assert_ok!(remove(kms));
		assert_eq!(Kmses::<Test>::get(TENANT, kms), None);
		assert_eq!(funds(TENANT_ROOT), before);
		assert_eq!(
			events(),
			[
				Event::KmsAdded { tenant, kms, operator, key: KMS_KEY },
				Event::KmsSet { tenant, kms, key: OTHER_KEY },
				Event::KmsSet { tenant, kms, key: OTHER_KEY },
				Event::KmsSet { tenant, kms, key: OTHER_KEY },
				Event::KmsRemoved { tenant, kms },
			]
		);
	});
}

#[test]
fn missing_and_taken_kmses_are_reported() {
	Chain::small_fabric().block(|| {
		assert_noop!(add(KMS, "x"), Error::<Test>::KmsAlreadyExists);
		assert_noop!(set(OTHER_KMS, "x"), Error::<Test>::KmsNotFound);
		assert_noop!(remove(OTHER_KMS), Error::<Test>::KmsNotFound);
		assert_ok!(remove(KMS));
		assert_noop!(remove(KMS), Error::<Test>::KmsNotFound);
	});
}

#[test]
fn the_key_of_a_kms_is_not_zero() {
	Chain::small_fabric().block(|| {
		let (tenant, kms, operator) = (TENANT, OTHER_KMS, KMS_OPERATOR);
		let add = |key| {
			let locator = locator("x");
			dispatch(TENANT_ROOT, Call::add_kms { tenant, kms, operator, locator, key })
		};
		assert_noop!(add(ZERO_KEY), Error::<Test>::ZeroKmsKey);
		let mut key = ZERO_KEY;
		key.0[31] = 1;
		assert_ok!(add(key));
		assert_noop!(set_by(TENANT_ROOT, kms, "x", ZERO_KEY), Error::<Test>::ZeroKmsKey);
		assert_noop!(set_by(KMS_OPERATOR, kms, "x", ZERO_KEY), Error::<Test>::ZeroKmsKey);
		assert_ok!(set_by(KMS_OPERATOR, kms, "x", key));
	});
}

/// The account of one KMS could replace the key of another, and read what is uploaded from then on.
#[test]
fn only_its_operator_and_admins_set_a_kms() {
	let mut chain = Chain::fabric_with_keys();
	chain.block(|| {
		let (tenant, kms, locator) = (TENANT, OTHER_KMS, || locator("x"));
		let add = Call::add_kms {
			tenant,
			kms,
			operator: KMS_ACCOUNT,
			locator: locator(),
			key: OTHER_KEY,
		};
		make(TENANT_ADMIN, add);
		// Each operator sets its own, whatever its level in the tenant.
		for (who, own, other) in [(KMS_ACCOUNT, OTHER_KMS, KMS), (KMS_OPERATOR, KMS, OTHER_KMS)] {
			assert_ok!(set_by(who, own, "x", OTHER_KEY));
			assert_noop!(set_by(who, other, "x", OTHER_KEY), Error::<Test>::NoPermission);
			assert_noop!(
				ContentFabric::remove_kms(signed(who), TENANT, own),
				Error::<Test>::NoPermission
			);
		}
		for who in [EDITOR, READER, STRANGER, PROVIDER_ROOT, GOVERNOR] {
			assert_noop!(set_by(who, KMS, "x", OTHER_KEY), Error::<Test>::NoPermission);
		}
		// Nor does an operator in another tenant, where the KMS has the same id.
		make(STRANGER, create(OTHER_TENANT.into(), MAX_HELD));
		let add = Call::add_kms {
			tenant: OTHER_TENANT,
			kms: KMS,
			operator: STRANGER,
			locator: locator(),
			key: OTHER_KEY,
		};
		make(STRANGER, add);
		assert_noop!(set_by(STRANGER, KMS, "x", OTHER_KEY), Error::<Test>::NoPermission);
	});
	chain.block(|| {
		assert_ok!(freeze(THE_TENANT, true));
		for who in [KMS_OPERATOR, TENANT_ADMIN] {
			assert_noop!(set_by(who, KMS, "x", OTHER_KEY), Error::<Test>::TenantFrozen);
		}
	});
}

#[test]
fn versions_need_no_kms() {
	Chain::small_fabric().block(|| {
		let kms = |version| Versions::<Test>::get((TENANT, OBJECT, version)).map(|info| info.kms);
		let commit = |kms, version| VersionCommit { kms, ..commit_of(&[draft(OBJECT, version)]) };
		assert_ok!(submit(commit(None, NEW)));
		assert_eq!((kms(NEW), kms(HEAD)), (Some(None), Some(Some(KMS))));
		// Even if the tenant has none.
		assert_ok!(remove(KMS));
		let other = VersionId([8; 32]);
		assert_noop!(submit(commit(Some(KMS), other)), Error::<Test>::KmsNotFound);
		assert_ok!(submit(commit(None, other)));
	});
}

#[test]
fn a_commit_names_a_kms_of_its_tenant() {
	Chain::small_fabric().block(|| {
		make(TENANT_ROOT, create(OTHER_TENANT.into(), MAX_HELD));
		assert_ok!(add_kms(OTHER_TENANT, OTHER_KMS));
		let commit = || VersionCommit { kms: Some(OTHER_KMS), ..commit_of(&[draft(OBJECT, NEW)]) };
		assert_noop!(submit(commit()), Error::<Test>::KmsNotFound);
		assert_ok!(add(OTHER_KMS, "x"));
		assert_ok!(submit(commit()));
	});
}

#[test]
fn a_removed_kms_is_not_committed_to_but_its_versions_can_be_finalized() {
	Chain::small_fabric().block(|| {
		assert_ok!(remove(KMS));
		assert_noop!(commit(NEW), Error::<Test>::KmsNotFound);
		assert_ok!(finalize(DRAFT));
		// The one that takes its id serves new commits.
		assert_ok!(add(KMS, "https://other"));
		assert_ok!(commit(NEW));
	});
}

// SPDX-License-Identifier: Apache-2.0
//! The KMSes of tenants.

use frame_support::{assert_noop, assert_ok, dispatch::DispatchResult};

use crate::{
	identifiers::{KmsId, TenantId},
	mock::*,
	Error, Event, KmsInfo, Kmses, LocatorOf, VersionCommit,
};

const OTHER_KMS: KmsId = KmsId([7; 10]);
const OTHER_TENANT: TenantId = TenantId([7; 10]);

fn add(kms: KmsId, locator: LocatorOf<Test>) -> DispatchResult {
	ContentFabric::add_kms(signed(TENANT_ROOT), TENANT, kms, locator)
}

fn set_locator(kms: KmsId, locator: LocatorOf<Test>) -> DispatchResult {
	ContentFabric::set_kms_locator(signed(TENANT_ROOT), TENANT, kms, locator)
}

fn remove(kms: KmsId) -> DispatchResult {
	ContentFabric::remove_kms(signed(TENANT_ROOT), TENANT, kms)
}

#[test]
fn a_kms_is_added_moved_and_removed() {
	Chain::small_fabric().block(|| {
		let (before, kms) = (funds(TENANT_ROOT), OTHER_KMS);
		assert_ok!(add(kms, locator("https://a")));
		assert_eq!(
			Kmses::<Test>::get(TENANT, kms),
			// The base, 84 bytes of key, and 18 of value.
			Some(KmsInfo { locator: locator("https://a"), deposit: 100 + 84 + 18 })
		);
		assert_eq!(ContentFabric::rows(THE_TENANT), Some(TENANT_ROWS + 1));
		assert_eq!(funds(TENANT_ROOT).1 - before.1, 100 + 84 + 18);
		// The row is paid for as it is now, whether it has grown or shrunk.
		for text in ["https://abc", "https://"] {
			assert_ok!(set_locator(kms, locator(text)));
			let deposit = 100 + 84 + 9 + text.len() as Balance;
			let info = KmsInfo { locator: locator(text), deposit };
			assert_eq!(Kmses::<Test>::get(TENANT, kms), Some(info));
			assert_eq!(funds(TENANT_ROOT).1 - before.1, deposit);
		}
		assert_ok!(remove(kms));
		assert_eq!(Kmses::<Test>::get(TENANT, kms), None);
		assert_eq!(ContentFabric::rows(THE_TENANT), Some(TENANT_ROWS));
		assert_eq!(funds(TENANT_ROOT), before);
		assert_eq!(
			events(),
			[
				Event::KmsAdded { tenant: TENANT, kms },
				Event::KmsLocatorSet { tenant: TENANT, kms },
				Event::KmsLocatorSet { tenant: TENANT, kms },
				Event::KmsRemoved { tenant: TENANT, kms },
			]
		);
	});
}

#[test]
fn missing_and_taken_kmses_are_reported() {
	Chain::small_fabric().block(|| {
		assert_noop!(add(KMS, locator("x")), Error::<Test>::KmsAlreadyExists);
		assert_noop!(set_locator(OTHER_KMS, locator("x")), Error::<Test>::KmsNotFound);
		assert_noop!(remove(OTHER_KMS), Error::<Test>::KmsNotFound);
		assert_ok!(remove(KMS));
		assert_noop!(remove(KMS), Error::<Test>::KmsNotFound);
		let root = || signed(TENANT_ROOT);
		for result in [
			ContentFabric::add_kms(root(), OTHER_TENANT, KMS, locator("x")),
			ContentFabric::set_kms_locator(root(), OTHER_TENANT, KMS, locator("x")),
			ContentFabric::remove_kms(root(), OTHER_TENANT, KMS),
		] {
			assert_eq!(result, Err(Error::<Test>::TenantNotFound.into()));
		}
	});
}

#[test]
fn a_locator_is_one_word_of_visible_ascii_characters() {
	Chain::small_fabric().block(|| {
		for bad in ["", " ", "a b", "tab\t", "line\n", "é", "\u{7f}"] {
			assert_noop!(add(OTHER_KMS, locator(bad)), Error::<Test>::InvalidLocator);
			assert_noop!(set_locator(KMS, locator(bad)), Error::<Test>::InvalidLocator);
		}
		assert_ok!(add(OTHER_KMS, locator(&"~".repeat(64))));
		assert!(LocatorOf::<Test>::try_from(vec![b'~'; 65]).is_err());
	});
}

#[test]
fn two_tenants_may_have_kmses_of_one_id() {
	Chain::small_fabric().block(|| {
		let root = || signed(STRANGER);
		assert_ok!(ContentFabric::create_tenant(root(), SPACE, OTHER_TENANT, MAX_HELD));
		assert_ok!(ContentFabric::add_kms(root(), OTHER_TENANT, KMS, locator("x")));
		assert_ok!(remove(KMS));
		assert!(Kmses::<Test>::contains_key(OTHER_TENANT, KMS));
	});
}

#[test]
fn a_commit_names_a_kms_of_its_tenant() {
	Chain::small_fabric().block(|| {
		let root = signed(STRANGER);
		assert_ok!(ContentFabric::create_tenant(root, SPACE, OTHER_TENANT, MAX_HELD));
		let other = signed(STRANGER);
		assert_ok!(ContentFabric::add_kms(other, OTHER_TENANT, OTHER_KMS, locator("x")));
		let commit = || VersionCommit { kms: OTHER_KMS, ..commit_of(&[draft(OBJECT, NEW)]) };
		assert_noop!(submit(commit()), Error::<Test>::KmsNotFound);
		assert_ok!(add(OTHER_KMS, locator("x")));
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
		assert_ok!(add(KMS, locator("https://other")));
		assert_ok!(commit(NEW));
	});
}

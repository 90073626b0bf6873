// SPDX-License-Identifier: Apache-2.0
//! The KMSes of tenants.

use frame_support::{assert_noop, assert_ok, dispatch::DispatchResult};

use crate::{identifiers::KmsId, mock::*, Error, Event, KmsInfo, Kmses, VersionCommit};

fn add(kms: KmsId, text: &str) -> DispatchResult {
	ContentFabric::add_kms(signed(TENANT_ROOT), TENANT, kms, locator(text))
}

fn set_locator(kms: KmsId, text: &str) -> DispatchResult {
	ContentFabric::set_kms_locator(signed(TENANT_ROOT), TENANT, kms, locator(text))
}

fn remove(kms: KmsId) -> DispatchResult {
	ContentFabric::remove_kms(signed(TENANT_ROOT), TENANT, kms)
}

#[test]
fn a_kms_is_added_moved_and_removed() {
	Chain::small_fabric().block(|| {
		let (before, tenant, kms) = (funds(TENANT_ROOT), TENANT, OTHER_KMS);
		assert_ok!(add(kms, "https://a"));
		// The row is paid for as it is now, whether it has grown or shrunk.
		for text in ["https://a", "https://abc", "https://"] {
			assert_ok!(set_locator(kms, text));
			// The base, 84 bytes of key, and the value.
			let deposit = 100 + 84 + 9 + text.len() as Balance;
			let info = KmsInfo { locator: locator(text), deposit };
			assert_eq!(Kmses::<Test>::get(TENANT, kms), Some(info));
			assert_eq!(funds(TENANT_ROOT).1 - before.1, deposit);
		}
		assert_ok!(remove(kms));
		assert_eq!(Kmses::<Test>::get(TENANT, kms), None);
		assert_eq!(funds(TENANT_ROOT), before);
		assert_eq!(
			events(),
			[
				Event::KmsAdded { tenant, kms },
				Event::KmsLocatorSet { tenant, kms },
				Event::KmsLocatorSet { tenant, kms },
				Event::KmsLocatorSet { tenant, kms },
				Event::KmsRemoved { tenant, kms },
			]
		);
	});
}

#[test]
fn missing_and_taken_kmses_are_reported() {
	Chain::small_fabric().block(|| {
		assert_noop!(add(KMS, "x"), Error::<Test>::KmsAlreadyExists);
		assert_noop!(set_locator(OTHER_KMS, "x"), Error::<Test>::KmsNotFound);
		assert_noop!(remove(OTHER_KMS), Error::<Test>::KmsNotFound);
		assert_ok!(remove(KMS));
		assert_noop!(remove(KMS), Error::<Test>::KmsNotFound);
	});
}

#[test]
fn a_commit_names_a_kms_of_its_tenant() {
	Chain::small_fabric().block(|| {
		make(TENANT_ROOT, create(OTHER_TENANT.into(), MAX_HELD));
		assert_ok!(add_kms(OTHER_TENANT, OTHER_KMS));
		let commit = || VersionCommit { kms: OTHER_KMS, ..commit_of(&[draft(OBJECT, NEW)]) };
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

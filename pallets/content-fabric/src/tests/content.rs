// SPDX-License-Identifier: Apache-2.0
//! Content objects and their versions, one by one.

use codec::Compact;
use frame_support::{assert_noop, assert_ok};
use sp_runtime::DispatchError;

use super::replay::medallion_of;
use crate::{
	identifiers::{ContentObjectId, VersionId},
	mock::*,
	Call, ContentObjectInfo, ContentObjects, Copy, DraftVersion, Error, Event, HashKind,
	VersionInfo, Versions,
};

fn is_finalized(object: ContentObjectId, version: VersionId) -> Option<bool> {
	Versions::<Test>::get((TENANT, object, version)).map(|info| info.finalized.is_some())
}

fn version_count(object: ContentObjectId) -> Option<u32> {
	ContentObjects::<Test>::get(TENANT, object).map(|info| info.version_count)
}

#[test]
fn a_content_object_is_created_and_deleted() {
	Chain::small_fabric().block(|| {
		let (before, tenant, object) = (funds(TENANT_ROOT), TENANT, OTHER_OBJECT);
		assert_ok!(create_object(OTHER_OBJECT));
		// The base, 84 bytes of key, and 93 of value, with a head.
		let deposit = 100 + 84 + 93;
		assert_eq!(
			ContentObjects::<Test>::get(TENANT, OTHER_OBJECT),
			Some(ContentObjectInfo {
				head_version: None,
				head_since: muid(1),
				head_set: muid(1),
				version_count: 0,
				deposit,
				created: muid(1),
			})
		);
		assert_eq!(ContentFabric::rows(THE_TENANT), Some(TENANT_ROWS + 1));
		assert_eq!(funds(TENANT_ROOT), (before.0 - deposit, before.1 + deposit));

		assert_ok!(delete_object(OTHER_OBJECT));
		assert_eq!(ContentObjects::<Test>::get(TENANT, OTHER_OBJECT), None);
		assert_eq!(ContentFabric::rows(THE_TENANT), Some(TENANT_ROWS));
		assert_eq!(funds(TENANT_ROOT), before);
		let expected = [
			Event::ContentObjectCreated { tenant, object },
			Event::ContentObjectDeleted { tenant, object },
		];
		assert_eq!(events(), expected);
	});
}

#[test]
fn an_id_of_an_object_is_taken_once_in_a_tenant() {
	Chain::small_fabric().block(|| {
		assert_noop!(create_object(OBJECT), Error::<Test>::ContentObjectAlreadyExists);
		let (tenant, object) = (OTHER_TENANT, OBJECT);
		make(STRANGER, create(tenant.into(), MAX_HELD));
		make(STRANGER, Call::create_content_object { tenant, object });
		// That one has no versions, unlike its namesake.
		make(STRANGER, Call::delete_content_object { tenant, object });
		assert_eq!(head(), Some(HEAD));
	});
}

#[test]
fn an_object_with_versions_is_not_deleted() {
	let mut chain = Chain::small_fabric();
	let first = chain.block(|| {
		assert_noop!(delete_object(OTHER_OBJECT), Error::<Test>::ContentObjectNotFound);
		assert_noop!(delete_object(OBJECT), Error::<Test>::ContentObjectNotEmpty);
		assert_ok!(submit(commit_of(&[draft(EMPTY_OBJECT, NEW)])));
		assert_noop!(delete_object(EMPTY_OBJECT), Error::<Test>::ContentObjectNotEmpty);
		assert_ok!(delete_version(EMPTY_OBJECT, NEW));
		ContentObjects::<Test>::get(TENANT, EMPTY_OBJECT).expect("the object exists")
	});
	// Its id is free afterwards, and stands for another object.
	chain.block(|| {
		assert_ok!(delete_object(EMPTY_OBJECT));
		assert_ok!(create_object(EMPTY_OBJECT));
		let second = ContentObjects::<Test>::get(TENANT, EMPTY_OBJECT).expect("was just created");
		assert!(second.created > first.created);
		assert_eq!(second.created, muid(1));
	});
}

#[test]
fn a_version_is_committed_finalized_and_made_the_head() {
	let (tenant, object, version) = (TENANT, OBJECT, NEW);
	// The base, 132 bytes of key, and 109 of value, with the time of finalization and that from
	// which the node holds the data.
	let deposit = 100 + 132 + 109;
	let mut chain = Chain::small_fabric();
	let (muid, committed) = chain.block(|| {
		let before = funds(TENANT_ROOT);
		let commit = commit_of(&[DraftVersion { size: u64::MAX, ..draft(object, version) }]);
		let muid = commit.muid.with_offset(1);
		assert_ok!(submit(commit));
		let (originator, node) = (PROVIDER, NODE);
		let event = Event::VersionCommitted { tenant, object, version, originator, node, muid };
		assert_eq!(events(), [event]);
		assert_eq!(version_count(object), Some(4));
		assert_eq!(funds(TENANT_ROOT).1 - before.1, deposit);
		(muid, crate::mock::muid(1))
	});
	chain.block(|| {
		let before = funds(TENANT_ROOT);
		assert_ok!(finalize(version));
		let held = Some(System::block_number() * 6_000);
		let copy = Copy { provider: PROVIDER, node: NODE, medallion: medallion_of(NODE), held };
		let expected = VersionInfo {
			copies: bounded([copy]),
			kms: Some(KMS),
			muid,
			hash: HashKind::Blake3,
			size: Compact(u64::MAX),
			committed,
			finalized: held,
			set_head_on_finalize: false,
			deposit,
		};
		assert_eq!(Versions::<Test>::get((tenant, object, version)), Some(expected.clone()));
		assert_eq!(head(), Some(HEAD));
		assert_ok!(set_head(object, Some(version)));
		assert_eq!(ContentFabric::head_version(tenant, object), Some((version, expected)));
		assert_eq!(
			events(),
			[
				Event::CopyHeld { tenant, object, version, provider: PROVIDER, node: NODE },
				Event::VersionFinalized { tenant, object, version, head_moved: false },
				Event::HeadVersionSet { tenant, object, version: Some(version) },
			]
		);
		// Neither needs a deposit: the rows are paid for as large as they grow.
		assert_eq!(funds(TENANT_ROOT), before);
	});
}

#[test]
fn a_blake3_version_states_its_size() {
	let [blake3, sha256] = HashKind::ALL;
	let draft = |hash, version, size| DraftVersion { hash, size, ..draft(OBJECT, version) };
	let mut chain = Chain::small_fabric();
	for (hash, version, size, expected) in [
		(blake3, NEW, 0, Err(Error::<Test>::SizeMissing)),
		(blake3, sha256.of_no_data(), 0, Err(Error::SizeMissing)),
		(blake3, NEW, 1, Ok(())),
		(blake3, VersionId([70; 32]), u64::MAX, Ok(())),
		(blake3, blake3.of_no_data(), 0, Ok(())),
		(sha256, VersionId([71; 32]), 0, Ok(())),
		(sha256, sha256.of_no_data(), 0, Ok(())),
	] {
		chain.block(|| {
			let call = || submit(commit_of(&[draft(hash, version, size)]));
			match expected {
				Err(error) => {
					assert_noop!(call(), error);
				},
				Ok(()) => {
					assert_ok!(call());
					let info = Versions::<Test>::get((TENANT, OBJECT, version)).expect("exists");
					assert_eq!((info.hash, info.size), (hash, Compact(size)));
					let known = (size != 0 || version == hash.of_no_data()).then_some(size);
					assert_eq!(info.known_size(version), known);
				},
			}
		});
	}
	// One that lacks it takes the others of its commit with it.
	chain.block(|| {
		let (good, bad) = (VersionId([77; 32]), VersionId([78; 32]));
		let drafts = [draft(blake3, good, 1), draft(blake3, bad, 0)];
		assert_noop!(submit(commit_of(&drafts)), Error::<Test>::SizeMissing);
	});
}

#[test]
fn the_head_is_a_finalized_version_of_the_object_or_none() {
	Chain::small_fabric().block(|| {
		assert_noop!(set_head(OBJECT, Some(DRAFT)), Error::<Test>::VersionNotFinalized);
		assert_noop!(set_head(OBJECT, Some(NEW)), Error::<Test>::VersionNotFound);
		// That is a version of another object.
		assert_noop!(set_head(EMPTY_OBJECT, Some(FINALIZED)), Error::<Test>::VersionNotFound);
		assert_ok!(set_head(OBJECT, Some(FINALIZED)));
		assert_eq!(head(), Some(FINALIZED));
		assert_ok!(set_head(OBJECT, None));
		assert_eq!(head(), None);
		assert_eq!(ContentFabric::head_version(TENANT, OBJECT), None);
		let set =
			|version| Event::<Test>::HeadVersionSet { tenant: TENANT, object: OBJECT, version };
		assert_eq!(events(), [set(Some(FINALIZED)), set(None)]);
	});
}

#[test]
fn a_version_is_deleted_unless_it_is_the_head() {
	Chain::small_fabric().block(|| {
		let before = funds(TENANT_ROOT);
		assert_noop!(delete_version(OBJECT, HEAD), Error::<Test>::VersionIsHead);
		assert_ok!(delete_version(OBJECT, DRAFT));
		assert_ok!(delete_version(OBJECT, FINALIZED));
		let deleted =
			|version| Event::<Test>::VersionDeleted { tenant: TENANT, object: OBJECT, version };
		assert_eq!(events(), [deleted(DRAFT), deleted(FINALIZED)]);
		assert_eq!(ContentFabric::rows(THE_TENANT), Some(TENANT_ROWS - 2));
		assert_eq!(version_count(OBJECT), Some(1));
		let released = 2 * (100 + 132 + 109);
		assert_eq!(funds(TENANT_ROOT), (before.0 + released, before.1 - released));
		// A former head is a version like any other.
		assert_ok!(set_head(OBJECT, None));
		assert_ok!(delete_version(OBJECT, HEAD));
		assert_ok!(delete_object(OBJECT));
	});
}

#[test]
fn a_missing_object_is_reported_before_a_missing_version() {
	Chain::small_fabric().block(|| {
		let errors: [(ContentObjectId, DispatchError); 2] = [
			(OTHER_OBJECT, Error::<Test>::ContentObjectNotFound.into()),
			(OBJECT, Error::<Test>::VersionNotFound.into()),
		];
		for (object, error) in errors {
			assert_noop!(set_head(object, Some(NEW)), error);
			assert_noop!(delete_version(object, NEW), error);
		}
		// Not even the head of a missing object can be cleared.
		assert_noop!(set_head(OTHER_OBJECT, None), Error::<Test>::ContentObjectNotFound);
	});
}

/// A version is the hash of its data, and two objects may have the same data.
#[test]
fn objects_share_no_versions() {
	Chain::small_fabric().block(|| {
		assert_ok!(submit(commit_of(&[draft(OBJECT, NEW), draft(EMPTY_OBJECT, NEW)])));
		assert_ok!(finalize_list(&[(OBJECT, NEW)]));
		assert_eq!(is_finalized(OBJECT, NEW), Some(true));
		assert_eq!(is_finalized(EMPTY_OBJECT, NEW), Some(false));
		assert_ok!(delete_version(OBJECT, NEW));
		assert_eq!(is_finalized(OBJECT, NEW), None);
		assert_eq!(is_finalized(EMPTY_OBJECT, NEW), Some(false));
		assert_eq!(version_count(EMPTY_OBJECT), Some(1));
	});
}

#[test]
fn a_version_stays_when_its_node_its_kms_and_its_provider_are_removed() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		assert_ok!(ContentFabric::remove_node(signed(PROVIDER_ROOT), PROVIDER, NODE));
		assert_ok!(ContentFabric::remove_kms(signed(TENANT_ROOT), TENANT, KMS));
		assert_ok!(governance_delete(THE_PROVIDER));
	});
	chain.idle();
	chain.block(|| {
		assert_eq!(ContentFabric::rows(THE_PROVIDER), None);
		let (version, info) = ContentFabric::head_version(TENANT, OBJECT).expect("the head stays");
		let copies: Vec<_> = info.copies.iter().map(|copy| (copy.provider, copy.node)).collect();
		assert_eq!((version, &copies[..], info.kms), (HEAD, &[(PROVIDER, NODE)][..], Some(KMS)));
		assert_ok!(set_head(OBJECT, Some(FINALIZED)));
		assert_ok!(delete_version(OBJECT, HEAD));
	});
}

// SPDX-License-Identifier: Apache-2.0
//! Batches of versions: one signature for many, and all of a list or none.

use frame_support::{assert_noop, assert_ok};

use super::signing::assert_invalid;
use crate::{
	identifiers::{ContentObjectId, Muid, VersionId},
	mock::*,
	ContentObjects, DraftVersion, Error, Event, VersionCommit, Versions,
};

const A: VersionId = VersionId([10; 32]);
const B: VersionId = VersionId([11; 32]);
const C: VersionId = VersionId([12; 32]);
/// Objects that do not exist.
const FIRST: ContentObjectId = ContentObjectId([7; 10]);
const SECOND: ContentObjectId = ContentObjectId([8; 10]);

fn object_created(object: ContentObjectId) -> Event<Test> {
	Event::ContentObjectCreated { tenant: TENANT, object }
}

fn version_committed(object: ContentObjectId, version: VersionId, muid: Muid) -> Event<Test> {
	let (tenant, originator, node) = (TENANT, PROVIDER, NODE);
	Event::VersionCommitted { tenant, object, version, originator, node, muid }
}

/// Returns the events of a node that is the first to hold a version.
fn version_finalized(
	object: ContentObjectId,
	version: VersionId,
	head_moved: bool,
) -> [Event<Test>; 2] {
	let (tenant, provider, node) = (TENANT, PROVIDER, NODE);
	[
		Event::CopyHeld { tenant, object, version, provider, node },
		Event::VersionFinalized { tenant, object, version, head_moved },
	]
}

/// Returns the number of versions that an object counts, or `None` if it does not exist.
fn version_count(object: ContentObjectId) -> Option<u32> {
	ContentObjects::<Test>::get(TENANT, object).map(|info| info.version_count)
}

#[test]
fn a_version_listed_twice_is_refused_and_miscounts_nothing() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		for list in [
			&[draft(OBJECT, A), draft(OBJECT, A)][..],
			&[draft(OBJECT, A), draft(OBJECT, B), draft(EMPTY_OBJECT, A), draft(OBJECT, A)],
			&[draft(FIRST, A), draft(FIRST, A)],
			// The rest of the draft does not matter.
			&[draft(OBJECT, A), DraftVersion { size: 1, ..draft(OBJECT, A) }],
		] {
			assert_noop!(submit(creating(list)), Error::<Test>::VersionAlreadyExists);
		}
		assert_ok!(submit(creating(&[draft(FIRST, A), draft(FIRST, B)])));
		assert_eq!(ContentFabric::rows(THE_TENANT), Some(TENANT_ROWS + 3));
		for list in
			[&[(FIRST, A), (FIRST, A)][..], &[(FIRST, A), (FIRST, B), (OBJECT, DRAFT), (FIRST, A)]]
		{
			assert_noop!(finalize_list(list), Error::<Test>::CopyAlreadyHeld);
		}
		assert_ok!(finalize_list(&[(FIRST, A), (FIRST, B)]));
	});
	// A miscounted object could not be deleted.
	chain.block(|| {
		for version in [A, B] {
			assert_ok!(delete_version(FIRST, version));
		}
		assert_ok!(delete_object(FIRST));
		assert_eq!(ContentFabric::rows(THE_TENANT), Some(TENANT_ROWS));
	});
}

#[test]
fn every_item_has_an_event_in_the_order_of_the_list_and_a_new_object_is_created_once() {
	Chain::small_fabric().block(|| {
		let commit =
			creating(&[draft(SECOND, A), draft(OBJECT, A), draft(FIRST, B), draft(SECOND, B)]);
		let at = commit.muid;
		assert_ok!(submit(commit));
		assert_eq!(
			events(),
			[
				object_created(SECOND),
				version_committed(SECOND, A, at.with_offset(1)),
				version_committed(OBJECT, A, at.with_offset(2)),
				object_created(FIRST),
				version_committed(FIRST, B, at.with_offset(3)),
				version_committed(SECOND, B, at.with_offset(4)),
			]
		);
		// The chain mints a muid for each of these events.
		let object = |object| ContentObjects::<Test>::get(TENANT, object).expect("was created");
		let minted = |offset| muid(1).with_offset(offset);
		assert_eq!([SECOND, FIRST].map(|it| object(it).created), [1, 4].map(minted));
		for (object, version, offset, of_chain) in
			[(SECOND, A, 1, 2), (OBJECT, A, 2, 3), (FIRST, B, 3, 5), (SECOND, B, 4, 6)]
		{
			let info = Versions::<Test>::get((TENANT, object, version)).expect("was committed");
			assert_eq!((info.muid, info.committed), (at.with_offset(offset), minted(of_chain)));
		}
		assert_eq!([FIRST, SECOND].map(|it| object(it).version_count), [1, 2]);
	});
}

#[test]
fn each_object_of_a_batch_gets_the_head_that_was_asked_for() {
	Chain::small_fabric().block(|| {
		assert_ok!(submit(creating(&[
			head_draft(FIRST, A),
			draft(FIRST, B),
			head_draft(OBJECT, A),
			draft(SECOND, A),
		])));
		System::reset_events();
		assert_ok!(finalize_list(&[(FIRST, A), (FIRST, B), (OBJECT, A), (SECOND, A)]));
		assert_eq!(
			events(),
			[
				version_finalized(FIRST, A, true),
				version_finalized(FIRST, B, false),
				version_finalized(OBJECT, A, true),
				version_finalized(SECOND, A, false),
			]
			.concat()
		);
		for (object, expected) in [(FIRST, Some(A)), (OBJECT, Some(A)), (SECOND, None)] {
			let head = ContentFabric::head_version(TENANT, object).map(|(version, _)| version);
			assert_eq!(head, expected);
		}
	});
}

/// Each call with a list, not of versions only.
#[test]
fn an_empty_list_is_refused() {
	Chain::small_fabric().block(|| {
		let signers = [PROVIDER_ROOT, PROVIDER_ROOT, TENANT_ROOT, TENANT_ROOT, GOVERNOR, STRANGER];
		let signers = signers.into_iter().chain([TENANT_ROOT; 2]);
		let calls: [_; 8] = super::weights::lists(0);
		for (who, call) in signers.zip(calls) {
			assert_refused(who, call, Error::<Test>::EmptyBatch);
		}
	});
}

#[test]
fn a_commit_with_one_wrong_item_commits_nothing() {
	Chain::small_fabric().block(|| {
		// An object is created before the item that fails, unless that is the first.
		let right = [draft(FIRST, A), draft(OBJECT, A), draft(SECOND, A)];
		for place in 0..right.len() {
			let mut list = right;
			list[place] = draft(OBJECT, DRAFT);
			assert_noop!(submit(creating(&list)), Error::<Test>::VersionAlreadyExists);
		}
		// A failure does not use up the muid.
		assert_ok!(submit(creating(&right)));
	});
}

#[test]
fn a_finalization_with_one_wrong_item_finalizes_nothing() {
	Chain::small_fabric().block(|| {
		assert_ok!(submit(commit_of(&[A, B, C].map(|version| head_draft(OBJECT, version)))));
		let right = [(OBJECT, A), (OBJECT, B), (OBJECT, C)];
		for place in 0..right.len() {
			for (wrong, error) in [
				((OBJECT, HEAD), Error::<Test>::CopyAlreadyHeld),
				((OBJECT, NEW), Error::VersionNotFound),
				((EMPTY_OBJECT, A), Error::VersionNotFound),
			] {
				let mut list = right;
				list[place] = wrong;
				assert_noop!(finalize_list(&list), error);
			}
		}
		assert_ok!(finalize_list(&right));
		assert_eq!(head(), Some(C));
	});
}

#[test]
fn objects_are_created_only_if_the_commit_says_so() {
	Chain::small_fabric().block(|| {
		for list in [
			&[draft(FIRST, A)][..],
			&[draft(OBJECT, A), draft(FIRST, A)],
			&[draft(FIRST, A), draft(OBJECT, A)],
		] {
			assert_noop!(submit(commit_of(list)), Error::<Test>::ContentObjectNotFound);
			assert_eq!(version_count(FIRST), None);
		}
		// A commit that may create objects leaves those that exist alone.
		let before = ContentObjects::<Test>::get(TENANT, EMPTY_OBJECT).expect("the object exists");
		assert_ok!(submit(creating(&[draft(EMPTY_OBJECT, A), draft(FIRST, A)])));
		let after = ContentObjects::<Test>::get(TENANT, EMPTY_OBJECT).expect("the object exists");
		assert_eq!((after.created, after.deposit), (before.created, before.deposit));
		assert_eq!([EMPTY_OBJECT, FIRST].map(version_count), [Some(1); 2]);
	});
}

/// Returns the muid of a commit that was drafted a microsecond after another.
fn node_muid_after(muid: Muid) -> Muid {
	/// Bits of a muid after the timestamp.
	const BELOW_TIMESTAMP: u32 = 44 + 32;
	Muid::from_u128(muid.to_u128() + (1 << BELOW_TIMESTAMP))
}

#[test]
fn the_signature_of_a_commit_is_not_one_of_its_parts() {
	Chain::small_fabric().block(|| {
		let whole = commit_of(&[draft(OBJECT, A), draft(OBJECT, B), draft(OBJECT, C)]);
		let signature = sign(TENANT_ROOT, &whole);
		for part in [
			&[draft(OBJECT, A)][..],
			&[draft(OBJECT, B)],
			&[draft(OBJECT, A), draft(OBJECT, B)],
			&[draft(OBJECT, B), draft(OBJECT, C)],
		] {
			// Neither with the commit's own muid, nor with a later one, nor with a version's.
			for muid in [whole.muid, node_muid_after(whole.muid), whole.muid.with_offset(2)] {
				let part = VersionCommit { muid, ..commit_of(part) };
				assert_invalid(TENANT_ROOT, &part, signature.clone());
			}
		}
		// Each part needs a muid and a signature of its own.
		let (first, second) = (commit_of(&[draft(OBJECT, A)]), commit_of(&[draft(OBJECT, B)]));
		assert_eq!(first.muid, second.muid);
		assert_ok!(submit(first));
		assert_noop!(submit(second), Error::<Test>::MuidNotMonotonic);
		assert_ok!(submit(commit_of(&[draft(OBJECT, B)])));
	});
}

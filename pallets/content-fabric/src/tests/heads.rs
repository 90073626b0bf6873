// SPDX-License-Identifier: Apache-2.0
//! The heads of content objects: a finalization never turns one back.

use std::collections::BTreeMap;

use frame_support::assert_ok;

use super::replay::medallion_of;
use crate::{
	identifiers::{ContentObjectId, Muid, VersionId},
	mock::*,
	Call, ContentObjectInfo, ContentObjectInfoOf, ContentObjects, DraftVersion, Event,
	VersionCommit, VersionCommitOf, Versions,
};

/// Versions in the order of their commits, unless a test says otherwise.
const EARLY: VersionId = VersionId([10; 32]);
const LATE: VersionId = VersionId([11; 32]);

/// Returns a commit that was drafted at this time, in microseconds.
fn drafted_at(timestamp: u64, draft: DraftVersion) -> VersionCommitOf<Test> {
	let muid = Muid::new(timestamp, medallion_of(NODE), 0).expect("is in range");
	VersionCommit { muid, ..commit_of(&[draft]) }
}

fn row(object: ContentObjectId) -> ContentObjectInfoOf<Test> {
	ContentObjects::<Test>::get(TENANT, object).expect("the object exists")
}

fn committed(version: VersionId) -> Muid {
	Versions::<Test>::get((TENANT, OBJECT, version)).expect("the version exists").committed
}

/// Finalizes a version of an object. Returns whether it became the head, which the event must say
/// as the storage does.
fn finalizing_moves(object: ContentObjectId, version: VersionId) -> bool {
	assert_ok!(finalize_list(&[(object, version)]));
	let head_moved = row(object).head_version == Some(version);
	let event = Event::VersionFinalized { tenant: TENANT, object, version, head_moved };
	assert_eq!(events().last(), Some(&event));
	head_moved
}

/// Finalizes a version of [`OBJECT`]. Returns whether it became the head.
fn finalizing_moves_head(version: VersionId) -> bool {
	finalizing_moves(OBJECT, version)
}

#[test]
fn a_finalized_version_becomes_the_head_only_if_its_commit_asked_for_it() {
	Chain::small_fabric().block(|| {
		assert_ok!(submit(commit_of(&[draft(OBJECT, EARLY), head_draft(OBJECT, LATE)])));
		let before = row(OBJECT);
		assert!(!finalizing_moves_head(EARLY));
		assert_eq!(row(OBJECT), before);
		assert!(finalizing_moves_head(LATE));
		// It is not a decision of the tenant, so `head_set` stays.
		let head_since = committed(LATE);
		assert_eq!(
			row(OBJECT),
			ContentObjectInfo { head_version: Some(LATE), head_since, ..before }
		);
	});
}

/// The muid of a commit may be ahead of the block by `MaxClockDrift`, so that its draft looks
/// younger than what the tenant decides in the blocks that follow.
#[test]
fn a_commit_that_is_dated_ahead_does_not_undo_a_decision_of_the_tenant() {
	for choice in [None, Some(FINALIZED)] {
		let mut chain = Chain::small_fabric();
		chain.block(|| {
			let ahead = System::block_number() * 6_000_000 + 30_000_000;
			assert_ok!(submit(drafted_at(ahead, head_draft(OBJECT, NEW))));
		});
		chain.block(|| {
			assert_ok!(set_head(OBJECT, choice));
			let drafted = Versions::<Test>::get((TENANT, OBJECT, NEW)).map(|info| info.muid);
			assert!(drafted > Some(row(OBJECT).head_set));
		});
		chain.block(|| {
			assert!(!finalizing_moves_head(NEW));
			assert_eq!(head(), choice);
		});
	}
}

/// Clears the head, clears it where none is set, and sets the present head again.
#[test]
fn every_decision_keeps_earlier_commits_from_becoming_the_head() {
	for (object, decision) in [(OBJECT, None), (EMPTY_OBJECT, None), (OBJECT, Some(HEAD))] {
		let mut chain = Chain::small_fabric();
		chain.block(|| assert_eq!(submit(commit_of(&[head_draft(object, NEW)])), Ok(())));
		chain.block(|| {
			let before = row(object);
			assert_ok!(set_head(object, decision));
			let expected =
				ContentObjectInfo { head_version: decision, head_set: muid(1), ..before };
			assert_eq!(row(object), expected);
		});
		chain.block(|| {
			assert!(!finalizing_moves(object, NEW));
			assert_eq!(row(object).head_version, decision);
		});
		chain.block(|| {
			assert_ok!(submit(commit_of(&[head_draft(object, LATE)])));
			assert!(finalizing_moves(object, LATE));
		});
	}
}

#[test]
fn a_draft_must_be_a_microsecond_younger_than_the_decision() {
	Chain::small_fabric().block(|| {
		assert_ok!(set_head(OBJECT, None));
		let decided = row(OBJECT).head_set.timestamp();
		for (version, later_by) in [(EARLY, 0), (LATE, 1)] {
			assert_ok!(submit(drafted_at(decided + later_by, head_draft(OBJECT, version))));
			assert_eq!(finalizing_moves_head(version), later_by > 0);
		}
	});
}

/// A commit is signed before the chain creates the objects that it names. Their `head_set` is zero,
/// so only the order on the chain counts until the tenant decides.
#[test]
fn an_object_created_by_its_commit_gets_its_head() {
	let mut chain = Chain::small_fabric();
	let drafts = [EARLY, LATE].map(|version| head_draft(OTHER_OBJECT, version));
	let commit = chain.block(|| creating(&drafts));
	chain.block(|| {
		let drafted = commit.muid.timestamp();
		assert_ok!(submit(commit));
		let info = row(OTHER_OBJECT);
		assert!(info.created.timestamp() > drafted);
		assert_eq!(info.head_set, Muid::default());
	});
	chain.block(|| {
		assert!(finalizing_moves(OTHER_OBJECT, EARLY));
		assert!(finalizing_moves(OTHER_OBJECT, LATE));
	});
}

#[test]
fn versions_of_one_commit_become_the_head_in_the_order_of_the_list() {
	Chain::small_fabric().block(|| {
		assert_ok!(submit(commit_of(&[head_draft(OBJECT, EARLY), head_draft(OBJECT, LATE)])));
		assert!(finalizing_moves_head(LATE));
		assert!(!finalizing_moves_head(EARLY));
	});
}

/// To create an object is a decision about its head.
#[test]
fn a_commit_held_back_since_before_its_object_was_created_does_not_become_the_head() {
	let mut chain = Chain::small_fabric();
	let held_back = chain.block(|| commit_of(&[head_draft(OTHER_OBJECT, NEW)]));
	chain.block(|| {
		assert_ok!(create_object(OTHER_OBJECT));
		let info = row(OTHER_OBJECT);
		assert_eq!(info.head_set, info.created);
		// Drafted in the block of the creation, for which the chain has the same time.
		let created = info.created.timestamp();
		assert_ok!(submit(drafted_at(created, head_draft(OTHER_OBJECT, EARLY))));
	});
	chain.block(|| assert!(finalizing_moves(OTHER_OBJECT, EARLY)));

	let mut chain = Chain::small_fabric();
	chain.pass(1);
	chain.block(|| assert_eq!(create_object(OTHER_OBJECT), Ok(())));
	chain.block(|| {
		assert_ok!(submit(held_back));
		assert!(!finalizing_moves(OTHER_OBJECT, NEW));
	});
}

#[test]
fn an_older_commit_does_not_become_the_head_after_governance_deleted_the_head() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		assert_ok!(commit_head(EARLY));
		assert_ok!(commit_head(LATE));
		assert!(finalizing_moves_head(LATE));
	});
	chain.block(|| {
		let (before, tenant, object, version) = (row(OBJECT), TENANT, OBJECT, LATE);
		assert_ok!(freeze(THE_TENANT, true));
		let (created, reason) = (created(THE_TENANT), reason("why"));
		let delete = Call::governance_delete_version { tenant, created, object, version, reason };
		make(GOVERNOR, delete);
		assert_ok!(freeze(THE_TENANT, false));
		// `head_since` and `head_set` stay.
		let version_count = before.version_count - 1;
		assert_eq!(row(OBJECT), ContentObjectInfo { head_version: None, version_count, ..before });
	});
	chain.block(|| {
		assert!(!finalizing_moves_head(EARLY));
		assert_eq!(head(), None);
	});
	chain.block(|| {
		assert_ok!(commit_head(NEW));
		assert!(finalizing_moves_head(NEW));
	});
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
	/// A version that is to become the head is committed.
	Commit(VersionId),
	Finalize(VersionId),
	/// The tenant makes [`FINALIZED`] the head.
	Set,
	/// The tenant clears the head.
	Clear,
}

fn permutations(steps: &[Step]) -> Vec<Vec<Step>> {
	if steps.is_empty() {
		return vec![Vec::new()];
	}
	let mut all = Vec::new();
	for (place, step) in steps.iter().enumerate() {
		let rest = [&steps[..place], &steps[place + 1..]].concat();
		let orders = permutations(&rest).into_iter();
		all.extend(orders.map(|order| [vec![*step], order].concat()));
	}
	all
}

/// Returns all orders of the steps in which every version is committed before it is finalized.
fn orders() -> Vec<Vec<Step>> {
	let [a, b] = [EARLY, LATE];
	let steps = [
		Step::Commit(a),
		Step::Commit(b),
		Step::Finalize(a),
		Step::Finalize(b),
		Step::Set,
		Step::Clear,
	];
	let is_possible = |order: &Vec<Step>| {
		[a, b].into_iter().all(|version| {
			let place = |step: Step| order.iter().position(|it| *it == step);
			place(Step::Commit(version)) < place(Step::Finalize(version))
		})
	};
	permutations(&steps).into_iter().filter(is_possible).collect()
}

/// Takes the steps, a block each, and checks the head after each. Commits are drafted in the block
/// in which they are submitted; or before all steps, if the provider holds them back.
fn check_heads(order: &[Step], held_back: bool) {
	let mut chain = Chain::small_fabric();
	let start = chain.block(|| node_muid(PROVIDER, NODE).timestamp());
	let mut commits = BTreeMap::<VersionId, usize>::new();
	// The step that the head must not fall behind: the last decision, or the commit of a head since
	// then.
	let mut newest: Option<usize> = None;
	let mut decided = false;
	for (place, step) in order.iter().enumerate() {
		chain.block(|| match *step {
			Step::Commit(version) => {
				let mut commit = commit_of(&[head_draft(OBJECT, version)]);
				if held_back {
					commit = drafted_at(start + place as u64, head_draft(OBJECT, version));
				}
				assert_ok!(submit(commit));
				commits.insert(version, place);
			},
			Step::Finalize(version) => {
				let (before, commit) = (head(), commits[&version]);
				let is_newer = newest.is_none_or(|newest| commit > newest);
				let moved = finalizing_moves_head(version);
				let expected = is_newer && !(held_back && decided);
				assert_eq!(moved, expected, "{order:?} held back: {held_back}, at {place}");
				if moved {
					newest = Some(commit);
				} else {
					assert_eq!(head(), before);
				}
			},
			Step::Set | Step::Clear => {
				let decision = (*step == Step::Set).then_some(FINALIZED);
				assert_ok!(set_head(OBJECT, decision));
				assert_eq!(head(), decision);
				(newest, decided) = (Some(place), true);
			},
		});
	}
}

/// The head never moves to an earlier commit without a new decision of the tenant, and always moves
/// to a later one.
#[test]
fn no_order_of_commits_finalizations_and_decisions_turns_the_head_back() {
	let orders = orders();
	// Of six steps, two of which must each come before another.
	assert_eq!(orders.len(), 720 / 4);
	for order in orders {
		for held_back in [false, true] {
			check_heads(&order, held_back);
		}
	}
}

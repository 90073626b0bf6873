// SPDX-License-Identifier: Apache-2.0
//! Notifications to other pallets: their content, their order, and their weight.

use frame_support::{
	assert_noop, assert_ok, dispatch::DispatchResult, storage::with_storage_layer, traits::Hooks,
	weights::Weight,
};
use sp_runtime::traits::Dispatchable;

use super::{
	genesis,
	permissions::every_call,
	weights::{lists, weight},
};
use crate::{
	identifiers::{ContentObjectId, Medallion, VersionId},
	mock::{recorder::*, *},
	Call, Collections, ContentRef, DraftVersion, Error, Observer, PurgeScope, RecordKeyOf,
	WeightInfo,
};

/// The number of kinds of notifications.
const KINDS: usize = 13;

/// Returns what is noted while something happens.
fn recorded<R>(body: impl FnOnce() -> R) -> (R, Vec<Notice>) {
	Notices::kill();
	Recording::set(true);
	let result = body();
	Recording::set(false);
	(result, Notices::take())
}

/// Returns what is noted by a call that succeeds.
fn recorded_by(who: AccountId, call: Call<Test>) -> Vec<Notice> {
	let name = format!("{call:?}");
	let (result, notices) = recorded(|| RuntimeCall::from(call).dispatch(signed(who)));
	assert!(result.is_ok(), "{name}: {result:?}");
	notices
}

/// Returns a version of [`OBJECT`] as the observer receives it: committed, or finalized as well.
fn observed(version: VersionId, finalized: bool) -> Version {
	let medallion = node_muid(PROVIDER, NODE).medallion();
	let medallion = Medallion::new(medallion).expect("the node has it");
	(TENANT, OBJECT, version, 1_000, PROVIDER, NODE, medallion, finalized)
}

fn version(number: u8) -> VersionId {
	VersionId([100 + number; 32])
}

/// Returns a call that commits versions of [`OBJECT`], the first of which is to become the head.
fn commit_versions(count: u8) -> Call<Test> {
	let draft = |number| DraftVersion {
		set_head_on_finalize: number == 0,
		..draft(OBJECT, version(number))
	};
	commit_call(TENANT_ROOT, commit_of(&(0..count).map(draft).collect::<Vec<_>>()))
}

fn finalize_versions(count: u8) -> Call<Test> {
	finalize_call(NODE, &(0..count).map(version).collect::<Vec<_>>())
}

/// Returns calls that put and delete this many records.
fn records(count: u8) -> [Call<Test>; 2] {
	let [_, _, put, delete, ..] = lists(count);
	[put, delete]
}

#[test]
fn versions_are_told_one_by_one_with_size_provider_and_node_and_so_are_heads() {
	Chain::small_fabric().block(|| {
		let committed = recorded_by(PROVIDER_ROOT, commit_versions(2));
		let versions = [version(0), version(1)].map(|version| observed(version, false));
		assert_eq!(committed, versions.map(Notice::VersionCommitted));
		let versions = [version(0), version(1)].map(|version| observed(version, true));

		let finalized = recorded_by(PROVIDER_ROOT, finalize_versions(2));
		assert_eq!(
			finalized,
			[
				Notice::CopyHeld(versions[0]),
				Notice::VersionFinalized(versions[0]),
				Notice::HeadMoved(TENANT, OBJECT, Some(version(0))),
				Notice::CopyHeld(versions[1]),
				Notice::VersionFinalized(versions[1]),
			]
		);

		for head in [Some(version(1)), None] {
			let (tenant, object) = (TENANT, OBJECT);
			let set = Call::set_head_version { tenant, object, version: head };
			assert_eq!(recorded_by(TENANT_ROOT, set), [Notice::HeadMoved(TENANT, OBJECT, head)]);
		}
	});
}

#[test]
fn copies_are_told_when_a_node_holds_them_and_when_one_that_was_held_is_removed() {
	Chain::small_fabric().block(|| {
		assert_ok!(confirm_node(PROVIDER, PENDING_NODE));
		let other = (PROVIDER, PENDING_NODE);
		let info = crate::Nodes::<Test>::get(PROVIDER, PENDING_NODE).expect("it exists");
		let first = info.medallion;
		let of_other =
			|version| (TENANT, OBJECT, version, 1_000, PROVIDER, PENDING_NODE, first, true);
		assert_eq!(recorded_by(TENANT_ROOT, add_copies(other, &[HEAD, DRAFT])), []);
		// It is not the first to hold one of them, and the first to hold the other.
		assert_eq!(
			recorded_by(PROVIDER_ROOT, finalize_call(PENDING_NODE, &[HEAD, DRAFT])),
			[
				Notice::CopyHeld(of_other(HEAD)),
				Notice::CopyHeld(of_other(DRAFT)),
				Notice::VersionFinalized(of_other(DRAFT)),
			]
		);
		// The second version has never been held by this node.
		let removal = remove_copies((PROVIDER, NODE), &[HEAD, DRAFT]);
		assert_eq!(recorded_by(TENANT_ROOT, removal), [Notice::CopyRemoved(observed(HEAD, true))]);
		// A new node with the same id takes the place of one that held the data.
		assert_ok!(ContentFabric::remove_node(signed(PROVIDER_ROOT), PROVIDER, PENDING_NODE));
		assert_ok!(create_node(PROVIDER, PENDING_NODE));
		assert_ok!(confirm_node(PROVIDER, PENDING_NODE));
		let replaced = recorded_by(TENANT_ROOT, add_copies(other, &[HEAD]));
		assert_eq!(replaced, [Notice::CopyRemoved(of_other(HEAD))]);
		assert_eq!(recorded_by(TENANT_ROOT, remove_copies(other, &[HEAD])), []);
		// The copies of a version end with it.
		let (tenant, object, version) = (TENANT, OBJECT, FINALIZED);
		let deleted = recorded_by(TENANT_ROOT, Call::delete_version { tenant, object, version });
		let expected = [
			Notice::CopyRemoved(observed(FINALIZED, true)),
			Notice::VersionDeleted(TENANT, OBJECT, FINALIZED),
		];
		assert_eq!(deleted, expected);
	});
}

#[test]
fn deleted_versions_are_told_after_their_copies_and_so_is_a_head_that_governance_deletes() {
	Chain::small_fabric().block(|| {
		let deleted = |version| Notice::VersionDeleted(TENANT, OBJECT, version);
		let removed = |version| Notice::CopyRemoved(observed(version, true));
		let (tenant, object, version) = (TENANT, OBJECT, FINALIZED);
		let by_tenant = Call::delete_version { tenant, object, version };
		assert_eq!(recorded_by(TENANT_ROOT, by_tenant), [removed(FINALIZED), deleted(FINALIZED)]);

		assert_ok!(freeze(THE_TENANT, true));
		let (created, reason) = (created(THE_TENANT), || reason("why"));
		let delete = |version| {
			let reason = reason();
			Call::governance_delete_version { tenant, created, object, version, reason }
		};
		assert_eq!(recorded_by(GOVERNOR, delete(DRAFT)), [deleted(DRAFT)]);
		let of_head = [Notice::HeadMoved(TENANT, OBJECT, None), removed(HEAD), deleted(HEAD)];
		assert_eq!(recorded_by(GOVERNOR, delete(HEAD)), of_head);
	});
}

#[test]
fn removed_nodes_are_told_with_the_medallion_that_no_node_has_again() {
	Chain::small_fabric().block(|| {
		let (provider, reason) = (PROVIDER, || reason("why"));
		let medallion = |node| {
			let info = crate::Nodes::<Test>::get(PROVIDER, node).expect("the node exists");
			info.medallion
		};
		let first = medallion(NODE);
		let removed = recorded_by(PROVIDER_ROOT, Call::remove_node { provider, node: NODE });
		assert_eq!(removed, [Notice::NodeRemoved(PROVIDER, NODE, first)]);
		assert_ok!(create_node(PROVIDER, NODE));
		let second = medallion(NODE);
		assert_ne!(first, second);
		assert_ok!(freeze(THE_PROVIDER, true));
		let (created, node, reason) = (created(THE_PROVIDER), NODE, reason());
		let by_governance = Call::governance_delete_node { provider, created, node, reason };
		let removed = recorded_by(GOVERNOR, by_governance);
		assert_eq!(removed, [Notice::NodeRemoved(PROVIDER, NODE, second)]);
	});
}

#[test]
fn records_are_told_one_by_one_even_those_whose_keys_the_chain_mints() {
	Chain::small_fabric().block(|| {
		let (names, target) = (COLLECTION.as_bytes().to_vec(), whole_object());
		let put = |key: &[u8]| Notice::RecordPut(TENANT, names.clone(), key.to_vec(), target);
		let deleted = |key: &[u8]| Notice::RecordDeleted(TENANT, names.clone(), key.to_vec());
		let [by_put, by_delete] = records(2).map(|call| recorded_by(TENANT_ROOT, call));
		assert_eq!(by_put, [put(b"0"), put(b"1")]);
		assert_eq!(by_delete, [deleted(b"0"), deleted(b"1")]);

		let (collection, records) = (name(EMPTY_COLLECTION), bounded([(None, target)]));
		let mint = Call::put_records { tenant: TENANT, collection: collection.clone(), records };
		let [Notice::RecordPut(tenant, told_collection, minted, told_target)] =
			&recorded_by(TENANT_ROOT, mint)[..]
		else {
			panic!("one record was put")
		};
		assert_eq!((*tenant, *told_target), (TENANT, target));
		assert_eq!(told_collection, EMPTY_COLLECTION.as_bytes());
		let minted: RecordKeyOf<Test> = bounded(minted.clone());
		assert!(crate::Records::<Test>::contains_key((TENANT, collection, &minted)));

		assert_ok!(freeze(THE_TENANT, true));
		let (collection, key) = (name(COLLECTION), key(RECORD));
		let (tenant, created, reason) = (TENANT, created(THE_TENANT), reason("why"));
		let delete = Call::governance_delete_record { tenant, created, collection, key, reason };
		assert_eq!(recorded_by(GOVERNOR, delete), [deleted(RECORD.as_bytes())]);
	});
}

#[test]
fn notifications_name_members_with_their_incarnation_from_creation_to_deletion() {
	Chain::small_fabric().block(|| {
		for member in NEW_MEMBERS {
			let by = recorded_by(STRANGER, create(member, MAX_HELD));
			assert_eq!(by, [Notice::MemberCreated(member, SPACE, STRANGER)]);
		}
		let [provider, tenant] = NEW_MEMBERS;
		let created = created(tenant);
		let slashes = [(1, 1), (0, 0), (Balance::MAX, TENANT_BOND - 1)];
		for (amount, slashed) in slashes {
			let slash = Call::slash { member: tenant, created, amount, reason: reason("why") };
			assert_eq!(recorded_by(GOVERNOR, slash), [Notice::Slashed(tenant, created, slashed)]);
		}
		// Without a bond it may go at once.
		let deleted = Notice::MemberDeleted(tenant, created);
		assert_eq!(recorded_by(STRANGER, Call::delete_member { member: tenant }), [deleted]);
		// Without rows, it is purged at once.
		let (member, created, reason) = (provider, crate::mock::created(provider), reason("why"));
		let by =
			recorded_by(GOVERNOR, Call::governance_delete { member, created, slash: 7, reason });
		let purged = Notice::MemberPurged(member, created, PurgeScope::Member);
		assert_eq!(by, [Notice::Slashed(member, created, 7), purged]);
	});
}

#[test]
fn genesis_members_have_notifications() {
	empty().execute_with(|| {
		let build = || frame_support::traits::BuildGenesisConfig::build(&genesis::config());
		let created = |member, space, root| Notice::MemberCreated(member, space, root);
		let expected = [
			created(THE_PROVIDER, SPACE, PROVIDER_ROOT),
			created(THE_TENANT, SPACE, TENANT_ROOT),
			created(OTHER_TENANT.into(), OTHER_SPACE, genesis::OTHER_ROOT),
		];
		assert_eq!(recorded(build).1, expected);
	});
}

#[test]
fn the_end_of_a_purge_is_told_once_whoever_purges_and_whoever_removes_the_rows() {
	let mut chain = Chain::small_fabric();
	let [provider, tenant] = chain.block(|| THE_MEMBERS.map(created));
	chain.block(|| {
		let ((), notices) = recorded(|| {
			assert_ok!(governance_delete(THE_TENANT));
			assert_ok!(purge_member(THE_PROVIDER));
		});
		assert_eq!(notices, [], "nothing is removed yet");
	});
	chain.block(|| {
		let reap = |limit| Call::reap { member: THE_TENANT, limit };
		assert_eq!(recorded_by(STRANGER, reap(TENANT_ROWS - 1)), []);
		let purged = Notice::MemberPurged(THE_TENANT, tenant, PurgeScope::Member);
		assert_eq!(recorded_by(STRANGER, reap(1)), [purged]);
		let idle = |weight| recorded(|| ContentFabric::on_idle(0, weight)).1;
		let base = <() as WeightInfo>::on_idle_base();
		let reap = <() as WeightInfo>::reap;
		// The places of the tenant, which is empty, and of the provider.
		let purged = Notice::MemberPurged(THE_PROVIDER, provider, PurgeScope::Rows);
		assert_eq!(idle(base * 3 + reap(PROVIDER_ROWS - 1)), []);
		assert_eq!(idle(base * 3 + reap(1)), [purged]);
	});
}

/// Gives each kind of notification a weight of its own, so that a sum of up to 15 of each shows the
/// number of each kind.
fn set_weights() {
	NoticeWeights::set(core::array::from_fn(weight_of));
}

fn weight_of(kind: usize) -> Weight {
	let unit = 1 << (4 * kind);
	Weight::from_parts(unit, unit)
}

/// Returns the number of notifications of each kind in a sum of their weights.
fn counts(weight: Weight) -> [u64; KINDS] {
	assert_eq!(weight.ref_time(), weight.proof_size());
	core::array::from_fn(|kind| (weight.ref_time() >> (4 * kind)) & 15)
}

/// Returns how many notifications of each kind a call has the weight of.
fn weighed(call: &Call<Test>) -> [u64; KINDS] {
	NoticeWeights::set(Default::default());
	let without = weight(call.clone());
	set_weights();
	counts(weight(call.clone()) - without)
}

/// Returns these notifications, by kind.
fn count_of(kinds: &[(usize, u64)]) -> [u64; KINDS] {
	let mut counts = [0; KINDS];
	kinds.iter().for_each(|(kind, count)| counts[*kind] = *count);
	counts
}

#[test]
fn each_item_of_a_list_adds_the_weight_of_what_is_told_of_it() {
	Chain::small_fabric().block(|| {
		for items in [1, 2, 15] {
			let count = items.into();
			let expected: [&[_]; 8] = [
				&[(0, count)],
				&[(1, count), (2, count), (11, count)],
				&[(3, count)],
				&[(4, count)],
				&[],
				// The rows of a purge have no notifications.
				&[(7, 1)],
				&[(12, count)],
				&[(12, count)],
			];
			assert_eq!(lists(items).map(|call| weighed(&call)), expected.map(count_of));
		}
	});
}

#[test]
fn every_call_has_the_weight_of_what_it_tells_and_no_more() {
	Chain::fabric_with_keys().block(|| {
		for call in every_call() {
			let expected: &[(usize, u64)] = match &call {
				Call::commit_versions { .. } => &[(0, 1)],
				Call::finalize_versions { .. } => &[(1, 1), (2, 1), (11, 1)],
				Call::add_copies { .. } | Call::remove_copies { .. } => &[(12, 1)],
				Call::set_head_version { .. } => &[(2, 1)],
				Call::delete_version { .. } => &[(9, 1), (12, 8)],
				Call::governance_delete_version { .. } => &[(2, 1), (9, 1), (12, 8)],
				Call::remove_node { .. } | Call::governance_delete_node { .. } => &[(10, 1)],
				Call::put_records { .. } => &[(3, 1)],
				Call::delete_records { .. } | Call::governance_delete_record { .. } => &[(4, 1)],
				Call::create_provider { .. } | Call::create_tenant { .. } => &[(5, 1)],
				Call::delete_member { .. } => &[(6, 1)],
				Call::reap { .. } => &[(7, 1)],
				Call::slash { .. } => &[(8, 1)],
				Call::governance_delete { .. } => &[(7, 1), (8, 1)],
				_ => &[],
			};
			assert_eq!(weighed(&call), count_of(expected), "{call:?}");
		}
	});
}

#[test]
fn an_observer_that_ignores_everything_has_no_weight() {
	type Nobody = ();
	type Pair = ((), ());
	fn weights<O: Observer<AccountId, Balance>>() -> [Weight; KINDS] {
		[
			O::version_committed_weight(),
			O::version_finalized_weight(),
			O::head_moved_weight(),
			O::record_put_weight(),
			O::record_deleted_weight(),
			O::member_created_weight(),
			O::member_deleted_weight(),
			O::member_purged_weight(),
			O::slashed_weight(),
			O::version_deleted_weight(),
			O::node_removed_weight(),
			O::copy_held_weight(),
			O::copy_removed_weight(),
		]
	}
	assert_eq!(weights::<Nobody>(), [Weight::zero(); KINDS]);
	assert_eq!(weights::<Pair>(), [Weight::zero(); KINDS]);
	set_weights();
	assert_eq!(weights::<(Recorder, ())>(), core::array::from_fn(weight_of));
	assert_eq!(weights::<(Recorder, Recorder)>(), core::array::from_fn(|kind| weight_of(kind) * 2));
}

#[test]
fn without_an_observer_calls_have_the_weights_of_the_benchmarks() {
	Chain::fabric_with_keys().block(|| {
		type Measured = ();
		let [commit, finalize, ..] = lists(3).map(weight);
		assert_eq!(commit, Measured::commit_versions(3, 0));
		assert_eq!(finalize, Measured::finalize_versions(3));
		for call in every_call() {
			let measured = match &call {
				Call::create_provider { .. } => Measured::create_provider(),
				Call::create_tenant { .. } => Measured::create_tenant(),
				Call::delete_member { .. } => Measured::delete_member(),
				Call::add_copies { .. } => Measured::add_copies(1),
				Call::remove_copies { .. } => Measured::remove_copies(1),
				Call::set_head_version { .. } => Measured::set_head_version(),
				Call::remove_node { .. } => Measured::remove_node(),
				Call::governance_delete_node { .. } => Measured::governance_delete_node(),
				Call::delete_version { .. } => Measured::delete_version(),
				Call::governance_delete_version { .. } => Measured::governance_delete_version(),
				Call::governance_delete_record { collection, key, .. } => {
					let (name, key) = (collection.len() as u32, key.len() as u32);
					Measured::governance_delete_record(name, key)
				},
				Call::slash { .. } => Measured::slash(),
				Call::governance_delete { .. } => Measured::governance_delete(),
				Call::reap { limit, .. } => Measured::reap(*limit),
				_ => continue,
			};
			assert_eq!(weight(call.clone()), measured, "{call:?}");
		}
	});
}

#[test]
fn a_pair_notifies_both_observers() {
	empty().execute_with(|| {
		let ((), notices) = recorded(|| {
			let (member, created) = (THE_TENANT, Default::default());
			<((), (Recorder, Recorder)) as Observer<AccountId, Balance>>::on_slashed(
				member, created, 3,
			);
		});
		let slashed = Notice::Slashed(THE_TENANT, Default::default(), 3);
		assert_eq!(notices, [slashed.clone(), slashed]);
	});
}

#[test]
fn the_last_step_of_a_purge_has_the_weight_of_its_notification_and_no_other_has() {
	let mut chain = Chain::small_fabric();
	chain.block(|| assert_eq!(governance_delete(THE_TENANT), Ok(())));
	set_weights();
	let (base, reap) = (<() as WeightInfo>::on_idle_base(), <() as WeightInfo>::reap);
	chain.block(|| {
		let post = crate::mock::reap(THE_TENANT, 1).expect("the purge is under way");
		assert_eq!(post.actual_weight, Some(reap(1)));
		// A step leaves room for the notification, even if it does not send one.
		let room = base * 2 + reap(2) + weight_of(7);
		for less in [Weight::from_parts(1, 0), Weight::from_parts(0, 1)] {
			assert_eq!(ContentFabric::on_idle(0, room - less - reap(1) + reap(0)), base * 2);
		}
		assert_eq!(ContentFabric::on_idle(0, room), base * 2 + reap(2));
	});
	chain.block(|| {
		let left = TENANT_ROWS - 3;
		let consumed = ContentFabric::on_idle(0, Weight::MAX);
		assert_eq!(consumed, base * 2 + reap(left) + weight_of(7));
		assert_eq!(ContentFabric::rows(THE_TENANT), None);
	});
}

#[test]
fn a_failed_call_sends_no_notification() {
	Chain::small_fabric().block(|| {
		let (result, notices) = recorded(|| finalize_as(PROVIDER_ROOT, &[DRAFT, HEAD]));
		assert_eq!(result, Err(Error::<Test>::CopyAlreadyHeld.into()));
		assert_eq!(notices, []);
		// The first of a list, even if what follows fails, because all of the list comes first.
		let records = bounded([(Some(key("a")), whole_object()), (Some(key("b:")), MISSING)]);
		let put = Call::put_records { tenant: TENANT, collection: name(COLLECTION), records };
		let (result, notices) = recorded(|| RuntimeCall::from(put).dispatch(signed(TENANT_ROOT)));
		assert!(result.is_err() && notices.is_empty(), "{result:?}: {notices:?}");
	});
}

/// Content that does not exist.
const MISSING: ContentRef = ContentRef { object: ContentObjectId([9; 10]), version: None };

#[test]
fn what_an_observer_has_written_is_undone_with_a_call_or_batch_that_fails_later() {
	Chain::small_fabric().block(|| {
		Recording::set(true);
		let batch = with_storage_layer(|| -> DispatchResult {
			finalize(DRAFT)?;
			let told = [Notice::CopyHeld, Notice::VersionFinalized];
			assert_eq!(Notices::get(), told.map(|it| it(observed(DRAFT, true))));
			finalize(DRAFT)
		});
		assert_eq!(batch, Err(Error::<Test>::CopyAlreadyHeld.into()));
		assert_eq!(Notices::get(), []);
		// Alone, what it wrote stays.
		assert_ok!(finalize(DRAFT));
		assert_eq!(Notices::get().len(), 2);
		assert_noop!(finalize(DRAFT), Error::<Test>::CopyAlreadyHeld);
	});
}

#[test]
fn an_observer_is_told_after_the_rows_and_events_and_may_call_the_pallet() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		OnNotice::set(|| {
			// Both records, and the record of the small fabric.
			let info = Collections::<Test>::get(TENANT, name(COLLECTION)).expect("it exists");
			assert_eq!(info.record_count, 3);
			assert_eq!(ContentFabric::rows(THE_TENANT), Some(TENANT_ROWS + 2));
			assert_eq!(events().len(), 2);
		});
		let [put, _] = records(2);
		assert_eq!(recorded_by(TENANT_ROOT, put).len(), 2);
	});
	chain.block(|| {
		OnNotice::set(|| {
			Recording::set(false);
			assert_ok!(create_collection(TENANT, "by.observer"));
		});
		assert_eq!(recorded_by(PROVIDER_ROOT, commit_versions(1)).len(), 1);
		assert_eq!(ContentFabric::rows(THE_TENANT), Some(TENANT_ROWS + 2 + 2));
	});
}

// SPDX-License-Identifier: Apache-2.0
//! The chain's clock: muids and TIDs that rise whatever the time of the block does.

use frame_support::{assert_noop, assert_ok, dispatch::DispatchResult, storage::unhashed};
use sp_runtime::traits::Dispatchable;

use crate::{
	identifiers::{ClockId, ContentObjectId, Medallion, Muid, SpaceId, Tid, VersionId},
	mock::*,
	Call, ContentObjects, Error, Event, LastMuid, LastTid, RecordKeyOf, RecordPutOf, Records,
	Spaces, VersionCommit, Versions,
};

fn medallion(number: u64) -> Medallion {
	Medallion::new(number).expect("is in range")
}

fn muid_of(timestamp: u64, number: u64, offset: i32) -> Option<Muid> {
	Muid::new(timestamp, medallion(number), offset).ok()
}

fn tid_of(timestamp: u64) -> Option<Tid> {
	Tid::new(timestamp, ClockId::MAX).ok()
}

/// Returns the time of the block in microseconds.
fn now() -> u64 {
	System::block_number() * 6_000_000
}

/// Creates a space. Returns the muid that it was given.
fn create_space(id: u8) -> Muid {
	let space = SpaceId([id; 10]);
	assert_ok!(ContentFabric::create_space(RuntimeOrigin::root(), space, GOVERNOR, rules()));
	Spaces::<Test>::get(space).expect("the space was created").created
}

/// Puts this many records into the collection of TIDs, whose keys the chain mints.
fn put_minted(count: usize) -> DispatchResult {
	let records: Vec<RecordPutOf<Test>> = vec![(None, whole_object()); count];
	let records = records.try_into().expect("test lists are short");
	ContentFabric::put_records(signed(TENANT_ROOT), TENANT, name(EMPTY_COLLECTION), records)
}

/// Returns the keys of the records that were put in this block.
fn keys_put() -> Vec<RecordKeyOf<Test>> {
	let key = |event: Event<Test>| match event {
		Event::RecordPut { key, .. } => Some(key),
		_ => None,
	};
	events().into_iter().filter_map(key).collect()
}

/// Returns TIDs of this time and of the microseconds after it, as record keys.
fn tid_keys(first: u64, count: u64) -> Vec<RecordKeyOf<Test>> {
	let text = |time| tid_of(time).expect("is in range").to_string();
	(first..first + count).map(|time| key(&text(time))).collect()
}

#[test]
fn muids_rise_where_time_stands_still_or_steps_back() {
	assert_eq!(Muid::next(None, 5, medallion(7)).ok(), muid_of(5, 7, 1));
	for (last, now, next) in [
		(muid_of(5, 7, 1), 6, muid_of(6, 7, 1)),
		(muid_of(5, 7, 1), 5, muid_of(5, 7, 2)),
		(muid_of(5, 7, 9), 3, muid_of(5, 7, 10)),
		// The offsets of a timestamp are used up.
		(muid_of(5, 7, i32::MAX), 5, muid_of(6, 7, 1)),
		// A runtime upgrade has changed the chain's medallion.
		(muid_of(5, 8, 3), 5, muid_of(6, 7, 1)),
		(muid_of(5, 6, 3), 5, muid_of(5, 7, 4)),
	] {
		assert_eq!(Muid::next(last, now, medallion(7)).ok(), next);
		assert!(next > last);
	}
}

#[test]
fn the_last_muid_is_followed_by_an_error() {
	let end = Muid::MAX_TIMESTAMP;
	assert_eq!(Muid::next(None, end, medallion(7)).ok(), muid_of(end, 7, 1));
	for (last, now) in [
		(None, end + 1),
		(None, u64::MAX),
		(muid_of(5, 7, 1), end + 1),
		(muid_of(end, 7, i32::MAX), 5),
		(muid_of(end, 8, 1), 5),
	] {
		assert_eq!(Muid::next(last, now, medallion(7)).ok(), None);
	}

	Chain::small_fabric().block(|| {
		LastMuid::<Test>::set(Muid::new(end, Medallion::MAX, i32::MAX).ok());
		assert_noop!(
			ContentFabric::create_space(RuntimeOrigin::root(), SpaceId([7; 10]), GOVERNOR, rules()),
			Error::<Test>::ClockExhausted
		);
	});
}

#[test]
fn rows_of_one_block_and_of_the_next_have_rising_muids() {
	let mut chain = Chain::small_fabric();
	let mut muids = Vec::new();
	for block in 0..3u8 {
		chain.block(|| {
			for number in 0..3u8 {
				let object = ContentObjectId([block * 3 + number + 100; 10]);
				let tenant = signed(TENANT_ROOT);
				assert_ok!(ContentFabric::create_content_object(tenant, TENANT, object));
				let info = ContentObjects::<Test>::get(TENANT, object);
				let created = info.expect("the object was created").created;
				assert_eq!(created, muid(i32::from(number) + 1));
				muids.push(created);
			}
		});
	}
	assert!(muids.is_sorted_by(|a, b| a < b));
}

#[test]
fn blocks_of_the_same_time_and_of_an_earlier_one_have_rising_muids() {
	let mut chain = Chain::small_fabric();
	// The clock of the mock is the number of the block.
	let muids = [(10, 50), (11, 50), (12, 30), (13, 51)].map(|(id, number)| {
		chain.block(|| {
			System::set_block_number(number);
			create_space(id)
		})
	});
	let parts = muids.map(|muid| (muid.timestamp(), muid.offset()));
	let at = 50 * 6_000_000;
	assert_eq!(parts, [(at, 1), (at, 2), (at, 3), (at + 6_000_000, 1)]);
}

#[test]
fn what_one_commit_creates_has_rising_muids_in_the_order_of_its_list() {
	let (first, second) = (ContentObjectId([11; 10]), ContentObjectId([12; 10]));
	let [a, b, c] = [11, 12, 13].map(|byte| VersionId([byte; 32]));
	Chain::small_fabric().block(|| {
		let drafts = [draft(first, a), draft(first, b), draft(second, c)];
		assert_ok!(submit(VersionCommit { create_objects: true, ..commit_of(&drafts) }));
		let created = |object: ContentObjectId| {
			ContentObjects::<Test>::get(TENANT, object).map(|info| info.created)
		};
		let committed = |object: ContentObjectId, version: VersionId| {
			Versions::<Test>::get((TENANT, object, version)).map(|info| info.committed)
		};
		let muids = [
			created(first),
			committed(first, a),
			committed(first, b),
			created(second),
			committed(second, c),
		];
		assert_eq!(muids, [1, 2, 3, 4, 5].map(|count| Some(muid(count))));
		// The clock goes on from the last of them.
		assert_eq!(LastMuid::<Test>::get(), Some(muid(5)));
		assert_eq!(create_space(10), muid(6));
	});
}

#[test]
fn a_failed_batch_does_not_move_the_clock() {
	Chain::small_fabric().block(|| {
		// The first version could be committed; the second one exists.
		let commit = commit_of(&[draft(OBJECT, NEW), draft(OBJECT, HEAD)]);
		let signature = sign(TENANT_ROOT, &commit);
		let call = Call::commit_versions { tenant_signer: TENANT_ROOT, commit, signature };
		assert_noop!(
			RuntimeCall::from(call).dispatch(signed(PROVIDER_ROOT)).map_err(|error| error.error),
			Error::<Test>::VersionAlreadyExists
		);
		assert_eq!(create_space(10), muid(1));
	});
}

#[test]
fn tids_rise_where_time_stands_still_or_steps_back() {
	assert_eq!(Tid::next(None, 5, ClockId::MAX).ok(), tid_of(5));
	for (last, now, next) in [(5, 6, 6), (5, 5, 6), (5, 3, 6), (5, 900, 900)] {
		assert_eq!(Tid::next(tid_of(last), now, ClockId::MAX).ok(), tid_of(next));
	}
	// A runtime upgrade may bring a smaller clock id.
	let smaller = ClockId::new(0).expect("is in range");
	assert!(Tid::next(tid_of(5), 5, smaller).ok() > tid_of(5));
}

#[test]
fn the_last_tid_is_followed_by_an_error() {
	assert_eq!(Tid::next(None, Tid::MAX_TIMESTAMP, ClockId::MAX).ok(), tid_of(Tid::MAX_TIMESTAMP));
	assert_eq!(Tid::next(None, Tid::MAX_TIMESTAMP + 1, ClockId::MAX).ok(), None);
	assert_eq!(Tid::next(tid_of(Tid::MAX_TIMESTAMP), 5, ClockId::MAX).ok(), None);

	Chain::small_fabric().block(|| {
		LastTid::<Test>::set(tid_of(Tid::MAX_TIMESTAMP));
		assert_noop!(put_minted(1), Error::<Test>::ClockExhausted);
	});
}

#[test]
fn record_keys_of_one_call_and_of_the_next_have_rising_tids() {
	let mut chain = Chain::small_fabric();
	for _ in 0..2 {
		chain.block(|| {
			assert_ok!(put_minted(3));
			assert_eq!(keys_put(), tid_keys(now(), 3));
			assert_eq!(LastTid::<Test>::get(), tid_of(now() + 2));
			assert_ok!(put_minted(2));
			assert_eq!(keys_put(), tid_keys(now(), 5));
			assert_eq!(LastTid::<Test>::get(), tid_of(now() + 4));
			// Each record has a muid of its own, too, in the order of the lists.
			for (count, key) in (1..).zip(keys_put()) {
				let record = Records::<Test>::get((TENANT, name(EMPTY_COLLECTION), key));
				assert_eq!(record.map(|record| record.updated), Some(muid(count)));
			}
		});
	}
}

#[test]
fn tids_go_on_from_the_last_one_where_the_time_of_the_block_is_behind() {
	Chain::small_fabric().block(|| {
		let last = now() + 1_000;
		LastTid::<Test>::set(tid_of(last));
		assert_ok!(put_minted(2));
		assert_eq!(keys_put(), tid_keys(last + 1, 2));
	});
}

#[test]
fn a_list_of_records_with_keys_of_their_own_mints_no_tid() {
	Chain::small_fabric().block(|| {
		assert_ok!(put(&[("first", whole_object()), ("second", whole_object())]));
		assert_eq!(LastTid::<Test>::get(), None);
		assert_eq!(LastMuid::<Test>::get(), Some(muid(2)));
	});
}

#[test]
fn the_last_tid_is_stored_as_its_big_endian_bytes() {
	Chain::small_fabric().block(|| {
		assert_ok!(put_minted(1));
		let tid = tid_of(now()).expect("is in range");
		let stored = unhashed::get_raw(&raw_key("LastTid", &[]));
		assert_eq!(stored, Some(tid.to_u64().to_be_bytes().to_vec()));
	});
}

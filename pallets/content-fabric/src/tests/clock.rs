// SPDX-License-Identifier: Apache-2.0
//! The chain's clock: muids and TIDs that rise whatever the time of the block does.

use frame_support::{assert_noop, assert_ok, dispatch::DispatchResult, storage::unhashed};

use super::replay::now;
use crate::{
	identifiers::{ClockId, ContentObjectId, Medallion, Muid, SpaceId, Tid},
	mock::{self, *},
	ContentObjects, Error, Event, LastMuid, LastTid, RecordKeyOf, Spaces,
};

fn tid_of(timestamp: u64) -> Option<Tid> {
	Tid::new(timestamp, ClockId::MAX).ok()
}

/// Creates a space. Returns the muid that it was given.
fn create_space(id: u8) -> Muid {
	let space = SpaceId([id; 10]);
	assert_ok!(mock::create_space(space, GOVERNOR, rules()));
	Spaces::<Test>::get(space).expect("the space was created").created
}

/// Puts this many records into the collection of TIDs, whose keys the chain mints.
fn put_minted(count: usize) -> DispatchResult {
	let records = bounded(vec![(None, whole_object()); count]);
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
fn the_last_muid_is_followed_by_an_error() {
	Chain::small_fabric().block(|| {
		LastMuid::<Test>::set(Muid::new(Muid::MAX_TIMESTAMP, Medallion::MAX, i32::MAX).ok());
		let create = || mock::create_space(OTHER_SPACE, GOVERNOR, rules());
		assert_noop!(create(), Error::<Test>::ClockExhausted);
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
				assert_ok!(create_object(object));
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
fn muids_rise_where_time_stands_still_or_steps_back() {
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
	chain.block(|| {
		// The offsets of a timestamp are used up.
		let last = muids[3].with_offset(i32::MAX);
		LastMuid::<Test>::put(last);
		System::set_block_number(51);
		assert_eq!(create_space(14).timestamp(), last.timestamp() + 1);
	});
}

#[test]
fn a_failed_batch_does_not_move_the_clock() {
	Chain::small_fabric().block(|| {
		// The first version could be committed; the second one exists.
		let commit = commit_of(&[draft(OBJECT, NEW), draft(OBJECT, HEAD)]);
		let call = commit_call(TENANT_ROOT, commit);
		assert_refused(PROVIDER_ROOT, call, Error::<Test>::VersionAlreadyExists);
		assert_eq!(create_space(10), muid(1));
	});
}

#[test]
fn the_last_tid_is_followed_by_an_error() {
	Chain::small_fabric().block(|| {
		LastTid::<Test>::set(tid_of(Tid::MAX_TIMESTAMP));
		assert_noop!(put_minted(1), Error::<Test>::ClockExhausted);
	});
}

#[test]
fn the_last_tid_is_that_of_the_last_record_whose_key_was_minted() {
	Chain::small_fabric().block(|| {
		for (count, last) in [(3, 2), (2, 4)] {
			assert_ok!(put_minted(count));
			assert_eq!(LastTid::<Test>::get(), tid_of(now() + last));
		}
		assert_eq!(keys_put(), tid_keys(now(), 5));
	});
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

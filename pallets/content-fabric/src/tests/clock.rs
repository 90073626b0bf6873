// SPDX-License-Identifier: Apache-2.0
//! The chain's clock: muids and TIDs that rise whatever the time of the block does.

use frame_support::{assert_noop, assert_ok, dispatch::DispatchResult, storage::unhashed};

use super::replay::now;
use crate::{
	identifiers::{Muid, SpaceId, Tid},
	mock::{self, *},
	Error, LastMuid, LastTid, Spaces, Versions,
};

/// Returns a TID of the chain.
fn tid_of(timestamp: u64) -> Option<Tid> {
	Tid::new(timestamp, chain_clock_id()).ok()
}

/// Creates a space. Returns the muid that it was given.
fn create_space(id: u8) -> Muid {
	let space = SpaceId([id; 10]);
	assert_ok!(mock::create_space(space, GOVERNOR, rules()));
	Spaces::<Test>::get(space).expect("the space was created").created
}

/// Puts a record into the collection of TIDs, whose key the chain mints.
fn put_minted() -> DispatchResult {
	let records = bounded([(None, whole_object())]);
	ContentFabric::put_records(signed(TENANT_ROOT), TENANT, name(EMPTY_COLLECTION), records)
}

#[test]
fn the_last_muid_is_followed_by_an_error() {
	Chain::small_fabric().block(|| {
		LastMuid::<Test>::set(Muid::new(Muid::MAX_TIMESTAMP, chain_medallion(), 1).ok());
		let create = || mock::create_space(OTHER_SPACE, GOVERNOR, rules());
		assert_noop!(create(), Error::<Test>::ClockExhausted);
	});
}

#[test]
fn the_last_offset_is_followed_by_a_call_of_the_next_timestamp() {
	Chain::small_fabric().block(|| {
		let last = muid(1).with_offset(i32::MAX);
		LastMuid::<Test>::put(last);
		assert_eq!(create_space(14), muid(2));
	});
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
	assert_eq!(parts, [(at, 1), (at + 1, 1), (at + 2, 1), (at + 6_000_000, 1)]);
}

/// A call is a transaction: its muids share a timestamp, which no other call has.
#[test]
fn each_call_that_mints_begins_a_timestamp_of_its_own() {
	Chain::small_fabric().block(|| {
		let own = chain_medallion();
		let mut last = LastMuid::<Test>::get().expect("the chain has minted");
		for count in [1, 3, 2] {
			let keys: Vec<_> = (0..count).map(|number| format!("{count}-{number}")).collect();
			let records: Vec<_> = keys.iter().map(|key| (&**key, whole_object())).collect();
			assert_ok!(put(&records));
			let muids: Vec<_> = keys
				.iter()
				.map(|text| {
					let row = crate::Records::<Test>::get((TENANT, name(COLLECTION), key(text)));
					row.expect("it was put").updated
				})
				.collect();
			for (muid, offset) in muids.iter().zip(1..) {
				assert_eq!((muid.medallion(), muid.offset()), (own.get(), offset));
				assert_eq!(muid.timestamp(), muids[0].timestamp());
			}
			assert!(muids[0].timestamp() > last.timestamp());
			last = *muids.last().expect("there is one");
			assert_eq!(LastMuid::<Test>::get(), Some(last));
		}
		// A call that fails leaves its timestamp to the next one.
		assert!(put(&[("new", whole_object()), ("..", whole_object())]).is_err());
		assert_eq!(create_space(9).timestamp(), last.timestamp() + 1);
	});
}

/// The chain's clock runs ahead of the block by a microsecond for each call.
#[test]
fn a_version_is_finalized_no_earlier_than_it_was_committed() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		let ahead = now() + 4_000_999;
		LastMuid::<Test>::put(Muid::new(ahead, chain_medallion(), 1).expect("is in range"));
		assert_ok!(commit_head(NEW));
		assert_ok!(finalize(NEW));
		let info = Versions::<Test>::get((TENANT, OBJECT, NEW)).expect("it was committed");
		assert_eq!(info.committed.timestamp(), ahead + 1);
		assert_eq!(info.finalized, Some((ahead + 1) / 1_000));
		ContentFabric::do_try_state().expect("the storage is sound");
	});
	// Later blocks have caught up.
	chain.block(|| {
		assert_ok!(finalize(DRAFT));
		let info = Versions::<Test>::get((TENANT, OBJECT, DRAFT)).expect("it was committed");
		assert_eq!(info.finalized, Some(now() / 1_000));
	});
}

#[test]
fn the_last_tid_is_followed_by_an_error() {
	Chain::small_fabric().block(|| {
		LastTid::<Test>::set(tid_of(Tid::MAX_TIMESTAMP));
		assert_noop!(put_minted(), Error::<Test>::ClockExhausted);
	});
}

#[test]
fn a_list_of_records_with_keys_of_their_own_mints_no_tid() {
	Chain::small_fabric().block(|| {
		assert_ok!(put(&[("first", whole_object()), ("second", whole_object())]));
		// The clock id was drawn, but no key.
		assert_eq!(LastTid::<Test>::get(), tid_of(0));
		assert_eq!(LastMuid::<Test>::get(), Some(muid(1).with_offset(2)));
	});
}

#[test]
fn the_last_tid_is_stored_as_its_big_endian_bytes() {
	Chain::small_fabric().block(|| {
		assert_ok!(put_minted());
		let tid = tid_of(now()).expect("is in range");
		let stored = unhashed::get_raw(&raw_key("LastTid", &[]));
		assert_eq!(stored, Some(tid.to_u64().to_be_bytes().to_vec()));
	});
}

#[test]
fn a_key_that_a_client_has_put_is_not_minted_again() {
	Chain::small_fabric().block(|| {
		let next = tid_of(now()).expect("is in range").to_string();
		let records = bounded([(Some(key(&next)), whole_object())]);
		let (who, names) = (signed(TENANT_ROOT), name(EMPTY_COLLECTION));
		assert_ok!(ContentFabric::put_records(who, TENANT, names, records));
		assert_noop!(put_minted(), Error::<Test>::RecordAlreadyExists);
	});
}

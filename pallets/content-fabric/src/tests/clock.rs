// SPDX-License-Identifier: Apache-2.0
//! The chain's clock: muids and TIDs that rise whatever the time of the block does.

use frame_support::{assert_noop, assert_ok, dispatch::DispatchResult, storage::unhashed};

use super::replay::now;
use crate::{
	identifiers::{ClockId, Medallion, Muid, SpaceId, Tid},
	mock::{self, *},
	Error, LastMuid, LastTid, Spaces,
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

/// Puts a record into the collection of TIDs, whose key the chain mints.
fn put_minted() -> DispatchResult {
	let records = bounded([(None, whole_object())]);
	ContentFabric::put_records(signed(TENANT_ROOT), TENANT, name(EMPTY_COLLECTION), records)
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
		assert_eq!(LastTid::<Test>::get(), None);
		assert_eq!(LastMuid::<Test>::get(), Some(muid(2)));
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

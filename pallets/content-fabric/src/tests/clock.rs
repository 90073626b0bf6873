//! The chain's clock.

use frame_support::{assert_noop, assert_ok};

use crate::{
	clock::next_muid,
	identifiers::{ContentObjectId, Medallion, Muid, SpaceId},
	mock::*,
	ContentObjects, Error, LastMuid, Spaces,
};

fn medallion(number: u64) -> Medallion {
	Medallion::new(number).expect("is in range")
}

fn muid_of(timestamp: u64, number: u64, offset: i32) -> Option<Muid> {
	Muid::new(timestamp, medallion(number), offset)
}

#[test]
fn muids_rise_where_time_stands_still_or_steps_back() {
	assert_eq!(next_muid(None, 5, medallion(7)), muid_of(5, 7, 1));
	for (last, now, next) in [
		(muid_of(5, 7, 1), 6, muid_of(6, 7, 1)),
		(muid_of(5, 7, 1), 5, muid_of(5, 7, 2)),
		(muid_of(5, 7, 9), 3, muid_of(5, 7, 10)),
		// The offsets of a timestamp are used up.
		(muid_of(5, 7, i32::MAX), 5, muid_of(6, 7, 1)),
		// The medallion was changed by an upgrade.
		(muid_of(5, 8, 3), 5, muid_of(6, 7, 1)),
		(muid_of(5, 6, 3), 5, muid_of(5, 7, 4)),
	] {
		assert_eq!(next_muid(last, now, medallion(7)), next);
		assert!(next > last);
	}
}

#[test]
fn the_end_of_time_is_an_error() {
	let end = Muid::MAX_TIMESTAMP;
	assert_eq!(next_muid(None, end, medallion(7)), muid_of(end, 7, 1));
	for (last, now) in [
		(muid_of(5, 7, 1), end + 1),
		(muid_of(5, 7, 1), u64::MAX),
		(muid_of(end, 7, i32::MAX), 5),
		(muid_of(end, 8, 1), 5),
	] {
		assert_eq!(next_muid(last, now, medallion(7)), None);
	}
	assert_eq!(next_muid(None, u64::MAX, medallion(7)), None);

	Chain::small_fabric().block(|| {
		let last = Muid::new(end, Medallion::MAX, i32::MAX).expect("is in range");
		LastMuid::<Test>::put(last);
		assert_noop!(
			ContentFabric::create_space(RuntimeOrigin::root(), SpaceId([7; 10]), GOVERNOR),
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
				let info = ContentObjects::<Test>::get(TENANT, object).expect("was created");
				assert_eq!(info.created, muid(i32::from(number) + 1));
				muids.push(info.created);
			}
		});
	}
	assert!(muids.is_sorted_by(|a, b| a < b));
}

#[test]
fn two_blocks_of_the_same_time_have_rising_muids() {
	let mut chain = Chain::small_fabric();
	let mut create = |id| {
		chain.block(|| {
			// The clock of this runtime is the number of the block.
			System::set_block_number(50);
			let space = SpaceId([id; 10]);
			assert_ok!(ContentFabric::create_space(RuntimeOrigin::root(), space, GOVERNOR));
			Spaces::<Test>::get(space).expect("was created").created
		})
	};
	let (first, second) = (create(10), create(11));
	assert_eq!((first.timestamp(), second.timestamp()), (300_000_000, 300_000_000));
	assert_eq!((first.offset(), second.offset()), (1, 2));
}

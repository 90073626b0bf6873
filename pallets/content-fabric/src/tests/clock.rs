//! The chain's clock.

use frame_support::{assert_noop, assert_ok};

use crate::{
	clock::{next_muid, next_tid, nth_medallion},
	identifiers::{ClockId, ContentObjectId, Medallion, Muid, NodeId, SpaceId, Tid},
	mock::*,
	ContentObjects, Error, LastMuid, LastTid, MedallionCount, Spaces,
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
			assert_ok!(ContentFabric::create_space(
				RuntimeOrigin::root(),
				space,
				GOVERNOR,
				rules()
			));
			Spaces::<Test>::get(space).expect("was created").created
		})
	};
	let (first, second) = (create(10), create(11));
	assert_eq!((first.timestamp(), second.timestamp()), (300_000_000, 300_000_000));
	assert_eq!((first.offset(), second.offset()), (1, 2));
}

#[test]
fn tids_rise_where_time_stands_still_or_steps_back() {
	let tid = |timestamp| Tid::new(timestamp, ClockId::MAX);
	assert_eq!(next_tid(None, 5, ClockId::MAX), tid(5));
	for (last, now, next) in [(5, 6, 6), (5, 5, 6), (5, 3, 6), (5, 900, 900)] {
		assert_eq!(next_tid(tid(last), now, ClockId::MAX), tid(next));
	}
	// A clock id that an upgrade has made smaller does not turn the order round.
	let clock_id = ClockId::new(0).expect("is in range");
	assert!(next_tid(tid(5), 5, clock_id) > tid(5));
	assert_eq!(next_tid(None, Tid::MAX_TIMESTAMP + 1, clock_id), None);
	assert_eq!(next_tid(tid(Tid::MAX_TIMESTAMP), 5, clock_id), None);

	Chain::small_fabric().block(|| {
		LastTid::<Test>::put(tid(Tid::MAX_TIMESTAMP).expect("is in range"));
		let target = crate::ContentRef { object: OBJECT, version: None };
		let (root, runs) = (signed(TENANT_ROOT), name(EMPTY_COLLECTION));
		assert_noop!(
			ContentFabric::put_record(root, TENANT, runs, None, target),
			Error::<Test>::ClockExhausted
		);
	});
}

#[test]
fn medallions_are_scattered_over_all_that_can_be_assigned() {
	let first: Vec<_> = (0..100_000).map(|count| nth_medallion(count).expect("is left")).collect();
	let unique: std::collections::BTreeSet<_> = first.iter().collect();
	assert_eq!(unique.len(), first.len());
	assert!(first.iter().all(|medallion| medallion.is_assignable()));
	// No two nodes that follow each other are near each other.
	let far = 1 << 37;
	assert!(first.windows(2).all(|pair| pair[0].get().abs_diff(pair[1].get()) > far));
	assert!(nth_medallion((1 << 40) - 1).is_some());
	assert_eq!(nth_medallion(1 << 40), None);
}

#[test]
fn a_node_whose_medallion_there_is_none_for_is_not_created() {
	Chain::small_fabric().block(|| {
		let create = |id| {
			let (root, node) = (signed(PROVIDER_ROOT), NodeId([id; 10]));
			ContentFabric::create_node(root, PROVIDER, node, PROVIDER_ROOT, locator("x"))
		};
		let _ = frame_support::storage::transactional::with_transaction(|| {
			MedallionCount::<Test>::put((1 << 40) - 1);
			assert_ok!(create(10));
			assert_noop!(create(11), Error::<Test>::MedallionsExhausted);
			// So many nodes cannot be looked through by the check of the invariants.
			sp_runtime::TransactionOutcome::Rollback(Ok::<_, sp_runtime::DispatchError>(()))
		});
	});
}

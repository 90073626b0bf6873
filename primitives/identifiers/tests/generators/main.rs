// SPDX-License-Identifier: Apache-2.0
//! Generators, under any clock and any observations: they never repeat an id, and never go back.

mod life;

use content_fabric_identifiers::{Medallion, Muid, Tid};
use life::{live, Step};
use proptest::prelude::*;

/// Times near the limits of TIDs and of muids, and others.
fn time() -> impl Strategy<Value = u64> {
	let near = |max| max - 20..=max + 1;
	prop_oneof![0..20u64, near(Tid::MAX_TIMESTAMP), near(Muid::MAX_TIMESTAMP), any::<u64>()]
}

fn step() -> impl Strategy<Value = Step> {
	let bits = || prop_oneof![any::<u128>(), Just(u128::MAX)];
	prop_oneof![
		time().prop_map(Step::Clock),
		(time(), bits()).prop_map(|(time, bits)| Step::ObserveTid(time << 10 | bits as u64 >> 54)),
		(time(), bits())
			.prop_map(|(time, bits)| Step::ObserveMuid(u128::from(time) << 76 | bits >> 52)),
		(0..5u8).prop_map(Step::Generate),
		(0..5u8).prop_map(Step::Generate),
	]
}

proptest! {
	#[test]
	fn ids_are_later_than_all_before(steps in prop::collection::vec(step(), 1..60)) {
		live(steps);
	}

	#[test]
	fn the_next_muid_is_later_and_not_before_its_time(
		last in proptest::option::of(any::<u128>()),
		now in prop_oneof![any::<u64>(), 0..=Muid::MAX_TIMESTAMP],
		medallion in 0..=Medallion::MAX.get(),
	) {
		let last = last.map(Muid::from_u128);
		let medallion = Medallion::new(medallion).expect("in range");
		if let Ok(next) = Muid::next(last, now, medallion) {
			prop_assert!(Some(next) > last && next.timestamp() >= now);
			prop_assert_eq!(next.medallion(), medallion.get());
		} else {
			let at_the_end = last.is_some_and(|last| last.timestamp() == Muid::MAX_TIMESTAMP);
			prop_assert!(now > Muid::MAX_TIMESTAMP || at_the_end);
		}
		if let Ok(transaction) = Muid::next_transaction(last, now, medallion) {
			prop_assert!(last.is_none_or(|last| transaction.timestamp() > last.timestamp()));
			prop_assert!(transaction.timestamp() >= now && transaction.offset() == 0);
		}
	}
}

#[test]
fn offsets_count_within_a_timestamp_and_a_new_one_starts_where_they_end() {
	let medallion = |number| Medallion::new(number).expect("in range");
	let muid = |timestamp, number, offset| Muid::new(timestamp, medallion(number), offset).ok();
	assert_eq!(Muid::next(None, 5, medallion(7)).ok(), muid(5, 7, 1));
	for (last, now, next) in [
		(muid(5, 7, 1), 6, muid(6, 7, 1)),
		(muid(5, 7, 1), 5, muid(5, 7, 2)),
		(muid(5, 7, 9), 3, muid(5, 7, 10)),
		(muid(5, 7, i32::MAX), 5, muid(6, 7, 1)),
		// The medallion has changed.
		(muid(5, 8, 3), 5, muid(6, 7, 1)),
		(muid(5, 6, 3), 5, muid(5, 7, 4)),
		// Negative offsets are relative to a context, and sort after positive ones.
		(muid(5, 7, -2), 5, muid(6, 7, 1)),
	] {
		assert_eq!(Muid::next(last, now, medallion(7)).ok(), next);
	}
}

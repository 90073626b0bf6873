// SPDX-License-Identifier: Apache-2.0
//! Generators, under any clock and any observations: they never repeat an id, and never go back.

use std::{cell::Cell, collections::BTreeSet};

use content_fabric_identifiers::{
	AtomicTidGenerator, ClockId, Medallion, Muid, MuidError, MuidGenerator, Tid, TidError,
	TidGenerator,
};
use proptest::prelude::*;

/// A step of a generator's life.
#[derive(Clone, Copy, Debug)]
enum Step {
	/// The clock jumps to a time.
	Clock(u64),
	/// An id with this timestamp and these further bits is observed.
	Observe(u64, u128),
	/// An id is generated.
	Generate,
}

fn steps(max: u64) -> impl Strategy<Value = Vec<Step>> {
	let time = || prop_oneof![0..20u64, max - 20..=max + 1, any::<u64>()];
	let bits = prop_oneof![any::<u128>(), Just(u128::MAX)];
	let step = prop_oneof![
		time().prop_map(Step::Clock),
		(time(), bits).prop_map(|(time, bits)| Step::Observe(time, bits)),
		Just(Step::Generate),
		Just(Step::Generate),
	];
	prop::collection::vec(step, 1..60)
}

proptest! {
	#[test]
	fn tids_are_later_than_all_before(steps in steps(Tid::MAX_TIMESTAMP)) {
		let now = Cell::new(0);
		let mut own = TidGenerator::new(|| now.get(), ClockId::MAX);
		let shared = AtomicTidGenerator::new(|| now.get(), ClockId::MAX);
		let mut latest = None;
		for step in steps {
			match step {
				Step::Clock(time) => now.set(time),
				Step::Observe(time, bits) => {
					let tid = Tid::from_u64(time << 10 | bits as u64 >> 54);
					own.observe(tid);
					shared.observe(tid);
					if tid.is_generated() && tid.timestamp() < Tid::MAX_TIMESTAMP {
						latest = latest.max(Some(tid));
					}
				},
				Step::Generate => {
					let tid = own.generate();
					prop_assert_eq!(shared.generate(), tid);
					prop_assert_eq!(tid, Tid::next(latest, now.get(), ClockId::MAX));
					match tid {
						Ok(tid) => {
							prop_assert!(Some(tid) > latest && tid.timestamp() >= now.get());
							latest = Some(tid);
						},
						Err(TidError::TimestampTooLarge { found }) => {
							prop_assert!(found > Tid::MAX_TIMESTAMP);
						},
						Err(error) => panic!("{error}"),
					}
				},
			}
		}
	}

	#[test]
	fn muids_are_later_than_all_before(steps in steps(Muid::MAX_TIMESTAMP), creations in 0..5usize) {
		let now = Cell::new(0);
		let mut generator = MuidGenerator::new(|| now.get(), Medallion::FIRST_ASSIGNABLE);
		let mut latest = None;
		let mut made = BTreeSet::new();
		for step in steps {
			match step {
				Step::Clock(time) => now.set(time),
				Step::Observe(time, bits) => {
					let muid = Muid::from_u128(u128::from(time) << 76 | bits >> 52);
					generator.observe(muid);
					let is_last = muid.timestamp() == Muid::MAX_TIMESTAMP;
					if !is_last && Medallion::new(muid.medallion()).is_ok() {
						latest = latest.max(Some(muid));
					}
				},
				Step::Generate => {
					let medallion = Medallion::FIRST_ASSIGNABLE;
					let expected = Muid::next_transaction(latest, now.get(), medallion);
					match generator.begin() {
						Ok(mut transaction) => {
							let muid = transaction.muid();
							prop_assert_eq!(Ok(muid), expected);
							prop_assert!(Some(muid) > latest && muid.timestamp() >= now.get());
							let created: Result<Vec<_>, _> =
								(0..creations).map(|_| transaction.create()).collect();
							let created = created.expect("there are offsets left");
							for muid in [muid].into_iter().chain(created) {
								prop_assert!(made.insert(muid), "{} is repeated", muid);
								latest = latest.max(Some(muid));
							}
						},
						Err(error) => {
							let is_expected = matches!(error, MuidError::TimestampTooLarge { .. });
							prop_assert!(is_expected && expected == Err(error), "{}", error);
						},
					}
				},
			}
		}
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

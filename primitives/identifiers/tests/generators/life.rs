// SPDX-License-Identifier: Apache-2.0
//! A life of generators, which a test and a fuzz target draw.

use std::{cell::Cell, collections::BTreeSet};

use content_fabric_identifiers::{
	AtomicTidGenerator, ClockId, Medallion, Muid, MuidError, MuidGenerator, Tid, TidError,
	TidGenerator, Transaction,
};

#[derive(Clone, Copy, Debug)]
pub enum Step {
	/// The clock jumps to a time.
	Clock(u64),
	ObserveTid(u64),
	ObserveMuid(u128),
	/// A TID is generated, and a transaction of muids begins, with a number of creations.
	Generate(u8),
}

/// Takes the steps. No id is repeated, and none is earlier than one before it or than its clock.
pub fn live(steps: impl IntoIterator<Item = Step>) {
	let now = Cell::new(0);
	let medallion = Medallion::FIRST_ASSIGNABLE;
	let mut own = TidGenerator::new(|| now.get(), ClockId::MAX);
	let shared = AtomicTidGenerator::new(|| now.get(), ClockId::MAX);
	let mut muids = MuidGenerator::new(|| now.get(), medallion);
	let (mut last_tid, mut last_muid) = (None, None);
	let mut made = BTreeSet::new();
	for step in steps {
		match step {
			Step::Clock(time) => now.set(time),
			Step::ObserveTid(value) => {
				let Ok(tid) = Tid::from_u64(value) else { continue };
				own.observe(tid);
				shared.observe(tid);
				if tid.timestamp() < Tid::MAX_TIMESTAMP {
					last_tid = last_tid.max(Some(tid));
				}
			},
			Step::ObserveMuid(value) => {
				let muid = Muid::from_u128(value);
				muids.observe(muid);
				let is_last = muid.timestamp() == Muid::MAX_TIMESTAMP;
				if !is_last && Medallion::new(muid.medallion()).is_ok() {
					last_muid = last_muid.max(Some(muid));
				}
			},
			Step::Generate(creations) => {
				let tid = own.generate();
				assert_eq!(shared.generate(), tid);
				assert_eq!(tid, Tid::next(last_tid, now.get(), ClockId::MAX));
				match tid {
					Ok(tid) => {
						assert!(Some(tid) > last_tid && tid.timestamp() >= now.get());
						last_tid = Some(tid);
					},
					Err(TidError::TimestampTooLarge { found }) => {
						assert!(found > Tid::MAX_TIMESTAMP);
					},
					Err(error) => panic!("{error}"),
				}

				let begun = muids.begin();
				let muid = begun.as_ref().map(Transaction::muid).map_err(|error| *error);
				assert_eq!(muid, Muid::next_transaction(last_muid, now.get(), medallion));
				match begun {
					Ok(mut transaction) => {
						let muid = transaction.muid();
						assert!(Some(muid) > last_muid && muid.timestamp() >= now.get());
						let create = |_| transaction.create().expect("there are offsets left");
						for muid in [muid].into_iter().chain((0..creations).map(create)) {
							assert!(made.insert(muid), "{muid} is repeated");
							last_muid = last_muid.max(Some(muid));
						}
					},
					Err(MuidError::TimestampTooLarge { .. }) => {},
					Err(error) => panic!("{error}"),
				}
			},
		}
	}
}

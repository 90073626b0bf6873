// SPDX-License-Identifier: Apache-2.0
//! Any life of generators, of clocks that jump and of ids that are observed: no id is repeated, and
//! none is earlier than one before it.

#![no_main]

use std::cell::Cell;

use content_fabric_identifiers::{
	AtomicTidGenerator, ClockId, Medallion, Muid, MuidGenerator, Tid, TidGenerator,
};
use libfuzzer_sys::{
	arbitrary::{self, Arbitrary},
	fuzz_target,
};

#[derive(Arbitrary, Debug)]
enum Step {
	Clock(u64),
	ObserveTid(u64),
	ObserveMuid(u128),
	Generate,
}

fuzz_target!(|steps: Vec<Step>| {
	let now = Cell::new(0);
	let medallion = Medallion::FIRST_ASSIGNABLE;
	let mut own = TidGenerator::new(|| now.get(), ClockId::MAX);
	let shared = AtomicTidGenerator::new(|| now.get(), ClockId::MAX);
	let mut muids = MuidGenerator::new(|| now.get(), medallion);
	let (mut last_tid, mut last_muid, mut row) = (None, None, None);
	for step in steps {
		match step {
			Step::Clock(time) => now.set(time),
			Step::ObserveTid(value) => {
				let tid = Tid::from_u64(value);
				own.observe(tid);
				shared.observe(tid);
				if tid.is_generated() && tid.timestamp() < Tid::MAX_TIMESTAMP {
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
			Step::Generate => {
				let tid = own.generate();
				assert_eq!(shared.generate(), tid);
				if let Ok(tid) = tid {
					assert!(Some(tid) > last_tid && tid.timestamp() >= now.get());
					last_tid = Some(tid);
				}
				let expected = Muid::next_transaction(last_muid, now.get(), medallion);
				let begun = muids.begin();
				assert_eq!(begun.as_ref().map(|begun| begun.muid()).map_err(Clone::clone), expected);
				if let Ok(mut transaction) = begun {
					assert!(Some(transaction.muid()) > last_muid);
					let created = transaction.create().expect("the transaction has just begun");
					assert!(created > transaction.muid());
					last_muid = Some(transaction.muid());
				}
				if let Ok(muid) = Muid::next(row, now.get(), medallion) {
					assert!(Some(muid) > row && muid.timestamp() >= now.get());
					row = Some(muid);
				}
			},
		}
	}
});

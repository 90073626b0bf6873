// SPDX-License-Identifier: Apache-2.0
//! The store in memory beside a `BTreeMap`.

use std::{
	cell::{Ref, RefCell},
	collections::BTreeMap,
};

use content_fabric_okvs::memory::MemoryDatabase;

use crate::{
	ours,
	pairs::{Family, Pair},
	runner::{measure, Plan},
	store::{digest, digest_pair, fill, Reader, Step, Store},
	table::Table,
};

impl Store for MemoryDatabase {
	const NAME: &'static str = ours::NAME;
	type Reader<'s> = ours::Snapshot<<Self as content_fabric_okvs::Database>::Snapshot<'s>>;

	fn reader(&self) -> Self::Reader<'_> {
		ours::reader(self)
	}

	fn set(&self, pairs: impl Iterator<Item = Pair>) {
		ours::set(self, pairs);
	}

	fn remove(&self, family: &Family) {
		ours::remove(self, family);
	}

	fn remove_counted(&self, family: &Family) -> usize {
		ours::remove_counted(self, family)
	}
}

type Map = BTreeMap<Vec<u8>, Vec<u8>>;

/// A map, without transactions and snapshots.
#[derive(Default)]
struct Bare(RefCell<Map>);

impl Store for Bare {
	const NAME: &'static str = "BTreeMap";
	type Reader<'s> = Ref<'s, Map>;

	fn reader(&self) -> Ref<'_, Map> {
		self.0.borrow()
	}

	fn set(&self, pairs: impl Iterator<Item = Pair>) {
		let mut map = self.0.borrow_mut();
		for (key, value) in pairs {
			map.insert(key.to_vec(), value.to_vec());
		}
	}

	fn remove(&self, family: &Family) {
		self.remove_counted(family);
	}

	fn remove_counted(&self, family: &Family) -> usize {
		let range = family.start.to_vec()..family.end.to_vec();
		self.0.borrow_mut().extract_if(range, |_, _| true).count()
	}
}

impl Reader for Ref<'_, Map> {
	fn get(&self, key: &[u8]) -> usize {
		(**self).get(key).map_or(0, |value| digest(value))
	}

	fn scan(&self, family: &Family, reverse: bool) -> usize {
		let range = self.range::<[u8], _>(family.bounds());
		let digest = |(key, value): (&Vec<u8>, &Vec<u8>)| digest_pair(key, value);
		if reverse {
			range.rev().map(digest).sum()
		} else {
			range.map(digest).sum()
		}
	}
}

/// Measures all rows at one size.
pub fn run(table: &mut Table, count: u32, plan: Plan) {
	let (ours, bare) = (MemoryDatabase::default(), Bare::default());
	fill(&ours, count);
	fill(&bare, count);
	for step in Step::ALL {
		let goal = if matches!(step, Step::Set) { 0.9 } else { 0.75 };
		let contestants = vec![step.contestant(&ours, count), step.contestant(&bare, count)];
		table.add(step.name(), goal, count, measure(contestants, plan));
	}
}

// SPDX-License-Identifier: Apache-2.0
//! The store in memory beside a `BTreeMap`.

use std::{
	cell::{Ref, RefCell},
	collections::BTreeMap,
};

use content_fabric_okvs::memory::MemoryDatabase;

use crate::{
	ours::Ours,
	pairs::{Family, Pair},
	store::{both, digest, digest_pair, fill, rows, Reader, Store},
	table::Table,
};

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

fn filled<S: Store>(store: S, count: u32) -> S {
	fill(&store, count);
	store
}

pub fn run(table: &mut Table, count: u32, run: u32) {
	let ours = || Ours { database: MemoryDatabase::default(), settle: |_| {} };
	let (ours, bare) = both(run, || filled(ours(), count), || filled(Bare::default(), count));
	for ((name, ours), (_, bare)) in rows(&ours, count).into_iter().zip(rows(&bare, count)) {
		let goal = if name == "set 100" { 0.9 } else { 0.75 };
		table.measure(name, goal, count, vec![ours, bare]);
	}
}

// SPDX-License-Identifier: Apache-2.0
//! The operations of a store in a benchmark.

use std::{hint::black_box, time::Duration};

use crate::{
	pairs::{absent, children, family, key, value, Family, Numbers, Pair, CHILDREN},
	table::{timed, Contestant},
};

/// Number of transactions after which a store is settled while it is filled.
const BATCH: u32 = 1_000;

/// A store that is measured: the library's or a peer.
pub trait Store {
	/// The name of the store in the tables.
	const NAME: &'static str;
	/// Reads one state of the store.
	type Reader<'s>: Reader
	where
		Self: 's;

	/// Begins to read.
	fn reader(&self) -> Self::Reader<'_>;

	/// Sets pairs in one transaction.
	fn set(&self, pairs: impl Iterator<Item = Pair>);

	/// Removes the children of a parent in one transaction, by the fastest means.
	fn remove(&self, family: &Family);

	/// Removes the children of a parent in one transaction, and counts them.
	fn remove_counted(&self, family: &Family) -> usize;

	/// Runs a turn in the surroundings that the store needs.
	fn turn<R>(&self, run: impl FnOnce() -> R) -> R {
		run()
	}

	/// Returns the time that a write takes.
	fn timed_write(&self, write: impl FnOnce()) -> Duration {
		timed(write)
	}

	/// Puts back the children of a parent after they were removed.
	fn restore(&self, parent: u32) {
		self.set(children(parent));
	}

	/// Finishes what the writes of a turn have left to do, so that it does not burden the next one.
	fn settle(&self) {}
}

/// Reads one state of a store.
pub trait Reader {
	/// Reads the value of a key, and returns its digest, or 0 if the key is absent.
	fn get(&self, key: &[u8]) -> usize;

	/// Reads the children of a parent in one direction or the other, and returns the sum of the
	/// digests of their pairs.
	fn scan(&self, family: &Family, reverse: bool) -> usize;
}

/// Reads a value: its length, and its last byte, so that it has to be in the cache.
#[inline]
pub fn digest(value: &[u8]) -> usize {
	value.len() + usize::from(value[value.len() - 1])
}

/// Reads a key and a value.
#[inline]
pub fn digest_pair(key: &[u8], value: &[u8]) -> usize {
	digest(key) + digest(value)
}

/// The rows that all stores have.
#[derive(Clone, Copy)]
pub enum Step {
	Get,
	Absent,
	Scan,
	ReverseScan,
	Set,
	Delete,
	DeleteCounted,
}

/// The rows, in the order of the tables.
pub const STEPS: [(&str, Step); 7] = [
	("get", Step::Get),
	("get, absent key", Step::Absent),
	("scan 100", Step::Scan),
	("reverse scan 100", Step::ReverseScan),
	("set 100", Step::Set),
	("delete 100", Step::Delete),
	("delete 100, counted", Step::DeleteCounted),
];

impl Step {
	/// Makes a store that holds `count` pairs take this step.
	pub fn contestant<S: Store>(self, store: &S, count: u32) -> Contestant<'_> {
		let mut keys = Numbers::new(count);
		let mut parents = Numbers::new(count / CHILDREN);
		let turn = move |steps: u32| {
			let time = store.turn(|| match self {
				Self::Get => reading(store, steps, |reader| reader.get(&key(keys.next()))),
				Self::Absent => reading(store, steps, |reader| reader.get(&absent(keys.next()))),
				Self::Scan | Self::ReverseScan => {
					let reverse = matches!(self, Self::ReverseScan);
					reading(store, steps, |reader| reader.scan(&family(parents.next()), reverse))
				},
				Self::Set => (0..steps)
					.map(|_| {
						let parent = parents.next();
						store.timed_write(|| store.set(children(parent)))
					})
					.sum(),
				Self::Delete | Self::DeleteCounted => (0..steps)
					.map(|_| {
						let parent = parents.next();
						let family = family(parent);
						let time = store.timed_write(|| match self {
							Self::Delete => store.remove(&family),
							_ => {
								black_box(store.remove_counted(&family));
							},
						});
						store.restore(parent);
						time
					})
					.sum(),
			});
			if matches!(self, Self::Set | Self::Delete | Self::DeleteCounted) {
				store.settle();
			}
			time
		};
		Contestant { name: S::NAME, turn: Box::new(turn) }
	}
}

/// Times a number of reads in one state of a store.
fn reading<S: Store>(
	store: &S,
	steps: u32,
	mut read: impl FnMut(&S::Reader<'_>) -> usize,
) -> Duration {
	let reader = store.reader();
	timed(|| {
		for _ in 0..steps {
			black_box(read(&reader));
		}
	})
}

/// Fills a store, and checks that it then does what the rows say.
pub fn fill<S: Store>(store: &S, count: u32) {
	let parents = count / CHILDREN;
	for start in (0..parents).step_by(BATCH as usize) {
		// A transaction for each parent, so that trees have the same shape in all stores.
		store.turn(|| (start..parents.min(start + BATCH)).for_each(|of| store.set(children(of))));
		store.settle();
	}
	let number = count / 2;
	let parent = number / CHILDREN;
	let family = family(parent);
	let digests = children(parent).map(|(key, value)| digest_pair(&key, value)).sum();
	let check = |expected: [usize; 4]| {
		store.turn(|| {
			let reader = store.reader();
			let gets = [key, absent].map(|of| reader.get(&of(number)));
			let scans = [false, true].map(|reverse| reader.scan(&family, reverse));
			assert_eq!([gets[0], gets[1], scans[0], scans[1]], expected, "{}", S::NAME);
		});
	};
	let full = [digest(value(number)), 0, digests, digests];
	check(full);
	store.turn(|| store.remove(&family));
	check([0; 4]);
	store.turn(|| store.set(children(parent)));
	check(full);
	assert_eq!(store.turn(|| store.remove_counted(&family)), CHILDREN as usize, "{}", S::NAME);
	check([0; 4]);
	store.turn(|| store.set(children(parent)));
	store.settle();
}

// SPDX-License-Identifier: Apache-2.0
//! The operations of a store in a benchmark.

use std::{hint::black_box, time::Duration};

use crate::{
	pairs::{absent, children, family, key, numbers, value, Family, Pair, CHILDREN},
	table::{timed, Contestant},
};

/// Number of transactions after which a store is settled while it is filled.
const BATCH: u32 = 1_000;

/// A store that is measured: the library's or a peer.
pub trait Store {
	/// The name of the store in the tables.
	const NAME: &'static str;
	type Reader<'s>: Reader
	where
		Self: 's;

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

#[inline]
pub fn digest_pair(key: &[u8], value: &[u8]) -> usize {
	digest(key) + digest(value)
}

/// Makes a store that holds `count` pairs take the steps of the rows that all stores have.
pub fn rows<S: Store>(store: &S, count: u32) -> Vec<(&'static str, Contestant<'_>)> {
	let (keys, parents) = (|| numbers(count), || numbers(count / CHILDREN));
	let deleting = |counted: bool| {
		writing(store, parents(), move |parent| {
			let family = family(parent);
			let time = match counted {
				false => store.timed_write(|| store.remove(&family)),
				true => store.timed_write(|| {
					black_box(store.remove_counted(&family));
				}),
			};
			store.restore(parent);
			time
		})
	};
	vec![
		("get", reading(store, keys(), |reader, number| reader.get(&key(number)))),
		("get, absent key", reading(store, keys(), |reader, number| reader.get(&absent(number)))),
		("scan 100", reading(store, parents(), |reader, of| reader.scan(&family(of), false))),
		(
			"reverse scan 100",
			reading(store, parents(), |reader, of| reader.scan(&family(of), true)),
		),
		(
			"set 100",
			writing(store, parents(), |parent| store.timed_write(|| store.set(children(parent)))),
		),
		("delete 100", deleting(false)),
		("delete 100, counted", deleting(true)),
	]
}

/// A store whose steps are reads in one state of it.
fn reading<'s, S: Store>(
	store: &'s S,
	mut number: impl FnMut() -> u32 + 's,
	read: impl Fn(&S::Reader<'_>, u32) -> usize + 's,
) -> Contestant<'s> {
	let turn = move |steps| {
		store.turn(|| {
			let reader = store.reader();
			timed(|| {
				for _ in 0..steps {
					black_box(read(&reader, number()));
				}
			})
		})
	};
	Contestant { name: S::NAME, turn: Box::new(turn) }
}

/// A store whose steps are writes, which take the time that a closure returns.
fn writing<'s, S: Store>(
	store: &'s S,
	mut parent: impl FnMut() -> u32 + 's,
	write: impl Fn(u32) -> Duration + 's,
) -> Contestant<'s> {
	let turn = move |steps| {
		let time = store.turn(|| (0..steps).map(|_| write(parent())).sum());
		store.settle();
		time
	};
	Contestant { name: S::NAME, turn: Box::new(turn) }
}

/// Makes two stores, in another order in each run, as it changes their places in memory and on the
/// disk, which are worth some hundredths.
pub fn both<A, B>(run: u32, first: impl FnOnce() -> A, second: impl FnOnce() -> B) -> (A, B) {
	if run % 2 == 0 {
		let made = first();
		(made, second())
	} else {
		let made = second();
		(first(), made)
	}
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

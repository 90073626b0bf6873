// SPDX-License-Identifier: Apache-2.0
//! The same long random sequences of operations on a plain sorted map, in memory, on disk and in
//! the state of a chain, whose every step has to give the same.

mod common;

use std::{collections::BTreeMap, ops::Bound};

use common::{Chain, Disk, Memory};
use content_fabric_okvs::{
	conformance::Harness, successor, Database, Durability, RangeOptions, Read, Transaction,
};
use rand::{rngs::StdRng, Rng, SeedableRng};

type Map = BTreeMap<Vec<u8>, Vec<u8>>;

/// An operation.
#[derive(Clone, Debug)]
enum Operation {
	Set(Vec<u8>, Vec<u8>),
	Remove(Vec<u8>),
	Clear(Vec<u8>),
	RemoveRange(Vec<u8>, Option<Vec<u8>>),
	RemoveRangeLimited(Vec<u8>, Option<Vec<u8>>, usize),
	RemovePrefix(Vec<u8>, usize),
	Get(Vec<u8>),
	Range(Vec<u8>, RangeOptions),
	Between(Vec<u8>, Option<Vec<u8>>, RangeOptions),
	In((Bound<Vec<u8>>, Bound<Vec<u8>>), RangeOptions),
	/// The number of pairs, the first and the last one.
	Summary,
}

/// The result of an operation.
#[derive(Clone, Debug, PartialEq)]
enum Outcome {
	Nothing,
	Present(bool),
	Value(Option<Vec<u8>>),
	Pairs(Vec<(Vec<u8>, Vec<u8>)>),
	Removed(usize, Option<Vec<u8>>),
	/// The number of pairs, the first and the last one.
	Summary(usize, [Option<(Vec<u8>, Vec<u8>)>; 2]),
}

/// Keys of few letters, so that they meet.
fn key(rng: &mut StdRng) -> Vec<u8> {
	let letters = [0x00, 0x01, 0x61, 0xfe, 0xff];
	let len = rng.random_range(0..5);
	(0..len).map(|_| letters[rng.random_range(0..letters.len())]).collect()
}

fn options(rng: &mut StdRng) -> RangeOptions {
	RangeOptions {
		reverse: rng.random(),
		offset: if rng.random() { 0 } else { rng.random_range(0..4) },
		limit: if rng.random() { usize::MAX } else { rng.random_range(0..6) },
	}
}

fn end(rng: &mut StdRng) -> Option<Vec<u8>> {
	rng.random_bool(0.8).then(|| key(rng))
}

fn bound(rng: &mut StdRng) -> Bound<Vec<u8>> {
	match rng.random_range(0..5) {
		0 => Bound::Unbounded,
		1 | 2 => Bound::Included(key(rng)),
		_ => Bound::Excluded(key(rng)),
	}
}

fn operation(rng: &mut StdRng) -> Operation {
	match rng.random_range(0..100) {
		0..35 => {
			let len = rng.random_range(0..4);
			Operation::Set(key(rng), (0..len).map(|_| rng.random()).collect())
		},
		35..42 => Operation::Remove(key(rng)),
		42..45 => Operation::Clear(key(rng)),
		45..50 => Operation::RemoveRange(key(rng), end(rng)),
		50..55 => Operation::RemoveRangeLimited(key(rng), end(rng), rng.random_range(0..5)),
		55..60 => Operation::RemovePrefix(key(rng), rng.random_range(0..5)),
		60..66 => Operation::Get(key(rng)),
		66..68 => Operation::Summary,
		68..74 => Operation::Range(key(rng), options(rng)),
		74..79 => Operation::Between(key(rng), end(rng), options(rng)),
		79..84 => Operation::In((bound(rng), bound(rng)), options(rng)),
		_ => Operation::Get(key(rng)),
	}
}

fn operations(rng: &mut StdRng) -> Vec<Operation> {
	(0..rng.random_range(1..12)).map(|_| operation(rng)).collect()
}

fn select(map: &Map, start: &[u8], end: Option<&[u8]>, options: RangeOptions) -> Outcome {
	let inside = |key: &[u8]| key >= start && end.is_none_or(|end| key < end);
	let mut pairs: Vec<_> = map.iter().filter(|(key, _)| inside(key)).collect();
	if options.reverse {
		pairs.reverse();
	}
	let pairs = pairs.into_iter().skip(options.offset).take(options.limit);
	Outcome::Pairs(pairs.map(|(key, value)| (key.clone(), value.clone())).collect())
}

/// The pairs within bounds, which need not make a range.
fn inside(map: &Map, (start, end): &(Bound<Vec<u8>>, Bound<Vec<u8>>)) -> Map {
	let after_start = |key: &Vec<u8>| match start {
		Bound::Included(start) => key >= start,
		Bound::Excluded(start) => key > start,
		Bound::Unbounded => true,
	};
	let before_end = |key: &Vec<u8>| match end {
		Bound::Included(end) => key <= end,
		Bound::Excluded(end) => key < end,
		Bound::Unbounded => true,
	};
	let pairs = map.iter().filter(|(key, _)| after_start(key) && before_end(key));
	pairs.map(|(key, value)| (key.clone(), value.clone())).collect()
}

fn remove(map: &mut Map, start: &[u8], end: Option<&[u8]>, limit: usize) -> Outcome {
	let inside = |key: &[u8]| key >= start && end.is_none_or(|end| key < end);
	let keys: Vec<_> = map.keys().filter(|key| inside(key)).cloned().collect();
	keys.iter().take(limit).for_each(|key| {
		map.remove(key);
	});
	Outcome::Removed(keys.len().min(limit), keys.get(limit).cloned())
}

fn on_model(map: &mut Map, operation: &Operation) -> Outcome {
	match operation {
		Operation::Set(key, value) => {
			map.insert(key.clone(), value.clone());
			Outcome::Nothing
		},
		Operation::Remove(key) => Outcome::Present(map.remove(key).is_some()),
		Operation::Clear(key) => {
			map.remove(key);
			Outcome::Nothing
		},
		Operation::RemoveRange(start, end) => {
			remove(map, start, end.as_deref(), usize::MAX);
			Outcome::Nothing
		},
		Operation::RemoveRangeLimited(start, end, limit) => {
			remove(map, start, end.as_deref(), *limit)
		},
		Operation::RemovePrefix(prefix, limit) => {
			remove(map, prefix, successor(prefix).as_deref(), *limit)
		},
		Operation::Get(key) => Outcome::Value(map.get(key).cloned()),
		Operation::Range(prefix, options) => {
			select(map, prefix, successor(prefix).as_deref(), *options)
		},
		Operation::Between(start, end, options) => select(map, start, end.as_deref(), *options),
		Operation::In(keys, options) => select(&inside(map, keys), &[], None, *options),
		Operation::Summary => {
			let owned = |(key, value): (&Vec<u8>, &Vec<u8>)| (key.clone(), value.clone());
			let ends = [map.first_key_value().map(owned), map.last_key_value().map(owned)];
			Outcome::Summary(map.len(), ends)
		},
	}
}

fn pairs<B: AsRef<[u8]>, E: std::fmt::Debug>(
	range: impl Iterator<Item = Result<(B, B), E>>,
) -> Outcome {
	Outcome::Pairs(range.map(|pair| owned(pair.expect("the range can be read"))).collect())
}

fn owned<B: AsRef<[u8]>>((key, value): (B, B)) -> (Vec<u8>, Vec<u8>) {
	(key.as_ref().to_vec(), value.as_ref().to_vec())
}

/// A transaction that plays operations.
trait Play: Transaction<Error: std::fmt::Debug> {
	fn play(&mut self, operation: &Operation) -> Outcome {
		let outcome = match operation {
			Operation::Set(key, value) => self.set(key, value).map(|()| Outcome::Nothing),
			Operation::Remove(key) => self.remove(key).map(Outcome::Present),
			Operation::Clear(key) => self.clear(key).map(|()| Outcome::Nothing),
			Operation::RemoveRange(start, end) => {
				self.remove_range(start, end.as_deref()).map(|()| Outcome::Nothing)
			},
			Operation::RemoveRangeLimited(start, end, limit) => self
				.remove_range_limited(start, end.as_deref(), *limit)
				.map(|removed| Outcome::Removed(removed.count, removed.cursor)),
			Operation::RemovePrefix(prefix, limit) => self
				.remove_prefix(prefix, *limit)
				.map(|removed| Outcome::Removed(removed.count, removed.cursor)),
			Operation::Get(key) => {
				let value = self.get(key).expect("nothing can fail").map(|value| value.to_vec());
				assert_eq!(self.contains_key(key).expect("nothing can fail"), value.is_some());
				Ok(Outcome::Value(value))
			},
			Operation::Range(prefix, options) => self.range_with(prefix, *options).map(pairs),
			Operation::Between(start, end, options) => {
				self.range_between(start, end.as_deref(), *options).map(pairs)
			},
			Operation::In(keys, options) => self.range_in(keys.clone(), *options).map(pairs),
			Operation::Summary => {
				let len = self.len().expect("nothing can fail");
				assert_eq!(self.is_empty().expect("nothing can fail"), len == 0);
				let ends = [self.first(), self.last()];
				let ends = ends.map(|end| end.expect("nothing can fail").map(owned));
				Ok(Outcome::Summary(len, ends))
			},
		};
		outcome.expect("nothing can fail")
	}
}

impl<T: Transaction<Error: std::fmt::Debug>> Play for T {}

/// Runs a transaction, and compares each outcome and then all pairs.
fn compare<H: Harness<Database: Database<Error: std::fmt::Debug>>>(
	harness: &mut H,
	operations: &[Operation],
	commit: bool,
	outcomes: &[Outcome],
	map: &Map,
) {
	harness.with(|database| {
		let mut transaction = database.begin().unwrap_or_else(|_| panic!("nothing else is open"));
		for (operation, outcome) in operations.iter().zip(outcomes) {
			assert_eq!(transaction.play(operation), *outcome, "{operation:?}");
		}
		let ended = if commit { transaction.commit() } else { transaction.rollback() };
		ended.unwrap_or_else(|_| panic!("the transaction can end"));
		let snapshot = database.begin_read().unwrap_or_else(|_| panic!("nothing else is open"));
		let all = snapshot.range(b"").unwrap_or_else(|_| panic!("the pairs can be read"));
		let all = all.map(|pair| pair.unwrap_or_else(|_| panic!("the pairs can be read")));
		let all: Map =
			all.map(|(key, value)| (key.as_ref().to_vec(), value.as_ref().to_vec())).collect();
		assert_eq!(all, *map);
	});
}

fn run(seed: u64, transactions: usize) {
	let mut rng = StdRng::seed_from_u64(seed);
	let mut map = Map::new();
	let (mut memory, mut disk) = (Memory::new(), Disk::new(Durability::Close));
	let mut chain = Chain::new(false);
	for _ in 0..transactions {
		let operations = operations(&mut rng);
		let commit = rng.random_bool(0.8);
		let mut written = map.clone();
		let outcomes: Vec<_> =
			operations.iter().map(|operation| on_model(&mut written, operation)).collect();
		if commit {
			map = written;
		}
		compare(&mut memory, &operations, commit, &outcomes, &map);
		compare(&mut disk, &operations, commit, &outcomes, &map);
		// Blocks end at random, so that keys are in the overlay, in the backend, or in both.
		chain.blocks = rng.random_bool(0.3);
		compare(&mut chain, &operations, commit, &outcomes, &map);
	}
}

#[test]
fn all_backends_agree_with_a_sorted_map() {
	for seed in 0..20 {
		run(seed, 150);
	}
}

/// Snapshots that are held over many transactions keep reading what they did, however many there
/// are, and those that begin within a transaction read what was committed before it.
#[test]
fn snapshots_in_memory_stay_as_they_were() {
	let mut rng = StdRng::seed_from_u64(1);
	let database = Memory::new().0;
	let mut map = Map::new();
	let mut held = Vec::new();
	for _ in 0..2_000 {
		let operations = operations(&mut rng);
		let mut transaction = database.begin().expect("nothing else is open");
		let mut written = map.clone();
		for operation in &operations {
			assert_eq!(transaction.play(operation), on_model(&mut written, operation));
			if rng.random_bool(0.05) {
				held.push((database.begin_read().expect("nothing can fail"), map.clone()));
			}
		}
		if rng.random_bool(0.8) {
			transaction.commit().expect("nothing can fail");
			map = written;
		}
		match rng.random_range(0..4) {
			0 => held.push((database.begin_read().expect("nothing can fail"), map.clone())),
			1 if !held.is_empty() => drop(held.swap_remove(rng.random_range(0..held.len()))),
			2 => held.truncate(rng.random_range(0..8)),
			_ => {},
		}
		for (snapshot, map) in &held {
			let start = key(&mut rng);
			let all =
				pairs(snapshot.range_between(&start, None, RangeOptions::REVERSE).expect("can be"));
			assert_eq!(all, select(map, &start, None, RangeOptions::REVERSE));
		}
	}
}

// SPDX-License-Identifier: Apache-2.0
//! Any sequence of operations gives in memory, through overlays, what it gives on a sorted map.

#![no_main]

use std::{collections::BTreeMap, ops::Bound};

use content_fabric_okvs::{
	memory::MemoryDatabase,
	overlay::{Store, StoreTransaction},
	Database, DoubleEndedRead, RangeOptions, Read, Transaction,
};
use libfuzzer_sys::fuzz_target;

type Map = BTreeMap<Vec<u8>, Vec<u8>>;

/// Takes a key of at most three bytes, each one of four.
fn key(input: &mut &[u8]) -> Option<Vec<u8>> {
	let (&first, rest) = input.split_first()?;
	*input = rest;
	let letters = [0, 1, 0x61, 0xff];
	Some((0..first >> 6).map(|i| letters[usize::from(first >> (2 * i) & 3)]).collect())
}

/// Plays operations until the input ends or says so, and whether they are to be committed.
fn play<'db, S: Store<Error: std::fmt::Debug>>(
	input: &mut &[u8],
	transaction: &mut StoreTransaction<'_, 'db, S>,
	map: &mut Map,
	depth: u8,
) -> bool
where
	S::Snapshot<'db>: DoubleEndedRead,
{
	while let Some((&code, rest)) = input.split_first() {
		*input = rest;
		let Some(start) = key(input) else { break };
		match code % 8 {
			0..=2 => {
				transaction.set(&start, &[code]).expect("nothing can fail");
				map.insert(start, vec![code]);
			},
			3 => {
				let there = map.remove(&start).is_some();
				if code & 8 > 0 {
					transaction.clear(&start).expect("nothing can fail");
				} else {
					assert_eq!(transaction.remove(&start).expect("nothing can fail"), there);
				}
			},
			4 => {
				let Some(end) = key(input) else { break };
				transaction.remove_range(&start, Some(&end)).expect("nothing can fail");
				map.retain(|key, _| *key < start || *key >= end);
			},
			5 => {
				let removed = transaction.remove_range_limited(&start, None, (code >> 5).into());
				let removed = removed.expect("nothing can fail");
				let keys: Vec<_> = map.range(start..).map(|(key, _)| key.clone()).collect();
				let limit = usize::from(code >> 5);
				keys.iter().take(limit).for_each(|key| drop(map.remove(key)));
				assert_eq!(
					(removed.count, removed.cursor),
					(keys.len().min(limit), keys.get(limit).cloned())
				);
			},
			6 => {
				let options = RangeOptions { reverse: code & 8 > 0, ..RangeOptions::default() };
				let range =
					transaction.range_between(&start, None, options).expect("nothing can fail");
				let found: Vec<_> = range
					.map(|pair| pair.expect("nothing can fail"))
					.map(|(key, value)| (key.as_ref().to_vec(), value.as_ref().to_vec()))
					.collect();
				let mut expected: Vec<_> =
					map.range(start..).map(|(key, value)| (key.clone(), value.clone())).collect();
				if options.reverse {
					expected.reverse();
				}
				assert_eq!(found, expected);
			},
			_ if code & 8 > 0 => return code & 16 > 0,
			_ if code & 16 > 0 => {
				// From both ends, in an order that the code gives.
				let keys = (Bound::Excluded(start), Bound::Unbounded);
				let mut range =
					transaction.range_double_ended(keys.clone()).expect("nothing can fail");
				let mut expected = map.range(keys);
				for step in 0..map.len() + 2 {
					let back = code >> (5 + step % 3) & 1 > 0;
					let pair = if back { range.next_back() } else { range.next() };
					let pair = pair.map(|pair| pair.expect("nothing can fail"));
					let pair = pair.map(|(key, value)| (key.to_vec(), value.to_vec()));
					let next = if back { expected.next_back() } else { expected.next() };
					assert_eq!(pair, next.map(|(key, value)| (key.clone(), value.clone())));
				}
			},
			_ if depth < 8 => {
				let mut nested_map = map.clone();
				let mut nested = transaction.begin().expect("nothing can fail");
				if play(input, &mut nested, &mut nested_map, depth + 1) {
					nested.commit().expect("nothing can fail");
					*map = nested_map;
				}
			},
			_ => {},
		}
	}
	true
}

fuzz_target!(|input: &[u8]| {
	let mut input = input;
	let database = MemoryDatabase::default();
	let mut map = Map::new();
	let mut snapshots = Vec::new();
	while !input.is_empty() {
		let mut written = map.clone();
		let mut transaction = database.begin().expect("nothing else is open");
		if play(&mut input, &mut transaction, &mut written, 0) {
			transaction.commit().expect("nothing can fail");
			map = written;
		}
		snapshots.push((database.begin_read().expect("nothing can fail"), map.clone()));
		if snapshots.len() > 3 {
			drop(snapshots.remove(map.len() % 3));
		}
	}
	for (snapshot, map) in snapshots {
		let found: Vec<_> = snapshot
			.range(b"")
			.expect("nothing can fail")
			.map(|pair| pair.expect("nothing can fail"))
			.collect();
		assert!(found
			.into_iter()
			.eq(map.iter().map(|(key, value)| (key.as_slice(), value.as_slice()))));
	}
});

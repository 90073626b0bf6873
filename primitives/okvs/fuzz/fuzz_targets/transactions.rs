// SPDX-License-Identifier: Apache-2.0
//! Any sequence of operations gives in memory what it gives on a sorted map.

#![no_main]

use std::collections::BTreeMap;

use content_fabric_okvs::{
	memory::{MemoryDatabase, MemoryTransaction},
	Database, RangeOptions, Read, Transaction,
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
fn play(input: &mut &[u8], transaction: &mut MemoryTransaction<'_>, map: &mut Map) -> bool {
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
			_ => return code & 16 > 0,
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
		let commit = play(&mut input, &mut transaction, &mut written);
		snapshots.push((database.begin_read().expect("nothing can fail"), map.clone()));
		if commit {
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

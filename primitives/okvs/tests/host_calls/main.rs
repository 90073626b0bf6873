// SPDX-License-Identifier: Apache-2.0
//! The backend in chain state calls the host's functions no more often than code that is written
//! against the host directly would.

mod counting;

use content_fabric_okvs::{
	chain::{ChainConfig, ChainDatabase},
	successor, Database, RangeOptions, Read, Transaction,
};
use counting::{count, Calls};
use sp_io::{storage, TestExternalities};

/// The prefix of all keys in the state.
const SUBSPACE: &[u8] = b"s";
/// The prefix of the hundred keys that are read and removed.
const PREFIX: &[u8] = b"parent 1/";

fn keys() -> impl Iterator<Item = Vec<u8>> {
	(1..=100).map(|child: u8| [PREFIX, &[child]].concat())
}

/// The key in the state, as the backend documents it. None of the keys here has a zero.
fn host_key(key: &[u8]) -> Vec<u8> {
	[SUBSPACE, key, &[0, 0]].concat()
}

fn database() -> ChainDatabase {
	let config = ChainConfig::new(SUBSPACE).expect("the subspace is allowed");
	ChainDatabase::open(config).expect("a store on chain can always be opened")
}

/// A state in which keys stand before and after those with the prefix. Half of all keys were
/// written in the current block.
fn state() -> TestExternalities {
	let mut state = TestExternalities::default();
	let neighbours = [b"parent 0/".as_slice(), b"parent 2/"].map(<[u8]>::to_vec);
	let set = |keys: &mut dyn Iterator<Item = Vec<u8>>| {
		keys.for_each(|key| storage::set(&host_key(&key), b"value"));
	};
	state.execute_with(|| set(&mut keys().step_by(2).chain(neighbours)));
	state.commit_all().expect("no storage layer is open");
	state.execute_with(|| set(&mut keys().skip(1).step_by(2)));
	state
}

/// Checks the calls of the host that a use of the store makes.
fn expect<R>(calls: &[(&'static str, usize)], run: impl FnOnce(&ChainDatabase) -> R) -> R {
	let (result, made) = count(&mut state(), || run(&database()));
	assert_eq!(made, Calls::from_iter(calls.iter().copied()));
	result
}

#[test]
fn reads() {
	for (key, found) in [(keys().next(), true), (Some(b"absent".to_vec()), false)] {
		let get = |database: &ChainDatabase| {
			let snapshot = database.begin_read().expect("no transaction is open");
			snapshot.get(&key.expect("there are keys")).map(|value| value.is_some())
		};
		assert_eq!(expect(&[("storage", 1)], get), Ok(found));
	}
	let all = RangeOptions::default();
	// The host steps forwards only, and past the end to know that it is one.
	for (options, steps, pairs) in
		[(all, 101, 100), (all.limit(10), 10, 10), (RangeOptions::REVERSE, 101, 100)]
	{
		let scan = |database: &ChainDatabase| {
			let snapshot = database.begin_read().expect("no transaction is open");
			snapshot.range_with(PREFIX, options).map(Iterator::count)
		};
		let calls = [("next_storage_key", steps), ("storage", pairs)];
		assert_eq!(expect(&calls, scan), Ok(pairs));
	}
}

/// Checks the calls of a transaction, beside those that begin and commit it.
fn expect_write<R>(
	calls: &[(&'static str, usize)],
	run: impl FnOnce(&mut <ChainDatabase as Database>::Transaction<'_>) -> R,
) -> R {
	let layer = [("storage_start_transaction", 1), ("storage_commit_transaction", 1)];
	expect(&[calls, &layer].concat(), |database| {
		let mut transaction = database.begin().expect("no other transaction is open");
		let result = run(&mut transaction);
		transaction.commit().expect("a store on chain can always be written");
		result
	})
}

#[test]
fn writes() {
	let set = expect_write(&[("set_storage", 100)], |transaction| {
		keys().try_for_each(|key| transaction.set(&key, b"new"))
	});
	assert_eq!(set, Ok(()));
	let end = successor(PREFIX);
	let removed = expect_write(&[("clear_prefix", 1)], |transaction| {
		transaction.remove_range(PREFIX, end.as_deref())
	});
	assert_eq!(removed, Ok(()));
	for (limit, steps, count) in [(usize::MAX, 101, 100), (10, 11, 10)] {
		let calls = [("clear_storage", count), ("next_storage_key", steps)];
		let removed = expect_write(&calls, |transaction| transaction.remove_prefix(PREFIX, limit));
		assert_eq!(removed.map(|removed| removed.count), Ok(count));
	}
}

// SPDX-License-Identifier: Apache-2.0
//! The backend in chain state makes the same calls of the host's functions as code that is written
//! against the host directly.

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

/// The beginning of all keys in the state that have the prefix.
fn host_prefix() -> Vec<u8> {
	[SUBSPACE, PREFIX].concat()
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

/// Runs a closure in a transaction of the store.
fn transact<R>(run: impl FnOnce(&mut <ChainDatabase as Database>::Transaction<'_>) -> R) -> R {
	let database = database();
	let mut transaction = database.begin().expect("no other transaction is open");
	let result = run(&mut transaction);
	transaction.commit().expect("a store on chain can always be written");
	result
}

/// Runs a closure in a storage layer of the host.
fn layered<R>(run: impl FnOnce() -> R) -> R {
	storage::start_transaction();
	let result = run();
	storage::commit_transaction();
	result
}

/// Calls a closure with each of the host's keys that have the prefix, until it returns `false`.
fn walk(mut visit: impl FnMut(&[u8]) -> bool) {
	let prefix = host_prefix();
	let mut next = storage::next_key(&prefix);
	while let Some(key) = next.filter(|key| key.starts_with(&prefix)) {
		if !visit(&key) {
			break;
		}
		next = storage::next_key(&key);
	}
}

/// Checks that both closures return the same, leave the same state, and make these calls.
fn compare<R: PartialEq + std::fmt::Debug>(
	ours: impl FnOnce() -> R,
	direct: impl FnOnce() -> R,
	expected: &[(&'static str, usize)],
) {
	let (mut our_state, mut direct_state) = (state(), state());
	let (our_result, our_calls) = count(&mut our_state, ours);
	let (direct_result, direct_calls) = count(&mut direct_state, direct);
	assert_eq!(our_result, direct_result);
	assert_eq!(direct_calls, Calls::from_iter(expected.iter().copied()));
	assert_eq!(our_calls, direct_calls);
	for state in [&mut our_state, &mut direct_state] {
		state.commit_all().expect("no storage layer is open");
	}
	assert!(our_state.eq(&mut direct_state));
}

#[test]
fn get() {
	for (key, found) in [(keys().next(), true), (Some(b"absent".to_vec()), false)] {
		let key = key.expect("there are keys");
		compare(
			|| {
				let database = database();
				let snapshot = database.begin_read().expect("no transaction is open");
				snapshot.get(&key).expect("a store on chain can always be read").is_some()
			},
			|| storage::get(&host_key(&key)).is_some(),
			&[("storage", 1)],
		);
		assert_eq!(state().execute_with(|| storage::exists(&host_key(&key))), found);
	}
}

/// Reads all pairs with the prefix.
fn scan(options: RangeOptions) -> Vec<Vec<u8>> {
	let database = database();
	let snapshot = database.begin_read().expect("no transaction is open");
	let range = snapshot.range_with(PREFIX, options).expect("a store on chain can always be read");
	range.map(|pair| pair.expect("a store on chain can always be read").1.to_vec()).collect()
}

fn value(key: &[u8]) -> Vec<u8> {
	storage::get(key).expect("a key that was found has a value").to_vec()
}

#[test]
fn scan_of_a_prefix() {
	let direct = || {
		let mut values = Vec::new();
		walk(|key| {
			values.push(value(key));
			true
		});
		values
	};
	let expected = [("next_storage_key", 101), ("storage", 100)];
	compare(|| scan(RangeOptions::default()), direct, &expected);
}

#[test]
fn scan_of_a_prefix_with_a_limit() {
	let direct = || {
		let mut values = Vec::new();
		walk(|key| {
			values.push(value(key));
			values.len() < 10
		});
		values
	};
	let expected = [("next_storage_key", 10), ("storage", 10)];
	compare(|| scan(RangeOptions::default().limit(10)), direct, &expected);
}

#[test]
fn reverse_scan_of_a_prefix() {
	let direct = || {
		let mut keys = Vec::new();
		walk(|key| {
			keys.push(key.to_vec());
			true
		});
		keys.iter().rev().map(|key| value(key)).collect()
	};
	let expected = [("next_storage_key", 101), ("storage", 100)];
	compare(|| scan(RangeOptions::REVERSE), direct, &expected);
}

#[test]
fn set() {
	let ours = || {
		transact(|transaction| {
			for key in keys() {
				transaction.set(&key, b"new").expect("a store on chain can always be written");
			}
		});
	};
	let direct = || layered(|| keys().for_each(|key| storage::set(&host_key(&key), b"new")));
	let expected =
		[("set_storage", 100), ("storage_commit_transaction", 1), ("storage_start_transaction", 1)];
	compare(ours, direct, &expected);
}

#[test]
fn removal_of_a_prefix() {
	let ours = || {
		transact(|transaction| {
			let removed = transaction.remove_range(PREFIX, successor(PREFIX).as_deref());
			removed.expect("a store on chain can always be written");
		});
	};
	let direct = || {
		let removed = layered(|| storage::clear_prefix(&host_prefix(), None));
		assert!(matches!(removed, sp_io::KillStorageResult::AllRemoved(_)));
	};
	let expected =
		[("clear_prefix", 1), ("storage_commit_transaction", 1), ("storage_start_transaction", 1)];
	compare(ours, direct, &expected);
}

#[test]
fn removal_of_a_prefix_with_a_count() {
	for (limit, steps, removed) in [(usize::MAX, 101, 100), (10, 11, 10)] {
		let ours = || {
			transact(|transaction| {
				let removed = transaction.remove_prefix(PREFIX, limit);
				removed.expect("a store on chain can always be written").count
			})
		};
		let direct = || {
			layered(|| {
				let mut count = 0;
				walk(|key| {
					if count == limit {
						return false;
					}
					storage::clear(key);
					count += 1;
					true
				});
				count
			})
		};
		let expected = [
			("clear_storage", removed),
			("next_storage_key", steps),
			("storage_commit_transaction", 1),
			("storage_start_transaction", 1),
		];
		compare(ours, direct, &expected);
	}
}

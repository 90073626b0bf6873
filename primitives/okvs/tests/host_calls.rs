// SPDX-License-Identifier: Apache-2.0
//! The backend in chain state calls the host's functions no more often than code that is written
//! against the host directly would.

use std::{
	any::{Any, TypeId},
	collections::BTreeMap,
};

use content_fabric_okvs::{
	chain::{ChainConfig, ChainDatabase},
	successor, Database, RangeOptions, Read, Transaction,
};
use sp_externalities::{Error, Extension, ExtensionStore, Externalities, MultiRemovalResults};
use sp_io::{storage, TestExternalities};
use sp_storage::{ChildInfo, StateVersion, TrackedStorageKey};

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
	let config = ChainConfig::new(SUBSPACE).expect("the subspace is allowed");
	let database = ChainDatabase::open(config).expect("a store on chain can always be opened");
	let mut state = state();
	let mut counting = Counting { host: &mut state.ext(), calls: Calls::new() };
	let run = || run(&database);
	let result = sp_externalities::set_and_run_with_externalities(&mut counting, run);
	assert_eq!(counting.calls, Calls::from_iter(calls.iter().copied()));
	result
}

/// Checks the calls of a snapshot.
fn expect_read<R>(
	calls: &[(&'static str, usize)],
	run: impl FnOnce(&<ChainDatabase as Database>::Snapshot<'_>) -> R,
) -> R {
	expect(calls, |database| run(&database.begin_read().expect("no transaction is open")))
}

#[test]
fn reads() {
	for (key, found) in [(keys().next().expect("there are keys"), true), (b"absent".into(), false)]
	{
		let value = expect_read(&[("storage", 1)], |snapshot| {
			snapshot.get(&key).map(|value| value.is_some())
		});
		assert_eq!(value, Ok(found));
	}
	let all = RangeOptions::default();
	// The host steps forwards only, and past the end to know that it is one.
	for (options, steps, pairs) in
		[(all, 101, 100), (all.limit(10), 10, 10), (RangeOptions::REVERSE, 101, 100)]
	{
		let found = expect_read(&[("next_storage_key", steps), ("storage", pairs)], |snapshot| {
			snapshot.range_with(PREFIX, options).map(Iterator::count)
		});
		assert_eq!(found, Ok(pairs));
	}
	let calls = [("next_storage_key", 1), ("storage", 1)];
	assert_eq!(expect_read(&calls, |snapshot| snapshot.is_empty()), Ok(false));
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

type Calls = BTreeMap<&'static str, usize>;

/// Passes each call on, and counts it.
struct Counting<'a> {
	host: &'a mut dyn Externalities,
	calls: Calls,
}

/// Implements functions of [`Externalities`] that can change the state.
macro_rules! counted {
	($($name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {$(
		fn $name(&mut self, $($argument: $type),*) $(-> $result)? {
			*self.calls.entry(stringify!($name)).or_default() += 1;
			self.host.$name($($argument),*)
		}
	)*};
}

/// Implements functions of [`Externalities`] for benchmarks of a runtime.
macro_rules! passed_on {
	($($name:ident -> $result:ty;)*) => {$(
		fn $name(&self) -> $result {
			self.host.$name()
		}
	)*};
}

impl Externalities for Counting<'_> {
	counted! {
		set_offchain_storage(key: &[u8], value: Option<&[u8]>);
		storage(key: &[u8]) -> Option<Vec<u8>>;
		storage_hash(key: &[u8]) -> Option<Vec<u8>>;
		child_storage_hash(child: &ChildInfo, key: &[u8]) -> Option<Vec<u8>>;
		child_storage(child: &ChildInfo, key: &[u8]) -> Option<Vec<u8>>;
		set_storage(key: Vec<u8>, value: Vec<u8>);
		clear_storage(key: &[u8]);
		exists_storage(key: &[u8]) -> bool;
		next_storage_key(key: &[u8]) -> Option<Vec<u8>>;
		next_child_storage_key(child: &ChildInfo, key: &[u8]) -> Option<Vec<u8>>;
		kill_child_storage(child: &ChildInfo, limit: Option<u32>, cursor: Option<&[u8]>)
			-> MultiRemovalResults;
		clear_prefix(prefix: &[u8], limit: Option<u32>, cursor: Option<&[u8]>)
			-> MultiRemovalResults;
		clear_child_prefix(
			child: &ChildInfo,
			prefix: &[u8],
			limit: Option<u32>,
			cursor: Option<&[u8]>
		) -> MultiRemovalResults;
		place_storage(key: Vec<u8>, value: Option<Vec<u8>>);
		place_child_storage(child: &ChildInfo, key: Vec<u8>, value: Option<Vec<u8>>);
		storage_root(version: StateVersion) -> Vec<u8>;
		child_storage_root(child: &ChildInfo, version: StateVersion) -> Vec<u8>;
		storage_append(key: Vec<u8>, value: Vec<u8>);
		storage_start_transaction();
		storage_rollback_transaction() -> Result<(), ()>;
		storage_commit_transaction() -> Result<(), ()>;
		wipe();
		commit();
		reset_read_write_count();
		set_whitelist(new: Vec<TrackedStorageKey>);
	}

	passed_on! {
		read_write_count -> (u32, u32, u32, u32);
		get_whitelist -> Vec<TrackedStorageKey>;
		get_read_and_written_keys -> Vec<(Vec<u8>, u32, u32, bool)>;
	}
}

impl ExtensionStore for Counting<'_> {
	fn extension_by_type_id(&mut self, id: TypeId) -> Option<&mut dyn Any> {
		self.host.extension_by_type_id(id)
	}

	fn register_extension_with_type_id(
		&mut self,
		id: TypeId,
		extension: Box<dyn Extension>,
	) -> Result<(), Error> {
		self.host.register_extension_with_type_id(id, extension)
	}

	fn deregister_extension_by_type_id(&mut self, id: TypeId) -> Result<(), Error> {
		self.host.deregister_extension_by_type_id(id)
	}
}

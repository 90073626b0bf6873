// SPDX-License-Identifier: Apache-2.0
//! The backend in chain state: in blocks, in a call, and beside what it must not touch.

use std::convert::Infallible;

use content_fabric_okvs::{
	chain::{
		ChainConfig, ChainConfigError, ChainDatabase, ChainRange, ChainSnapshot, ChainTransaction,
	},
	Database, Error, RangeOptions, Read, Transaction,
};
use sp_io::{storage, TestExternalities};
use sp_runtime::DispatchError;

fn open(prefix: &[u8]) -> ChainDatabase {
	let config = ChainConfig::new(prefix).expect("the prefix is allowed");
	ChainDatabase::open(config).expect("nothing can fail")
}

/// Runs a closure in a transaction of the store that most tests have.
fn transact<T>(run: impl FnOnce(&mut ChainTransaction<'_>) -> Result<T, Error<Infallible>>) -> T {
	open(b"store").transact(run).expect("nothing else is open")
}

/// Sets keys to themselves.
fn set(keys: impl IntoIterator<Item = Vec<u8>>) {
	transact(|transaction| keys.into_iter().try_for_each(|key| transaction.set(&key, &key)));
}

fn keys() -> Vec<Vec<u8>> {
	let keys = |transaction: &mut ChainTransaction<'_>| {
		transaction.range(b"")?.map(|pair| Ok(pair?.0.to_vec())).collect()
	};
	transact(keys)
}

#[test]
fn a_prefix_that_is_empty_or_the_hosts_is_refused() {
	assert_eq!(ChainConfig::new(b""), Err(ChainConfigError::Empty));
	for prefix in [":", ":c", ":child_storage:", ":child_storage:default:x", ":code"] {
		let reserved = Err(ChainConfigError::Reserved);
		assert_eq!(ChainConfig::new(prefix.as_bytes()), reserved, "{prefix}");
	}
	assert!(ChainConfig::new(&[0]).is_ok() && ChainConfig::new(&[0xff]).is_ok());
}

/// The last prefix of all has no key after it.
#[test]
fn a_prefix_of_ff_reaches_to_the_end_of_the_state() {
	TestExternalities::default().execute_with(|| {
		storage::set(b"\xfe", b"neighbour");
		let done = open(b"\xff\xff").transact(|transaction| {
			for key in [&b""[..], b"\xff\xff", b"a"] {
				transaction.set(key, b"1")?;
			}
			let found = transaction.range_with(b"", RangeOptions::REVERSE)?;
			let found: Vec<_> = found.map(|pair| Ok(pair?.0)).collect::<Result<_, Error<_>>>()?;
			assert_eq!(found, [&b"\xff\xff"[..], b"a", b""]);
			transaction.remove_range(b"", None)?;
			transaction.is_empty()
		});
		assert_eq!(done, Ok(true));
		assert!(storage::exists(b"\xfe"));
	});
}

#[test]
fn snapshots_and_transactions_exclude_each_other() {
	TestExternalities::default().execute_with(|| {
		let database = open(b"store");
		let (first, second) = (database.begin_read(), database.begin_read());
		assert_eq!(database.begin().err(), Some(Error::Busy));
		drop(first);
		assert_eq!(database.begin().err(), Some(Error::Busy));
		drop(second);
		let transaction = database.begin().expect("nothing else is open");
		assert_eq!(database.begin_read().err(), Some(Error::Busy));
		// It excludes transactions of other handles, of whichever store: the host's layers are one
		// stack.
		let (same, other) = (open(b"store"), open(b"other"));
		for other in [&same, &other] {
			assert_eq!(other.begin().err(), Some(Error::Busy));
			assert_eq!(other.begin_read().err(), Some(Error::Busy));
		}
		transaction.commit().expect("nothing can fail");
		assert!(
			other.begin_read().is_ok() && same.begin().is_ok() && database.begin_read().is_ok()
		);
	});
}

/// The state of the chain, and the counters of open readers and writers, belong to one thread.
#[test]
fn readers_and_writers_stay_in_their_thread() {
	// Two implementations apply to what is `Send`, so that the one meant is not clear.
	trait Ambiguous<A> {
		fn check() {}
	}
	struct Sent;
	impl<T: ?Sized> Ambiguous<()> for T {}
	impl<T: ?Sized + Send> Ambiguous<Sent> for T {}
	<ChainSnapshot<'static> as Ambiguous<_>>::check();
	<ChainTransaction<'static> as Ambiguous<_>>::check();
	<ChainRange<'static> as Ambiguous<_>>::check();
}

/// The host's trie is damaged by the removal of a key that is not there, while others that begin
/// with it are.
#[test]
fn a_key_that_others_begin_with_can_be_removed_without_being_there() {
	for (others, removed) in [
		([&b"\xff\xff"[..], b"\xfe\xff\xe9", b"\xff\xff\xff"], &b"\xff"[..]),
		([b"\0", b"\0\0", b"\x01"], b""),
		([b"a\0", b"a\0\0", b"a\x01"], b"a"),
		([b"a\0\0", b"a\0\x01", b"a\0\xff"], b"a\0"),
	] {
		let others = others.map(<[u8]>::to_vec);
		// Set before or not.
		for set_before in [true, false] {
			let mut externalities = TestExternalities::default();
			externalities.execute_with(|| set(others.clone()));
			externalities.commit_all().expect("no storage layer is open");
			externalities.execute_with(|| {
				if set_before {
					set([removed.to_vec()]);
				}
				transact(|transaction| transaction.remove(removed));
			});
			externalities.commit_all().expect("no storage layer is open");
			let mut sorted = others.to_vec();
			sorted.sort();
			assert_eq!(externalities.execute_with(keys), sorted);
		}
	}
}

/// Keys in the prefix that the store has not written are read without a panic.
#[test]
fn foreign_keys_in_the_prefix_do_no_harm() {
	TestExternalities::default().execute_with(|| {
		for key in [&b"store"[..], b"store\0", b"storeab", b"storea\0", b"storea\0b\0"] {
			storage::set(key, b"foreign");
		}
		keys();
		let removed = transact(|transaction| transaction.remove_prefix(b"", usize::MAX));
		assert_eq!(removed.cursor, None);
	});
}

/// As in a call of a runtime, whose layer is around the layers of the store.
#[test]
fn what_was_committed_is_undone_with_a_call_that_fails() {
	fn call(fail: bool) -> Result<(), DispatchError> {
		let database = open(b"store");
		for (key, commit) in [(b"a", true), (b"b", false), (b"c", true)] {
			let mut transaction = database.begin()?;
			transaction.set(key, b"child")?;
			if commit {
				transaction.commit()?;
			}
		}
		match fail {
			true => Err(DispatchError::Other("as it was to")),
			false => Ok(()),
		}
	}
	let mut externalities = TestExternalities::default();
	let mut dispatch = |fail| {
		let keys = externalities.execute_with(|| {
			storage::start_transaction();
			match call(fail) {
				Ok(()) => storage::commit_transaction(),
				Err(_) => storage::rollback_transaction(),
			}
			keys()
		});
		externalities.commit_all().expect("no storage layer is open");
		keys
	};
	assert!(dispatch(true).is_empty());
	assert_eq!(dispatch(false), [b"a", b"c"]);
	let busy = DispatchError::from(Error::Busy);
	assert_eq!(busy, DispatchError::Other("another transaction or snapshot of a store is open"));
}

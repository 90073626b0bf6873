// SPDX-License-Identifier: Apache-2.0
//! The store in the state of a chain beside direct use of the host's functions, natively.

use std::{cell::RefCell, time::Duration};

use content_fabric_okvs::{
	chain::{ChainConfig, ChainDatabase},
	Database,
};
use sp_io::{storage, TestExternalities};

use crate::{
	ours::Ours,
	pairs::{Family, Pair},
	store::{both, digest, digest_pair, fill, rows, Reader, Store},
	table::{timed, Table},
};

const SUBSPACE: &[u8] = b"s";

/// A store, and the state of a chain, which holds its pairs and nothing else.
struct Chain<S> {
	store: S,
	state: RefCell<TestExternalities>,
}

impl<S: Store> Chain<S> {
	fn filled(store: S, count: u32) -> Self {
		let chain = Self { store, state: Default::default() };
		fill(&chain, count);
		chain
	}
}

impl<S: Store> Store for Chain<S> {
	const NAME: &'static str = S::NAME;
	type Reader<'s>
		= S::Reader<'s>
	where
		S: 's;

	fn reader(&self) -> S::Reader<'_> {
		self.store.reader()
	}

	fn set(&self, pairs: impl Iterator<Item = Pair>) {
		self.store.set(pairs);
	}

	fn remove(&self, family: &Family) {
		self.store.remove(family);
	}

	fn remove_counted(&self, family: &Family) -> usize {
		self.store.remove_counted(family)
	}

	fn turn<R>(&self, run: impl FnOnce() -> R) -> R {
		self.state.borrow_mut().execute_with(run)
	}

	/// Times a write in a storage layer that is rolled back: what a block has written is slower to
	/// walk than what it has not.
	fn timed_write(&self, write: impl FnOnce()) -> Duration {
		storage::start_transaction();
		let time = timed(write);
		storage::rollback_transaction();
		time
	}

	fn restore(&self, _parent: u32) {}

	fn settle(&self) {
		self.state.borrow_mut().commit_all().expect("no storage layer is open");
	}
}

/// The host's functions, with a storage layer for each transaction.
struct Host;

/// Returns the beginning of the host's keys for all keys that begin with a prefix. Both stores have
/// the same keys in the state: longer ones take longer.
fn host_prefix(prefix: &[u8]) -> Vec<u8> {
	let mut host = Vec::with_capacity(SUBSPACE.len() + 2 * prefix.len() + 2);
	host.extend_from_slice(SUBSPACE);
	for &byte in prefix {
		host.push(byte);
		if byte == 0 {
			host.push(1);
		}
	}
	host
}

fn host_key(key: &[u8]) -> Vec<u8> {
	let mut host = host_prefix(key);
	host.extend_from_slice(&[0, 0]);
	host
}

fn key(host: &[u8]) -> Vec<u8> {
	let mut bytes = host[SUBSPACE.len()..host.len() - 2].iter();
	let mut key = Vec::with_capacity(bytes.len());
	while let Some(&byte) = bytes.next() {
		key.push(byte);
		if byte == 0 {
			bytes.next();
		}
	}
	key
}

fn layered<R>(run: impl FnOnce() -> R) -> R {
	storage::start_transaction();
	let result = run();
	storage::commit_transaction();
	result
}

fn walk(prefix: &[u8], mut visit: impl FnMut(&[u8])) {
	let mut next = storage::next_key(prefix);
	while let Some(key) = next.filter(|key| key.starts_with(prefix)) {
		visit(&key);
		next = storage::next_key(&key);
	}
}

impl Store for Host {
	const NAME: &'static str = "sp-io";
	type Reader<'s> = Self;

	fn reader(&self) -> Self {
		Self
	}

	fn set(&self, pairs: impl Iterator<Item = Pair>) {
		layered(|| pairs.for_each(|(key, value)| storage::set(&host_key(&key), value)));
	}

	fn remove(&self, family: &Family) {
		let _ = layered(|| storage::clear_prefix(&host_prefix(&family.start), None));
	}

	fn remove_counted(&self, family: &Family) -> usize {
		let mut count = 0;
		layered(|| {
			walk(&host_prefix(&family.start), |key| {
				storage::clear(key);
				count += 1;
			});
		});
		count
	}
}

impl Reader for Host {
	fn get(&self, key: &[u8]) -> usize {
		storage::get(&host_key(key)).map_or(0, |value| digest(&value))
	}

	fn scan(&self, family: &Family, reverse: bool) -> usize {
		let pair = |host: &[u8]| {
			let value = storage::get(host).expect("a key that was found has a value");
			digest_pair(&key(host), &value)
		};
		let prefix = host_prefix(&family.start);
		if reverse {
			// The host steps forwards only.
			let mut keys = Vec::new();
			walk(&prefix, |key| keys.push(key.to_vec()));
			return keys.iter().rev().map(|key| pair(key)).sum();
		}
		let mut sum = 0;
		walk(&prefix, |key| sum += pair(key));
		sum
	}
}

pub fn run(table: &mut Table, count: u32, run: u32) {
	let subspace = ChainConfig::new(SUBSPACE).expect("the subspace is allowed");
	let database = ChainDatabase::open(subspace).expect("a store on chain can always be opened");
	let ours = Ours { database, settle: |_| {} };
	let (ours, host) = both(run, || Chain::filled(ours, count), || Chain::filled(Host, count));
	for ((name, ours), (_, host)) in rows(&ours, count).into_iter().zip(rows(&host, count)) {
		table.measure(name, 0.97, count, vec![ours, host]);
	}
}

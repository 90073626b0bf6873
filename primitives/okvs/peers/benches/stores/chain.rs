// SPDX-License-Identifier: Apache-2.0
//! The store in the state of a chain beside direct use of the host's functions, natively.

use std::{cell::RefCell, time::Duration};

use content_fabric_okvs::chain::{ChainConfig, ChainDatabase};
use content_fabric_okvs::Database;
use sp_io::{storage, TestExternalities};

use crate::{
	ours,
	pairs::{Family, Pair},
	runner::{measure, timed, Plan},
	store::{digest, digest_pair, fill, Reader, Step, Store},
	table::Table,
};

/// The prefix of all keys in the state.
const SUBSPACE: &[u8] = b"s";

/// The state of a chain that holds the pairs and nothing else.
#[derive(Default)]
struct State(RefCell<TestExternalities>);

impl State {
	fn turn<R>(&self, run: impl FnOnce() -> R) -> R {
		self.0.borrow_mut().execute_with(run)
	}

	/// Ends the block.
	fn settle(&self) {
		self.0.borrow_mut().commit_all().expect("no storage layer is open");
	}
}

/// Times a write in a storage layer that is rolled back: what a block has written is slower to walk
/// than what it has not.
fn timed_in_a_layer(write: impl FnOnce()) -> Duration {
	storage::start_transaction();
	let time = timed(write);
	storage::rollback_transaction();
	time
}

struct Ours {
	state: State,
	database: ChainDatabase,
}

impl Store for Ours {
	const NAME: &'static str = ours::NAME;
	type Reader<'s> = ours::Snapshot<<ChainDatabase as Database>::Snapshot<'s>>;

	fn reader(&self) -> Self::Reader<'_> {
		ours::reader(&self.database)
	}

	fn set(&self, pairs: impl Iterator<Item = Pair>) {
		ours::set(&self.database, pairs);
	}

	fn remove(&self, family: &Family) {
		ours::remove(&self.database, family);
	}

	fn remove_counted(&self, family: &Family) -> usize {
		ours::remove_counted(&self.database, family)
	}

	fn turn<R>(&self, run: impl FnOnce() -> R) -> R {
		self.state.turn(run)
	}

	fn timed_write(&self, write: impl FnOnce()) -> Duration {
		timed_in_a_layer(write)
	}

	fn restore(&self, _parent: u32) {}

	fn settle(&self) {
		self.state.settle();
	}
}

/// The host's functions, with a storage layer for each transaction.
#[derive(Default)]
struct Host(State);

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

/// Runs a closure in a storage layer.
fn layered<R>(run: impl FnOnce() -> R) -> R {
	storage::start_transaction();
	let result = run();
	storage::commit_transaction();
	result
}

/// Calls a closure with each of the host's keys that begin with a prefix.
fn walk(prefix: &[u8], mut visit: impl FnMut(&[u8])) {
	let mut next = storage::next_key(prefix);
	while let Some(key) = next.filter(|key| key.starts_with(prefix)) {
		visit(&key);
		next = storage::next_key(&key);
	}
}

impl Store for Host {
	const NAME: &'static str = "sp-io";
	type Reader<'s> = HostReader;

	fn reader(&self) -> HostReader {
		HostReader
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

	fn turn<R>(&self, run: impl FnOnce() -> R) -> R {
		self.0.turn(run)
	}

	fn timed_write(&self, write: impl FnOnce()) -> Duration {
		timed_in_a_layer(write)
	}

	fn restore(&self, _parent: u32) {}

	fn settle(&self) {
		self.0.settle();
	}
}

struct HostReader;

impl Reader for HostReader {
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

/// Measures all rows at one size.
pub fn run(table: &mut Table, count: u32, plan: Plan) {
	let subspace = ChainConfig::new(SUBSPACE).expect("the subspace is allowed");
	let database = ChainDatabase::open(subspace).expect("a store on chain can always be opened");
	let (ours, host) = (Ours { state: State::default(), database }, Host::default());
	fill(&ours, count);
	fill(&host, count);
	for step in Step::ALL {
		let contestants = vec![step.contestant(&ours, count), step.contestant(&host, count)];
		table.add(step.name(), 0.97, count, measure(contestants, plan));
	}
}

// SPDX-License-Identifier: Apache-2.0
//! The backend on disk: its files, and what is left of them after a crash of the process, after a
//! power cut, and after damage.

mod damage;
mod files;
mod kill;
mod power;

use std::{
	collections::BTreeMap,
	path::{Path, PathBuf},
};

use content_fabric_okvs::{
	disk::{DiskBytes, DiskConfig, DiskDatabase, DiskError, DiskSnapshot, DiskTransaction},
	Database, Error, Pair, Read, Transaction,
};
use tempfile::TempDir;

type Map = BTreeMap<Vec<u8>, Vec<u8>>;

/// A temporary folder, and the path of a file in it that is not there yet.
fn folder() -> (TempDir, PathBuf) {
	let directory = tempfile::tempdir().expect("a temporary folder can be made");
	let path = directory.path().join("pairs");
	(directory, path)
}

fn opened(config: DiskConfig) -> DiskDatabase {
	DiskDatabase::open(config).expect("the file can be opened")
}

/// Copies a file as it is now, as after a crash.
fn crash(path: &Path) -> PathBuf {
	let crashed = path.with_extension("crashed");
	std::fs::copy(path, &crashed).expect("the file can be copied");
	crashed
}

fn read(snapshot: &DiskSnapshot<'_>) -> Result<Map, Error<DiskError>> {
	let owned = |(key, value): Pair<DiskBytes<'_>>| (key.to_vec(), value.to_vec());
	snapshot.range(b"")?.map(|pair| pair.map(owned)).collect()
}

fn pairs(database: &DiskDatabase) -> Map {
	let snapshot = database.begin_read().expect("the pairs can be read");
	read(&snapshot).expect("the pairs can be read")
}

/// Returns the pairs after a number of transactions, each of which changes all of them.
fn after(transactions: u64) -> Map {
	if transactions == 0 {
		return Map::new();
	}
	let number = (b"transactions".to_vec(), transactions.to_be_bytes().to_vec());
	let mut map = Map::from([number]);
	for number in 0..50u64 {
		if !(transactions + number).is_multiple_of(3) {
			let len = (transactions * 31 + number * 17) % 500;
			map.insert(number.to_be_bytes().to_vec(), vec![transactions as u8; len as usize]);
		}
	}
	map
}

/// Writes the pairs after a number of transactions.
fn write(transaction: &mut DiskTransaction<'_>, transactions: u64) -> Result<(), Error<DiskError>> {
	transaction.remove_range(b"", None)?;
	after(transactions).iter().try_for_each(|(key, value)| transaction.set(key, value))
}

fn commit(database: &DiskDatabase, number: u64) {
	let committed = database.transact(|transaction| write(transaction, number));
	committed.expect("the file can be written");
}

/// Returns the number of transactions whose pairs these are, all of them.
fn transactions(pairs: &Map) -> u64 {
	let transactions = pairs.get(&b"transactions"[..]).map_or(0, |number| {
		u64::from_be_bytes(number.as_slice().try_into().expect("the number has 8 bytes"))
	});
	assert!(*pairs == after(transactions), "not whole after {transactions} transactions");
	transactions
}

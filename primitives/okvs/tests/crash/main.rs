// SPDX-License-Identifier: Apache-2.0
//! The backend on disk after a crash of the process, after a power cut, and after damage to its
//! file.

mod damage;
mod kill;
mod power;

use std::collections::BTreeMap;

use content_fabric_okvs::{
	disk::{DiskBytes, DiskDatabase, DiskError},
	Database, Error, Pair, Read, Transaction,
};

type Map = BTreeMap<Vec<u8>, Vec<u8>>;

fn pairs(database: &DiskDatabase) -> Result<Map, Error<DiskError>> {
	let snapshot = database.begin_read()?;
	let owned = |(key, value): Pair<DiskBytes<'_>>| (key.to_vec(), value.to_vec());
	snapshot.range(b"")?.map(|pair| pair.map(owned)).collect()
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
fn write<T: Transaction<Error: std::fmt::Debug>>(transaction: &mut T, transactions: u64) {
	transaction.remove_range(b"", None).expect("nothing can fail");
	for (key, value) in after(transactions) {
		transaction.set(&key, &value).expect("nothing can fail");
	}
}

/// Returns the number of transactions whose pairs these are, all of them.
fn transactions(pairs: &Map) -> u64 {
	let transactions = pairs.get(&b"transactions"[..]).map_or(0, |number| {
		u64::from_be_bytes(number.as_slice().try_into().expect("the number has 8 bytes"))
	});
	assert!(*pairs == after(transactions), "not whole after {transactions} transactions");
	transactions
}

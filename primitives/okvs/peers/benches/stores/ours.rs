// SPDX-License-Identifier: Apache-2.0
//! The library's own stores.

use std::fmt::Debug;

use content_fabric_okvs::{successor, Database, RangeOptions, Read, Transaction};

use crate::{
	pairs::{Family, Pair},
	store::{digest, digest_pair, Reader},
};

/// The name of the library's stores in the tables.
pub const NAME: &str = "ours";

/// A snapshot of a store.
pub struct Snapshot<S>(pub S);

impl<S: Read<Error: Debug>> Reader for Snapshot<S> {
	fn get(&self, key: &[u8]) -> usize {
		let value = self.0.get(key).expect("the store can be read");
		value.map_or(0, |value| digest(value.as_ref()))
	}

	fn scan(&self, family: &Family, reverse: bool) -> usize {
		let options = RangeOptions { reverse, ..RangeOptions::default() };
		let range = self.0.range_with(&family.start, options).expect("the store can be read");
		range
			.map(|pair| {
				let (key, value) = pair.expect("the store can be read");
				digest_pair(key.as_ref(), value.as_ref())
			})
			.sum()
	}
}

/// Begins to read.
pub fn reader<D: Database<Error: Debug>>(database: &D) -> Snapshot<D::Snapshot<'_>> {
	Snapshot(database.begin_read().expect("the store can be read"))
}

/// Runs a closure in a transaction.
fn transact<'db, D: Database<Error: Debug>, R>(
	database: &'db D,
	run: impl FnOnce(&mut D::Transaction<'db>) -> R,
) -> R {
	let mut transaction = database.begin().expect("no other transaction is open");
	let result = run(&mut transaction);
	transaction.commit().expect("the store can be written");
	result
}

/// Sets pairs in one transaction.
pub fn set<D: Database<Error: Debug>>(database: &D, pairs: impl Iterator<Item = Pair>) {
	transact(database, |transaction| {
		for (key, value) in pairs {
			transaction.set(&key, value).expect("the store can be written");
		}
	});
}

/// Removes the children of a parent in one transaction.
pub fn remove<D: Database<Error: Debug>>(database: &D, family: &Family) {
	transact(database, |transaction| {
		let end = successor(&family.start);
		transaction.remove_range(&family.start, end.as_deref()).expect("the store can be written");
	});
}

/// Removes the children of a parent in one transaction, and counts them.
pub fn remove_counted<D: Database<Error: Debug>>(database: &D, family: &Family) -> usize {
	transact(database, |transaction| {
		let removed = transaction.remove_prefix(&family.start, usize::MAX);
		removed.expect("the store can be written").count
	})
}

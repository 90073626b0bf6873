// SPDX-License-Identifier: Apache-2.0
//! `redb`, used directly and with its own defaults.

use std::path::Path;

use content_fabric_okvs::Durability;
use redb::{ReadOnlyTable, ReadableDatabase, ReadableTable, TableDefinition};

use super::{sync_names, OnDisk, CACHE};
use crate::{
	pairs::{Family, Pair},
	store::{digest, digest_pair, Reader, Store},
};

const TABLE: TableDefinition<&[u8], &[u8]> = TableDefinition::new("pairs");

pub struct Redb {
	file: redb::Database,
	durability: Durability,
}

impl Redb {
	fn write<R>(&self, run: impl FnOnce(&mut redb::Table<&[u8], &[u8]>) -> R) -> R {
		let mut transaction = self.file.begin_write().expect("a transaction can begin");
		if self.durability == Durability::Close {
			transaction.set_durability(redb::Durability::None).expect("no savepoint was made");
		}
		let result = run(&mut transaction.open_table(TABLE).expect("the table can be opened"));
		transaction.commit().expect("the file can be written");
		result
	}
}

impl Store for Redb {
	const NAME: &'static str = "redb";
	type Reader<'s> = ReadOnlyTable<&'static [u8], &'static [u8]>;

	fn reader(&self) -> Self::Reader<'_> {
		let transaction = self.file.begin_read().expect("the file can be read");
		transaction.open_table(TABLE).expect("the table can be opened")
	}

	fn set(&self, pairs: impl Iterator<Item = Pair>) {
		self.write(|table| {
			for (key, value) in pairs {
				table.insert(key.as_slice(), value).expect("the file can be written");
			}
		});
	}

	fn remove(&self, family: &Family) {
		self.write(|table| {
			table
				.retain_in::<&[u8], _>(family.bounds(), |_, _| false)
				.expect("the file can be written");
		});
	}

	fn remove_counted(&self, family: &Family) -> usize {
		self.write(|table| {
			let mut count = 0;
			let retained = table.retain_in::<&[u8], _>(family.bounds(), |_, _| {
				count += 1;
				false
			});
			retained.expect("the file can be written");
			count
		})
	}

	fn settle(&self) {
		let transaction = self.file.begin_write().expect("a transaction can begin");
		// As ours does, so that both files have the same pages.
		drop(transaction.open_table(TABLE).expect("the table can be opened"));
		transaction.commit().expect("the file can be written");
	}
}

impl Reader for ReadOnlyTable<&'static [u8], &'static [u8]> {
	fn get(&self, key: &[u8]) -> usize {
		let value = ReadableTable::get(self, key).expect("the file can be read");
		value.map_or(0, |value| digest(value.value()))
	}

	fn scan(&self, family: &Family, reverse: bool) -> usize {
		let range = ReadableTable::range::<&[u8]>(self, family.bounds());
		let range = range.expect("the file can be read");
		let digest = |pair: Result<(redb::AccessGuard<&[u8]>, redb::AccessGuard<&[u8]>), _>| {
			let (key, value) = pair.expect("the file can be read");
			digest_pair(key.value(), value.value())
		};
		if reverse {
			range.rev().map(digest).sum()
		} else {
			range.map(digest).sum()
		}
	}
}

impl OnDisk for Redb {
	fn open(directory: &Path, durability: Durability) -> Self {
		let (mut builder, path) = (redb::Builder::new(), directory.join("pairs"));
		builder.set_cache_size(CACHE);
		let file = builder.open(&path).or_else(|_| {
			drop(builder.create(&path)?);
			// As ours does, which writes to a file only once it has been opened as one that is
			// there.
			builder.open(&path)
		});
		Self { file: file.expect("the file can be opened"), durability }
	}

	/// Copies the pairs to a new file, as `redb` itself makes no backups.
	fn backup(&self, directory: &Path) {
		let file = redb::Builder::new().create(directory.join("pairs"));
		let file = file.expect("the file can be made");
		let copy = Self { file, durability: Durability::Commit };
		let pairs = self.reader();
		copy.write(|table| {
			for pair in ReadableTable::iter(&pairs).expect("the file can be read") {
				let (key, value) = pair.expect("the file can be read");
				table.insert(key.value(), value.value()).expect("the file can be written");
			}
		});
		sync_names(directory);
	}

	fn close(self) {}
}

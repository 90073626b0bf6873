// SPDX-License-Identifier: Apache-2.0
//! `fjall`, a log-structured merge tree, with transactions by a single writer.

use std::{path::Path, time::Duration};

use fjall::{
	KeyspaceCreateOptions, PersistMode, Readable, SingleWriterTxDatabase, SingleWriterTxKeyspace,
	SingleWriterWriteTx, Snapshot,
};

use super::{Commits, OnDisk, CACHE};
use crate::{
	pairs::{Family, Pair},
	store::{digest, digest_pair, Reader, Store},
};

/// A folder of `fjall`.
pub struct Fjall {
	database: SingleWriterTxDatabase,
	keyspace: SingleWriterTxKeyspace,
	commits: Commits,
}

impl Fjall {
	fn write<R>(&self, run: impl FnOnce(&mut SingleWriterWriteTx) -> R) -> R {
		let mut transaction = self.database.write_tx();
		let result = run(&mut transaction);
		transaction.commit().expect("the files can be written");
		if self.commits == Commits::Synced {
			self.database.persist(PersistMode::SyncAll).expect("the files can be written");
		}
		result
	}
}

/// A snapshot of the pairs.
pub struct Pairs<'s> {
	snapshot: Snapshot,
	keyspace: &'s SingleWriterTxKeyspace,
}

impl Store for Fjall {
	const NAME: &'static str = "fjall";
	type Reader<'s> = Pairs<'s>;

	fn reader(&self) -> Pairs<'_> {
		Pairs { snapshot: self.database.read_tx(), keyspace: &self.keyspace }
	}

	fn set(&self, pairs: impl Iterator<Item = Pair>) {
		self.write(|transaction| {
			for (key, value) in pairs {
				transaction.insert(&self.keyspace, key, value);
			}
		});
	}

	fn remove(&self, family: &Family) {
		self.remove_counted(family);
	}

	/// Removes key by key, as there is no removal of a range.
	fn remove_counted(&self, family: &Family) -> usize {
		self.write(|transaction| {
			let keys: Vec<_> = transaction
				.prefix(&self.keyspace, family.start)
				.map(|pair| pair.key().expect("the files can be read"))
				.collect();
			let count = keys.len();
			for key in keys {
				transaction.remove(&self.keyspace, key);
			}
			count
		})
	}

	/// Waits for the threads in the background, too.
	fn settle(&self) {
		self.database.persist(PersistMode::SyncAll).expect("the files can be written");
		let database = self.database.inner();
		while database.outstanding_flushes() > 0 || database.active_compactions() > 0 {
			std::thread::sleep(Duration::from_millis(1));
		}
	}
}

impl Reader for Pairs<'_> {
	fn get(&self, key: &[u8]) -> usize {
		let value = self.snapshot.get(self.keyspace, key).expect("the files can be read");
		value.map_or(0, |value| digest(&value))
	}

	fn scan(&self, family: &Family, reverse: bool) -> usize {
		let range = self.snapshot.prefix(self.keyspace, family.start);
		let digest = |pair: fjall::Guard| {
			let (key, value) = pair.into_inner().expect("the files can be read");
			digest_pair(&key, &value)
		};
		if reverse {
			range.rev().map(digest).sum()
		} else {
			range.map(digest).sum()
		}
	}
}

impl OnDisk for Fjall {
	fn open(directory: &Path, commits: Commits) -> Self {
		let database = SingleWriterTxDatabase::builder(directory).cache_size(CACHE as u64).open();
		let database = database.expect("the files can be opened");
		let keyspace = database.keyspace("pairs", KeyspaceCreateOptions::default);
		Self { keyspace: keyspace.expect("the files can be opened"), database, commits }
	}

	/// Copies the pairs to new files by an ingestion, as `fjall` itself makes no backups.
	fn backup(&self, directory: &Path) {
		let copy = Self::open(directory, Commits::Synced);
		let keyspace = copy.keyspace.inner();
		let mut ingestion = keyspace.start_ingestion().expect("the files can be written");
		for pair in self.reader().snapshot.iter(&self.keyspace) {
			let (key, value) = pair.into_inner().expect("the files can be read");
			ingestion.write(key, value).expect("the files can be written");
		}
		ingestion.finish().expect("the files can be written");
		copy.database.persist(PersistMode::SyncAll).expect("the files can be written");
	}
}

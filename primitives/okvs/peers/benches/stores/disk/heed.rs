// SPDX-License-Identifier: Apache-2.0
//! LMDB through `heed`.

use std::path::Path;

use content_fabric_okvs::Durability;
use heed::{
	types::Bytes, CommitOrAbort, CompactionOption, Database, Env, EnvFlags, EnvOpenOptions, RoTxn,
	RwTxn, WithTls,
};

use super::{sync_names, OnDisk};
use crate::{
	pairs::{Family, Pair},
	store::{digest, digest_pair, Reader, Store},
};

/// Number of bytes that the file can grow to. LMDB reserves as many addresses.
const MAP: usize = 1 << 36;

pub struct Heed {
	environment: Env,
	database: Database<'static, Bytes, Bytes>,
}

impl Heed {
	fn write<R>(&self, run: impl FnOnce(&mut RwTxn) -> R) -> R {
		let mut transaction = self.environment.write_txn().expect("a transaction can begin");
		let result = run(&mut transaction);
		transaction.commit().expect("the file can be written");
		result
	}
}

pub struct Snapshot<'s> {
	transaction: RoTxn<'s, WithTls>,
	database: Database<'static, Bytes, Bytes>,
}

impl Store for Heed {
	const NAME: &'static str = "heed";
	type Reader<'s> = Snapshot<'s>;

	fn reader(&self) -> Snapshot<'_> {
		let transaction = self.environment.read_txn().expect("the file can be read");
		Snapshot { transaction, database: self.database }
	}

	fn set(&self, pairs: impl Iterator<Item = Pair>) {
		self.write(|transaction| {
			for (key, value) in pairs {
				self.database.put(transaction, &key, value).expect("the file can be written");
			}
		});
	}

	fn remove(&self, family: &Family) {
		self.remove_counted(family);
	}

	fn remove_counted(&self, family: &Family) -> usize {
		self.write(|transaction| {
			let removed = self.database.delete_range(transaction, &family.bounds());
			removed.expect("the file can be written")
		})
	}

	fn settle(&self) {
		self.environment.force_sync().expect("the file can be written");
	}
}

impl Reader for Snapshot<'_> {
	fn get(&self, key: &[u8]) -> usize {
		let value = self.database.get(&self.transaction, key).expect("the file can be read");
		value.map_or(0, digest)
	}

	fn scan(&self, family: &Family, reverse: bool) -> usize {
		let digest = |pair: heed::Result<(&[u8], &[u8])>| {
			let (key, value) = pair.expect("the file can be read");
			digest_pair(key, value)
		};
		if reverse {
			let range = self.database.rev_prefix_iter(&self.transaction, &family.start);
			range.expect("the file can be read").map(digest).sum()
		} else {
			let range = self.database.prefix_iter(&self.transaction, &family.start);
			range.expect("the file can be read").map(digest).sum()
		}
	}
}

// `heed` has no safe way to open a file.
#[allow(unsafe_code)]
fn open(directory: &Path, durability: Durability) -> Env {
	let mut options = EnvOpenOptions::new();
	options.map_size(MAP);
	if durability == Durability::Close {
		// SAFETY: the flag loses commits when the machine crashes, and then the benchmark ends.
		unsafe { options.flags(EnvFlags::NO_SYNC) };
	}
	// SAFETY: nothing else writes to the files, which are in a temporary folder.
	unsafe { options.open(directory) }.expect("the file can be opened")
}

impl OnDisk for Heed {
	fn open(directory: &Path, durability: Durability) -> Self {
		let environment = open(directory, durability);
		let transaction = environment.read_txn().expect("the file can be read");
		let opened = environment.open_databases_and_commit(transaction, |opener, transaction| {
			let database = opener.open_database::<Bytes, Bytes>(transaction, None)?;
			Ok::<_, heed::Error>(CommitOrAbort::<_, ()>::Commit(database))
		});
		let database = opened.expect("the file can be read").commit().flatten();
		Self { environment, database: database.expect("each file has an unnamed database") }
	}

	fn backup(&self, directory: &Path) {
		let copy = directory.join("data.mdb");
		let copy = self.environment.copy_to_path(copy, CompactionOption::Disabled);
		copy.expect("the file can be copied").sync_all().expect("the copy can be written");
		sync_names(directory);
	}

	fn close(self) {
		self.environment.prepare_for_closing().wait();
	}
}

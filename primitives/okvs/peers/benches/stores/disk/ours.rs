// SPDX-License-Identifier: Apache-2.0
//! The library's store on disk.

use std::path::Path;

use content_fabric_okvs::{
	disk::{DiskConfig, DiskDatabase, Durability},
	Database,
};

use super::{Commits, OnDisk, CACHE};
use crate::{
	ours,
	pairs::{Family, Pair},
	store::Store,
};

impl Store for DiskDatabase {
	const NAME: &'static str = ours::NAME;
	type Reader<'s> = ours::Snapshot<<Self as Database>::Snapshot<'s>>;

	fn reader(&self) -> Self::Reader<'_> {
		ours::reader(self)
	}

	fn set(&self, pairs: impl Iterator<Item = Pair>) {
		ours::set(self, pairs);
	}

	fn remove(&self, family: &Family) {
		ours::remove(self, family);
	}

	fn remove_counted(&self, family: &Family) -> usize {
		ours::remove_counted(self, family)
	}

	fn settle(&self) {
		self.flush().expect("the file can be written");
	}
}

impl OnDisk for DiskDatabase {
	fn open(directory: &Path, commits: Commits) -> Self {
		let durability = match commits {
			Commits::Synced => Durability::default(),
			Commits::Unsynced => Durability::Close,
		};
		let config = DiskConfig::new(directory.join("pairs")).cache_bytes(CACHE);
		<Self as Database>::open(config.durability(durability)).expect("the file can be opened")
	}

	fn backup(&self, directory: &Path) {
		let snapshot = self.begin_read().expect("the file can be read");
		snapshot.backup(directory.join("pairs")).expect("the copy can be written");
	}

	fn close(self) {
		Database::close(self).expect("the file can be closed");
	}
}

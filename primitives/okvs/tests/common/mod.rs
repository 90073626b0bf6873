// SPDX-License-Identifier: Apache-2.0
//! The three backends for tests that run on all of them.

use content_fabric_okvs::{
	chain::{ChainConfig, ChainDatabase},
	conformance::Harness,
	disk::{DiskConfig, DiskDatabase},
	memory::MemoryDatabase,
	Database, Durability,
};
use rand::{rngs::StdRng, Rng, SeedableRng};
use sp_io::TestExternalities;
use tempfile::TempDir;

#[derive(Default)]
pub struct Memory(MemoryDatabase);

impl Harness for Memory {
	type Database = MemoryDatabase;

	fn reset(&mut self) {
		*self = Self::default();
	}

	fn with<R>(&mut self, run: impl FnOnce(&MemoryDatabase) -> R) -> R {
		run(&self.0)
	}
}

/// A file that is closed and opened again between the parts of a case.
pub struct Disk {
	directory: TempDir,
	database: Option<DiskDatabase>,
	durability: Durability,
}

impl Disk {
	pub fn new(durability: Durability) -> Self {
		let directory = tempfile::tempdir().expect("a temporary folder can be made");
		Self { directory, database: None, durability }
	}
}

impl Harness for Disk {
	type Database = DiskDatabase;

	fn reset(&mut self) {
		*self = Self::new(self.durability);
	}

	fn with<R>(&mut self, run: impl FnOnce(&DiskDatabase) -> R) -> R {
		if let Some(database) = self.database.take() {
			database.close().expect("the file can be closed");
		}
		let config = DiskConfig::new(self.directory.path().join("pairs"));
		let database = DiskDatabase::open(config.durability(self.durability));
		run(self.database.insert(database.expect("the file can be opened")))
	}
}

/// A chain that has keys around the prefix of the store, which have to stay as they are.
pub struct Chain {
	externalities: TestExternalities,
	/// Probability that a block ends after a part of a case. So keys are in the overlay, in the
	/// backend, or in both.
	blocks: f64,
	rng: StdRng,
}

/// Keys right before and right after the keys with the prefix.
const NEIGHBOURS: [&[u8]; 4] = [b"sub", b"sub\xfe\xff\xff", b"suc", b":code"];

impl Chain {
	pub fn new(blocks: f64) -> Self {
		let mut externalities = TestExternalities::default();
		externalities.execute_with(|| {
			NEIGHBOURS.iter().for_each(|key| sp_io::storage::set(key, b"neighbour"));
		});
		externalities.commit_all().expect("no storage layer is open");
		Self { externalities, blocks, rng: StdRng::seed_from_u64(0) }
	}
}

impl Harness for Chain {
	type Database = ChainDatabase;

	fn reset(&mut self) {
		*self = Self::new(self.blocks);
	}

	fn with<R>(&mut self, run: impl FnOnce(&ChainDatabase) -> R) -> R {
		let result = self.externalities.execute_with(|| {
			let prefix = ChainConfig::new(b"sub\xff").expect("the prefix is allowed");
			let database = ChainDatabase::open(prefix).expect("nothing can fail");
			let result = run(&database);
			for key in NEIGHBOURS {
				assert_eq!(sp_io::storage::get(key).as_deref(), Some(&b"neighbour"[..]));
			}
			result
		});
		if self.rng.random_bool(self.blocks) {
			self.externalities.commit_all().expect("no storage layer is left open");
		}
		result
	}
}

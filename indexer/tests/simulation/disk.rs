// SPDX-License-Identifier: Apache-2.0
//! An index on a disk whose power is cut: the process dies there.

use content_fabric_indexer::index::{Error, Index};
use content_fabric_okvs::{
	conformance::FailingDisk,
	disk::{redb, DiskConfig, DiskDatabase},
};
use rand::{rngs::StdRng, Rng};

/// Bytes of memory for the cache of the file. Little, so that it is written between commits, too.
const CACHE: usize = 64 << 10;

/// Opens the index on a disk.
pub fn open(disk: &FailingDisk) -> Result<Index, Error> {
	Index::new(database(disk)?)
}

/// Opens the store on a disk.
pub fn database(disk: &FailingDisk) -> Result<DiskDatabase, Error> {
	let config = DiskConfig::new("disk").quick_repair(true);
	let file = redb::Builder::new().set_cache_size(CACHE).create_with_backend(disk.clone());
	// The reason does not matter: the process has died, or the test fails.
	let file = file.map_err(|error| Error::Corrupted(error.to_string()))?;
	Ok(DiskDatabase::from_redb(file, config)?)
}

/// Returns the content after the death of the process: as of the last synchronization, with any
/// part of the changes since.
pub fn survivor(disk: &FailingDisk, rng: &mut StdRng) -> Vec<u8> {
	let share = [0.0, 0.1, 0.5, 0.9, 1.0][rng.random_range(0..5)];
	disk.survivor(|| rng.random_bool(share))
}

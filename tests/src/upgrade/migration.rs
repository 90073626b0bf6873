// SPDX-License-Identifier: Apache-2.0
//! The migration of the storage, while nodes come and go, and what it must lead to.

use std::time::Duration;

use sp_crypto_hashing::twox_128;
use subxt::{
	ext::codec::{Compact, Decode, Encode},
	utils::H256,
};

use super::{Upgrade, ALL, PATIENCE, VICTIM};
use crate::{
	raw::{storage_key, storage_value, MAPS_OF_A_TENANT},
	wait,
};

/// Longest time of the migration.
const MIGRATION: Duration = Duration::from_secs(1_200);
/// Bytes of a version before its KMS: provider and node.
const BEFORE_KMS: usize = 2 * 10;

impl Upgrade {
	/// Waits for the end of the migration. Kills a node in the middle of it, and starts it again.
	/// Returns the number and the hash of the last block of the migration.
	pub(super) async fn migrate(&mut self, (last_old, _): (u64, H256)) -> (u64, H256) {
		wait::until(PATIENCE, "no migration begins", async || {
			self.is_migrating(self.raw.best_block().await.1).await.is_some()
		})
		.await;
		let (killed_at, _) = self.raw.best_block().await;
		self.faults.testbed.kill(&[VICTIM]);
		self.print(&format!("a node is killed at block {killed_at}, during the migration"));
		self.faults.testbed.boot(&[VICTIM]);
		self.print("the node runs again");
		let mut last = killed_at;
		wait::until(MIGRATION, "the migration does not end", async || {
			let block;
			(last, block) = self.raw.best_block().await;
			last > killed_at && self.is_migrating(block).await.is_none()
		})
		.await;
		self.faults.testbed.reaches(&ALL, last, PATIENCE).await;
		let blocks = self.faults.testbed.record.blocks();
		for (number, block) in blocks.range(last_old + 1..) {
			if self.is_migrating(*block).await.is_none() {
				assert!(*number > killed_at, "the node was killed after the migration");
				let blocks = number - last_old;
				self.print(&format!(
					"the migration ends with block {number}, number {blocks} of its blocks"
				));
				return (*number, *block);
			}
		}
		panic!("the migration has no last block among {blocks:?}");
	}

	/// Returns the cursor of the migration that is under way at a block.
	async fn is_migrating(&self, block: H256) -> Option<Vec<u8>> {
		let key = storage_value("Migrations", "Cursor");
		self.raw.pairs(&key, Some(block)).await.remove(&key)
	}

	/// Checks that each version has a byte more after the migration than before it, and that
	/// nothing else has changed: the purge stands still, as the pallet is closed until the last
	/// block.
	pub(super) async fn compare(&self, last_old: (u64, H256), migrated: (u64, H256)) {
		let closed = self.last_closed(last_old.0, migrated.0).await;
		let (versions, fabric) = (storage_key("Versions", &[]), twox_128(b"ContentFabric"));
		let mut expected = self.raw.pairs(&fabric, Some(last_old.1)).await;
		expected.insert(storage_version(), 0u16.encode());
		let mut resized = 0;
		for (_, row) in expected.iter_mut().filter(|(key, _)| key.starts_with(&versions)) {
			// A KMS follows if the byte is 1, then the muid.
			let before_size = BEFORE_KMS + 1 + 10 * usize::from(row[BEFORE_KMS]) + 16;
			let mut rest = &row[before_size..];
			let Compact(size) = Compact::<u64>::decode(&mut rest).expect("the size comes next");
			*row = [&row[..before_size], &Compact(size + 1).encode(), rest].concat();
			resized += 1;
		}
		let found = self.raw.pairs(&fabric, Some(closed)).await;
		let differs = expected.iter().find(|(key, row)| found.get(*key) != Some(*row));
		assert!(differs.is_none(), "{differs:?}");
		assert_eq!(found.len(), expected.len());
		let holds = storage_value("Balances", "Holds");
		let before = self.raw.pairs(&holds, Some(last_old.1)).await;
		assert!(self.raw.pairs(&holds, Some(closed)).await == before, "holds have changed");
		self.print(&format!("{resized} of {} rows are migrated", found.len()));
		let left = self.rows_left(last_old.1).await;
		assert!(left > 0, "the purge has ended before the upgrade");
		assert_eq!(self.rows_left(closed).await, left, "the purge goes on");
		self.print(&format!("the purge has stood still at {left} rows"));
	}

	/// Returns the last block of the migration at which the pallet is closed. The chain ends the
	/// migration in a later one.
	async fn last_closed(&self, first: u64, last: u64) -> H256 {
		for number in (first..last).rev() {
			let block = self.raw.block_hash(number).await.expect("the block is there");
			if self.raw.value_at::<u16>(&storage_version(), Some(block)).await == Some(0) {
				return block;
			}
		}
		panic!("the pallet is open at all blocks from {first} to {last}");
	}

	/// Returns the number of rows of the tenant that is purged, at a block.
	async fn rows_left(&self, block: H256) -> usize {
		let mut rows = 0;
		for map in MAPS_OF_A_TENANT {
			rows += self.raw.pairs(&storage_key(map, &[&self.purged.0]), Some(block)).await.len();
		}
		rows
	}

	/// Waits for the end of all purges. Returns the number of the block in which the last one ends.
	pub(super) async fn purge_ends(&self, (last, _): (u64, H256)) -> u64 {
		for number in last + 1.. {
			wait::until(PATIENCE, "there is no further block", async || {
				self.raw.block_hash(number).await.is_some()
			})
			.await;
			let block = self.raw.block_hash(number).await.expect("it was there");
			if self.raw.pairs(&storage_key("Purges", &[]), Some(block)).await.is_empty() {
				assert_eq!(self.rows_left(block).await, 0);
				assert_eq!(self.raw.tenant(self.purged).await, None);
				self.print(&format!("all purges have ended with block {number}"));
				return number;
			}
		}
		unreachable!("the numbers of blocks have no end")
	}
}

/// Returns the key of the pallet's storage version.
fn storage_version() -> Vec<u8> {
	storage_value("ContentFabric", ":__STORAGE_VERSION__:")
}

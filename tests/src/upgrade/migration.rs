// SPDX-License-Identifier: Apache-2.0
//! The migration of the storage, while nodes come and go, and what it must lead to.

use std::time::{Duration, Instant};

use content_fabric_identifiers::Muid;
use content_fabric_storage_v1::{after, assert_same, map, without_blocks, Holds};
use sp_crypto_hashing::twox_128;
use subxt::{ext::codec::DecodeAll, utils::H256};

use super::{Upgrade, ALL, PATIENCE, PAUSE, VICTIM};
use crate::raw::{storage_value, HoldReason, Raw, STORAGE_DEPOSIT};

/// Longest time of the migration.
const MIGRATION: Duration = Duration::from_secs(1_200);

impl Upgrade {
	/// Waits for the end of the migration. Kills a node in the middle of it, and starts it again.
	/// Returns the number and the hash of the last block of the migration.
	pub(super) async fn migrate(&mut self, (last_old, _): (u64, H256)) -> (u64, H256) {
		let start = Instant::now();
		while self.is_migrating(self.raw.best_block().await.1).await.is_none() {
			assert!(start.elapsed() < PATIENCE, "no migration begins");
			tokio::time::sleep(PAUSE).await;
		}
		let (killed_at, _) = self.raw.best_block().await;
		self.faults.testbed.kill(&[VICTIM]);
		self.print(&format!("a node is killed at block {killed_at}, during the migration"));
		self.faults.testbed.boot(&[VICTIM]);
		self.print("the node runs again");
		let last = loop {
			let (number, block) = self.raw.best_block().await;
			if number > killed_at && self.is_migrating(block).await.is_none() {
				break number;
			}
			assert!(start.elapsed() < MIGRATION, "the migration does not end");
			tokio::time::sleep(PAUSE).await;
		};
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

	/// Checks that rows and holds after the migration are what they must be by those before it.
	pub(super) async fn compare(&self, last_old: (u64, H256), migrated: (u64, H256)) {
		let prefix = twox_128(b"ContentFabric");
		let before = self.raw.pairs(&prefix, Some(last_old.1)).await;
		let found = self.raw.pairs(&prefix, Some(migrated.1)).await;
		let granted = <[u8; 16]>::decode_all(&mut &found[&map("LastMuid")][..]);
		let granted = Muid::from_bytes(granted.expect("muids have 16 bytes"));
		let expected = after(&before, holds(&self.raw, last_old.1).await, granted);
		let number = |number: u64| u32::try_from(number).expect("the chain is short");
		let blocks = number(last_old.0 + 1)..=number(migrated.0);
		assert_same(&without_blocks(found, &blocks), &expected.rows);
		assert_eq!(holds(&self.raw, migrated.1).await, expected.holds);
		self.print(&format!(
			"{} rows of version 2 are what {} rows of version 1 must become",
			expected.rows.len(),
			before.len()
		));
		let left = self.fabric.rows_left(&self.raw, last_old.1).await;
		assert!(left > 0, "the purge has ended before the upgrade");
		assert_eq!(self.fabric.rows_left(&self.raw, migrated.1).await, left, "the purge goes on");
		self.print(&format!("the purge has stood still at {left} rows"));
	}

	/// Waits for the end of all purges. Returns the number of the block in which the last one ends.
	pub(super) async fn purge_ends(&self, (last, _): (u64, H256)) -> u64 {
		let start = Instant::now();
		for number in last + 1.. {
			let block = loop {
				match self.raw.block_hash(number).await {
					Some(block) => break block,
					None => tokio::time::sleep(PAUSE).await,
				}
				assert!(start.elapsed() < PATIENCE, "the purges do not end");
			};
			if self.raw.pairs(&map("Purges"), Some(block)).await.is_empty() {
				assert_eq!(self.fabric.rows_left(&self.raw, block).await, 0);
				assert_eq!(self.raw.tenant(self.fabric.purged).await, None);
				self.print(&format!("all purges have ended with block {number}"));
				return number;
			}
		}
		unreachable!("the numbers of blocks have no end")
	}
}

/// Returns the funds that the pallet holds at a block.
async fn holds(raw: &Raw, block: H256) -> Holds {
	let prefix = storage_value("Balances", "Holds");
	let mut holds = Holds::new();
	for (key, row) in raw.pairs(&prefix, Some(block)).await {
		let account = key.last_chunk().expect("keys end with the account");
		let rows = Vec::<(HoldReason, u128)>::decode_all(&mut &row[..]).expect("holds decode");
		for ((pallet, reason), amount) in rows {
			if pallet == STORAGE_DEPOSIT.0 && amount > 0 {
				holds.insert((*account, reason), amount);
			}
		}
	}
	holds
}

// SPDX-License-Identifier: Apache-2.0
//! The upgrade of a network that began with an earlier runtime, whose storage has version 1: to the
//! present runtime by the sudo key, and once more by the council.

use std::{
	path::{Path, PathBuf},
	time::{Duration, Instant},
};

use content_fabric_storage_v1::Old;
use subxt::utils::H256;

pub mod blobs;
mod blocks;
pub mod calls;
mod earlier;
mod genesis;
mod migration;
mod present;
mod reads;

use self::{
	calls::{set_code, sudo_with_weight},
	earlier::Earlier,
};
use crate::{
	council::TWO_OF_THREE,
	faults::Faults,
	indexer::{assert_exact, Indexer},
	lockfile::synthetic,
	network::Testbed,
	process::write,
	raw::{count, Raw},
};

/// The numbers of the validators.
const ALL: [usize; 4] = [0, 1, 2, 3];
/// The node through which everything is submitted and read.
const ACCESS: usize = 1;
/// The node that is killed during the migration.
const VICTIM: usize = 2;
/// The owner of the fabric, who has the sudo key.
pub const OWNER: &str = "//Alice";
/// Blocks of a session, once there are sessions.
const SESSION: u32 = 4;
/// Packages that are published before the upgrade, and those after it.
const PACKAGES: (u32, u32) = (350, 450);
/// Records of the tenant that is purged.
const RECORDS: usize = 1_260;
/// The least number of rows that calls make.
const ROWS_BY_CALLS: usize = 2_000;
/// The computing time that the start of the purge and the upgrade register in a block, in
/// picoseconds: together nearly all of it, so that nothing is left in which rows could be removed.
const FULL: (u64, u64) = (1_290_000_000_000, 700_000_000_000);
/// Longest time of a step.
const PATIENCE: Duration = Duration::from_secs(120);
/// Time between two looks at a node.
const PAUSE: Duration = Duration::from_millis(100);

/// A network that is upgraded.
struct Upgrade {
	faults: Faults,
	fabric: Earlier,
	raw: Raw,
	/// The URL of the node through which everything is submitted.
	url: String,
	start: Instant,
}

/// Writes the raw specification of a chain that begins with the old runtime, and returns its path.
fn specification(dir: &Path, old: &Old) -> PathBuf {
	let path = dir.join("chain-spec.json");
	let raw = genesis::raw(dir, old, SESSION);
	std::fs::write(&path, raw.to_string()).expect("there is room for a file");
	path
}

/// Writes the raw specification of a chain that begins with the old runtime and an empty fabric.
/// Returns its path.
pub fn empty_chain(dir: &Path) -> PathBuf {
	specification(dir, &Old::random(0, 0, 0))
}

/// Runs a network of four validators from the old runtime to the present one, with at least this
/// many rows in its genesis, and checks it on the way. Data and logs are in a folder.
pub async fn drill(dir: &Path, rows: usize, seed: u64) {
	// The client reads some maps as a whole, so all rows decode.
	let old = Old::random(seed, rows, 0);
	println!("the genesis has {} rows of storage version 1, by the seed {seed}", old.rows.len());
	let mut upgrade = Upgrade::start(dir, specification(dir, &old), seed).await;

	upgrade.publish_by_old_calls(dir).await;
	let last_old = upgrade.purge_and_set_code().await;
	let migrated = upgrade.migrate(last_old).await;
	upgrade.compare(last_old, migrated).await;
	let data = dir.join("index");
	let index = Indexer::start(&upgrade.url, &data, &[]);
	let purged = upgrade.purge_ends(migrated).await;
	upgrade.refuse_wrong_blobs().await;
	let enacted = upgrade.act_by_council(dir).await;
	upgrade.read_with_the_client();
	upgrade.publish_by_the_client(dir).await;
	upgrade.validators_change(enacted).await;
	upgrade.index_is_exact(index, &data).await;
	upgrade.agree(last_old, migrated, purged).await;
}

impl Upgrade {
	async fn start(dir: &Path, specification: PathBuf, seed: u64) -> Self {
		let start = Instant::now();
		let testbed = Testbed::boot_chain(dir, specification);
		let node = &testbed.nodes[ACCESS];
		let (raw, url) = (node.connect().await, node.url.clone());
		let faults = Faults::on(testbed, dir, seed, TWO_OF_THREE);
		let upgrade = Self { faults, fabric: Earlier::new(OWNER), raw, url, start };
		upgrade.print("the validators run the old runtime");
		upgrade
	}

	fn print(&self, text: &str) {
		println!("{:6.1?} {text}", self.start.elapsed());
	}

	/// Makes rows by calls of the old runtime.
	async fn publish_by_old_calls(&self, dir: &Path) {
		let sender = self.fabric.connect(&self.url).await;
		sender.send(&[self.fabric.create()]).await;
		let lockfile = synthetic(PACKAGES.0);
		write(dir, "Cargo.lock", &lockfile);
		let genesis = sender.genesis_hash().await;
		let calls = self.fabric.publish(&self.raw, genesis, &lockfile, RECORDS).await;
		sender.send(&calls).await;
		let mut rows = 0;
		for member in [self.fabric.tenant, self.fabric.purged] {
			rows += count(&self.raw.rows(member).await);
		}
		rows += count(&self.raw.rows(self.fabric.provider).await);
		assert!(rows >= ROWS_BY_CALLS, "{rows} rows");
		self.print(&format!("calls of the old runtime have made {rows} rows"));
	}

	/// Starts a purge and replaces the runtime, in one block. Returns its number and hash.
	async fn purge_and_set_code(&self) -> (u64, H256) {
		let present = blobs::present();
		let sender = self.fabric.connect(&self.url).await;
		let upgrade = [
			sudo_with_weight(self.fabric.purge(), FULL.0),
			sudo_with_weight(set_code(&present), FULL.1),
		];
		let block = sender.send(&upgrade).await;
		let number = self.raw.number(block).await;
		assert!(self.raw.code(block).await == present, "block {number} has the present runtime");
		self.print(&format!("block {number} sets the present runtime"));
		(number, block)
	}

	/// Checks that an index has followed the chain over its second upgrade.
	async fn index_is_exact(&self, index: Indexer, data: &Path) {
		let (number, _) = self.raw.finalized_block().await;
		index.wait_for_final(number);
		assert_exact(index, &self.url, data, &self.raw).await;
		self.print(&format!("the index is exact after block {number}"));
	}

	/// Checks that all nodes have the same blocks and states, that the blocks keep to their
	/// weights, and that everything can be read in all of them.
	async fn agree(&mut self, last_old: (u64, H256), migrated: (u64, H256), purged: u64) {
		self.faults.testbed.agree().await;
		for node in &self.faults.testbed.nodes {
			let log = std::fs::read(&node.log).expect("the log can be read");
			assert!(!String::from_utf8_lossy(&log).contains("panicked"), "{} panicked", node.name);
		}
		let blocks = self.faults.testbed.record.blocks();
		self.print(&format!("all nodes agree on the states of {} blocks", blocks.len()));
		for (number, hash) in [last_old, migrated] {
			assert_eq!(blocks.get(&number), Some(&hash), "block {number} is finalized");
		}
		let upgraded = (last_old.0, migrated.0);
		reads::read_all(&self.url, &blocks, self.fabric.tenant, upgraded).await;
		self.print("a client has read all blocks, before and after the upgrade");
		blocks::check(&self.raw, &blocks, purged).await;
		self.print("the drill ends");
	}
}

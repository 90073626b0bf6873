// SPDX-License-Identifier: Apache-2.0
//! A publish whose node is killed and started again: the client goes on, nothing is lost, and
//! nothing is there twice.
//!
//! The node is killed twice. The environment variable `KILLS` gives another number; the manifest
//! grows with it. `SEED` repeats the moments of another run.

use std::time::Duration;

use content_fabric_tests::{
	environment::{number, random},
	manifest::{checksums, synthetic, CRATES_IO},
	process::{fabric_json, failed, fixed_port, report, write, Node},
	published::{assert_published, tenant, Publish},
	raw::Raw,
};
use rand::Rng;
use serde_json::Value;
use subxt::utils::H256;

/// Packages in the manifest for each kill.
const PACKAGES: u32 = 3_000;
/// Longest time from the chosen moment to the kill, in milliseconds.
const DELAY: u64 = 100;
/// Longest time without a node, in milliseconds.
const PAUSE: u64 = 5_000;

/// Returns the number of rows under the tenant.
async fn rows(raw: &Raw) -> u32 {
	raw.tenant(tenant()).await.map_or(0, |row| row.row_count())
}

/// Returns the number and the hash of the block before the best one. The database writes a block to
/// its log in the background, but before the next one.
async fn safe_block(raw: &Raw) -> (u64, Option<H256>) {
	let number = raw.best_block().await.0.saturating_sub(1);
	(number, raw.block_hash(number).await)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_publish_survives_a_node_that_is_killed_and_started_again() {
	let kills = number("KILLS").unwrap_or(2);
	let mut random = random();
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let text = synthetic(PACKAGES * u32::try_from(kills.max(1)).expect("KILLS is small"));
	let manifest = write(dir.path(), "manifest.jsonl", &text);
	let expected = checksums(&text, CRATES_IO);
	let versions: usize = expected.values().map(Vec::len).sum();
	// Objects, versions, two collections, a record for each object and version and for the run.
	let all = u32::try_from(3 + 2 * (expected.len() + versions)).expect("the manifest is short");

	let (port, base_path) = (fixed_port(), dir.path().join("chain"));
	let mut node = Node::start_on(port, &base_path, &[]);
	let mut raw = Raw::connect(&node.url).await;
	let mut publish = Publish::start(&node.url, &manifest, &[]).await;
	for left in (1..=u32::try_from(kills).expect("KILLS is small")).rev() {
		// The node is killed when at most a third of the share of this kill is on the chain.
		let share = (all - rows(&raw).await) / left;
		let enough = all - share * left + random.random_range(1..=share / 3);
		while rows(&raw).await < enough {
			assert!(publish.runs(), "the publish has ended");
			tokio::time::sleep(Duration::from_millis(20)).await;
		}
		let (block, hash) = safe_block(&raw).await;
		tokio::time::sleep(Duration::from_millis(random.random_range(0..DELAY))).await;
		drop(node);
		assert!(publish.runs(), "the publish has ended before the kill");
		tokio::time::sleep(Duration::from_millis(random.random_range(0..PAUSE))).await;
		assert!(publish.runs(), "the publish does not wait for the node");

		node = Node::start_on(port, &base_path, &[]);
		raw = Raw::connect(&node.url).await;
		assert_eq!(raw.block_hash(block).await, hash, "the chain has another block");
	}
	let report = report(&publish.end(), 0);
	assert_eq!(failed(&report, "chain"), Vec::<&Value>::new());

	assert_published(&raw, &text).await;
	assert_eq!(rows(&raw).await, all);
	// The next run adds its own record alone.
	assert_eq!(fabric_json(&node.url, &["publish", &manifest])["transactions"], 1);
	let tree = fabric_json(&node.url, &["tree"]);
	assert_eq!(tree["totals"]["heads"], expected.len());
}

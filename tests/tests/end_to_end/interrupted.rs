// SPDX-License-Identifier: Apache-2.0
//! A publish whose node is killed and started again: the client goes on, nothing is lost, and
//! nothing is there twice.
//!
//! The node is killed twice. The environment variable `KILLS` gives another number; the lock file
//! grows with it. `SEED` repeats the moments of another run.

use std::{
	collections::BTreeSet,
	fs::File,
	path::{Path, PathBuf},
	process::Child,
	time::Duration,
};

use content_fabric_client::ids;
use content_fabric_identifiers::TenantId;
use content_fabric_tests::{
	environment::{number, random},
	lockfile::{checksums, synthetic, CRATES_IO},
	process::{fabric_command, fabric_json, failed, fixed_port, Node},
	raw::{storage_key, Raw},
};
use rand::Rng;
use serde_json::Value;
use subxt::utils::H256;

/// Packages in the lock file for each kill.
const PACKAGES: u32 = 3_000;
/// Most milliseconds from the moment that is chosen to the kill.
const DELAY: u64 = 100;
/// Most milliseconds without a node.
const PAUSE: u64 = 5_000;

/// Returns the tenant of lock files.
fn tenant() -> TenantId {
	ids::tenant(ids::space("cargo"), CRATES_IO)
}

/// Writes a lock file. Returns its path.
fn write(dir: &Path, text: &str) -> String {
	content_fabric_tests::process::write(dir, "Cargo.lock", text)
}

/// A client that publishes in the background. It is killed when dropped.
struct Publish {
	process: Child,
	dir: PathBuf,
}

impl Publish {
	/// Starts the client. Its output goes to files in `dir`.
	fn start(dir: &Path, url: &str, lockfile: &str) -> Self {
		let file = |name| File::create(dir.join(name)).expect("there is room for a file");
		let process = fabric_command(url, &["--json", "publish", lockfile])
			.stdout(file("report"))
			.stderr(file("progress"))
			.spawn()
			.expect("the client starts");
		Self { process, dir: dir.to_owned() }
	}

	fn read(&self, name: &str) -> String {
		std::fs::read_to_string(self.dir.join(name)).expect("the client writes text")
	}

	/// Checks that the client has not ended.
	fn assert_running(&mut self) {
		let ended = self.process.try_wait().expect("the process can be waited for");
		let (report, progress) = (self.read("report"), self.read("progress"));
		assert!(ended.is_none(), "the publish has ended: {report} {progress}");
	}

	/// Waits until the client ends. Returns its exit code and its report.
	async fn end(mut self) -> (Option<i32>, Value) {
		let status = loop {
			if let Some(status) = self.process.try_wait().expect("the process can be waited for") {
				break status;
			}
			tokio::time::sleep(Duration::from_millis(50)).await;
		};
		let report = serde_json::from_str(&self.read("report"));
		(status.code(), report.unwrap_or_else(|_| panic!("{}", self.read("progress"))))
	}
}

impl Drop for Publish {
	fn drop(&mut self) {
		// It may have ended.
		let _ = self.process.kill();
		let _ = self.process.wait();
	}
}

/// Returns the number of rows under the tenant.
async fn rows(raw: &Raw) -> u32 {
	raw.tenant(tenant()).await.map_or(0, |row| row.rows.iter().sum())
}

/// Waits until this many rows are under the tenant.
async fn wait_for_rows(raw: &Raw, publish: &mut Publish, enough: u32) {
	while rows(raw).await < enough {
		publish.assert_running();
		tokio::time::sleep(Duration::from_millis(20)).await;
	}
}

/// Returns the number and the hash of the block before the best one. The database writes a block to
/// its log in the background, but before the next one.
async fn safe_block(raw: &Raw) -> (u64, Option<H256>) {
	let number = raw.best_block().await.0.saturating_sub(1);
	(number, raw.block_hash(number).await)
}

#[tokio::test]
async fn a_publish_survives_a_node_that_is_killed_and_started_again() {
	let kills = number("KILLS").unwrap_or(2);
	let mut random = random();
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let text = synthetic(PACKAGES * u32::try_from(kills.max(1)).expect("KILLS is small"));
	let lockfile = write(dir.path(), &text);
	let expected = checksums(&text, CRATES_IO);
	let versions: usize = expected.values().map(Vec::len).sum();
	// A KMS, objects, versions, two collections, a record for each object and version and for the
	// run.
	let all = u32::try_from(4 + 2 * (expected.len() + versions)).expect("the lock file is short");

	let (port, base_path) = (fixed_port(), dir.path().join("chain"));
	let mut node = Node::start_on(port, &base_path, &[]);
	let mut raw = Raw::connect(&node.url).await;
	let mut publish = Publish::start(dir.path(), &node.url, &lockfile);
	for left in (1..=u32::try_from(kills).expect("KILLS is small")).rev() {
		// The node is killed when at most a third of the share of this kill is on the chain.
		let share = (all - rows(&raw).await) / left;
		let enough = all - share * left + random.random_range(1..=share / 3);
		wait_for_rows(&raw, &mut publish, enough).await;
		let (block, hash) = safe_block(&raw).await;
		tokio::time::sleep(Duration::from_millis(random.random_range(0..DELAY))).await;
		publish.assert_running();
		node.kill();
		tokio::time::sleep(Duration::from_millis(random.random_range(0..PAUSE))).await;
		publish.assert_running();

		node = Node::start_on(port, &base_path, &[]);
		raw = Raw::connect(&node.url).await;
		assert_eq!(raw.block_hash(block).await, hash, "the chain has another block");
	}
	let (code, report) = publish.end().await;
	assert_eq!(code, Some(0), "{report}");
	assert_eq!(failed(&report, "chain"), Vec::<&Value>::new());

	holds_exactly(&raw, &text).await;
	assert_eq!(rows(&raw).await, all);
	// The next run adds its own record alone.
	assert_eq!(fabric_json(&node.url, &["publish", &lockfile])["transactions"], 1);
	let tree = fabric_json(&node.url, &["tree"]);
	assert_eq!(tree["totals"]["heads"], expected.len());
}

/// Checks that the tenant has the objects and versions of a lock file and no others.
async fn holds_exactly(raw: &Raw, text: &str) {
	let (tenant, expected) = (tenant(), checksums(text, CRATES_IO));
	let rows = raw.rows(tenant).await;
	let expected_objects: BTreeSet<_> = expected
		.keys()
		.map(|name| {
			storage_key("ContentObjects", &[&tenant.0, &ids::content_object(tenant, name).0])
		})
		.collect();
	assert_eq!(rows["ContentObjects"], expected_objects);
	let expected_versions: BTreeSet<_> = expected
		.iter()
		.flat_map(|(name, checksums)| {
			let object = ids::content_object(tenant, name);
			checksums
				.iter()
				.map(move |checksum| storage_key("Versions", &[&tenant.0, &object.0, checksum]))
		})
		.collect();
	assert_eq!(rows["Versions"], expected_versions);
}

//! A node that is killed in the middle of a publish: nothing is lost, and nothing is there twice.
//!
//! The node is killed twice. The environment variable `KILLS` gives another number; the lock file
//! grows with it.

use std::{collections::BTreeSet, env, process::Stdio, time::Duration};

use content_fabric_client::ids;
use content_fabric_tests::{
	lockfile::{checksums, synthetic, CRATES_IO},
	process::{fabric_command, fabric_json, Node},
	raw::{storage_key, Raw},
};

/// Packages in the lock file for each kill.
const PACKAGES: u32 = 1_500;
/// Number of versions from one kill to the next. The first comes as soon as there is a version.
const VERSIONS: usize = 900;

/// Returns how often the node is killed.
fn kills() -> u32 {
	match env::var("KILLS") {
		Ok(kills) => kills.parse().expect("KILLS is a number"),
		Err(_) => 2,
	}
}

#[tokio::test]
async fn a_publish_that_was_cut_off_is_finished_by_the_next() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let lockfile = dir.path().join("Cargo.lock");
	let text = synthetic(PACKAGES * kills().max(1));
	std::fs::write(&lockfile, &text).expect("there is room for a file");
	let lockfile = lockfile.to_str().expect("the path is text");
	let expected = checksums(&text, CRATES_IO);
	let versions: usize = expected.values().map(Vec::len).sum();
	let tenant = ids::tenant(ids::space("cargo"), CRATES_IO);
	let all_versions = storage_key("Versions", &[&tenant.0]);
	let base_path = dir.path().join("chain");

	let mut before = 0;
	for kill in 0..kills() as usize {
		let enough = (kill * VERSIONS).max(1);
		let node = Node::start(&base_path, &[]);
		let raw = Raw::connect(&node.url).await;
		let found = raw.keys(&all_versions).await.len();
		assert!(found >= before, "{before} versions were there, {found} are left");

		let publish = fabric_command(&node.url, &["publish", lockfile])
			.stdout(Stdio::piped())
			.stderr(Stdio::piped())
			.spawn()
			.expect("the client starts");
		let (number, hash) = loop {
			before = raw.keys(&all_versions).await.len();
			if before >= enough {
				// This block holds what was counted, or more.
				break raw.best_block().await;
			}
			tokio::time::sleep(Duration::from_millis(20)).await;
		};
		assert!(before < versions, "the publish was not cut off");
		// The database writes a block to its log in the background, but before the next one.
		wait_for_blocks(&raw, number + 1).await;
		node.kill();
		let output = publish.wait_with_output().expect("the client ends");
		assert!(!output.status.success(), "the client did not notice that the node was killed");
		let stderr = String::from_utf8_lossy(&output.stderr);
		let last = stderr.lines().last().unwrap_or_default();
		let hint = "error: the node closed the connection; run the same command again to continue";
		assert_eq!(last, hint, "{stderr}");

		let node = Node::start(&base_path, &[]);
		let raw = Raw::connect(&node.url).await;
		assert_eq!(raw.block_hash(number).await, Some(hash), "the chain has another block");
		node.kill();
	}

	let node = Node::start(&base_path, &[]);
	let raw = Raw::connect(&node.url).await;
	let found = raw.keys(&all_versions).await.len();
	let published = fabric_json(&node.url, &["publish", lockfile]);
	let registry = &published["registries"][0];
	assert_eq!(registry["committed"], versions - found, "nothing is committed twice");
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
	// A record for each package, each version, and the one run that was finished.
	assert_eq!(rows["Records"].len(), expected.len() + versions + 1);
	// The next run adds its own record alone.
	assert_eq!(fabric_json(&node.url, &["publish", lockfile])["transactions"], 1);
	let tree = fabric_json(&node.url, &["tree"]);
	assert_eq!(tree["totals"]["heads"], expected.len());
}

async fn wait_for_blocks(raw: &Raw, number: u64) {
	while raw.best_block().await.0 < number {
		tokio::time::sleep(Duration::from_millis(5)).await;
	}
}

//! A node that is killed in the middle of a publish: nothing is lost, nothing is there twice.

use std::{collections::BTreeSet, process::Stdio, time::Duration};

use content_fabric_client::ids;
use content_fabric_tests::{
	lockfile::{checksums, synthetic, CRATES_IO},
	process::{fabric_command, fabric_json, Node},
	raw::{storage_key, Raw},
};

#[tokio::test]
async fn a_publish_that_was_cut_off_is_finished_by_the_next() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let lockfile = dir.path().join("Cargo.lock");
	let text = synthetic(3_000);
	std::fs::write(&lockfile, &text).expect("there is room for a file");
	let lockfile = lockfile.to_str().expect("the path is text");
	let expected = checksums(&text, CRATES_IO);
	let versions: usize = expected.values().map(Vec::len).sum();
	let tenant = ids::tenant(ids::space("cargo"), CRATES_IO);
	let all_versions = storage_key("Versions", &[&tenant.0]);
	let base_path = dir.path().join("chain");

	// Killed as soon as so many versions are there, and started again, twice.
	let mut before = 0;
	for enough in [1, 900] {
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
		// The database writes a block to its log in the background; a block on top of it comes later.
		wait_for_blocks(&raw, number + 1).await;
		node.kill();
		let output = publish.wait_with_output().expect("the client ends");
		assert!(!output.status.success(), "the client did not notice that the node is gone");
		let stderr = String::from_utf8_lossy(&output.stderr);
		let last = stderr.lines().last().unwrap_or_default();
		assert!(last.starts_with("error: "), "{stderr}");

		let node = Node::start(&base_path, &[]);
		let raw = Raw::connect(&node.url).await;
		assert_eq!(raw.block_hash(number).await, Some(hash), "the chain is another one");
		node.kill();
	}

	let node = Node::start(&base_path, &[]);
	let raw = Raw::connect(&node.url).await;
	let found = raw.keys(&all_versions).await.len();
	let published = fabric_json(&node.url, &["publish", lockfile]);
	let registry = &published["registries"][0];
	assert_eq!(registry["committed"], versions - found, "nothing is committed twice");
	let rows = raw.tenant_rows(tenant).await;
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
	// A record for each package, for each version, and for the one run that came to its end.
	assert_eq!(rows["Records"].len(), expected.len() + versions + 1);
	// The next run has nothing to add but its own record.
	assert_eq!(fabric_json(&node.url, &["publish", lockfile])["transactions"], 1);
	let tree = fabric_json(&node.url, &["tree"]);
	assert_eq!(tree["totals"]["heads"], expected.len());
}

async fn wait_for_blocks(raw: &Raw, number: u64) {
	while raw.best_block().await.0 < number {
		tokio::time::sleep(Duration::from_millis(5)).await;
	}
}

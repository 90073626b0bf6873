// SPDX-License-Identifier: Apache-2.0
//! The index while the runtime of its chain is replaced.

use content_fabric_client::ids;
use content_fabric_tests::{
	client::signer,
	indexer::{assert_exact, Indexer},
	lockfile::{synthetic, CRATES_IO},
	process::{fabric_json, write, Node},
	raw::Raw,
	upgrade::{
		blobs,
		calls_by_name::{set_code, sudo, sudo_with_weight, Sender},
		purge, SUDO,
	},
};

/// Packages in the lock file.
const PACKAGES: u32 = 300;
/// The computing time that is registered for a new runtime, in picoseconds.
const SET_CODE: u64 = 700_000_000_000;

#[tokio::test(flavor = "multi_thread")]
async fn an_index_crosses_an_upgrade_without_a_stop() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let pace = ["--consensus", "interval=300"];
	let node = Node::start(&dir.path().join("chain"), &pace);
	let raw = Raw::connect(&node.url).await;
	let data = dir.path().join("index");
	let index = Indexer::start(&node.url, &data, &[]);
	let old = index.wait_until(|status| status["finalized"]["number"].as_u64() >= Some(2));
	let lockfile = write(dir.path(), "Cargo.lock", &synthetic(PACKAGES));
	let url = node.url.clone();
	let publish = tokio::task::spawn_blocking(move || {
		let publish = ["publish", &lockfile, "--signer", SUDO, "--wait", "finalized", "--yes"];
		fabric_json(&url, &publish)
	});
	publish.await.expect("it does not panic");

	// The code of the next runtime is that of the present one, so it accepts a transaction that is
	// signed for the latter.
	let tenant = ids::tenant(ids::space("cargo"), CRATES_IO);
	let created = raw.tenant(tenant).await.expect("the tenant was created").created;
	let sender = Sender::connect(&node.url, signer(SUDO)).await;
	let purge = sender.sign(sender.nonce().await + 1, &sudo(purge(tenant, created))).await;
	let newer = sudo_with_weight(set_code(&blobs::newer(&blobs::present())), SET_CODE);
	let replaced = raw.number(sender.send(&[newer]).await).await;
	sender.submit(&purge).await;
	let purged =
		index.wait_until(|status| status["totals"]["tenants"] == 0 && status["purges"] == 0);
	let version = |status: &serde_json::Value| status["specVersion"].as_u64();
	assert_eq!(version(&purged), version(&old).map(|version| version + 1));
	assert_eq!(purged["gaps"], old["gaps"]);
	let events = index.list("/v1/events");
	let end = events.iter().find(|event| event["name"] == "Purged").expect("the purge ended");
	assert!(end["block"].as_u64() > Some(replaced), "{end}, before block {replaced}");
	assert_exact(index, &node.url, &data, &raw).await;
}

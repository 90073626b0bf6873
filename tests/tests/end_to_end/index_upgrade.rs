// SPDX-License-Identifier: Apache-2.0
//! The index while the runtime of its chain is replaced.

use content_fabric_tests::{
	client::signer,
	indexer::Indexed,
	manifest::synthetic,
	published::tenant,
	upgrade::{
		blobs,
		calls_by_name::{set_code, sudo, sudo_with_weight, Sender},
		purge, SUDO,
	},
};

/// Packages in the manifest.
const PACKAGES: u32 = 300;
/// The computing time that is registered for a new runtime, in picoseconds.
const SET_CODE: u64 = 700_000_000_000;

#[tokio::test(flavor = "multi_thread")]
async fn an_index_crosses_an_upgrade_without_a_stop() {
	let indexed = Indexed::start(&["--consensus", "interval=300"], &[]).await;
	let (index, raw) = (&indexed.index, &indexed.raw);
	let old = index.wait_until(|status| status["finalized"]["number"].as_u64() >= Some(2));
	indexed.publish(&synthetic(PACKAGES)).await;

	// The next runtime has the code of the present one, so it accepts a transaction that is signed
	// for the present one.
	let created = raw.tenant(tenant()).await.expect("the tenant was created").created;
	let sender = Sender::connect(&indexed.node.url, signer(SUDO)).await;
	let purge = sender.sign(sender.nonce().await + 1, &sudo(purge(tenant(), created))).await;
	let newer = sudo_with_weight(set_code(&blobs::newer(&blobs::present())), SET_CODE);
	let (replaced, _) = raw.header(sender.send(&[newer]).await).await;
	sender.submit(&purge).await;
	let purged =
		index.wait_until(|status| status["totals"]["tenants"] == 0 && status["purges"] == 0);
	let version = |status: &serde_json::Value| status["specVersion"].as_u64();
	assert_eq!(version(&purged), version(&old).map(|version| version + 1));
	assert_eq!(purged["gaps"], old["gaps"]);
	let events = index.list("/v1/events");
	let end = events.iter().find(|event| event["name"] == "Purged").expect("the purge ended");
	assert!(end["block"].as_u64() > Some(replaced), "{end}, before block {replaced}");
	indexed.assert_exact().await;
}

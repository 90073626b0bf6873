// SPDX-License-Identifier: Apache-2.0
//! The index of a chain with a block whose events are larger than the node sends.

use content_fabric_client::ids;
use content_fabric_tests::{
	client::signer,
	indexer::{assert_exact, settled, Indexer},
	lockfile::{synthetic, CRATES_IO},
	process::{fabric_json, write, Node},
	raw::Raw,
	upgrade::calls_by_name::{batch, call, Sender},
};
use serde_json::json;
use subxt::dynamic::Value;

/// Transactions in the block, and remarks of each. The events, in hex, are larger than a MiB.
const TRANSACTIONS: usize = 5;
const REMARKS: usize = 2_000;

#[tokio::test(flavor = "multi_thread")]
async fn an_index_leaves_out_events_that_are_too_large_and_goes_on() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let archive = ["--state-pruning", "archive", "--blocks-pruning", "archive"];
	let limit = ["--rpc-max-response-size", "1"];
	let node = Node::start(&dir.path().join("chain"), &[&archive[..], &limit].concat());
	let raw = Raw::connect(&node.url).await;
	let (data, behind) = (dir.path().join("index"), dir.path().join("behind"));
	let index = Indexer::start(&node.url, &data, &[]);
	index.wait_for_final(settled(&raw).await);
	assert_eq!(index.get("/v1/status")["item"]["gaps"], json!([]));

	let publish = |packages| {
		let lockfile = write(dir.path(), "Cargo.lock", &synthetic(packages));
		fabric_json(&node.url, &["publish", &lockfile, "--wait", "finalized"]);
	};
	publish(20);
	let remark = |number: usize| {
		let text = Value::from_bytes(number.to_le_bytes());
		call("System", "remark_with_event", [("remark", text)])
	};
	let alice = Sender::connect(&node.url, signer("//Alice")).await;
	let remarks: Vec<_> = (0..TRANSACTIONS).map(|_| batch((0..REMARKS).map(remark))).collect();
	let large = raw.number(alice.send(&remarks).await).await;
	publish(40);
	let end = settled(&raw).await;

	// An index of the whole history leaves out this block only.
	let whole = Indexer::start(&node.url, &behind, &["--history"]);
	for index in [&index, &whole] {
		index.wait_for_final(end);
		let tenant = ids::tenant(ids::space("cargo"), CRATES_IO);
		let records = format!("/v1/tenants/{tenant}/collections/names/records");
		assert_eq!(index.get(&format!("{records}/package-39"))["item"]["key"], "package-39");
	}
	let gaps = |index: &Indexer| index.get("/v1/status")["item"]["gaps"].clone();
	assert_eq!(gaps(&whole), json!([[large, large]]));
	let gap = gaps(&index);
	assert!(gap[0][0] == large && gap[0][1].as_u64() >= Some(large), "{gap}, and block {large}");
	assert_exact(index, &node.url, &data, &raw).await;
	assert_exact(whole, &node.url, &behind, &raw).await;
}

// SPDX-License-Identifier: Apache-2.0
//! The index of a chain with a block whose events are larger than the node sends.

use content_fabric_tests::{
	client::signer,
	indexer::{assert_exact, settled, Indexed, Indexer},
	manifest::synthetic,
	published::tenant,
	upgrade::calls_by_name::{batch, call, Sender},
};
use serde_json::json;
use subxt::dynamic::Value;

/// Transactions in the block, and remarks of each. The events, in hex, are larger than a MiB.
const TRANSACTIONS: usize = 5;
const REMARKS: usize = 2_000;

#[tokio::test(flavor = "multi_thread")]
async fn an_index_leaves_out_events_that_are_too_large_and_goes_on() {
	let archive = ["--state-pruning", "archive", "--blocks-pruning", "archive"];
	let limit = ["--rpc-max-response-size", "1"];
	let indexed = Indexed::start(&[&archive[..], &limit].concat(), &[]).await;
	let Indexed { index, node, raw, data, .. } = &indexed;
	let gaps = |index: &Indexer| index.get("/v1/status")["item"]["gaps"].clone();
	indexed.catches_up().await;
	assert_eq!(gaps(index), json!([]));

	indexed.publish(&synthetic(20)).await;
	let remark = |number: usize| {
		let text = Value::from_bytes(number.to_le_bytes());
		call("System", "remark_with_event", [("remark", text)])
	};
	let alice = Sender::connect(&node.url, signer("//Alice")).await;
	let remarks: Vec<_> = (0..TRANSACTIONS).map(|_| batch((0..REMARKS).map(remark))).collect();
	let (large, _) = raw.header(alice.send(&remarks).await).await;
	indexed.publish(&synthetic(40)).await;

	// An index of the whole history leaves out this block only.
	let behind = data.with_file_name("behind");
	let whole = Indexer::start(&node.url, &behind, &["--history"]);
	whole.wait_for_final(settled(raw).await);
	for index in [index, &whole] {
		let records = format!("/v1/tenants/{}/collections/names/records", tenant());
		assert_eq!(index.get(&format!("{records}/package-39"))["item"]["key"], "package-39");
	}
	assert_eq!(gaps(&whole), json!([[large, large]]));
	let gap = gaps(index);
	assert!(gap[0][0] == large && gap[0][1].as_u64() >= Some(large), "{gap}, and block {large}");
	assert_exact(whole, &node.url, &behind, raw).await;
	indexed.assert_exact().await;
}

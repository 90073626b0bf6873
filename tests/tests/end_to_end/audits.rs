// SPDX-License-Identifier: Apache-2.0
//! An index audits a content node: one that has its bytes, loses some, heals, moves and stops.

use std::{fs, path::Path, time::Duration};

use content_fabric_client::chain::calls;
use content_fabric_identifiers::NodeId;
use content_fabric_tests::{
	fabric::Fabric,
	indexer::{run, Indexer},
	store::Store,
	wait,
};
use serde_json::{json, Value};

use super::content::{commit, content, finalized, path, place, start, version};

/// Longest wait for a state.
const PATIENCE: Duration = Duration::from_secs(60);

async fn locate(fabric: &Fabric, node: NodeId, locator: &str) {
	let (provider, locator) = (fabric.provider, locator.as_bytes().to_vec());
	fabric.submit(&fabric.bob, calls::SetNodeLocator { provider, node, locator }).await;
}

/// Starts an index that audits, and also private addresses.
fn index(fabric: &Fabric, data: &Path) -> Indexer {
	let index = Indexer::start(fabric.url(), data, &["--audit-interval", "1", "--audit-private"]);
	index.wait_for_final(1);
	index
}

/// Returns what audits of the only node have found once it is as wanted.
async fn audited(index: &Indexer, what: &str, is_wanted: impl Fn(&Value) -> bool) -> Value {
	let mut found = Value::Null;
	wait::until(PATIENCE, what, async || {
		found = index.list("/v1/nodes").first().map_or(Value::Null, |node| node["audit"].clone());
		is_wanted(&found)
	})
	.await;
	found
}

/// Waits until the last audit after a time has a result.
async fn result(index: &Indexer, result: &str, after: &Value) -> Value {
	audited(index, &format!("no audit is {result}"), |audit| {
		audit["last"]["result"] == result
			&& audit["last"]["at"].as_u64() > after["last"]["at"].as_u64()
	})
	.await
}

#[tokio::test]
async fn audits_tell_a_node_with_its_bytes_from_one_without() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (fabric, node, store) = start(dir.path()).await;
	locate(&fabric, node, &format!("http://{}", store.address)).await;
	let (data, kept) = (dir.path().join("data"), dir.path().join("index"));
	let auditor = index(&fabric, &kept);
	let empty = result(&auditor, "right", &Value::Null).await;
	assert_eq!(empty["last"]["version"], Value::Null, "it holds nothing yet");

	// Right: several groups, of which any may be asked for.
	let bytes = content(1, 200_000);
	commit(&store, &fabric, &[&bytes]);
	store.ask("PUT", &path(&bytes), &[], &bytes).expect(201);
	finalized(&fabric, &[&bytes]).await;
	let id = version(&bytes).to_string();
	let right = audited(&auditor, "its bytes are not asked for", |audit| {
		audit["last"]["result"] == "right" && audit["last"]["version"] == id
	})
	.await;
	assert!(auditor.list("/v1/copies?state=failing").is_empty());

	// A byte of each group differs on the disk. The content node checks what it sends.
	let file = place(&data, version(&bytes));
	let mut damaged = bytes.clone();
	damaged.iter_mut().step_by(16_384).for_each(|byte| *byte ^= 1);
	fs::write(&file, &damaged).expect("there is room");
	let refused = result(&auditor, "refused", &right).await;
	assert_eq!(
		(&refused["last"]["status"], &refused["last"]["version"]),
		(&json!(500), &json!(id))
	);
	assert_eq!((&refused["failingCopies"], &refused["isFailing"]), (&json!(1), &json!(false)));
	let failing = format!("/v1/copies?state=failing&tenant={}", fabric.tenant);
	let copies = auditor.list(&failing);
	assert_eq!((copies.len(), &copies[0]["version"]), (1, &json!(id)));

	// Healed.
	store.ask("PUT", &path(&bytes), &[], &bytes).expect(201);
	let healed = result(&auditor, "right", &refused).await;
	assert!(auditor.list(&failing).is_empty(), "{healed}");

	// Down: it has moved, and its locator is the former one.
	let of = (fabric.provider, node);
	drop(store);
	let down =
		audited(&auditor, "the node does not fail", |audit| audit["isFailing"] == true).await;
	assert_eq!(down["last"]["result"], "refused");
	assert_eq!(auditor.list(&failing).len(), 1);
	let store = Store::start(fabric.url(), of, &data);
	locate(&fabric, node, &format!("http://{}", store.address)).await;
	let moved = result(&auditor, "right", &down).await;
	assert_eq!(moved["isFailing"], false);

	// The results outlive the index.
	auditor.stop();
	let again = index(&fabric, &kept);
	let after = result(&again, "right", &moved).await;
	for field in ["right", "wrong", "late", "refused"] {
		assert!(after[field].as_u64() >= moved[field].as_u64(), "{field}: {moved} {after}");
	}
	again.stop();
	let verified = run("verify", fabric.url(), &kept, &[]);
	assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stdout));
	// Without audits, there is nothing about a node.
	let off = Indexer::start(fabric.url(), &kept, &[]);
	off.wait_for_final(1);
	assert_eq!(off.list("/v1/nodes")[0]["audit"], Value::Null);
	off.stop();

	// A damaged file with results is refused by its name.
	let file = kept.join("audits");
	fs::write(&file, "audits").expect("there is room");
	let log = Indexer::try_start(fabric.url(), &kept, &["--audit-interval", "1"]).err();
	let log = log.expect("the file is damaged");
	assert!(log.contains(&file.display().to_string()), "{log}");
}

#[tokio::test]
async fn audits_pause_while_the_node_of_the_index_hangs() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (fabric, node, store) = start(dir.path()).await;
	locate(&fabric, node, &format!("http://{}", store.address)).await;
	let options = ["--audit-interval", "1", "--audit-private", "--audit-max-age", "10"];
	let auditor = Indexer::start(fabric.url(), &dir.path().join("index"), &options);
	auditor.wait_for_final(1);
	let right = result(&auditor, "right", &Value::Null).await;
	fabric.process.pause();
	let paused = auditor.wait_until(|status| !status["auditsPaused"].is_null());
	let reason = paused["auditsPaused"].as_str().expect("it is text");
	assert!(reason.contains("must not be older than 10 seconds: the node hangs"), "{reason}");
	assert!(auditor.ask_text("/metrics").1.contains("fabric_indexer_audits_paused 1\n"));
	// Stopped meanwhile, the content node is not blamed.
	drop(store);
	let before = audited(&auditor, "the node was audited", |_| true).await;
	assert_eq!((&before["isFailing"], &before["last"]["result"]), (&json!(false), &json!("right")));
	tokio::time::sleep(Duration::from_secs(3)).await;
	assert_eq!(audited(&auditor, "the node was audited", |_| true).await, before);
	fabric.process.resume();
	auditor.wait_until(|status| status["auditsPaused"].is_null());
	let stopped = result(&auditor, "refused", &right).await;
	assert!(stopped["last"]["at"].as_u64() > before["last"]["at"].as_u64(), "{stopped}");
}

#[test]
fn options_of_audits_are_checked() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	for (options, reason) in [
		(&["--audit-interval", "0"][..], "0 is not in 1..=86400"),
		(&["--audit-interval", "86401"], "86401 is not in 1..=86400"),
		(&["--audit-private"], "--audit-interval <SECONDS>"),
		(&["--audit-max-age", "60"], "--audit-interval <SECONDS>"),
		(&["--audit-interval", "1", "--audit-max-age", "9"], "9 is not in 10..=86400"),
	] {
		let refused = run("serve", "ws://127.0.0.1:1", dir.path(), options);
		let error = String::from_utf8_lossy(&refused.stderr);
		assert!(refused.status.code() == Some(2) && error.contains(reason), "{error}");
	}
}

// SPDX-License-Identifier: Apache-2.0
//! `fabric put` while the chain's node or the content node is killed and started again.

use std::{
	fs,
	path::{Path, PathBuf},
	process::Stdio,
	thread::sleep,
	time::Duration,
};

use content_fabric_client::{chain::rows, ids};
use content_fabric_tests::{
	fabric::Fabric,
	process::{fabric_command, fabric_json, fixed_port, report, Node, Process},
	store::Store,
	wait,
};
use serde_json::Value;
use subxt::rpcs::{rpc_params, RpcClient};

use super::content::{commit_plain, content, path, tree, version};

/// Longest wait for a state.
const PATIENCE: Duration = Duration::from_secs(60);
/// Time without a node of the chain.
const PAUSE: Duration = Duration::from_secs(2);

/// Time after which the database has written a block.
const WRITTEN: Duration = Duration::from_millis(400);

/// With slow blocks, each kill comes before the put has ended.
const SLOW: &[&str] = &["--consensus", "interval=1500"];

/// Waits until the database of the chain's node has a further block.
async fn until_next_block(fabric: &Fabric) {
	let (before, _) = fabric.raw.best_block().await;
	wait::until(PATIENCE, "there is no new block", async || {
		fabric.raw.best_block().await.0 > before
	})
	.await;
	tokio::time::sleep(WRITTEN).await;
}

/// Stops a node of the chain, and starts it again at the same port with other options.
fn change(port: u16, chain: &Path, options: &'static [&'static str]) -> impl FnOnce(Node) -> Node {
	let chain = PathBuf::from(chain);
	move |process| {
		process.stop();
		Node::start_on(port, &chain, options)
	}
}

/// Kills a node of the chain, and starts it again at the same port after a pause.
fn restart(port: u16, chain: &Path, options: &'static [&'static str]) -> impl FnOnce(Node) -> Node {
	let chain = PathBuf::from(chain);
	move |process| {
		drop(process);
		sleep(PAUSE);
		Node::start_on(port, &chain, options)
	}
}

fn begin_put(fabric: &Fabric, store: &Store, folder: &Path) -> Process {
	let node = format!("http://{}", store.address);
	let put = ["--json", "put", &folder.to_string_lossy(), "--node", &node];
	let mut command = fabric_command(fabric.url(), &put);
	command.stdout(Stdio::piped()).stderr(Stdio::piped());
	Process(command.spawn().expect("the client starts"))
}

#[tokio::test]
async fn a_put_goes_on_when_the_node_of_the_chain_is_killed_and_started_again() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (port, chain) = (fixed_port(), dir.path().join("chain"));
	let fabric = Fabric::start_on(port, &chain, 0).await;
	let of = (fabric.provider, fabric.add_node("node", &fabric.dave).await);
	let store = Store::start(fabric.url(), of, &dir.path().join("data"));
	let site = dir.path().join("site");
	fs::create_dir(&site).expect("it is new");
	for number in 0..20 {
		fs::write(site.join(number.to_string()), content(number, 50_000)).expect("there is room");
	}
	let fabric = fabric.served_by(change(port, &chain, SLOW)).await;
	wait::until(PATIENCE, "the chain is not followed", async || {
		store.status("finalized_block").is_u64()
	})
	.await;
	let mut running = begin_put(&fabric, &store, &site);
	let mut runs = || running.try_wait().expect("it is ours").is_none();

	// While the tenant is created and the versions are committed.
	wait::until(PATIENCE, "nothing is committed", async || {
		assert!(runs(), "it has ended");
		store.status("promised_bytes") != "0"
	})
	.await;
	until_next_block(&fabric).await;
	let fabric = fabric.served_by(restart(port, &chain, SLOW)).await;
	// While they are finalized.
	wait::until(PATIENCE, "nothing is uploaded", async || {
		assert!(runs(), "it has ended");
		store.status("versions") == 20
	})
	.await;
	until_next_block(&fabric).await;
	let fabric = fabric.served_by(restart(port, &chain, &[])).await;
	let report = report(&running.output(), 0);
	assert_eq!(report["sources"][0]["finalized"], 20, "{report}");

	let tenant = ids::tenant(fabric.space, "site");
	let at = fabric.client.best().await;
	let found = at.rows(&rows::versions(), (tenant,)).await.expect("the node answers");
	assert_eq!(found.iter().filter(|(_, row)| row.finalized.is_some()).count(), 20);
	let locator = format!("http://{}", store.address);
	let [provider, node] = [of.0.to_string(), of.1.to_string()];
	fabric_json(fabric.url(), &["node", "set-locator", &provider, &node, &locator]);
	let back = dir.path().join("back").to_string_lossy().into_owned();
	fabric_json(fabric.url(), &["get", &tenant.to_string(), "--output", &back]);
	assert!(tree(&site) == tree(back.as_ref()));
}

#[tokio::test]
async fn a_commit_that_is_not_final_yet_differs_from_one_that_does_not_exist() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (port, chain) = (fixed_port(), dir.path().join("chain"));
	let fabric = Fabric::start_on(port, &chain, 0).await;
	let of = (fabric.provider, fabric.add_node("node", &fabric.dave).await);
	let fabric = fabric.served_by(change(port, &chain, &["--finalize-after", "3600000"])).await;
	let store = Store::start(fabric.url(), of, &dir.path().join("data"));
	let bytes = content(1, 50_000);
	commit_plain(&store, &fabric, &[&bytes]);
	drop(store);
	// The next one has no record of the commit.
	let store = Store::start(fabric.url(), of, &dir.path().join("other"));
	wait::until(PATIENCE, "the chain is not followed", async || {
		store.status("finalized_block").is_u64()
	})
	.await;
	let state = format!("{}/upload", path(&bytes));
	for (method, path) in [("GET", &state), ("PUT", &path(&bytes))] {
		let answer = store.ask(method, path, &[], if method == "PUT" { &bytes } else { &[] });
		let answer = answer.expect(503);
		assert!(answer.head.contains("\r\nretry-after: "), "{}", answer.head);
		assert!(answer.json()["error"].to_string().contains("is not final yet"), "{}", answer.head);
	}
	let never = store.ask("GET", &format!("{}/upload", path(b"never")), &[], &[]).expect(404);
	assert!(!never.head.contains("\r\nretry-after: "), "{}", never.head);
	store.ask("PUT", &path(b"never"), &[], b"never").expect(403);

	// The file of this object, in the folder of this tenant.
	let folder = dir.path().join("tenant");
	fs::create_dir(&folder).expect("it is new");
	fs::write(folder.join("object"), &bytes).expect("there is room");
	let running = begin_put(&fabric, &store, &folder);
	sleep(PAUSE);
	let rpc = RpcClient::from_insecure_url(fabric.url()).await.expect("the node answers");
	let finalize = async || {
		let (number, _) = fabric.raw.best_block().await;
		let best = fabric.raw.block_hash(number).await.expect("it has a best block");
		// It may be final already.
		let params = rpc_params![best, Option::<Value>::None];
		let _: Result<Value, _> = rpc.request("engine_finalizeBlock", params).await;
	};
	let key = (fabric.tenant, fabric.object, version(&bytes));
	wait::until(PATIENCE, "it is not final", async || {
		finalize().await;
		let row = fabric.client.best().await.get(&rows::versions(), key).await;
		row.expect("the node answers").is_some_and(|row| row.finalized.is_some())
	})
	.await;
	let mut output = tokio::task::spawn_blocking(move || running.output());
	let output = loop {
		tokio::select! {
			output = &mut output => break output.expect("it ends"),
			() = tokio::time::sleep(Duration::from_millis(100)) => finalize().await,
		}
	};
	let report = report(&output, 0);
	assert_eq!(report["sources"][0]["finalized"], 1, "{report}");
}

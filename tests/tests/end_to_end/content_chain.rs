// SPDX-License-Identifier: Apache-2.0
//! The content node, and a chain that takes blocks back, is away, or is served by another node.

use std::{
	fs,
	path::PathBuf,
	process::Command,
	time::{Duration, Instant},
};

use content_fabric_tests::{
	fabric::Fabric,
	process::{fixed_port, Node},
	relay::Relay,
	store::Store,
	wait,
};
use serde_json::Value;
use subxt::rpcs::{rpc_params, RpcClient};

use super::{
	content::{assert_served, commit, content, finalized, path},
	content_operator::logging,
};

/// Longest wait for a state.
const PATIENCE: Duration = Duration::from_secs(60);
/// Milliseconds after which the node finalizes a block, so that it can be taken back before.
const FINALIZE_AFTER: &str = "2000";
/// Longest time for attempts to take a block back before it is finalized. A machine with much to do
/// is too slow for most of them.
const ATTEMPTS: Duration = Duration::from_secs(300);

/// Returns the last finalized block that the content node has followed.
fn followed(store: &Store) -> Option<u64> {
	store.ask("GET", "/v1/status", &[], &[]).expect(200).json()["finalized_block"].as_u64()
}

/// Replaces the best block by two empty ones. Returns false if it came too late, after the block
/// was finalized.
async fn take_back(fabric: &Fabric, rpc: &RpcClient) -> bool {
	let (number, best) = fabric.raw.best_block().await;
	let mut tip = fabric.raw.block_hash(number - 1).await.expect("it has a parent");
	for _ in 0..2 {
		let sealed = rpc.request("engine_createBlock", rpc_params![true, false, tip]).await;
		let Ok::<Value, _>(sealed) = sealed else { return false };
		tip = serde_json::from_value(sealed["hash"].clone()).expect("the block has a hash");
	}
	fabric.raw.block_hash(number).await != Some(best)
}

#[tokio::test]
async fn commits_and_finalizations_that_the_chain_takes_back_are_made_again() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (port, chain) = (fixed_port(), dir.path().join("chain"));
	let fabric = Fabric::start_on(port, &chain, 0).await;
	let slower = |process: Node| {
		process.stop();
		Node::start_on(port, &chain, &["--finalize-after", FINALIZE_AFTER])
	};
	let fabric = fabric.served_by(slower).await;
	let node = fabric.add_node("node", &fabric.dave).await;
	let store = Store::start(fabric.url(), (fabric.provider, node), &dir.path().join("data"));
	let rpc = RpcClient::from_insecure_url(fabric.url()).await.expect("the node answers");
	let (mut contents, mut commits, mut finalizations) = (Vec::new(), 0, 0);
	let start = Instant::now();
	while commits == 0 || finalizations == 0 {
		assert!(
			start.elapsed() < ATTEMPTS,
			"every block was finalized before it could be taken back"
		);
		let bytes = content(contents.len() as u64, 50_000);
		commit(&store, &fabric, &[&bytes]);
		commits += u64::from(take_back(&fabric, &rpc).await);
		// The upload is refused until the chain has the commit again.
		wait::until(PATIENCE, "the bytes are not taken", async || {
			matches!(store.ask("PUT", &path(&bytes), &[], &bytes).status, 200 | 201)
		})
		.await;
		finalized(&fabric, &[&bytes]).await;
		finalizations += u64::from(take_back(&fabric, &rpc).await);
		contents.push(bytes);
	}
	finalized(&fabric, &contents).await;
	wait::until(PATIENCE, "the content node has promises left", async || {
		store.ask("GET", "/v1/status", &[], &[]).json()["promised_bytes"] == "0"
	})
	.await;
	assert_served(&store, &contents);
}

// The relay runs beside the test, which waits for the content node.
#[tokio::test(flavor = "multi_thread")]
async fn a_node_of_the_chain_that_is_behind_takes_nothing_away_and_another_one_goes_on() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (port, chain, old) = (fixed_port(), dir.path().join("chain"), dir.path().join("old"));
	let fabric = Fabric::start_on(port, &chain, 0).await;
	let node = fabric.add_node("node", &fabric.dave).await;
	let relay = Relay::start(fabric.url()).await;
	let store = Store::start(&relay.url, (fabric.provider, node), &dir.path().join("data"));
	let contents = [1, 2, 3].map(|seed| content(seed, 50_000));
	let upload = async |fabric: &Fabric, bytes: &[u8]| {
		wait::until(PATIENCE, "the content node is not ready", async || followed(&store).is_some())
			.await;
		commit(&store, fabric, &[bytes]);
		store.ask("PUT", &path(bytes), &[], bytes).expect(201);
		finalized(fabric, &[bytes]).await;
		let (best, _) = fabric.raw.best_block().await;
		wait::until(PATIENCE, "the block is not followed", async || followed(&store) >= Some(best))
			.await;
	};

	// The other node has stopped when the chain had the first version only.
	upload(&fabric, &contents[0]).await;
	let serve_again = |process: Node| {
		process.stop();
		let copied = Command::new("cp").arg("-r").args([&chain, &old]).status();
		assert!(copied.expect("cp starts").success(), "the data cannot be copied");
		Node::start_on(port, &chain, &[])
	};
	let fabric = fabric.served_by(serve_again).await;
	upload(&fabric, &contents[1]).await;

	let serve_at = |data: PathBuf| {
		move |process: Node| {
			process.stop();
			Node::start_on(port, &data, &[])
		}
	};
	let fabric = fabric.served_by(serve_at(old)).await;
	wait::until(PATIENCE, "the content node follows a node that is behind", async || {
		followed(&store).is_none()
	})
	.await;
	// Bytes that are no longer needed are removed within a second, so these are kept.
	tokio::time::sleep(Duration::from_secs(3)).await;
	let connections = relay.connections();
	tokio::time::sleep(Duration::from_secs(6)).await;
	assert!(relay.connections() <= connections + 1, "it connects again and again");
	assert_eq!(followed(&store), None);
	let problem = store.ask("GET", "/v1/status", &[], &[]).json()["problem"].to_string();
	assert!(problem.contains("the node of the chain is at block "), "{problem}");
	assert_served(&store, &contents[..2]);

	let fabric = fabric.served_by(serve_at(chain)).await;
	upload(&fabric, &contents[2]).await;
	assert_served(&store, &contents);
}

#[tokio::test]
async fn a_stall_of_finality_is_logged_once_when_it_begins_and_once_when_it_ends() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (port, chain, log) = (fixed_port(), dir.path().join("chain"), dir.path().join("log"));
	let fabric = Fabric::start_on(port, &chain, 0).await;
	let of = (fabric.provider, fabric.add_node("node", &fabric.dave).await);
	let stalling = |process: Node| {
		process.stop();
		let never = ["--finalize-after", "3600000", "--consensus", "interval=100"];
		Node::start_on(port, &chain, &never)
	};
	let fabric = fabric.served_by(stalling).await;
	let store = Store::start_by(logging(&log), fabric.url(), of, &dir.path().join("data"));
	let lines = || fs::read_to_string(&log).expect("the log is a file");
	let begins = "finality stalls: the chain's best block is ";
	wait::until(PATIENCE, "the stall is not logged", async || lines().contains(begins)).await;
	let line = lines().lines().find(|line| line.contains(begins)).map(str::to_owned);
	let line = line.unwrap_or_default();
	assert!(
		line.contains("WARN") && line.contains(" old. Commits, uploads and reads go on."),
		"{line}"
	);
	let ready = store.ask("GET", "/ready", &[], &[]).expect(200).body;
	assert!(ready.starts_with(b"ready, but finality stalls: "));
	tokio::time::sleep(Duration::from_secs(5)).await;
	let rpc = RpcClient::from_insecure_url(fabric.url()).await.expect("the node answers");
	let ends = "finality no longer stalls";
	wait::until(PATIENCE, "the end is not logged", async || {
		let (_, best) = fabric.raw.best_block().await;
		let finalized = rpc.request::<bool>("engine_finalizeBlock", rpc_params![best]).await;
		finalized.expect("the block exists") && lines().contains(ends)
	})
	.await;
	let lines = lines();
	assert_eq!((lines.matches(begins).count(), lines.matches(ends).count()), (1, 1), "{lines}");
}

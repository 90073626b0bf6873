// SPDX-License-Identifier: Apache-2.0
//! Connections that nobody closes, and that carry nothing: the content node, the index and
//! `fabric watch` notice, say so, and go on when the node is back.

use std::{
	path::Path,
	process::Stdio,
	sync::{mpsc::channel, Arc, Mutex},
	time::{Duration, Instant},
};

use content_fabric_tests::{
	client::signer,
	fabric::Fabric,
	indexer::Indexer,
	manifest::synthetic,
	process::{fabric_command, failure, report, write, Node, Process},
	published::{assert_published, Publish},
	raw::Raw,
	relay::{Relay, Swallows},
	store::Store,
	wait,
};

use serde_json::Value;
use sp_crypto_hashing::blake2_256;

use super::{
	content::{commit, content, draft, finalized, path},
	watch::Watch,
};

/// Longest time until a dead connection is noticed, on a machine with much to do.
const NOTICED: Duration = Duration::from_secs(45);
/// Longest time until all goes on. An attempt to connect may be under way, and has its own time.
const BACK: Duration = Duration::from_secs(60);
/// Longest time of an answer that waits for nobody.
const SOON: Duration = Duration::from_secs(10);

/// The programs that follow a chain.
struct Followers {
	store: Store,
	index: Indexer,
	watch: Watch,
}

impl Followers {
	/// Starts the programs at the URL of a node, or of a relay to it.
	async fn start(fabric: &Fabric, url: &str, dir: &Path) -> Self {
		let node = fabric.add_node("node", &fabric.dave).await;
		let store = Store::start(url, (fabric.provider, node), &dir.join("data"));
		let index = Indexer::start(url, &dir.join("index"), &[]);
		let followers = Self { store, index, watch: Watch::start(url) };
		followers.wait(true, BACK).await;
		// The watch is connected.
		followers.watch.event();
		followers
	}

	/// Waits until the content node and the index say that they are connected, or that they are
	/// not.
	async fn wait(&self, connected: bool, longest: Duration) {
		let text = format!("the content node is not connected: {}", !connected);
		wait::until(longest, &text, async || {
			let status = self.store.ask("GET", "/v1/status", &[], &[]).expect(200).json();
			let figures = self.store.ask("GET", "/metrics", &[], &[]).expect(200).body;
			let figure = format!("{{of=\"connected\"}} {}\n", u8::from(connected));
			status["finalized_block"].is_u64() == connected
				&& String::from_utf8_lossy(&figures).contains(&figure)
		})
		.await;
		let text = format!("the index is not connected: {}", !connected);
		wait::until(longest, &text, async || (self.index.ask("/ready").0 == 200) == connected)
			.await;
	}

	/// Checks that all of them notice that the node is silent from now on.
	async fn notice(&self, fabric: &Fabric) {
		let begun = Instant::now();
		self.refuse(fabric);
		let lost = self.watch.message();
		self.wait(false, NOTICED.saturating_sub(begun.elapsed())).await;
		assert!(begun.elapsed() < NOTICED, "{:?}", begun.elapsed());
		let expected = "the connection is dead: the node has not answered for 15 seconds; \
			connecting again";
		assert_eq!(lost, expected);
		// Nothing waits for the node any more.
		let begun = Instant::now();
		self.refuse(fabric);
		assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
	}

	/// Checks that the content node refuses a draft, as it has lost the chain.
	fn refuse(&self, fabric: &Fabric) {
		let refused = draft(&self.store, fabric, &[&content(0, 100)]).expect(503);
		assert!(refused.head.contains("retry-after: 5"), "{}", refused.head);
		let reason = refused.json()["error"].as_str().expect("it has a reason").to_owned();
		// The first draft was waiting for an answer, and the second one was not sent on.
		let (start, dead) = reason.split_once(": ").expect("it has a cause");
		let starts = [
			"the request to the chain failed",
			"the level of the account in the tenant cannot be looked up now",
			"the chain cannot be followed now",
		];
		assert!(starts.contains(&start), "{reason}");
		assert!(dead.starts_with("the connection is dead: "), "{reason}");
	}

	/// Checks that all of them go on.
	async fn go_on(&self, fabric: &Fabric, seed: u64) {
		assert_eq!(self.watch.message(), "connected again");
		self.wait(true, BACK).await;
		let bytes = content(seed, 1_000);
		commit(&self.store, fabric, &[&bytes]);
		self.store.ask("PUT", &path(&bytes), &[], &bytes).expect(201);
		finalized(fabric, &[&bytes]).await;
		self.index.wait_for_final(fabric.raw.finalized_block().await.0);
	}
}

#[tokio::test(flavor = "multi_thread")]
async fn a_relay_that_swallows_all_messages_or_all_answers_is_noticed() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(&dir.path().join("chain"), 0).await;
	let relay = Relay::start(fabric.url()).await;
	let followers = Followers::start(&fabric, &relay.url, dir.path()).await;
	for (seed, swallows) in [(1, Swallows::All), (2, Swallows::Answers)] {
		relay.swallow(swallows);
		followers.notice(&fabric).await;
		relay.swallow(Swallows::Nothing);
		followers.go_on(&fabric, seed).await;
	}
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_stands_still_is_noticed() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(&dir.path().join("chain"), 0).await;
	let followers = Followers::start(&fabric, fabric.url(), dir.path()).await;
	fabric.process.pause();
	followers.notice(&fabric).await;
	fabric.process.resume();
	// The connections of the test are dead, too.
	let fabric = fabric.served_by(|process| process).await;
	followers.go_on(&fabric, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_publish_whose_messages_are_swallowed_connects_again_and_goes_on() {
	let (dir, node) = Node::start_anew(&[]);
	let text = synthetic(3_000);
	let manifest = write(dir.path(), "manifest.jsonl", &text);
	let relay = Relay::start(&node.url).await;
	let publish = Publish::start(&relay.url, &manifest, &[]).await;
	let before = relay.connections();
	relay.swallow(Swallows::All);
	wait::until(NOTICED, "nobody connects again", async || relay.connections() > before).await;
	relay.swallow(Swallows::Nothing);
	report(&publish.end(), 0);
	assert_published(&Raw::connect(&node.url).await, &text).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_is_lost_after_a_submission_is_reported_with_the_transaction() {
	let (_dir, node) = Node::start_anew(&[]);
	let ((submitted, submission), (go_on, may_go_on)) = (channel(), channel::<()>());
	let may_go_on = Mutex::new(may_go_on);
	// The node has answered, and its answer waits.
	let lie = move |method: &str, params: &Value, _: &mut Value| {
		if method == "author_submitAndWatchExtrinsic" {
			submitted.send(params[0].clone()).expect("the test waits");
			may_go_on.lock().expect("nobody panics with it").recv().expect("the test goes on");
		}
	};
	let relay = Relay::lying(&node.url, Arc::new(lie)).await;
	let alice = signer("//Alice").account().to_string();
	let create = ["--json", "space", "create", "--name", "a", "--governor", &alice];
	let mut command = fabric_command(&relay.url, &create);
	let command = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
	let running = Process(command.expect("the client starts"));
	let transaction = submission.recv_timeout(BACK).expect("a transaction is submitted");
	relay.swallow(Swallows::Answers);
	go_on.send(()).expect("the relay waits");
	let raw = Raw::connect(&node.url).await;
	wait::until(BACK, "it is in no block", async || raw.best_block().await.0 > 0).await;
	relay.cut();
	let failure = failure(&running.output());
	let bytes = transaction.as_str().and_then(|text| hex::decode(text.strip_prefix("0x")?).ok());
	let hash = hex::encode(blake2_256(&bytes.expect("a transaction is in hex")));
	assert_eq!(failure.class, "connection", "{failure:?}");
	assert!(failure.error.contains(&format!("the transaction 0x{hash} ")), "{failure:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chain_without_blocks_is_not_taken_for_a_dead_one() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(&dir.path().join("chain"), 0).await;
	let relay = Relay::start(fabric.url()).await;
	let followers = Followers::start(&fabric, &relay.url, dir.path()).await;
	let before = relay.connections();
	tokio::time::sleep(BACK).await;
	assert_eq!(relay.connections(), before, "somebody has connected again");
	let status = followers.store.ask("GET", "/v1/status", &[], &[]).expect(200).json();
	assert_eq!(status["best_block"], status["finalized_block"]);
	assert!(status["best_block"].is_u64(), "{status}");
}

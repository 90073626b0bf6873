// SPDX-License-Identifier: Apache-2.0
//! Publishing where things go wrong: lost connections, nonces that others take, two publishers at
//! once, Ctrl-C, closed outputs. Everything that could be published is there exactly once.

use std::{
	process::Stdio,
	sync::{Arc, OnceLock},
	time::Duration,
};

use content_fabric_identifiers::VersionId;
use content_fabric_tests::{
	client::{signer, Client},
	manifest::{item, synthetic},
	process::{
		fabric_command, fabric_json, fabric_on_terminal, fabric_output, failed, report, stderr,
		write, Node,
	},
	published::{assert_published, tenant, Publish},
	raw::Raw,
	relay::{Lie, Relay},
	upgrade::{
		blobs,
		calls_by_name::{set_code, sudo_with_weight, Sender},
		SUDO,
	},
};
use serde_json::Value;
use tempfile::TempDir;
use tokio::task::block_in_place;

/// Packages in the manifest of most tests.
const PACKAGES: u32 = 3_000;
/// The computing time that is registered for a new runtime, in picoseconds.
const SET_CODE: u64 = 700_000_000_000;

/// A node, and a manifest that is to be published on it.
struct Setup {
	_dir: TempDir,
	node: Node,
	manifest: String,
	text: String,
}

impl Setup {
	fn new(packages: u32) -> Self {
		Self::with(packages, &[])
	}

	/// Starts a node with these arguments.
	fn with(packages: u32, arguments: &[&str]) -> Self {
		let (dir, node) = Node::start_anew(arguments);
		let text = synthetic(packages);
		let manifest = write(dir.path(), "manifest.jsonl", &text);
		Self { _dir: dir, node, manifest, text }
	}

	/// Starts a publish through a URL.
	async fn publish(&self, url: &str) -> Publish {
		Publish::start(url, &self.manifest, &[]).await
	}

	/// Checks that the manifest is on the chain, each row of it once.
	async fn is_published(&self) {
		assert_published(&Raw::connect(&self.node.url).await, &self.text).await;
	}
}

// The relay runs beside the test, which waits for the client.
#[tokio::test(flavor = "multi_thread")]
async fn a_publish_survives_connections_that_are_cut() {
	let setup = Setup::new(PACKAGES);
	let relay = Relay::start(&setup.node.url).await;
	let mut publish = setup.publish(&relay.url).await;
	let mut cuts = 0;
	while publish.runs() && cuts < 6 {
		tokio::time::sleep(Duration::from_millis(150 + 130 * cuts)).await;
		relay.cut();
		cuts += 1;
	}
	report(&publish.end(), 0);
	assert!(relay.connections() > 1, "no connection was cut");
	setup.is_published().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_publish_survives_nonces_that_others_take() {
	let setup = Setup::new(PACKAGES);
	let url = &setup.node.url;
	let mut publish = setup.publish(url).await;
	let provider = fabric_json(url, &["tree"])["spaces"][0]["providers"][0]["id"].clone();
	let (provider, tenant) = (provider.as_str().expect("ids are text"), tenant().to_string());
	let mut taken = 0;
	while publish.runs() {
		for (member, key) in [(tenant.as_str(), "//Charlie"), (provider, "//Bob")] {
			let top_up = ["member", "top-up", member, "1", "--signer", key, "--yes"];
			taken += u32::from(fabric_output(url, &top_up).status.success());
		}
	}
	report(&publish.end(), 0);
	assert!(taken > 0, "no nonce was taken");
	setup.is_published().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_publishers_at_once_both_end_well() {
	let setup = Setup::new(PACKAGES);
	let url = &setup.node.url;
	let (one, other) = tokio::join!(setup.publish(url), setup.publish(url));
	for publish in [one, other] {
		assert_eq!(failed(&report(&publish.end(), 0), "chain"), Vec::<&Value>::new());
	}
	setup.is_published().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_publish_goes_on_after_an_upgrade_that_keeps_its_calls() {
	let setup = Setup::with(1_500, &["--consensus", "interval=300"]);
	let url = &setup.node.url;
	let version = async || {
		let Client { chain, .. } = Client::connect(url).await;
		let best = chain.best_hash().await.expect("there is a best block");
		chain.runtime(best).await.expect("the block has a runtime").0
	};
	let before = version().await;
	let newer = blobs::newer(&blobs::present());
	let sender = Sender::connect(url, signer(SUDO)).await;
	let mut publish = setup.publish(url).await;
	sender.send(&[sudo_with_weight(set_code(&newer), SET_CODE)]).await;
	assert!(publish.runs(), "the publish has ended before the upgrade");
	assert_eq!(failed(&report(&publish.end(), 0), "chain"), Vec::<&Value>::new());
	assert_eq!(version().await, before + 1);
	setup.is_published().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_publish_without_finality_says_so_and_finds_what_was_done_in_best_blocks() {
	let setup = Setup::new(30);
	let first = Arc::new(OnceLock::new());
	let lie: Lie = Arc::new(move |method, _, result| {
		if method == "chain_getFinalizedHead" {
			*result = first.get_or_init(|| result.clone()).clone();
		}
	});
	let relay = Relay::lying(&setup.node.url, lie).await;
	let publish = |options: &[&str]| {
		let publish = [&["--json", "publish", &setup.manifest, "--timeout", "3"], options].concat();
		block_in_place(|| fabric_output(&relay.url, &publish))
	};
	let output = publish(&[]);
	let published = report(&output, 9);
	assert_eq!(published["sources"][0]["committed"], 30);
	assert_eq!(published["sources"][0]["not_sent"], 0);
	let error = stderr(&output);
	assert!(error.contains(" is not final after 3 seconds"), "{error}");
	setup.is_published().await;
	report(&publish(&["--wait", "best"]), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_ends_with_the_report_and_the_next_run_goes_on() {
	let setup = Setup::new(PACKAGES);
	let publish = setup.publish(&setup.node.url).await;
	publish.interrupt();
	let committed = report(&publish.end(), 130)["sources"][0]["committed"].as_u64();
	assert!(committed.is_some_and(|committed| committed > 0), "the report has what was done");
	fabric_json(&setup.node.url, &["publish", &setup.manifest]);
	setup.is_published().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn closed_outputs_do_not_stop_a_publish() {
	let setup = Setup::new(300);
	for (arguments, codes) in [
		(&["publish", &setup.manifest][..], &[0][..]),
		(&["tree", "--limit", "100000"], &[0, 3]),
		(&["show", "ispc1111111111"], &[0, 3]),
	] {
		let mut client = fabric_command(&setup.node.url, arguments)
			.stdout(Stdio::piped())
			.stderr(Stdio::piped())
			.spawn()
			.expect("the client starts");
		drop((client.stdout.take(), client.stderr.take()));
		let code = client.wait().expect("the client ends").code();
		assert!(code.is_some_and(|code| codes.contains(&code)), "{arguments:?}: {code:?}");
	}
	setup.is_published().await;
}

#[test]
fn a_head_moves_to_the_marked_item_only() {
	let (dir, node) = Node::start_anew(&[]);
	let manifest = |version: &str, byte: u8, head: bool| {
		let mut item = item("a", version, &hex::encode([byte; 32]));
		item["head"] = head.into();
		write(dir.path(), &format!("{version}-{head}"), &item.to_string())
	};
	let head = || {
		let tree = fabric_json(&node.url, &["tree"]);
		tree["spaces"][0]["tenants"][0]["content_objects"][0]["head"].clone()
	};
	let mut expected = Value::Null;
	for (version, byte, is_head) in [
		("1.9.0", 1, false),
		("1.9.0", 1, true),
		("1.10.0", 2, false),
		("1.10.0", 2, true),
		("1.9.0", 1, false),
		// The manifest says so, although the version is lower.
		("1.9.0", 1, true),
	] {
		fabric_json(&node.url, &["publish", &manifest(version, byte, is_head)]);
		if is_head {
			expected = VersionId([byte; 32]).to_string().into();
		}
		assert_eq!(head(), expected, "{version} {is_head}");
	}
}

#[test]
fn a_terminal_shows_progress_and_asks_for_consent() {
	let setup = Setup::new(1_000);
	let run =
		|arguments: &[&str], typed| fabric_on_terminal(&setup.node.url, arguments, None, typed);
	let (code, text) = run(&["publish", &setup.manifest], "");
	assert_eq!(code, Some(0), "{text}");
	assert!(text.contains('\r'), "a bar is drawn over itself: {text}");
	assert!(text.contains("/s"), "the bar has a rate: {text}");

	let id = tenant().to_string();
	let purge = ["governance", "purge", id.as_str(), "--reason", "test"];
	let (code, text) = run(&purge, "n\n");
	assert_eq!(code, Some(2), "{text}");
	assert!(text.contains("Continue? [y/N]") && text.contains("nothing was submitted"), "{text}");
	let (code, text) = run(&purge, "y\n");
	assert_eq!(code, Some(0), "{text}");
	assert_eq!(fabric_json(&setup.node.url, &["tree"])["totals"]["tenants"], 0);
}

// SPDX-License-Identifier: Apache-2.0
//! Publishing where things go wrong: lost connections, nonces that others take, two publishers at
//! once, Ctrl-C, closed outputs. Everything that could be published is there exactly once.

use std::{
	io::Write,
	path::Path,
	process::{Command, Output, Stdio},
	time::Duration,
};

use content_fabric_tests::{
	lockfile::{synthetic, CRATES_IO},
	process::{fabric_command, fabric_json, fabric_output, failed, report, write, Node},
	published::{assert_published, tenant, Publish},
	raw::Raw,
	relay::Relay,
};
use serde_json::Value;
use tempfile::TempDir;

/// Packages in the lock file of most tests.
const PACKAGES: u32 = 3_000;

/// A node, and a lock file that is to be published on it.
struct Setup {
	dir: TempDir,
	node: Node,
	lockfile: String,
	text: String,
}

impl Setup {
	fn new(packages: u32) -> Self {
		let (dir, node) = Node::start_anew(&[]);
		let text = synthetic(packages);
		let lockfile = write(dir.path(), "Cargo.lock", &text);
		Self { dir, node, lockfile, text }
	}

	/// Starts a publish through a URL.
	async fn publish(&self, url: &str) -> Publish {
		Publish::start(url, &self.lockfile, &[]).await
	}

	/// Checks that the lock file is on the chain, each row of it once.
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
async fn ctrl_c_ends_with_the_report_and_the_next_run_goes_on() {
	let setup = Setup::new(PACKAGES);
	let publish = setup.publish(&setup.node.url).await;
	publish.interrupt();
	let committed = report(&publish.end(), 130)["registries"][0]["committed"].as_u64();
	assert!(committed.is_some_and(|committed| committed > 0), "the report has what was done");
	fabric_json(&setup.node.url, &["publish", &setup.lockfile]);
	setup.is_published().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn closed_outputs_do_not_stop_a_publish() {
	let setup = Setup::new(300);
	for (arguments, codes) in [
		(&["publish", &setup.lockfile][..], &[0][..]),
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

/// Returns a lock file with one package of crates.io.
fn one_package(name: &str, version: &str, checksum: u8) -> String {
	format!(
		"version = 4\n\n[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n\
		 source = \"{CRATES_IO}\"\nchecksum = \"{}\"\n",
		hex::encode([checksum; 32])
	)
}

#[test]
fn two_lock_files_in_turn_set_no_head_back() {
	let (dir, node) = Node::start_anew(&[]);
	let old = write(dir.path(), "Old.lock", &one_package("a", "1.9.0", 1));
	let new = write(dir.path(), "New.lock", &one_package("a", "1.10.0", 2));
	let head = || {
		let tree = fabric_json(&node.url, &["tree"]);
		tree["spaces"][0]["tenants"][0]["content_objects"][0]["head"].clone()
	};
	fabric_json(&node.url, &["publish", &old]);
	let first = head();
	fabric_json(&node.url, &["publish", &new]);
	let second = head();
	assert_ne!(first, second, "the higher version is the head");
	for lockfile in [&old, &new, &old] {
		let report = fabric_json(&node.url, &["publish", lockfile]);
		assert_eq!(report["registries"][0]["heads_set"], 0);
		assert_eq!(head(), second);
	}
	// The reverse order on a new tenant comes to the same.
	fabric_json(&node.url, &["publish", &old, "--move-heads"]);
	assert_eq!(head(), first, "--move-heads moves heads back");
	fabric_json(&node.url, &["publish", &new]);
	assert_eq!(head(), second);
}

#[test]
fn a_terminal_shows_progress_and_asks_for_consent() {
	let setup = Setup::new(1_000);
	let run = |arguments: &[&str], typed| {
		on_terminal(setup.dir.path(), &setup.node.url, arguments, typed)
	};
	let (code, text) = run(&["publish", &setup.lockfile], "");
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

/// Runs the client on a terminal, where somebody types. Returns its exit code, and what it shows.
fn on_terminal(dir: &Path, url: &str, arguments: &[&str], typed: &str) -> (Option<i32>, String) {
	let client = fabric_command(url, arguments);
	let words = std::iter::once(client.get_program()).chain(client.get_args());
	let words: Vec<_> = words.map(|word| format!("'{}'", word.to_string_lossy())).collect();
	let mut terminal = Command::new("script")
		.args(["-q", "-e", "-c", &words.join(" "), "/dev/null"])
		.env("FABRIC_CONFIG", dir.join("config.toml"))
		.stdin(Stdio::piped())
		.stdout(Stdio::piped())
		.spawn()
		.expect("script, of the package bsdutils, starts");
	// The end of the input would be a Ctrl-D, which is not an answer, so it stays open.
	let mut stdin = terminal.stdin.take().expect("it is piped");
	stdin.write_all(typed.as_bytes()).expect("the terminal takes it");
	let Output { status, stdout, .. } = terminal.wait_with_output().expect("the client ends");
	(status.code(), String::from_utf8_lossy(&stdout).into_owned())
}

// SPDX-License-Identifier: Apache-2.0
//! Publishing where things go wrong: bad items, lost connections, nonces that others take, two
//! publishers at once, Ctrl-C, closed outputs. What could be published is there exactly once, and
//! the report accounts for the rest.

use std::{
	path::Path,
	process::{Command, Output, Stdio},
	time::Duration,
};

use content_fabric_client::{chain::calls, ids};
use content_fabric_identifiers::{ContentObjectId, Medallion, Muid, TenantId, VersionId};
use content_fabric_primitives::DraftVersion;
use content_fabric_tests::{
	client::{commit_versions, signer, Client, VersionCommit, MAX_HELD},
	lockfile::{checksums, synthetic, CRATES_IO},
	process::{fabric_command, fabric_json, fabric_output, failed, interrupt, write, Node},
	published,
	raw::{storage_key, Raw},
	relay::Relay,
};
use serde_json::Value;

/// Packages in the lock file of most tests.
const PACKAGES: u32 = 3_000;

/// A node, and a lock file that is to be published on it.
struct Setup {
	dir: tempfile::TempDir,
	node: Node,
	lockfile: String,
	text: String,
}

impl Setup {
	fn new(packages: u32) -> Self {
		let dir = tempfile::tempdir().expect("there is room for a folder");
		let node = Node::start(&dir.path().join("chain"), &[]);
		let text = synthetic(packages);
		let lockfile = write(dir.path(), "Cargo.lock", &text);
		Self { dir, node, lockfile, text }
	}

	/// Starts a publish through a URL.
	fn publish(&self, url: &str, more: &[&str]) -> std::process::Child {
		fabric_command(url, &["--json", "publish", &self.lockfile])
			.args(more)
			.stdout(Stdio::piped())
			.stderr(Stdio::piped())
			.spawn()
			.expect("the client starts")
	}

	/// Checks that the lock file is on the chain, each row of it once.
	async fn is_published(&self) {
		let tenant = tenant();
		let raw = Raw::connect(&self.node.url).await;
		let rows = raw.rows(tenant).await;
		let expected = published::versions(tenant, &self.text);
		assert_eq!(rows["Versions"], expected);
		let tree = fabric_json(&self.node.url, &["tree"]);
		assert_eq!(tree["totals"]["heads"], rows["ContentObjects"].len());
		let names = checksums(&self.text, CRATES_IO).len() + expected.len();
		assert!(rows["Records"].len() > names, "each name has a record, and so has a run");
	}

	/// Waits until some versions are on the chain.
	async fn some_versions(&self) {
		let raw = Raw::connect(&self.node.url).await;
		let prefix = storage_key("Versions", &[&tenant().0]);
		while raw.keys(&prefix).await.is_empty() {
			tokio::time::sleep(Duration::from_millis(10)).await;
		}
	}
}

fn tenant() -> TenantId {
	ids::tenant(ids::space("cargo"), CRATES_IO)
}

fn report(output: &Output) -> Value {
	let stderr = String::from_utf8_lossy(&output.stderr);
	serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("no report: {stderr}"))
}

fn ended(process: std::process::Child) -> Output {
	process.wait_with_output().expect("the client ends")
}

/// Returns a lock file with one package of crates.io.
fn one_package(name: &str, version: &str, checksum: u8) -> String {
	format!(
		"version = 4\n\n[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n\
		 source = \"{CRATES_IO}\"\nchecksum = \"{}\"\n",
		hex::encode([checksum; 32])
	)
}

#[tokio::test(flavor = "multi_thread")]
async fn one_bad_version_does_not_take_others_with_it() {
	let setup = Setup::new(1_200);
	let url = &setup.node.url;
	// The tenant comes with a first, small publish.
	let first = write(setup.dir.path(), "First.lock", &one_package("first", "1.0.0", 9));
	fabric_json(url, &["publish", &first]);
	// Another provider commits a version of a package in the middle, and does not finalize it.
	let expected = checksums(&setup.text, CRATES_IO);
	let (name, versions) = expected.iter().nth(expected.len() / 2).expect("there are packages");
	let bad = (ids::content_object(tenant(), name), VersionId(versions[0]));
	commit_by_another(url, bad).await;

	let output = fabric_output(url, &["--json", "publish", &setup.lockfile]);
	assert_eq!(output.status.code(), Some(6), "{}", String::from_utf8_lossy(&output.stderr));
	let report = self::report(&output);
	let [unpublished] = failed(&report, "chain")[..] else { panic!("{report}") };
	assert_eq!(unpublished["package"], *name);
	let reason = unpublished["reason"].as_str().expect("failures have reasons");
	assert!(reason.contains("finalized"), "{reason}");

	let raw = Raw::connect(url).await;
	let all: usize = expected.values().map(Vec::len).sum();
	let rows = raw.rows(tenant()).await;
	assert_eq!(rows["Versions"].len(), all + 1, "all versions are there, the bad one unfinalized");
	// The next run finds nothing new to do, and is not stuck.
	let again = fabric_output(url, &["--json", "publish", &setup.lockfile]);
	assert_eq!(again.status.code(), Some(6));
	let again = self::report(&again);
	assert_eq!(again["registries"][0]["committed"], 0);
	assert!(again["transactions"].as_u64().is_some_and(|sent| sent <= 1), "{again}");
}

/// Has a provider of Dave's commit a version of the tenant, which Charlie's key signs.
async fn commit_by_another(url: &str, (object, version): (ContentObjectId, VersionId)) {
	let (client, raw) = (Client::connect(url).await, Raw::connect(url).await);
	let (charlie, dave, space) = (signer("//Charlie"), signer("//Dave"), ids::space("cargo"));
	let provider = ids::provider(space, "dave");
	let node = ids::node(provider, "dave");
	let (operator, locator) = (*dave.account(), b"/ip4/127.0.0.1".to_vec());
	let joining = [
		client.encode(calls::CreateProvider { space, id: provider, max_held: MAX_HELD }),
		client.encode(calls::CreateNode { provider, node, operator, locator }),
		client.encode(calls::ConfirmNode { provider, node }),
	];
	client.submit(&dave, client.batch(joining)).await;
	let medallion = raw.node(provider, node).await.expect("the node exists").medallion;
	let medallion = Medallion::new(medallion).expect("the chain assigned it");
	let now = client.best().await.now_micros().await.expect("blocks have times");
	let draft = DraftVersion { object, version, size: 1, set_head_on_finalize: false };
	let commit = VersionCommit {
		muid: Muid::new(now, medallion, 0).expect("it is not the year 2112"),
		originator: provider,
		node,
		tenant: tenant(),
		kms: ids::kms(tenant(), "publisher"),
		create_objects: true,
		versions: vec![draft].try_into().expect("the list is short"),
	};
	let signature = charlie.sign(&commit.payload(client.chain.identity().genesis_hash));
	client.submit(&dave, commit_versions(&charlie, &commit, signature)).await;
}

// The relay runs beside the test, which waits for the client.
#[tokio::test(flavor = "multi_thread")]
async fn a_publish_survives_connections_that_are_cut() {
	let setup = Setup::new(PACKAGES);
	let relay = Relay::start(&setup.node.url).await;
	let mut publish = setup.publish(&relay.url, &[]);
	setup.some_versions().await;
	let mut cuts = 0;
	while publish.try_wait().expect("the client runs").is_none() && cuts < 6 {
		tokio::time::sleep(Duration::from_millis(150 + 130 * cuts)).await;
		relay.cut();
		cuts += 1;
	}
	let output = ended(publish);
	assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
	assert!(relay.connections() > 1, "no connection was cut");
	setup.is_published().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_publish_survives_nonces_that_others_take() {
	let setup = Setup::new(PACKAGES);
	let mut publish = setup.publish(&setup.node.url, &[]);
	setup.some_versions().await;
	let (mut taken, id) = (0, tenant().to_string());
	let provider = fabric_json(&setup.node.url, &["tree"])["spaces"][0]["providers"][0]["id"]
		.as_str()
		.expect("ids are text")
		.to_owned();
	while publish.try_wait().expect("the client runs").is_none() {
		for (member, key) in [(&id, "//Charlie"), (&provider, "//Bob")] {
			let top_up = ["member", "top-up", member, "1", "--signer", key, "--yes"];
			taken += u32::from(fabric_output(&setup.node.url, &top_up).status.success());
		}
	}
	let output = ended(publish);
	assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
	assert!(taken > 0, "no nonce was taken");
	setup.is_published().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_publishers_at_once_both_end_well() {
	let setup = Setup::new(PACKAGES);
	let (one, other) = (setup.publish(&setup.node.url, &[]), setup.publish(&setup.node.url, &[]));
	for output in [ended(one), ended(other)] {
		assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
		assert_eq!(failed(&report(&output), "chain"), Vec::<&Value>::new());
	}
	setup.is_published().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_ends_with_the_report_and_the_next_run_goes_on() {
	let setup = Setup::new(PACKAGES);
	let publish = setup.publish(&setup.node.url, &[]);
	setup.some_versions().await;
	interrupt(&publish);
	let output = ended(publish);
	assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
	let committed = report(&output)["registries"][0]["committed"].as_u64();
	assert!(committed.is_some_and(|committed| committed > 0), "the report has what was done");
	let next = fabric_output(&setup.node.url, &["--json", "publish", &setup.lockfile]);
	assert!(next.status.success(), "{}", String::from_utf8_lossy(&next.stderr));
	setup.is_published().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn closed_outputs_do_not_stop_a_publish() {
	let setup = Setup::new(300);
	let mut publish = fabric_command(&setup.node.url, &["publish", &setup.lockfile])
		.stdout(Stdio::piped())
		.stderr(Stdio::piped())
		.spawn()
		.expect("the client starts");
	drop((publish.stdout.take(), publish.stderr.take()));
	let status = publish.wait().expect("the client ends");
	assert!(status.success(), "{status}");
	setup.is_published().await;
	for arguments in [&["tree", "--limit", "100000"][..], &["show", "ispc1111111111"]] {
		let mut reader = fabric_command(&setup.node.url, arguments)
			.stdout(Stdio::piped())
			.stderr(Stdio::piped())
			.spawn()
			.expect("the client starts");
		drop((reader.stdout.take(), reader.stderr.take()));
		let code = reader.wait().expect("the client ends").code();
		assert!(matches!(code, Some(0 | 3)), "{arguments:?}: {code:?}");
	}
}

#[test]
fn two_lock_files_in_turn_set_no_head_back() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let node = Node::start(&dir.path().join("chain"), &[]);
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
	assert_eq!(head(), first, "who asks for it moves heads back");
	fabric_json(&node.url, &["publish", &new]);
	assert_eq!(head(), second);
}

#[test]
fn a_terminal_shows_progress_and_asks_for_consent() {
	let setup = Setup::new(1_000);
	let shown = on_terminal(setup.dir.path(), &setup.node.url, &["publish", &setup.lockfile], "");
	assert!(shown.status.success());
	let text = String::from_utf8_lossy(&shown.stdout).into_owned();
	assert!(text.contains('\r'), "a bar is drawn over itself: {text}");
	assert!(text.contains("/s"), "the bar has a rate: {text}");

	let id = tenant().to_string();
	let purge = ["governance", "purge", id.as_str(), "--reason", "test"];
	let declined = on_terminal(setup.dir.path(), &setup.node.url, &purge, "n\n");
	let text = String::from_utf8_lossy(&declined.stdout).into_owned();
	assert_eq!(declined.status.code(), Some(2), "{text}");
	assert!(text.contains("Continue? [y/N]") && text.contains("nothing was submitted"), "{text}");
	let agreed = on_terminal(setup.dir.path(), &setup.node.url, &purge, "y\n");
	let text = String::from_utf8_lossy(&agreed.stdout).into_owned();
	assert!(agreed.status.success(), "{text}");
	assert_eq!(fabric_json(&setup.node.url, &["tree"])["totals"]["tenants"], 0);
}

/// Runs the client on a terminal, where somebody types.
fn on_terminal(dir: &Path, url: &str, arguments: &[&str], typed: &str) -> Output {
	let client = fabric_command(url, arguments);
	let words = std::iter::once(client.get_program()).chain(client.get_args());
	let words: Vec<_> = words.map(|word| format!("'{}'", word.to_string_lossy())).collect();
	let mut terminal = Command::new("script")
		.args(["-q", "-e", "-c", &words.join(" "), "/dev/null"])
		.env("FABRIC_CONFIG", dir.join("config.toml"))
		.stdin(Stdio::piped())
		.stdout(Stdio::piped())
		.stderr(Stdio::piped())
		.spawn()
		.expect("script, of the package bsdutils, starts");
	let mut stdin = terminal.stdin.take().expect("it is piped");
	std::io::Write::write_all(&mut stdin, typed.as_bytes()).expect("the terminal takes it");
	// The end of the input would be a Ctrl-D, which is no answer.
	let output = std::thread::scope(|_| terminal.wait_with_output().expect("the client ends"));
	drop(stdin);
	output
}

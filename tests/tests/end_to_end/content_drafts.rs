// SPDX-License-Identifier: Apache-2.0
//! Drafts and commits of a content node: clients that never sign keep nobody waiting, those that
//! commit at once all end well, and a restart loses nothing that was committed.

use std::{
	collections::BTreeMap,
	fs,
	path::Path,
	process::{Command, Stdio},
	sync::{
		atomic::{AtomicBool, Ordering},
		Arc, Mutex,
	},
	thread,
	time::{Duration, Instant},
};

use content_fabric_client::{
	chain::{calls::Call, rows, wall_clock},
	ids,
};
use content_fabric_tests::{
	fabric::Fabric,
	process::{fabric_command, fixed_port, stderr, Node, Process},
	relay::Relay,
	store::Store,
	wait,
};
use scale_encode::EncodeAsType;
use serde_json::Value;
use sp_crypto_hashing::twox_128;

use super::content::{commit, content, draft, finalized, path, signed, start, version};

/// Longest wait for a state.
const PATIENCE: Duration = Duration::from_secs(60);
/// Time by which others may delay an honest client, on a machine that is busy with other tests.
const DELAY: Duration = Duration::from_secs(5);

/// The call of the root that changes the state.
#[derive(EncodeAsType)]
struct SetStorage {
	items: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Call for SetStorage {
	const PALLET: &'static str = "System";
	const NAME: &'static str = "set_storage";
}

/// Returns the storage key of the chain's time.
fn time_key() -> Vec<u8> {
	[twox_128(b"Timestamp"), twox_128(b"Now")].concat()
}

/// Begins to put a folder with one file of these bytes, whose name becomes the tenant's.
fn begin_put(fabric: &Fabric, store: &Store, folder: &Path, bytes: &[u8], key: &str) -> Process {
	fs::create_dir(folder).expect("it is new");
	fs::write(folder.join("page"), bytes).expect("there is room");
	put(fabric, store, folder, key)
}

fn put(fabric: &Fabric, store: &Store, folder: &Path, key: &str) -> Process {
	let node = format!("http://{}", store.address);
	let put = ["put", &folder.to_string_lossy(), "--node", &node, "--yes", "--signer", key];
	let mut command = fabric_command(fabric.url(), &put);
	command.stdout(Stdio::piped()).stderr(Stdio::piped());
	Process(command.spawn().expect("the client starts"))
}

fn assert_success(process: Process) {
	let output = process.output();
	let report = String::from_utf8_lossy(&output.stdout);
	assert!(output.status.success(), "{report}{}", stderr(&output));
}

/// Checks that a file of the tenant of a folder is final.
async fn assert_final(fabric: &Fabric, folder: &str, file: &str, bytes: &[u8]) {
	let tenant = ids::tenant(fabric.space, folder);
	let key = (tenant, ids::content_object(tenant, file), version(bytes));
	let row = fabric.client.best().await.get(&rows::versions(), key).await;
	let row = row.expect("the node answers").expect("it is committed");
	assert!(row.finalized.is_some(), "{folder}/{file} is not final");
}

// The relay runs beside the test, which waits for the content node.
#[tokio::test(flavor = "multi_thread")]
async fn drafts_that_nobody_signs_ask_the_chain_little_and_keep_no_put_waiting() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(&dir.path().join("chain"), 0).await;
	let node = fabric.add_node("node", &fabric.dave).await;
	let asked = Arc::new(Mutex::new(BTreeMap::<String, usize>::new()));
	let counted = asked.clone();
	let count = move |method: &str, _: &Value, _: &mut Value| {
		*counted.lock().expect("no test has failed").entry(method.into()).or_default() += 1;
	};
	let relay = Relay::lying(fabric.url(), Arc::new(count)).await;
	let store = Store::start(&relay.url, (fabric.provider, node), &dir.path().join("data"));
	let begin = |name: &str, seed, key| {
		begin_put(&fabric, &store, &dir.path().join(name), &content(seed, 5_000), key)
	};
	let timed = |name, seed| {
		let begun = Instant::now();
		assert_success(begin(name, seed, "//Charlie"));
		begun.elapsed()
	};
	let alone = timed("first", 1);
	draft(&store, &fabric, &[b"abandoned"]).expect(200);
	asked.lock().expect("no test has failed").clear();
	for number in 0..100 {
		draft(&store, &fabric, &[content(number, 10)]).expect(200);
	}
	let asked = std::mem::take(&mut *asked.lock().expect("no test has failed"));
	let states = asked.iter().filter(|(method, _)| method.starts_with("state_"));
	let states: usize = states.map(|(_, count)| count).sum();
	// Once for the block, and as it is followed.
	assert!(states < 50, "{asked:?}");
	let beside = timed("second", 2);
	assert!(beside < alone + DELAY, "{beside:?} beside unsigned drafts, and {alone:?} alone");

	// Two tenants at once.
	let [one, other] = [("one", 3, "//Charlie"), ("other", 4, "//Eve")];
	let begun = [one, other].map(|(name, seed, key)| begin(name, seed, key));
	begun.into_iter().for_each(assert_success);
	for (name, seed, _) in [one, other] {
		assert_final(&fabric, name, "page", &content(seed, 5_000)).await;
	}
}

#[tokio::test]
async fn commits_go_on_beside_a_client_that_drafts_without_end() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (fabric, _, store) = start(dir.path()).await;
	let commit_some = |first: u64| {
		let begun = Instant::now();
		let mut lapsed = 0;
		for seed in first..first + 5 {
			let bytes = [content(seed, 100)];
			loop {
				let draft = draft(&store, &fabric, &bytes).expect(200).json();
				let signed = signed(&fabric, &draft);
				match store.ask("POST", "/v1/commits", &[], signed.as_bytes()) {
					answer if answer.status == 409 && lapsed < 100 => lapsed += 1,
					answer => break drop(answer.expect(200)),
				}
			}
		}
		begun.elapsed()
	};
	let alone = commit_some(0);
	let stop = AtomicBool::new(false);
	let beside = thread::scope(|scope| {
		scope.spawn(|| {
			while !stop.load(Ordering::Relaxed) {
				// They may be refused.
				draft(&store, &fabric, &[b"unsigned"]);
			}
		});
		let beside = commit_some(100);
		stop.store(true, Ordering::Relaxed);
		beside
	});
	assert!(beside < alone * 3 + DELAY, "{beside:?} beside drafts, and {alone:?} alone");
}

#[tokio::test]
async fn a_put_goes_on_when_the_content_node_is_killed_during_its_commit() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (port, chain) = (fixed_port(), dir.path().join("chain"));
	let fabric = Fabric::start_on(port, &chain, 0).await;
	let of = (fabric.provider, fabric.add_node("node", &fabric.dave).await);
	let (address, data) = (format!("127.0.0.1:{}", fixed_port()), dir.path().join("data"));
	let store = Store::start_at(&address, fabric.url(), of, &data);
	// The tenant exists before blocks become slow.
	let site = dir.path().join("site");
	assert_success(begin_put(&fabric, &store, &site, b"first", "//Charlie"));
	let slow = |process: Node| {
		process.stop();
		Node::start_on(port, &chain, &["--consensus", "interval=1500"])
	};
	let fabric = fabric.served_by(slow).await;
	let promised = || store.ask("GET", "/v1/status", &[], &[]).json()["promised_bytes"].clone();
	wait::until(PATIENCE, "the chain is not followed again", async || {
		store.ask("GET", "/v1/status", &[], &[]).json()["finalized_block"].is_u64()
	})
	.await;
	let contents: Vec<_> = (0..5).map(|seed| content(seed, 50_000)).collect();
	for (number, bytes) in contents.iter().enumerate() {
		fs::write(site.join(format!("file-{number}")), bytes).expect("there is room");
	}
	let putting = put(&fabric, &store, &site, "//Charlie");
	wait::until(PATIENCE, "nothing is committed", async || promised() == "250000").await;
	drop(store);
	let store = Store::start_at(&address, fabric.url(), of, &data);
	// A version that it does not know may come with the next blocks.
	let unknown = store.ask("GET", &path(b"unknown"), &[], &[]);
	assert!(matches!(unknown.status, 503 | 404), "{}", unknown.head);
	assert_success(putting);
	for (number, bytes) in contents.iter().enumerate() {
		assert_final(&fabric, "site", &format!("file-{number}"), bytes).await;
	}
	store.wait("GET", &path(b"unknown"), 404);
}

#[tokio::test]
async fn a_chain_whose_last_block_is_hours_old_is_named_and_takes_commits() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(&dir.path().join("chain"), 0).await;
	let node = fabric.add_node("node", &fabric.dave).await;
	let log = dir.path().join("log");
	let mut shell = Command::new("bash");
	shell.arg("-c").arg(format!("exec \"$0\" \"$@\" 2> >(tee '{}' >&2)", log.display()));
	let of = (fabric.provider, node);
	let store = Store::start_by(shell, fabric.url(), of, &dir.path().join("data"));
	let status = || store.ask("GET", "/v1/status", &[], &[]).expect(200).json();
	wait::until(PATIENCE, "the chain is not followed", async || {
		status()["finalized_block"].is_u64()
	})
	.await;
	assert_eq!(status()["clock_difference"], Value::Null);
	let text = "the clock of this machine is 5 hours ahead of the chain's";
	for _ in 0..2 {
		// The state of the new block says that it is five hours old.
		let time = wall_clock() / 1_000 - 5 * 3_600_000;
		let items = vec![(time_key(), time.to_le_bytes().to_vec())];
		let before = status()["finalized_block"].clone();
		fabric.submit(&fabric.alice, fabric.client.sudo(SetStorage { items })).await;
		wait::until(PATIENCE, "the block is not followed", async || {
			status()["finalized_block"] != before
		})
		.await;
		assert_eq!(status()["clock_difference"], text);
	}
	let lines = fs::read_to_string(&log).expect("the log is a file");
	assert_eq!(lines.matches(text).count(), 1, "{lines}");

	let bytes = content(1, 5_000);
	commit(&store, &fabric, &[&bytes]);
	store.ask("PUT", &path(&bytes), &[], &bytes).expect(201);
	finalized(&fabric, &[&bytes]).await;
	wait::until(PATIENCE, "the clocks still differ", async || {
		status()["clock_difference"] == Value::Null
	})
	.await;
}

// SPDX-License-Identifier: Apache-2.0
//! The index beside a node: it is exact after kills and purges, finds what was published, and refuses
//! what is not its own.
//!
//! The index is killed three times. The environment variable `KILLS` gives another number; the lock
//! file grows with it. `SEED` repeats the moments of another run.

use std::{collections::BTreeSet, process::Stdio, time::Duration};

use content_fabric_client::ids;
use content_fabric_identifiers::{TenantId, VersionId};
use content_fabric_tests::{
	environment::{number, random},
	indexer::{self, assert_exact, settled, Indexer},
	lockfile::{checksums, names, synthetic, CRATES_IO},
	process::{fabric_command, fabric_json, fixed_port, write, Node},
	raw::Raw,
};
use rand::Rng;
use serde_json::Value;

/// Packages in the lock file for each kill.
const PACKAGES: u32 = 400;
/// Most milliseconds between two kills.
const PAUSE: u64 = 1_500;

/// Returns the tenant of lock files.
fn tenant() -> TenantId {
	ids::tenant(ids::space("cargo"), CRATES_IO)
}

/// Runs a command of the client that reads an index, without a node.
fn reads(index: &Indexer, arguments: &[&str]) -> Value {
	fabric_json("ws://127.0.0.1:1", &[&["--index", &index.url], arguments].concat())
}

#[tokio::test]
async fn an_index_that_is_killed_again_and_again_ends_up_equal_to_the_chain() {
	let kills = number("KILLS").unwrap_or(3);
	let mut random = random();
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let packages = PACKAGES * u32::try_from(kills.max(1)).expect("KILLS is small");
	let lockfile = write(dir.path(), "Cargo.lock", &synthetic(packages));
	let node = Node::start(&dir.path().join("chain"), &[]);
	let raw = Raw::connect(&node.url).await;
	let data = dir.path().join("index");
	let mut publish = fabric_command(&node.url, &["publish", &lockfile])
		.stdout(Stdio::null())
		.stderr(Stdio::null())
		.spawn()
		.expect("the client starts");
	for _ in 0..kills {
		let indexer = Indexer::start(&node.url, &data, &[]);
		tokio::time::sleep(Duration::from_millis(random.random_range(0..PAUSE))).await;
		indexer.kill();
	}
	let indexer = Indexer::start(&node.url, &data, &[]);
	let published = tokio::task::spawn_blocking(move || publish.wait()).await;
	assert!(published.expect("it does not panic").expect("it ends").success());
	indexer.wait_for_final(settled(&raw).await);
	assert_exact(indexer, &node.url, &data, &raw).await;
}

#[tokio::test]
async fn names_hashes_and_history_are_found_without_a_node() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let text = synthetic(120);
	let lockfile = write(dir.path(), "Cargo.lock", &text);
	let node = Node::start(&dir.path().join("chain"), &[]);
	let raw = Raw::connect(&node.url).await;
	let data = dir.path().join("index");
	let index = Indexer::start(&node.url, &data, &["--history"]);
	fabric_json(&node.url, &["publish", &lockfile]);
	index.wait_for_final(settled(&raw).await);

	let tenant = tenant();
	let named = names(&text, CRATES_IO);
	let path = format!("/v1/tenants/{tenant}/collections/names/records?order=key");
	let listed = index.list(&path);
	let keys: Vec<_> =
		listed.iter().map(|record| record["key"].as_str().expect("it is text")).collect();
	let expected: BTreeSet<_> = named.keys().map(String::as_str).collect();
	assert_eq!(keys, expected.iter().copied().collect::<Vec<_>>());
	for key in named.keys().step_by(7) {
		let name = key.replace("~2b", "+");
		let found = reads(&index, &["find", &name, "--limit", "1000"]);
		assert!(found.to_string().contains(&format!("\"{key}\"")), "{name}: {found}");
	}
	for (name, versions) in checksums(&text, CRATES_IO).into_iter().take(10) {
		let hash = VersionId(versions[0]).to_string();
		let found = reads(&index, &["who", &hash]).to_string();
		let object = ids::content_object(tenant, &name).to_string();
		assert!(found.contains(&object), "{name}: {found}");
	}
	// Nothing that was deposited since the first block is missing.
	let status = index.get("/v1/status");
	assert_eq!(status["item"]["historySince"], Value::Null);
	let events = index.list("/v1/events");
	let committed = events.iter().filter(|event| event["name"] == "VersionCommitted").count();
	let versions: usize = checksums(&text, CRATES_IO).values().map(Vec::len).sum();
	assert_eq!(committed, versions);
	let history = reads(&index, &["history", &tenant.to_string(), "--oldest", "--limit", "1"]);
	assert!(history.to_string().contains("TenantCreated"), "{history}");
	assert_exact(index, &node.url, &data, &raw).await;
}

#[tokio::test]
async fn a_purge_is_out_of_every_query_at_once_and_its_rows_are_removed() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let lockfile = write(dir.path(), "Cargo.lock", &synthetic(200));
	let node = Node::start(&dir.path().join("chain"), &[]);
	let raw = Raw::connect(&node.url).await;
	fabric_json(&node.url, &["publish", &lockfile]);
	let data = dir.path().join("index");
	let index = Indexer::start(&node.url, &data, &[]);
	index.wait_for_final(settled(&raw).await);
	let tenant = tenant().to_string();
	let objects = format!("/v1/tenants/{tenant}/objects");
	assert!(!index.list(&objects).is_empty());

	fabric_json(
		&node.url,
		&["governance", "purge", &tenant, "--slash", "0", "--reason", "test", "--yes"],
	);
	index.wait_for_final(settled(&raw).await);
	let (code, _) = index.ask(&format!("/v1/members/{tenant}"));
	assert_eq!(code, 404);
	let status = index.wait_until(|status| status["purges"] == 0);
	assert_eq!(status["totals"]["records"], 0);
	assert_exact(index, &node.url, &data, &raw).await;
}

#[tokio::test]
async fn the_index_of_another_chain_is_refused() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let data = dir.path().join("index");
	let node = Node::start(&dir.path().join("chain"), &[]);
	Indexer::start(&node.url, &data, &[]).wait_until(|_| true);
	node.stop();
	let other = Node::start_without_sudo(&dir.path().join("other"));
	let output = indexer::run("resync", &other.url, &data, &[]);
	let error = String::from_utf8_lossy(&output.stderr);
	assert!(!output.status.success());
	assert!(error.contains("the index is of the chain with genesis 0x"), "{error}");
	let index = Indexer::start(&other.url, &data, &[]);
	assert_eq!(index.end(), Some(1));
}

#[tokio::test]
async fn a_chain_that_was_begun_anew_is_refused() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let data = dir.path().join("index");
	let lockfile = write(dir.path(), "Cargo.lock", &synthetic(20));
	let port = fixed_port();
	let node = Node::start_on(port, &dir.path().join("chain"), &[]);
	fabric_json(&node.url, &["publish", &lockfile]);
	let raw = Raw::connect(&node.url).await;
	let index = Indexer::start(&node.url, &data, &[]);
	let number = settled(&raw).await;
	index.wait_for_final(number);
	drop(raw);
	node.stop();
	// The index waits for the node, and notices what has changed.
	let node = Node::start_on(port, &dir.path().join("anew"), &[]);
	fabric_json(&node.url, &["publish", &lockfile]);
	let raw = Raw::connect(&node.url).await;
	while settled(&raw).await < number {
		fabric_json(&node.url, &["publish", &lockfile]);
	}
	assert_eq!(index.end(), Some(1));
	let output = indexer::run("verify", &node.url, &data, &[]);
	let error = String::from_utf8_lossy(&output.stderr);
	assert!(error.contains("the chain was begun anew"), "{error}");
}

#[tokio::test]
async fn a_truncated_file_is_refused() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let data = dir.path().join("index");
	let node = Node::start(&dir.path().join("chain"), &[]);
	let index = Indexer::start(&node.url, &data, &[]);
	index.wait_until(|_| true);
	index.stop();
	let path = data.join("index.redb");
	let bytes = std::fs::read(&path).expect("the index has a file");
	for length in [0, 1, 100, 4_096, bytes.len() / 2, bytes.len() - 1] {
		std::fs::write(&path, &bytes[..length]).expect("there is room");
		let output = indexer::command("dump", &data).output().expect("the program starts");
		let error = String::from_utf8_lossy(&output.stderr);
		assert!(!output.status.success(), "{length} of {} bytes are read", bytes.len());
		assert!(error.starts_with("error: ") && error.contains("index.redb"), "{error}");
		assert!(!error.contains("panicked at"), "{error}");
	}
}

#[tokio::test]
async fn a_damaged_file_gives_no_wrong_rows() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let data = dir.path().join("index");
	let lockfile = write(dir.path(), "Cargo.lock", &synthetic(200));
	let node = Node::start(&dir.path().join("chain"), &[]);
	fabric_json(&node.url, &["publish", &lockfile]);
	let raw = Raw::connect(&node.url).await;
	let index = Indexer::start(&node.url, &data, &[]);
	index.wait_for_final(settled(&raw).await);
	index.stop();
	let whole = indexer::dump(&data);
	let path = data.join("index.redb");
	let bytes = std::fs::read(&path).expect("the index has a file");
	let mut refused = 0;
	for part in 0..32 {
		let mut damaged = bytes.clone();
		let start = bytes.len() / 32 * part;
		damaged[start..start + 64].iter_mut().for_each(|byte| *byte ^= 0x5a);
		std::fs::write(&path, damaged).expect("there is room");
		let output = indexer::command("dump", &data).output().expect("the program starts");
		let error = String::from_utf8_lossy(&output.stderr);
		match output.status.code() {
			// Nothing is kept in that part.
			Some(0) => assert_eq!(indexer::dump(&data), whole, "part {part}"),
			Some(1) => assert!(error.contains("index.redb"), "part {part}: {error}"),
			code => panic!("part {part}: {code:?} {error}"),
		}
		refused += usize::from(!output.status.success());
	}
	assert!(refused > 4, "{refused} of 32 damaged files were refused");
}

#[tokio::test]
async fn the_queries_in_the_documentation_are_answered() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let text = synthetic(20);
	let lockfile = write(dir.path(), "Cargo.lock", &text);
	let node = Node::start(&dir.path().join("chain"), &[]);
	let raw = Raw::connect(&node.url).await;
	let index = Indexer::start(&node.url, &dir.path().join("index"), &["--history"]);
	fabric_json(&node.url, &["publish", &lockfile]);
	index.wait_for_final(settled(&raw).await);

	let item = |path: &str, field: &str| {
		index.list(path)[0][field].as_str().expect("the field is text").to_owned()
	};
	let space = ids::space("cargo").to_string();
	let tenant = tenant().to_string();
	let provider = item(&format!("/v1/spaces/{space}/members?role=provider"), "id");
	let node_id = item(&format!("/v1/providers/{provider}/nodes"), "id");
	let object = item(&format!("/v1/tenants/{tenant}/objects"), "id");
	let versions = format!("/v1/tenants/{tenant}/objects/{object}/versions");
	let version = item(&versions, "id");
	let name = item(&format!("/v1/tenants/{tenant}/collections/names/records"), "key");
	let member = index.get(&format!("/v1/members/{tenant}"));
	let account = member["item"]["root"].as_str().expect("it is text").to_owned();
	let known = [
		("{space}", space),
		("{tenant}", tenant),
		("{provider}", provider),
		("{node}", node_id),
		("{object}", object),
		("{version}", version),
		("{name}", name),
		("{account}", account),
	];
	let page = include_str!("../../../docs/indexer.md");
	let queries: Vec<_> = page.lines().filter_map(|line| line.strip_prefix("GET ")).collect();
	assert!(queries.len() > 30);
	for query in queries {
		let path = known.iter().fold(query.to_owned(), |path, (from, to)| path.replace(from, to));
		assert!(!path.contains('{'), "{query}");
		let answer = index.get(&path);
		assert!(answer["at"]["number"].is_u64(), "{path}: {answer}");
	}
	// Each path of the description is in the documentation.
	let described = index.get("/openapi.json");
	for path in described["paths"].as_object().expect("there are paths").keys() {
		let shape = |path: &str| {
			let path = path.split('?').next().unwrap_or_default().to_owned();
			path.split('/').map(str::to_owned).collect::<Vec<_>>()
		};
		let fits = |query: &str| {
			let (query, path) = (shape(query), shape(path));
			query.len() == path.len()
				&& query.iter().zip(&path).all(|(q, p)| q == p || p.starts_with('{'))
		};
		let listed = page.lines().filter_map(|line| line.strip_prefix("GET ")).any(fits);
		let elsewhere = ["/v1/feed", "/health", "/ready", "/metrics", "/openapi.json"];
		assert!(listed || elsewhere.contains(&path.as_str()), "{path} is not documented");
	}
	let (code, answer) = index.ask("/v1/spaces?limit=0");
	assert_eq!((code, &answer["error"]["field"]), (400, &Value::from("limit")));
	assert!(page.contains(answer["error"]["message"].as_str().expect("it is text")), "{answer}");
}

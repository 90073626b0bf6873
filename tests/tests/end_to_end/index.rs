// SPDX-License-Identifier: Apache-2.0
//! The index beside a node: it is exact after kills, finds what was published, encodes calls, and
//! refuses what is not its own.
//!
//! The index is killed three times. The environment variable `KILLS` gives another number; the lock
//! file grows with it. `SEED` repeats the moments of another run.

use std::{fs, time::Duration};

use content_fabric_client::ids;
use content_fabric_identifiers::VersionId;
use content_fabric_primitives::KmsKey;
use content_fabric_tests::{
	client::signer,
	environment::{number, random},
	indexer::{self, assert_exact, settled, Indexed, Indexer},
	manifest::{checksums, names, synthetic, CRATES_IO},
	process::{fabric_event, fabric_json, fixed_port, report, stderr, write, Node},
	published::{tenant, Publish},
	raw::Raw,
	upgrade::calls_by_name::Sender,
};
use rand::Rng;
use serde_json::{json, Value};
use subxt::rpcs::{rpc_params, RpcClient};

/// Packages in the manifest for each kill.
const PACKAGES: u32 = 400;
/// Longest time between two kills, in milliseconds.
const PAUSE: u64 = 1_500;
/// The root of the tenant.
const CHARLIE: &str = "5FLSigC9HGRKVhB9FiEo4Y3koPsNmBmLJbpXg2mp1hXcS59Y";

/// Runs a command of the client that reads an index, without a node.
fn reads(index: &Indexer, arguments: &[&str]) -> Value {
	fabric_json("ws://127.0.0.1:1", &[&["--index", &index.url], arguments].concat())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_that_is_killed_again_and_again_ends_up_equal_to_the_chain() {
	let kills = number("KILLS").unwrap_or(3);
	let mut random = random();
	let (dir, node) = Node::start_anew(&[]);
	let packages = PACKAGES * u32::try_from(kills.max(1)).expect("KILLS is small");
	let manifest = write(dir.path(), "manifest.jsonl", &synthetic(packages));
	let raw = Raw::connect(&node.url).await;
	let data = dir.path().join("index");
	let publish = Publish::start(&node.url, &manifest, &[]).await;
	for _ in 0..kills {
		let index = Indexer::start(&node.url, &data, &[]);
		tokio::time::sleep(Duration::from_millis(random.random_range(0..PAUSE))).await;
		drop(index);
	}
	let index = Indexer::start(&node.url, &data, &[]);
	report(&publish.end(), 0);
	index.wait_for_final(settled(&raw).await);
	assert_exact(index, &node.url, &data, &raw).await;
}

#[tokio::test]
async fn names_hashes_and_history_are_found_without_a_node() {
	let indexed = Indexed::start(&[], &["--history"]).await;
	let text = synthetic(120);
	indexed.publish(&text).await;
	let index = &indexed.index;

	let (tenant, named) = (tenant(), names(&text, CRATES_IO));
	let path = format!("/v1/tenants/{tenant}/collections/names/records?order=key");
	let listed = index.list(&path);
	let keys: Vec<_> = listed.iter().map(|record| record["key"].as_str()).collect();
	assert_eq!(keys, named.keys().map(|key| Some(key.as_str())).collect::<Vec<_>>());
	for key in named.keys().step_by(7) {
		let name = key.replace("~2b", "+");
		let found = reads(index, &["find", &name, "--limit", "1000"]);
		assert!(found.to_string().contains(&format!("\"{key}\"")), "{name}: {found}");
		assert_eq!((&found["final"], found["age"].is_u64()), (&Value::Bool(true), true), "{found}");
	}
	let checksums = checksums(&text, CRATES_IO);
	for (name, versions) in checksums.iter().take(10) {
		let hash = VersionId(versions[0]).to_string();
		let found = reads(index, &["who", &hash]).to_string();
		let object = ids::content_object(tenant, name).to_string();
		assert!(found.contains(&object), "{name}: {found}");
	}
	// Nothing that was deposited since the first block is missing.
	let status = index.get("/v1/status");
	assert_eq!(status["item"]["historySince"], Value::Null);
	let events = index.list("/v1/events");
	let committed = events.iter().filter(|event| event["name"] == "VersionCommitted").count();
	assert_eq!(committed, checksums.values().map(Vec::len).sum::<usize>());
	let history = reads(index, &["history", &tenant.to_string(), "--oldest", "--limit", "1"]);
	assert!(history.to_string().contains("TenantCreated"), "{history}");
	indexed.assert_exact().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_index_has_final_blocks_only_and_says_that_finality_stalls() {
	let never = ["--finalize-after", "3600000", "--consensus", "interval=100"];
	let indexed = Indexed::start(&never, &[]).await;
	let Indexed { index, node, raw, .. } = &indexed;
	index.wait_until(|status| status["bestAhead"].as_u64() > Some(20));
	let status = index.get("/v1/status");
	assert_eq!(status["at"]["number"], 0);
	assert_eq!((&status["item"]["behind"], &status["item"]["gaps"]), (&json!(0), &json!([])));
	let (code, ready) = index.ask_text("/ready");
	assert!(code == 200 && ready.starts_with("ready, but finality stalls: "), "{code} {ready}");

	let (number, best) = raw.best_block().await;
	assert_eq!(index.ask(&format!("/v1/blocks/{best:?}")).0, 404);
	let rpc = RpcClient::from_insecure_url(&node.url).await.expect("the node answers");
	let finalized = rpc.request::<bool>("engine_finalizeBlock", rpc_params![best]).await;
	assert!(finalized.expect("the block exists"));
	index.wait_for_final(number);
	let block = index.get(&format!("/v1/blocks/{best:?}"));
	assert_eq!(
		(&block["at"]["number"], &block["item"]["number"]),
		(&json!(number), &json!(number))
	);
	// Later blocks wait again.
	index.wait_until(|status| status["bestAhead"].as_u64() > Some(0));
	assert_eq!(index.get("/v1/status")["at"]["number"], number);
}

#[tokio::test]
async fn the_index_of_another_chain_is_refused() {
	let (dir, node) = Node::start_anew(&[]);
	let data = dir.path().join("index");
	Indexer::start(&node.url, &data, &[]).wait_until(|_| true);
	node.stop();
	let other = Node::start_without_sudo(&dir.path().join("other"));
	let output = indexer::run("resync", &other.url, &data, &[]);
	let error = stderr(&output);
	assert!(!output.status.success());
	assert!(error.contains("the index is of the chain with genesis 0x"), "{error}");
	let index = Indexer::start(&other.url, &data, &[]);
	assert_eq!(index.end(), Some(1));
}

#[tokio::test]
async fn a_chain_that_was_begun_anew_is_reported_and_refused() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let data = dir.path().join("index");
	let manifest = write(dir.path(), "manifest.jsonl", &synthetic(20));
	let port = fixed_port();
	let node = Node::start_on(port, &dir.path().join("chain"), &[]);
	fabric_json(&node.url, &["publish", &manifest]);
	let more = write(dir.path(), "more.jsonl", &synthetic(60));
	fabric_json(&node.url, &["publish", &more]);
	let raw = Raw::connect(&node.url).await;
	let index = Indexer::start(&node.url, &data, &[]);
	let number = settled(&raw).await;
	index.wait_for_final(number);
	drop(raw);
	node.stop();
	// The index waits for the node, and notices what has changed while the chain is shorter.
	let node = Node::start_on(port, &dir.path().join("anew"), &[]);
	fabric_json(&node.url, &["publish", &manifest]);
	let raw = Raw::connect(&node.url).await;
	let short = settled(&raw).await;
	assert!(short < number, "{short} blocks, and {number} before");
	let status = index.wait_until(|status| status["node"]["begunAnew"] == true);
	let problem = status["problem"].as_str().expect("the problem is text");
	assert!(problem.contains("the chain was begun anew"), "{problem}");
	assert_eq!(index.ask("/ready").0, 503);
	assert_eq!(status["finalized"]["number"], number);
	index.stop();
	let error = stderr(&indexer::run("verify", &node.url, &data, &[]));
	assert!(error.contains("the chain was begun anew"), "{error}");
	assert_eq!(Indexer::start(&node.url, &data, &[]).end(), Some(1));
}

#[tokio::test]
async fn a_file_that_is_cut_off_or_damaged_gives_no_wrong_rows() {
	let indexed = Indexed::start(&[], &[]).await;
	indexed.publish(&synthetic(200)).await;
	let Indexed { index, data, .. } = indexed;
	index.stop();
	let whole = indexer::dump(&data);
	let path = data.join("index.redb");
	let bytes = fs::read(&path).expect("the index has a file");
	let is_read = |changed: &[u8], what: &str| {
		fs::write(&path, changed).expect("there is room");
		let output = indexer::command("dump", &data).output().expect("the program starts");
		let error = stderr(&output);
		match output.status.code() {
			Some(0) => assert_eq!(indexer::dump(&data), whole, "{what}"),
			Some(1) => assert!(error.contains("index.redb"), "{what}: {error}"),
			code => panic!("{what}: {code:?} {error}"),
		}
		output.status.success()
	};
	for length in [0, 1, 100, 4_096, bytes.len() / 2, bytes.len() - 1] {
		let what = format!("{length} of {} bytes", bytes.len());
		assert!(!is_read(&bytes[..length], &what), "{what} are read");
	}
	// Nothing is kept in some of the parts.
	let parts = (0..32).filter(|part| {
		let mut damaged = bytes.clone();
		damaged[bytes.len() / 32 * part..][..64].iter_mut().for_each(|byte| *byte ^= 0x5a);
		is_read(&damaged, &format!("part {part}"))
	});
	assert!(parts.count() < 28, "few of 32 damaged files were refused");
}

/// Replaces the names in braces, such as `{node}`, by the ids of entities that are in the index.
fn known(index: &Indexer) -> impl Fn(&str) -> String {
	let item = |path: &str, field: &str| {
		index.list(path)[0][field].as_str().expect("the field is text").to_owned()
	};
	let (space, tenant) = (ids::space("cargo"), tenant());
	let provider = item(&format!("/v1/spaces/{space}/members?role=provider"), "id");
	let object = item(&format!("/v1/tenants/{tenant}/objects"), "id");
	let member = index.get(&format!("/v1/members/{tenant}"));
	let known = [
		("{node}", item(&format!("/v1/providers/{provider}/nodes"), "id")),
		("{kms}", ids::kms(tenant, "main").to_string()),
		("{version}", item(&format!("/v1/tenants/{tenant}/objects/{object}/versions"), "id")),
		("{name}", item(&format!("/v1/tenants/{tenant}/collections/names/records"), "key")),
		("{account}", member["item"]["root"].as_str().expect("it is text").to_owned()),
		("{space}", space.to_string()),
		("{tenant}", tenant.to_string()),
		("{provider}", provider),
		("{object}", object),
	];
	move |query| {
		let path = known.iter().fold(query.to_owned(), |path, (from, to)| path.replace(from, to));
		assert!(!path.contains('{'), "{query}");
		path
	}
}

#[tokio::test]
async fn the_queries_in_the_documentation_are_answered() {
	let indexed = Indexed::start(&[], &["--history"]).await;
	indexed.publish(&synthetic(20)).await;
	let (owner, key) = (tenant().to_string(), KmsKey([1; 32]).to_string());
	let add = ["kms", "add", &owner, "--name", "main", "--operator", CHARLIE, "--key", &key];
	let signed = ["--locator", "https://kms.example.org", "--signer", "//Charlie", "--yes"];
	fabric_event(&indexed.node.url, &[&add[..], &signed].concat(), "KmsAdded");
	indexed.catches_up().await;
	let index = &indexed.index;
	let filled = known(index);
	let page = include_str!("../../../docs/indexer.md");
	let queries: Vec<_> = page.lines().filter_map(|line| line.strip_prefix("GET ")).collect();
	assert!(queries.len() > 30);
	for query in &queries {
		let path = filled(query);
		let answer = index.get(&path);
		assert!(answer["at"]["number"].is_u64(), "{path}: {answer}");
	}
	// Each path of the description is in the documentation.
	let described = index.get("/openapi.json");
	for path in described["paths"].as_object().expect("there are paths").keys() {
		let parts: Vec<_> = path.split('/').collect();
		let fits = |query: &&str| {
			let query: Vec<_> = query.split('?').next().unwrap_or_default().split('/').collect();
			query.len() == parts.len()
				&& query.iter().zip(&parts).all(|(q, p)| q == p || p.starts_with('{'))
		};
		let elsewhere = ["/v1/feed", "/health", "/ready", "/metrics", "/openapi.json"];
		let listed = queries.iter().any(fits) || elsewhere.contains(&path.as_str());
		assert!(listed, "{path} is not documented");
	}
	let (code, answer) = index.ask("/v1/spaces?limit=0");
	assert_eq!((code, &answer["error"]["field"]), (400, &Value::from("limit")));
	assert!(page.contains(answer["error"]["message"].as_str().expect("it is text")), "{answer}");
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_the_index_encodes_are_executed() {
	let indexed = Indexed::start(&[], &[]).await;
	indexed.publish(&synthetic(20)).await;
	let (index, node) = (&indexed.index, &indexed.node);
	let filled = known(index);
	let encoded = |query: &str| {
		let answer = index.get(&format!("/v1/calls/{}", filled(query)));
		let name = query.split('?').next().unwrap_or_default().replace("_record", "_records");
		assert_eq!(answer["item"]["name"], format!("ContentFabric.{name}"));
		let hex = answer["item"]["call"].as_str().and_then(|call| call.strip_prefix("0x"));
		hex::decode(hex.expect("calls are marked")).expect("it is hex")
	};

	let owner = Sender::connect(&node.url, signer("//Charlie")).await;
	for query in [
		"purge_member?member={tenant}",
		"delete_member?member={provider}",
		"reap?member={tenant}&limit=70000",
		"confirm_node?provider={provider}&node={node}",
		"remove_node?provider={provider}&node={node}",
		"set_head_version?tenant={tenant}&object={object}&version={version}",
		"delete_version?tenant={tenant}&object={object}&version={version}",
		"delete_content_object?tenant={tenant}&object={object}",
		"delete_collection?tenant={tenant}&collection=names",
		"set_governance_delete?member={provider}&enabled=false",
		"governance_delete?member={tenant}&slash=340282366920938463463374607431768211455",
	] {
		owner.decode(&encoded(query)).await;
	}

	let delete = encoded("delete_record?tenant={tenant}&collection=names&key={name}");
	owner.send(&[owner.decode(&delete).await]).await;
	let governor = Sender::connect(&node.url, signer("//Alice")).await;
	let suspend = encoded("set_suspended?member={tenant}&enabled=true&reason=late+%26+l%C3%A4ngst");
	governor.send(&[governor.decode(&suspend).await]).await;
	indexed.catches_up().await;
	let record = filled("/v1/tenants/{tenant}/collections/names/records/{name}");
	assert_eq!(index.ask(&record).0, 404);
	assert_eq!(index.get(&filled("/v1/members/{tenant}"))["item"]["suspended"], true);
	let events = index.list(&filled("/v1/governance?member={tenant}"));
	assert_eq!(events[0]["fields"]["reason"], "late & l\u{e4}ngst", "{}", events[0]);
}

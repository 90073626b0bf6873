// SPDX-License-Identifier: Apache-2.0
//! Audits of content nodes, with servers that answer, lie and stop.

use std::{
	collections::BTreeSet,
	net::SocketAddr,
	sync::{
		atomic::{AtomicBool, AtomicUsize, Ordering},
		Arc,
	},
	time::{Duration, Instant},
};

use content_fabric_client::samples::encoding::encoded;
use content_fabric_identifiers::{
	ContentObjectId, HashKind, Medallion, NodeId, VersionHasher, VersionId,
};
use content_fabric_indexer::{
	audit::{keep_auditing, Auditing, Audits},
	index::view::Chance,
};
use serde_json::{json, Value as Json};
use tokio::{
	net::{TcpListener, TcpStream},
	task::JoinHandle,
};

use crate::{
	http::{receive, send, PATIENCE},
	server::Server,
	world::{copy, time, NODE, OBJECT, OTHER_TENANT, PROVIDER, TENANT},
};

const QUICK: Auditing = Auditing {
	interval: Duration::from_millis(50),
	gap: Duration::from_millis(1),
	time: Duration::from_secs(1),
	max_age: Duration::from_secs(3_600),
	private: true,
};

/// A version of ten groups and some bytes, by its hash of either kind.
fn data() -> Vec<u8> {
	(0..=250).cycle().take(10 * 16_384 + 5).collect()
}

fn version(hash: HashKind) -> VersionId {
	VersionHasher::hash(hash, &data())
}

fn medallion(number: u64) -> Medallion {
	Medallion::new(number).expect("it has 44 bits")
}

/// A server of content nodes, each under a path of its own.
struct Nodes {
	address: SocketAddr,
	connections: Arc<AtomicUsize>,
	/// True while the node `healing` has its bytes.
	is_healed: Arc<AtomicBool>,
	task: JoinHandle<()>,
}

impl Nodes {
	async fn start() -> Self {
		let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
		let address = listener.local_addr().expect("it is bound");
		let connections = Arc::new(AtomicUsize::new(0));
		let is_healed = Arc::new(AtomicBool::new(false));
		let (counted, healed) = (connections.clone(), is_healed.clone());
		let task = tokio::spawn(async move {
			loop {
				let (stream, _) = listener.accept().await.expect("it listens");
				counted.fetch_add(1, Ordering::Relaxed);
				tokio::spawn(answer(stream, healed.clone()));
			}
		});
		Self { address, connections, is_healed, task }
	}

	fn locator(&self, path: &str) -> String {
		match path {
			"nothing" => "/ip4/127.0.0.1/tcp/30333".into(),
			// Nobody listens there.
			"closed" => "http://127.0.0.1:1".into(),
			path => format!("http://{}/{path}", self.address),
		}
	}
}

/// Returns the node under a path: its name.
fn node(path: &str) -> NodeId {
	let mut id = [b'-'; 10];
	id[..path.len()].copy_from_slice(path.as_bytes());
	NodeId(id)
}

fn with_length(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
	let head = format!("HTTP/1.1 {status}\r\n{headers}Content-Length: {}\r\n\r\n", body.len());
	[head.as_bytes(), body].concat()
}

/// Answers a request for the status of a node. `None` to answer nothing more.
async fn status(stream: &TcpStream, path: &str) -> Option<Vec<u8>> {
	let ok = |node: NodeId| {
		let body = json!({ "provider": PROVIDER, "node": node, "versions": 3 }).to_string();
		Some(with_length("200 OK", "", body.as_bytes()))
	};
	match path {
		"other" => ok(NodeId([77; 10])),
		"full" => Some(with_length("503 Busy", "", b"")),
		"redirected" => Some(with_length("302 Found", "Location: /right/v1/status\r\n", b"")),
		"page" => Some(with_length("200 OK", "", b"<html>")),
		"cutstatus" => Some(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{".into()),
		"long" => {
			send(stream, b"HTTP/1.1 200 OK\r\n\r\n").await;
			while send(stream, &[b' '; 4_096]).await {}
			None
		},
		"silent" => {
			tokio::time::sleep(PATIENCE).await;
			None
		},
		path => ok(node(path)),
	}
}

/// Answers a request for bytes. `None` to answer nothing more.
async fn bytes(stream: &TcpStream, path: &str, target: &str, is_healed: bool) -> Option<Vec<u8>> {
	let data = data();
	let bound = |name: &str| {
		let (_, rest) = target.split_once(&format!("{name}="))?;
		rest.split('&').next()?.parse::<usize>().ok()
	};
	let whole = !target.contains("/verified");
	let (first, last) = (bound("first").unwrap_or(0), bound("last").unwrap_or(data.len() - 1));
	assert!(whole || last < first + 4 * 16_384, "more is asked for than an audit may: {target}");
	let right = if whole { data.clone() } else { encoded(&data, first, last) };
	let mut flipped = right.clone();
	*flipped.last_mut().expect("it is not empty") ^= 1;
	let endless = async |body: &[u8]| {
		send(stream, b"HTTP/1.1 200 OK\r\n\r\n").await;
		send(stream, body).await;
		while send(stream, &[0; 4_096]).await {}
	};
	Some(match path {
		"flipped" | "shaflipped" => with_length("200 OK", "", &flipped),
		"healing" if !is_healed => with_length("404 Not Found", "", b""),
		"lost" => with_length("404 Not Found", "", b""),
		"short" | "shashort" => with_length("200 OK", "", &right[..right.len() - 1]),
		"cut" | "shacut" => {
			let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", right.len());
			[head.as_bytes(), &right[..10]].concat()
		},
		"plain" => with_length("200 OK", "", &data[first..=last]),
		"encoded" => {
			let head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08";
			[&head[..], &[0; 100_000][..]].concat()
		},
		"stalling" => {
			tokio::time::sleep(PATIENCE).await;
			return None;
		},
		"partly" if !whole => {
			tokio::time::sleep(PATIENCE).await;
			return None;
		},
		"moved" => with_length("302 Found", &format!("Location: /right{target}\r\n"), b""),
		"head" => with_length("200 OK", &format!("X: {}\r\n", "x".repeat(20_000)), &right),
		"endless" => {
			endless(&flipped).await;
			return None;
		},
		"more" => {
			endless(&right).await;
			return None;
		},
		"shamore" => {
			endless(&right).await;
			return None;
		},
		"slow" => {
			let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", right.len());
			send(stream, head.as_bytes()).await;
			for byte in &right {
				send(stream, &[*byte]).await;
				tokio::time::sleep(Duration::from_millis(100)).await;
			}
			return None;
		},
		_ => with_length("200 OK", "", &right),
	})
}

/// Answers a request, by the first part of its path.
async fn answer(stream: TcpStream, is_healed: Arc<AtomicBool>) {
	let mut head = Vec::new();
	while !head.ends_with(b"\r\n\r\n") && receive(&stream, &mut head).await {}
	let head = String::from_utf8_lossy(&head).into_owned();
	let target = head.split(' ').nth(1).unwrap_or_default();
	let (path, target) = target.trim_start_matches('/').split_once('/').unwrap_or_default();
	let answer = match target {
		"v1/status" => status(&stream, path).await,
		_ => bytes(&stream, path, target, is_healed.load(Ordering::Relaxed)).await,
	};
	if let Some(answer) = answer {
		send(&stream, &answer).await;
	}
}

/// Returns the audits of a node once they are as expected.
async fn audited(server: &Server, node: NodeId, is_expected: impl Fn(&Json) -> bool) -> Json {
	let target = format!("/v1/providers/{PROVIDER}/nodes/{node}");
	let begin = Instant::now();
	loop {
		let audit = server.item(&target).await["audit"].take();
		if is_expected(&audit) {
			return audit;
		}
		assert!(begin.elapsed() < PATIENCE, "{node}: {audit}");
		tokio::time::sleep(Duration::from_millis(20)).await;
	}
}

/// Waits until a list is as expected.
async fn listed(server: &Server, target: &str, is_expected: impl Fn(&[Json]) -> bool) -> Vec<Json> {
	let begin = Instant::now();
	loop {
		let items = server.items(target).await;
		if is_expected(&items) {
			return items;
		}
		assert!(begin.elapsed() < PATIENCE, "{items:?}");
		tokio::time::sleep(Duration::from_millis(20)).await;
	}
}

fn audit(server: &Server, auditing: Auditing) -> JoinHandle<()> {
	let (index, status) = (server.index.clone(), server.status.subscribe());
	tokio::spawn(keep_auditing(index, status, auditing, server.audits.clone()))
}

/// Creates a node for each path. They all hold the data, by their rows. Paths with `sha` hold it by
/// its SHA-256 hash.
fn create(server: &mut Server, nodes: &Nodes, paths: &[&str]) {
	for hash in HashKind::ALL {
		let mut copies = Vec::new();
		for (number, path) in (100..).zip(paths) {
			if path.starts_with("sha") == (hash == HashKind::Sha256) {
				let medallion = number;
				server.world.create_node(node(path), medallion, &nodes.locator(path), false);
				copies.push(copy(node(path), medallion, Some(time(5))));
			}
		}
		if !copies.is_empty() {
			let size = data().len() as u64;
			server.world.hold(TENANT, OBJECT, version(hash), (hash, size), copies);
		}
	}
	server.seal();
}

#[tokio::test]
async fn a_node_that_sends_its_bytes_and_then_stops_is_seen_to() {
	let mut server = Server::full().await;
	let nodes = Nodes::start().await;
	create(&mut server, &nodes, &["right"]);
	let task = audit(&server, QUICK);
	let right = audited(&server, node("right"), |audit| audit["right"].as_u64() >= Some(2)).await;
	let last = &right["last"];
	assert_eq!((&last["result"], &last["status"]), (&json!("right"), &Json::Null));
	assert_eq!(last["version"], version(HashKind::Blake3).to_string());

	nodes.task.abort();
	let stopped =
		audited(&server, node("right"), |audit| audit["refused"].as_u64() >= Some(3)).await;
	assert_eq!((&stopped["isFailing"], &stopped["last"]["version"]), (&json!(true), &Json::Null));
	assert!(stopped["last"]["at"].as_u64() >= last["at"].as_u64(), "{stopped}");
	assert!(stopped["share"].as_f64().is_some_and(|share| 0.0 < share && share < 1.0), "{stopped}");
	let of_days = |field: &str| -> u64 {
		let days = stopped["days"].as_array().expect("it is a list");
		days.iter().map(|day| day[field].as_u64().expect("it is a number")).sum()
	};
	for field in ["right", "wrong", "late", "refused"] {
		assert_eq!(Some(of_days(field)), stopped[field].as_u64(), "{field}");
	}
	let day = stopped["days"][0]["day"].as_u64().expect("it is a time");
	assert!(day % 86_400_000 == 0 && Some(day) <= last["at"].as_u64(), "{day}");

	let target = format!("/v1/copies?state=failing&node={}", node("right"));
	let failing = server.items(&target).await;
	assert_eq!((failing.len(), &failing[0]["node"]), (1, &json!(node("right").to_string())));
	assert_eq!(failing[0]["audit"]["result"], "refused");
	// It has moved.
	let moved = Nodes::start().await;
	server.world.set_locator(node("right"), &moved.locator("right"));
	server.seal();
	audited(&server, node("right"), |audit| audit["isFailing"] == false).await;
	assert!(server.items(&target).await.is_empty());
	moved.task.abort();
	audited(&server, node("right"), |audit| audit["isFailing"] == true).await;
	task.abort();
	let metrics = String::from_utf8(server.get("/metrics").await.body).expect("it is text");
	for line in [
		// The other one has no server.
		"fabric_indexer_failing_nodes 2",
		"fabric_indexer_audits_total{result=\"wrong\"} 0",
	] {
		assert!(metrics.lines().any(|found| found == line), "no {line} in {metrics}");
	}
	let total = |result: &str| {
		let start = format!("fabric_indexer_audits_total{{result=\"{result}\"}} ");
		let line = metrics.lines().find_map(|line| line.strip_prefix(&start));
		line.and_then(|number| number.parse::<u64>().ok())
	};
	assert!(total("right") >= Some(2) && total("refused") >= Some(3), "{metrics}");
	let listed = server.items("/v1/nodes").await;
	assert_eq!(listed, server.items(&format!("/v1/providers/{PROVIDER}/nodes")).await);
}

#[tokio::test]
async fn each_result_is_distinguished() {
	let mut server = Server::full().await;
	let nodes = Nodes::start().await;
	// The path, the result, the status, and whether the node was asked for bytes.
	let expected = [
		("right", "right", None, true),
		("more", "right", None, true),
		("flipped", "wrong", None, true),
		("short", "wrong", None, true),
		("endless", "wrong", None, true),
		("plain", "wrong", None, true),
		("encoded", "wrong", None, true),
		("cut", "late", None, true),
		("slow", "late", None, true),
		("lost", "refused", Some(404), true),
		("moved", "refused", Some(302), true),
		("head", "refused", None, true),
		("sharight", "right", None, true),
		("shaflipped", "wrong", None, true),
		("shashort", "wrong", None, true),
		("shamore", "wrong", None, true),
		("shacut", "late", None, true),
		("other", "wrong", None, false),
		("page", "wrong", None, false),
		("long", "wrong", None, false),
		("cutstatus", "late", None, false),
		("silent", "late", None, false),
		("full", "refused", Some(503), false),
		("redirected", "refused", Some(302), false),
		("nothing", "refused", None, false),
		("closed", "refused", None, false),
	];
	let paths = expected.map(|(path, ..)| path);
	create(&mut server, &nodes, &paths);
	let pending = NodeId([99; 10]);
	server.world.create_node(pending, 99, &nodes.locator("right"), true);
	server.seal();
	let task = audit(&server, QUICK);
	for (path, result, status, has_version) in expected {
		let hash = if path.starts_with("sha") { HashKind::Sha256 } else { HashKind::Blake3 };
		let version = has_version.then(|| version(hash).to_string());
		let expected = json!({ "result": result, "status": status, "version": version });
		audited(&server, node(path), |audit| {
			let last = &audit["last"];
			let last = json!({
				"result": last["result"], "status": last["status"], "version": last["version"],
			});
			last == expected
		})
		.await;
	}
	// Late answers are no evidence against a copy.
	let mut failing: Vec<_> = expected
		.iter()
		.filter(|(_, result, ..)| matches!(*result, "wrong" | "refused"))
		.map(|(path, ..)| node(path).to_string())
		.collect();
	failing.sort();
	listed(&server, "/v1/copies?state=failing&limit=100", |items| {
		let found = items.iter().filter_map(|item| item["node"].as_str());
		// The node of the world has no server.
		let mut found: Vec<_> = found.filter(|id| *id != NODE.to_string()).collect();
		found.sort_unstable();
		found == failing
	})
	.await;
	task.abort();
	assert_eq!(audited(&server, pending, Json::is_null).await, Json::Null);
}

#[tokio::test]
async fn a_node_that_is_always_late_fails() {
	let mut server = Server::full().await;
	let nodes = Nodes::start().await;
	create(&mut server, &nodes, &["stalling", "right"]);
	// A node that stalls only when it is asked for one of its two versions.
	server.world.create_node(node("partly"), 200, &nodes.locator("partly"), false);
	for hash in HashKind::ALL {
		let copies = vec![copy(node("partly"), 200, Some(time(6)))];
		let size = data().len() as u64;
		server.world.hold(OTHER_TENANT, OBJECT, version(hash), (hash, size), copies);
	}
	server.seal();
	let task = audit(&server, Auditing { time: Duration::from_millis(300), ..QUICK });
	let failing = |path: &str| format!("/v1/copies?state=failing&node={}", node(path));
	let stalling = audited(&server, node("stalling"), |audit| audit["isFailing"] == true).await;
	assert!(stalling["late"].as_u64() >= Some(10), "{stalling}");
	let copies = server.items(&failing("stalling")).await;
	assert_eq!((copies.len(), &copies[0]["audit"]["result"]), (1, &json!("late")));
	let copies = listed(&server, &failing("partly"), |items| !items.is_empty()).await;
	assert_eq!((copies.len(), &copies[0]["audit"]["result"]), (1, &json!("late")));
	assert_eq!(copies[0]["version"], version(HashKind::Blake3).to_string());
	let partly = audited(&server, node("partly"), |audit| audit["right"].as_u64() > Some(0)).await;
	assert_eq!((&partly["failingCopies"], &partly["isFailing"]), (&json!(1), &json!(false)));
	task.abort();
	assert!(server.items(&failing("right")).await.is_empty());
}

#[tokio::test]
async fn nodes_are_not_audited_by_old_rows() {
	let mut server = Server::full().await;
	let nodes = Nodes::start().await;
	create(&mut server, &nodes, &["right"]);
	let task = audit(&server, QUICK);
	audited(&server, node("right"), |audit| audit["right"].as_u64() >= Some(2)).await;
	let paused = async || server.item("/v1/status").await["auditsPaused"].take();
	let metric = async |value: &str| {
		let metrics = String::from_utf8(server.get("/metrics").await.body).expect("it is text");
		metrics.lines().any(|line| line == format!("fabric_indexer_audits_paused {value}"))
	};
	assert_eq!(paused().await, Json::Null);
	assert!(metric("0").await);

	// The node of the index hangs.
	let hung = time(5);
	server.status.send_modify(|progress| progress.followed_at = Some(hung));
	let begin = Instant::now();
	while paused().await.is_null() {
		assert!(begin.elapsed() < PATIENCE);
		tokio::time::sleep(Duration::from_millis(20)).await;
	}
	let reason = paused().await;
	let reason = reason.as_str().expect("it is text");
	assert!(reason.starts_with("the final state, block 6, is "), "{reason}");
	assert!(reason.contains("must not be older than 60 minutes: the node hangs"), "{reason}");
	assert!(metric("1").await);
	// Audits that had begun have ended.
	tokio::time::sleep(QUICK.time).await;
	let before = audited(&server, node("right"), |_| true).await;
	tokio::time::sleep(10 * QUICK.interval).await;
	assert_eq!(audited(&server, node("right"), |_| true).await, before);

	// It answers again.
	server.publish();
	audited(&server, node("right"), |audit| audit["right"].as_u64() > before["right"].as_u64())
		.await;
	assert_eq!(paused().await, Json::Null);
	assert!(metric("0").await);
	task.abort();
}

#[tokio::test]
async fn blocks_of_a_live_chain_must_be_recent() {
	let server = Server::live().await;
	let task = audit(&server, QUICK);
	let begin = Instant::now();
	let reason = loop {
		if let Some(reason) = server.audits.paused() {
			break reason;
		}
		assert!(begin.elapsed() < PATIENCE);
		tokio::time::sleep(Duration::from_millis(20)).await;
	};
	assert!(reason.contains(" days old"), "{reason}");
	task.abort();
	assert_eq!(audited(&server, NODE, |_| true).await, Json::Null);
}

#[tokio::test]
async fn no_node_is_asked_in_the_network_of_the_index() {
	let mut server = Server::full().await;
	let nodes = Nodes::start().await;
	let port = nodes.address.port();
	let locators = [
		nodes.locator("right"),
		format!("http://localhost:{port}/right"),
		format!("http://2130706433:{port}/right"),
		format!("http://[::ffff:127.0.0.1]:{port}/right"),
		format!("http://[::ffff:7f00:1]:{port}/right"),
		format!("http://0:{port}/right"),
		format!("/ip4/127.0.0.1/tcp/{port}/http"),
	];
	for (number, locator) in (100..).zip(&locators) {
		server.world.create_node(NodeId([number; 10]), number.into(), locator, false);
	}
	server.seal();
	let task = audit(&server, Auditing { private: false, ..QUICK });
	for (number, locator) in (100..).zip(&locators) {
		let found = audited(&server, NodeId([number; 10]), |audit| !audit.is_null()).await;
		assert_eq!(found["last"]["result"], "refused", "{locator}");
	}
	task.abort();
	assert_eq!(nodes.connections.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn nodes_that_are_gone_are_forgotten() {
	let mut server = Server::full().await;
	let task = audit(&server, QUICK);
	audited(&server, NODE, |audit| audit["last"]["result"] == "refused").await;
	let medallion = medallion(1 << 43);
	assert!(server.audits.of(medallion).is_some());
	server.world.delete_member(PROVIDER.into());
	server.seal();
	let begin = Instant::now();
	while server.audits.of(medallion).is_some() {
		assert!(begin.elapsed() < PATIENCE);
		tokio::time::sleep(Duration::from_millis(20)).await;
	}
	assert!(server.items("/v1/nodes").await.is_empty());
	assert!(server.items("/v1/copies?state=failing").await.is_empty());
	task.abort();
}

#[tokio::test]
async fn a_lost_copy_is_listed_until_it_is_healed_and_results_outlive_the_index() {
	let mut server = Server::full().await;
	let nodes = Nodes::start().await;
	create(&mut server, &nodes, &["healing", "right"]);
	let folder = tempfile::tempdir().expect("there is room");
	let audits = Audits::open(folder.path()).expect("it is empty");
	server.serve_audits(audits.clone()).await;
	let task = audit(&server, QUICK);
	let target = format!("/v1/copies?state=failing&tenant={TENANT}&node={}", node("healing"));
	let lost = listed(&server, &target, |items| !items.is_empty()).await;
	let found = &lost[0];
	assert_eq!((lost.len(), &found["state"]), (1, &json!("held")));
	assert_eq!(found["version"], version(HashKind::Blake3).to_string());
	assert_eq!((&found["heldAt"], &found["audit"]["result"]), (&json!(time(5)), &json!("refused")));
	let before = audited(&server, node("healing"), |audit| audit["failingCopies"] == 1).await;
	assert_eq!(before["isFailing"], false, "the node answers");
	for other in ["node=inod", "provider=x", "tenant="] {
		assert_eq!(server.get(&format!("/v1/copies?state=failing&{other}")).await.status, 400);
	}
	nodes.is_healed.store(true, Ordering::Relaxed);
	listed(&server, &target, <[Json]>::is_empty).await;
	task.abort();
	let _ = task.await;
	audits.save().expect("there is room");
	let after = audited(&server, node("healing"), |_| true).await;
	let again = Audits::open(folder.path()).expect("it is whole");
	server.serve_audits(again).await;
	assert_eq!(audited(&server, node("healing"), |_| true).await, after);
}

#[tokio::test]
async fn copies_that_nodes_were_asked_for_are_missing_after_an_hour() {
	let mut server = Server::full().await;
	// A node without the copy that it was asked for, and two that are gone.
	let waiting = node("waiting");
	server.world.create_node(waiting, 50, "/ip4/127.0.0.1", false);
	let copies = vec![
		copy(NODE, 1 << 43, Some(time(6))),
		copy(waiting, 50, None),
		copy(node("removed"), 40, Some(time(6))),
	];
	let id = VersionId([33; 32]);
	server.world.hold(TENANT, OBJECT, id, (HashKind::Blake3, 5), copies);
	server.seal();
	let target = format!("/v1/copies?state=missing&tenant={TENANT}");
	let nodes_of = |items: &[Json]| -> Vec<(String, String)> {
		let pair = |item: &Json| {
			let field = |name: &str| item[name].as_str().unwrap_or_default().to_owned();
			(field("node"), field("state"))
		};
		items.iter().filter(|item| item["version"] == id.to_string()).map(pair).collect()
	};
	let gone = [(node("removed").to_string(), "gone".to_owned())];
	let late = [(waiting.to_string(), "asked".to_owned())];
	let both = [gone.clone(), late.clone()].concat();
	assert_eq!(nodes_of(&server.items(&target).await), gone);
	// An hour later: 600 blocks.
	for _ in 0..599 {
		server.seal();
	}
	assert_eq!(nodes_of(&server.items(&target).await), gone);
	server.seal();
	let missing = server.items(&target).await;
	assert_eq!(nodes_of(&missing), both);
	let item =
		missing.iter().find(|item| item["node"] == waiting.to_string()).expect("it is there");
	assert_eq!((&item["askedAt"], &item["audit"]), (&json!(time(6)), &Json::Null));
	for (filter, expected) in [
		(format!("node={waiting}"), &late[..]),
		(format!("provider={PROVIDER}"), &both),
		(format!("node={waiting}&provider={PROVIDER}&tenant={TENANT}"), &late),
		(format!("node={NODE}"), &[]),
		(format!("tenant={}", OTHER_TENANT), &[]),
	] {
		let items = server.items(&format!("/v1/copies?state=missing&{filter}")).await;
		assert_eq!(nodes_of(&items), expected, "{filter}");
	}
	// Another node is asked: the hour begins again. The removed node is still gone.
	server.world.ask_copy(TENANT, OBJECT, id, copy(node("third"), 60, None));
	server.world.create_node(node("third"), 60, "/ip4/127.0.0.1", false);
	server.seal();
	assert_eq!(nodes_of(&server.items(&target).await), gone);
}

#[tokio::test]
async fn chance_reaches_every_copy_and_passes_over_those_that_cannot_be_audited() {
	let mut server = Server::full().await;
	// Between two that can be audited: large and unknown SHA-256 versions, and a copy not held.
	let mut expected = BTreeSet::new();
	for number in 0..100_u8 {
		let id = VersionId([number + 50; 32]);
		let (hash, size, held) = match number % 4 {
			0 => (HashKind::Sha256, (1 << 20) + 1, Some(1)),
			1 => (HashKind::Blake3, 1 << 30, None),
			2 => (HashKind::Sha256, 0, Some(1)),
			_ => (HashKind::Blake3, 1 << 30, Some(1)),
		};
		if number % 4 == 3 {
			expected.insert(id);
		}
		let object = ContentObjectId([number; 10]);
		server.world.create_object(TENANT, object);
		server.world.hold(TENANT, object, id, (hash, size), vec![copy(NODE, 7_000, held)]);
	}
	server.seal();
	let view = server.index.view().expect("it is readable");
	let mut found = BTreeSet::new();
	for first in (0..=255).step_by(5) {
		for place in 0..32 {
			let chance = Chance { version: [first; 32], place, bytes: place };
			let sample = view.sample(medallion(7_000), None, chance).expect("it is readable");
			found.insert(sample.expect("some can be audited").version());
		}
	}
	assert_eq!(found, expected);
	let id = VersionId([53; 32]);
	let sample = |medallion: u64, version| {
		let medallion = Medallion::new(medallion).expect("it has 44 bits");
		let sample = view.sample(medallion, version, Chance::default());
		sample.expect("it is readable").map(|sample| sample.version())
	};
	assert_eq!(sample(7_000, Some(id)), Some(id));
	assert_eq!(sample(7_000, Some(VersionId([50; 32]))), None);
	assert_eq!(sample(7_000, Some(VersionId([51; 32]))), None);
	assert_eq!(sample(7_001, None), None);
}

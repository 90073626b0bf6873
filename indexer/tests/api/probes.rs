// SPDX-License-Identifier: Apache-2.0
//! Probes of content nodes, with servers that answer, lie and stop.

use std::{
	net::SocketAddr,
	sync::{
		atomic::{AtomicUsize, Ordering},
		Arc,
	},
	time::{Duration, Instant},
};

use content_fabric_identifiers::{Medallion, NodeId};
use content_fabric_indexer::probe::{keep_probing, Probing};
use serde_json::{json, Value as Json};
use tokio::{
	net::{TcpListener, TcpStream},
	task::JoinHandle,
};

use crate::{
	http::{receive, send, PATIENCE},
	server::Server,
	world::{NODE, PROVIDER},
};

const QUICK: Probing = Probing {
	interval: Duration::from_millis(50),
	gap: Duration::from_millis(1),
	time: Duration::from_millis(500),
	private: true,
};

/// A server of content nodes, each under a path of its own.
struct Nodes {
	address: SocketAddr,
	connections: Arc<AtomicUsize>,
	task: JoinHandle<()>,
}

impl Nodes {
	async fn start() -> Self {
		let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
		let address = listener.local_addr().expect("it is bound");
		let connections = Arc::new(AtomicUsize::new(0));
		let counted = connections.clone();
		let task = tokio::spawn(async move {
			loop {
				let (stream, _) = listener.accept().await.expect("it listens");
				counted.fetch_add(1, Ordering::Relaxed);
				tokio::spawn(answer(stream));
			}
		});
		Self { address, connections, task }
	}

	fn locator(&self, path: &str) -> String {
		format!("http://{}/{path}", self.address)
	}
}

/// Answers a request, by the first part of its path.
async fn answer(stream: TcpStream) {
	let mut head = Vec::new();
	while !head.ends_with(b"\r\n\r\n") && receive(&stream, &mut head).await {}
	let head = String::from_utf8_lossy(&head).into_owned();
	let path = head.split(' ').nth(1).unwrap_or_default();
	let ok = |node: NodeId| {
		let body = json!({ "provider": PROVIDER, "node": node, "versions": 3 }).to_string();
		format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len())
	};
	let answer = match path {
		"/good/v1/status" => ok(NODE),
		"/other/v1/status" => ok(NodeId([77; 10])),
		"/full/v1/status" => "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n".into(),
		"/moved/v1/status" => {
			"HTTP/1.1 302 Found\r\nLocation: /good/v1/status\r\nContent-Length: 0\r\n\r\n".into()
		},
		"/page/v1/status" => "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>".into(),
		"/long/v1/status" => {
			send(&stream, b"HTTP/1.1 200 OK\r\n\r\n").await;
			while send(&stream, &[b' '; 4_096]).await {}
			return;
		},
		"/silent/v1/status" => {
			tokio::time::sleep(PATIENCE).await;
			return;
		},
		path => panic!("nobody asks for {path}"),
	};
	send(&stream, answer.as_bytes()).await;
}

/// Returns the probe of a node once it is as expected.
async fn probed(server: &Server, node: NodeId, is_expected: impl Fn(&Json) -> bool) -> Json {
	let target = format!("/v1/providers/{PROVIDER}/nodes/{node}");
	let begin = Instant::now();
	loop {
		let probe = server.item(&target).await["probe"].take();
		if is_expected(&probe) {
			return probe;
		}
		assert!(begin.elapsed() < PATIENCE, "{probe}");
		tokio::time::sleep(Duration::from_millis(20)).await;
	}
}

fn probe(server: &Server, probing: Probing) -> JoinHandle<()> {
	tokio::spawn(keep_probing(server.index.clone(), probing, server.probes.clone()))
}

#[tokio::test]
async fn a_node_that_answers_and_then_stops_is_seen_to() {
	let mut server = Server::full().await;
	let nodes = Nodes::start().await;
	server.world.set_locator(NODE, &nodes.locator("good"));
	server.seal();
	let task = probe(&server, QUICK);
	let good = probed(&server, NODE, |probe| probe["good"].as_u64() >= Some(2)).await;
	assert_eq!((&good["answer"], &good["status"]), (&json!("good"), &json!(200)));
	assert_eq!((&good["asked"], &good["share"]), (&good["good"], &json!(1.0)));

	nodes.task.abort();
	let none = probed(&server, NODE, |probe| probe["answer"] == "none").await;
	assert_eq!(none["status"], Json::Null);
	assert!(none["at"].as_u64() >= good["at"].as_u64(), "{none}");
	assert!(none["asked"].as_u64() > none["good"].as_u64(), "{none}");
	assert!(none["good"].as_u64() >= good["good"].as_u64(), "{none}");
	assert!(none["share"].as_f64().is_some_and(|share| 0.0 < share && share < 1.0), "{none}");
	task.abort();
	let listed = server.items("/v1/nodes").await;
	assert_eq!(listed[0]["id"], NODE.to_string());
	assert_eq!(listed, server.items(&format!("/v1/providers/{PROVIDER}/nodes")).await);
	assert_eq!(listed[0]["probe"]["answer"], "none");
}

#[tokio::test]
async fn each_kind_of_answer_is_distinguished() {
	let mut server = Server::full().await;
	let nodes = Nodes::start().await;
	let expected = [
		("full", json!({ "answer": "status", "status": 503 })),
		("moved", json!({ "answer": "status", "status": 302 })),
		("other", json!({ "answer": "other", "status": 200 })),
		("page", json!({ "answer": "other", "status": 200 })),
		("long", json!({ "answer": "other", "status": 200 })),
		("silent", json!({ "answer": "none", "status": null })),
		("", json!({ "answer": "locator", "status": null })),
	];
	for (number, (path, _)) in (100..).zip(&expected) {
		let locator = match *path {
			"" => "/ip4/127.0.0.1/tcp/30333".to_owned(),
			path => nodes.locator(path),
		};
		server.world.create_node(NodeId([number; 10]), number.into(), &locator, false);
	}
	let pending = NodeId([99; 10]);
	server.world.create_node(pending, 99, &nodes.locator("good"), true);
	server.seal();
	let task = probe(&server, QUICK);
	for (number, (path, expected)) in (100..).zip(&expected) {
		let found = probed(&server, NodeId([number; 10]), |probe| !probe.is_null()).await;
		let found = json!({ "answer": found["answer"], "status": found["status"] });
		assert_eq!(&found, expected, "{path}");
	}
	task.abort();
	assert_eq!(probed(&server, pending, Json::is_null).await, Json::Null);
}

#[tokio::test]
async fn no_node_is_asked_in_the_network_of_the_index() {
	let mut server = Server::full().await;
	let nodes = Nodes::start().await;
	let port = nodes.address.port();
	let locators = [
		nodes.locator("good"),
		format!("http://localhost:{port}/good"),
		format!("http://2130706433:{port}/good"),
		format!("http://[::ffff:127.0.0.1]:{port}/good"),
		format!("http://[::ffff:7f00:1]:{port}/good"),
		format!("http://0:{port}/good"),
		format!("/ip4/127.0.0.1/tcp/{port}/http"),
	];
	for (number, locator) in (100..).zip(&locators) {
		server.world.create_node(NodeId([number; 10]), number.into(), locator, false);
	}
	server.seal();
	let task = probe(&server, Probing { private: false, ..QUICK });
	for (number, locator) in (100..).zip(&locators) {
		let found = probed(&server, NodeId([number; 10]), |probe| !probe.is_null()).await;
		assert_eq!(found["answer"], "none", "{locator}");
	}
	task.abort();
	assert_eq!(nodes.connections.load(Ordering::Relaxed), 0);
}

#[tokio::test]
async fn nodes_that_are_gone_are_forgotten() {
	let mut server = Server::full().await;
	let task = probe(&server, QUICK);
	probed(&server, NODE, |probe| probe["answer"] == "locator").await;
	let medallion = Medallion::new(1 << 43).expect("it has 44 bits");
	assert!(server.probes.of(medallion).is_some());
	server.world.delete_member(PROVIDER.into());
	server.seal();
	let begin = Instant::now();
	while server.probes.of(medallion).is_some() {
		assert!(begin.elapsed() < PATIENCE);
		tokio::time::sleep(Duration::from_millis(20)).await;
	}
	assert!(server.items("/v1/nodes").await.is_empty());
	task.abort();
}

// SPDX-License-Identifier: Apache-2.0
//! `fabric watch` over restarts of its node: each finalized event is printed once, and a chain that
//! was begun anew is named.

use std::{
	io::{BufRead, BufReader, Read},
	process::{Command, Stdio},
	sync::mpsc::{channel, Receiver},
	thread,
	time::Duration,
};

use content_fabric_client::{chain::calls, ids};
use content_fabric_tests::{
	client::{rules, signer, Client, Remark},
	fabric::Fabric,
	process::{fabric_command, fixed_port, signal, Node, Process},
	relay::{Relay, Swallows},
};
use serde_json::Value;

/// Longest time to wait for a line.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A client that watches.
pub(super) struct Watch {
	process: Process,
	events: Receiver<String>,
	messages: Receiver<String>,
}

/// Returns the lines of an output as they come.
fn lines(output: impl Read + Send + 'static) -> Receiver<String> {
	let (sender, receiver) = channel();
	thread::spawn(move || {
		let lines = BufReader::new(output).lines().map_while(Result::ok);
		lines.take_while(|line| sender.send(line.clone()).is_ok()).for_each(drop);
	});
	receiver
}

impl Watch {
	pub(super) fn start(url: &str) -> Self {
		Self::with(url, &["--from-block", "1"])
	}

	fn with(url: &str, options: &[&str]) -> Self {
		let process = fabric_command(url, &[&["--json", "watch"], options].concat())
			.stdout(Stdio::piped())
			.stderr(Stdio::piped())
			.spawn();
		let mut process = Process(process.expect("the client starts"));
		let events = lines(process.stdout.take().expect("it is piped"));
		let messages = lines(process.stderr.take().expect("it is piped"));
		Self { process, events, messages }
	}

	fn line(&self) -> Value {
		let line = self.events.recv_timeout(TIMEOUT).expect("there is a line");
		serde_json::from_str(&line).expect("every line is JSON")
	}

	/// Waits for the next event. Returns the number of its block, and its space.
	pub(super) fn event(&self) -> (u64, String) {
		let line = self.line();
		assert_eq!(line["event"]["name"], "SpaceCreated", "{line}");
		let space = line["event"]["fields"]["space"].as_str().expect("ids are text");
		(line["block"].as_u64().expect("blocks are numbered"), space.to_owned())
	}

	/// Waits for the next line on standard error.
	pub(super) fn message(&self) -> String {
		self.messages.recv_timeout(TIMEOUT).expect("there is a message")
	}

	/// Waits until the connection was lost and made again.
	fn reconnected(&self) {
		let lost = self.message();
		assert!(lost.ends_with("; connecting again"), "{lost}");
		assert_eq!(self.message(), "connected again");
	}

	/// Waits until the watch ends, as the chain was begun anew. Nothing else is printed.
	fn begun_anew(mut self) {
		let line = self.message();
		let error: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}"));
		assert_eq!(error["class"], "connection", "{error}");
		let text = error["error"].as_str().expect("it is text");
		assert!(text.starts_with("the chain was begun anew: its block 1 is 0x"), "{text}");
		assert_eq!(self.process.wait().expect("the client ends").code(), Some(5));
		assert_eq!(self.events.iter().next(), None);
		assert_eq!(self.messages.iter().next(), None);
	}
}

/// Creates spaces, one in a block. Returns their ids.
async fn create(url: &str, names: &[&str]) -> Vec<String> {
	let (client, alice) = (Client::connect(url).await, signer("//Alice"));
	let mut created = Vec::new();
	for name in names {
		let space = ids::space(name);
		let create = calls::CreateSpace { space, governor: *alice.account(), rules: rules(0) };
		client.submit(&alice, client.sudo(create)).await;
		created.push(space.to_string());
	}
	created
}

// The lines of the client are waited for while the test runs.
#[tokio::test(flavor = "multi_thread")]
async fn a_watch_goes_on_after_restarts_and_prints_each_finalized_event_once() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let port = fixed_port();
	let start = || Node::start_on(port, dir.path(), &[]);
	let mut node = start();
	let mut expected = create(&node.url, &["a", "b"]).await;
	let mut watch = Watch::start(&node.url);
	let mut watched: Vec<_> = expected.iter().map(|_| watch.event()).collect();
	for names in [["c", "d"], ["e", "f"]] {
		node.stop();
		node = start();
		// They may be in blocks before the client is back.
		let created = create(&node.url, &names).await;
		watch.reconnected();
		watched.extend(created.iter().map(|_| watch.event()));
		expected.extend(created);
	}
	signal(&watch.process, "-INT");
	assert!(watch.process.wait().expect("the client ends").success());
	assert_eq!(watch.events.iter().next(), None, "no event is printed twice");
	assert_eq!(watch.messages.iter().next(), None);
	let spaces: Vec<_> = watched.iter().map(|(_, space)| space.clone()).collect();
	assert_eq!(spaces, expected);
	assert!(watched.is_sorted_by(|(a, _), (b, _)| a < b), "{watched:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chain_that_was_begun_anew_ends_a_watch_as_soon_as_it_has_a_block() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let port = fixed_port();
	let start = |name| Node::start_on(port, &dir.path().join(name), &[]);
	let node = start("first");
	let relay = Relay::start(&node.url).await;
	create(&node.url, &["a", "b", "c"]).await;
	let watch = Watch::start(&relay.url);
	(0..3).for_each(|_| drop(watch.event()));
	// The new chain has a block before the client is back, but fewer than it has printed.
	relay.swallow(Swallows::All);
	node.stop();
	let node = start("second");
	create(&node.url, &["x"]).await;
	relay.swallow(Swallows::Nothing);
	watch.reconnected();
	watch.begun_anew();

	// The next one has none.
	let watch = Watch::start(&node.url);
	let (block, _) = watch.event();
	node.stop();
	let node = start("third");
	watch.reconnected();
	let behind = format!("the node is behind: at block 0, and {block} was printed");
	assert_eq!(watch.message(), behind);
	create(&node.url, &["y"]).await;
	watch.begun_anew();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_is_behind_is_named_once_and_waited_for() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let port = fixed_port();
	let start = |name| Node::start_on(port, &dir.path().join(name), &[]);
	let node = start("present");
	create(&node.url, &["a"]).await;
	node.stop();
	let mut copy = Command::new("cp");
	copy.arg("-r").args(["present", "past"].map(|name| dir.path().join(name)));
	assert!(copy.status().expect("the program starts").success());

	let node = start("present");
	let watch = Watch::start(&node.url);
	let (behind, _) = watch.event();
	create(&node.url, &["b"]).await;
	let (last, _) = watch.event();
	node.stop();
	let node = start("past");
	watch.reconnected();
	let message = format!("the node is behind: at block {behind}, and {last} was printed");
	assert_eq!(watch.message(), message);
	node.stop();
	let node = start("present");
	watch.reconnected();
	let created = create(&node.url, &["c"]).await;
	assert_eq!(vec![watch.event().1], created);
	assert!(watch.messages.try_recv().is_err(), "there is another message");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_purge_on_a_chain_that_was_begun_anew_has_not_ended() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let port = fixed_port();
	let fabric = Fabric::start_on(port, &dir.path().join("first"), 0).await;
	fabric.delete_tenant().await;
	let watch = Watch::with(fabric.url(), &["--purge", &fabric.tenant.to_string()]);
	let step = watch.line();
	assert_ne!(step["rows_left"], 0, "{step}");
	let begin = |process: Node| {
		process.stop();
		Node::start_on(port, &dir.path().join("second"), &[])
	};
	let fabric = fabric.served_by(begin).await;
	watch.reconnected();
	let behind = format!("the node is behind: at block 0, and {} was printed", step["block"]);
	assert_eq!(watch.message(), behind);
	fabric.submit(&fabric.bob, Remark { remark: Vec::new() }).await;
	watch.begun_anew();
}

// SPDX-License-Identifier: Apache-2.0
//! `fabric watch` over restarts of its node: each finalized event is printed once.

use std::{
	io::{BufRead, BufReader, Read},
	process::Stdio,
	sync::mpsc::{channel, Receiver},
	thread,
	time::Duration,
};

use content_fabric_client::{chain::calls, ids};
use content_fabric_tests::{
	client::{rules, signer, Client},
	process::{fabric_command, fixed_port, signal, Node, Process},
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
		let process = fabric_command(url, &["--json", "watch", "--from-block", "1"])
			.stdout(Stdio::piped())
			.stderr(Stdio::piped())
			.spawn();
		let mut process = Process(process.expect("the client starts"));
		let events = lines(process.stdout.take().expect("it is piped"));
		let messages = lines(process.stderr.take().expect("it is piped"));
		Self { process, events, messages }
	}

	/// Waits for the next event. Returns the number of its block, and its space.
	pub(super) fn event(&self) -> (u64, String) {
		let line = self.events.recv_timeout(TIMEOUT).expect("there is an event");
		let line: Value = serde_json::from_str(&line).expect("every line is JSON");
		assert_eq!(line["event"]["name"], "SpaceCreated", "{line}");
		let space = line["event"]["fields"]["space"].as_str().expect("ids are text");
		(line["block"].as_u64().expect("blocks are numbered"), space.to_owned())
	}

	/// Waits for the next line on standard error.
	pub(super) fn message(&self) -> String {
		self.messages.recv_timeout(TIMEOUT).expect("there is a message")
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
		let lost = watch.message();
		assert!(lost.ends_with("; connecting again"), "{lost}");
		node = start();
		// They may be in blocks before the client is back.
		let created = create(&node.url, &names).await;
		assert_eq!(watch.message(), "connected again");
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

// SPDX-License-Identifier: Apache-2.0
//! The index as a process.

use std::{
	collections::BTreeMap,
	path::{Path, PathBuf},
	process::{Command, Output},
	thread,
	time::{Duration, Instant},
};

use serde_json::Value;
use subxt::utils::H256;
use tempfile::TempDir;

use crate::{
	network::is_isolated,
	process::{fabric_json, output_of, program, serving, signal, write, Node, Process},
	raw::{storage_value, Raw},
	wait,
};

/// Longest time that the index may take to serve.
const START_TIMEOUT: Duration = Duration::from_secs(60);
/// Longest time that the index may take to answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);
/// Time between two looks.
const PAUSE: Duration = Duration::from_millis(50);
/// Longest wait for a state of the index.
const PATIENCE: Duration = Duration::from_secs(60);

/// Returns a command of the index on a data folder.
pub fn command(name: &str, data: &Path) -> Command {
	let mut command = Command::new(program("fabric-indexer"));
	command.arg(name).arg("--data").arg(data);
	command
}

/// Returns a command of the index that needs a node.
fn at_node(name: &str, url: &str, data: &Path) -> Command {
	let mut command = command(name, data);
	command.args(["--url", url]);
	// The network of a testbed is not the loopback device, but it does not leave the machine.
	if is_isolated() {
		command.arg("--insecure");
	}
	command
}

/// Runs a command of the index that needs a node.
pub fn run(name: &str, url: &str, data: &Path, arguments: &[&str]) -> Output {
	let output = at_node(name, url, data).args(arguments).output();
	output.expect("the program starts")
}

/// Returns the dump of an index that is not running: encoded values by storage key.
pub fn dump(data: &Path) -> BTreeMap<Vec<u8>, Vec<u8>> {
	let text = output_of(&mut command("dump", data));
	let text = String::from_utf8(text).expect("the dump is text");
	let bytes = |word: &str| {
		hex::decode(word.strip_prefix("0x").expect("numbers are marked")).expect("it is hex")
	};
	let lines = text.lines().map(|line| line.split_once(' ').expect("lines have two words"));
	lines.map(|(key, value)| (bytes(key), bytes(value))).collect()
}

/// Returns the rows of the pallet at a block, except those that are not indexed.
async fn scan(raw: &Raw, block: H256) -> BTreeMap<Vec<u8>, Vec<u8>> {
	let mut rows = raw.pairs(&storage_value("ContentFabric", "")[..16], Some(block)).await;
	for name in ["LastMuid", "LastTid", "Medallions", "DeletionQueueBounds"] {
		rows.remove(&storage_value("ContentFabric", name));
	}
	rows.remove(&storage_value("ContentFabric", ":__STORAGE_VERSION__:"));
	rows
}

/// Waits until the last block of a development chain is final. Returns its number.
pub async fn settled(raw: &Raw) -> u64 {
	let mut best = 0;
	wait::until(PATIENCE, "the best block is not final", async || {
		best = raw.best_block().await.0;
		raw.finalized_block().await.0 == best
	})
	.await;
	best
}

/// Stops an index, has it compare itself with the chain at its last block, and compares its dump
/// with the chain at that block.
pub async fn assert_exact(indexer: Indexer, node: &str, data: &Path, raw: &Raw) {
	indexer.stop();
	let verified = run("verify", node, data, &[]);
	let report = String::from_utf8_lossy(&verified.stdout);
	let error = String::from_utf8_lossy(&verified.stderr);
	assert!(verified.status.success(), "{report}{error}");
	let block = report.split(" at block ").nth(1).and_then(|rest| rest.split(',').next());
	let block = block.and_then(|block| block.parse().ok()).expect("the report names the block");
	let hash = raw.block_hash(block).await.expect("the chain has the block");
	let (rows, dump) = (scan(raw, hash).await, dump(data));
	let missing = rows.keys().filter(|key| !dump.contains_key(*key)).count();
	let foreign = dump.keys().filter(|key| !rows.contains_key(*key)).count();
	let wrong =
		rows.iter().filter(|(key, value)| dump.get(*key).is_some_and(|found| found != *value));
	assert_eq!((missing, foreign, wrong.count()), (0, 0, 0), "of {} rows at {block}", rows.len());
}

/// A development chain, and an index of it.
pub struct Indexed {
	/// The index.
	pub index: Indexer,
	/// The node of the chain.
	pub node: Node,
	/// A connection to the node.
	pub raw: Raw,
	/// The data folder of the index.
	pub data: PathBuf,
	dir: TempDir,
}

impl Indexed {
	/// Starts a node and an index with these arguments each.
	pub async fn start(node: &[&str], index: &[&str]) -> Self {
		let (dir, node) = Node::start_anew(node);
		let (raw, data) = (Raw::connect(&node.url).await, dir.path().join("index"));
		let index = Indexer::start(&node.url, &data, index);
		Self { index, node, raw, data, dir }
	}

	/// Publishes a manifest, and waits until the index has it.
	pub async fn publish(&self, manifest: &str) {
		let manifest = write(self.dir.path(), "manifest.jsonl", manifest);
		fabric_json(&self.node.url, &["publish", &manifest, "--wait", "finalized"]);
		self.index.wait_for_final(self.raw.finalized_block().await.0);
	}

	/// Waits until the index has the last block of the chain as a final one.
	pub async fn catches_up(&self) {
		self.index.wait_for_final(settled(&self.raw).await);
	}

	/// Checks that the index equals the chain, as [`assert_exact`] does.
	pub async fn assert_exact(self) {
		assert_exact(self.index, &self.node.url, &self.data, &self.raw).await;
	}
}

/// A running index, killed when dropped.
pub struct Indexer {
	process: Process,
	/// The URL that it serves.
	pub url: String,
}

impl Indexer {
	/// Starts an index, and waits until it serves.
	pub fn start(url: &str, data: &Path, arguments: &[&str]) -> Self {
		Self::try_start(url, data, arguments).unwrap_or_else(|log| panic!("no index:\n{log}"))
	}

	/// Starts an index, and waits until it serves. Returns its log if it ends before.
	pub fn try_start(url: &str, data: &Path, arguments: &[&str]) -> Result<Self, String> {
		let mut command = at_node("serve", url, data);
		command.args(["--listen", "127.0.0.1:0"]).args(arguments);
		let (process, url) = serving(command, "serving ", START_TIMEOUT)?;
		Ok(Self { process, url })
	}

	/// Returns the status code and the JSON of an answer.
	pub fn ask(&self, path: &str) -> (u16, Value) {
		let (code, text) = self.ask_text(path);
		(code, serde_json::from_str(&text).unwrap_or(Value::Null))
	}

	/// Returns the status code and the text of an answer.
	pub fn ask_text(&self, path: &str) -> (u16, String) {
		let agent = ureq::Agent::config_builder()
			.timeout_global(Some(ANSWER_TIMEOUT))
			.http_status_as_error(false)
			.build()
			.new_agent();
		let answer = agent.get(format!("{}{path}", self.url)).call();
		let mut answer = answer.unwrap_or_else(|error| panic!("{path}: {error}"));
		let text = answer.body_mut().read_to_string().expect("the answer is text");
		(answer.status().as_u16(), text)
	}

	/// Returns what the index answers, which must be a success.
	pub fn get(&self, path: &str) -> Value {
		let (code, answer) = self.ask(path);
		assert_eq!(code, 200, "{path}: {answer}");
		answer
	}

	/// Returns all items of a list, page by page.
	pub fn list(&self, path: &str) -> Vec<Value> {
		let sign = if path.contains('?') { '&' } else { '?' };
		let (mut items, mut next) = (Vec::new(), String::new());
		loop {
			let page = self.get(&format!("{path}{sign}limit=100{next}"));
			items.extend(page["items"].as_array().expect("it is a list").iter().cloned());
			match page["next"].as_str() {
				Some(cursor) => next = format!("&cursor={cursor}"),
				None => return items,
			}
		}
	}

	/// Waits until the index has a block as a final one.
	pub fn wait_for_final(&self, number: u64) {
		self.wait_until(|status| status["finalized"]["number"].as_u64() >= Some(number));
	}

	/// Waits until the index says that its status is as wanted. Returns the status.
	pub fn wait_until(&self, is_wanted: impl Fn(&Value) -> bool) -> Value {
		let start = Instant::now();
		loop {
			let (code, answer) = self.ask("/v1/status");
			if code == 200 && is_wanted(&answer["item"]) {
				return answer["item"].clone();
			}
			assert!(start.elapsed() < PATIENCE, "the index is still at {code} {answer}");
			thread::sleep(PAUSE);
		}
	}

	/// Stops the index as a service manager does, and waits for its end. It must end well.
	pub fn stop(mut self) {
		signal(&self.process, "-TERM");
		let status = self.process.wait().expect("the process ends");
		assert!(status.success(), "the index ends with {status}");
	}

	/// Waits until the index ends by itself. Returns its exit code.
	pub fn end(mut self) -> Option<i32> {
		let start = Instant::now();
		loop {
			if let Some(status) = self.process.try_wait().expect("the process can be waited for") {
				return status.code();
			}
			assert!(start.elapsed() < PATIENCE, "the index does not end");
			thread::sleep(PAUSE);
		}
	}
}

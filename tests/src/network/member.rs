// SPDX-License-Identifier: Apache-2.0
//! A node of a network, as a process.

use std::{
	fs::File,
	io::Write,
	path::{Path, PathBuf},
	process::{Command, Stdio},
	time::{Duration, Instant},
};

use crate::{
	process::{command_of_node, stderr, Process},
	raw::Raw,
};

/// The name of the node's program.
pub(super) const NODE: &str = "content-fabric-node";
/// Longest time that a node may take to serve JSON-RPC. One without optimizations compiles the
/// runtime for minutes.
const START_TIMEOUT: Duration = Duration::from_secs(600);
/// Time between two looks at a node that starts.
const PAUSE: Duration = Duration::from_millis(200);

/// A node of a network, killed when dropped.
pub struct Member {
	/// Its name.
	pub name: String,
	/// The address of its JSON-RPC server.
	pub url: String,
	/// The file with its log.
	pub log: PathBuf,
	process: Option<Process>,
}

/// Makes the key of a node in its folder. Returns the node's peer id.
pub(super) fn make_node_key(dir: &Path) -> String {
	std::fs::create_dir_all(dir).expect("a folder is made");
	let generated = command_of_node(NODE)
		.args(["key", "generate-node-key", "--file"])
		.arg(dir.join("node-key"))
		.output()
		.expect("the node's program starts");
	// The program prints the peer id on standard error.
	stderr(&generated).trim().to_owned()
}

/// Adds the arguments that all nodes have.
pub(super) fn add_arguments(command: &mut Command, name: &str, dir: &Path, specification: &Path) {
	command
		.args(["--name", name, "--no-prometheus", "--no-telemetry", "--no-mdns"])
		.arg("--chain")
		.arg(specification)
		.arg("--base-path")
		.arg(dir.join("data"))
		.arg("--node-key-file")
		.arg(dir.join("node-key"));
}

impl Member {
	/// Prepares a node that does not run yet, with its log in a folder.
	pub(super) fn new(name: &str, dir: &Path, url: String) -> Self {
		Self { name: name.into(), url, log: dir.join("log"), process: None }
	}

	/// Starts the node with a command. Returns the length of its log before.
	pub(super) fn spawn(&mut self, mut command: Command) -> usize {
		assert!(self.process.is_none(), "{} runs", self.name);
		let log = File::options().create(true).append(true).open(&self.log);
		let mut log = log.expect("there is room for a log");
		writeln!(log, "--- start").expect("there is room for a log");
		let begin = std::fs::metadata(&self.log).expect("the log exists").len();
		let output = log.try_clone().expect("a file can be opened twice");
		let process = command.stdin(Stdio::null()).stdout(output).stderr(log).spawn();
		self.process = Some(Process(process.expect("the node's program starts")));
		usize::try_from(begin).expect("a log fits into memory")
	}

	/// Waits until the node serves JSON-RPC, which its log says after so many bytes.
	pub(super) fn wait(&mut self, begin: usize) {
		let start = Instant::now();
		loop {
			let text = std::fs::read(&self.log).expect("the log can be read");
			let text = String::from_utf8_lossy(&text[begin..]).into_owned();
			if text.contains("Running JSON-RPC server") {
				return;
			}
			assert!(self.runs(), "{} stopped:\n{text}", self.name);
			assert!(start.elapsed() < START_TIMEOUT, "{} serves no JSON-RPC:\n{text}", self.name);
			std::thread::sleep(PAUSE);
		}
	}

	/// Kills the node as `kill -9` does, and waits for its end: its database is locked until then.
	pub fn kill(&mut self) {
		self.process = None;
	}

	/// Returns whether the process of the node is there.
	pub fn runs(&mut self) -> bool {
		let process = self.process.as_mut();
		process.is_some_and(|process| matches!(process.try_wait(), Ok(None)))
	}

	/// Returns whether the node was started, and not killed since.
	pub fn is_started(&self) -> bool {
		self.process.is_some()
	}

	/// Connects to the node.
	pub async fn connect(&self) -> Raw {
		Raw::connect(&self.url).await
	}
}

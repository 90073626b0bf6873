//! The node and the client as processes.

use std::{
	io::{BufRead, BufReader, Write},
	path::{Path, PathBuf},
	process::{Child, Command, Output, Stdio},
	sync::{mpsc, OnceLock},
	thread,
	time::Duration,
};

/// Longest time that a node may take to serve JSON-RPC.
const START_TIMEOUT: Duration = Duration::from_secs(60);

/// Returns the folder in which cargo puts the programs of this workspace.
fn build_folder() -> PathBuf {
	let test = std::env::current_exe().expect("a test knows its own path");
	test.ancestors().nth(2).expect("a test lies in `deps` of the build folder").to_owned()
}

/// Returns the path of a program of this workspace.
fn program(name: &str) -> PathBuf {
	let path = build_folder().join(name);
	assert!(
		path.is_file(),
		"{} is missing: run scripts/test, or cargo build --release -p content-fabric-node-mock -p \
		 content-fabric-client",
		path.display()
	);
	path
}

/// Returns the command that runs the node.
pub fn node_command() -> Command {
	Command::new(program("content-fabric-node-mock"))
}

/// Returns the path of the raw chain specification of the development chain.
///
/// A node that starts from the preset compiles the runtime two more times, to build the genesis
/// state. This file spares that time to all nodes of a run but one.
fn raw_specification() -> &'static Path {
	static PATH: OnceLock<PathBuf> = OnceLock::new();
	PATH.get_or_init(|| {
		let output = node_command().args(["build-spec", "--raw", "--dev"]).output();
		let output = output.expect("the node's program starts");
		let stderr = String::from_utf8_lossy(&output.stderr);
		assert!(output.status.success(), "no chain specification: {stderr}");
		// Another run may read the file meanwhile.
		let mut file = tempfile::NamedTempFile::new_in(build_folder()).expect("a file is made");
		file.write_all(&output.stdout).expect("there is room for the file");
		let path = build_folder().join("development-chain.json");
		file.persist(&path).expect("the file is renamed");
		path
	})
}

/// A running node, killed when dropped.
pub struct Node {
	process: Child,
	/// The address of its JSON-RPC server.
	pub url: String,
}

impl Node {
	/// Starts a development chain with its data in `base_path`, and waits until the node serves
	/// JSON-RPC on a free port.
	pub fn start(base_path: &Path, arguments: &[&str]) -> Self {
		let mut process = node_command()
			.args(["--dev", "--rpc-port", "0", "--no-prometheus", "--no-telemetry", "--chain"])
			.arg(raw_specification())
			.arg("--base-path")
			.arg(base_path)
			.args(arguments)
			.stdout(Stdio::null())
			.stderr(Stdio::piped())
			.spawn()
			.expect("the node starts");
		let log = BufReader::new(process.stderr.take().expect("standard error is piped"));
		let (sender, receiver) = mpsc::channel();
		// The log is read to its end, or the node would block on a full pipe.
		thread::spawn(move || {
			let mut seen = Vec::new();
			for line in log.lines().map_while(Result::ok) {
				if let Some((_, rest)) = line.split_once("Running JSON-RPC server: addr=") {
					let address = rest.split([',', ' ']).next().unwrap_or_default().to_owned();
					let _ = sender.send(Ok(address));
				}
				if seen.len() < 100 {
					seen.push(line);
				}
			}
			let _ = sender.send(Err(seen.join("\n")));
		});
		let address = match receiver.recv_timeout(START_TIMEOUT) {
			Ok(Ok(address)) => address,
			Ok(Err(log)) => panic!("the node stopped:\n{log}"),
			Err(_) => {
				let _ = process.kill();
				panic!("the node did not serve JSON-RPC within {START_TIMEOUT:?}");
			},
		};
		Self { process, url: format!("ws://{address}") }
	}

	/// Kills the node as `kill -9` does.
	pub fn kill(mut self) {
		self.process.kill().expect("the node runs");
		self.process.wait().expect("a killed process ends");
	}
}

impl Drop for Node {
	fn drop(&mut self) {
		// It may have been killed by the test.
		let _ = self.process.kill();
		let _ = self.process.wait();
	}
}

/// Writes a file for the client to read. Returns its path.
pub fn write(dir: &Path, name: &str, text: &str) -> String {
	let path = dir.join(name);
	std::fs::write(&path, text).expect("there is room for a file");
	path.to_str().expect("the path is text").to_owned()
}

/// Returns the command that runs the client on the node at `url`.
pub fn fabric_command(url: &str, arguments: &[&str]) -> Command {
	let mut command = Command::new(program("fabric"));
	command.args(["--url", url]).args(arguments);
	command
}

/// Runs the client to its end.
pub fn fabric(url: &str, arguments: &[&str]) -> Output {
	fabric_command(url, arguments).output().expect("the client starts")
}

/// Runs the client with `--json`. It must succeed. Returns what it prints.
pub fn fabric_json(url: &str, arguments: &[&str]) -> serde_json::Value {
	let output = fabric(url, &[&["--json"], arguments].concat());
	let stderr = String::from_utf8_lossy(&output.stderr);
	assert!(output.status.success(), "fabric {arguments:?}: {stderr}");
	serde_json::from_slice(&output.stdout).expect("the client prints JSON")
}

/// Runs the client, which must fail. Returns its error, which must be one line.
pub fn fabric_error(url: &str, arguments: &[&str]) -> String {
	let output = fabric(url, arguments);
	let stderr = String::from_utf8(output.stderr).expect("errors are text");
	assert!(!output.status.success(), "fabric {arguments:?} did not fail");
	assert_eq!(stderr.lines().count(), 1, "fabric {arguments:?}: {stderr}");
	assert!(output.stdout.is_empty(), "a failed command prints no result");
	stderr
}

//! A network on this machine: validators with the well-known keys, and a full node.

use std::{
	fs::File,
	io::Write,
	net::TcpListener,
	path::{Path, PathBuf},
	process::{Child, Command, Stdio},
	time::{Duration, Instant},
};

use serde_json::Value;
use sp_crypto_hashing::twox_128;
use subxt::{ext::codec::Encode, utils::H256};

use crate::{process::program, raw::Raw};

/// The flags with which validators of the chain `local` take their keys.
pub const VALIDATORS: [&str; 4] = ["alice", "bob", "charlie", "dave"];
/// The name of the node that is no validator.
pub const FULL_NODE: &str = "full";
/// Longest time that a node may take to serve JSON-RPC.
const START_TIMEOUT: Duration = Duration::from_secs(90);
/// Time between two looks at a node.
const PAUSE: Duration = Duration::from_millis(200);

/// The pace of a chain that is made for a test. On a live chain it never changes.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
	/// Milliseconds of a slot.
	pub slot: u64,
	/// Blocks of a session.
	pub session: u32,
}

/// A node of the network, killed when dropped.
pub struct Member {
	/// Its name.
	pub name: String,
	/// The address of its JSON-RPC server.
	pub url: String,
	/// The file with its log.
	pub log: PathBuf,
	command: Command,
	process: Option<Child>,
}

/// The nodes of a network.
pub struct Network {
	/// The raw chain specification.
	pub specification: PathBuf,
	/// The nodes: the validators, and the full node after them.
	pub members: Vec<Member>,
}

fn node_command() -> Command {
	Command::new(program("content-fabric-node"))
}

fn output_of(command: &mut Command) -> Vec<u8> {
	let output = command.output().expect("the node's program starts");
	let stderr = String::from_utf8_lossy(&output.stderr);
	assert!(output.status.success(), "{command:?}: {stderr}");
	output.stdout
}

/// Writes the raw specification of the chain `local`, with a pace of its own if one is given.
fn write_specification(path: &Path, pace: Option<Pace>) {
	let raw = output_of(node_command().args(["build-spec", "--raw", "--chain", "local"]));
	let mut specification: Value = serde_json::from_slice(&raw).expect("a specification is JSON");
	if let Some(Pace { slot, session }) = pace {
		let top = &mut specification["genesis"]["raw"]["top"];
		for (name, value) in
			[(":SlotDuration:", slot.encode()), (":SessionPeriod:", session.encode())]
		{
			top[format!("0x{}", hex::encode(twox_128(name.as_bytes())))] =
				format!("0x{}", hex::encode(value)).into();
		}
	}
	std::fs::write(path, specification.to_string()).expect("there is room for a file");
}

/// Returns a port that is free now.
fn free_port() -> u16 {
	let listener = TcpListener::bind(("127.0.0.1", 0)).expect("some port is free");
	listener.local_addr().expect("it is bound").port()
}

impl Network {
	/// Starts four validators and a full node, with their data and logs in a folder.
	pub fn start(dir: &Path, pace: Option<Pace>) -> Self {
		let specification = dir.join("chain-spec.json");
		write_specification(&specification, pace);
		let mut network = Self { specification, members: Vec::new() };
		let mut bootnode = None;
		for name in VALIDATORS.into_iter().chain([FULL_NODE]) {
			let (member, address) =
				Member::prepare(&dir.join(name), name, &network.specification, bootnode.as_deref());
			bootnode.get_or_insert(address);
			network.members.push(member);
		}
		for member in &mut network.members {
			member.start();
		}
		network
	}

	/// Returns the node of that name.
	pub fn member(&mut self, name: &str) -> &mut Member {
		let found = self.members.iter_mut().find(|member| member.name == name);
		found.unwrap_or_else(|| panic!("no node {name}"))
	}

	/// Waits until all nodes that run have finalized a block of this number. Returns its hash,
	/// which must be the same on all.
	pub async fn finalized(&self, number: u64, timeout: Duration) -> H256 {
		let mut agreed: Option<(&str, H256)> = None;
		let start = Instant::now();
		for member in self.members.iter().filter(|member| member.process.is_some()) {
			let raw = member.connect().await;
			while raw.finalized_block().await.0 < number {
				assert!(start.elapsed() < timeout, "{} has not finalized {number}", member.name);
				tokio::time::sleep(PAUSE).await;
			}
			let hash = raw.block_hash(number).await.expect("it is finalized");
			let (first, expected) = *agreed.get_or_insert((&member.name, hash));
			assert_eq!(hash, expected, "{} and {first} differ at block {number}", member.name);
		}
		agreed.expect("some node runs").1
	}
}

impl Member {
	/// Makes the keys of a node and the command that runs it. Returns the node and the address at
	/// which other nodes find it.
	fn prepare(
		dir: &Path,
		name: &str,
		specification: &Path,
		bootnode: Option<&str>,
	) -> (Self, String) {
		std::fs::create_dir_all(dir).expect("a folder is made");
		let key = dir.join("node-key");
		let generated = node_command()
			.args(["key", "generate-node-key", "--file"])
			.arg(&key)
			.output()
			.expect("the node's program starts");
		// The program prints the peer id on standard error.
		let peer = String::from_utf8_lossy(&generated.stderr).trim().to_owned();
		let (port, rpc_port) = (free_port(), free_port());
		let mut command = node_command();
		command
			.args(["--name", name, "--no-prometheus", "--no-telemetry", "--no-mdns"])
			.args(["--rpc-port", &rpc_port.to_string()])
			.args(["--listen-addr", &format!("/ip4/127.0.0.1/tcp/{port}")])
			.arg("--chain")
			.arg(specification)
			.arg("--base-path")
			.arg(dir.join("data"))
			.arg("--node-key-file")
			.arg(&key);
		if VALIDATORS.contains(&name) {
			command.args([&format!("--{name}"), "--validator"]);
		}
		if let Some(bootnode) = bootnode {
			command.args(["--bootnodes", bootnode]);
		}
		let member = Self {
			name: name.into(),
			url: format!("ws://127.0.0.1:{rpc_port}"),
			log: dir.join("log"),
			command,
			process: None,
		};
		(member, format!("/ip4/127.0.0.1/tcp/{port}/p2p/{peer}"))
	}

	/// Starts the node, and waits until it serves JSON-RPC.
	pub fn start(&mut self) {
		assert!(self.process.is_none(), "{} runs", self.name);
		let log = File::options().create(true).append(true).open(&self.log);
		let mut log = log.expect("there is room for a log");
		writeln!(log, "--- start").expect("there is room for a log");
		let begin = std::fs::metadata(&self.log).expect("the log exists").len();
		let output = log.try_clone().expect("a file can be opened twice");
		let process = self.command.stdin(Stdio::null()).stdout(output).stderr(log).spawn();
		let process = self.process.insert(process.expect("the node's program starts"));
		let start = Instant::now();
		loop {
			let text = std::fs::read(&self.log).expect("the log can be read");
			let text = String::from_utf8_lossy(&text[begin as usize..]).into_owned();
			if text.contains("Running JSON-RPC server") {
				return;
			}
			let ended = process.try_wait().expect("the process can be asked");
			assert!(ended.is_none(), "{} stopped:\n{text}", self.name);
			assert!(start.elapsed() < START_TIMEOUT, "{} serves no JSON-RPC:\n{text}", self.name);
			std::thread::sleep(PAUSE);
		}
	}

	/// Kills the node as `kill -9` does, and waits for its end: its database is locked until then.
	pub fn kill(&mut self) {
		if let Some(mut process) = self.process.take() {
			// It may have ended by itself.
			let _ = process.kill();
			let _ = process.wait();
		}
	}

	/// Returns whether the process of the node is there.
	pub fn runs(&mut self) -> bool {
		let process = self.process.as_mut();
		process.is_some_and(|process| matches!(process.try_wait(), Ok(None)))
	}

	/// Connects to the node.
	pub async fn connect(&self) -> Raw {
		Raw::connect(&self.url).await
	}
}

impl Drop for Member {
	fn drop(&mut self) {
		self.kill();
	}
}

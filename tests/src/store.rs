// SPDX-License-Identifier: Apache-2.0
//! The content node as a process, and requests to it.

use std::{
	io::{Read, Write},
	net::TcpStream,
	path::Path,
	process::{Command, Output},
	sync::OnceLock,
	thread,
	time::{Duration, Instant},
};

use content_fabric_client::{chain::wall_clock, ids, keys::Signer, requests};
use content_fabric_identifiers::{NodeId, ProviderId, TenantId};
use content_fabric_primitives::{Receiver, Until};
use serde_json::Value;

use crate::{
	client::signer,
	process::{program, serving, Process},
};

/// An address with a free port.
const ANY: &str = "127.0.0.1:0";
/// The options `--listen`, `--key` and `--grace` of most tests.
const USUAL: [&str; 3] = [ANY, "//Dave", "0"];
/// Longest time that a content node may take to serve.
const START_TIMEOUT: Duration = Duration::from_secs(60);
/// Longest wait for an answer, or for a state.
const PATIENCE: Duration = Duration::from_secs(60);

/// The genesis hash of development chains.
pub(crate) static GENESIS: OnceLock<[u8; 32]> = OnceLock::new();

/// A running content node, killed as a crash does when dropped.
pub struct Store {
	/// The node that it serves.
	pub node: NodeId,
	/// Its process.
	pub process: Process,
	/// The address that it listens on.
	pub address: String,
}

/// An answer of a content node.
pub struct Answer {
	/// The status code.
	pub status: u16,
	/// The head, in lower case.
	pub head: String,
	/// The body.
	pub body: Vec<u8>,
}

impl Answer {
	/// Returns the body as JSON.
	pub fn json(&self) -> Value {
		serde_json::from_slice(&self.body).unwrap_or(Value::Null)
	}

	/// Checks the status, and returns the answer.
	#[track_caller]
	pub fn expect(self, status: u16) -> Self {
		let start = &self.body[..self.body.len().min(1_000)];
		assert_eq!(self.status, status, "{}{}", self.head, String::from_utf8_lossy(start));
		self
	}
}

impl Store {
	/// Starts the content node of a node that Dave operates, and waits until it serves.
	pub fn start(url: &str, node: (ProviderId, NodeId), data: &Path) -> Self {
		Self::try_start(url, node, data).unwrap_or_else(|log| panic!("no content node:\n{log}"))
	}

	/// Starts the content node as [`start`](Self::start) does. Returns its log if it ends.
	pub fn try_start(url: &str, node: (ProviderId, NodeId), data: &Path) -> Result<Self, String> {
		Self::serve(Command::new(program("fabric-store")), USUAL, url, node, data)
	}

	/// Starts the content node as [`start`](Self::start) does, on an address.
	pub fn start_at(address: &str, url: &str, node: (ProviderId, NodeId), data: &Path) -> Self {
		Self::start_with([address, USUAL[1], USUAL[2]], url, node, data)
	}

	/// Starts the content node as [`start`](Self::start) does, with these options `--listen`, `--key`
	/// and `--grace`.
	pub fn start_with(
		options: [&str; 3],
		url: &str,
		node: (ProviderId, NodeId),
		data: &Path,
	) -> Self {
		Self::try_start_with(options, url, node, data)
			.unwrap_or_else(|log| panic!("no content node:\n{log}"))
	}

	/// Starts the content node as [`start_with`](Self::start_with) does. Returns its log if it ends.
	pub fn try_start_with(
		options: [&str; 3],
		url: &str,
		node: (ProviderId, NodeId),
		data: &Path,
	) -> Result<Self, String> {
		Self::serve(Command::new(program("fabric-store")), options, url, node, data)
	}

	/// Starts the content node as [`start`](Self::start) does, by a command that runs another one.
	pub fn start_by(command: Command, url: &str, node: (ProviderId, NodeId), data: &Path) -> Self {
		Self::start_as(command, USUAL, url, node, data)
	}

	/// Starts the content node as [`start_with`](Self::start_with) does, by a command that runs
	/// another one.
	pub fn start_as(
		mut command: Command,
		options: [&str; 3],
		url: &str,
		node: (ProviderId, NodeId),
		data: &Path,
	) -> Self {
		command.arg(program("fabric-store"));
		Self::serve(command, options, url, node, data)
			.unwrap_or_else(|log| panic!("no content node:\n{log}"))
	}

	fn serve(
		mut command: Command,
		[listen, key, grace]: [&str; 3],
		url: &str,
		(provider, node): (ProviderId, NodeId),
		data: &Path,
	) -> Result<Self, String> {
		command
			.args(["serve", "--listen", listen, "--key", key, "--grace", grace])
			.args(["--capacity", "20000000", "--mirror-private", "--url", url])
			.args(["--provider", &provider.to_string(), "--node", &node.to_string()])
			.arg("--data")
			.arg(data);
		let (process, address) = serving(command, "serving http://", START_TIMEOUT)?;
		Ok(Self { node, process, address })
	}

	/// Runs `fabric-store check`.
	pub fn check(data: &Path, options: &[&str]) -> Output {
		let mut command = Command::new(program("fabric-store"));
		command.arg("check").arg("--data").arg(data).args(options);
		command.output().expect("the program starts")
	}

	/// Returns a field of the status.
	pub fn status(&self, field: &str) -> Value {
		self.ask("GET", "/v1/status", &[], &[]).expect(200).json()[field].clone()
	}

	/// Returns the header of a request that somebody signs for a tenant.
	pub fn signed(&self, signer: &Signer, tenant: TenantId) -> String {
		let genesis = GENESIS.get().expect("a chain was started");
		let until = Until::new(wall_clock() / 1_000_000 + 600);
		let header = requests::sign(signer, genesis, Receiver::Node(self.node), tenant, until);
		format!("Authorization: {header}")
	}

	/// Sends a request with these headers, and reads the answer. Charlie signs drafts and uploads for
	/// the tenant of the tests, unless a header says otherwise.
	pub fn ask(&self, method: &str, path: &str, headers: &[&str], body: &[u8]) -> Answer {
		let mut stream = self.send(method, path, headers, body.len());
		stream.write_all(body).expect("the body is taken");
		Self::answer(stream)
	}

	/// Reads the answer to a request.
	pub fn answer(mut stream: TcpStream) -> Answer {
		let mut answer = Vec::new();
		stream.read_to_end(&mut answer).expect("the answer is whole");
		let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("it has a head");
		let head = String::from_utf8_lossy(&answer[..end]).to_lowercase();
		let status = head.split(' ').nth(1).and_then(|text| text.parse().ok());
		let status = status.expect("the answer has a status");
		Answer { status, head, body: answer[end + 4..].to_vec() }
	}

	/// Sends the head of a request, and returns the connection.
	pub fn send(&self, method: &str, path: &str, headers: &[&str], length: usize) -> TcpStream {
		let mut stream = TcpStream::connect(&self.address).expect("it listens");
		stream.set_read_timeout(Some(PATIENCE)).expect("the time is not zero");
		let mut head = format!("{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n");
		if matches!(method, "PUT" | "POST") {
			head += &format!("Content-Length: {length}\r\n");
		}
		if method == "POST" && !headers.iter().any(|header| header.starts_with("Content-Type:")) {
			head += "Content-Type: application/json\r\n";
		}
		let is_signed = method == "PUT" || path == "/v1/drafts";
		if is_signed && !headers.iter().any(|header| header.starts_with("Authorization:")) {
			let tenant = ids::tenant(ids::space("test"), "tenant");
			head += &format!("{}\r\n", self.signed(&signer("//Charlie"), tenant));
		}
		for header in headers {
			head += &format!("{header}\r\n");
		}
		stream.write_all((head + "\r\n").as_bytes()).expect("the head is taken");
		stream
	}

	/// Uploads bytes. Tries again while others upload the same, or too much.
	pub fn upload(&self, path: &str, body: &[u8]) {
		let start = Instant::now();
		loop {
			let answer = self.ask("PUT", path, &[], body);
			match answer.status {
				200 | 201 => return,
				409 | 503 if start.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(50)),
				status => panic!("{path}: {status}: {}", answer.head),
			}
		}
	}

	/// Returns the number of bytes of a version that have arrived, or `None` if its upload is
	/// complete. Waits while the node hashes the version.
	pub fn arrived(&self, path: &str) -> Option<u64> {
		let state = self.wait("GET", &format!("{path}/upload"), 200);
		assert!(state.head.contains("cache-control: no-store"), "{}", state.head);
		let state = state.json();
		let arrived = state["arrived"].as_str().and_then(|text| text.parse().ok());
		let arrived = arrived.unwrap_or_else(|| panic!("{state}"));
		(state["complete"] == false).then_some(arrived)
	}

	/// Asks again and again until the answer has this status.
	pub fn wait(&self, method: &str, path: &str, status: u16) -> Answer {
		let start = Instant::now();
		loop {
			let answer = self.ask(method, path, &[], &[]);
			if answer.status == status {
				return answer;
			}
			assert!(start.elapsed() < PATIENCE, "{path}: {}, expected {status}", answer.status);
			thread::sleep(Duration::from_millis(50));
		}
	}
}

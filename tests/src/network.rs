// SPDX-License-Identifier: Apache-2.0
//! Networks on this machine: validators with the well-known keys, and full nodes.
//!
//! The nodes of a [`Network`] share the machine's own addresses. The nodes of a [`Testbed`] have a
//! network each, between which a [`Switch`] makes faults.

use std::{
	net::TcpListener,
	path::{Path, PathBuf},
	process::Command,
	time::Duration,
};

use subxt::utils::H256;

use self::member::NODE;
use crate::{process::command_of_node, wait};

mod light;
mod member;
mod namespace;
mod record;
mod specification;
mod switch;
mod testbed;

pub use light::Light;
pub use member::Member;
pub use namespace::{is_isolated, isolated, isolated_program};
pub use record::Record;
pub use specification::{Pace, Specification};
pub use switch::Switch;
pub use testbed::Testbed;

/// The flags with which validators of the chain `local` take their keys.
pub const VALIDATORS: [&str; 4] = ["alice", "bob", "charlie", "dave"];
/// The name of the full node.
pub const FULL_NODE: &str = "full";
/// Time between two looks at a node.
const PAUSE: Duration = Duration::from_millis(200);

/// The nodes of a network.
pub struct Network {
	/// The raw chain specification.
	pub specification: PathBuf,
	/// The nodes: the validators, and the full node after them.
	pub members: Vec<Member>,
}

/// Returns a port that is free now.
fn free_port() -> u16 {
	let listener = TcpListener::bind(("127.0.0.1", 0)).expect("some port is free");
	listener.local_addr().expect("it is bound").port()
}

impl Network {
	/// Starts four validators and a full node, with their data and logs in a folder. The validators
	/// are the bootnodes of the specification.
	pub fn start(dir: &Path, pace: Option<Pace>) -> Self {
		let specification = dir.join("chain-spec.json");
		let names = VALIDATORS.into_iter().chain([FULL_NODE]);
		let prepared: Vec<_> =
			names.map(|name| prepare(&dir.join(name), name, &specification)).collect();
		let validators = prepared.iter().take(VALIDATORS.len());
		let bootnodes: Vec<_> =
			validators.flat_map(|(_, _, addresses)| addresses.iter().cloned()).collect();
		let mut chain = Specification::local().with_bootnodes(&bootnodes);
		if let Some(pace) = pace {
			chain = chain.with_pace(pace);
		}
		chain.write(&specification);
		let mut network = Self { specification, members: Vec::new() };
		for (mut member, command, _) in prepared {
			let begin = member.spawn(command);
			member.wait(begin);
			network.members.push(member);
		}
		network
	}

	/// Waits until all nodes that run have finalized a block of this number. Returns its hash,
	/// which must be the same on all.
	pub async fn finalized(&self, number: u64, timeout: Duration) -> H256 {
		let mut agreed: Option<(&str, H256)> = None;
		for member in self.members.iter().filter(|member| member.is_started()) {
			let raw = member.connect().await;
			let lags = format!("{} has not finalized {number}", member.name);
			let is_final = async || raw.finalized_block().await.0 >= number;
			wait::until(timeout, &lags, is_final).await;
			let hash = raw.block_hash(number).await.expect("it is finalized");
			let (first, expected) = *agreed.get_or_insert((&member.name, hash));
			assert_eq!(hash, expected, "{} and {first} differ at block {number}", member.name);
		}
		agreed.expect("some node runs").1
	}
}

/// Makes the keys of a node. Returns the node, the command that runs it, and the addresses at which
/// others find it: by TCP, and by the WebSockets that light clients in browsers need.
fn prepare(dir: &Path, name: &str, specification: &Path) -> (Member, Command, [String; 2]) {
	let peer = member::make_node_key(dir);
	let rpc_port = free_port();
	let tcp = format!("/ip4/127.0.0.1/tcp/{}", free_port());
	let listen = [tcp, format!("/ip4/127.0.0.1/tcp/{}/ws", free_port())];
	let mut command = command_of_node(NODE);
	member::add_arguments(&mut command, name, dir, specification);
	command
		.args(["--rpc-port", &rpc_port.to_string()])
		.args(listen.iter().flat_map(|address| ["--listen-addr", address]));
	if VALIDATORS.contains(&name) {
		command.args([&format!("--{name}"), "--validator"]);
	}
	let url = format!("ws://127.0.0.1:{rpc_port}");
	let addresses = listen.map(|address| format!("{address}/p2p/{peer}"));
	(Member::new(name, dir, url), command, addresses)
}

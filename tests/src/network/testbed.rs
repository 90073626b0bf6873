// SPDX-License-Identifier: Apache-2.0
//! Nodes with a network each, and a switch between them that makes faults.

use std::{
	net::Ipv4Addr,
	path::{Path, PathBuf},
	process::Command,
	time::{Duration, Instant},
};

use content_fabric_runtime::ContentFabric;
use sp_io::TestExternalities;
use sp_storage::Storage;
use subxt::utils::H256;
use tokio::task::block_in_place;

use super::{
	member::{self, Member},
	namespace::Namespace,
	Pace, Record, Specification, Switch, PAUSE, VALIDATORS,
};
use crate::{process::program, raw::Raw};

/// The address of the test itself. Nodes have those from 1 on.
const TEST: Ipv4Addr = Ipv4Addr::new(10, 77, 0, 254);
/// Longest time in which a network without faults finalizes a block.
pub const FINALITY: Duration = Duration::from_secs(60);

/// Nodes with a network each, and the switch that connects them. It works in a run that is
/// [`isolated`](super::isolated).
pub struct Testbed {
	/// Connects the nodes, by their numbers.
	pub switch: Switch,
	/// The blocks that the nodes have finalized.
	pub record: Record,
	/// The nodes.
	pub nodes: Vec<Member>,
	dir: PathBuf,
	specification: PathBuf,
	/// Addresses of the first nodes, to which all nodes connect first.
	bootnodes: Vec<String>,
	namespaces: Vec<Namespace>,
	/// Arguments of each node, besides those that all nodes have.
	arguments: Vec<Vec<String>>,
	/// The number of the last block that all nodes agree on.
	checked: u64,
}

impl Testbed {
	/// Starts the validators Alice to Dave, and waits until they finalize blocks.
	pub async fn start(dir: &Path, pace: Pace) -> Self {
		let testbed = Self::boot_chain(dir, &Specification::local().with_pace(pace));
		testbed.finalizes(&[0, 1, 2, 3], 2, 2 * FINALITY).await;
		testbed
	}

	/// Starts the validators Alice to Dave of a chain.
	pub fn boot_chain(dir: &Path, specification: &Specification) -> Self {
		let mut testbed = Self {
			switch: Switch::new(TEST),
			record: Record::default(),
			nodes: Vec::new(),
			dir: dir.to_owned(),
			specification: dir.join("chain-spec.json"),
			bootnodes: Vec::new(),
			namespaces: Vec::new(),
			arguments: Vec::new(),
			checked: 0,
		};
		specification.write(&testbed.specification);
		for name in VALIDATORS {
			let flag = format!("--{name}");
			testbed.add(name, &["--validator", &flag]);
		}
		testbed.boot(&[0, 1, 2, 3]);
		testbed
	}

	/// Adds a node with these arguments, which does not run yet. Returns its number.
	pub fn add(&mut self, name: &str, arguments: &[&str]) -> usize {
		let number = self.nodes.len();
		let address = address(number);
		let (namespace, device) = Namespace::new(name, address);
		self.switch.connect(number, device);
		let peer = member::make_node_key(&self.dir.join(name));
		if number < VALIDATORS.len() {
			self.bootnodes.push(format!("/ip4/{address}/tcp/30333/p2p/{peer}"));
		}
		let url = format!("ws://{address}:9944");
		self.record.watch(name, &url);
		self.nodes.push(Member::new(name, &self.dir.join(name), url));
		self.namespaces.push(namespace);
		self.arguments.push(arguments.iter().map(|argument| (*argument).into()).collect());
		number
	}

	/// Gives a node other arguments, with which it starts the next time.
	pub fn equip(&mut self, number: usize, arguments: &[&str]) {
		self.arguments[number] = arguments.iter().map(|argument| (*argument).into()).collect();
	}

	/// Starts nodes at the same time, and waits until they serve JSON-RPC.
	pub fn boot(&mut self, numbers: &[usize]) {
		let mut begins = Vec::new();
		for number in numbers {
			let command = self.command(*number);
			begins.push(self.nodes[*number].spawn(command));
		}
		block_in_place(|| {
			for (number, begin) in numbers.iter().zip(begins) {
				self.nodes[*number].wait(begin);
			}
		});
	}

	fn command(&self, number: usize) -> Command {
		let name = &self.nodes[number].name;
		let mut command = self.namespaces[number].command();
		command.arg(program(member::NODE));
		member::add_arguments(&mut command, name, &self.dir.join(name), &self.specification);
		command
			.args(["--unsafe-rpc-external", "--rpc-methods", "unsafe", "--rpc-cors", "all"])
			.args(["--listen-addr", &format!("/ip4/{}/tcp/30333", address(number))])
			.args(&self.arguments[number]);
		let others = self.bootnodes.iter().enumerate().filter(|(other, _)| *other != number);
		for (_, bootnode) in others {
			command.args(["--bootnodes", bootnode]);
		}
		command
	}

	/// Returns a command that runs its further arguments in the network of a node, and so behind
	/// the same cuts.
	pub(crate) fn command_beside(&self, number: usize) -> Command {
		self.namespaces[number].command()
	}

	/// Writes a specification of the chain that has one validator as its only bootnode.
	pub(super) fn specification_of(&self, number: usize) -> PathBuf {
		let path = self.dir.join(&self.nodes[number].name).join("chain-spec.json");
		let chain = Specification::read(&self.specification);
		chain.with_bootnodes(&self.bootnodes[number..=number]).write(&path);
		path
	}

	/// Kills nodes as `kill -9` does.
	pub fn kill(&mut self, numbers: &[usize]) {
		for number in numbers {
			self.nodes[*number].kill();
		}
	}

	/// Removes the data of a node that does not run, but not the key of its address.
	pub fn wipe(&self, number: usize) {
		let node = &self.nodes[number];
		assert!(!node.is_started(), "{} runs", node.name);
		std::fs::remove_dir_all(self.dir.join(&node.name).join("data")).expect("data is removed");
	}

	/// Waits until these nodes have finalized `more` blocks after the last block that any node has
	/// finalized. Returns the time that it took.
	pub async fn finalizes(&self, numbers: &[usize], more: u64, timeout: Duration) -> Duration {
		self.reaches(numbers, self.record.height() + more, timeout).await
	}

	/// Waits until these nodes have finalized a block of this number. Returns the time that it
	/// took.
	pub async fn reaches(&self, numbers: &[usize], target: u64, timeout: Duration) -> Duration {
		let start = Instant::now();
		let lags = |number: &usize| self.record.head(&self.nodes[*number].name) < target;
		while numbers.iter().any(lags) {
			assert!(
				start.elapsed() < timeout,
				"block {target} is not final on all of {numbers:?} after {timeout:?}: {:?}, \
				 {:?}. The logs are in {}",
				self.record.heads(),
				self.record.errors(),
				self.dir.display()
			);
			tokio::time::sleep(PAUSE).await;
		}
		start.elapsed()
	}

	/// Returns the numbers of the nodes that run.
	pub fn running(&self) -> Vec<usize> {
		(0..self.nodes.len()).filter(|number| self.nodes[*number].is_started()).collect()
	}

	/// Waits until all nodes that run finalize blocks. Then checks that they agree on the blocks
	/// that were finalized since the last time, and on their states, and checks the last of these
	/// states.
	pub async fn agree(&mut self) {
		let running = self.running();
		self.finalizes(&running, 1, FINALITY).await;
		let blocks = self.record.blocks().split_off(&(self.checked + 1));
		let mut agreed: Option<Vec<_>> = None;
		for number in running {
			let node = &self.nodes[number];
			let raw = node.connect().await;
			let last = self.record.head(&node.name);
			let mut roots = Vec::new();
			for (height, hash) in blocks.iter().filter(|(height, _)| **height <= last) {
				assert_eq!(raw.block_hash(*height).await, Some(*hash), "{} at {height}", node.name);
				roots.push(raw.header(*hash).await.1);
			}
			if agreed.is_none() {
				let (_, last) = blocks.range(..=last).next_back().expect("one was finalized now");
				check_invariants(&raw, *last).await;
			}
			let common = agreed.get_or_insert_with(|| roots.clone());
			common.truncate(roots.len());
			assert_eq!(*common, roots[..common.len()], "states of {}", node.name);
		}
		assert_eq!(self.record.disagreements(), Vec::<String>::new());
		self.checked +=
			u64::try_from(agreed.map_or(0, |roots| roots.len())).expect("there is room");
	}
}

/// Checks what `try_state` of the pallet checks, in the state of a block.
async fn check_invariants(node: &Raw, block: H256) {
	let top = node.pairs(&[], Some(block)).await;
	let mut state = TestExternalities::new(Storage { top, ..Default::default() });
	let checked = state.execute_with(ContentFabric::do_try_state);
	checked.unwrap_or_else(|broken| panic!("the state of block {block:?}: {broken:?}"));
}

/// Returns the address of a node.
fn address(number: usize) -> Ipv4Addr {
	let last = u8::try_from(number + 1).expect("there are few nodes");
	Ipv4Addr::new(10, 77, 0, last)
}

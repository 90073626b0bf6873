// SPDX-License-Identifier: Apache-2.0
//! Motions of the council, whose members are Alice, Bob and Charlie on a development chain, and
//! Alice to Eve on the chain `local`.

use content_fabric_client::{
	chain::{
		calls::{self, Call, EncodedCall},
		Error, Weight,
	},
	keys::Signer,
};
use serde_json::Value;
use subxt::{
	ext::codec::{Decode, Encode},
	utils::H256,
};
use tokio::task::block_in_place;

use crate::{
	client::{signer, Client},
	process::fabric_json,
	raw::storage_value,
};

/// The members whose votes are more than half of a council of three.
pub const TWO_OF_THREE: &[&str] = &["//Alice", "//Bob"];
/// The members whose votes are more than half of a council of five.
pub const THREE_OF_FIVE: &[&str] = &["//Alice", "//Bob", "//Charlie"];
/// The members whose votes are two thirds of a council of five.
pub const FOUR_OF_FIVE: &[&str] = &["//Alice", "//Bob", "//Charlie", "//Dave"];
/// The weight that a motion may have.
const WEIGHT_BOUND: Weight = Weight { ref_time: 10_000_000_000, proof_size: 1_000_000 };

/// Members of the council whose votes decide, and the connection through which they act.
pub struct Council<'a> {
	client: &'a Client,
	members: Vec<Signer>,
}

/// A motion that the council votes on.
pub struct Motion {
	call: EncodedCall,
	index: u32,
}

impl Motion {
	fn length_bound(&self) -> u32 {
		u32::try_from(self.call.bytes().len()).expect("the call is short")
	}
}

impl<'a> Council<'a> {
	/// Has these members act through a connection.
	pub fn new(client: &'a Client, members: &[&str]) -> Self {
		Self { client, members: members.iter().map(|member| signer(member)).collect() }
	}

	fn ends(&self) -> (&Signer, &Signer) {
		self.members.first().zip(self.members.last()).expect("somebody votes")
	}

	/// Has the first of the members propose a call, and vote for it.
	pub async fn propose(&self, call: impl Call) -> Motion {
		let (first, _) = self.ends();
		let motion = Motion { call: self.client.encode(call), index: self.next_index().await };
		let (proposal, length_bound) = (motion.call.clone(), motion.length_bound());
		let threshold = self.members.len().try_into().expect("councils are small");
		let propose = calls::Propose { threshold, proposal, length_bound };
		let calls = [self.client.encode(propose), self.vote(&motion)];
		let included = self.client.submit(first, self.client.batch(calls)).await;
		let proposed = included.events.iter().find(|event| event.name == "Proposed");
		let proposed = proposed.expect("the motion is proposed");
		let hash = format!("0x{}", hex::encode(motion.call.hash()));
		assert_eq!(proposed.text("proposal_hash"), hash);
		motion
	}

	/// Returns the index of the next motion. A vote with another index is refused.
	async fn next_index(&self) -> u32 {
		let key = storage_value("Council", "ProposalCount");
		let count = self.client.chain.rpc().state_get_storage(&key, None).await;
		let count = count.expect("the node answers").unwrap_or_else(|| 0u32.encode());
		u32::decode(&mut &count[..]).expect("motions are numbered")
	}

	/// Has the others vote for a motion, and the last of them close it, which dispatches its call.
	/// Returns the hash of the block. Fails if the call fails.
	pub async fn carry(&self, motion: &Motion) -> Result<H256, Error> {
		let (_, last) = self.ends();
		for member in &self.members[1..self.members.len() - 1] {
			self.client.try_submit(member, &self.vote(motion)).await?;
		}
		let close = calls::Close {
			proposal_hash: motion.call.hash(),
			index: motion.index,
			proposal_weight_bound: WEIGHT_BOUND,
			length_bound: motion.length_bound(),
		};
		let calls = [self.vote(motion), self.client.encode(close)];
		let calls = self.client.encode(self.client.batch(calls));
		let included = self.client.try_submit(last, &calls).await?;
		assert!(included.events.iter().any(|event| event.name == "Executed"), "it is carried");
		Ok(H256(included.block_hash))
	}

	/// Has the members propose a call and carry it. Returns the hash of the block.
	pub async fn enact(&self, call: impl Call) -> H256 {
		let motion = self.propose(call).await;
		self.carry(&motion).await.expect("the call of the motion succeeds")
	}

	fn vote(&self, motion: &Motion) -> EncodedCall {
		let (proposal, index) = (motion.call.hash(), motion.index);
		self.client.encode(calls::Vote { proposal, index, approve: true })
	}
}

/// Has the council create a space of this name, which Alice governs. Returns the report of the last
/// step.
pub fn create_space(url: &str, members: &[&str], name: &str) -> Value {
	let governor = signer("//Alice").account().to_string();
	block_in_place(|| {
		carry(url, members, &["space", "create", "--name", name, "--governor", &governor])
	})
}

/// Has the first of these members propose a command of the client to the council, all vote for it,
/// and the last close the motion. Returns the report of the last step.
pub fn carry(url: &str, members: &[&str], command: &[&str]) -> Value {
	support(url, members, command);
	let last = members.last().expect("somebody votes");
	fabric_json(url, &step(command, "close", last))
}

/// Has the first of these members propose a command of the client to the council, and all vote for
/// it.
pub fn support(url: &str, members: &[&str], command: &[&str]) {
	let first = members.first().expect("somebody votes");
	fabric_json(url, &step(command, "propose", first));
	for member in members {
		fabric_json(url, &step(command, "vote", member));
	}
}

/// Returns the command for a member's step of a motion.
pub fn step<'a>(command: &[&'a str], step: &'a str, member: &'a str) -> Vec<&'a str> {
	[command, &["--council", step, "--signer", member]].concat()
}

/// Returns the calls by which two thirds of the council make a call as root.
pub fn as_root(client: &Client, call: impl Call) -> [EncodedCall; 2] {
	let call = client.encode(call);
	[
		client.encode(calls::WhitelistCall { call_hash: call.hash() }),
		client.encode(calls::DispatchWhitelistedCall { call }),
	]
}

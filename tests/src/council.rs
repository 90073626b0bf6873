//! Motions of the council, whose members on a development chain are Alice, Bob and Charlie.

use content_fabric_client::{
	chain::{
		calls::{self, Call, EncodedCall},
		Weight,
	},
	keys::Signer,
	Error,
};

use crate::client::{signer, Client};

/// Number of votes that more than half of the council has.
const MAJORITY: u32 = 2;
/// The weight that a motion may have.
const WEIGHT_BOUND: Weight = Weight { ref_time: 10_000_000_000, proof_size: 1_000_000 };

/// Two members of the council, and the connection through which they act.
pub struct Council<'a> {
	client: &'a Client,
	alice: Signer,
	bob: Signer,
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
	/// Acts through a connection.
	pub fn new(client: &'a Client) -> Self {
		Self { client, alice: signer("//Alice"), bob: signer("//Bob") }
	}

	/// Has Alice propose a call, and vote for it.
	pub async fn propose(&self, call: impl Call) -> Motion {
		let mut motion = Motion { call: self.client.encode(call), index: 0 };
		let (proposal, length_bound) = (motion.call.clone(), motion.length_bound());
		let propose = calls::Propose { threshold: MAJORITY, proposal, length_bound };
		let included = self.client.submit(&self.alice, propose).await;
		let proposed = included.events.iter().find(|event| event.name == "Proposed");
		let proposed = proposed.expect("the motion is proposed");
		let hash = format!("0x{}", hex::encode(motion.call.hash()));
		assert_eq!(proposed.text("proposal_hash"), hash);
		let index = proposed.field("proposal_index").and_then(|index| index.as_u64());
		motion.index = index.and_then(|index| index.try_into().ok()).expect("motions are numbered");
		self.vote(&self.alice, &motion).await;
		motion
	}

	/// Has Bob vote for a motion and close it, which dispatches its call. Fails if that fails.
	pub async fn carry(&self, motion: &Motion) -> Result<(), Error> {
		self.vote(&self.bob, motion).await;
		let close = calls::Close {
			proposal_hash: motion.call.hash(),
			index: motion.index,
			proposal_weight_bound: WEIGHT_BOUND,
			length_bound: motion.length_bound(),
		};
		let included = self.client.try_submit(&self.bob, &self.client.encode(close)).await?;
		assert!(included.events.iter().any(|event| event.name == "Executed"), "it is carried");
		Ok(())
	}

	async fn vote(&self, voter: &Signer, motion: &Motion) {
		let (proposal, index) = (motion.call.hash(), motion.index);
		self.client.submit(voter, calls::Vote { proposal, index, approve: true }).await;
	}
}

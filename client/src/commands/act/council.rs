//! Motions of the council. Each run of a command holds the key of one member, and makes the same
//! call anew, so that its hash finds the motion.

use clap::ValueEnum;

use crate::{
	chain::{
		calls::{BatchAll, Close, EncodedCall, Propose, ReleaseProposalCost, Vote},
		limits::Weight,
		rows::{self, Votes},
		Included, Snapshot,
	},
	Error,
};

/// A step of a motion of the council.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum CouncilStep {
	/// Propose the call as a motion
	Propose,
	/// Vote on the motion with this call
	Vote,
	/// Close the motion with this call, which dispatches it if enough members approve, and release
	/// the proposer's deposit
	Close,
}

/// Wraps a call in a step of its motion.
pub async fn wrap(
	at: &Snapshot,
	step: CouncilStep,
	threshold: Option<u32>,
	approve: bool,
	call: &EncodedCall,
) -> Result<EncodedCall, Error> {
	if at.metadata().pallet_by_name("Council").is_none() {
		return Err(Error::Metadata { what: "pallet Council".into() });
	}
	let length_bound = u32::try_from(call.bytes().len()).unwrap_or(u32::MAX);
	match step {
		CouncilStep::Propose => {
			let threshold = match threshold {
				Some(threshold) => threshold,
				None => majority(at).await?,
			};
			at.encode(Propose { threshold, proposal: call.clone(), length_bound })
		},
		CouncilStep::Vote => {
			let index = motion(at, call).await?.index;
			at.encode(Vote { proposal: call.hash(), index, approve })
		},
		CouncilStep::Close => close(at, call, length_bound).await,
	}
}

/// Closes a motion, and releases its deposit in the same transaction. The chain does not do that by
/// itself, and a later run may not be able to make the call again: it may have deleted its target.
/// Where the motion has ended by other means, only its deposit is left to release.
async fn close(at: &Snapshot, call: &EncodedCall, length_bound: u32) -> Result<EncodedCall, Error> {
	let proposal_hash = call.hash();
	let release = match at.contains(&rows::motion_deposits(), (proposal_hash,)).await? {
		true => Some(at.encode(ReleaseProposalCost { proposal_hash })?),
		false => None,
	};
	let (index, release) = match (motion(at, call).await, release) {
		(Err(Error::NoMotion { .. }), Some(release)) => return Ok(release),
		(motion, release) => (motion?.index, release),
	};
	let weight = at.weight_and_fee(call, call.bytes().len()).await?;
	let proposal_weight_bound =
		weight.map_or(Weight { ref_time: 0, proof_size: 0 }, |(weight, _)| weight);
	let close = at.encode(Close { proposal_hash, index, proposal_weight_bound, length_bound })?;
	match release {
		Some(release) => at.encode(BatchAll { calls: vec![close, release] }),
		None => Ok(close),
	}
}

/// Returns the smallest number of members that is more than half.
pub async fn majority(at: &Snapshot) -> Result<u32, Error> {
	let members = at.get(&rows::council(), ()).await?.unwrap_or_default();
	Ok(u32::try_from(members.len() / 2 + 1).unwrap_or(u32::MAX))
}

async fn motion(at: &Snapshot, call: &EncodedCall) -> Result<Votes, Error> {
	let hash = call.hash();
	let missing = || Error::NoMotion { hash: hex::encode(hash) };
	at.get(&rows::votes(), (hash,)).await?.ok_or_else(missing)
}

/// Checks that the council has approved a motion that was closed.
pub fn ensure_approved(included: &Included) -> Result<(), Error> {
	let is_disapproved =
		|event: &crate::chain::ChainEvent| event.pallet == "Council" && event.name == "Disapproved";
	match included.events.iter().any(is_disapproved) {
		true => Err(Error::Dispatch {
			call: "Council.close".into(),
			reason: "the motion was closed without enough votes for it".into(),
		}),
		false => Ok(()),
	}
}

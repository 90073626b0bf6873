// SPDX-License-Identifier: Apache-2.0
//! Motions of the council. Each run of a command holds the key of one member, and makes the same
//! call anew, so that its hash finds the motion.

use clap::ValueEnum;
use content_fabric_client::chain::{
	self,
	calls::{
		BatchAll, Close, DispatchWhitelistedCall, EncodedCall, Propose, ReleaseProposalCost, Vote,
		WhitelistCall,
	},
	rows::{self, Votes},
	Included, Snapshot, Weight,
};

use crate::{
	commands::{Action, Authority},
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

/// Wraps the call of an action in a step of its motion.
pub async fn wrap(
	at: &Snapshot,
	step: CouncilStep,
	threshold: Option<u32>,
	approve: bool,
	action: &Action,
) -> Result<EncodedCall, Error> {
	if at.metadata().pallet_by_name("Council").is_none() {
		return Err(chain::Error::Metadata("pallet Council".into()).into());
	}
	let call = &proposal(at, action)?;
	let length_bound = u32::try_from(call.bytes().len()).unwrap_or(u32::MAX);
	Ok(match step {
		CouncilStep::Propose => {
			let threshold = match threshold {
				Some(threshold) => threshold,
				None => self::threshold(at, action.authority).await?,
			};
			at.encode(Propose { threshold, proposal: call.clone(), length_bound })?
		},
		CouncilStep::Vote => {
			let index = motion(at, call).await?.index;
			at.encode(Vote { proposal: call.hash(), index, approve })?
		},
		CouncilStep::Close => close(at, call, length_bound).await?,
	})
}

/// Closes a motion, and releases its deposit in the same transaction. The chain does not do that by
/// itself, and a later run may not be able to make the call again: it may have deleted its target.
/// If the motion has ended by other means, only its deposit is left to release.
async fn close(at: &Snapshot, call: &EncodedCall, length_bound: u32) -> Result<EncodedCall, Error> {
	let proposal_hash = call.hash();
	let release = match at.contains(rows::motion_deposits(), (proposal_hash,)).await? {
		true => Some(at.encode(ReleaseProposalCost { proposal_hash })?),
		false => None,
	};
	let (index, release) = match (motion(at, call).await, release) {
		(Err(Error::NoMotion(_)), Some(release)) => return Ok(release),
		(motion, release) => (motion?.index, release),
	};
	let weight = at.weight_and_fee(call, call.bytes().len()).await?;
	let proposal_weight_bound =
		weight.map_or(Weight { ref_time: 0, proof_size: 0 }, |(weight, _)| weight);
	let close = at.encode(Close { proposal_hash, index, proposal_weight_bound, length_bound })?;
	Ok(match release {
		Some(release) => at.encode(BatchAll { calls: vec![close, release] })?,
		None => close,
	})
}

/// Returns the call that is proposed to the council. For root it whitelists the
/// call and dispatches it.
fn proposal(at: &Snapshot, action: &Action) -> Result<EncodedCall, Error> {
	let call = action.call.clone();
	if action.authority != Authority::Root {
		return Ok(call);
	}
	let calls = vec![
		at.encode(WhitelistCall { call_hash: call.hash() })?,
		at.encode(DispatchWhitelistedCall { call })?,
	];
	Ok(at.encode(BatchAll { calls })?)
}

/// Returns the smallest number of members whose votes suffice for an authority.
pub async fn threshold(at: &Snapshot, authority: Authority) -> Result<u32, Error> {
	let members = at.get(rows::council(), ()).await?.unwrap_or_default();
	let members = u32::try_from(members.len()).unwrap_or(u32::MAX);
	Ok(match authority {
		Authority::Root => two_thirds(members),
		_ => members / 2 + 1,
	})
}

/// Returns the smallest number that is at least two thirds of another one.
const fn two_thirds(members: u32) -> u32 {
	members - members / 3
}

async fn motion(at: &Snapshot, call: &EncodedCall) -> Result<Votes, Error> {
	let hash = call.hash();
	let missing = || Error::NoMotion(hash);
	at.get(rows::votes(), (hash,)).await?.ok_or_else(missing)
}

/// Checks that the council has approved a motion that was closed.
pub fn ensure_approved(included: &Included) -> Result<(), Error> {
	let is_disapproved =
		|event: &chain::ChainEvent| event.pallet == "Council" && event.name == "Disapproved";
	match included.events.iter().any(is_disapproved) {
		true => Err(chain::Error::Dispatch {
			call: "Council.close".into(),
			reason: "the motion was closed without enough votes for it".into(),
		}
		.into()),
		false => Ok(()),
	}
}

#[cfg(test)]
mod tests {
	use super::two_thirds;

	#[test]
	fn two_thirds_are_rounded_up() {
		let needed: Vec<u32> = (1..=7).map(two_thirds).collect();
		assert_eq!(needed, [1, 2, 2, 3, 4, 4, 5]);
		for members in 0..1_000 {
			let needed = two_thirds(members);
			assert!(3 * needed >= 2 * members, "{needed} of {members}");
			assert!(needed == 0 || 3 * (needed - 1) < 2 * members, "{needed} of {members}");
		}
	}
}

// SPDX-License-Identifier: Apache-2.0
//! The room for a transaction in a block of the chain.

use scale_decode::DecodeAsType;

use super::{calls::EncodedCall, Error, Snapshot, Weight};

/// The room for a transaction of this client: half of what the chain permits a transaction, so that
/// other transactions fit into the block, and so do signature and extensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
	weight: Weight,
	length: u64,
}

/// `System.BlockWeights`.
#[derive(DecodeAsType)]
struct BlockWeights {
	max_block: Weight,
	per_class: PerClass<ClassWeights>,
}

/// `System.BlockLength`.
#[derive(DecodeAsType)]
struct BlockLength {
	max: PerClass<u32>,
}

#[derive(DecodeAsType)]
struct PerClass<T> {
	normal: T,
}

#[derive(DecodeAsType)]
struct ClassWeights {
	max_extrinsic: Option<Weight>,
	max_total: Option<Weight>,
}

impl Room {
	/// Reads the limits from the chain's metadata.
	pub fn read(at: &Snapshot) -> Result<Self, Error> {
		let weights: BlockWeights = at.constant("System", "BlockWeights")?;
		let length: BlockLength = at.constant("System", "BlockLength")?;
		Ok(Self::of(&weights, &length))
	}

	fn of(weights: &BlockWeights, length: &BlockLength) -> Self {
		let limits = &weights.per_class.normal;
		let limit = limits.max_extrinsic.or(limits.max_total).unwrap_or(weights.max_block);
		Self {
			weight: Weight { ref_time: limit.ref_time / 2, proof_size: limit.proof_size / 2 },
			length: u64::from(length.max.normal) / 2,
		}
	}

	/// Returns whether there is room for a call.
	pub async fn is_enough_for(&self, at: &Snapshot, call: &EncodedCall) -> Result<bool, Error> {
		// A runtime that does not report weights rejects a call that it has no room for.
		let length = call.bytes().len();
		let weight = at.weight_and_fee(call, length).await?.map(|(weight, _)| weight);
		Ok(self.holds(weight, length))
	}

	fn holds(&self, weight: Option<Weight>, length: usize) -> bool {
		let length = u64::try_from(length).unwrap_or(u64::MAX);
		weight.is_none_or(|weight| weight.is_within(self.weight)) && length <= self.length
	}
}

/// Returns the number from 1 to `most` with which there is room for a call: `most`, or its half,
/// and so on.
pub async fn number_with_room(
	at: &Snapshot,
	most: u32,
	call: impl Fn(u32) -> Result<EncodedCall, Error>,
) -> Result<u32, Error> {
	let room = Room::read(at)?;
	let mut number = most.max(1);
	while number > 1 && !room.is_enough_for(at, &call(number)?).await? {
		number = number.div_ceil(2);
	}
	Ok(number)
}

#[cfg(test)]
mod tests {
	use super::*;

	const fn weight(ref_time: u64, proof_size: u64) -> Weight {
		Weight { ref_time, proof_size }
	}

	fn room(max_extrinsic: Option<Weight>, max_total: Option<Weight>) -> Room {
		let weights = BlockWeights {
			max_block: weight(2_000, u64::MAX),
			per_class: PerClass { normal: ClassWeights { max_extrinsic, max_total } },
		};
		Room::of(&weights, &BlockLength { max: PerClass { normal: 500 } })
	}

	#[test]
	fn a_transaction_takes_half_of_the_narrowest_limit() {
		let extrinsic = Some(weight(1_000, 100));
		let total = Some(weight(1_500, u64::MAX));
		assert_eq!(room(extrinsic, total), Room { weight: weight(500, 50), length: 250 });
		assert_eq!(room(None, total).weight.ref_time, 750);
		assert_eq!(room(None, None).weight.ref_time, 1_000);

		let room = room(extrinsic, total);
		for (used, length, holds) in [
			(Some(weight(500, 50)), 250, true),
			(Some(weight(501, 50)), 250, false),
			(Some(weight(500, 51)), 250, false),
			(Some(weight(500, 50)), 251, false),
			(None, 250, true),
			(None, 251, false),
		] {
			assert_eq!(room.holds(used, length), holds, "{used:?}, {length}");
		}
	}
}

// SPDX-License-Identifier: Apache-2.0
//! Limits of the chain: the room for a transaction in a block, and the lengths of texts. A node
//! refuses a call with a longer text without a clear reason, so this client checks texts before the
//! first transaction.

use scale_decode::DecodeAsType;
use scale_encode::EncodeAsType;

use super::{calls::EncodedCall, Error, Snapshot};

/// Computing time in picoseconds, and size of the storage proof in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DecodeAsType, EncodeAsType)]
pub struct Weight {
	/// Computing time.
	pub ref_time: u64,
	/// Size of the proof.
	pub proof_size: u64,
}

impl Weight {
	/// Returns whether neither part exceeds its limit.
	fn is_within(self, limit: Self) -> bool {
		self.ref_time <= limit.ref_time && self.proof_size <= limit.proof_size
	}
}

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

/// A limit on the length of a text, a constant of the pallet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextLimit {
	/// The limit on reasons of governance.
	Reason,
	/// The limit on service levels.
	Sla,
	/// The limit on the locators of nodes and KMSes.
	Locator,
	/// The limit on the names of collections.
	CollectionName,
	/// The limit on record keys.
	RecordKey,
}

impl TextLimit {
	/// Returns the name of the constant.
	const fn constant(self) -> &'static str {
		match self {
			Self::Reason => "MaxReasonLen",
			Self::Sla => "MaxSlaLen",
			Self::Locator => "MaxLocatorLen",
			Self::CollectionName => "MaxCollectionNameLen",
			Self::RecordKey => "MaxRecordKeyLen",
		}
	}

	/// Checks that the chain accepts a text of this length. `option` is its name on the command
	/// line.
	pub fn ensure(self, at: &Snapshot, option: &'static str, text: &str) -> Result<(), Error> {
		ensure_fits(option, text, at.constant("ContentFabric", self.constant())?)
	}
}

fn ensure_fits(option: &'static str, text: &str, limit: u32) -> Result<(), Error> {
	let length = text.len();
	if u32::try_from(length).is_ok_and(|length| length <= limit) {
		return Ok(());
	}
	Err(Error::Usage(format!(
		"{option} is too long: it has {length} bytes, and the chain accepts at most {limit}"
	)))
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

	#[test]
	fn texts_are_measured_in_bytes_and_errors_name_option_length_and_limit() {
		for text in ["", "abcd", "éé"] {
			assert!(ensure_fits("--sla", text, 4).is_ok(), "{text}");
		}
		let error = ensure_fits("--sla", "ééa", 4).expect_err("it has five bytes");
		assert_eq!(
			error.to_string(),
			"--sla is too long: it has 5 bytes, and the chain accepts at most 4"
		);
	}
}

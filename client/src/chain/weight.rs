// SPDX-License-Identifier: Apache-2.0
//! The weight of a call.

use scale_decode::DecodeAsType;
use scale_encode::EncodeAsType;

/// Computing time in picoseconds, and size of the storage proof in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DecodeAsType, EncodeAsType)]
pub struct Weight {
	/// Computing time.
	pub ref_time: u64,
	/// Size of the proof.
	pub proof_size: u64,
}

impl Weight {
	/// Returns whether neither part is more than that of a limit.
	pub(super) fn is_within(self, limit: Self) -> bool {
		self.ref_time <= limit.ref_time && self.proof_size <= limit.proof_size
	}
}

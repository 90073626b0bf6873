// SPDX-License-Identifier: Apache-2.0
//! What tests of networks need of a runtime, and no chain should have.

use core::hint::black_box;

use frame_support::traits::Contains;

use crate::RuntimeCall;

/// What a remark begins with that keeps a node busy. The rounds follow, as a number of eight bytes,
/// little-endian.
const SPIN: &[u8] = b"spin";

/// Has remarks take time that their weight does not count. Refuses nothing.
pub struct Spin;

impl Contains<RuntimeCall> for Spin {
	fn contains(call: &RuntimeCall) -> bool {
		if let RuntimeCall::System(frame_system::Call::remark { remark }) = call {
			let rounds = remark.strip_prefix(SPIN).and_then(|rounds| rounds.try_into().ok());
			(0..rounds.map_or(0, u64::from_le_bytes)).for_each(|round| {
				black_box(round);
			});
		}
		true
	}
}

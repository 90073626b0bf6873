// SPDX-License-Identifier: Apache-2.0
//! Encoded calls.

use content_fabric_client::chain::calls::EncodedCall;

answers! {
	/// A call, encoded for a runtime.
	Encoded of (EncodedCall, u32) = (call, spec_version) => {
		/// The pallet and the call, such as `ContentFabric.reap`.
		name: String = call.name(),
		/// The index of the pallet, that of the call, and the arguments: `0x` and hex digits.
		call: String = format!("0x{}", hex::encode(call.bytes())),
		/// The version of the runtime.
		spec_version: u32 = spec_version,
	}
}

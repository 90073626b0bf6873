// SPDX-License-Identifier: Apache-2.0
//! Encoded calls.

use content_fabric_client::chain::calls::EncodedCall;
use serde::Serialize;
use utoipa::ToSchema;

/// A call, encoded for a runtime.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Encoded {
	/// The pallet and the call, such as `ContentFabric.reap`.
	pub name: String,
	/// The index of the pallet, that of the call, and the arguments: `0x` and hex digits.
	pub call: String,
	/// The version of the runtime.
	pub spec_version: u32,
}

impl Encoded {
	pub(crate) fn new(call: &EncodedCall, spec_version: u32) -> Self {
		let hex = format!("0x{}", hex::encode(call.bytes()));
		Self { name: call.name(), call: hex, spec_version }
	}
}

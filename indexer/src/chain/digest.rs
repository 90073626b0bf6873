// SPDX-License-Identifier: Apache-2.0
//! Replacements of the runtime, from the digest of a header.

use subxt::config::substrate::{DigestItem, SubstrateHeader, H256};

/// Returns whether a block replaces the runtime. The block itself is executed by the one before.
pub(super) fn replaces_runtime(header: &SubstrateHeader<H256>) -> bool {
	header.digest.logs.contains(&DigestItem::RuntimeEnvironmentUpdated)
}

#[cfg(test)]
mod tests {
	use serde_json::json;

	use super::*;

	#[test]
	fn a_new_runtime_is_found_among_other_items() {
		// Aura's slot, and the seal.
		let (slot, seal) = ("0x0661757261200102030405060708", "0x05617572610401");
		for (logs, replaces) in [
			(vec![], false),
			(vec![slot, seal], false),
			(vec![slot, "0x08", seal], true),
			// Something else with the same byte in it.
			(vec!["0x000408"], false),
		] {
			let zero = format!("0x{}", "00".repeat(32));
			let header = json!({
				"parentHash": zero,
				"number": "0x2a",
				"stateRoot": zero,
				"extrinsicsRoot": zero,
				"digest": { "logs": logs },
			});
			let header = serde_json::from_value(header).expect("it is a header; qed");
			assert_eq!(replaces_runtime(&header), replaces, "{logs:?}");
		}
	}
}

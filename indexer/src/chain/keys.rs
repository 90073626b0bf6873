// SPDX-License-Identifier: Apache-2.0
//! Storage keys of single values.

use sp_crypto_hashing::twox_128;

use crate::source::SourceError;

/// The name of the pallet.
pub(super) const PALLET: &str = "ContentFabric";

/// The events of a block.
pub(super) const EVENTS: Item = Item { pallet: "System", name: "Events" };
/// The time of a block.
pub(super) const NOW: Item = Item { pallet: "Timestamp", name: "Now" };
/// The version of the pallet's storage.
pub(super) const STORAGE_VERSION: Item = Item { pallet: PALLET, name: ":__STORAGE_VERSION__:" };

/// A single value in the chain's storage.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
	pallet: &'static str,
	name: &'static str,
}

impl Item {
	/// Returns the storage key of the value.
	pub fn storage_key(self) -> Vec<u8> {
		[twox_128(self.pallet.as_bytes()), twox_128(self.name.as_bytes())].concat()
	}

	/// Returns the error of a value that does not have the expected type.
	pub fn unreadable(self, block: u64) -> SourceError {
		let Self { pallet, name } = self;
		SourceError::Unknown(format!("{pallet}.{name} of block {block} has an unknown shape"))
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn storage_keys_are_those_of_the_runtime() {
		for (item, key) in [
			(EVENTS, "26aa394eea5630e07c48ae0c9558cef780d41e5e16056765bc8461851072c9d7"),
			(NOW, "f0c365c3cf59d671eb72da0e7a4113c49f1f0515f462cdcf84e0f1d6045dfcbb"),
		] {
			assert_eq!(hex::encode(item.storage_key()), key);
		}
		let key = hex::encode(STORAGE_VERSION.storage_key());
		assert!(key.ends_with("4e7b9012096b41c4eb3aaf947f6ea429"), "{key}");
	}
}

// SPDX-License-Identifier: Apache-2.0
//! States of the pallet's storage version 1, and what the migration to version 2 must make of them.
//!
//! Both know the layouts by their bytes alone, and share no code with the pallet. The runtime's own
//! tests migrate such states in a chain without a node; the end-to-end tests put them into the
//! genesis of a network, and upgrade it.

#![deny(missing_docs)]

use std::collections::BTreeMap;

use codec::{DecodeAll, Encode};
use sp_crypto_hashing::twox_128;

mod expected;
mod state;

pub use expected::{after, Expected};
pub use state::Old;

/// An account.
pub type AccountId = [u8; 32];
/// Storage keys of the pallet, with their values.
pub type Rows = BTreeMap<Vec<u8>, Vec<u8>>;
/// Funds on hold, by account and the index of the reason.
pub type Holds = BTreeMap<(AccountId, u8), u128>;

/// The id of a member.
type Id = [u8; 10];

/// The reasons of holds by index: bonds of providers, of tenants, and this.
const STORAGE_DEPOSIT: u8 = 2;
/// The key of the version of a pallet's storage.
const STORAGE_VERSION: &str = ":__STORAGE_VERSION__:";
/// Bytes of a member of version 2 before the counts of its rows, if nobody is nominated as its
/// root.
const BEFORE_COUNTS: usize = 10 + 32 + 1 + 4 * 16;

/// Returns the storage keys' common prefix of a map of the pallet.
pub fn map(name: &str) -> Vec<u8> {
	[twox_128(b"ContentFabric"), twox_128(name.as_bytes())].concat()
}

/// Replaces the block numbers that the migration writes by zero in rows of version 2. Each must be
/// one of these blocks.
pub fn without_blocks(mut rows: Rows, blocks: &core::ops::RangeInclusive<u32>) -> Rows {
	let maps = [("Providers", 2), ("Tenants", 6)].map(|(name, maps)| (map(name), maps));
	let purges = map("Purges");
	for (key, row) in &mut rows {
		if let Some((_, maps)) = maps.iter().find(|(map, _)| key.starts_with(map)) {
			let at = BEFORE_COUNTS + 4 * maps;
			if let Some([1, number @ ..]) = row.get_mut(at..at + 5) {
				let block = u32::from_le_bytes(number.try_into().expect("it has 4 bytes"));
				assert!(blocks.contains(&block), "a member is empty since {block}");
				number.fill(0);
			}
		} else if key.starts_with(&purges) {
			type Purge = (u32, u64, u32, Vec<u8>, u32);
			let (started, place, left, cursor, at) =
				Purge::decode_all(&mut &row[..]).expect("purges decode");
			assert!(blocks.contains(&started) && at == started, "a purge started at {started}");
			*row = (0u32, place, left, cursor, 0u32).encode();
		}
	}
	rows
}

/// Checks that rows are those expected. Compares them one by one, so that a failure shows the first
/// that differs.
pub fn assert_same(found: &Rows, expected: &Rows) {
	let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
	for (key, value) in expected {
		match found.get(key) {
			Some(row) => assert_eq!(hex(row), hex(value), "the row {}", hex(key)),
			None => panic!("the row {} is missing", hex(key)),
		}
	}
	let unexpected: Vec<_> = found.keys().filter(|key| !expected.contains_key(*key)).collect();
	let first = unexpected.first().map(|key| hex(key));
	assert!(unexpected.is_empty(), "{} rows are left over: {first:?}", unexpected.len());
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn a_state_has_as_many_rows_as_wanted_and_version_1() {
		let old = Old::random(1, 2_000, 1);
		assert!(old.rows.len() >= 2_000, "{} rows", old.rows.len());
		assert_eq!(old.rows[&map(STORAGE_VERSION)], 1u16.encode());
	}
}

// SPDX-License-Identifier: Apache-2.0
//! The keys of a store as keys of the host.
//!
//! The host's trie is damaged when a key is removed that it does not hold and that others begin
//! with. So no key of the host may be a prefix of another one: zeros in a key are escaped, and two
//! zeros end it. The order stays that of the keys.

use alloc::vec::Vec;

use bytes::{Buf, Bytes};

const END: [u8; 2] = [0, 0];
/// Follows a zero of the key.
const ESCAPE: u8 = 1;

/// Returns the host's key for a key.
pub(super) fn encode(prefix: &[u8], key: &[u8]) -> Vec<u8> {
	let mut encoded = encode_start(prefix, key);
	encoded.extend_from_slice(&END);
	encoded
}

/// Returns the beginning of the host's keys for all keys that begin with `start`. It is less than
/// the host's keys for keys that are not before `start`, and more than all others.
pub(super) fn encode_start(prefix: &[u8], start: &[u8]) -> Vec<u8> {
	// Room for a key of zeros only: cheaper than to count them.
	let mut encoded = Vec::with_capacity(prefix.len() + 2 * start.len() + END.len());
	encoded.extend_from_slice(prefix);
	let mut len = encoded.len();
	encoded.resize(len + 2 * start.len(), ESCAPE);
	// Without a branch, as packed keys have many zeros: the next byte takes the place of an escape.
	for byte in start {
		encoded[len] = *byte;
		len += 1 + usize::from(*byte == 0);
	}
	encoded.truncate(len);
	encoded
}

/// Returns the key of a host's key with a prefix of this many bytes.
pub(super) fn decode(mut encoded: Vec<u8>, prefix: usize) -> Bytes {
	encoded.truncate(encoded.len().saturating_sub(END.len()).max(prefix));
	// In place, without the byte after each zero.
	let (mut from, mut to) = (prefix, prefix);
	while let Some(byte) = encoded.get(from).copied() {
		encoded[to] = byte;
		to += 1;
		from += 1 + usize::from(byte == 0);
	}
	encoded.truncate(to);
	let mut key = Bytes::from(encoded);
	key.advance(prefix);
	key
}

#[cfg(test)]
mod tests {
	use super::*;

	/// All keys of up to four letters, of which the encoding treats some in a special way.
	fn keys() -> Vec<Vec<u8>> {
		let mut all = vec![Vec::new()];
		let mut longest = all.clone();
		for _ in 0..4 {
			longest = longest
				.iter()
				.flat_map(|key| [0, 1, 2, 0xff].map(|letter| [key.as_slice(), &[letter]].concat()))
				.collect();
			all.extend(longest.iter().cloned());
		}
		all.sort();
		all
	}

	#[test]
	fn no_key_is_a_prefix_of_another_and_order_is_kept() {
		let keys = keys();
		let encoded: Vec<_> = keys.iter().map(|key| encode(b"p", key)).collect();
		assert!(encoded.is_sorted());
		// In sorted order what begins with a key would follow it.
		assert!(encoded.windows(2).all(|pair| !pair[1].starts_with(&pair[0])));
		for (key, encoded) in keys.iter().zip(encoded) {
			assert_eq!(decode(encoded, 1), key);
		}
	}

	#[test]
	fn starts_are_between_the_keys() {
		let keys = keys();
		for start in &keys {
			let bound = encode_start(b"p", start);
			for key in &keys {
				let encoded = encode(b"p", key);
				assert_eq!(encoded > bound, key >= start);
				assert_eq!(encoded.starts_with(&bound), key.starts_with(start));
			}
		}
	}
}

//! The keys of a store as keys of the host.

use alloc::vec::Vec;

use bytes::{Buf, Bytes};

const END: u8 = 0x00;
/// Follows a zero that does not end the key.
const ESCAPE: u8 = 0xff;

/// The host's key for a key.
pub(super) fn encode(subspace: &[u8], key: &[u8]) -> Vec<u8> {
	let mut encoded = prefix(subspace, key);
	encoded.push(END);
	encoded
}

/// What the host's keys begin with for all keys that begin with a prefix.
pub(super) fn prefix(subspace: &[u8], prefix: &[u8]) -> Vec<u8> {
	let mut encoded = Vec::with_capacity(subspace.len() + prefix.len() + 4);
	encoded.extend_from_slice(subspace);
	let mut rest = prefix;
	while let Some(zero) = memchr::memchr(0, rest) {
		encoded.extend_from_slice(&rest[..=zero]);
		encoded.push(ESCAPE);
		rest = &rest[zero + 1..];
	}
	encoded.extend_from_slice(rest);
	encoded
}

/// The key of a host's key that has a subspace of this many bytes.
pub(super) fn decode(mut encoded: Vec<u8>, subspace: usize) -> Bytes {
	encoded.pop();
	let key = &encoded[subspace..];
	if memchr::memchr(0, key).is_some() {
		let mut decoded = Vec::with_capacity(key.len());
		let mut bytes = key.iter();
		while let Some(byte) = bytes.next() {
			decoded.push(*byte);
			if *byte == 0 {
				// The escape.
				bytes.next();
			}
		}
		return decoded.into();
	}
	let mut key = Bytes::from(encoded);
	key.advance(subspace);
	key
}

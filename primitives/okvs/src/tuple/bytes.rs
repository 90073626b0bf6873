// SPDX-License-Identifier: Apache-2.0
//! Bytes of items.

use alloc::vec::Vec;

/// Puts the first bytes of a short array. Cheaper than a slice whose length is known at run time
/// only, as a copy of a fixed length is a few instructions.
#[inline]
pub(super) fn put_head<const N: usize>(packed: &mut Vec<u8>, bytes: [u8; N], len: usize) {
	let end = packed.len() + len;
	packed.extend_from_slice(&bytes);
	packed.truncate(end);
}

/// Puts bytes in which every zero is followed by `ff`, and a zero at the end.
#[inline]
pub(super) fn put_escaped(packed: &mut Vec<u8>, bytes: &[u8]) {
	let mut rest = bytes;
	while let Some(zero) = memchr::memchr(0, rest) {
		let (head, tail) = rest.split_at(zero);
		packed.extend_from_slice(head);
		rest = put_zeros(packed, tail);
	}
	packed.extend_from_slice(rest);
	packed.extend_from_slice(&[super::code::END]);
}

/// Puts the zeros that bytes begin with, and returns what follows them.
fn put_zeros<'a>(packed: &mut Vec<u8>, bytes: &'a [u8]) -> &'a [u8] {
	const ZEROS: [u8; 64] = {
		let mut zeros = [0; 64];
		let mut i = 1;
		while i < zeros.len() {
			zeros[i] = super::code::ESCAPE;
			i += 2;
		}
		zeros
	};
	let count = bytes.iter().position(|byte| *byte != 0).unwrap_or(bytes.len());
	let mut left = 2 * count;
	while left > 0 {
		let len = left.min(ZEROS.len());
		packed.extend_from_slice(&ZEROS[..len]);
		left -= len;
	}
	&bytes[count..]
}

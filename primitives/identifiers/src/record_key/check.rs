// SPDX-License-Identifier: Apache-2.0
//! The rules of record keys, checked many bytes at a time.

use super::{ParseRecordKeyError, RecordKey, RecordKeySyntax};

/// Bytes that are checked together: a vector of every 64-bit processor.
const BLOCK: usize = 16;

impl RecordKeySyntax {
	#[inline(always)]
	pub(crate) const fn allows(self, byte: u8) -> bool {
		let colon = matches!(self, Self::PathSegment);
		byte.is_ascii_alphanumeric()
			|| matches!(byte, b'-' | b'.' | b'_' | b'~')
			|| colon && byte == b':'
	}
}

/// Returns zero if a byte is allowed, as [`RecordKeySyntax::allows`] does, but in operations that
/// processors have for vectors of bytes.
#[inline(always)]
fn excess<const COLON: bool>(byte: u8) -> u8 {
	// Each distance is zero for the bytes of its range.
	let letter = (byte | 0x20).wrapping_sub(b'a').saturating_sub(b'z' - b'a');
	let last = if COLON { b':' } else { b'9' };
	let mark_or_digit = byte.wrapping_sub(b'-').saturating_sub(last - b'-');
	let distance = letter.min(mark_or_digit).min(byte ^ b'_').min(byte ^ b'~');
	// The only byte from `-` to `:` that is never allowed.
	let slash = if byte == b'/' { u8::MAX } else { 0 };
	distance | slash
}

#[inline(always)]
fn allows_all<const COLON: bool>(bytes: &[u8]) -> bool {
	let is_clean = |excess: [u8; BLOCK]| excess.iter().fold(0, |all, byte| all | byte) == 0;
	if let Some(last) = bytes.last_chunk::<BLOCK>() {
		// The last block overlaps the one before, so that no byte is left over.
		let mut found = last.map(excess::<COLON>);
		for block in bytes.as_chunks::<BLOCK>().0 {
			for (found, byte) in found.iter_mut().zip(block) {
				*found |= excess::<COLON>(*byte);
			}
		}
		return is_clean(found);
	}
	// Both ends of a shorter key fill a block.
	if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
		let [first, last] = [first, last].map(|half: &[u8; 8]| u64::from_ne_bytes(*half));
		return is_clean(fill(first, last).map(excess::<COLON>));
	}
	if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
		let [first, last] =
			[first, last].map(|part: &[u8; 4]| u64::from(u32::from_ne_bytes(*part)));
		let half = first << 32 | last;
		return is_clean(fill(half, half).map(excess::<COLON>));
	}
	bytes.iter().all(|byte| excess::<COLON>(*byte) == 0)
}

#[inline(always)]
fn fill(first: u64, last: u64) -> [u8; BLOCK] {
	(u128::from(first) << 64 | u128::from(last)).to_ne_bytes()
}

#[inline]
pub(crate) fn check(bytes: &[u8], syntax: RecordKeySyntax) -> Result<(), ParseRecordKeyError> {
	let length = bytes.len().wrapping_sub(1) < RecordKey::MAX_LEN;
	let allowed = length
		&& match syntax {
			RecordKeySyntax::Unreserved => allows_all::<false>(bytes),
			RecordKeySyntax::PathSegment => allows_all::<true>(bytes),
		};
	if allowed && bytes != b"." && bytes != b".." {
		return Ok(());
	}
	Err(first_error(bytes, syntax))
}

#[cold]
fn first_error(bytes: &[u8], syntax: RecordKeySyntax) -> ParseRecordKeyError {
	if bytes.is_empty() {
		return ParseRecordKeyError::Empty;
	}
	if bytes.len() > RecordKey::MAX_LEN {
		return ParseRecordKeyError::TooLong { found: bytes.len() };
	}
	match bytes.iter().position(|byte| !syntax.allows(*byte)) {
		Some(at) => ParseRecordKeyError::Character { at },
		None => ParseRecordKeyError::Dots,
	}
}

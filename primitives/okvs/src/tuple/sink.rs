// SPDX-License-Identifier: Apache-2.0
//! Where packed bytes go.

use alloc::vec::Vec;

/// Takes packed bytes.
pub trait Sink {
	/// Takes bytes.
	fn put(&mut self, bytes: &[u8]);

	/// Takes the first bytes of a short array. Cheaper than [`Sink::put`] where the length is known
	/// at run time only.
	fn put_head<const N: usize>(&mut self, bytes: [u8; N], len: usize) {
		self.put(&bytes[..len]);
	}
}

impl Sink for Vec<u8> {
	#[inline]
	fn put(&mut self, bytes: &[u8]) {
		self.extend_from_slice(bytes);
	}

	#[inline]
	fn put_head<const N: usize>(&mut self, bytes: [u8; N], len: usize) {
		// Copies of a fixed length are a few instructions.
		let end = self.len() + len;
		self.extend_from_slice(&bytes);
		self.truncate(end);
	}
}

/// Counts bytes.
#[derive(Default)]
pub(super) struct Counter {
	pub count: usize,
}

impl Sink for Counter {
	fn put(&mut self, bytes: &[u8]) {
		self.count += bytes.len();
	}
}

/// Writes bytes into a buffer as long as they fit, and counts all of them.
pub(super) struct Buffer<'a> {
	pub bytes: &'a mut [u8],
	pub count: usize,
}

impl Sink for Buffer<'_> {
	fn put(&mut self, bytes: &[u8]) {
		let end = self.count + bytes.len();
		if let Some(free) = self.bytes.get_mut(self.count..end) {
			free.copy_from_slice(bytes);
		}
		self.count = end;
	}
}

/// Puts bytes in which every zero is followed by `ff`, and a zero at the end.
#[inline]
pub(super) fn put_escaped(sink: &mut impl Sink, bytes: &[u8]) {
	let mut rest = bytes;
	while let Some(zero) = memchr::memchr(0, rest) {
		let (head, tail) = rest.split_at(zero);
		sink.put(head);
		rest = put_zeros(sink, tail);
	}
	sink.put(rest);
	sink.put(&[super::code::END]);
}

/// Puts the zeros that bytes begin with, and returns what follows them.
fn put_zeros<'a>(sink: &mut impl Sink, bytes: &'a [u8]) -> &'a [u8] {
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
		sink.put(&ZEROS[..len]);
		left -= len;
	}
	&bytes[count..]
}

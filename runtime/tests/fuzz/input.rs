// SPDX-License-Identifier: Apache-2.0
//! Inputs: bytes that stand for a sequence of steps.

/// Bytes of one step. What a step needs beyond them is derived from them. So the meaning of a step
/// does not depend on its place, and a part of an input is an input.
pub const STEP: usize = 24;

/// Returns the steps of an input. Bytes that are not a whole step are ignored.
pub fn steps(input: &[u8]) -> impl Iterator<Item = &[u8]> {
	input.chunks_exact(STEP)
}

/// Numbers drawn from the bytes of a step, and then from a generator that they seed.
pub struct Draws<'a> {
	bytes: std::slice::Iter<'a, u8>,
	state: u64,
}

impl<'a> Draws<'a> {
	pub fn new(step: &'a [u8]) -> Self {
		// FNV-1a, which is enough to tell steps apart.
		let state = step.iter().fold(0xcbf2_9ce4_8422_2325, |state: u64, byte| {
			(state ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
		});
		Self { bytes: step.iter(), state }
	}

	pub fn byte(&mut self) -> u8 {
		match self.bytes.next() {
			Some(byte) => *byte,
			None => self.derived().to_le_bytes()[0],
		}
	}

	/// SplitMix64.
	fn derived(&mut self) -> u64 {
		self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
		let mut mixed = self.state;
		mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
		mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
		mixed ^ (mixed >> 31)
	}

	/// Returns a number that depends on all bytes of the step.
	pub fn number(&mut self) -> u64 {
		self.derived()
	}

	/// Returns a number below `end`, which is at most 2^16. Takes one byte of the step if `end` is
	/// at most 256, and two otherwise.
	pub fn below(&mut self, end: usize) -> usize {
		if end <= 256 {
			return usize::from(self.byte()) * end / 256;
		}
		let drawn = u16::from_be_bytes([self.byte(), self.byte()]);
		usize::from(drawn) * end / 65_536
	}

	/// Returns true with this probability.
	pub fn percent(&mut self, percent: usize) -> bool {
		self.below(100) < percent
	}

	/// Returns true once in this many times.
	pub fn once_in(&mut self, times: usize) -> bool {
		self.below(times) == 0
	}

	pub fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
		choices[self.below(choices.len())].clone()
	}

	/// Returns one of the first of some items, or `None` if there is none.
	pub fn one_of<T>(&mut self, items: impl Iterator<Item = T>) -> Option<T> {
		let mut items: Vec<T> = items.take(48).collect();
		if items.is_empty() {
			return None;
		}
		let place = self.below(items.len());
		Some(items.swap_remove(place))
	}
}

// SPDX-License-Identifier: Apache-2.0
//! Numbers drawn from bytes.

use std::collections::VecDeque;

/// Numbers drawn from bytes, and then from a generator that these bytes seed. So what is drawn
/// depends on the bytes alone, and few of them are enough for any call.
pub struct Draws {
	bytes: VecDeque<u8>,
	state: u64,
}

impl Draws {
	/// Draws from these bytes. [`call`](super::call) takes about 24 of them.
	pub fn new(bytes: &[u8]) -> Self {
		// FNV-1a, which is enough to tell inputs apart.
		let state = bytes.iter().fold(0xcbf2_9ce4_8422_2325, |state: u64, byte| {
			(state ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
		});
		Self { bytes: bytes.iter().copied().collect(), state }
	}

	/// Returns the next byte.
	pub fn byte(&mut self) -> u8 {
		self.bytes.pop_front().unwrap_or_else(|| self.number().to_le_bytes()[0])
	}

	/// Returns a number that depends on all bytes, and takes none of them.
	pub fn number(&mut self) -> u64 {
		// SplitMix64.
		self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
		let mut mixed = self.state;
		mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
		mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
		mixed ^ (mixed >> 31)
	}

	/// Returns a number below `end`, which is at most 2^16. Takes one byte if `end` is at most 256,
	/// and two otherwise.
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

	/// Returns one of some choices.
	///
	/// # Panics
	///
	/// If there is none.
	pub fn pick<Choice: Clone>(&mut self, choices: &[Choice]) -> Choice {
		choices[self.below(choices.len())].clone()
	}

	/// Returns one of the first 48 of some items, or `None` if there is none.
	pub fn one_of<Item>(&mut self, items: impl Iterator<Item = Item>) -> Option<Item> {
		let mut items: Vec<_> = items.take(48).collect();
		if items.is_empty() {
			return None;
		}
		let place = self.below(items.len());
		Some(items.swap_remove(place))
	}
}

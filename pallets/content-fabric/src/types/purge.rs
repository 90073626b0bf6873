// SPDX-License-Identifier: Apache-2.0
/// Longest storage key of a row that a purge removes, in bytes.
pub(crate) const MAX_RAW_KEY_LEN: u32 = 1_024;

/// The places of the deletion queue: those from `first` up to, but not including, `next`. A place
/// whose purge ended before its turn is empty.
#[frame_support::stored]
#[derive(Copy, Default)]
pub struct QueueBounds {
	/// The place whose turn it is.
	pub first: u64,
	/// The place that the next purge gets.
	pub next: u64,
}

impl QueueBounds {
	/// Returns the place of a new purge.
	pub(crate) fn next_place(&mut self) -> u64 {
		let place = self.next;
		self.next = place.saturating_add(1);
		place
	}
}

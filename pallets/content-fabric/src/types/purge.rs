// SPDX-License-Identifier: Apache-2.0
use codec::{Decode, Encode};
use frame_support::{traits::ConstU32, BoundedVec};
use scale_info::TypeInfo;

/// Longest storage key of a row that a purge removes, in bytes.
pub(crate) const MAX_RAW_KEY_LEN: u32 = 1_024;

/// A purge that is under way.
#[frame_support::stored]
pub struct Purge<BlockNumber> {
	/// The block in which it was started. Steps run from the next one.
	pub started: BlockNumber,
	/// Its place in the deletion queue.
	pub place: u64,
	/// Number of rows when it started.
	pub rows: u32,
	/// The storage key that was last removed from the map that is being cleared, or empty if none
	/// was. The next step continues after it.
	pub cursor: BoundedVec<u8, ConstU32<MAX_RAW_KEY_LEN>>,
	/// The block in which `cursor` was removed. Keys removed in earlier blocks are no longer in the
	/// overlay.
	pub cursor_block: BlockNumber,
}

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

/// The progress of a purge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode, TypeInfo)]
pub struct PurgeProgress {
	/// Number of rows when it started.
	pub rows: u32,
	/// Number of rows that are left.
	pub rows_left: u32,
	/// Number of places before it in the deletion queue. Some may be empty.
	pub places_before: u64,
}

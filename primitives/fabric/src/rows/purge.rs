// SPDX-License-Identifier: Apache-2.0
use super::rows;

rows! {
	/// A purge that is under way.
	pub struct Purge<BlockNumber, Cursor> {
		/// The block in which it was started. Steps run from the next one.
		pub started: BlockNumber,
		/// Its place in the deletion queue.
		pub place: u64,
		/// Number of rows when it started.
		pub rows: u32,
		/// The storage key that was last removed from the map that is being cleared, or empty if
		/// none was. The next step continues after it.
		pub cursor: Cursor,
		/// The block in which `cursor` was removed. Keys removed in earlier blocks are no longer in
		/// the overlay.
		pub cursor_block: BlockNumber,
	}

	/// The progress of a purge.
	#[derive(Copy)]
	pub struct PurgeProgress {
		/// Number of rows when it started.
		pub rows: u32,
		/// Number of rows that are left.
		pub rows_left: u32,
		/// Number of places before it in the deletion queue. Some may be empty.
		pub places_before: u64,
	}
}

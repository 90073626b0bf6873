// SPDX-License-Identifier: Apache-2.0
//! Transactions for stores that have none of their own, or none that nest.
//!
//! The writes of a transaction are kept in an overlay over a [`Snapshot`] of the store; a nested
//! transaction has an overlay of its own on top. Reads look through all of them from the top down,
//! and ranges are merged lazily. A commit merges the overlay into the one below, or has the store
//! apply it as one [`Batch`].
//!
//! The backends in memory and on disk are a [`Store`] each, owned by [`Transactions`]. An outside
//! backend can be one, too. A batch can only be made by a commit, so nothing is written past a
//! transaction.

mod entries;
mod gate;
pub(crate) mod merge;
mod removed;
mod transaction;

use entries::Entries;
use merge::Merge;
use removed::RemovedRanges;
pub use transaction::{Store, StoreRange, StoreTransaction, Transactions};

use crate::{range::bounds, Read};

/// Reads one state of a store, whatever is written meanwhile.
pub trait Snapshot: Read {
	/// Returns bytes that a transaction's own writes lend.
	fn lend<'a>(bytes: &'a [u8]) -> Self::Bytes<'a>
	where
		Self: 'a;
}

/// The writes of a transaction that is committed: ranges that it removed, and after that keys that
/// it set and removed.
#[derive(Debug)]
#[must_use = "a batch does nothing unless it is applied"]
pub struct Batch(pub(crate) Overlay);

impl Batch {
	/// Returns the start and the end of each range that was removed, ascending. The end is not part
	/// of the range; `None` is after all keys. The ranges neither overlap nor touch.
	///
	/// They are to be applied first: [`entries`](Self::entries) may set keys of them.
	pub fn removed_ranges(&self) -> impl Iterator<Item = (&[u8], Option<&[u8]>)> {
		self.0.removed.iter()
	}

	/// Returns the keys that were set, with their values, and those that were removed, with `None`;
	/// ascending.
	pub fn entries(&self) -> impl Iterator<Item = (&[u8], Option<&[u8]>)> {
		self.0.entries.iter()
	}

	/// Checks whether nothing was written.
	pub fn is_empty(&self) -> bool {
		self.0.is_empty()
	}
}

/// Ranges that were removed, and after that keys that were set and removed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Overlay {
	/// Ranges of keys that were removed. Keys of them that were set afterwards are in `entries`.
	pub removed: RemovedRanges,
	/// Keys with the value that they were set to; `None` for those that were removed.
	pub entries: Entries,
}

impl Overlay {
	/// Returns what was written to a key: `None` if nothing, `Some(None)` if it was removed.
	#[inline]
	pub fn get(&self, key: &[u8]) -> Option<Option<&[u8]>> {
		match self.entries.get(key) {
			Some(value) => Some(value),
			None => self.removed.find(key).map(|_| None),
		}
	}

	/// Sets the value of a key.
	#[inline]
	pub fn set(&mut self, key: &[u8], value: &[u8]) {
		self.entries.insert(key, Some(value));
	}

	/// Removes a key.
	pub fn remove(&mut self, key: &[u8]) {
		if self.removed.find(key).is_some() {
			self.entries.remove(key);
		} else {
			self.entries.insert(key, None);
		}
	}

	/// Removes all keys from `start` up to, and without, `end`.
	pub fn remove_range(&mut self, start: &[u8], end: Option<&[u8]>) {
		let Some(range) = bounds(start, end) else { return };
		self.entries.remove_range(range);
		self.removed.insert(start, end);
	}

	/// Adds the writes of an upper overlay.
	pub fn absorb(&mut self, upper: Self) {
		if self.is_empty() {
			*self = upper;
			return;
		}
		for (start, end) in upper.removed.iter() {
			self.remove_range(start, end);
		}
		for (key, value) in upper.entries.iter() {
			match value {
				Some(value) => self.set(key, value),
				None => self.remove(key),
			}
		}
	}

	/// Returns the number of keys and ranges that were written.
	pub fn len(&self) -> usize {
		self.entries.len() + self.removed.len()
	}

	/// Checks whether nothing was written.
	pub fn is_empty(&self) -> bool {
		self.entries.is_empty() && self.removed.is_empty()
	}
}

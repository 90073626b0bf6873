//! Transactions for stores that have none of their own, or none that nest.
//!
//! What a transaction writes is kept in an [`Overlay`] over a [`Snapshot`] of the store; a nested
//! transaction has an overlay of its own on top. Reads look through all of them from the top down,
//! and ranges are merged lazily. A commit merges the overlay into the one below, or has the store
//! apply it as one batch. The backends in memory and on disk are a [`Store`] each; an outside
//! backend can be one too.

pub(crate) mod merge;
mod removed;
mod transaction;

use alloc::{collections::BTreeMap, vec::Vec};

pub use merge::Merge;
pub use removed::RemovedRanges;
pub use transaction::{Store, StoreTransaction};

use crate::{range::owned_bounds, Read};

/// Reads one state of a store, whatever is written meanwhile.
pub trait Snapshot: Read {
	/// Bytes that are lent by a transaction's own writes.
	fn lend<'a>(bytes: &'a [u8]) -> Self::Bytes<'a>
	where
		Self: 'a;
}

/// What a transaction has written: the ranges that it removed, and after that the keys that it set
/// and removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overlay {
	/// Ranges of keys that were removed. Keys of them that were set afterwards are in `entries`.
	pub removed: RemovedRanges,
	/// Keys with the value that they were set to; `None` for those that were removed.
	pub entries: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
}

impl Overlay {
	/// What was written to a key: `None` if nothing, `Some(None)` if it was removed.
	#[inline]
	pub fn get(&self, key: &[u8]) -> Option<Option<&[u8]>> {
		match self.entries.get(key) {
			Some(value) => Some(value.as_deref()),
			None => self.removed.find(key).map(|_| None),
		}
	}

	/// Sets the value of a key.
	pub fn set(&mut self, key: Vec<u8>, value: Vec<u8>) {
		self.entries.insert(key, Some(value));
	}

	/// Removes a key.
	pub fn remove(&mut self, key: &[u8]) {
		if self.removed.find(key).is_some() {
			self.entries.remove(key);
		} else {
			self.entries.insert(key.to_vec(), None);
		}
	}

	/// Removes all keys from `start` up to, and without, `end`.
	pub fn remove_range(&mut self, start: &[u8], end: Option<&[u8]>) {
		let Some(range) = owned_bounds(start, end) else { return };
		self.entries.extract_if(range, |_, _| true).for_each(drop);
		self.removed.insert(start, end);
	}

	/// Writes on top what another overlay has written.
	pub fn absorb(&mut self, upper: Self) {
		if self.is_empty() {
			*self = upper;
			return;
		}
		for (start, end) in upper.removed.iter() {
			self.remove_range(start, end);
		}
		for (key, value) in upper.entries {
			match value {
				Some(value) => self.set(key, value),
				None => self.remove(&key),
			}
		}
	}

	/// How many keys and ranges were written.
	pub fn len(&self) -> usize {
		self.entries.len() + self.removed.len()
	}

	/// Whether nothing was written.
	pub fn is_empty(&self) -> bool {
		self.entries.is_empty() && self.removed.is_empty()
	}
}

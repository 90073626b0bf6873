// SPDX-License-Identifier: Apache-2.0
//! The interface of writing.

use alloc::vec::Vec;

use crate::{range::successor, CommitOptions, Error, RangeOptions, Read, RollbackOptions};

/// Result of a limited removal.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "keys may be left to remove"]
pub struct Removed {
	/// Number of keys that were removed.
	pub count: usize,
	/// The first key of the range that is left: the start of the next removal. `None` if the range
	/// is empty now.
	pub cursor: Option<Vec<u8>>,
}

impl Removed {
	/// Checks whether keys of the range are left.
	pub fn more(&self) -> bool {
		self.cursor.is_some()
	}
}

/// Reads and writes a store. Reads see what was written before in the same transaction.
///
/// Dropping a transaction rolls it back.
pub trait Transaction: Read + Sized {
	/// Sets the value of a key.
	fn set(&mut self, key: &[u8], value: &[u8]) -> Result<(), Error<Self::Error>>;

	/// Removes a key and returns `true` if it was there, which costs a read of the key.
	fn remove(&mut self, key: &[u8]) -> Result<bool, Error<Self::Error>>;

	/// Removes a key without reading it.
	fn clear(&mut self, key: &[u8]) -> Result<(), Error<Self::Error>>;

	/// Removes all keys from `start` up to, and without, `end`; `None` is after all keys. Cheaper
	/// than the removals that count.
	fn remove_range(&mut self, start: &[u8], end: Option<&[u8]>) -> Result<(), Error<Self::Error>>;

	/// Removes the first keys from `start` up to, and without, `end`, at most `limit` of them.
	///
	/// To continue, begin at [`Removed::cursor`]. Beginning at the same start is as correct, but
	/// may cost a step for each key that was removed before.
	fn remove_range_limited(
		&mut self,
		start: &[u8],
		end: Option<&[u8]>,
		limit: usize,
	) -> Result<Removed, Error<Self::Error>> {
		remove_first(self, start, end, limit)
	}

	/// Removes the first keys that begin with a prefix, at most `limit` of them.
	fn remove_prefix(
		&mut self,
		prefix: &[u8],
		limit: usize,
	) -> Result<Removed, Error<Self::Error>> {
		self.remove_range_limited(prefix, successor(prefix).as_deref(), limit)
	}

	/// Keeps what was written. After an error the store is as it was before.
	fn commit(self) -> Result<(), Error<Self::Error>> {
		self.commit_with(CommitOptions::default())
	}

	/// Commits like [`commit`](Self::commit), with options.
	fn commit_with(self, options: CommitOptions) -> Result<(), Error<Self::Error>>;

	/// Discards what was written.
	fn rollback(self) -> Result<(), Error<Self::Error>> {
		self.rollback_with(RollbackOptions::default())
	}

	/// Discards what was written like [`rollback`](Self::rollback), with options.
	fn rollback_with(self, options: RollbackOptions) -> Result<(), Error<Self::Error>>;
}

/// Counts the first keys of a range, and then removes them at once.
pub(crate) fn remove_first<Tx: Transaction>(
	transaction: &mut Tx,
	start: &[u8],
	end: Option<&[u8]>,
	limit: usize,
) -> Result<Removed, Error<Tx::Error>> {
	let mut removed = Removed { count: 0, cursor: None };
	for pair in transaction.range_between(start, end, RangeOptions::default())? {
		let (key, _) = pair?;
		if removed.count == limit {
			removed.cursor = Some(key.to_vec());
			break;
		}
		removed.count += 1;
	}
	if removed.count > 0 {
		transaction.remove_range(start, removed.cursor.as_deref().or(end))?;
	}
	Ok(removed)
}

// SPDX-License-Identifier: Apache-2.0
//! The interface of writing.

use alloc::vec::Vec;

use crate::{range::successor, CommitOptions, Error, RangeOptions, Read};

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
	/// A transaction within this one.
	type Nested<'a>: Transaction<Error = Self::Error>
	where
		Self: 'a;

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
		let mut removed = Removed { count: 0, cursor: None };
		for pair in self.range_between(start, end, RangeOptions::default())? {
			let (key, _) = pair?;
			if removed.count == limit {
				removed.cursor = Some(key.to_vec());
				break;
			}
			removed.count += 1;
		}
		if removed.count > 0 {
			self.remove_range(start, removed.cursor.as_deref().or(end))?;
		}
		Ok(removed)
	}

	/// Removes the first keys that begin with a prefix, at most `limit` of them.
	fn remove_prefix(
		&mut self,
		prefix: &[u8],
		limit: usize,
	) -> Result<Removed, Error<Self::Error>> {
		self.remove_range_limited(prefix, successor(prefix).as_deref(), limit)
	}

	/// Begins a transaction within this one, which cannot be used until that one ends.
	fn begin(&mut self) -> Result<Self::Nested<'_>, Error<Self::Error>>;

	/// Keeps what was written: in the outer transaction, if there is one, else in the store. After
	/// an error the store is as it was before.
	fn commit(self) -> Result<(), Error<Self::Error>> {
		self.commit_with(CommitOptions::default())
	}

	/// Commits like [`commit`](Self::commit), with options.
	fn commit_with(self, options: CommitOptions) -> Result<(), Error<Self::Error>>;

	/// Discards what was written.
	fn rollback(self) -> Result<(), Error<Self::Error>>;

	/// Runs a closure in a transaction within this one. Commits that one if the closure returns
	/// `Ok`; rolls it back if the closure returns `Err` or panics.
	fn transact<'a, T, E: From<Error<Self::Error>>>(
		&'a mut self,
		run: impl FnOnce(&mut Self::Nested<'a>) -> Result<T, E>,
	) -> Result<T, E> {
		run_in(self.begin()?, run)
	}
}

/// Runs a closure in a transaction, and ends it by the result.
pub(crate) fn run_in<Tx: Transaction, T, E: From<Error<Tx::Error>>>(
	mut transaction: Tx,
	run: impl FnOnce(&mut Tx) -> Result<T, E>,
) -> Result<T, E> {
	match run(&mut transaction) {
		Ok(value) => {
			transaction.commit()?;
			Ok(value)
		},
		Err(error) => {
			transaction.rollback()?;
			Err(error)
		},
	}
}

//! The interface of a store.

use alloc::vec::Vec;

use crate::{range::successor, Error, RangeOptions};

/// A mapping from keys to values, both byte strings, in the lexicographic order of the keys.
///
/// One transaction can write at a time. To begin what an open one excludes fails with
/// [`Error::Busy`] instead of waiting for its end. What a backend promises about isolation and
/// durability is said with its type.
pub trait Database: Sized {
	/// What a database is opened with.
	type Config;
	/// What can go wrong in the backend.
	type Error;
	/// Reads one state of the database.
	type Snapshot<'db>: Read<Error = Self::Error>
	where
		Self: 'db;
	/// Reads and writes.
	type Transaction<'db>: Transaction<Error = Self::Error>
	where
		Self: 'db;

	/// Whether snapshots can be read while a transaction is open, each unaware of the other. Where
	/// not, they exclude each other.
	const CONCURRENT_SNAPSHOTS: bool;

	/// Opens a database.
	fn open(config: Self::Config) -> Result<Self, Error<Self::Error>>;

	/// Closes the database, once everything that was committed is where it should be. Dropping it
	/// does the same, but cannot tell of errors.
	fn close(self) -> Result<(), Error<Self::Error>>;

	/// Begins to read and write. Fails with [`Error::Busy`] beside another such transaction.
	fn begin(&self) -> Result<Self::Transaction<'_>, Error<Self::Error>>;

	/// Begins to read what has been committed so far.
	fn begin_read(&self) -> Result<Self::Snapshot<'_>, Error<Self::Error>>;

	/// Runs a closure in a transaction, which is committed if the closure returns `Ok`, and rolled
	/// back if it returns `Err` or panics.
	fn transact<'db, T, E: From<Error<Self::Error>>>(
		&'db self,
		run: impl FnOnce(&mut Self::Transaction<'db>) -> Result<T, E>,
	) -> Result<T, E> {
		run_in(self.begin()?, run)
	}
}

/// A key or a value, as a store gives it.
pub type Pair<B> = (B, B);

/// Reads a store.
pub trait Read {
	/// What can go wrong in the backend.
	type Error;
	/// A key or a value: borrowed, where the backend can lend it.
	type Bytes<'a>: AsRef<[u8]>
	where
		Self: 'a;
	/// Pairs of keys and values, read as they are asked for.
	type Range<'a>: Iterator<Item = Result<Pair<Self::Bytes<'a>>, Error<Self::Error>>>
	where
		Self: 'a;

	/// The value of a key. An empty value is not an absent one.
	fn get(&self, key: &[u8]) -> Result<Option<Self::Bytes<'_>>, Error<Self::Error>>;

	/// Pairs whose keys are from `start` up to, and without, `end`; `None` is after all keys. None
	/// at all if the end is not after the start.
	fn range_between(
		&self,
		start: &[u8],
		end: Option<&[u8]>,
		options: RangeOptions,
	) -> Result<Self::Range<'_>, Error<Self::Error>>;

	/// All pairs whose keys begin with a prefix, ascending. The empty prefix is that of all keys.
	fn range(&self, prefix: &[u8]) -> Result<Self::Range<'_>, Error<Self::Error>> {
		self.range_with(prefix, RangeOptions::default())
	}

	/// Pairs whose keys begin with a prefix.
	fn range_with(
		&self,
		prefix: &[u8],
		options: RangeOptions,
	) -> Result<Self::Range<'_>, Error<Self::Error>> {
		self.range_between(prefix, successor(prefix).as_deref(), options)
	}
}

/// What a limited removal did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removed {
	/// How many keys were removed.
	pub count: usize,
	/// The first key of the range that is left: where to go on. `None` if all are removed.
	pub cursor: Option<Vec<u8>>,
}

impl Removed {
	/// Whether keys of the range are left.
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

	/// Removes a key, if it is there.
	fn remove(&mut self, key: &[u8]) -> Result<(), Error<Self::Error>>;

	/// Removes all keys from `start` up to, and without, `end`; `None` is after all keys. Cheaper
	/// than the removals that count.
	fn remove_range(&mut self, start: &[u8], end: Option<&[u8]>) -> Result<(), Error<Self::Error>>;

	/// Removes the first keys from `start` up to, and without, `end`: as many as there are, but at
	/// most `limit`.
	///
	/// To go on, begin at [`Removed::cursor`]. Beginning at the same start is as correct, but may cost
	/// a step for each key that was removed before.
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
				removed.cursor = Some(key.as_ref().to_vec());
				break;
			}
			removed.count += 1;
		}
		if removed.count > 0 {
			self.remove_range(start, removed.cursor.as_deref().or(end))?;
		}
		Ok(removed)
	}

	/// Removes the first keys that begin with a prefix: as many as there are, but at most `limit`.
	fn remove_prefix(
		&mut self,
		prefix: &[u8],
		limit: usize,
	) -> Result<Removed, Error<Self::Error>> {
		self.remove_range_limited(prefix, successor(prefix).as_deref(), limit)
	}

	/// Begins a transaction within this one, which cannot be used until that one ends.
	fn begin(&mut self) -> Result<Self::Nested<'_>, Error<Self::Error>>;

	/// Keeps what was written: in the transaction that this one is in, or else in the store. On an
	/// error the store is as it was before.
	fn commit(self) -> Result<(), Error<Self::Error>>;

	/// Discards what was written.
	fn rollback(self) -> Result<(), Error<Self::Error>>;

	/// Runs a closure in a transaction within this one, which is committed if the closure returns
	/// `Ok`, and rolled back if it returns `Err` or panics.
	fn transact<'a, T, E: From<Error<Self::Error>>>(
		&'a mut self,
		run: impl FnOnce(&mut Self::Nested<'a>) -> Result<T, E>,
	) -> Result<T, E> {
		run_in(self.begin()?, run)
	}
}

/// Runs a closure in a transaction, and ends it by the result.
fn run_in<Tx: Transaction, T, E: From<Error<Tx::Error>>>(
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

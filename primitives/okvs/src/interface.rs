// SPDX-License-Identifier: Apache-2.0
//! The interface that all backends have.

use alloc::vec::Vec;
use core::{fmt, iter::FusedIterator, ops::Deref, time::Duration};

use crate::range::{half_open, successor, KeyRange, RangeOptions};

/// Error of an operation on a store.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error<E> {
	/// An open transaction or snapshot excludes the one that was to begin. It did not end within
	/// the given time, or no other thread could end it.
	Busy,
	/// The backend failed.
	Backend(E),
}

impl<E: fmt::Display> fmt::Display for Error<E> {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::Busy => {
				f.write_str("another transaction or snapshot of the store is open; end it first")
			},
			Self::Backend(error) => error.fmt(f),
		}
	}
}

impl<E: core::error::Error + 'static> core::error::Error for Error<E> {
	fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
		match self {
			Self::Busy => None,
			Self::Backend(error) => error.source(),
		}
	}
}

/// A mapping from keys to values, both byte strings, in the lexicographic order of the keys.
///
/// One transaction can write at a time. The type of a backend documents its isolation and
/// durability.
pub trait Database: Sized {
	/// Configuration of a database.
	type Config;
	/// Error of the backend.
	type Error;
	/// Reads one state of the database.
	type Snapshot<'db>: Read<Error = Self::Error>
	where
		Self: 'db;
	/// Reads and writes.
	type Transaction<'db>: Transaction<Error = Self::Error>
	where
		Self: 'db;

	/// `true` if snapshots can be read while a transaction is open, each unaware of the other. If
	/// `false`, they exclude each other.
	const CONCURRENT_SNAPSHOTS: bool;

	/// `true` if [`begin`](Self::begin) can wait for the end of another thread's transaction. If
	/// `false`, a second transaction fails with [`Error::Busy`] at once, whatever its options.
	const WAITS: bool;

	/// Opens a database.
	fn open(config: Self::Config) -> Result<Self, Error<Self::Error>>;

	/// Closes the database after all commits are durable. Dropping the database also closes it, but
	/// cannot report errors.
	fn close(self) -> Result<(), Error<Self::Error>> {
		self.close_with(CloseOptions::default())
	}

	/// Closes the database like [`close`](Self::close), with options. By default, dropping it is
	/// all that this takes.
	fn close_with(self, _options: CloseOptions) -> Result<(), Error<Self::Error>> {
		Ok(())
	}

	/// Begins a transaction. Waits while another thread has one open.
	///
	/// A second transaction in the same thread fails with [`Error::Busy`] at once, because no other
	/// thread could end the first. Where [`WAITS`](Self::WAITS) is `false`, every second
	/// transaction fails at once.
	fn begin(&self) -> Result<Self::Transaction<'_>, Error<Self::Error>> {
		self.begin_with(BeginOptions::default())
	}

	/// Begins a transaction like [`begin`](Self::begin), with options, such as the time to wait.
	///
	/// ```
	/// use content_fabric_okvs::{memory::MemoryDatabase, BeginOptions, Database, Error};
	///
	/// let database = MemoryDatabase::open(())?;
	/// let transaction = database.begin_with(BeginOptions::now())?;
	/// assert_eq!(database.begin_with(BeginOptions::now()).err(), Some(Error::Busy));
	/// # Ok::<_, Error<core::convert::Infallible>>(())
	/// ```
	fn begin_with(
		&self,
		options: BeginOptions,
	) -> Result<Self::Transaction<'_>, Error<Self::Error>>;

	/// Begins to read the pairs that are committed now.
	fn begin_read(&self) -> Result<Self::Snapshot<'_>, Error<Self::Error>>;

	/// Runs a closure in a transaction. Commits it if the closure returns `Ok`; rolls it back if
	/// the closure returns `Err` or panics.
	///
	/// Begins like [`begin`](Self::begin).
	fn transact<'db, T, E: From<Error<Self::Error>>>(
		&'db self,
		run: impl FnOnce(&mut Self::Transaction<'db>) -> Result<T, E>,
	) -> Result<T, E> {
		self.transact_with(BeginOptions::default(), run)
	}

	/// Runs a closure in a transaction like [`transact`](Self::transact), with the options of
	/// [`begin_with`](Self::begin_with).
	fn transact_with<'db, T, E: From<Error<Self::Error>>>(
		&'db self,
		options: BeginOptions,
		run: impl FnOnce(&mut Self::Transaction<'db>) -> Result<T, E>,
	) -> Result<T, E> {
		let mut transaction = self.begin_with(options)?;
		let done = run(&mut transaction);
		match done {
			Ok(_) => transaction.commit()?,
			Err(_) => transaction.rollback()?,
		}
		done
	}
}

/// Time to wait for the end of another thread's transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Wait {
	/// As long as it takes.
	#[default]
	Forever,
	/// None.
	Never,
	/// At most this long.
	AtMost(Duration),
}

/// Options for [`Database::begin_with`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct BeginOptions {
	/// Time to wait for the end of another thread's transaction before failing with
	/// [`Error::Busy`].
	pub wait: Wait,
}

impl BeginOptions {
	/// Fails at once if a transaction is open.
	pub const fn now() -> Self {
		Self { wait: Wait::Never }
	}

	/// Fails if a transaction is still open after this time.
	pub const fn within(time: Duration) -> Self {
		Self { wait: Wait::AtMost(time) }
	}
}

/// Options for [`Database::close_with`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CloseOptions {
	/// Returns unused space to the file system first. Backends without a file ignore it.
	pub compact: bool,
}

impl CloseOptions {
	/// Sets whether to return unused space to the file system first.
	pub fn compact(self, compact: bool) -> Self {
		Self { compact }
	}
}

/// A key and its value.
pub type Pair<B> = (B, B);

/// Reads a store.
pub trait Read {
	/// Error of the backend.
	type Error;
	/// A key or a value: borrowed, where the backend can lend it.
	type Bytes<'a>: Deref<Target = [u8]> + AsRef<[u8]>
	where
		Self: 'a;
	/// Pairs of keys and values, read lazily. Nothing follows an error.
	type Range<'a>: FusedIterator<Item = Result<Pair<Self::Bytes<'a>>, Error<Self::Error>>>
	where
		Self: 'a;

	/// Returns the value of a key. An empty value is not an absent one.
	fn get(&self, key: &[u8]) -> Result<Option<Self::Bytes<'_>>, Error<Self::Error>>;

	/// Checks whether a key has a value.
	fn contains_key(&self, key: &[u8]) -> Result<bool, Error<Self::Error>> {
		self.get(key).map(|value| value.is_some())
	}

	/// Returns the pairs whose keys are from `start` up to, and without, `end`; `None` is after all
	/// keys. The range is empty if the end is not after the start.
	fn range_between(
		&self,
		start: &[u8],
		end: Option<&[u8]>,
		options: RangeOptions,
	) -> Result<Self::Range<'_>, Error<Self::Error>>;

	/// Returns the pairs whose keys are in a range.
	fn range_in(
		&self,
		keys: impl KeyRange,
		options: RangeOptions,
	) -> Result<Self::Range<'_>, Error<Self::Error>> {
		let (start, end) = half_open(&keys);
		self.range_between(&start, end.as_deref(), options)
	}

	/// Returns the pairs whose keys begin with a prefix, ascending. All keys begin with the empty
	/// prefix.
	fn range(&self, prefix: &[u8]) -> Result<Self::Range<'_>, Error<Self::Error>> {
		self.range_with(prefix, RangeOptions::default())
	}

	/// Returns the pairs whose keys begin with a prefix, with options.
	fn range_with(
		&self,
		prefix: &[u8],
		options: RangeOptions,
	) -> Result<Self::Range<'_>, Error<Self::Error>> {
		self.range_between(prefix, successor(prefix).as_deref(), options)
	}

	/// Returns the pair with the least key.
	fn first(&self) -> Result<Option<Pair<Self::Bytes<'_>>>, Error<Self::Error>> {
		self.range_with(&[], RangeOptions::default().limit(1))?.next().transpose()
	}

	/// Returns the pair with the greatest key. Takes a step for each pair in the state of a chain.
	fn last(&self) -> Result<Option<Pair<Self::Bytes<'_>>>, Error<Self::Error>> {
		self.range_with(&[], RangeOptions::REVERSE.limit(1))?.next().transpose()
	}

	/// Counts the pairs. Takes a step for each pair in the state of a chain.
	fn len(&self) -> Result<usize, Error<Self::Error>> {
		self.range(&[])?.try_fold(0, |count, pair| pair.map(|_| count + 1))
	}

	/// Checks whether there is no pair.
	fn is_empty(&self) -> Result<bool, Error<Self::Error>> {
		self.first().map(|first| first.is_none())
	}
}

/// Moment from which a commit survives a crash of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Durability {
	/// The return of the commit.
	#[default]
	Commit,
	/// The return of a later commit with [`Durability::Commit`], of `DiskDatabase::flush`, or of
	/// the close of the database. Before that, a crash, of the process too, or an error of the
	/// operating system may lose the last commits, but none in part.
	Close,
}

/// Options for [`Transaction::commit_with`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct CommitOptions {
	/// Durability of this commit; `None` is the database's own. Backends in memory and in the state
	/// of a chain ignore it.
	pub durability: Option<Durability>,
}

impl CommitOptions {
	/// Sets the durability of the commit.
	pub fn durability(self, durability: Durability) -> Self {
		Self { durability: Some(durability) }
	}
}

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

/// Reads and writes a store. Reads see what was written before in the same transaction.
///
/// Dropping a transaction rolls it back.
pub trait Transaction: Read + Sized {
	/// Sets the value of a key.
	fn set(&mut self, key: &[u8], value: &[u8]) -> Result<(), Error<Self::Error>>;

	/// Removes a key and returns `true` if it was there, which costs a read of the key.
	fn remove(&mut self, key: &[u8]) -> Result<bool, Error<Self::Error>>;

	/// Removes a key without reading it, where the backend can.
	fn clear(&mut self, key: &[u8]) -> Result<(), Error<Self::Error>> {
		self.remove(key).map(drop)
	}

	/// Removes all keys from `start` up to, and without, `end`; `None` is after all keys. Cheaper
	/// than the removals that count, where the backend has a removal of its own for that.
	fn remove_range(&mut self, start: &[u8], end: Option<&[u8]>) -> Result<(), Error<Self::Error>> {
		self.remove_range_limited(start, end, usize::MAX).map(drop)
	}

	/// Removes the first keys from `start` up to, and without, `end`, at most `limit` of them.
	///
	/// To continue, begin at [`Removed::cursor`]. Beginning at the same start is as correct, but
	/// may cost a step for each key that was removed before.
	fn remove_range_limited(
		&mut self,
		start: &[u8],
		end: Option<&[u8]>,
		limit: usize,
	) -> Result<Removed, Error<Self::Error>>;

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

	/// Discards all writes of the transaction. The default implementation drops it.
	fn rollback(self) -> Result<(), Error<Self::Error>> {
		Ok(())
	}
}

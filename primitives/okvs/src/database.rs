// SPDX-License-Identifier: Apache-2.0
//! The interface of a store.

use crate::{BeginOptions, CloseOptions, Error, Read, Transaction};

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

	/// `true` if [`begin`](Self::begin) waits for the end of an open transaction. If `false`, it
	/// fails with [`Error::Busy`] at once, as there is no other thread that could end it.
	const WAITS: bool;

	/// Opens a database.
	fn open(config: Self::Config) -> Result<Self, Error<Self::Error>>;

	/// Closes the database after all commits are durable. Dropping the database closes it, too, but
	/// cannot report errors.
	fn close(self) -> Result<(), Error<Self::Error>> {
		self.close_with(CloseOptions::default())
	}

	/// Closes the database like [`close`](Self::close), with options.
	fn close_with(self, options: CloseOptions) -> Result<(), Error<Self::Error>>;

	/// Begins a transaction, after the end of the open one.
	///
	/// A thread that begins a transaction while it holds one deadlocks. Where
	/// [`WAITS`](Self::WAITS) is `false`, the second one fails with [`Error::Busy`] at once.
	fn begin(&self) -> Result<Self::Transaction<'_>, Error<Self::Error>> {
		self.begin_with(BeginOptions::default())
	}

	/// Begins a transaction like [`begin`](Self::begin), with options.
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
		let mut transaction = self.begin()?;
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
}

// SPDX-License-Identifier: Apache-2.0
//! The backend in the state of a Substrate chain, for use within a runtime call.

mod counter;
mod key;
mod range;

use alloc::vec::Vec;
use core::{fmt, marker::PhantomData};

use bytes::Bytes;
use sp_io::storage;
use sp_runtime::DispatchError;

use crate::{
	successor, BeginOptions, CloseOptions, CommitOptions, Database, Error, RangeOptions, Read,
	Removed, RollbackOptions, Transaction,
};
use counter::counter;
#[cfg(not(feature = "std"))]
use counter::Counter;
pub use range::ChainRange;

counter! {
	/// Number of transactions that are open: none or one.
	TRANSACTIONS
	/// Number of snapshots that are open.
	SNAPSHOTS
}

/// A store in the state of a chain, under a prefix of its own.
///
/// - Isolation: serializable. A transaction is a storage layer of the host's, and these are one
///   stack. So one transaction is open in a runtime call at a time, of whichever store; and none while
///   snapshots are open, of which there can be several. Excluded ones fail with [`Error::Busy`] at
///   once: a runtime call has no other thread to wait for.
/// - Durability: that of the block.
///
/// A pallet that opens a storage layer of its own within a transaction has to close it before the
/// transaction ends. The store's layer does not count towards FRAME's limit of nested ones.
///
/// The key in the state is the prefix, then the key with every `00` written as `00 01`, then two
/// zero bytes. So no key is a prefix of another one: the host's trie is damaged when a key is
/// removed that it does not hold and that others begin with (paritytech/trie#217).
///
/// The host steps from key to key, in ascending order only. So a descending range and
/// [`last`](Read::last) read all their keys when they begin, and keep as many as they return;
/// [`len`](Read::len) reads all keys. Beginning a range costs a step for each key at its start that
/// was removed in the same block.
///
/// ```
/// use content_fabric_okvs::{chain::{ChainConfig, ChainDatabase}, Database, Read, Transaction};
///
/// sp_io::TestExternalities::default().execute_with(|| {
///     let database = ChainDatabase::open(ChainConfig::new(b"directory/")?)?;
///     let mut transaction = database.begin()?;
///     transaction.set(b"key", b"value")?;
///     transaction.commit()?;
///     assert_eq!(sp_io::storage::get(b"directory/key\0\0").as_deref(), Some(&b"value"[..]));
///     Ok::<_, Box<dyn std::error::Error>>(())
/// })?;
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ChainDatabase {
	/// Prefix of all keys in the state of the chain.
	prefix: Vec<u8>,
}

/// Configuration of a [`ChainDatabase`]: the prefix of all its keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainConfig {
	prefix: Vec<u8>,
}

/// A prefix is not valid for a [`ChainDatabase`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainConfigError {
	/// The prefix is empty: the store would hold the whole state of the chain.
	Empty,
	/// The prefix begins with a colon, as the keys do that the host keeps for itself, such as
	/// `:code` and `:child_storage:`.
	Reserved,
}

impl fmt::Display for ChainConfigError {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.write_str(match self {
			Self::Empty => "the prefix is empty",
			Self::Reserved => "the prefix begins with a colon, as the host's own keys do",
		})
	}
}

impl core::error::Error for ChainConfigError {}

impl ChainConfig {
	/// Accepts a prefix that is not empty and does not begin with a colon.
	///
	/// Every key with this prefix belongs to the store. So no other prefix in the state may begin
	/// with it, and it may not begin with another: those of pallets are hashes of 16 bytes, and the
	/// `twox_128` hash of a name that no pallet has is a good choice.
	pub fn new(prefix: &[u8]) -> Result<Self, ChainConfigError> {
		match prefix.first() {
			None => Err(ChainConfigError::Empty),
			Some(b':') => Err(ChainConfigError::Reserved),
			Some(_) => Ok(Self { prefix: prefix.to_vec() }),
		}
	}
}

impl From<Error<Infallible>> for DispatchError {
	/// Lets calls report with `?` that the store is in use.
	fn from(error: Error<Infallible>) -> Self {
		match error {
			Error::Busy => Self::Other("another transaction or snapshot of a store is open"),
			Error::Backend(never) => match never {},
		}
	}
}

/// The backend itself cannot fail.
type Infallible = core::convert::Infallible;

impl Database for ChainDatabase {
	type Config = ChainConfig;
	type Error = Infallible;
	type Snapshot<'db> = ChainSnapshot<'db>;
	type Transaction<'db> = ChainTransaction<'db>;

	const CONCURRENT_SNAPSHOTS: bool = false;
	const WAITS: bool = false;

	fn open(config: ChainConfig) -> Result<Self, Error<Infallible>> {
		Ok(Self { prefix: config.prefix })
	}

	fn close_with(self, _options: CloseOptions) -> Result<(), Error<Infallible>> {
		Ok(())
	}

	/// Never waits: a runtime call has one thread.
	fn begin_with(
		&self,
		_options: BeginOptions,
	) -> Result<ChainTransaction<'_>, Error<Infallible>> {
		if TRANSACTIONS.get() > 0 || SNAPSHOTS.get() > 0 {
			return Err(Error::Busy);
		}
		storage::start_transaction();
		TRANSACTIONS.set(1);
		Ok(ChainTransaction { database: self, open: true, thread: PhantomData })
	}

	fn begin_read(&self) -> Result<ChainSnapshot<'_>, Error<Infallible>> {
		if TRANSACTIONS.get() > 0 {
			return Err(Error::Busy);
		}
		SNAPSHOTS.set(SNAPSHOTS.get() + 1);
		Ok(ChainSnapshot { database: self, thread: PhantomData })
	}
}

impl ChainDatabase {
	fn get(&self, key: &[u8]) -> Option<Bytes> {
		storage::get(&self.host_key(key))
	}

	fn contains_key(&self, key: &[u8]) -> bool {
		storage::exists(&self.host_key(key))
	}

	fn host_key(&self, key: &[u8]) -> Vec<u8> {
		key::encode(&self.prefix, key)
	}

	/// Returns bounds before and after the host's keys of a range; `None` is the end of the state.
	/// The bounds are not keys themselves, as they lack the end of one.
	fn host_range(&self, start: &[u8], end: Option<&[u8]>) -> (Vec<u8>, Option<Vec<u8>>) {
		let end = match end {
			Some(end) => Some(key::encode_start(&self.prefix, end)),
			None => successor(&self.prefix),
		};
		(key::encode_start(&self.prefix, start), end)
	}

	fn range_between(
		&self,
		start: &[u8],
		end: Option<&[u8]>,
		options: RangeOptions,
	) -> ChainRange<'_> {
		let (start, end) = self.host_range(start, end);
		ChainRange::new(start, end, self.prefix.len(), options)
	}
}

/// Reads a [`ChainDatabase`], which cannot be written meanwhile. Bound to its thread, like the
/// state of the chain.
#[derive(Debug)]
#[must_use = "a snapshot does nothing unless it is read"]
pub struct ChainSnapshot<'db> {
	database: &'db ChainDatabase,
	thread: PhantomData<*const ()>,
}

impl Drop for ChainSnapshot<'_> {
	fn drop(&mut self) {
		SNAPSHOTS.set(SNAPSHOTS.get() - 1);
	}
}

/// A transaction of a [`ChainDatabase`]: a storage layer of the host. Bound to its thread, like the
/// state of the chain.
#[derive(Debug)]
#[must_use = "a transaction that is dropped is rolled back"]
pub struct ChainTransaction<'db> {
	database: &'db ChainDatabase,
	/// `true` until the layer is closed.
	open: bool,
	thread: PhantomData<*const ()>,
}

impl Drop for ChainTransaction<'_> {
	fn drop(&mut self) {
		if self.open {
			storage::rollback_transaction();
			TRANSACTIONS.set(0);
		}
	}
}

macro_rules! reads {
	($($reader:ident)*) => {$(
		impl Read for $reader<'_> {
			type Error = Infallible;
			type Bytes<'a>
				= Bytes
			where
				Self: 'a;
			type Range<'a>
				= ChainRange<'a>
			where
				Self: 'a;

			fn get(&self, key: &[u8]) -> Result<Option<Bytes>, Error<Infallible>> {
				Ok(self.database.get(key))
			}

			fn contains_key(&self, key: &[u8]) -> Result<bool, Error<Infallible>> {
				Ok(self.database.contains_key(key))
			}

			fn range_between(
				&self,
				start: &[u8],
				end: Option<&[u8]>,
				options: RangeOptions,
			) -> Result<ChainRange<'_>, Error<Infallible>> {
				Ok(self.database.range_between(start, end, options))
			}
		}
	)*};
}

reads! { ChainSnapshot ChainTransaction }

impl Transaction for ChainTransaction<'_> {
	fn set(&mut self, key: &[u8], value: &[u8]) -> Result<(), Error<Infallible>> {
		storage::set(&self.database.host_key(key), value);
		Ok(())
	}

	fn remove(&mut self, key: &[u8]) -> Result<bool, Error<Infallible>> {
		let key = self.database.host_key(key);
		let present = storage::exists(&key);
		if present {
			storage::clear(&key);
		}
		Ok(present)
	}

	fn clear(&mut self, key: &[u8]) -> Result<(), Error<Infallible>> {
		storage::clear(&self.database.host_key(key));
		Ok(())
	}

	fn remove_range(&mut self, start: &[u8], end: Option<&[u8]>) -> Result<(), Error<Infallible>> {
		// The host's own removal is by prefix.
		if end == successor(start).as_deref() {
			let (prefix, _) = self.database.host_range(start, end);
			// Without a limit the host removes all keys and has nothing to report.
			let _ = storage::clear_prefix(&prefix, None);
			return Ok(());
		}
		self.remove_range_limited(start, end, usize::MAX).map(drop)
	}

	/// Walks from key to key: the host's own limited removal does not count keys that were written
	/// in the block, and begins anew when it is called again.
	fn remove_range_limited(
		&mut self,
		start: &[u8],
		end: Option<&[u8]>,
		limit: usize,
	) -> Result<Removed, Error<Infallible>> {
		let database = self.database;
		let (start, end) = database.host_range(start, end);
		let end = end.as_deref();
		let mut removed = Removed { count: 0, cursor: None };
		let mut next = range::after(&start, end);
		while let Some(key) = next {
			if removed.count == limit {
				removed.cursor = Some(key::decode(key, database.prefix.len()).into());
				break;
			}
			storage::clear(&key);
			removed.count += 1;
			next = range::after(&key, end);
		}
		Ok(removed)
	}

	fn commit_with(mut self, _options: CommitOptions) -> Result<(), Error<Infallible>> {
		storage::commit_transaction();
		TRANSACTIONS.set(0);
		self.open = false;
		Ok(())
	}

	fn rollback_with(self, _options: RollbackOptions) -> Result<(), Error<Infallible>> {
		Ok(())
	}
}

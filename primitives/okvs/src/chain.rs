// SPDX-License-Identifier: Apache-2.0
//! The backend in the state of a Substrate chain, for use within a runtime call.

use alloc::{collections::VecDeque, vec::Vec};
use core::{
	convert::Infallible,
	fmt,
	iter::FusedIterator,
	marker::PhantomData,
	sync::atomic::{AtomicU32, Ordering::Relaxed},
};

use bytes::{Buf, Bytes};
use sp_io::storage;
use sp_runtime::DispatchError;

use crate::{
	successor, BeginOptions, CommitOptions, Database, Error, Pair, RangeOptions, Read, Removed,
	Transaction,
};

// The number of snapshots that are open in the runtime call, of whichever store, or a `WRITER`.
// With the standard library several runtimes may run at once, each in a thread of its own.
#[cfg(feature = "std")]
std::thread_local! {
	static OPEN: AtomicU32 = const { AtomicU32::new(0) };
}
#[cfg(not(feature = "std"))]
static OPEN: AtomicU32 = AtomicU32::new(0);
/// Stands for a transaction that is open.
const WRITER: u32 = u32::MAX;

/// Changes what is open. Fails if `change` returns `None`.
fn change_open(change: impl FnMut(u32) -> Option<u32>) -> Result<(), Error<Infallible>> {
	#[cfg(feature = "std")]
	let changed = OPEN.with(|open| open.fetch_update(Relaxed, Relaxed, change));
	#[cfg(not(feature = "std"))]
	let changed = OPEN.fetch_update(Relaxed, Relaxed, change);
	changed.map(drop).map_err(|_| Error::Busy)
}

/// A store in the state of a chain, under a prefix of its own.
///
/// - Isolation: serializable. A transaction is a storage layer of the host's, and these are one
///   stack. So one transaction is open in a runtime call at a time, of whichever store; and none
///   while snapshots are open, of which there can be several. Excluded ones fail with
///   [`Error::Busy`] at once, whatever their options: a runtime call has no other thread to wait
///   for, and no clock.
/// - Durability: as long as the block's.
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
	/// with it, and it may not begin with another: prefixes of pallets are hashes of 16 bytes, and
	/// the `twox_128` hash of a name that no pallet has is a good choice.
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

	fn begin_with(
		&self,
		_options: BeginOptions,
	) -> Result<ChainTransaction<'_>, Error<Infallible>> {
		change_open(|open| (open == 0).then_some(WRITER))?;
		storage::start_transaction();
		Ok(ChainTransaction { database: self, open: true, thread: PhantomData })
	}

	fn begin_read(&self) -> Result<ChainSnapshot<'_>, Error<Infallible>> {
		change_open(|open| (open != WRITER).then(|| open + 1))?;
		Ok(ChainSnapshot { database: self, thread: PhantomData })
	}
}

impl ChainDatabase {
	/// Returns bounds before and after the host's keys of a range; `None` is the end of the state.
	/// The bounds are not keys themselves, as they lack the end of one.
	fn host_range(&self, start: &[u8], end: Option<&[u8]>) -> (Vec<u8>, Option<Vec<u8>>) {
		let end = match end {
			Some(end) => Some(encode_start(&self.prefix, end)),
			None => successor(&self.prefix),
		};
		(encode_start(&self.prefix, start), end)
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
		// It cannot fail: the closure always returns a number.
		let _ = change_open(|open| Some(open - 1));
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
		}
		// It cannot fail: the closure always returns a number.
		let _ = change_open(|_| Some(0));
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
				Ok(storage::get(&encode(&self.database.prefix, key)))
			}

			fn contains_key(&self, key: &[u8]) -> Result<bool, Error<Infallible>> {
				Ok(storage::exists(&encode(&self.database.prefix, key)))
			}

			fn range_between(
				&self,
				start: &[u8],
				end: Option<&[u8]>,
				options: RangeOptions,
			) -> Result<ChainRange<'_>, Error<Infallible>> {
				let (start, end) = self.database.host_range(start, end);
				Ok(ChainRange::new(start, end, self.database.prefix.len(), options))
			}
		}
	)*};
}

reads! { ChainSnapshot ChainTransaction }

impl Transaction for ChainTransaction<'_> {
	fn set(&mut self, key: &[u8], value: &[u8]) -> Result<(), Error<Infallible>> {
		storage::set(&encode(&self.database.prefix, key), value);
		Ok(())
	}

	fn remove(&mut self, key: &[u8]) -> Result<bool, Error<Infallible>> {
		let key = encode(&self.database.prefix, key);
		let present = storage::exists(&key);
		if present {
			storage::clear(&key);
		}
		Ok(present)
	}

	fn clear(&mut self, key: &[u8]) -> Result<(), Error<Infallible>> {
		storage::clear(&encode(&self.database.prefix, key));
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
		let mut next = after(&start, end);
		while let Some(key) = next {
			if removed.count == limit {
				removed.cursor = Some(decode(key, database.prefix.len()).into());
				break;
			}
			storage::clear(&key);
			removed.count += 1;
			next = after(&key, end);
		}
		Ok(removed)
	}

	fn commit_with(mut self, _options: CommitOptions) -> Result<(), Error<Infallible>> {
		storage::commit_transaction();
		self.open = false;
		Ok(())
	}
}

/// Returns the first key of the host's after `key`, which need not be one.
fn after(key: &[u8], end: Option<&[u8]>) -> Option<Vec<u8>> {
	storage::next_key(key).filter(|next| end.is_none_or(|end| next.as_slice() < end))
}

/// A range of a [`ChainSnapshot`] or a [`ChainTransaction`].
pub struct ChainRange<'a> {
	keys: Keys,
	/// Length of the store's prefix in each key, in bytes.
	prefix: usize,
	limit: usize,
	/// The reader, and its thread.
	store: PhantomData<(&'a (), *const ())>,
}

enum Keys {
	Ascending {
		next: Option<Vec<u8>>,
		end: Option<Vec<u8>>,
	},
	/// From the last one on.
	Descending(VecDeque<Vec<u8>>),
}

impl Keys {
	fn next(&mut self, is_last: bool) -> Option<Vec<u8>> {
		match self {
			Self::Ascending { next, end } => {
				let key = next.take()?;
				if !is_last {
					*next = after(&key, end.as_deref());
				}
				Some(key)
			},
			Self::Descending(keys) => keys.pop_back(),
		}
	}
}

impl ChainRange<'_> {
	fn new(start: Vec<u8>, end: Option<Vec<u8>>, prefix: usize, options: RangeOptions) -> Self {
		let RangeOptions { reverse, offset, limit } = options;
		let mut next = if limit == 0 { None } else { after(&start, end.as_deref()) };
		let mut keys = if reverse {
			let wanted = offset.saturating_add(limit);
			let mut keys = VecDeque::new();
			while let Some(key) = next {
				next = after(&key, end.as_deref());
				if keys.len() == wanted {
					keys.pop_front();
				}
				keys.push_back(key);
			}
			Keys::Descending(keys)
		} else {
			Keys::Ascending { next, end }
		};
		for _ in 0..offset {
			if keys.next(false).is_none() {
				break;
			}
		}
		Self { keys, prefix, limit, store: PhantomData }
	}
}

impl Iterator for ChainRange<'_> {
	type Item = Result<Pair<Bytes>, Error<Infallible>>;

	fn next(&mut self) -> Option<Self::Item> {
		self.limit = self.limit.checked_sub(1)?;
		let key = self.keys.next(self.limit == 0)?;
		// Only what is there has a next key, and nothing is written meanwhile.
		let value = storage::get(&key)?;
		Some(Ok((decode(key, self.prefix), value)))
	}
}

impl FusedIterator for ChainRange<'_> {}

const END: [u8; 2] = [0, 0];
/// Follows a zero of the key.
const ESCAPE: u8 = 1;

fn encode(prefix: &[u8], key: &[u8]) -> Vec<u8> {
	let mut encoded = encode_start(prefix, key);
	encoded.extend_from_slice(&END);
	encoded
}

/// Returns the beginning of the host's keys for all keys that begin with `start`. It is less than
/// the host's keys for keys that are not before `start`, and more than all others.
fn encode_start(prefix: &[u8], start: &[u8]) -> Vec<u8> {
	// Room for a key of zeros only: cheaper than to count them.
	let mut encoded = Vec::with_capacity(prefix.len() + 2 * start.len() + END.len());
	encoded.extend_from_slice(prefix);
	let mut len = encoded.len();
	encoded.resize(len + 2 * start.len(), ESCAPE);
	// Without a branch, as packed keys have many zeros: the next byte takes the place of an escape.
	for byte in start {
		encoded[len] = *byte;
		len += 1 + usize::from(*byte == 0);
	}
	encoded.truncate(len);
	encoded
}

/// Returns the key of a host's key with a prefix of this many bytes.
fn decode(mut encoded: Vec<u8>, prefix: usize) -> Bytes {
	encoded.truncate(encoded.len().saturating_sub(END.len()).max(prefix));
	// In place, without the byte after each zero.
	let (mut from, mut to) = (prefix, prefix);
	while let Some(byte) = encoded.get(from).copied() {
		encoded[to] = byte;
		to += 1;
		from += 1 + usize::from(byte == 0);
	}
	encoded.truncate(to);
	let mut key = Bytes::from(encoded);
	key.advance(prefix);
	key
}

#[cfg(test)]
mod tests {
	use super::*;

	/// Checks all keys of up to four letters. The encoding treats some letters in a special way.
	#[test]
	fn order_is_kept_and_no_key_is_a_prefix_of_another() {
		let key = |number: usize, len: u32| -> Vec<u8> {
			(0..len).map(|at| [0, 1, 2, 0xff][number >> (2 * at) & 3]).collect()
		};
		let of_length = |len| (0..4usize.pow(len)).map(move |number| key(number, len));
		let mut keys: Vec<_> = (0..=4).flat_map(of_length).collect();
		keys.sort();
		let encoded: Vec<_> = keys.iter().map(|key| encode(b"p", key)).collect();
		assert!(encoded.is_sorted());
		// In sorted order what begins with a key would follow it.
		assert!(encoded.windows(2).all(|pair| !pair[1].starts_with(&pair[0])));
		for (start, encoded_start) in keys.iter().zip(&encoded) {
			assert_eq!(decode(encoded_start.clone(), 1), start);
			let bound = encode_start(b"p", start);
			for (key, encoded) in keys.iter().zip(&encoded) {
				assert_eq!(*encoded > bound, key >= start);
				assert_eq!(encoded.starts_with(&bound), key.starts_with(start));
			}
		}
	}
}

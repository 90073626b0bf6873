// SPDX-License-Identifier: Apache-2.0
//! The backend in memory.

use alloc::{
	collections::{btree_map, BTreeMap},
	sync::Arc,
	vec::Vec,
};
use core::{cell::OnceCell, convert::Infallible, iter::FusedIterator};

use crate::{
	gate::{Entered, Gate},
	range::bounds,
	BeginOptions, CommitOptions, Database, Error, Pair, RangeOptions, Read, Removed, Transaction,
};

/// A store in memory.
///
/// - Isolation: serializable. A snapshot reads what was committed when it began, whatever is
///   written while it is open; a transaction too, and its own writes.
/// - Durability: none. The pairs are lost when the database is dropped.
/// - Threads: with the feature `std` they share the database, and [`begin`](Database::begin) waits
///   for the end of another thread's transaction. Its options limit the wait. Waiting threads get
///   their turn in no particular order. A transaction stays in its thread.
///
/// A transaction writes to the sorted map, and keeps an undo log until it ends. Snapshots share the
/// map: the first write of a transaction while there are any copies it, and so does the first
/// snapshot that begins after the first write.
#[derive(Debug, Default)]
pub struct MemoryDatabase(Shared);

type Pairs = BTreeMap<Vec<u8>, Vec<u8>>;

/// The pairs, and what the open transaction has changed.
#[derive(Debug, Default)]
struct State {
	/// The pairs, with the writes of the open transaction.
	pairs: Arc<Pairs>,
	/// The pairs without them, if a snapshot has needed them.
	committed: Option<Arc<Pairs>>,
	undo: Undo,
}

impl State {
	/// Returns the pairs to write to, and the log of what they were. Snapshots keep what they read.
	fn write(&mut self) -> (&mut Pairs, &mut Undo) {
		// Only the first write of a transaction finds the pairs shared.
		if self.undo.writes.is_empty() && Arc::strong_count(&self.pairs) > 1 {
			self.committed = Some(self.pairs.clone());
		}
		(Arc::make_mut(&mut self.pairs), &mut self.undo)
	}

	/// Returns the pairs as they were when the open transaction began.
	fn snapshot(&mut self) -> Arc<Pairs> {
		if self.undo.writes.is_empty() {
			return self.pairs.clone();
		}
		let committed = self.committed.get_or_insert_with(|| {
			let mut pairs = Pairs::clone(&self.pairs);
			self.undo.clone().revert(&mut pairs);
			Arc::new(pairs)
		});
		committed.clone()
	}

	fn commit(&mut self) {
		self.undo.clear();
		self.committed = None;
	}

	fn rollback(&mut self) {
		match self.committed.take() {
			Some(committed) => self.pairs = committed,
			None if self.undo.writes.is_empty() => {},
			None => core::mem::take(&mut self.undo).revert(Arc::make_mut(&mut self.pairs)),
		}
		self.undo.clear();
	}
}

/// The state of a [`MemoryDatabase`]. With the standard library threads share it.
#[derive(Debug, Default)]
struct Shared {
	#[cfg(feature = "std")]
	state: std::sync::Mutex<State>,
	#[cfg(not(feature = "std"))]
	state: core::cell::RefCell<State>,
	gate: Gate,
}

impl Shared {
	#[cfg(feature = "std")]
	fn lock(&self) -> std::sync::MutexGuard<'_, State> {
		self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
	}

	#[cfg(not(feature = "std"))]
	fn lock(&self) -> core::cell::RefMut<'_, State> {
		self.state.borrow_mut()
	}

	/// Uses the state, which takes a short time only.
	#[inline]
	fn with<R>(&self, run: impl FnOnce(&mut State) -> R) -> R {
		run(&mut self.lock())
	}
}

/// Bytes of an undo log that the next transaction finds ready.
const KEPT: usize = 64 << 10;

/// Former values of keys that were written, in the order of the writes.
#[derive(Clone, Debug, Default)]
struct Undo {
	/// The keys and their former values, one after the other: cheaper than memory of its own for
	/// each.
	bytes: Vec<u8>,
	writes: Vec<Write>,
}

/// The positions in the log at which the bytes of a write start.
#[derive(Clone, Debug)]
struct Write {
	key: usize,
	/// `None` if the key was absent.
	former: Option<usize>,
}

impl Undo {
	fn push(&mut self, key: &[u8], former: Option<&[u8]>) {
		let start = self.bytes.len();
		self.bytes.extend_from_slice(key);
		let end = self.bytes.len();
		self.bytes.extend_from_slice(former.unwrap_or_default());
		self.writes.push(Write { key: start, former: former.map(|_| end) });
	}

	/// Forgets the writes, but keeps some memory for the next transaction.
	fn clear(&mut self) {
		self.bytes.clear();
		self.bytes.shrink_to(KEPT);
		self.writes.clear();
		self.writes.shrink_to(KEPT / 32);
	}

	fn revert(mut self, pairs: &mut Pairs) {
		while let Some(Write { key: start, former }) = self.writes.pop() {
			let (key, value) =
				self.bytes[start..].split_at(former.unwrap_or(self.bytes.len()) - start);
			match former {
				Some(_) => drop(pairs.insert(key.to_vec(), value.to_vec())),
				None => drop(pairs.remove(key)),
			}
			self.bytes.truncate(start);
		}
	}
}

/// Reads one state of a [`MemoryDatabase`].
#[derive(Clone, Debug, Default)]
#[must_use = "a snapshot does nothing unless it is read"]
pub struct MemorySnapshot(Arc<Pairs>);

/// A range of a [`MemorySnapshot`] or a [`MemoryTransaction`].
pub struct MemoryRange<'a> {
	pairs: btree_map::Range<'a, Vec<u8>, Vec<u8>>,
	reverse: bool,
	limit: usize,
}

type Lent<'a> = Result<Pair<&'a [u8]>, Error<Infallible>>;

#[inline]
fn lend<'a>((key, value): (&'a Vec<u8>, &'a Vec<u8>)) -> Lent<'a> {
	Ok((key, value))
}

impl<'a> Iterator for MemoryRange<'a> {
	type Item = Lent<'a>;

	#[inline]
	fn next(&mut self) -> Option<Self::Item> {
		self.limit = self.limit.checked_sub(1)?;
		let pair = if self.reverse { self.pairs.next_back() } else { self.pairs.next() };
		pair.map(lend)
	}

	/// Looks at the options once instead of at each pair.
	#[inline]
	fn fold<A, F: FnMut(A, Self::Item) -> A>(self, init: A, run: F) -> A {
		match (self.reverse, self.limit) {
			(false, usize::MAX) => self.pairs.map(lend).fold(init, run),
			(false, limit) => self.pairs.take(limit).map(lend).fold(init, run),
			(true, limit) => self.pairs.rev().take(limit).map(lend).fold(init, run),
		}
	}
}

impl FusedIterator for MemoryRange<'_> {}

impl MemorySnapshot {
	#[inline]
	fn pairs(&self) -> &Pairs {
		&self.0
	}
}

/// A transaction of a [`MemoryDatabase`].
#[must_use = "a transaction that is dropped is rolled back"]
pub struct MemoryTransaction<'db> {
	shared: &'db Shared,
	/// The pairs, shared from a read until the next write.
	view: OnceCell<Arc<Pairs>>,
	_entered: Entered<'db>,
}

impl MemoryTransaction<'_> {
	#[inline]
	fn pairs(&self) -> &Pairs {
		self.view.get_or_init(|| self.shared.with(|state| state.pairs.clone()))
	}

	#[inline]
	fn write<R>(&mut self, run: impl FnOnce(&mut Pairs, &mut Undo) -> R) -> R {
		self.view.take();
		self.shared.with(|state| {
			let (pairs, undo) = state.write();
			run(pairs, undo)
		})
	}
}

impl Drop for MemoryTransaction<'_> {
	fn drop(&mut self) {
		self.view.take();
		self.shared.with(State::rollback);
	}
}

macro_rules! reads {
	($($reader:ty)*) => {$(
		impl Read for $reader {
			type Error = Infallible;
			type Bytes<'a>
				= &'a [u8]
			where
				Self: 'a;
			type Range<'a>
				= MemoryRange<'a>
			where
				Self: 'a;

			#[inline]
			fn get(&self, key: &[u8]) -> Result<Option<&[u8]>, Error<Infallible>> {
				Ok(self.pairs().get(key).map(Vec::as_slice))
			}

			fn range_between(
				&self,
				start: &[u8],
				end: Option<&[u8]>,
				options: RangeOptions,
			) -> Result<MemoryRange<'_>, Error<Infallible>> {
				let pairs = match bounds(start, end) {
					Some(range) => self.pairs().range::<[u8], _>(range),
					None => btree_map::Range::default(),
				};
				let RangeOptions { reverse, offset, limit } = options;
				let mut range = MemoryRange { pairs, reverse, limit: offset };
				range.by_ref().for_each(drop);
				range.limit = limit;
				Ok(range)
			}

			fn len(&self) -> Result<usize, Error<Infallible>> {
				Ok(self.pairs().len())
			}
		}
	)*};
}

reads! { MemorySnapshot MemoryTransaction<'_> }

impl Transaction for MemoryTransaction<'_> {
	fn set(&mut self, key: &[u8], value: &[u8]) -> Result<(), Error<Infallible>> {
		self.write(|pairs, undo| {
			// A replacement is mostly followed by another one, which takes the memory that is
			// there.
			let replaces = matches!(undo.writes.last(), Some(Write { former: Some(_), .. }));
			let present = if replaces { pairs.get_mut(key) } else { None };
			match present {
				Some(present) => {
					undo.push(key, Some(present));
					present.clear();
					present.extend_from_slice(value);
					present.shrink_to(2 * value.len());
				},
				None => {
					let former = pairs.insert(key.to_vec(), value.to_vec());
					undo.push(key, former.as_deref());
				},
			}
		});
		Ok(())
	}

	fn remove(&mut self, key: &[u8]) -> Result<bool, Error<Infallible>> {
		Ok(self.write(|pairs, undo| match pairs.remove(key) {
			Some(value) => {
				undo.push(key, Some(&value));
				true
			},
			None => false,
		}))
	}

	fn remove_range_limited(
		&mut self,
		start: &[u8],
		end: Option<&[u8]>,
		limit: usize,
	) -> Result<Removed, Error<Infallible>> {
		let mut removed = Removed { count: 0, cursor: None };
		let Some(range) = bounds(start, end) else { return Ok(removed) };
		let owned = (range.0.map(<[u8]>::to_vec), range.1.map(<[u8]>::to_vec));
		self.write(|pairs, undo| {
			for (key, value) in pairs.extract_if(owned, |_, _| true).take(limit) {
				undo.push(&key, Some(&value));
				removed.count += 1;
			}
			if removed.count == limit {
				removed.cursor = pairs.range::<[u8], _>(range).next().map(|(key, _)| key.clone());
			}
		});
		Ok(removed)
	}

	fn commit_with(self, _options: CommitOptions) -> Result<(), Error<Infallible>> {
		self.shared.with(State::commit);
		Ok(())
	}
}

impl Database for MemoryDatabase {
	type Config = ();
	type Error = Infallible;
	type Snapshot<'db> = MemorySnapshot;
	type Transaction<'db> = MemoryTransaction<'db>;

	const CONCURRENT_SNAPSHOTS: bool = true;
	const WAITS: bool = cfg!(feature = "std");

	fn open((): ()) -> Result<Self, Error<Infallible>> {
		Ok(Self::default())
	}

	fn begin_with(
		&self,
		options: BeginOptions,
	) -> Result<MemoryTransaction<'_>, Error<Infallible>> {
		let entered = self.0.gate.enter(options.wait).ok_or(Error::Busy)?;
		Ok(MemoryTransaction { shared: &self.0, view: OnceCell::new(), _entered: entered })
	}

	fn begin_read(&self) -> Result<MemorySnapshot, Error<Infallible>> {
		Ok(MemorySnapshot(self.0.with(State::snapshot)))
	}
}

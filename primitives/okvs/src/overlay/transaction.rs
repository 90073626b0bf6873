// SPDX-License-Identifier: Apache-2.0
//! Transactions over a snapshot.

use alloc::{vec, vec::Vec};
use core::{
	cell::OnceCell,
	iter::FusedIterator,
	ops::{Deref, DerefMut},
};

use super::{gate::Gate, merge, Batch, Merge, Overlay, Snapshot};
use crate::{
	BeginOptions, CommitOptions, DoubleEndedRead, Error, Pair, RangeOptions, Read, Transaction,
};

/// A store that can give a snapshot of itself and apply a batch of writes, which is all that
/// [`Transactions`] need.
pub trait Store {
	/// Error of the backend.
	type Error;
	/// Reads one state of the store.
	type Snapshot<'s>: Snapshot<Error = Self::Error>
	where
		Self: 's;

	/// Returns a snapshot of what has been applied so far.
	fn snapshot(&self) -> Result<Self::Snapshot<'_>, Error<Self::Error>>;

	/// Applies the writes of a transaction: all of them, or none and an error.
	///
	/// Called by one thread at a time. Only a commit makes a batch.
	fn apply(&self, batch: Batch, options: CommitOptions) -> Result<(), Error<Self::Error>>;
}

/// A [`Store`], and the admission of one transaction at a time to it.
#[derive(Debug, Default)]
pub struct Transactions<S> {
	store: S,
	gate: Gate,
}

impl<S> Transactions<S> {
	/// Owns a store, so that it is written by transactions only.
	pub fn new(store: S) -> Self {
		Self { store, gate: Gate::default() }
	}

	/// Returns the store.
	pub fn store(&self) -> &S {
		&self.store
	}

	/// Returns the store, which no transaction uses, for maintenance.
	pub fn store_mut(&mut self) -> &mut S {
		&mut self.store
	}
}

impl<S: Store> Transactions<S> {
	/// Begins a transaction. Waits for the end of an open one with the feature `std`; without,
	/// fails with [`Error::Busy`].
	pub fn begin(
		&self,
		options: BeginOptions,
	) -> Result<StoreTransaction<'_, '_, S>, Error<S::Error>> {
		if !self.gate.enter(options.wait) {
			return Err(Error::Busy);
		}
		let entry = Entry(self);
		let overlays = vec![Overlay::default()];
		let layers = Layers { entry, snapshot: OnceCell::new(), overlays };
		Ok(StoreTransaction { layers: Handle::Outermost(layers), level: 0 })
	}
}

/// The entry of a writer, who leaves when it is dropped.
struct Entry<'db, S>(&'db Transactions<S>);

impl<S> Drop for Entry<'_, S> {
	fn drop(&mut self) {
		self.0.gate.leave();
	}
}

/// State that a transaction shares with those nested in it.
struct Layers<'db, S: Store + 'db> {
	entry: Entry<'db, S>,
	/// Taken by the first read, as a transaction that only writes needs none. Nobody else commits
	/// meanwhile, so it is the state in which the transaction began.
	snapshot: OnceCell<S::Snapshot<'db>>,
	/// Writes of the outermost transaction, and of each one nested in it.
	overlays: Vec<Overlay>,
}

impl<'db, S: Store> Layers<'db, S> {
	#[inline]
	fn snapshot(&self) -> Result<&S::Snapshot<'db>, Error<S::Error>> {
		if let Some(snapshot) = self.snapshot.get() {
			return Ok(snapshot);
		}
		let snapshot = self.entry.0.store.snapshot()?;
		Ok(self.snapshot.get_or_init(|| snapshot))
	}
}

enum Handle<'a, 'db, S: Store + 'db> {
	Outermost(Layers<'db, S>),
	Nested(&'a mut Layers<'db, S>),
}

impl<'db, S: Store> Deref for Handle<'_, 'db, S> {
	type Target = Layers<'db, S>;

	#[inline]
	fn deref(&self) -> &Layers<'db, S> {
		match self {
			Self::Outermost(layers) => layers,
			Self::Nested(layers) => layers,
		}
	}
}

impl<S: Store> DerefMut for Handle<'_, '_, S> {
	#[inline]
	fn deref_mut(&mut self) -> &mut Self::Target {
		match self {
			Self::Outermost(layers) => layers,
			Self::Nested(layers) => layers,
		}
	}
}

/// A transaction of a [`Store`], or one nested in it.
#[must_use = "a transaction that is dropped is rolled back"]
pub struct StoreTransaction<'a, 'db, S: Store + 'db> {
	layers: Handle<'a, 'db, S>,
	/// Index of this transaction's overlay. Those after it belong to nested ones that were dropped.
	level: usize,
}

impl<S: Store> StoreTransaction<'_, '_, S> {
	#[inline]
	fn overlay(&mut self) -> &mut Overlay {
		let level = self.level;
		let overlays = &mut self.layers.overlays;
		overlays.truncate(level + 1);
		&mut overlays[level]
	}

	#[inline]
	fn overlays(&self) -> &[Overlay] {
		&self.layers.overlays[..=self.level]
	}
}

/// A range of a [`StoreTransaction`].
pub struct StoreRange<'a, S: Snapshot + 'a>(Merge<'a, S, Overlay>);

impl<'a, S: Snapshot> Iterator for StoreRange<'a, S> {
	type Item = Result<Pair<S::Bytes<'a>>, Error<S::Error>>;

	#[inline]
	fn next(&mut self) -> Option<Self::Item> {
		self.0.next()
	}
}

impl<S: Snapshot> FusedIterator for StoreRange<'_, S> {}

impl<'db, S: Store> Read for StoreTransaction<'_, 'db, S> {
	type Error = S::Error;
	type Bytes<'x>
		= <S::Snapshot<'db> as Read>::Bytes<'x>
	where
		Self: 'x;
	type Range<'x>
		= StoreRange<'x, S::Snapshot<'db>>
	where
		Self: 'x;

	#[inline]
	fn get(&self, key: &[u8]) -> Result<Option<Self::Bytes<'_>>, Error<S::Error>> {
		merge::get(self.layers.snapshot()?, self.overlays(), key)
	}

	fn range_between(
		&self,
		start: &[u8],
		end: Option<&[u8]>,
		options: RangeOptions,
	) -> Result<Self::Range<'_>, Error<S::Error>> {
		Merge::new(self.layers.snapshot()?, self.overlays(), start, end, options).map(StoreRange)
	}
}

impl<'db, S: Store> DoubleEndedRead for StoreTransaction<'_, 'db, S> where
	S::Snapshot<'db>: DoubleEndedRead
{
}

impl<'db, S: Store> Transaction for StoreTransaction<'_, 'db, S> {
	type Nested<'x>
		= StoreTransaction<'x, 'db, S>
	where
		Self: 'x;

	fn set(&mut self, key: &[u8], value: &[u8]) -> Result<(), Error<S::Error>> {
		self.overlay().set(key, value);
		Ok(())
	}

	fn remove(&mut self, key: &[u8]) -> Result<bool, Error<S::Error>> {
		let present = self.contains_key(key)?;
		if present {
			self.overlay().remove(key);
		}
		Ok(present)
	}

	fn clear(&mut self, key: &[u8]) -> Result<(), Error<S::Error>> {
		self.overlay().remove(key);
		Ok(())
	}

	fn remove_range(&mut self, start: &[u8], end: Option<&[u8]>) -> Result<(), Error<S::Error>> {
		self.overlay().remove_range(start, end);
		Ok(())
	}

	fn begin(&mut self) -> Result<Self::Nested<'_>, Error<S::Error>> {
		let level = self.level + 1;
		self.overlay();
		self.layers.overlays.push(Overlay::default());
		Ok(StoreTransaction { layers: Handle::Nested(&mut *self.layers), level })
	}

	fn commit_with(mut self, options: CommitOptions) -> Result<(), Error<S::Error>> {
		let batch = core::mem::take(self.overlay());
		match self.layers {
			Handle::Outermost(Layers { entry, snapshot, .. }) => {
				// The store can write in place what no snapshot holds on to.
				drop(snapshot);
				entry.0.store.apply(Batch(batch), options)
			},
			Handle::Nested(layers) => {
				layers.overlays[self.level - 1].absorb(batch);
				Ok(())
			},
		}
	}

	fn rollback(self) -> Result<(), Error<S::Error>> {
		Ok(())
	}
}

//! Transactions over a snapshot.

use alloc::{vec, vec::Vec};
use core::ops::{Deref, DerefMut};

use super::{merge, Merge, Overlay, Snapshot};
use crate::{Error, RangeOptions, Read, Transaction};

/// A store that can give a snapshot of itself and apply a batch of writes. That is all that it takes
/// to have [transactions](StoreTransaction).
pub trait Store {
	/// What can go wrong in the backend.
	type Error;
	/// Reads one state of the store.
	type Snapshot: Snapshot<Error = Self::Error>;

	/// Marks the store as being written. `false` if it was marked before.
	fn lock(&self) -> bool;

	/// Takes back the mark.
	fn unlock(&self);

	/// A snapshot of what has been applied so far.
	fn snapshot(&self) -> Result<Self::Snapshot, Error<Self::Error>>;

	/// Applies what an overlay has written: all of it, or nothing and an error.
	fn apply(&self, batch: Overlay) -> Result<(), Error<Self::Error>>;
}

/// The mark of a store that is being written.
struct Lock<'db, S: Store>(&'db S);

impl<S: Store> Drop for Lock<'_, S> {
	fn drop(&mut self) {
		self.0.unlock();
	}
}

/// What a transaction and those nested in it share.
struct Layers<'db, S: Store> {
	lock: Lock<'db, S>,
	snapshot: S::Snapshot,
	/// What the outermost transaction has written, and each one nested in it.
	overlays: Vec<Overlay>,
}

enum Handle<'a, 'db, S: Store> {
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
pub struct StoreTransaction<'a, 'db, S: Store> {
	layers: Handle<'a, 'db, S>,
	/// Which overlay is this transaction's. Any after it belong to nested ones that were dropped.
	level: usize,
}

impl<'db, S: Store> StoreTransaction<'db, 'db, S> {
	/// Begins a transaction. Fails with [`Error::Busy`] beside another one.
	pub fn begin(store: &'db S) -> Result<Self, Error<S::Error>> {
		if !store.lock() {
			return Err(Error::Busy);
		}
		let lock = Lock(store);
		let snapshot = store.snapshot()?;
		let overlays = vec![Overlay::default()];
		Ok(Self { layers: Handle::Outermost(Layers { lock, snapshot, overlays }), level: 0 })
	}
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

impl<S: Store> Read for StoreTransaction<'_, '_, S> {
	type Error = S::Error;
	type Bytes<'x>
		= <S::Snapshot as Read>::Bytes<'x>
	where
		Self: 'x;
	type Range<'x>
		= Merge<'x, S::Snapshot, Overlay>
	where
		Self: 'x;

	#[inline]
	fn get(&self, key: &[u8]) -> Result<Option<Self::Bytes<'_>>, Error<S::Error>> {
		merge::get(&self.layers.snapshot, self.overlays(), key)
	}

	fn range_between(
		&self,
		start: &[u8],
		end: Option<&[u8]>,
		options: RangeOptions,
	) -> Result<Self::Range<'_>, Error<S::Error>> {
		Merge::new(&self.layers.snapshot, self.overlays(), start, end, options)
	}
}

impl<'db, S: Store> Transaction for StoreTransaction<'_, 'db, S> {
	type Nested<'x>
		= StoreTransaction<'x, 'db, S>
	where
		Self: 'x;

	fn set(&mut self, key: &[u8], value: &[u8]) -> Result<(), Error<S::Error>> {
		self.overlay().set(key.to_vec(), value.to_vec());
		Ok(())
	}

	fn remove(&mut self, key: &[u8]) -> Result<(), Error<S::Error>> {
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

	fn commit(mut self) -> Result<(), Error<S::Error>> {
		let batch = core::mem::take(self.overlay());
		match self.layers {
			Handle::Outermost(Layers { lock, snapshot, .. }) => {
				// The store can write in place what no snapshot holds on to.
				drop(snapshot);
				lock.0.apply(batch)
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

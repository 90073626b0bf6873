// SPDX-License-Identifier: Apache-2.0
//! The backend in memory.

mod shared;

use alloc::{
	collections::{btree_map, BTreeMap},
	sync::Arc,
	vec::Vec,
};
use core::{convert::Infallible, iter::FusedIterator};

use crate::{
	overlay::{
		merge::{self, Merge},
		Overlay, Snapshot, Store, StoreTransaction, Transactions,
	},
	range::{bounds, owned_bounds, Directed},
	BeginOptions, CloseOptions, Database, DoubleEndedRead, Error, Pair, RangeOptions, Read,
};
use shared::Shared;

/// A store in memory.
///
/// - Isolation: serializable. A snapshot reads what was committed when it began, whatever is
///   committed while it is open; a transaction too, and its own writes.
/// - Durability: none. The pairs are lost when the database is dropped.
/// - Threads: with the feature `std` they share the database, and [`begin`](Database::begin) waits
///   for the end of the transaction of another thread, in no particular order. A thread that begins
///   a transaction while it holds one deadlocks. Without `std` it fails with [`Error::Busy`].
///
/// A long-lived snapshot costs memory: a copy of what was written since it began.
///
/// ```
/// use content_fabric_okvs::{memory::MemoryDatabase, Database, Read, Transaction};
///
/// let database = MemoryDatabase::open(())?;
/// let mut transaction = database.begin()?;
/// transaction.set(b"key", b"value")?;
/// transaction.commit()?;
/// assert_eq!(database.begin_read()?.get(b"key")?, Some(&b"value"[..]));
/// # Ok::<_, content_fabric_okvs::Error<core::convert::Infallible>>(())
/// ```
#[derive(Debug, Default)]
pub struct MemoryDatabase {
	transactions: Transactions<Shared>,
}

/// Pairs, and changes that were committed while snapshots held on to what was there before.
#[derive(Clone, Debug, Default)]
#[must_use = "a snapshot does nothing unless it is read"]
pub struct MemorySnapshot {
	base: Arc<Pairs>,
	changes: Vec<Arc<Overlay>>,
}

#[derive(Clone, Debug, Default)]
struct Pairs(BTreeMap<Vec<u8>, Vec<u8>>);

impl Pairs {
	fn apply(&mut self, batch: Overlay) {
		for (start, end) in batch.removed.iter() {
			if let Some(range) = owned_bounds(start, end) {
				self.0.extract_if(range, |_, _| true).for_each(drop);
			}
		}
		batch.entries.apply_to(&mut self.0);
	}
}

/// Read through a merge, which applies offsets and limits.
impl Read for Pairs {
	type Error = Infallible;
	type Bytes<'a> = &'a [u8];
	type Range<'a> = PairsRange<'a>;

	#[inline]
	fn get(&self, key: &[u8]) -> Result<Option<&[u8]>, Error<Infallible>> {
		Ok(self.0.get(key).map(Vec::as_slice))
	}

	fn range_between(
		&self,
		start: &[u8],
		end: Option<&[u8]>,
		options: RangeOptions,
	) -> Result<PairsRange<'_>, Error<Infallible>> {
		let items = match bounds(start, end) {
			Some(range) => self.0.range::<[u8], _>(range),
			None => btree_map::Range::default(),
		};
		Ok(PairsRange(Directed { items, reverse: options.reverse }))
	}
}

impl Snapshot for Pairs {
	#[inline]
	fn lend<'a>(bytes: &'a [u8]) -> &'a [u8]
	where
		Self: 'a,
	{
		bytes
	}
}

struct PairsRange<'a>(Directed<btree_map::Range<'a, Vec<u8>, Vec<u8>>>);

impl<'a> Iterator for PairsRange<'a> {
	type Item = Result<Pair<&'a [u8]>, Error<Infallible>>;

	#[inline]
	fn next(&mut self) -> Option<Self::Item> {
		self.0.next().map(|(key, value)| Ok((key.as_slice(), value.as_slice())))
	}
}

impl FusedIterator for PairsRange<'_> {}

impl MemorySnapshot {
	fn apply(&mut self, batch: Overlay) {
		if let Some(base) = Arc::get_mut(&mut self.base) {
			// No snapshot holds on to what is there, so all of it can be changed in place.
			let changes = self.changes.drain(..).map(Arc::unwrap_or_clone);
			changes.chain([batch]).for_each(|change| base.apply(change));
			return;
		}
		self.changes.push(Arc::new(batch));
		// What a snapshot holds is copied only when as much was written since, so a change is
		// copied a logarithmic number of times, and there are as few overlays.
		while let [.., below, above] = self.changes.as_mut_slice() {
			if Arc::get_mut(below).is_none() && below.len() >= 2 * above.len() {
				break;
			}
			let above = core::mem::take(above);
			Arc::make_mut(below).absorb(Arc::unwrap_or_clone(above));
			self.changes.pop();
		}
		if let [only] = self.changes.as_mut_slice() {
			if only.len() >= self.base.0.len() {
				let change = core::mem::take(only);
				Arc::make_mut(&mut self.base).apply(Arc::unwrap_or_clone(change));
				self.changes.clear();
			}
		}
	}
}

/// A range of a [`MemorySnapshot`].
pub struct MemoryRange<'a>(Merge<'a, Pairs, Arc<Overlay>>);

impl<'a> Iterator for MemoryRange<'a> {
	type Item = Result<Pair<&'a [u8]>, Error<Infallible>>;

	#[inline]
	fn next(&mut self) -> Option<Self::Item> {
		self.0.next()
	}
}

impl FusedIterator for MemoryRange<'_> {}

impl Read for MemorySnapshot {
	type Error = Infallible;
	type Bytes<'a> = &'a [u8];
	type Range<'a> = MemoryRange<'a>;

	#[inline]
	fn get(&self, key: &[u8]) -> Result<Option<&[u8]>, Error<Infallible>> {
		merge::get(&*self.base, &self.changes, key)
	}

	fn range_between(
		&self,
		start: &[u8],
		end: Option<&[u8]>,
		options: RangeOptions,
	) -> Result<MemoryRange<'_>, Error<Infallible>> {
		Merge::new(&*self.base, &self.changes, start, end, options).map(MemoryRange)
	}

	fn len(&self) -> Result<usize, Error<Infallible>> {
		if self.changes.is_empty() {
			return Ok(self.base.0.len());
		}
		Ok(self.range(b"")?.count())
	}
}

impl DoubleEndedRead for MemorySnapshot {}

impl Snapshot for MemorySnapshot {
	#[inline]
	fn lend<'a>(bytes: &'a [u8]) -> &'a [u8]
	where
		Self: 'a,
	{
		bytes
	}
}

impl Database for MemoryDatabase {
	type Config = ();
	type Error = Infallible;
	type Snapshot<'db> = MemorySnapshot;
	type Transaction<'db> = StoreTransaction<'db, 'db, Shared>;

	const CONCURRENT_SNAPSHOTS: bool = true;
	const WAITS: bool = cfg!(feature = "std");

	fn open((): ()) -> Result<Self, Error<Infallible>> {
		Ok(Self::default())
	}

	fn close_with(self, _options: CloseOptions) -> Result<(), Error<Infallible>> {
		Ok(())
	}

	fn begin_with(
		&self,
		options: BeginOptions,
	) -> Result<Self::Transaction<'_>, Error<Infallible>> {
		self.transactions.begin(options)
	}

	fn begin_read(&self) -> Result<MemorySnapshot, Error<Infallible>> {
		self.transactions.store().snapshot()
	}
}

#[cfg(test)]
mod tests {
	use super::*;
	use crate::Transaction;

	/// A snapshot is held at every commit, each time the newest. What is read through stays few.
	#[test]
	fn rolling_snapshots_do_not_slow_reads_down() {
		let database = MemoryDatabase::default();
		let mut held = database.begin_read().expect("nothing can fail");
		let mut most = 0;
		for number in 0..5_000u32 {
			let mut transaction = database.begin().expect("nothing else is open");
			transaction.set(&(number % 1_000).to_be_bytes(), &[1]).expect("nothing can fail");
			transaction.commit().expect("nothing can fail");
			held = database.begin_read().expect("nothing can fail");
			most = most.max(held.changes.len());
		}
		assert_eq!(held.range(b"").expect("nothing can fail").count(), 1_000);
		assert!(most <= 13, "{most} overlays over 1,000 pairs");
	}
}

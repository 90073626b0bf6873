// SPDX-License-Identifier: Apache-2.0
//! The library's own stores.

use std::fmt::Debug;

use content_fabric_okvs::{successor, Database, Error, RangeOptions, Read, Transaction};

use crate::{
	pairs::{Family, Pair},
	store::{digest, digest_pair, Reader, Store},
};

pub struct Ours<D> {
	pub database: D,
	/// Makes the commits of a turn durable.
	pub settle: fn(&D),
}

impl<D: Database<Error: Debug>> Ours<D> {
	fn transact<R>(
		&self,
		run: impl FnOnce(&mut D::Transaction<'_>) -> Result<R, Error<D::Error>>,
	) -> R {
		self.database.transact(run).expect("the store can be written")
	}
}

impl<D: Database<Error: Debug>> Store for Ours<D> {
	const NAME: &'static str = "ours";
	type Reader<'s>
		= Snapshot<D::Snapshot<'s>>
	where
		D: 's;

	fn reader(&self) -> Self::Reader<'_> {
		Snapshot(self.database.begin_read().expect("the store can be read"))
	}

	fn set(&self, mut pairs: impl Iterator<Item = Pair>) {
		self.transact(|transaction| {
			pairs.try_for_each(|(key, value)| transaction.set(&key, value))
		});
	}

	fn remove(&self, family: &Family) {
		self.transact(|transaction| {
			transaction.remove_range(&family.start, successor(&family.start).as_deref())
		});
	}

	fn remove_counted(&self, family: &Family) -> usize {
		self.transact(|transaction| transaction.remove_prefix(&family.start, usize::MAX)).count
	}

	fn settle(&self) {
		(self.settle)(&self.database);
	}
}

pub struct Snapshot<S>(S);

impl<S: Read<Error: Debug>> Reader for Snapshot<S> {
	fn get(&self, key: &[u8]) -> usize {
		let value = self.0.get(key).expect("the store can be read");
		value.map_or(0, |value| digest(value.as_ref()))
	}

	fn scan(&self, family: &Family, reverse: bool) -> usize {
		let options = RangeOptions { reverse, ..RangeOptions::default() };
		let range = self.0.range_with(&family.start, options).expect("the store can be read");
		range
			.map(|pair| {
				let (key, value) = pair.expect("the store can be read");
				digest_pair(key.as_ref(), value.as_ref())
			})
			.sum()
	}
}

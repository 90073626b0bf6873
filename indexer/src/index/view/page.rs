// SPDX-License-Identifier: Apache-2.0
//! Pages of lists.

use std::collections::HashMap;

use content_fabric_okvs::{
	disk::DiskError,
	successor,
	tuple_store::{Pattern, Row, TupleStore},
	Pair, RangeOptions, Read,
};

use super::View;
use crate::{
	index::{
		error::Error,
		keys::{self, Incarnation},
		orders::Stored,
		writer::{decode_stored, read_incarnation, read_owner, read_stored, Owner},
	},
	rows::{Map, RowKey},
};

/// The most rows of a list that a page looks at and leaves out.
pub const MAX_SKIPPED: usize = 10_000;

/// A page of a list that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice {
	/// The place after which the page begins: [`Page::next`] of the page before.
	pub after: Option<Vec<u8>>,
	/// The most items.
	pub limit: usize,
}

/// A page of a list. It may have fewer items than were asked for even if the list goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page<T> {
	/// The items.
	pub items: Vec<T>,
	/// The place after which the list goes on. `None` at its end.
	pub next: Option<Vec<u8>>,
}

/// A query failed.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
	/// The index cannot be read.
	#[error(transparent)]
	Index(#[from] Error),
	/// The query takes longer than it may.
	#[error("the query takes too long")]
	TooSlow,
}

macro_rules! from {
	($($error:ty)*) => {$(
		impl From<$error> for ReadError {
			fn from(error: $error) -> Self {
				Self::Index(error.into())
			}
		}
	)*};
}

from! {
	content_fabric_okvs::Error<DiskError>
	content_fabric_okvs::tuple_store::TupleStoreError<DiskError>
}

/// A result of reading a list, with its place in the list.
pub(crate) type Placed<T> = Result<(Vec<u8>, T), ReadError>;

/// Returns the error of an item of a key that has an unknown form.
pub(crate) fn unreadable<E>(_: E) -> Error {
	Error::corrupted("a key of an order")
}

/// Takes the value of a row that is of the kind of its map.
macro_rules! value {
	($stored:expr, $kind:ident) => {
		match $stored.row.value {
			crate::rows::RowValue::$kind(value) => Ok(value),
			_ => Err(crate::index::error::Error::corrupted("a row")),
		}
	};
}
pub(crate) use value;

impl<T> Page<T> {
	/// Returns the page of an empty list.
	pub const fn empty() -> Self {
		Self { items: Vec::new(), next: None }
	}

	/// Returns the same page with other items.
	pub fn map<U>(self, each: impl FnMut(T) -> U) -> Page<U> {
		Page { items: self.items.into_iter().map(each).collect(), next: self.next }
	}
}

impl<R: Read<Error = DiskError>> View<R> {
	/// Collects a page. `select` returns `None` for rows that are not in the list.
	pub(crate) fn collect<T, U>(
		&self,
		slice: &Slice,
		rows: impl IntoIterator<Item = Placed<T>>,
		mut select: impl FnMut(T) -> Result<Option<U>, ReadError>,
	) -> Result<Page<U>, ReadError> {
		let mut items = Vec::new();
		let mut skipped = 0;
		let mut last = None;
		for row in rows {
			let is_full = items.len() >= slice.limit || skipped >= MAX_SKIPPED;
			if is_full || (last.is_some() && self.is_late()) {
				return Ok(Page { items, next: last });
			}
			self.check_time()?;
			let (place, row) = row?;
			match select(row)? {
				Some(item) => items.push(item),
				None => skipped += 1,
			}
			last = Some(place);
		}
		Ok(Page { items, next: None })
	}

	/// Returns the pairs whose keys begin with `start`, which itself begins with `base`. The place
	/// of a pair is what follows `base` in its key.
	pub(crate) fn pairs<'r>(
		&'r self,
		base: &[u8],
		start: &[u8],
		slice: &Slice,
		reverse: bool,
	) -> Result<impl Iterator<Item = Placed<Pair<R::Bytes<'r>>>> + 'r, ReadError> {
		let (mut first, mut end) = (start.to_vec(), successor(start));
		if let Some(place) = &slice.after {
			let key = [base, place].concat();
			match reverse {
				true => end = Some(end.map_or(key.clone(), |end| end.min(key))),
				// The next key after that one.
				false => first = first.max([&key[..], &[0]].concat()),
			}
		}
		let options = RangeOptions { reverse, ..RangeOptions::default() };
		let skip = base.len();
		let pairs = self.read.range_between(&first, end.as_deref(), options)?;
		Ok(pairs.map(move |pair| {
			let (key, value) = pair?;
			let place = key.get(skip..).unwrap_or_default().to_vec();
			Ok((place, (key, value)))
		}))
	}

	/// Returns rows of a map and an incarnation in the order of their keys. Those keys begin with
	/// `prefix` after map and incarnation.
	pub(crate) fn rows_of<'r>(
		&'r self,
		map: Map,
		owner: Option<Owner>,
		m: Incarnation,
		prefix: &[u8],
		slice: &Slice,
	) -> Result<impl Iterator<Item = Placed<(RowKey, Stored)>> + 'r, ReadError> {
		let rows = keys::rows(map, m);
		let start = [rows.prefix(), prefix].concat();
		let pairs = self.pairs(rows.prefix(), &start, slice, false)?;
		let member = owner.map(|owner| owner.member);
		Ok(pairs.map(move |pair| {
			let (place, (key, value)) = pair?;
			let key = keys::read_row(map, m, member, &key)
				.ok_or_else(|| Error::corrupted("the key of a row"))?;
			Ok((place, (key, decode_stored(&value)?)))
		}))
	}

	/// Returns the tuples of an order that match a pattern.
	pub(crate) fn found<'r, const N: usize>(
		&'r self,
		store: &TupleStore<N>,
		pattern: &impl Pattern<N>,
		slice: &Slice,
		reverse: bool,
	) -> Result<impl Iterator<Item = Placed<Row<R::Bytes<'r>, N>>> + 'r, ReadError> {
		let options = RangeOptions { reverse, ..RangeOptions::default() };
		let rows = store.query_after(&self.read, pattern, slice.after.as_deref(), options)?;
		Ok(rows.map(|row| {
			let row = row?;
			Ok((row.place().to_vec(), row))
		}))
	}

	/// Returns a row with what the index adds.
	pub(crate) fn stored(&self, m: Incarnation, key: &RowKey) -> Result<Option<Stored>, Error> {
		read_stored(&self.read, &keys::row(m, key))
	}
}

/// The members of incarnations, looked up once each.
pub(crate) struct Owners<'r, R> {
	read: &'r R,
	known: HashMap<Incarnation, Option<Owner>>,
}

impl<'r, R: Read<Error = DiskError>> Owners<'r, R> {
	pub fn new(view: &'r View<R>) -> Self {
		Self { read: &view.read, known: HashMap::new() }
	}

	/// Returns the member of an incarnation and its space. `None` if the incarnation has ended.
	pub fn get(&mut self, m: Incarnation) -> Result<Option<Owner>, Error> {
		if let Some(owner) = self.known.get(&m) {
			return Ok(*owner);
		}
		let owner = match read_owner(self.read, m)? {
			Some(owner) if read_incarnation(self.read, owner.member)? == Some(m) => Some(owner),
			_ => None,
		};
		self.known.insert(m, owner);
		Ok(owner)
	}
}

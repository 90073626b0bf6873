// SPDX-License-Identifier: Apache-2.0
//! Pages of lists.

use std::collections::HashMap;

use content_fabric_okvs::{
	disk::{DiskBytes, DiskSnapshot},
	successor,
	tuple_store::{self, Pattern, TupleStore},
	Pair, RangeOptions, Read,
};
use content_fabric_primitives::MemberId;

use super::{Found, Item, View};
use crate::{
	index::{
		error::{Error, Result},
		keys::{self, Incarnation},
		orders::Stored,
		read::{self, decode, Owner},
	},
	rows::{Map, RowKey, RowValue, WrongValue},
};

/// Largest number of rows of a list that a page looks at and leaves out.
pub const MAX_SKIPPED: usize = 10_000;

/// An order of spaces or of content objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
	/// Ascending by id.
	Id,
	/// The oldest first.
	Age,
}

/// A page of a list that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice {
	/// The place after which the page begins: [`Page::next`] of the page before.
	pub after: Option<Vec<u8>>,
	/// Largest number of items.
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

/// A result of reading a list, with its place in the list.
pub(crate) type Placed<T> = Result<(Vec<u8>, T)>;

impl<T> Page<T> {
	/// Returns the same page with other items.
	pub fn map<U>(self, each: impl FnMut(T) -> U) -> Page<U> {
		Page { items: self.items.into_iter().map(each).collect(), next: self.next }
	}
}

impl View<'_> {
	/// Collects a page. `select` returns `None` for rows that are not in the list.
	pub(crate) fn collect<T, U>(
		&self,
		slice: &Slice,
		rows: impl IntoIterator<Item = Placed<T>>,
		mut select: impl FnMut(T) -> Result<Option<U>>,
	) -> Result<Page<U>> {
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
	pub(crate) fn pairs(
		&self,
		base: &[u8],
		start: &[u8],
		slice: &Slice,
		reverse: bool,
	) -> Result<impl Iterator<Item = Placed<Pair<DiskBytes<'_>>>>, Error> {
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

	/// Returns a page of the rows of a map and an incarnation, in the order of their keys. Those
	/// keys begin with `prefix` after map and incarnation.
	pub(crate) fn rows_of<T>(
		&self,
		map: Map,
		of: (Incarnation, Option<MemberId>),
		prefix: &[u8],
		slice: &Slice,
		item: impl Fn(RowKey, Stored) -> Result<T>,
	) -> Result<Page<T>> {
		self.rows_of_any(map, of, &[prefix], slice, item)
	}

	/// Returns a page as [`rows_of`](Self::rows_of) does, for any of some prefixes, which ascend.
	pub(crate) fn rows_of_any<T>(
		&self,
		map: Map,
		(m, member): (Incarnation, Option<MemberId>),
		prefixes: &[&[u8]],
		slice: &Slice,
		item: impl Fn(RowKey, Stored) -> Result<T>,
	) -> Result<Page<T>> {
		let rows = keys::rows(map, m);
		let mut pairs = Vec::with_capacity(prefixes.len());
		for prefix in prefixes {
			let start = [rows.prefix(), prefix].concat();
			pairs.push(self.pairs(rows.prefix(), &start, slice, false)?);
		}
		self.collect(slice, pairs.into_iter().flatten(), |(key, value)| {
			let key = keys::read_row(map, m, member, &key);
			let key = key.ok_or_else(|| Error::corrupted("the key of a row"))?;
			item(key, decode(&value, "a row")?).map(Some)
		})
	}

	/// Returns a page of the rows of a map under a member. `None` if the member does not exist.
	pub(crate) fn under<Member, Id, Row>(
		&self,
		member: Member,
		map: Map,
		slice: &Slice,
	) -> Found<Page<Item<Member, Id, Row>>>
	where
		Member: Copy + Into<MemberId>,
		(Member, Id): TryFrom<RowKey, Error = WrongValue>,
		Row: TryFrom<RowValue, Error = WrongValue>,
	{
		let Some(m) = self.present(member)? else { return Ok(None) };
		let page = self.rows_of(map, (m, Some(member.into())), &[], slice, |key, stored| {
			let (member, id) = key.try_into()?;
			Ok(Item { member, id, row: stored.row.value.try_into()? })
		});
		page.map(Some)
	}

	/// Returns the tuples of an order that match a pattern.
	pub(crate) fn found<const N: usize>(
		&self,
		store: &TupleStore<N>,
		pattern: &impl Pattern<N>,
		slice: &Slice,
		reverse: bool,
	) -> Result<impl Iterator<Item = Placed<tuple_store::Row<DiskBytes<'_>, N>>>, Error> {
		let options = RangeOptions { reverse, ..RangeOptions::default() };
		let rows = store.query_after(&self.read, pattern, slice.after.as_deref(), options)?;
		Ok(rows.map(|row| {
			let row = row?;
			Ok((row.place().to_vec(), row))
		}))
	}

	/// Returns a row with what the index adds.
	pub(crate) fn stored(&self, m: Incarnation, key: &RowKey) -> Found<Stored> {
		read::stored(&self.read, &keys::row(m, key))
	}

	/// Returns the value of a row.
	pub(crate) fn value<T>(&self, m: Incarnation, key: &RowKey) -> Found<T>
	where
		T: TryFrom<RowValue, Error = WrongValue>,
	{
		let Some(stored) = self.stored(m, key)? else { return Ok(None) };
		Ok(Some(stored.row.value.try_into()?))
	}

	/// Returns the present incarnation of a member. `None` if the member does not exist.
	pub(crate) fn present(&self, member: impl Into<MemberId>) -> Found<Incarnation> {
		read::incarnation(&self.read, member.into())
	}
}

/// The members of incarnations, looked up once each.
pub(crate) struct Owners<'r> {
	read: &'r DiskSnapshot<'r>,
	known: HashMap<Incarnation, Option<Owner>>,
}

impl<'r> Owners<'r> {
	pub fn new(view: &'r View<'_>) -> Self {
		Self { read: &view.read, known: HashMap::new() }
	}

	/// Returns the member of an incarnation and its space. `None` if the incarnation has ended.
	pub fn get(&mut self, m: Incarnation) -> Found<Owner> {
		if let Some(owner) = self.known.get(&m) {
			return Ok(*owner);
		}
		let owner = read::owner(self.read, m)?;
		let owner = (read::incarnation(self.read, owner.member)? == Some(m)).then_some(owner);
		self.known.insert(m, owner);
		Ok(owner)
	}
}

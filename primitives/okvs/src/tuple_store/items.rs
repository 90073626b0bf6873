// SPDX-License-Identifier: Apache-2.0
//! Tuples as they are written, found and read.

use alloc::vec::Vec;
use core::ops::{Bound, RangeBounds};

use crate::{
	successor,
	tuple::{pack_into, unpack_at, FromItem, Item, Reader, UnpackError},
};

/// A Rust tuple of `N` [`Item`]s, up to twelve, or an array of them.
pub trait Tuple<const N: usize> {
	/// Packs the items one after the other. Returns where each of them ends.
	fn pack_each(&self, packed: &mut Vec<u8>) -> [usize; N];
}

impl<T: Item, const N: usize> Tuple<N> for [T; N] {
	fn pack_each(&self, packed: &mut Vec<u8>) -> [usize; N] {
		self.each_ref().map(|item| {
			pack_into(&(item,), packed);
			packed.len()
		})
	}
}

/// A tuple that was found, with the bytes of its key and its value.
///
/// Positions count items of the tuple, whatever order it was found in.
#[derive(Clone, Debug)]
pub struct Row<B, const N: usize> {
	key: B,
	value: Option<B>,
	/// The position in the key at which the items begin.
	start: usize,
	/// The positions of the items in the key.
	places: [(usize, usize); N],
}

impl<B: AsRef<[u8]>, const N: usize> Row<B, N> {
	/// Finds the items in a key that has them, in an order, after some bytes.
	pub(super) fn new(
		key: B,
		value: Option<B>,
		start: usize,
		order: &[usize; N],
	) -> Result<Self, UnpackError> {
		let mut places = [(0, 0); N];
		let mut reader = Reader::starting_at(key.as_ref(), start);
		for position in order {
			let start = reader.at();
			reader.skip()?;
			places[*position] = (start, reader.at());
		}
		reader.end()?;
		Ok(Self { key, value, start, places })
	}

	/// Returns the packed items in the order in which the row was found, for
	/// [`TupleStore::query_after`](super::TupleStore::query_after).
	pub fn place(&self) -> &[u8] {
		&self.key.as_ref()[self.start..]
	}

	/// Returns the packed item at a position.
	///
	/// # Panics
	///
	/// If the position is not less than `N`.
	pub fn packed(&self, position: usize) -> &[u8] {
		let (start, end) = self.places[position];
		&self.key.as_ref()[start..end]
	}

	/// Unpacks the item at a position. A string that may contain zeros is unpacked as `String` or
	/// `Cow<str>`. The position in an error counts bytes of the key.
	///
	/// # Panics
	///
	/// If the position is not less than `N`.
	pub fn item<'a, T: FromItem<'a>>(&'a self, position: usize) -> Result<T, UnpackError> {
		let (start, end) = self.places[position];
		unpack_at(&self.key.as_ref()[..end], start).map(|(item,)| item)
	}

	/// Returns the value, or `None` if the row was found in another order than the first.
	/// [`TupleStore::value`](super::TupleStore::value) looks it up for every row.
	pub fn value(&self) -> Option<&[u8]> {
		self.value.as_ref().map(B::as_ref)
	}
}

/// A position of a pattern that any item matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Free;

/// A position of a pattern that strings, or byte strings, with a prefix match, such as
/// `Prefix("serde")` or `Prefix(&[1, 2][..])`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prefix<T>(
	/// The prefix.
	pub T,
);

/// The demand of a pattern on one position. It is a [`Position`] itself, for patterns that are made
/// at run time: `[Constraint; N]` is a [`Pattern`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint(pub(super) Kind);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
	/// The packed item.
	Bound(Vec<u8>),
	Free,
	/// The packed item, with what follows it in the key, is at least the first bytes and less than
	/// the second.
	Within(Vec<u8>, Vec<u8>),
}

/// No item begins with this byte. So these are after a packed item: the items that extend it, this
/// byte, other items.
pub(super) const AFTER: u8 = 0xff;

fn packed(item: &(impl Item + ?Sized)) -> Vec<u8> {
	let mut packed = Vec::with_capacity(item.capacity() + 1);
	pack_into(&(item,), &mut packed);
	packed
}

fn after(item: &(impl Item + ?Sized)) -> Vec<u8> {
	let mut packed = packed(item);
	packed.push(AFTER);
	packed
}

impl Constraint {
	/// Demands an item that equals this one.
	pub fn bound(item: &(impl Item + ?Sized)) -> Self {
		Self(Kind::Bound(packed(item)))
	}

	/// Demands nothing.
	pub fn free() -> Self {
		Self(Kind::Free)
	}

	/// Demands an item of a range, in the order of packed items: `a..b`, `a..=b`, `a..`, `..b`,
	/// `..=b`, or a pair of bounds.
	pub fn within<T: Item>(range: &impl RangeBounds<T>) -> Self {
		let start = match range.start_bound() {
			Bound::Included(item) => packed(item),
			Bound::Excluded(item) => after(item),
			Bound::Unbounded => Vec::new(),
		};
		let end = match range.end_bound() {
			Bound::Included(item) => after(item),
			Bound::Excluded(item) => packed(item),
			Bound::Unbounded => [AFTER].into(),
		};
		Self(Kind::Within(start, end))
	}

	/// Demands a string or a byte string that begins like this one.
	fn prefix(string: &(impl Item + ?Sized)) -> Self {
		let mut start = packed(string);
		// Without the byte that ends it.
		start.pop();
		let end = successor(&start).unwrap_or_else(|| [AFTER].into());
		Self(Kind::Within(start, end))
	}
}

/// A position of a pattern: an item, which must be equal, or [`Free`], [`Prefix`] or a
/// [`Constraint`].
pub trait Position {
	/// Returns what the pattern demands of the position.
	fn constraint(&self) -> Constraint;
}

impl<T: Item + ?Sized> Position for T {
	fn constraint(&self) -> Constraint {
		Constraint::bound(self)
	}
}

impl Position for Free {
	fn constraint(&self) -> Constraint {
		Constraint::free()
	}
}

impl Position for Prefix<&str> {
	fn constraint(&self) -> Constraint {
		Constraint::prefix(self.0)
	}
}

impl Position for Prefix<&[u8]> {
	fn constraint(&self) -> Constraint {
		Constraint::prefix(self.0)
	}
}

impl Position for Constraint {
	fn constraint(&self) -> Constraint {
		self.clone()
	}
}

/// A Rust tuple of `N` positions, up to twelve, or an array of them.
pub trait Pattern<const N: usize> {
	/// Returns what the pattern demands of each position.
	fn constraints(&self) -> [Constraint; N];
}

impl<T: Position, const N: usize> Pattern<N> for [T; N] {
	fn constraints(&self) -> [Constraint; N] {
		self.each_ref().map(T::constraint)
	}
}

/// Implements the traits for Rust tuples.
macro_rules! tuples {
	($($count:literal: $($item:ident $position:tt)*,)*) => {$(
		impl<$($item: Item),*> Tuple<$count> for ($($item,)*) {
			#[inline]
			fn pack_each(&self, packed: &mut Vec<u8>) -> [usize; $count] {
				[$({
					pack_into(&(&self.$position,), packed);
					packed.len()
				}),*]
			}
		}

		impl<$($item: Position),*> Pattern<$count> for ($($item,)*) {
			fn constraints(&self) -> [Constraint; $count] {
				[$(self.$position.constraint()),*]
			}
		}
	)*};
}

tuples! {
	1: A 0,
	2: A 0 B 1,
	3: A 0 B 1 C 2,
	4: A 0 B 1 C 2 D 3,
	5: A 0 B 1 C 2 D 3 E 4,
	6: A 0 B 1 C 2 D 3 E 4 F 5,
	7: A 0 B 1 C 2 D 3 E 4 F 5 G 6,
	8: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7,
	9: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8,
	10: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9,
	11: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10,
	12: A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11,
}

// SPDX-License-Identifier: Apache-2.0
//! Tuples as they are written and read.

use alloc::vec::Vec;

use crate::tuple::{pack_into, FromItem, Item, Reader, UnpackError};

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

/// A Rust tuple of `N` values, up to twelve, that are unpacked from the items of a [`Row`].
pub trait FromRow<'a, const N: usize>: Sized {
	/// Unpacks the items.
	fn from_row<B: AsRef<[u8]>>(row: &'a Row<B, N>) -> Result<Self, UnpackError>;
}

/// A tuple that was found, with the bytes of its key and its value.
///
/// Positions are those of the tuple, whatever order it was found in.
#[derive(Clone, Debug)]
pub struct Row<B, const N: usize> {
	key: B,
	value: Option<B>,
	/// Where the items begin in the key.
	start: usize,
	/// Where the items are in the key.
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

	/// Unpacks the item at a position. The position in an error is that of the byte in the key.
	///
	/// # Panics
	///
	/// If the position is not less than `N`.
	pub fn item<'a, T: FromItem<'a>>(&'a self, position: usize) -> Result<T, UnpackError> {
		let (start, end) = self.places[position];
		let mut reader = Reader::starting_at(&self.key.as_ref()[..end], start);
		let item = T::read(&mut reader)?;
		reader.end()?;
		Ok(item)
	}

	/// Unpacks all items. Strings that may contain zeros are unpacked as `String` or `Cow<str>`.
	pub fn get<'a, T: FromRow<'a, N>>(&'a self) -> Result<T, UnpackError> {
		T::from_row(self)
	}

	/// Returns the value, or `None` if the row was found in another order than the first.
	/// [`TupleStore::value`](super::TupleStore::value) looks it up for every row.
	pub fn value(&self) -> Option<&[u8]> {
		self.value.as_ref().map(B::as_ref)
	}
}

macro_rules! tuples {
	($($count:literal: $($item:ident $position:literal)*,)*) => {$(
		impl<$($item: Item),*> Tuple<$count> for ($($item,)*) {
			#[inline]
			#[allow(non_snake_case)]
			fn pack_each(&self, packed: &mut Vec<u8>) -> [usize; $count] {
				let ($($item,)*) = self;
				[$({
					pack_into(&($item,), packed);
					packed.len()
				}),*]
			}
		}

		impl<'a, $($item: FromItem<'a>),*> FromRow<'a, $count> for ($($item,)*) {
			#[inline]
			fn from_row<Bytes: AsRef<[u8]>>(
				row: &'a Row<Bytes, $count>,
			) -> Result<Self, UnpackError> {
				Ok(($(row.item::<$item>($position)?,)*))
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

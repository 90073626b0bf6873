// SPDX-License-Identifier: Apache-2.0
//! Patterns of queries.

use alloc::vec::Vec;
use core::ops::{Bound, RangeBounds};

use crate::{
	range::successor,
	tuple::{pack_into, Item},
};

/// A position of a pattern that any item matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Free;

/// A position of a pattern that the items of a range match, such as `Within(10..20)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Within<R>(
	/// The range: `a..b`, `a..=b`, `a..`, `..b`, `..=b`, or a pair of bounds.
	pub R,
);

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

	/// Demands an item of a range, in the order of packed items.
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

/// A position of a pattern: an item, which must be equal, or [`Free`], [`Within`] or [`Prefix`].
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

/// Bounds of a type that has a size, such as `&str` and `[u8; 10]`.
macro_rules! within {
	($($range:ident)*) => {$(
		impl<T: Item> Position for Within<core::ops::$range<T>> {
			fn constraint(&self) -> Constraint {
				Constraint::within(&self.0)
			}
		}
	)*};
}

within! { Range RangeFrom RangeInclusive RangeTo RangeToInclusive }

impl<T: Item> Position for Within<(Bound<T>, Bound<T>)> {
	fn constraint(&self) -> Constraint {
		Constraint::within(&self.0)
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

macro_rules! patterns {
	($($count:literal: $($item:ident)*,)*) => {$(
		impl<$($item: Position),*> Pattern<$count> for ($($item,)*) {
			#[allow(non_snake_case)]
			fn constraints(&self) -> [Constraint; $count] {
				let ($($item,)*) = self;
				[$($item.constraint()),*]
			}
		}
	)*};
}

patterns! {
	1: A,
	2: A B,
	3: A B C,
	4: A B C D,
	5: A B C D E,
	6: A B C D E F,
	7: A B C D E F G,
	8: A B C D E F G H,
	9: A B C D E F G H I,
	10: A B C D E F G H I J,
	11: A B C D E F G H I J K,
	12: A B C D E F G H I J K L,
}

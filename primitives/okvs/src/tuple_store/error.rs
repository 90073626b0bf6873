// SPDX-License-Identifier: Apache-2.0
//! Failures of a tuple store.

use core::fmt;

use super::{
	pattern::{Constraint, Kind},
	MAX_ITEMS,
};
use crate::{tuple::UnpackError, Error};

/// An operation on a [`TupleStore`](super::TupleStore) failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TupleStoreError<E> {
	/// No declared order begins with the bound positions, followed by the one with a range.
	NoOrder(Positions),
	/// A key in the subspace of the store is not a tuple of as many items as the store keeps, so
	/// something else wrote it. Or its items are not of the types that were asked for.
	Unpack(UnpackError),
	/// The store below failed.
	Store(Error<E>),
}

/// The positions that a pattern constrains. Bit 0 stands for position 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Positions {
	/// Bits of the bound positions.
	pub bound: u32,
	/// Bits of the positions with a range or a prefix. No order answers a query with two of them.
	pub within: u32,
}

impl Positions {
	pub(super) fn of(constraints: &[Constraint]) -> Self {
		let mut this = Self { bound: 0, within: 0 };
		for (position, constraint) in constraints.iter().enumerate() {
			match constraint.0 {
				Kind::Bound(_) => this.bound |= 1 << position,
				Kind::Within(..) => this.within |= 1 << position,
				Kind::Free => {},
			}
		}
		this
	}

	/// Returns whether an order begins with the bound positions, followed by the one with a range.
	pub(super) fn begin(self, order: &[usize]) -> bool {
		let bits = |positions: &[usize]| positions.iter().fold(0, |bits, at| bits | 1 << at);
		let (bound, rest) = order.split_at(self.bound.count_ones() as usize);
		bits(bound) == self.bound
			&& (self.within == 0 || bits(&rest[..1.min(rest.len())]) == self.within)
	}
}

impl fmt::Display for Positions {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		let list = |f: &mut fmt::Formatter<'_>, bits: u32| {
			let mut positions = (0..MAX_ITEMS).filter(|position| bits & (1 << position) != 0);
			match positions.next() {
				Some(first) => write!(f, "{first}")?,
				None => f.write_str("none")?,
			}
			positions.try_for_each(|position| write!(f, ", {position}"))
		};
		f.write_str("bound positions: ")?;
		list(f, self.bound)?;
		f.write_str("; with a range: ")?;
		list(f, self.within)
	}
}

impl<E: fmt::Display> fmt::Display for TupleStoreError<E> {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::NoOrder(positions) => {
				write!(f, "no declared order answers this query ({positions})")
			},
			Self::Unpack(error) => write!(f, "a key of the tuple store cannot be read: {error}"),
			Self::Store(error) => error.fmt(f),
		}
	}
}

impl<E: core::error::Error + 'static> core::error::Error for TupleStoreError<E> {
	fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
		match self {
			Self::NoOrder(_) => None,
			Self::Unpack(error) => Some(error),
			Self::Store(error) => error.source(),
		}
	}
}

impl<E> From<Error<E>> for TupleStoreError<E> {
	fn from(error: Error<E>) -> Self {
		Self::Store(error)
	}
}

impl<E> From<UnpackError> for TupleStoreError<E> {
	fn from(error: UnpackError) -> Self {
		Self::Unpack(error)
	}
}

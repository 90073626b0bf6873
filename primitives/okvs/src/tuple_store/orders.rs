// SPDX-License-Identifier: Apache-2.0
//! Orders in which tuples are kept.

use alloc::vec::Vec;
use core::fmt;

/// The orders in which a [`TupleStore`](super::TupleStore) keeps tuples of `N` items.
///
/// An order lists the positions of the items, `0` to `N - 1`, from the most significant to the
/// least. In the order `[1, 0, 2]` tuples are sorted by their second item, then by the first and
/// the third.
///
/// ```
/// use content_fabric_okvs::tuple_store::{Orders, OrdersError};
///
/// let orders = Orders::new([[0, 1, 2], [2, 0, 1]])?;
/// assert_eq!(orders.as_slice().len(), 2);
/// let twice = Orders::new([[0, 1, 1]]);
/// assert_eq!(twice, Err(OrdersError::NotAPermutation { order: 0 }));
/// # Ok::<_, OrdersError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orders<const N: usize>(Vec<[usize; N]>);

/// A list of orders is not valid. Orders are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OrdersError {
	/// The list is empty.
	Empty,
	/// The order does not list each position once.
	NotAPermutation {
		/// The order.
		order: usize,
	},
	/// The order equals an earlier one.
	Duplicate {
		/// The order.
		order: usize,
	},
}

impl fmt::Display for OrdersError {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::Empty => f.write_str("the list of orders is empty"),
			Self::NotAPermutation { order } => {
				write!(f, "order {order} does not list each position once")
			},
			Self::Duplicate { order } => write!(f, "order {order} equals an earlier one"),
		}
	}
}

impl core::error::Error for OrdersError {}

impl<const N: usize> Orders<N> {
	/// Checks a list of orders. The first one carries the values.
	pub fn new(orders: impl Into<Vec<[usize; N]>>) -> Result<Self, OrdersError> {
		let orders = orders.into();
		if orders.is_empty() {
			return Err(OrdersError::Empty);
		}
		for (order, positions) in orders.iter().enumerate() {
			let mut sorted = *positions;
			sorted.sort_unstable();
			if !sorted.iter().copied().eq(0..N) {
				return Err(OrdersError::NotAPermutation { order });
			}
			if orders[..order].contains(positions) {
				return Err(OrdersError::Duplicate { order });
			}
		}
		Ok(Self(orders))
	}

	/// Returns the fewest orders that answer every query with bound and free positions. The first
	/// is the order of the tuples themselves.
	///
	/// Their number is `N` choose `N / 2`: 1, 2, 3, 6, 10, 20 for 1 to 6 items.
	///
	/// ```
	/// use content_fabric_okvs::tuple_store::Orders;
	///
	/// let orders = Orders::<3>::covering();
	/// assert_eq!(orders.as_slice(), [[0, 1, 2], [1, 2, 0], [2, 0, 1]]);
	/// ```
	pub fn covering() -> Self {
		const { assert!(N <= super::MAX_ITEMS, "tuples have at most 16 items") };
		Self((0..1u32 << N).filter_map(chain).collect())
	}

	/// Returns the orders.
	pub fn as_slice(&self) -> &[[usize; N]] {
		&self.0
	}
}

/// Returns the order whose beginnings are the sets of one chain, if `bottom` is the smallest set of
/// a chain.
///
/// The chains are Greene and Kleitman's, which are as few as possible and hold every set of
/// positions once. Read a set as brackets: a position outside it opens, one in it closes. The sets
/// of a chain agree in the brackets that match. The other brackets close first and open later, and
/// the smallest set has none that closes.
fn chain<const N: usize>(bottom: u32) -> Option<[usize; N]> {
	let mut open = Vec::with_capacity(N);
	let mut order = Vec::with_capacity(N);
	let mut matched = Vec::with_capacity(N);
	for position in 0..N {
		if bottom & (1 << position) == 0 {
			open.push(position);
		} else {
			matched.push(open.pop()?);
			order.push(position);
		}
	}
	order.append(&mut open);
	order.append(&mut matched);
	order.try_into().ok()
}

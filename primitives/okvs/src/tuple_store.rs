// SPDX-License-Identifier: Apache-2.0
//! Tuples that are found by any of their items.
//!
//! A [`TupleStore`] keeps tuples of `N` items, each with a value, in several [`Orders`]. A query
//! binds some positions and leaves the others free. It reads the order in which the bound positions
//! come first, so it steps over nothing but the rows that it returns. This is the generic tuple
//! store of [SRFI 168](https://srfi.schemers.org/srfi-168/srfi-168.html) over any backend of this
//! crate.
//!
//! ```
//! use content_fabric_okvs::{
//!     memory::MemoryDatabase,
//!     tuple::Subspace,
//!     tuple_store::{Free, Orders, Prefix, TupleStore, TupleStoreError},
//!     Database, RangeOptions,
//! };
//!
//! // Collection, name, target; found by collection and name, and by target.
//! let orders = Orders::new([[0, 1, 2], [2, 0, 1]])?;
//! let names = TupleStore::new(Subspace::new(&("name",)), orders);
//!
//! let database = MemoryDatabase::open(())?;
//! database.transact(|transaction| {
//!     names.insert(transaction, &("crates", "serde", 7), b"since 2015")?;
//!     names.insert(transaction, &("crates", "serde_json", 8), b"")?;
//!     names.insert(transaction, &("debian", "librust-serde-dev", 7), b"")?;
//!     Ok::<_, TupleStoreError<_>>(())
//! })?;
//!
//! let snapshot = database.begin_read()?;
//! let options = RangeOptions::default();
//! let mut found = Vec::new();
//! for row in names.query(&snapshot, &(Free, Free, 7), options)? {
//!     let row = row?;
//!     let (collection, name): (&str, &str) = (row.item(0)?, row.item(1)?);
//!     found.push(format!("{collection}/{name}"));
//! }
//! assert_eq!(found, ["crates/serde", "debian/librust-serde-dev"]);
//!
//! let serde = names.query(&snapshot, &("crates", Prefix("serde"), Free), options)?;
//! assert_eq!(serde.count(), 2);
//! // No order begins with the name.
//! assert!(names.query(&snapshot, &(Free, "serde", Free), options).is_err());
//! # Ok::<_, Box<dyn std::error::Error>>(())
//! ```
//!
//! # Keys
//!
//! The key of a tuple in order `k` is the prefix of the store's [`Subspace`], then the packed
//! integer `k`, then the packed items in that order. The value is at the key in order 0. The other
//! keys have empty values.

mod items;
mod orders;

use alloc::{string::ToString, vec::Vec};
use core::{fmt, iter::FusedIterator};

use crate::{
	tuple::{pack_into, Subspace, UnpackError},
	Error, RangeOptions, Read, Transaction,
};
pub use items::{Constraint, Free, Pattern, Position, Prefix, Row, Tuple};
use items::{Kind, AFTER};
pub use orders::{Orders, OrdersError};

/// Largest number of items in a tuple.
pub const MAX_ITEMS: usize = 16;

/// A set of tuples of `N` items with a value each, kept in one subspace of a store.
///
/// It holds no data. The methods read and write the store that they are given, so that several
/// tuple stores, and other keys, change in one transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TupleStore<const N: usize> {
	subspace: Subspace,
	orders: Orders<N>,
}

impl<const N: usize> TupleStore<N> {
	/// Makes a tuple store with the keys of a subspace, which nothing else may write.
	///
	/// Do not change the orders of a store that holds tuples. New orders may be appended if all
	/// tuples are then inserted again.
	pub fn new(subspace: Subspace, orders: Orders<N>) -> Self {
		const { assert!(0 < N && N <= MAX_ITEMS, "tuples have 1 to 16 items") };
		Self { subspace, orders }
	}

	/// Returns the subspace.
	pub fn subspace(&self) -> &Subspace {
		&self.subspace
	}

	/// Returns the orders.
	pub fn orders(&self) -> &Orders<N> {
		&self.orders
	}

	/// Inserts a tuple with a value, or sets the value of a tuple that is there. Writes one key for
	/// each order.
	pub fn insert<Tx: Transaction>(
		&self,
		transaction: &mut Tx,
		tuple: &impl Tuple<N>,
		value: &[u8],
	) -> Result<(), Error<Tx::Error>> {
		let mut value = value;
		// The keys after the first have empty values.
		self.keys(tuple).try_for_each(|key| transaction.set(&key, core::mem::take(&mut value)))
	}

	/// Removes a tuple and returns `true` if it was there. Reads one key, and removes one for each
	/// order.
	pub fn remove<Tx: Transaction>(
		&self,
		transaction: &mut Tx,
		tuple: &impl Tuple<N>,
	) -> Result<bool, Error<Tx::Error>> {
		let was_there = self.contains(transaction, tuple)?;
		if was_there {
			self.keys(tuple).try_for_each(|key| transaction.clear(&key))?;
		}
		Ok(was_there)
	}

	/// Returns the value of a tuple. `None` if the tuple is not there.
	pub fn get<'r, R: Read>(
		&self,
		read: &'r R,
		tuple: &impl Tuple<N>,
	) -> Result<Option<R::Bytes<'r>>, Error<R::Error>> {
		read.get(&self.first_key(tuple))
	}

	/// Checks whether a tuple is there.
	pub fn contains<R: Read>(
		&self,
		read: &R,
		tuple: &impl Tuple<N>,
	) -> Result<bool, Error<R::Error>> {
		read.contains_key(&self.first_key(tuple))
	}

	/// Returns the value of a row, in whichever order it was found.
	pub fn value<'r, R: Read, B: AsRef<[u8]>>(
		&self,
		read: &'r R,
		row: &Row<B, N>,
	) -> Result<Option<R::Bytes<'r>>, Error<R::Error>> {
		let mut key = self.prefix(0);
		for &position in &self.orders.as_slice()[0] {
			key.extend_from_slice(row.packed(position));
		}
		read.get(&key)
	}

	/// Finds the tuples that match a pattern, in the first order that begins with the bound
	/// positions, followed by the one with a range. Fails with [`TupleStoreError::NoOrder`] if
	/// there is none.
	///
	/// Reads as lazily as [`Read::range_between`], and only rows that match.
	pub fn query<'r, R: Read>(
		&self,
		read: &'r R,
		pattern: &impl Pattern<N>,
		options: RangeOptions,
	) -> Result<Rows<'r, R, N>, TupleStoreError<R::Error>> {
		self.query_after(read, pattern, None, options)
	}

	/// Finds the tuples that match a pattern as [`query`](Self::query) does. Begins after a place,
	/// if there is one: the [`Row::place`] of a row of the same query. That row need not be there
	/// any more.
	///
	/// Costs no step for the rows before the place. A place that is not within the query's range
	/// returns all rows, or none.
	pub fn query_after<'r, R: Read>(
		&self,
		read: &'r R,
		pattern: &impl Pattern<N>,
		place: Option<&[u8]>,
		options: RangeOptions,
	) -> Result<Rows<'r, R, N>, TupleStoreError<R::Error>> {
		let constraints = pattern.constraints();
		let mut orders = self.orders.as_slice().iter().copied().enumerate();
		let Some((number, order)) = orders.find(|(_, order)| answers(order, &constraints)) else {
			let positions = |is: fn(&Kind) -> bool| {
				(0..N).filter(|position| is(&constraints[*position].0)).collect()
			};
			return Err(TupleStoreError::NoOrder {
				bound: positions(|kind| matches!(kind, Kind::Bound(_))),
				within: positions(|kind| matches!(kind, Kind::Within(..))),
			});
		};

		let mut start = self.prefix(number);
		let prefix = start.len();
		let mut rest = None;
		for position in order {
			match &constraints[position].0 {
				Kind::Bound(item) => start.extend_from_slice(item),
				Kind::Within(first, end) => rest = Some((first.as_slice(), end.as_slice())),
				Kind::Free => {},
			}
		}
		let (first, end) = rest.unwrap_or((&[], &[AFTER]));
		let mut end = [&start, end].concat();
		start.extend_from_slice(first);
		if let Some(place) = place {
			let mut key = self.prefix(number);
			key.extend_from_slice(place);
			match options.reverse {
				true => end = end.min(key),
				// The next key after this one.
				false => {
					key.push(0);
					start = start.max(key);
				},
			}
		}
		let range = read.range_between(&start, Some(&end), options)?;
		Ok(Rows { range, prefix, order, has_values: number == 0 })
	}

	fn prefix(&self, number: usize) -> Vec<u8> {
		self.subspace.pack(&(number,))
	}

	fn first_key(&self, tuple: &impl Tuple<N>) -> Vec<u8> {
		self.keys(tuple).next().expect("there is an order; qed")
	}

	/// Returns the keys of a tuple, one for each order.
	pub fn keys(&self, tuple: &impl Tuple<N>) -> impl Iterator<Item = Vec<u8>> + '_ {
		let mut packed = Vec::new();
		let ends = tuple.pack_each(&mut packed);
		let starts = core::array::from_fn::<_, N, _>(|position| match position {
			0 => 0,
			position => ends[position - 1],
		});
		self.orders.as_slice().iter().enumerate().map(move |(number, order)| {
			let prefix = self.subspace.prefix();
			// The number of an order takes at most three bytes.
			let mut key = Vec::with_capacity(prefix.len() + 3 + packed.len());
			key.extend_from_slice(prefix);
			pack_into(&(number,), &mut key);
			for &position in order {
				key.extend_from_slice(&packed[starts[position]..ends[position]]);
			}
			key
		})
	}
}

/// Checks whether an order begins with the bound positions, followed by the one with a range.
fn answers(order: &[usize], constraints: &[Constraint]) -> bool {
	let kinds = order.iter().map(|position| &constraints[*position].0);
	let mut kinds = kinds.skip_while(|kind| matches!(kind, Kind::Bound(_))).peekable();
	kinds.next_if(|kind| matches!(kind, Kind::Within(..)));
	kinds.all(|kind| matches!(kind, Kind::Free))
}

/// The rows that match a pattern, read as they are asked for.
pub struct Rows<'r, R: Read + 'r, const N: usize> {
	range: R::Range<'r>,
	/// Number of bytes before the items of a key.
	prefix: usize,
	order: [usize; N],
	has_values: bool,
}

impl<'r, R: Read, const N: usize> Iterator for Rows<'r, R, N> {
	type Item = Result<Row<R::Bytes<'r>, N>, TupleStoreError<R::Error>>;

	fn next(&mut self) -> Option<Self::Item> {
		let row = self.range.next()?.map_err(TupleStoreError::Store).and_then(|(key, value)| {
			let value = self.has_values.then_some(value);
			Ok(Row::new(key, value, self.prefix, &self.order)?)
		});
		Some(row)
	}
}

impl<R: Read, const N: usize> FusedIterator for Rows<'_, R, N> {}

/// An operation on a [`TupleStore`] failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TupleStoreError<E> {
	/// No declared order begins with the bound positions, followed by the one with a range.
	NoOrder {
		/// The bound positions.
		bound: Vec<usize>,
		/// The positions with a range or a prefix. No order answers a query with two of them.
		within: Vec<usize>,
	},
	/// A key in the subspace of the store is not a tuple of as many items as the store keeps, so
	/// something else wrote it. Or its items are not of the types that were asked for.
	Unpack(UnpackError),
	/// The store below failed.
	Store(Error<E>),
}

impl<E: fmt::Display> fmt::Display for TupleStoreError<E> {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::NoOrder { bound, within } => {
				let list = |positions: &[usize]| match positions {
					[] => "none".into(),
					_ => positions.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
				};
				let (bound, within) = (list(bound), list(within));
				write!(f, "no declared order answers this query (bound positions: {bound}; ")?;
				write!(f, "with a range: {within})")
			},
			Self::Unpack(error) => write!(f, "a key of the tuple store cannot be read: {error}"),
			Self::Store(error) => error.fmt(f),
		}
	}
}

impl<E: core::error::Error + 'static> core::error::Error for TupleStoreError<E> {
	fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
		match self {
			Self::NoOrder { .. } => None,
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

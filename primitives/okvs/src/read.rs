// SPDX-License-Identifier: Apache-2.0
//! The interface of reading.

use core::{iter::FusedIterator, ops::Deref};

use crate::{
	range::{half_open, successor},
	Error, KeyRange, RangeOptions,
};

/// A key and its value.
pub type Pair<B> = (B, B);

/// Reads a store.
pub trait Read {
	/// Error of the backend.
	type Error;
	/// A key or a value: borrowed, where the backend can lend it.
	type Bytes<'a>: Deref<Target = [u8]> + AsRef<[u8]>
	where
		Self: 'a;
	/// Pairs of keys and values, read lazily. Nothing follows an error.
	type Range<'a>: FusedIterator<Item = Result<Pair<Self::Bytes<'a>>, Error<Self::Error>>>
	where
		Self: 'a;

	/// Returns the value of a key. An empty value is not an absent one.
	fn get(&self, key: &[u8]) -> Result<Option<Self::Bytes<'_>>, Error<Self::Error>>;

	/// Checks whether a key has a value.
	fn contains_key(&self, key: &[u8]) -> Result<bool, Error<Self::Error>> {
		self.get(key).map(|value| value.is_some())
	}

	/// Returns the pairs whose keys are from `start` up to, and without, `end`; `None` is after all
	/// keys. The range is empty if the end is not after the start.
	fn range_between(
		&self,
		start: &[u8],
		end: Option<&[u8]>,
		options: RangeOptions,
	) -> Result<Self::Range<'_>, Error<Self::Error>>;

	/// Returns the pairs whose keys are in a range such as `..`, `from..=to`, or a pair of
	/// [bounds](core::ops::Bound).
	fn range_in(
		&self,
		keys: impl KeyRange,
		options: RangeOptions,
	) -> Result<Self::Range<'_>, Error<Self::Error>> {
		let (start, end) = half_open(&keys);
		self.range_between(&start, end.as_deref(), options)
	}

	/// Returns the pairs whose keys begin with a prefix, ascending. All keys begin with the empty
	/// prefix.
	fn range(&self, prefix: &[u8]) -> Result<Self::Range<'_>, Error<Self::Error>> {
		self.range_with(prefix, RangeOptions::default())
	}

	/// Returns the pairs whose keys begin with a prefix, with options.
	fn range_with(
		&self,
		prefix: &[u8],
		options: RangeOptions,
	) -> Result<Self::Range<'_>, Error<Self::Error>> {
		self.range_between(prefix, successor(prefix).as_deref(), options)
	}

	/// Returns the pair with the least key.
	fn first(&self) -> Result<Option<Pair<Self::Bytes<'_>>>, Error<Self::Error>> {
		self.range_in(.., RangeOptions::default().limit(1))?.next().transpose()
	}

	/// Returns the pair with the greatest key. Takes a step for each pair in the state of a chain.
	fn last(&self) -> Result<Option<Pair<Self::Bytes<'_>>>, Error<Self::Error>> {
		self.range_in(.., RangeOptions::REVERSE.limit(1))?.next().transpose()
	}

	/// Counts the pairs. Takes a step for each pair in the state of a chain.
	fn len(&self) -> Result<usize, Error<Self::Error>> {
		self.range_in(.., RangeOptions::default())?
			.try_fold(0, |count, pair| pair.map(|_| count + 1))
	}

	/// Checks whether there is no pair.
	fn is_empty(&self) -> Result<bool, Error<Self::Error>> {
		self.first().map(|first| first.is_none())
	}
}

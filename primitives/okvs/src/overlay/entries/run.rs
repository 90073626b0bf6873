// SPDX-License-Identifier: Apache-2.0
//! Keys that were written in ascending order.

use alloc::vec::Vec;
use core::{
	cmp::Ordering,
	ops::{Bound, Range},
};

use super::Entry;
use crate::range::Bounds;

/// Keys that were written in ascending order, with their values: one after the other in one buffer,
/// which takes neither a search nor an allocation for each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Run {
	bytes: Vec<u8>,
	places: Vec<Place>,
}

/// Places of a key and its value in the buffer.
#[derive(Clone, Copy, Debug)]
struct Place {
	key: usize,
	value: usize,
	end: usize,
	removed: bool,
}

impl Place {
	#[inline]
	fn entry(self, bytes: &[u8]) -> Entry<'_> {
		let value = (!self.removed).then(|| &bytes[self.value..self.end]);
		(&bytes[self.key..self.value], value)
	}
}

impl Run {
	/// Most bytes of a run. The values of a longer one are better moved than copied.
	const MAX_BYTES: usize = 1 << 20;

	/// Writes a key that is not before the last one. Returns `false` if it is, or if the run would
	/// become too long.
	#[inline]
	pub fn push(&mut self, key: &[u8], value: Option<&[u8]>) -> bool {
		let bytes = value.unwrap_or_default();
		if self.bytes.len() + key.len() + bytes.len() > Self::MAX_BYTES {
			return false;
		}
		if let Some(last) = self.places.last() {
			match self.bytes[last.key..last.value].cmp(key) {
				Ordering::Less => {},
				Ordering::Equal => self.truncate(self.places.len() - 1),
				Ordering::Greater => return false,
			}
		}
		let start = self.bytes.len();
		self.bytes.extend_from_slice(key);
		self.bytes.extend_from_slice(bytes);
		self.places.push(Place {
			key: start,
			value: start + key.len(),
			end: self.bytes.len(),
			removed: value.is_none(),
		});
		true
	}

	/// Removes all entries from an index on.
	pub fn truncate(&mut self, len: usize) {
		if let Some(first) = self.places.get(len) {
			self.bytes.truncate(first.key);
			self.places.truncate(len);
		}
	}

	/// Returns the indexes of a range, whose start is inclusive and whose end is exclusive.
	pub fn indexes(&self, (start, end): Bounds<&[u8]>) -> Range<usize> {
		let before =
			|key: &[u8]| self.places.partition_point(|place| place.entry(&self.bytes).0 < key);
		let at = |bound, unbounded| match bound {
			Bound::Included(key) | Bound::Excluded(key) => before(key),
			Bound::Unbounded => unbounded,
		};
		at(start, 0)..at(end, self.len())
	}

	#[inline]
	pub fn get(&self, key: &[u8]) -> Option<Option<&[u8]>> {
		let find = |place: &Place| place.entry(&self.bytes).0.cmp(key);
		let at = self.places.binary_search_by(find).ok()?;
		Some(self.places[at].entry(&self.bytes).1)
	}

	/// Returns the entries of these indexes.
	pub fn entries(&self, indexes: Range<usize>) -> Entries<'_> {
		Entries { bytes: &self.bytes, places: self.places[indexes].iter() }
	}

	pub fn len(&self) -> usize {
		self.places.len()
	}
}

/// Entries of a run.
#[derive(Clone, Debug)]
pub(crate) struct Entries<'a> {
	bytes: &'a [u8],
	places: core::slice::Iter<'a, Place>,
}

impl<'a> Iterator for Entries<'a> {
	type Item = Entry<'a>;

	#[inline]
	fn next(&mut self) -> Option<Entry<'a>> {
		self.places.next().map(|place| place.entry(self.bytes))
	}
}

impl<'a> DoubleEndedIterator for Entries<'a> {
	#[inline]
	fn next_back(&mut self) -> Option<Entry<'a>> {
		self.places.next_back().map(|place| place.entry(self.bytes))
	}
}

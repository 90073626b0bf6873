// SPDX-License-Identifier: Apache-2.0
//! Ranges of keys.

use alloc::{collections::BTreeMap, vec::Vec};
use core::ops::Bound;

/// Ranges of keys that were removed. They neither overlap nor touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct RemovedRanges {
	/// The end of each range, which is not part of it, by its start. `None` is after all keys.
	ends: BTreeMap<Vec<u8>, Option<Vec<u8>>>,
}

impl RemovedRanges {
	/// Returns the range that a key is in.
	#[inline]
	pub fn find(&self, key: &[u8]) -> Option<(&[u8], Option<&[u8]>)> {
		if self.ends.is_empty() {
			return None;
		}
		let up_to_key = (Bound::Unbounded, Bound::Included(key));
		let (start, end) = self.ends.range::<[u8], _>(up_to_key).next_back()?;
		let end = end.as_deref();
		end.is_none_or(|end| key < end).then_some((start, end))
	}

	/// Adds the keys from `start` up to, and without, `end`, which is after the start.
	pub fn insert(&mut self, start: &[u8], end: Option<&[u8]>) {
		// The last range that begins at the start or before may reach into this one, ...
		let up_to_start = (Bound::Unbounded, Bound::Included(start));
		let before = self.ends.range::<[u8], _>(up_to_start).next_back();
		let joined = before.filter(|(_, end)| end.as_deref().is_none_or(|end| start <= end));
		let start = joined.map_or(start, |(start, _)| start).to_vec();
		// ... those that begin within this one or right after it are joined to it, and the last of
		// all these may reach beyond it.
		let up_to_end = end.map_or(Bound::Unbounded, |end| Bound::Included(end.to_vec()));
		let range = (Bound::Included(start.clone()), up_to_end);
		let last = self.ends.extract_if(range, |_, _| true).last();
		let end = match (last, end) {
			(Some((_, None)), _) | (_, None) => None,
			(Some((_, Some(last))), Some(end)) if last.as_slice() > end => Some(last),
			(_, Some(end)) => Some(end.to_vec()),
		};
		self.ends.insert(start, end);
	}

	/// Returns the starts and ends of the ranges, ascending.
	pub fn iter(&self) -> impl Iterator<Item = (&[u8], Option<&[u8]>)> {
		self.ends.iter().map(|(start, end)| (start.as_slice(), end.as_deref()))
	}

	/// Returns the number of ranges.
	pub fn len(&self) -> usize {
		self.ends.len()
	}

	/// Checks whether there is no range.
	pub fn is_empty(&self) -> bool {
		self.ends.is_empty()
	}
}

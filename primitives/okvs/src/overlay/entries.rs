// SPDX-License-Identifier: Apache-2.0
//! Keys that a transaction has written.

mod run;

use alloc::{
	borrow::ToOwned,
	collections::{btree_map, BTreeMap},
	vec::Vec,
};
use core::ops::Bound;

use crate::range::Bounds;
use run::Run;

/// A key, and the value that it was set to; `None` if it was removed.
pub(crate) type Entry<'a> = (&'a [u8], Option<&'a [u8]>);
type Tree = BTreeMap<Vec<u8>, Option<Vec<u8>>>;

/// Keys that were set and removed, in their order.
#[derive(Clone, Debug)]
pub(crate) enum Entries {
	Run(Run),
	Tree(Tree),
}

impl Default for Entries {
	fn default() -> Self {
		Self::Run(Run::default())
	}
}

impl Entries {
	#[inline]
	pub fn get(&self, key: &[u8]) -> Option<Option<&[u8]>> {
		match self {
			Self::Run(run) => run.get(key),
			Self::Tree(tree) => tree.get(key).map(Option::as_deref),
		}
	}

	#[inline]
	pub fn insert(&mut self, key: &[u8], value: Option<&[u8]>) {
		let pushed = match self {
			Self::Run(run) => run.push(key, value),
			Self::Tree(_) => false,
		};
		if !pushed {
			self.tree().insert(key.to_owned(), value.map(<[u8]>::to_owned));
		}
	}

	pub fn remove(&mut self, key: &[u8]) {
		match self {
			Self::Run(run) if run.get(key).is_none() => {},
			_ => drop(self.tree().remove(key)),
		}
	}

	/// Removes the keys of a range.
	pub fn remove_range(&mut self, range: Bounds<&[u8]>) {
		if let Self::Run(run) = self {
			let indexes = run.indexes(range);
			if indexes.is_empty() {
				return;
			}
			if indexes.end == run.len() {
				run.truncate(indexes.start);
				return;
			}
		}
		let range = (range.0.map(<[u8]>::to_owned), range.1.map(<[u8]>::to_owned));
		self.tree().extract_if(range, |_, _| true).for_each(drop);
	}

	/// Returns the entries as a tree, of which any entry can be changed at the same cost.
	fn tree(&mut self) -> &mut Tree {
		if let Self::Run(run) = self {
			*self = Self::Tree(run.entries(0..run.len()).map(owned).collect());
		}
		match self {
			Self::Tree(tree) => tree,
			Self::Run(_) => unreachable!("a run was turned into a tree; qed"),
		}
	}

	pub fn range(&self, range: Bounds<&[u8]>) -> Range<'_> {
		match self {
			Self::Run(run) => Range::Run(run.entries(run.indexes(range))),
			Self::Tree(tree) => Range::Tree(tree.range::<[u8], _>(range)),
		}
	}

	pub fn iter(&self) -> Range<'_> {
		self.range((Bound::Unbounded, Bound::Unbounded))
	}

	/// Applies the entries to a map.
	pub fn apply_to(self, pairs: &mut BTreeMap<Vec<u8>, Vec<u8>>) {
		if pairs.is_empty() {
			// Made of sorted pairs, which is faster than by insertion.
			let set = |(key, value): (_, Option<_>)| value.map(|value| (key, value));
			*pairs = match self {
				Self::Run(run) => run.entries(0..run.len()).map(owned).filter_map(set).collect(),
				Self::Tree(tree) => tree.into_iter().filter_map(set).collect(),
			};
			return;
		}
		match self {
			Self::Run(run) => run.entries(0..run.len()).for_each(|(key, value)| match value {
				Some(value) => set(pairs, key, value),
				None => drop(pairs.remove(key)),
			}),
			Self::Tree(tree) => tree.into_iter().for_each(|(key, value)| match value {
				Some(value) => drop(pairs.insert(key, value)),
				None => drop(pairs.remove(&key)),
			}),
		}
	}

	pub fn len(&self) -> usize {
		match self {
			Self::Run(run) => run.len(),
			Self::Tree(tree) => tree.len(),
		}
	}

	pub fn is_empty(&self) -> bool {
		self.len() == 0
	}
}

/// Sets a value, in the memory of the old one if that is not much too large.
#[inline]
fn set(pairs: &mut BTreeMap<Vec<u8>, Vec<u8>>, key: &[u8], value: &[u8]) {
	match pairs.entry(key.to_owned()) {
		btree_map::Entry::Occupied(mut old) if old.get().capacity() / 2 <= value.len() => {
			let old = old.get_mut();
			old.clear();
			old.extend_from_slice(value);
		},
		btree_map::Entry::Occupied(mut old) => drop(old.insert(value.to_owned())),
		btree_map::Entry::Vacant(new) => {
			new.insert(value.to_owned());
		},
	}
}

#[inline]
fn owned((key, value): Entry<'_>) -> (Vec<u8>, Option<Vec<u8>>) {
	(key.to_owned(), value.map(<[u8]>::to_owned))
}

/// Entries of a range.
#[derive(Clone, Debug)]
pub(crate) enum Range<'a> {
	Run(run::Entries<'a>),
	Tree(btree_map::Range<'a, Vec<u8>, Option<Vec<u8>>>),
}

#[inline]
fn borrowed<'a>((key, value): (&'a Vec<u8>, &'a Option<Vec<u8>>)) -> Entry<'a> {
	(key, value.as_deref())
}

impl<'a> Iterator for Range<'a> {
	type Item = Entry<'a>;

	#[inline]
	fn next(&mut self) -> Option<Entry<'a>> {
		match self {
			Self::Run(run) => run.next(),
			Self::Tree(tree) => tree.next().map(borrowed),
		}
	}
}

impl<'a> DoubleEndedIterator for Range<'a> {
	#[inline]
	fn next_back(&mut self) -> Option<Entry<'a>> {
		match self {
			Self::Run(run) => run.next_back(),
			Self::Tree(tree) => tree.next_back().map(borrowed),
		}
	}
}

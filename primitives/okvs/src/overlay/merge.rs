// SPDX-License-Identifier: Apache-2.0
//! Ranges through overlays.

use alloc::vec::Vec;
use core::{borrow::Borrow, cmp::Ordering, iter::FusedIterator};

use super::{
	entries::{self, Entry},
	Overlay, Snapshot,
};
use crate::{
	range::{bounds, Directed, Window},
	Error, Pair, RangeOptions, Read,
};

/// Looks up a key through overlays, of which later ones hide earlier ones.
#[inline]
pub(crate) fn get<'a, S: Snapshot, O: Borrow<Overlay>>(
	snapshot: &'a S,
	overlays: &'a [O],
	key: &[u8],
) -> Result<Option<S::Bytes<'a>>, Error<S::Error>> {
	for overlay in overlays.iter().rev() {
		if let Some(value) = overlay.borrow().get(key) {
			return Ok(value.map(S::lend));
		}
	}
	snapshot.get(key)
}

/// Pairs of a range of a snapshot, changed by overlays.
pub(crate) struct Merge<'a, S: Snapshot + 'a, O>(Window<Merged<'a, S, O>>);

impl<'a, S: Snapshot, O: Borrow<Overlay>> Merge<'a, S, O> {
	pub fn new(
		snapshot: &'a S,
		overlays: &'a [O],
		start: &[u8],
		end: Option<&[u8]>,
		options: RangeOptions,
	) -> Result<Self, Error<S::Error>> {
		// Overlays at the ends that hold nothing are left out.
		let holds = |overlay: &O| !overlay.borrow().is_empty();
		let first = overlays.iter().position(holds).unwrap_or(overlays.len());
		let last = overlays.iter().rposition(holds).map_or(first, |last| last + 1);
		let overlays = &overlays[first..last];
		let directed = RangeOptions { reverse: options.reverse, ..RangeOptions::default() };
		let merged = if overlays.is_empty() {
			Merged::Plain(snapshot.range_between(start, end, directed)?)
		} else {
			Merged::Layered(Layered::new(snapshot, overlays, start, end, options.reverse)?)
		};
		Ok(Self(Window::new(merged, options)))
	}
}

impl<'a, S: Snapshot, O: Borrow<Overlay>> Iterator for Merge<'a, S, O> {
	type Item = Result<Pair<S::Bytes<'a>>, Error<S::Error>>;

	#[inline]
	fn next(&mut self) -> Option<Self::Item> {
		self.0.next()
	}
}

impl<S: Snapshot, O: Borrow<Overlay>> FusedIterator for Merge<'_, S, O> {}

enum Merged<'a, S: Snapshot + 'a, O> {
	/// Nothing was written.
	Plain(S::Range<'a>),
	Layered(Layered<'a, S, O>),
}

impl<'a, S: Snapshot, O: Borrow<Overlay>> Iterator for Merged<'a, S, O> {
	type Item = Result<Pair<S::Bytes<'a>>, Error<S::Error>>;

	#[inline]
	fn next(&mut self) -> Option<Self::Item> {
		match self {
			Self::Plain(pairs) => pairs.next(),
			Self::Layered(pairs) => {
				let next = pairs.next();
				if next.is_err() {
					pairs.finish();
				}
				next.transpose()
			},
		}
	}
}

/// Entries of an overlay that are to come.
type Entries<'a> = Directed<entries::Range<'a>>;

/// One overlay's part in a merge.
struct Layer<'a> {
	overlay: &'a Overlay,
	/// The next entry.
	head: Option<Entry<'a>>,
	/// Those after it. `None` if there cannot be any.
	rest: Option<Entries<'a>>,
}

impl<'a> Layer<'a> {
	fn new(overlay: &'a Overlay) -> Self {
		Self { overlay, head: None, rest: None }
	}

	fn seek(&mut self, start: &[u8], end: Option<&[u8]>, reverse: bool) {
		let entries = &self.overlay.entries;
		self.rest =
			bounds(start, end).map(|range| Directed { items: entries.range(range), reverse });
		self.advance();
	}

	fn advance(&mut self) {
		self.head = self.rest.as_mut().and_then(Iterator::next);
	}
}

/// The next pair of the snapshot.
type Head<'a, S> = Option<Pair<<S as Read>::Bytes<'a>>>;

/// A merge with at least one overlay.
struct Layered<'a, S: Snapshot + 'a, O> {
	snapshot: &'a S,
	overlays: &'a [O],
	/// The range.
	start: Vec<u8>,
	end: Option<Vec<u8>>,
	reverse: bool,
	/// The snapshot's next pair, and those after it.
	head: Head<'a, S>,
	rest: S::Range<'a>,
	/// Error of reading the pair after the last one.
	failed: Option<Error<S::Error>>,
	/// A part for each overlay.
	layers: Vec<Layer<'a>>,
}

impl<'a, S: Snapshot, O: Borrow<Overlay>> Layered<'a, S, O> {
	fn new(
		snapshot: &'a S,
		overlays: &'a [O],
		start: &[u8],
		end: Option<&[u8]>,
		reverse: bool,
	) -> Result<Self, Error<S::Error>> {
		let mut rest = Self::pairs(snapshot, start, end, reverse)?;
		let head = rest.next().transpose()?;
		let mut layers: Vec<_> =
			overlays.iter().map(|overlay| Layer::new(overlay.borrow())).collect();
		layers.iter_mut().for_each(|layer| layer.seek(start, end, reverse));
		let (start, end) = (start.to_vec(), end.map(<[u8]>::to_vec));
		Ok(Self { snapshot, overlays, start, end, reverse, head, rest, failed: None, layers })
	}

	fn pairs(
		snapshot: &'a S,
		start: &[u8],
		end: Option<&[u8]>,
		reverse: bool,
	) -> Result<S::Range<'a>, Error<S::Error>> {
		snapshot.range_between(start, end, RangeOptions { reverse, ..RangeOptions::default() })
	}

	fn advance_snapshot(&mut self) -> Result<(), Error<S::Error>> {
		self.head = self.rest.next().transpose()?;
		Ok(())
	}

	/// Returns the number of the source whose key comes next: the topmost of those that have it.
	/// The snapshot is number 0, the layers follow. All others that have the key step over it, so
	/// that `None` means that there are no more keys.
	fn next_source(&mut self) -> Result<Option<usize>, Error<S::Error>> {
		let mut source = None;
		if self.head.is_some() {
			source = Some(0);
		}
		for upper in 1..=self.layers.len() {
			let Some((key, _)) = self.layers[upper - 1].head else { continue };
			let Some(lower) = source else {
				source = Some(upper);
				continue;
			};
			let order = match (lower, &self.head) {
				(0, Some((head, _))) => key.cmp(head.as_ref()),
				_ => key.cmp(self.layers[lower - 1].head.map_or(&[], |(head, _)| head)),
			};
			let order = if self.reverse { order.reverse() } else { order };
			if order.is_eq() {
				match lower {
					0 => self.advance_snapshot()?,
					_ => self.layers[lower - 1].advance(),
				}
			}
			if order != Ordering::Greater {
				source = Some(upper);
			}
		}
		Ok(source)
	}

	/// If a layer above has removed a range with the next key of a source, moves the sources below
	/// that layer past the range.
	fn skip_removed(&mut self, source: usize) -> Result<bool, Error<S::Error>> {
		for upper in (source..self.layers.len()).rev() {
			let overlay: &'a Overlay = self.overlays[upper].borrow();
			if overlay.removed.is_empty() {
				continue;
			}
			let removed = match (source, &self.head) {
				(0, Some((key, _))) => overlay.removed.find(key.as_ref()),
				_ => self.layers[source - 1].head.and_then(|(key, _)| overlay.removed.find(key)),
			};
			let Some((start, end)) = removed else { continue };
			let (start, end) = match (self.reverse, end) {
				(true, _) => (self.start.as_slice(), Some(start)),
				(false, Some(end)) => (end, self.end.as_deref()),
				// Nothing is left.
				(false, None) => (start, Some(start)),
			};
			self.rest = Self::pairs(self.snapshot, start, end, self.reverse)?;
			for layer in &mut self.layers[..upper] {
				layer.seek(start, end, self.reverse);
			}
			self.advance_snapshot()?;
			return Ok(true);
		}
		Ok(false)
	}

	/// After an error nothing more is to be had: without the snapshot's pairs those of the layers
	/// would be wrong.
	fn finish(&mut self) {
		self.head = None;
		self.layers.clear();
	}

	fn next(&mut self) -> Result<Option<Pair<S::Bytes<'a>>>, Error<S::Error>> {
		if let Some(error) = self.failed.take() {
			return Err(error);
		}
		while let Some(source) = self.next_source()? {
			if self.skip_removed(source)? {
				continue;
			}
			if source == 0 {
				let head = self.head.take();
				self.failed = self.advance_snapshot().err();
				return Ok(head);
			}
			let layer = &mut self.layers[source - 1];
			let entry = layer.head;
			layer.advance();
			if let Some((key, Some(value))) = entry {
				return Ok(Some((S::lend(key), S::lend(value))));
			}
		}
		Ok(None)
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	type Pairs<'a> = alloc::vec::IntoIter<Result<Pair<&'a [u8]>, Error<&'static str>>>;

	/// Has the keys 1 and 3, and fails after them.
	struct Failing;

	impl Read for Failing {
		type Error = &'static str;
		type Bytes<'a> = &'a [u8];
		type Range<'a> = Pairs<'a>;

		fn get(&self, _key: &[u8]) -> Result<Option<&[u8]>, Error<&'static str>> {
			Err(Error::Backend("get"))
		}

		fn range_between(
			&self,
			_start: &[u8],
			_end: Option<&[u8]>,
			_options: RangeOptions,
		) -> Result<Pairs<'_>, Error<&'static str>> {
			let pair = |key: &'static [u8]| Ok((key, key));
			Ok(vec![pair(&[1]), pair(&[3]), Err(Error::Backend("range")), pair(&[5])].into_iter())
		}
	}

	impl Snapshot for Failing {
		fn lend<'a>(bytes: &'a [u8]) -> &'a [u8]
		where
			Self: 'a,
		{
			bytes
		}
	}

	/// A range returns the pairs before an error, then the error, then nothing.
	#[test]
	fn a_range_ends_with_the_first_error() {
		for (set, expected) in [
			([2, 4], [Ok(1), Ok(2), Ok(3), Err("range")]),
			// The key of the snapshot's that is stepped over is the last before the error.
			([2, 3], [Ok(1), Ok(2), Err("range"), Err("none")]),
		] {
			let mut overlay = Overlay::default();
			set.into_iter().for_each(|key| overlay.set(&[key], &[0]));
			let overlays = [overlay];
			let range = Merge::new(&Failing, &overlays, &[], None, RangeOptions::default());
			let mut range = range.expect("the first pair can be read");
			for expected in expected {
				let found = range.next().map(|pair| pair.map(|(key, _)| key[0]));
				match expected {
					Ok(key) => assert_eq!(found, Some(Ok(key))),
					Err("none") => assert_eq!(found, None),
					Err(error) => assert_eq!(found, Some(Err(Error::Backend(error)))),
				}
			}
			assert!(range.next().is_none());
		}
	}
}

//! Ranges of keys, and which of their pairs are wanted.

use alloc::vec::Vec;
use core::ops::Bound;

/// Which pairs of a range are wanted, and in which order. The options apply in the order of the
/// fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeOptions {
	/// Descending instead of ascending.
	pub reverse: bool,
	/// How many pairs to leave out first.
	pub offset: usize,
	/// How many pairs to give at most.
	pub limit: usize,
}

impl Default for RangeOptions {
	/// All pairs, ascending.
	fn default() -> Self {
		Self { reverse: false, offset: 0, limit: usize::MAX }
	}
}

impl RangeOptions {
	/// All pairs, descending.
	pub const REVERSE: Self = Self { reverse: true, offset: 0, limit: usize::MAX };

	/// The first pairs only.
	pub fn limit(self, limit: usize) -> Self {
		Self { limit, ..self }
	}

	/// Without the first pairs.
	pub fn offset(self, offset: usize) -> Self {
		Self { offset, ..self }
	}
}

/// The first key that is after all keys with a prefix. `None` if there is none, which is so for
/// prefixes of `ff` only, and for the empty one.
///
/// ```
/// use content_fabric_okvs::successor;
///
/// assert_eq!(successor(b"ab"), Some(b"ac".to_vec()));
/// assert_eq!(successor(b"a\xff"), Some(b"b".to_vec()));
/// assert_eq!(successor(b"\xff"), None);
/// ```
pub fn successor(prefix: &[u8]) -> Option<Vec<u8>> {
	let last = prefix.iter().rposition(|byte| *byte != 0xff)?;
	let mut end = prefix[..=last].to_vec();
	end[last] += 1;
	Some(end)
}

/// Where a range begins and ends.
pub(crate) type Bounds<K> = (Bound<K>, Bound<K>);

/// The bounds of the keys from `start` up to, and without, `end`. `None` if there cannot be one.
pub(crate) fn bounds<'k>(start: &'k [u8], end: Option<&'k [u8]>) -> Option<Bounds<&'k [u8]>> {
	match end {
		Some(end) if start >= end => None,
		Some(end) => Some((Bound::Included(start), Bound::Excluded(end))),
		None => Some((Bound::Included(start), Bound::Unbounded)),
	}
}

/// The same bounds, owned.
pub(crate) fn owned_bounds(start: &[u8], end: Option<&[u8]>) -> Option<Bounds<Vec<u8>>> {
	bounds(start, end).map(|(start, end)| (start.map(<[u8]>::to_vec), end.map(<[u8]>::to_vec)))
}

/// The items of an iterator that has two ends, from one of them.
#[derive(Clone, Debug)]
pub(crate) struct Directed<I> {
	pub items: I,
	pub reverse: bool,
}

impl<I: DoubleEndedIterator> Iterator for Directed<I> {
	type Item = I::Item;

	#[inline]
	fn next(&mut self) -> Option<I::Item> {
		if self.reverse {
			self.items.next_back()
		} else {
			self.items.next()
		}
	}
}

/// The items of an iterator without the first ones, up to a limit.
#[derive(Clone, Debug)]
pub(crate) struct Window<I> {
	items: I,
	offset: usize,
	limit: usize,
}

impl<I> Window<I> {
	pub fn new(items: I, options: RangeOptions) -> Self {
		Self { items, offset: options.offset, limit: options.limit }
	}
}

impl<I: Iterator<Item = Result<T, E>>, T, E> Iterator for Window<I> {
	type Item = Result<T, E>;

	#[inline]
	fn next(&mut self) -> Option<I::Item> {
		if self.limit == 0 {
			return None;
		}
		while self.offset > 0 {
			self.offset -= 1;
			if let Err(error) = self.items.next()? {
				return Some(Err(error));
			}
		}
		self.limit -= 1;
		self.items.next()
	}
}

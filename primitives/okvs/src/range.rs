// SPDX-License-Identifier: Apache-2.0
//! Ranges of keys, and options of reading them.

use alloc::{borrow::Cow, vec::Vec};
use core::ops::{
	Bound, Range, RangeBounds, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive,
};

/// Order and selection of the pairs of a range. The options apply in the order of the fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RangeOptions {
	/// Descending instead of ascending.
	pub reverse: bool,
	/// Number of pairs to skip.
	pub offset: usize,
	/// Greatest number of pairs to return.
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

	/// Sets the greatest number of pairs to return.
	pub fn limit(self, limit: usize) -> Self {
		Self { limit, ..self }
	}

	/// Sets the number of pairs to skip.
	pub fn offset(self, offset: usize) -> Self {
		Self { offset, ..self }
	}
}

/// Returns the first key after all keys with a prefix. `None` if there is none: for prefixes of
/// `ff` only, and for the empty one.
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

/// A range of keys: `..`, `from..`, `from..to`, `from..=to`, `..to`, `..=to`, a
/// [`Subspace`](crate::tuple::Subspace), or a pair of [`Bound`]s, whose start may be exclusive,
/// too.
///
/// ```
/// use core::ops::Bound;
/// use content_fabric_okvs::{memory::MemoryDatabase, Database, RangeOptions, Read, Transaction};
///
/// let database = MemoryDatabase::default();
/// let mut transaction = database.begin()?;
/// for key in [&b"a"[..], b"b", b"b\0", b"c"] {
///     transaction.set(key, b"")?;
/// }
/// let all = RangeOptions::default();
/// assert_eq!(transaction.range_in(.., all)?.count(), 4);
/// assert_eq!(transaction.range_in(b"a"..=b"b", all)?.count(), 2);
/// let after = (Bound::Excluded(b"b"), Bound::Unbounded);
/// assert_eq!(transaction.range_in(after, all)?.count(), 2);
/// # Ok::<_, content_fabric_okvs::Error<core::convert::Infallible>>(())
/// ```
pub trait KeyRange {
	/// Returns the start of the range.
	fn start_bound(&self) -> Bound<&[u8]>;

	/// Returns the end of the range.
	fn end_bound(&self) -> Bound<&[u8]>;
}

impl KeyRange for RangeFull {
	fn start_bound(&self) -> Bound<&[u8]> {
		Bound::Unbounded
	}

	fn end_bound(&self) -> Bound<&[u8]> {
		Bound::Unbounded
	}
}

impl<R: KeyRange + ?Sized> KeyRange for &R {
	fn start_bound(&self) -> Bound<&[u8]> {
		(**self).start_bound()
	}

	fn end_bound(&self) -> Bound<&[u8]> {
		(**self).end_bound()
	}
}

macro_rules! key_ranges {
	($($range:ty)*) => {$(
		impl<K: AsRef<[u8]>> KeyRange for $range {
			fn start_bound(&self) -> Bound<&[u8]> {
				RangeBounds::<K>::start_bound(self).map(AsRef::as_ref)
			}

			fn end_bound(&self) -> Bound<&[u8]> {
				RangeBounds::<K>::end_bound(self).map(AsRef::as_ref)
			}
		}
	)*};
}

key_ranges! {
	Range<K> RangeFrom<K> RangeInclusive<K> RangeTo<K> RangeToInclusive<K> (Bound<K>, Bound<K>)
}

/// Returns the inclusive start and the exclusive end of a range; `None` is after all keys.
pub(crate) fn half_open(keys: &impl KeyRange) -> (Cow<'_, [u8]>, Option<Cow<'_, [u8]>>) {
	// No key is between one and the same with a zero appended.
	let after = |key: &[u8]| Cow::Owned([key, &[0]].concat());
	let start = match keys.start_bound() {
		Bound::Included(key) => Cow::Borrowed(key),
		Bound::Excluded(key) => after(key),
		Bound::Unbounded => Cow::Borrowed(&[][..]),
	};
	let end = match keys.end_bound() {
		Bound::Included(key) => Some(after(key)),
		Bound::Excluded(key) => Some(Cow::Borrowed(key)),
		Bound::Unbounded => None,
	};
	(start, end)
}

/// Start and end of a range.
pub(crate) type Bounds<K> = (Bound<K>, Bound<K>);

/// Returns the bounds of the keys from `start` up to, and without, `end`. `None` if there is no
/// such key.
pub(crate) fn bounds<'k>(start: &'k [u8], end: Option<&'k [u8]>) -> Option<Bounds<&'k [u8]>> {
	match end {
		Some(end) if start >= end => None,
		Some(end) => Some((Bound::Included(start), Bound::Excluded(end))),
		None => Some((Bound::Included(start), Bound::Unbounded)),
	}
}

// SPDX-License-Identifier: Apache-2.0
//! Ranges that are read from both ends.

use core::{cmp::Ordering, iter::FusedIterator};

use super::Pair;
use crate::{Error, KeyRange, RangeOptions, Read};

/// Reads a store in which a descending range costs as much as an ascending one: in memory and on
/// disk, but not in the state of a chain.
pub trait DoubleEndedRead: Read {
	/// Returns the pairs whose keys are in a range, from both ends.
	///
	/// ```
	/// use content_fabric_okvs::{memory::MemoryDatabase, Database, DoubleEndedRead, Transaction};
	///
	/// let database = MemoryDatabase::default();
	/// let mut transaction = database.begin()?;
	/// for key in [b"a", b"b", b"c", b"d"] {
	///     transaction.set(key, b"")?;
	/// }
	/// let mut range = transaction.range_double_ended(b"a"..b"d")?;
	/// let mut key = |pair: Option<_>| pair.transpose().map(|pair| pair.map(|(key, _)| key));
	/// assert_eq!(key(range.next_back())?, Some(&b"c"[..]));
	/// assert_eq!(key(range.next())?, Some(&b"a"[..]));
	/// assert_eq!(key(range.next_back())?, Some(&b"b"[..]));
	/// assert_eq!(key(range.next())?, None);
	/// # Ok::<_, content_fabric_okvs::Error<core::convert::Infallible>>(())
	/// ```
	fn range_double_ended(
		&self,
		keys: impl KeyRange,
	) -> Result<DoubleEnded<Self::Range<'_>>, Error<Self::Error>> {
		let (start, end) = crate::range::half_open(&keys);
		let range = |options| self.range_between(&start, end.as_deref(), options);
		Ok(DoubleEnded {
			front: End::new(range(RangeOptions::default())?),
			back: End::new(range(RangeOptions::REVERSE)?),
			done: false,
		})
	}
}

/// A range that is read from both ends.
pub struct DoubleEnded<R: Iterator> {
	/// Ascends.
	front: End<R>,
	/// Descends.
	back: End<R>,
	/// The ends have met, or one of them failed.
	done: bool,
}

/// One end of a range, which reads on beyond the other one.
struct End<R: Iterator> {
	rest: R,
	/// The next pair. Read ahead only if both ends are in use.
	head: Option<R::Item>,
	used: bool,
}

impl<R: Iterator> End<R> {
	fn new(rest: R) -> Self {
		Self { rest, head: None, used: false }
	}

	fn fill(&mut self) {
		if self.head.is_none() {
			self.head = self.rest.next();
		}
	}
}

impl<B: AsRef<[u8]>, E, R: Iterator<Item = Result<Pair<B>, E>>> DoubleEnded<R> {
	/// Takes the next pair of the front or the back.
	fn step(&mut self, back: bool) -> Option<R::Item> {
		if self.done {
			return None;
		}
		let Self { front, back: last, done } = self;
		let (used, unused) = if back { (&mut *last, &*front) } else { (&mut *front, &*last) };
		used.used = true;
		if !unused.used {
			let next = used.rest.next();
			*done = !matches!(next, Some(Ok(_)));
			return next;
		}
		front.fill();
		last.fill();
		match (&front.head, &last.head) {
			(Some(Ok((first, _))), Some(Ok((end, _)))) => {
				let order = first.as_ref().cmp(end.as_ref());
				*done = order != Ordering::Less;
				if order == Ordering::Greater {
					return None;
				}
				if back {
					last.head.take()
				} else {
					front.head.take()
				}
			},
			(first, _) => {
				*done = true;
				let failed = if matches!(first, Some(Err(_))) { front } else { last };
				failed.head.take().filter(Result::is_err)
			},
		}
	}
}

impl<B: AsRef<[u8]>, E, R: Iterator<Item = Result<Pair<B>, E>>> Iterator for DoubleEnded<R> {
	type Item = R::Item;

	fn next(&mut self) -> Option<R::Item> {
		self.step(false)
	}
}

impl<B: AsRef<[u8]>, E, R: Iterator<Item = Result<Pair<B>, E>>> DoubleEndedIterator
	for DoubleEnded<R>
{
	fn next_back(&mut self) -> Option<R::Item> {
		self.step(true)
	}
}

impl<B: AsRef<[u8]>, E, R: Iterator<Item = Result<Pair<B>, E>>> FusedIterator for DoubleEnded<R> {}

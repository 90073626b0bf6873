// SPDX-License-Identifier: Apache-2.0
//! Ranges of the state of a chain.

use alloc::{collections::VecDeque, vec::Vec};
use core::{convert::Infallible, iter::FusedIterator, marker::PhantomData};

use bytes::Bytes;
use sp_io::storage;

use super::key;
use crate::{Error, Pair, RangeOptions};

/// Returns the first key of the host's after `key`, which need not be one.
pub(super) fn after(key: &[u8], end: Option<&[u8]>) -> Option<Vec<u8>> {
	storage::next_key(key).filter(|next| end.is_none_or(|end| next.as_slice() < end))
}

/// A range of a [`ChainSnapshot`](super::ChainSnapshot) or a
/// [`ChainTransaction`](super::ChainTransaction).
pub struct ChainRange<'a> {
	keys: Keys,
	/// Length of the store's prefix in each key, in bytes.
	prefix: usize,
	limit: usize,
	/// The reader, and its thread.
	store: PhantomData<(&'a (), *const ())>,
}

enum Keys {
	Ascending {
		next: Option<Vec<u8>>,
		end: Option<Vec<u8>>,
	},
	/// From the last one on.
	Descending(VecDeque<Vec<u8>>),
}

impl Keys {
	fn next(&mut self, is_last: bool) -> Option<Vec<u8>> {
		match self {
			Self::Ascending { next, end } => {
				let key = next.take()?;
				if !is_last {
					*next = after(&key, end.as_deref());
				}
				Some(key)
			},
			Self::Descending(keys) => keys.pop_back(),
		}
	}
}

impl ChainRange<'_> {
	pub(super) fn new(
		start: Vec<u8>,
		end: Option<Vec<u8>>,
		prefix: usize,
		options: RangeOptions,
	) -> Self {
		let RangeOptions { reverse, offset, limit } = options;
		let mut next = if limit == 0 { None } else { after(&start, end.as_deref()) };
		let mut keys = if reverse {
			let wanted = offset.saturating_add(limit);
			let mut keys = VecDeque::new();
			while let Some(key) = next {
				next = after(&key, end.as_deref());
				if keys.len() == wanted {
					keys.pop_front();
				}
				keys.push_back(key);
			}
			Keys::Descending(keys)
		} else {
			Keys::Ascending { next, end }
		};
		for _ in 0..offset {
			if keys.next(false).is_none() {
				break;
			}
		}
		Self { keys, prefix, limit, store: PhantomData }
	}
}

impl Iterator for ChainRange<'_> {
	type Item = Result<Pair<Bytes>, Error<Infallible>>;

	fn next(&mut self) -> Option<Self::Item> {
		self.limit = self.limit.checked_sub(1)?;
		let key = self.keys.next(self.limit == 0)?;
		// Only what is there has a next key, and nothing is written meanwhile.
		let value = storage::get(&key)?;
		Some(Ok((key::decode(key, self.prefix), value)))
	}
}

impl FusedIterator for ChainRange<'_> {}

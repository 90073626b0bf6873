// SPDX-License-Identifier: Apache-2.0
//! Reading of a file.

use std::{io, iter::FusedIterator, ops::Deref, path::Path};

use redb::{AccessGuard, ReadOnlyTable, ReadTransaction, ReadableTableMetadata};

use super::{
	error::At,
	format::{self, Found, PAIRS},
	DiskError, DiskErrorKind, Statistics,
};
use crate::{
	overlay::Snapshot,
	range::{bounds, Directed, Window},
	DoubleEndedRead, Error, Pair, RangeOptions, Read,
};

/// Reads one state of a [`DiskDatabase`](super::DiskDatabase), which stays open meanwhile.
#[must_use = "a snapshot does nothing unless it is read"]
pub struct DiskSnapshot<'db> {
	pairs: ReadOnlyTable<&'static [u8], &'static [u8]>,
	path: &'db Path,
}

impl<'db> DiskSnapshot<'db> {
	pub(super) fn new(transaction: ReadTransaction, path: &'db Path) -> Result<Self, DiskError> {
		let pairs = transaction.open_table(PAIRS).at(path)?;
		Ok(Self { pairs, path })
	}

	/// Copies the pairs to a new store, which appears complete and synchronized, or not at all.
	/// Others can write meanwhile. Fails with [`DiskErrorKind::Io`] if the path is taken.
	pub fn backup(&self, path: impl AsRef<Path>) -> Result<(), DiskError> {
		let path = path.as_ref();
		// Before all pairs are copied. What takes the name meanwhile is found at the end.
		if path.symlink_metadata().is_ok() {
			return Err(io::Error::from(io::ErrorKind::AlreadyExists)).at(path);
		}
		super::create::create(path, &redb::Builder::new(), |transaction| {
			let mut table = transaction.open_table(PAIRS)?;
			for pair in self.pairs.range::<&[u8]>(..)? {
				let (key, value) = pair?;
				table.insert(key.value(), value.value())?;
			}
			Ok(())
		})
		.at(path)
	}

	/// Counts what the pairs take in the file, which reads the whole of it.
	pub fn statistics(&self) -> Result<Statistics, DiskError> {
		let stats = self.pairs.stats().at(self.path)?;
		Ok(Statistics {
			pairs: self.pairs.len().at(self.path)?,
			stored_bytes: stats.stored_bytes(),
			metadata_bytes: stats.metadata_bytes(),
			fragmented_bytes: stats.fragmented_bytes(),
			tree_height: stats.tree_height(),
			file_bytes: self.path.metadata().map(|file| file.len()).ok(),
		})
	}

	fn error(&self, error: redb::StorageError) -> Error<DiskError> {
		Error::Backend(DiskErrorKind::from(error).at(self.path))
	}
}

/// Checks that a file is a store.
pub(super) fn check(transaction: &ReadTransaction) -> Result<(), DiskErrorKind> {
	match format::find(transaction)? {
		Found::Store => Ok(()),
		Found::Unmarked => Err(DiskErrorKind::NotAStore(
			"the redb file has no format marker; adopt it with `DiskDatabase::from_redb`",
		)),
	}
}

/// A key or a value: in a page of the file that is kept in memory, or written by the transaction
/// that reads it.
pub struct DiskBytes<'a>(Source<'a>);

enum Source<'a> {
	Page(AccessGuard<'static, &'static [u8]>),
	Write(&'a [u8]),
}

impl Deref for DiskBytes<'_> {
	type Target = [u8];

	#[inline]
	fn deref(&self) -> &[u8] {
		match &self.0 {
			Source::Page(guard) => guard.value(),
			Source::Write(bytes) => bytes,
		}
	}
}

impl AsRef<[u8]> for DiskBytes<'_> {
	#[inline]
	fn as_ref(&self) -> &[u8] {
		self
	}
}

impl core::fmt::Debug for DiskBytes<'_> {
	fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
		(**self).fmt(f)
	}
}

/// A range of a [`DiskSnapshot`].
pub struct DiskRange<'a>(Option<Window<Pages<'a>>>);

struct Pages<'a> {
	pairs: Directed<redb::Range<'static, &'static [u8], &'static [u8]>>,
	snapshot: &'a DiskSnapshot<'a>,
}

impl<'a> Iterator for Pages<'a> {
	type Item = Result<Pair<DiskBytes<'a>>, Error<DiskError>>;

	#[inline]
	fn next(&mut self) -> Option<Self::Item> {
		let page = |guard| DiskBytes(Source::Page(guard));
		Some(match self.pairs.next()? {
			Ok((key, value)) => Ok((page(key), page(value))),
			Err(error) => Err(self.snapshot.error(error)),
		})
	}
}

impl<'a> Iterator for DiskRange<'a> {
	type Item = Result<Pair<DiskBytes<'a>>, Error<DiskError>>;

	#[inline]
	fn next(&mut self) -> Option<Self::Item> {
		self.0.as_mut()?.next()
	}
}

impl FusedIterator for DiskRange<'_> {}

impl Read for DiskSnapshot<'_> {
	type Error = DiskError;
	type Bytes<'a>
		= DiskBytes<'a>
	where
		Self: 'a;
	type Range<'a>
		= DiskRange<'a>
	where
		Self: 'a;

	#[inline]
	fn get(&self, key: &[u8]) -> Result<Option<DiskBytes<'_>>, Error<DiskError>> {
		let value = self.pairs.get(key).map_err(|error| self.error(error))?;
		Ok(value.map(|guard| DiskBytes(Source::Page(guard))))
	}

	fn range_between(
		&self,
		start: &[u8],
		end: Option<&[u8]>,
		options: RangeOptions,
	) -> Result<DiskRange<'_>, Error<DiskError>> {
		let Some(range) = bounds(start, end) else { return Ok(DiskRange(None)) };
		let items = self.pairs.range::<&[u8]>(range).map_err(|error| self.error(error))?;
		let pairs = Directed { items, reverse: options.reverse };
		Ok(DiskRange(Some(Window::new(Pages { pairs, snapshot: self }, options))))
	}

	fn len(&self) -> Result<usize, Error<DiskError>> {
		let len = self.pairs.len().map_err(|error| self.error(error))?;
		Ok(usize::try_from(len).unwrap_or(usize::MAX))
	}
}

impl DoubleEndedRead for DiskSnapshot<'_> {}

impl Snapshot for DiskSnapshot<'_> {
	#[inline]
	fn lend<'a>(bytes: &'a [u8]) -> DiskBytes<'a>
	where
		Self: 'a,
	{
		DiskBytes(Source::Write(bytes))
	}
}

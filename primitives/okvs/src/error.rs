// SPDX-License-Identifier: Apache-2.0
//! Errors of every backend.

use core::fmt;

/// Error of an operation on a store.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error<E> {
	/// An open transaction or snapshot excludes the one that was to begin, and no other thread
	/// could end it.
	Busy,
	/// The backend failed.
	Backend(E),
}

impl<E: fmt::Display> fmt::Display for Error<E> {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::Busy => f.write_str("another transaction or snapshot of the store is open"),
			Self::Backend(error) => error.fmt(f),
		}
	}
}

impl<E: core::error::Error + 'static> core::error::Error for Error<E> {
	fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
		match self {
			Self::Busy => None,
			Self::Backend(error) => error.source(),
		}
	}
}

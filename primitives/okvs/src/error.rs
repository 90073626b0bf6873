//! What can go wrong, besides the backend.

use core::fmt;

/// An operation on a store failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error<E> {
	/// A transaction that is open excludes the one that was to begin. Nothing waits.
	Busy,
	/// The backend failed.
	Backend(E),
}

impl<E: fmt::Display> fmt::Display for Error<E> {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::Busy => f.write_str("a transaction that is open excludes another one"),
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

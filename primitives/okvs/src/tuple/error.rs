// SPDX-License-Identifier: Apache-2.0
//! Errors of unpacking.

use core::fmt;

/// Bytes are not a packed tuple, or not one of the type that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnpackError {
	/// Position of the byte that broke the rule; the length of the bytes, if one is missing.
	pub at: usize,
	/// The rule.
	pub kind: UnpackErrorKind,
}

/// Cause of an [`UnpackError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnpackErrorKind {
	/// No item begins with this byte.
	UnknownCode(u8),
	/// The bytes end within an item of fixed length.
	Truncated,
	/// The bytes end within a byte string, a string or a nested tuple.
	MissingTerminator,
	/// A string is not UTF-8.
	NotUtf8,
	/// An integer is written with more bytes than it needs.
	NotMinimal,
	/// An integer is outside what its type holds, or outside `i128` without the feature `bigint`.
	IntegerRange,
	/// Tuples are nested deeper than [`MAX_DEPTH`](super::MAX_DEPTH).
	TooDeep,
	/// The item has another type.
	Type {
		/// The type that was asked for.
		expected: &'static str,
		/// The first byte of the item.
		found: u8,
	},
	/// The length of a byte string is not that of the array that was asked for.
	Length {
		/// The length of the array.
		expected: usize,
		/// The length of the byte string.
		found: usize,
	},
	/// The item has the right type, but not a value that was asked for.
	Invalid {
		/// The kind of value that was asked for.
		expected: &'static str,
	},
	/// The item holds a zero byte, so it cannot be borrowed. Read it as a `Cow` or an owned value.
	NotBorrowable,
	/// The tuple has fewer items than were asked for.
	MissingItem,
	/// The tuple has more items than were asked for.
	ExcessItem,
}

impl fmt::Display for UnpackError {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		write!(f, "at byte {}: ", self.at)?;
		match self.kind {
			UnpackErrorKind::UnknownCode(code) => write!(f, "no item begins with {code:02x}"),
			UnpackErrorKind::Truncated => f.write_str("the item is cut off"),
			UnpackErrorKind::MissingTerminator => f.write_str("the item does not end"),
			UnpackErrorKind::NotUtf8 => f.write_str("the string is not UTF-8"),
			UnpackErrorKind::NotMinimal => f.write_str("the integer has more bytes than it needs"),
			UnpackErrorKind::IntegerRange => f.write_str("the integer is too large for its type"),
			UnpackErrorKind::TooDeep => {
				write!(f, "tuples are nested deeper than {}", super::MAX_DEPTH)
			},
			UnpackErrorKind::Type { expected, found } => {
				write!(f, "the item begins with {found:02x}, so it is not a {expected}")
			},
			UnpackErrorKind::Length { expected, found } => {
				write!(f, "the byte string has {found} bytes, not {expected}")
			},
			UnpackErrorKind::Invalid { expected } => write!(f, "the item is not a {expected}"),
			UnpackErrorKind::NotBorrowable => {
				f.write_str("the item holds a zero byte, so it cannot be borrowed")
			},
			UnpackErrorKind::MissingItem => f.write_str("an item is missing"),
			UnpackErrorKind::ExcessItem => f.write_str("the tuple has too many items"),
		}
	}
}

impl core::error::Error for UnpackError {}

// SPDX-License-Identifier: Apache-2.0
//! The dialects of record keys.

use core::fmt;

use super::RecordKeySyntax;
use crate::convert::parsed;

/// The text names no dialect of record keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseRecordKeySyntaxError;

impl ParseRecordKeySyntaxError {
	/// Returns the position of the byte that broke the rule: the first.
	pub const fn position(&self) -> usize {
		0
	}
}

impl fmt::Display for ParseRecordKeySyntaxError {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		let [first, second] = RecordKeySyntax::ALL.map(RecordKeySyntax::as_str);
		write!(f, "the syntax of record keys is `{first}` or `{second}`")
	}
}

impl core::error::Error for ParseRecordKeySyntaxError {}

impl RecordKeySyntax {
	const ALL: [Self; 2] = [Self::Unreserved, Self::PathSegment];

	/// Returns the text.
	pub const fn as_str(self) -> &'static str {
		match self {
			Self::Unreserved => "unreserved",
			Self::PathSegment => "path-segment",
		}
	}

	/// Parses a text.
	pub fn parse(text: &str) -> Result<Self, ParseRecordKeySyntaxError> {
		let named = Self::ALL.into_iter().find(|syntax| syntax.as_str() == text);
		named.ok_or(ParseRecordKeySyntaxError)
	}
}

impl fmt::Display for RecordKeySyntax {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.pad(self.as_str())
	}
}

impl AsRef<str> for RecordKeySyntax {
	fn as_ref(&self) -> &str {
		self.as_str()
	}
}

parsed! { RecordKeySyntax: ParseRecordKeySyntaxError; }

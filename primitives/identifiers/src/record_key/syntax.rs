// SPDX-License-Identifier: Apache-2.0
//! The dialects of record keys.

use core::fmt;

use super::RecordKeySyntax;
use crate::convert::{parsed, rules};

/// The text names no dialect of record keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseRecordKeySyntaxError;

rules! { ParseRecordKeySyntaxError, at:
	Self => 0, "the syntax of record keys is `unreserved` or `path-segment`";
}

impl RecordKeySyntax {
	/// Returns the text.
	pub const fn as_str(self) -> &'static str {
		match self {
			Self::Unreserved => "unreserved",
			Self::PathSegment => "path-segment",
		}
	}

	/// Parses a text.
	pub fn parse(text: &str) -> Result<Self, ParseRecordKeySyntaxError> {
		let all = [Self::Unreserved, Self::PathSegment];
		all.into_iter().find(|syntax| syntax.as_str() == text).ok_or(ParseRecordKeySyntaxError)
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

parsed!(RecordKeySyntax: ParseRecordKeySyntaxError, Self::parse);

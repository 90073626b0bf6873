// SPDX-License-Identifier: Apache-2.0
//! Ranges of bytes, as people write them.

use std::{fmt, str::FromStr};

use crate::text::count;

/// A range of the bytes of a version. Positions begin at 0, and both ends belong to the range. Text:
/// `0-99`, `100-`, or `-500` for the last 500 bytes, as in HTTP and for `curl --range`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteRange {
	/// From one byte to another.
	Between(u64, u64),
	/// From a byte to the end.
	From(u64),
	/// The last bytes, this many.
	Last(u64),
}

/// A text is not a range, or a version does not have its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RangeError {
	/// The text has another form.
	#[error("expected a range of bytes such as 0-99, 100- or -500")]
	Form,
	/// A number does not fit.
	#[error("a number is larger than any version")]
	Number,
	/// The range ends before it begins.
	#[error("its first byte, {0}, is after its last one, {1}")]
	Backwards(u64, u64),
	/// The range has the last 0 bytes.
	#[error("a range of the last 0 bytes is empty")]
	Nothing,
	/// The version is shorter.
	#[error("the range {range} begins after the end of the version, which has {}", count(*size, "byte", "bytes"))]
	Beyond {
		/// The range.
		range: ByteRange,
		/// Number of bytes of the version.
		size: u64,
	},
}

impl ByteRange {
	/// Returns the positions of the first and the last byte in a version of `size` bytes. A range
	/// ends with the version, and must begin before its end.
	pub fn within(self, size: u64) -> Result<(u64, u64), RangeError> {
		let beyond = RangeError::Beyond { range: self, size };
		let end = size.checked_sub(1).ok_or(beyond)?;
		let (first, last) = match self {
			Self::Between(first, last) => (first, last.min(end)),
			Self::From(first) => (first, end),
			Self::Last(length) => (size.saturating_sub(length), end),
		};
		if first > end {
			Err(beyond)
		} else {
			Ok((first, last))
		}
	}
}

impl FromStr for ByteRange {
	type Err = RangeError;

	fn from_str(text: &str) -> Result<Self, RangeError> {
		let (first, last) = text.split_once('-').ok_or(RangeError::Form)?;
		let number = |digits: &str| match digits.bytes().all(|digit| digit.is_ascii_digit()) {
			true => digits.parse::<u64>().map_err(|_| RangeError::Number),
			false => Err(RangeError::Form),
		};
		match (first, last) {
			("", "") => Err(RangeError::Form),
			("", length) => match number(length)? {
				0 => Err(RangeError::Nothing),
				length => Ok(Self::Last(length)),
			},
			(first, "") => number(first).map(Self::From),
			(first, last) => match (number(first)?, number(last)?) {
				(first, last) if first > last => Err(RangeError::Backwards(first, last)),
				(first, last) => Ok(Self::Between(first, last)),
			},
		}
	}
}

impl fmt::Display for ByteRange {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::Between(first, last) => write!(f, "{first}-{last}"),
			Self::From(first) => write!(f, "{first}-"),
			Self::Last(length) => write!(f, "-{length}"),
		}
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn ranges_are_read_and_printed_as_curl_has_them() {
		for (text, range) in [
			("0-99", ByteRange::Between(0, 99)),
			("7-7", ByteRange::Between(7, 7)),
			("100-", ByteRange::From(100)),
			("-500", ByteRange::Last(500)),
			("0-18446744073709551615", ByteRange::Between(0, u64::MAX)),
		] {
			assert_eq!(text.parse(), Ok(range));
			assert_eq!(range.to_string(), text);
		}
		for text in ["", "-", "5", "a-b", "1-2-3", "+1-2", "1-+2", " 1-2", "0-1,3-4", "1:2", "--5"]
		{
			assert_eq!(text.parse::<ByteRange>(), Err(RangeError::Form), "{text}");
		}
		assert_eq!("-0".parse::<ByteRange>(), Err(RangeError::Nothing));
		assert_eq!("9-8".parse::<ByteRange>(), Err(RangeError::Backwards(9, 8)));
		assert_eq!("0-18446744073709551616".parse::<ByteRange>(), Err(RangeError::Number));
	}

	#[test]
	fn a_range_ends_with_the_version_and_must_begin_before_its_end() {
		for (text, size, expected) in [
			("0-99", 100, (0, 99)),
			("0-99", 50, (0, 49)),
			("99-", 100, (99, 99)),
			("0-", 1, (0, 0)),
			("-500", 1_000, (500, 999)),
			("-500", 100, (0, 99)),
			("5-18446744073709551615", u64::MAX, (5, u64::MAX - 1)),
		] {
			let range: ByteRange = text.parse().expect("it is a range");
			assert_eq!(range.within(size), Ok(expected), "{text} of {size}");
		}
		for (text, size) in [("100-199", 100), ("100-", 100), ("0-", 0), ("-1", 0), ("0-0", 0)] {
			let range: ByteRange = text.parse().expect("it is a range");
			assert_eq!(range.within(size), Err(RangeError::Beyond { range, size }), "{text}");
		}
	}
}

// SPDX-License-Identifier: Apache-2.0
//! NSIDs: the AT Protocol's names of record types, such as `app.bsky.feed.post`.

use crate::convert::{checked, rules};

/// Most bytes of an NSID.
const MAX_LEN: usize = 317;
/// Most bytes of a segment.
const MAX_SEGMENT_LEN: usize = 63;

/// The name of a record type, borrowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Nsid<'a>(&'a str);

/// The text is not a valid NSID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseNsidError {
	/// The text has more than 317 bytes.
	TooLong {
		/// The length of the text, in bytes.
		found: usize,
	},
	/// There are fewer than three segments.
	Segments {
		/// The number of segments.
		found: usize,
	},
	/// A segment is empty.
	EmptySegment {
		/// Position of the segment.
		at: usize,
	},
	/// A segment has more than 63 bytes.
	LongSegment {
		/// Position of its 64th byte.
		at: usize,
	},
	/// A byte is not a letter, digit or hyphen, or a hyphen is at either end of a segment or in the
	/// last segment.
	Character {
		/// Position of the byte.
		at: usize,
	},
	/// The first or the last segment begins with a digit.
	Digit {
		/// Position of the digit.
		at: usize,
	},
}

rules! { ParseNsidError, at, "For too few segments, it is 0.":
	Self::TooLong { found } => MAX_LEN, "an NSID has at most {MAX_LEN} bytes, not {found}";
	Self::Segments { found } => 0, "an NSID has at least three segments, not {found}";
	Self::EmptySegment { at } => at, "the segment at byte {at} is empty";
	Self::LongSegment { at } =>
		at, "byte {at} is beyond the {MAX_SEGMENT_LEN} bytes of its segment";
	Self::Character { at } => at, "byte {at} is not allowed at this position of an NSID";
	Self::Digit { at } => at, "byte {at} is a digit, expected a letter";
}

impl<'a> Nsid<'a> {
	/// Returns the last segment, which names the record type.
	pub fn name(&self) -> &'a str {
		self.0.rsplit('.').next().unwrap_or_default()
	}
}

pub(crate) fn check(bytes: &[u8]) -> Result<(), ParseNsidError> {
	if is_nsid(bytes) {
		return Ok(());
	}
	first_error(bytes)
}

/// Returns true if bytes are an NSID, in one pass.
fn is_nsid(bytes: &[u8]) -> bool {
	// The position of the segment, and the position after the last hyphen.
	let (mut start, mut after_hyphen) = (0, 0);
	let mut segments = 1;
	for (at, byte) in bytes.iter().enumerate() {
		match byte {
			b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => {},
			b'-' if at > start => after_hyphen = at + 1,
			b'.' if at > start && at - start <= MAX_SEGMENT_LEN && after_hyphen < at => {
				start = at + 1;
				segments += 1;
			},
			_ => return false,
		}
	}
	let last_segment = &bytes[start..];
	bytes.len() <= MAX_LEN
		&& segments >= 3
		&& last_segment.len() <= MAX_SEGMENT_LEN
		&& after_hyphen <= start
		&& bytes[0].is_ascii_alphabetic()
		&& last_segment.first().is_some_and(u8::is_ascii_alphabetic)
}

#[cold]
fn first_error(bytes: &[u8]) -> Result<(), ParseNsidError> {
	if bytes.len() > MAX_LEN {
		return Err(ParseNsidError::TooLong { found: bytes.len() });
	}
	let (mut start, mut segments) = (0, 0);
	for segment in bytes.split(|byte| *byte == b'.') {
		let end = start + segment.len();
		check_segment(segment, start, end == bytes.len())?;
		start = end + 1;
		segments += 1;
	}
	if segments < 3 {
		return Err(ParseNsidError::Segments { found: segments });
	}
	Ok(())
}

fn check_segment(segment: &[u8], start: usize, is_last: bool) -> Result<(), ParseNsidError> {
	let (Some(first), Some(last)) = (segment.first(), segment.last()) else {
		return Err(ParseNsidError::EmptySegment { at: start });
	};
	let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-' && !is_last;
	if let Some(at) = segment.iter().position(|byte| !allowed(byte)) {
		return Err(ParseNsidError::Character { at: start + at });
	}
	if segment.len() > MAX_SEGMENT_LEN {
		return Err(ParseNsidError::LongSegment { at: start + MAX_SEGMENT_LEN });
	}
	if *first == b'-' {
		return Err(ParseNsidError::Character { at: start });
	}
	if *last == b'-' {
		return Err(ParseNsidError::Character { at: start + segment.len() - 1 });
	}
	if first.is_ascii_digit() && (start == 0 || is_last) {
		return Err(ParseNsidError::Digit { at: start });
	}
	Ok(())
}

checked!(Nsid: ParseNsidError, check);

// SPDX-License-Identifier: Apache-2.0
//! The headers `Range` and `Content-Range`.

use std::ops::Range;

use axum::http::{header, HeaderMap, StatusCode};

use super::error::Failure;

/// Returns the range that a reader asks for: all, or one part. Several ranges, and what is not a range
/// of bytes, count as none, as HTTP permits.
pub fn requested(headers: &HeaderMap, size: u64) -> Result<Option<Range<u64>>, Failure> {
	let Some(text) = headers.get(header::RANGE).and_then(|value| value.to_str().ok()) else {
		return Ok(None);
	};
	let Some((first, last)) = text.strip_prefix("bytes=").and_then(|text| text.split_once('-'))
	else {
		return Ok(None);
	};
	let range = match (number(first), number(last)) {
		(Some(first), Some(last)) if first <= last => first..last.saturating_add(1).min(size),
		(Some(first), None) if last.is_empty() => first..size,
		(None, Some(last)) if first.is_empty() => size.saturating_sub(last)..size,
		_ => return Ok(None),
	};
	match range.is_empty() {
		false => Ok(Some(range)),
		true => {
			let reason = format!("the range is beyond the end: the version has {size} bytes");
			let value = format!("bytes */{size}").parse();
			let failure = Failure::new(StatusCode::RANGE_NOT_SATISFIABLE, reason);
			Err(match value {
				Ok(value) => failure.with(header::CONTENT_RANGE, value),
				Err(_) => failure,
			})
		},
	}
}

/// A part of an upload: where it begins and ends, and the size of the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
	/// The place of the part.
	pub part: Range<u64>,
	/// The size of the whole.
	pub total: u64,
}

/// Reads where the part of an upload belongs. Without `Content-Range` it is the whole.
pub fn sent(headers: &HeaderMap) -> Result<Sent, Failure> {
	let length = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
	let length = length.and_then(number).ok_or_else(|| {
		Failure::new(StatusCode::LENGTH_REQUIRED, "an upload needs the header Content-Length")
	})?;
	let Some(value) = headers.get(header::CONTENT_RANGE) else {
		return Ok(Sent { part: 0..length, total: length });
	};
	let wrong = || {
		let reason = "Content-Range is not `bytes FIRST-LAST/SIZE` with the length of the body";
		Failure::new(StatusCode::BAD_REQUEST, reason)
	};
	let text = value.to_str().ok().and_then(|text| text.strip_prefix("bytes "));
	let (part, total) = text.and_then(|text| text.split_once('/')).ok_or_else(wrong)?;
	let (first, last) = part.split_once('-').ok_or_else(wrong)?;
	let (first, last, total) = number(first)
		.zip(number(last))
		.zip(number(total))
		.map(|((a, b), c)| (a, b, c))
		.ok_or_else(wrong)?;
	let end = last.checked_add(1).ok_or_else(wrong)?;
	match first < end && end <= total && end - first == length {
		true => Ok(Sent { part: first..end, total }),
		false => Err(wrong()),
	}
}

/// Reads digits. Signs and spaces are not accepted.
fn number(text: &str) -> Option<u64> {
	text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
	use super::*;

	fn headers(pairs: &[(header::HeaderName, &str)]) -> HeaderMap {
		let value = |text: &str| text.parse().expect("it is a value; qed");
		pairs.iter().map(|(name, text)| (name.clone(), value(text))).collect()
	}

	#[test]
	fn ranges_are_those_of_http() {
		for (text, expected) in [
			("bytes=0-0", Some(0..1)),
			("bytes=2-4", Some(2..5)),
			("bytes=2-", Some(2..10)),
			("bytes=9-99", Some(9..10)),
			("bytes=-3", Some(7..10)),
			("bytes=-99", Some(0..10)),
			("bytes=4-2", None),
			("bytes=0-1,3-4", None),
			("bytes=+1-2", None),
			("items=0-1", None),
			("bytes=-", None),
		] {
			let found = requested(&headers(&[(header::RANGE, text)]), 10);
			assert_eq!(found.ok(), Some(expected), "{text}");
		}
	}

	#[test]
	fn ranges_beyond_the_end_are_errors() {
		for (text, size) in
			[("bytes=10-", 10), ("bytes=10-11", 10), ("bytes=-0", 10), ("bytes=0-", 0)]
		{
			assert!(requested(&headers(&[(header::RANGE, text)]), size).is_err(), "{text}");
		}
	}

	#[test]
	fn parts_of_uploads_must_fit_their_bodies() {
		let of = |range: Option<&str>, length: Option<&str>| {
			let mut given = HeaderMap::new();
			if let Some(range) = range {
				given.extend(headers(&[(header::CONTENT_RANGE, range)]));
			}
			if let Some(length) = length {
				given.extend(headers(&[(header::CONTENT_LENGTH, length)]));
			}
			sent(&given).ok()
		};
		assert_eq!(of(None, Some("7")), Some(Sent { part: 0..7, total: 7 }));
		assert_eq!(of(Some("bytes 2-4/10"), Some("3")), Some(Sent { part: 2..5, total: 10 }));
		for (range, length) in [
			(None, None),
			(Some("bytes 2-4/10"), None),
			(Some("bytes 2-4/10"), Some("4")),
			(Some("bytes 4-2/10"), Some("3")),
			(Some("bytes 8-10/10"), Some("3")),
			(Some("bytes 2-4/*"), Some("3")),
			(Some("bytes 0-18446744073709551615/18446744073709551615"), Some("3")),
		] {
			assert_eq!(of(range, length), None, "{range:?} {length:?}");
		}
	}
}

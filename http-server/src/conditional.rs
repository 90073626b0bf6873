// SPDX-License-Identifier: Apache-2.0
//! Conditional requests and ranges, by RFC 9110. Headers are parsed only if a request has them: for
//! small files, that counts.

use std::{iter::once, ops::Range};

use axum::http::{
	header::{self, IF_MATCH, IF_RANGE, RANGE},
	HeaderMap, HeaderValue, Method, StatusCode,
};
use headers::{ETag, Header, HeaderMapExt, IfMatch, IfNoneMatch, IfRange};

use crate::failure::Failure;

/// Evaluates `If-Match` and `If-None-Match` for content with this entity tag, or for no content.
/// Returns the status of the answer, 304 or 412, if the request must not be carried out.
///
/// They count only for requests that would succeed without them.
pub fn precondition(
	method: &Method,
	headers: &HeaderMap,
	etag: Option<&HeaderValue>,
) -> Option<StatusCode> {
	if headers.contains_key(IF_MATCH) {
		let list = headers.typed_get::<IfMatch>().zip(etag.and_then(tag));
		if !list.is_some_and(|(list, tag)| list.precondition_passes(&tag)) {
			return Some(StatusCode::PRECONDITION_FAILED);
		}
	}
	let (list, tag) = headers.typed_get::<IfNoneMatch>().zip(etag.and_then(tag))?;
	match list.precondition_passes(&tag) {
		true => None,
		false if matches!(*method, Method::GET | Method::HEAD) => Some(StatusCode::NOT_MODIFIED),
		false => Some(StatusCode::PRECONDITION_FAILED),
	}
}

/// Returns the part that a request asks for of `size` bytes of content with this entity tag. `None`
/// stands for all of it: only `GET` has ranges, `If-Range` must have the tag, and several ranges,
/// invalid ones and other units than bytes count as none. Fails with 416 if the range is beyond the
/// end.
pub fn range(
	method: &Method,
	headers: &HeaderMap,
	etag: &HeaderValue,
	size: u64,
) -> Result<Option<Range<u64>>, Failure> {
	let mut values = headers.get_all(RANGE).iter();
	let (Some(value), None, true) = (values.next(), values.next(), *method == Method::GET) else {
		return Ok(None);
	};
	if headers.contains_key(IF_RANGE) {
		let if_range = headers.typed_get::<IfRange>();
		if if_range.is_none_or(|if_range| if_range.is_modified(tag(etag).as_ref(), None)) {
			return Ok(None);
		}
	}
	let Some((first, last)) = value.to_str().ok().and_then(only_range) else { return Ok(None) };
	let range = match (position(first), position(last)) {
		(Some(first), Some(last)) if first <= last => first..last.saturating_add(1).min(size),
		(Some(first), None) if last.is_empty() => first..size,
		// No range of bytes can stand for the whole of nothing.
		(None, Some(1..)) if first.is_empty() && size == 0 => return Ok(None),
		(None, Some(last)) if first.is_empty() => size.saturating_sub(last)..size,
		_ => return Ok(None),
	};
	match range.is_empty() {
		false => Ok(Some(range)),
		true => {
			let reason = format!("the range is beyond the end: there are {size} bytes");
			let value = HeaderValue::try_from(format!("bytes */{size}")).expect("it is ASCII; qed");
			let failure = Failure::new(StatusCode::RANGE_NOT_SATISFIABLE, reason);
			Err(failure.with(header::CONTENT_RANGE, value))
		},
	}
}

/// Reads an entity tag, such as `"x"` or `W/"x"`.
fn tag(text: &HeaderValue) -> Option<ETag> {
	ETag::decode(&mut once(text)).ok()
}

/// Splits the value of `Range` into the first and the last position, if it is one range of bytes.
///
/// The libraries `headers` and `http-range-header` know neither positions above 2^64 nor suffixes
/// that are longer than the content nor other cases of the unit.
fn only_range(text: &str) -> Option<(&str, &str)> {
	let (unit, ranges) = text.split_once('=')?;
	let mut ranges = ranges
		.split(',')
		.map(|range| range.trim_matches([' ', '\t']))
		.filter(|range| !range.is_empty());
	match (unit.eq_ignore_ascii_case("bytes"), ranges.next(), ranges.next()) {
		(true, Some(range), None) => range.split_once('-'),
		_ => None,
	}
}

/// Reads a position. None that is above 2^64 is in any content.
fn position(digits: &str) -> Option<u64> {
	let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
	is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
	use axum::http::HeaderName;

	use super::*;

	fn headers(pairs: &[(HeaderName, &str)]) -> HeaderMap {
		let pair = |(name, text): &(HeaderName, &str)| {
			(name.clone(), HeaderValue::from_str(text).expect("it is a value"))
		};
		// Repeated names keep all their values.
		let mut headers = HeaderMap::new();
		for (name, value) in pairs.iter().map(pair) {
			headers.append(name, value);
		}
		headers
	}

	const TAG: HeaderValue = HeaderValue::from_static("\"tag\"");

	/// Returns the range of ten bytes, or of fewer. `Err` is 416.
	fn asked(pairs: &[(HeaderName, &str)], size: u64) -> Result<Option<Range<u64>>, StatusCode> {
		range(&Method::GET, &headers(pairs), &TAG, size).map_err(|failure| failure.status())
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
			("bytes=002-04", Some(2..5)),
			("Bytes=2-4", Some(2..5)),
			("BYTES=-3", Some(7..10)),
			("bytes= 2-4\t", Some(2..5)),
			("bytes=,2-4, ,", Some(2..5)),
			("bytes=0-18446744073709551615", Some(0..10)),
			("bytes=0-18446744073709551616", Some(0..10)),
			("bytes=0-99999999999999999999", Some(0..10)),
			("bytes=-99999999999999999999", Some(0..10)),
			("bytes=99999999999999999999-1", None),
			("bytes=4-2", None),
			("bytes=0-1,3-4", None),
			("bytes=+1-2", None),
			("bytes=1 -2", None),
			("bytes=1-2-3", None),
			("bytes=0x1-2", None),
			("items=0-1", None),
			("bytes 0-1", None),
			("bytes", None),
			("bytes=", None),
			("bytes=-", None),
			("bytes=٣-", None),
		] {
			assert_eq!(asked(&[(RANGE, text)], 10), Ok(expected), "{text}");
		}
		assert_eq!(asked(&[(RANGE, "bytes=0-1"), (RANGE, "bytes=2-3")], 10), Ok(None));
		for method in [Method::HEAD, Method::PUT] {
			for text in ["bytes=0-1", "bytes=99-"] {
				let found = range(&method, &headers(&[(RANGE, text)]), &TAG, 10);
				assert!(matches!(found, Ok(None)), "{method} {text}");
			}
		}
	}

	#[test]
	fn ranges_beyond_the_end_are_errors_that_have_the_size() {
		for (text, size) in [
			("bytes=10-", 10),
			("bytes=10-11", 10),
			("bytes=18446744073709551615-", 10),
			("bytes=18446744073709551616-", 10),
			("bytes=99999999999999999999-99999999999999999999", 10),
			("bytes=-0", 10),
			("bytes=0-", 0),
			("bytes=0-0", 0),
			("bytes=-0", 0),
		] {
			let expected = Err(StatusCode::RANGE_NOT_SATISFIABLE);
			assert_eq!(asked(&[(RANGE, text)], size), expected, "{text} of {size}");
		}
		// The last bytes of nothing are all of it.
		assert_eq!(asked(&[(RANGE, "bytes=-5")], 0), Ok(None));
	}

	#[test]
	fn if_range_takes_the_tag_alone_and_only_if_it_is_strong() {
		for (text, expected) in [
			("\"tag\"", Some(2..5)),
			("W/\"tag\"", None),
			("\"other\"", None),
			("\"other\", \"tag\"", None),
			("*", None),
			("tag", None),
			("Fri, 27 Nov 2026 00:00:00 GMT", None),
		] {
			let given = [(RANGE, "bytes=2-4"), (IF_RANGE, text)];
			assert_eq!(asked(&given, 10), Ok(expected.clone()), "{text}");
			// A range beyond the end does not count either then.
			let given = [(RANGE, "bytes=99-"), (IF_RANGE, text)];
			assert_eq!(asked(&given, 10).is_ok(), expected.is_none(), "{text}");
		}
	}

	#[test]
	fn preconditions_compare_lists_of_tags() {
		const NONE: HeaderName = header::IF_NONE_MATCH;
		let (get, put) = (Method::GET, Method::PUT);
		for (given, of_get, of_put, of_put_of_nothing) in [
			(&[][..], 0, 0, 0),
			(&[(NONE, "\"tag\"")], 304, 412, 0),
			(&[(NONE, "W/\"tag\"")], 304, 412, 0),
			(&[(NONE, "\"x\", \"tag\"")], 304, 412, 0),
			(&[(NONE, "\"x,\",W/\"tag\" , ")], 304, 412, 0),
			(&[(NONE, "\"x\""), (NONE, "\"tag\"")], 304, 412, 0),
			(&[(NONE, "*")], 304, 412, 0),
			(&[(NONE, "\"x\"")], 0, 0, 0),
			(&[(NONE, "w/\"tag\"")], 0, 0, 0),
			(&[(NONE, "tag")], 0, 0, 0),
			(&[(NONE, "\"a, \"tag\"")], 0, 0, 0),
			(&[(IF_MATCH, "\"tag\"")], 0, 0, 412),
			(&[(IF_MATCH, "\"x\", \"tag\"")], 0, 0, 412),
			(&[(IF_MATCH, "*")], 0, 0, 412),
			(&[(IF_MATCH, "W/\"tag\"")], 412, 412, 412),
			(&[(IF_MATCH, "\"x\"")], 412, 412, 412),
			(&[(IF_MATCH, "tag")], 412, 412, 412),
			// `If-Match` goes first.
			(&[(IF_MATCH, "\"tag\""), (NONE, "\"tag\"")], 304, 412, 412),
			(&[(IF_MATCH, "\"x\""), (NONE, "\"tag\"")], 412, 412, 412),
		] {
			let headers = headers(given);
			let of = |method, etag| {
				precondition(method, &headers, etag).map_or(0, |status| status.as_u16())
			};
			let found = (of(&get, Some(&TAG)), of(&put, Some(&TAG)), of(&put, None));
			assert_eq!(found, (of_get, of_put, of_put_of_nothing), "{given:?}");
		}
	}
}

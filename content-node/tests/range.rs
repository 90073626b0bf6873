// SPDX-License-Identifier: Apache-2.0
//! Ranges of bytes in requests: of what is read, and of what is uploaded.

use axum::http::{header, HeaderMap};
use content_fabric_content_node::api::range::{requested, sent, Sent};

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
	for (text, size) in [("bytes=10-", 10), ("bytes=10-11", 10), ("bytes=-0", 10), ("bytes=0-", 0)]
	{
		assert!(requested(&headers(&[(header::RANGE, text)]), size).is_err(), "{text}");
	}
}

#[test]
fn parts_of_uploads_must_fit_their_bodies() {
	let of = |range: Option<&str>, length: Option<&str>| {
		let range = range.map(|range| (header::CONTENT_RANGE, range));
		let length = length.map(|length| (header::CONTENT_LENGTH, length));
		let given: Vec<_> = range.into_iter().chain(length).collect();
		sent(&headers(&given)).ok()
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

// SPDX-License-Identifier: Apache-2.0
//! Ranges of bytes that are uploaded.

use axum::http::{header, HeaderMap};
use content_fabric_content_node::api::range::{sent, Sent};

fn headers(pairs: &[(header::HeaderName, &str)]) -> HeaderMap {
	let value = |text: &str| text.parse().expect("it is a value; qed");
	pairs.iter().map(|(name, text)| (name.clone(), value(text))).collect()
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
	assert_eq!(of(Some("Bytes 0-0/1"), Some("1")), Some(Sent { part: 0..1, total: 1 }));
	for (range, length) in [
		(None, None),
		(Some("items 2-4/10"), Some("3")),
		(Some("bytes=2-4/10"), Some("3")),
		(Some("bytes 2-4/18446744073709551616"), Some("3")),
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

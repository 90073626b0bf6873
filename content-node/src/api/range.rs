// SPDX-License-Identifier: Apache-2.0
//! The header `Content-Range` of uploads.

use std::ops::Range;

use axum::http::{header, HeaderMap, StatusCode};
use content_fabric_http_server::Failure;

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
	let (unit, text) =
		value.to_str().ok().and_then(|text| text.split_once(' ')).ok_or_else(wrong)?;
	if !unit.eq_ignore_ascii_case("bytes") {
		return Err(wrong());
	}
	let (part, total) = text.split_once('/').ok_or_else(wrong)?;
	let (first, last) = part.split_once('-').ok_or_else(wrong)?;
	let number = |text| number(text).ok_or_else(wrong);
	let (first, last, total) = (number(first)?, number(last)?, number(total)?);
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

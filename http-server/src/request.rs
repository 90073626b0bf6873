// SPDX-License-Identifier: Apache-2.0
//! The URIs and the bodies of requests.

use std::{borrow::Cow, net::IpAddr, time::Duration};

use axum::{
	body::{Body, BodyDataStream},
	http::{header, HeaderMap, StatusCode},
};
use futures::StreamExt;
use percent_encoding::percent_decode_str;
use serde::de::DeserializeOwned;
use tokio::time::timeout;

use crate::{
	bodies::{Bodies, Buffer},
	failure::Failure,
};

/// Longest time until a body in JSON has arrived.
const JSON_TIME: Duration = Duration::from_secs(30);

/// Decodes a part of a URI. `None` if it is not UTF-8 text in which each `%` comes before two hex
/// digits.
pub fn decode(text: &str) -> Option<String> {
	let mut escapes = text.split('%').skip(1);
	let is_digits = |two: &str| two.bytes().all(|digit| digit.is_ascii_hexdigit());
	if !escapes.all(|rest| rest.get(..2).is_some_and(is_digits)) {
		return None;
	}
	percent_decode_str(text).decode_utf8().ok().map(Cow::into_owned)
}

/// Reads a body in JSON of at most `most` bytes, which are taken from `memory`. Its content type must
/// be JSON: pages of other origins can send other types without a preflight request.
pub async fn read_json<T: DeserializeOwned>(
	memory: &Bodies,
	client: IpAddr,
	headers: &HeaderMap,
	body: Body,
	most: usize,
) -> Result<T, Failure> {
	let late =
		|_| Failure::new(StatusCode::REQUEST_TIMEOUT, "the body has not arrived within 30 seconds");
	if !is_json(headers) {
		discard(body).await;
		let reason = "the body needs the header `Content-Type: application/json`";
		return Err(Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, reason));
	}
	let mut body = body.into_data_stream();
	let collecting = collect(memory.buffer(client), &mut body, most);
	let body = match timeout(JSON_TIME, collecting).await.map_err(late)? {
		Ok(arrived) => arrived,
		Err(refused) => {
			discard_rest(body).await;
			return Err(refused);
		},
	};
	parse(body.bytes()).map_err(|error| {
		Failure::new(StatusCode::BAD_REQUEST, format!("the body is not as expected: {error}"))
	})
}

/// Parses JSON. The error begins with the path to the value that is wrong, such as
/// `versions[3].size`.
fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
	let mut json = serde_json::Deserializer::from_slice(bytes);
	let parsed = serde_path_to_error::deserialize(&mut json).map_err(|error| {
		match error.path().iter().len() {
			0 => error.inner().to_string(),
			_ => error.to_string(),
		}
	})?;
	json.end().map_err(|error| error.to_string())?;
	Ok(parsed)
}

/// Reads the start of a body that is refused: a client that is still sending when the connection is
/// closed may not see the answer.
pub async fn discard(body: Body) {
	discard_rest(body.into_data_stream()).await;
}

async fn discard_rest(mut body: BodyDataStream) {
	/// Largest number of bytes that are read.
	const MOST: usize = 4 << 20;
	/// Longest time for which they are read.
	const TIME: Duration = Duration::from_secs(5);
	let mut left = MOST;
	let read = async {
		while let Some(Ok(bytes)) = body.next().await {
			left = left.saturating_sub(bytes.len());
			if left == 0 {
				return;
			}
		}
	};
	// The answer is the refusal, whatever happens to the rest.
	let _ = timeout(TIME, read).await;
}

/// Returns `true` if the content type is JSON, with any parameters.
fn is_json(headers: &HeaderMap) -> bool {
	let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
	let kind = kind.and_then(|text| text.split(';').next());
	kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// Reads a body as a whole, as far as there is room.
async fn collect(
	mut arrived: Buffer,
	body: &mut BodyDataStream,
	most: usize,
) -> Result<Buffer, Failure> {
	while let Some(bytes) = body.next().await {
		let cut = |error| {
			Failure::new(StatusCode::BAD_REQUEST, format!("the body cannot be read: {error}"))
		};
		let bytes = bytes.map_err(cut)?;
		if arrived.bytes().len().saturating_add(bytes.len()) > most {
			let reason = format!("the body has more than {most} bytes");
			return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, reason));
		}
		if !arrived.append(&bytes) {
			return Err(Failure::busy("other requests take the memory for bodies: try again"));
		}
	}
	Ok(arrived)
}

#[cfg(test)]
mod tests {
	use std::collections::BTreeMap;

	use super::*;

	#[test]
	fn only_utf_8_text_is_decoded() {
		for (text, decoded) in [
			("", Some("")),
			("/a%20b/%C3%a9+", Some("/a b/é+")),
			("%ff", None),
			("%C3/%A9", None),
			("%", None),
			("%2", None),
			("%zz", None),
			("%+1", None),
			("%é", None),
		] {
			assert_eq!(decode(text).as_deref(), decoded, "{text}");
		}
	}

	#[test]
	fn errors_of_json_begin_with_the_path_to_what_is_wrong() {
		type Lists = BTreeMap<String, Vec<u8>>;
		assert_eq!(parse::<Lists>(b" {\"a\": [1, 2]} "), Ok([("a".into(), vec![1, 2])].into()));
		for (text, start) in [
			("{\"a\": [1], \"b\": [2, 3, 256]}", "b[2]: invalid value: integer `256`"),
			("{\"a\": 1}", "a: invalid type: integer `1`"),
			("{\"a\": [1}", "a: expected `,` or `]`"),
			("[]", "invalid type: sequence"),
			("", "EOF while parsing"),
			("{} {}", "trailing characters"),
		] {
			let error = parse::<Lists>(text.as_bytes()).expect_err("it is wrong");
			assert!(error.starts_with(start), "{text}: {error}");
		}
	}
}

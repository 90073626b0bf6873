// SPDX-License-Identifier: Apache-2.0
//! `/v1/versions/{id}/verified`: groups of a version, with the hashes that prove them.

use std::{net::IpAddr, ops::Range, sync::Arc};

use axum::{
	body::Body,
	extract::{Path, RawQuery, State},
	http::{HeaderMap, Method, StatusCode},
	response::Response,
};
use content_fabric_http_server::{conditional::precondition, Client, Failure};
use content_fabric_identifiers::{HashKind, VersionId};

use super::{
	app::App,
	error::header_value,
	groups::{encoded, Groups},
	versions::{bytes_of, held, id, immutable, in_pieces, present, small, FREE},
};
use crate::{
	keep::Held,
	store::outboard::SMALL,
	tree::{encode_part, Tree},
};

/// Reads groups of a version with their proof.
pub async fn read(
	State(app): State<Arc<App>>,
	Client(client): Client,
	Path(text): Path<String>,
	RawQuery(query): RawQuery,
	method: Method,
	headers: HeaderMap,
) -> Result<Response, Failure> {
	let version = id(&app, &text)?;
	let held = held(&app, version)?;
	let size = held.size;
	if held.hash != HashKind::Blake3 {
		return Err(wrong(format!(
			"{version} is a SHA-256 hash, which proves only the whole version: read /v1/versions/{text}"
		)));
	}
	let groups = Tree::groups_of(&part(query.as_deref().unwrap_or_default(), size)?);
	let etag = format!("\"{}-{}-{}\"", hex::encode(version.0), groups.start, groups.end);
	let etag = header_value(&etag)?;
	let is_unchanged = match precondition(&method, &headers, Some(&etag)) {
		None => false,
		Some(StatusCode::NOT_MODIFIED) => true,
		Some(status) => return Err(Failure::new(status, "`If-Match` lacks the groups")),
	};
	let mut response = immutable(etag, is_unchanged, Tree { size }.encoded(&groups));
	if !is_unchanged {
		let is_head = method == Method::HEAD;
		*response.body_mut() = body(&app, client, version, held, groups, is_head).await?;
	}
	Ok(response)
}

/// Reads which part of a version of this size is asked for.
fn part(query: &str, size: u64) -> Result<Range<u64>, Failure> {
	let [mut first, mut last] = [None; 2];
	for pair in query.split('&').filter(|pair| !pair.is_empty()) {
		let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
		let place = match name {
			"first" => &mut first,
			"last" => &mut last,
			_ => return Err(wrong(format!("`{name}` is not a parameter: use `first` and `last`"))),
		};
		if value.is_empty() || !value.bytes().all(|byte| byte.is_ascii_digit()) {
			return Err(wrong(format!(
				"`{name}` is `{value}`, expected a whole number: the version has {size} bytes"
			)));
		}
		// A number of more than 64 bits is beyond every end.
		if place.replace(value.parse().unwrap_or(u64::MAX)).is_some() {
			return Err(wrong(format!("`{name}` is given more than once")));
		}
	}
	if (first, last) == (None, None) {
		return Ok(0..size);
	}
	let (first, last) = (first.unwrap_or(0), last.unwrap_or(u64::MAX));
	if first >= size {
		return Err(wrong(format!("`first` is {first}, and the version has {size} bytes")));
	}
	if first > last {
		return Err(wrong(format!(
			"`first` is {first}, after `last`, which is {last}: the version has {size} bytes"
		)));
	}
	Ok(first..last.min(size - 1) + 1)
}

fn wrong(reason: String) -> Failure {
	Failure::new(StatusCode::BAD_REQUEST, reason)
}

async fn body(
	app: &Arc<App>,
	client: IpAddr,
	version: VersionId,
	held: Held,
	wanted: Range<u64>,
	is_head: bool,
) -> Result<Body, Failure> {
	let size = held.size;
	if size > SMALL {
		if is_head {
			return present(app, version, size).await;
		}
		let read = async {
			let groups = Groups::open(app, client, version, size, None).await?;
			encoded(groups, wanted).await
		};
		return bytes_of(app, version, read.await).await;
	}
	if size <= FREE || is_head {
		let bytes = small(app, client, version, held, is_head).await?;
		let encoded = bytes.map(|bytes| encode_part(&bytes, &wanted)).unwrap_or_default();
		app.metrics.sent.inc_by(encoded.len() as u64);
		return Ok(Body::from(encoded));
	}
	let groups = in_pieces(app, client, version, size).await?;
	bytes_of(app, version, encoded(groups, wanted).await).await
}

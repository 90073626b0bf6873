// SPDX-License-Identifier: Apache-2.0
//! `/v1/versions/{id}`: reading the bytes of a version.

use std::{net::IpAddr, ops::Range, sync::Arc};

use axum::{
	body::{Body, Bytes},
	extract::{Path, State},
	http::{header, HeaderMap, HeaderValue, Method, StatusCode},
	response::Response,
};
use content_fabric_client::ids::{IdError, OtherHash, VersionArgument};
use content_fabric_http_server::{
	conditional::{precondition, range},
	Client, Failure,
};
use content_fabric_identifiers::VersionId;
use futures::{StreamExt, TryStreamExt};
use tracing::error;

use super::{app::App, error::header_value};
use crate::{
	keep::Held,
	store::{ByteStream, StoreError},
};

/// Objects up to this size are hashed each time they are read as a whole.
const HASHED: u64 = 1 << 20;
/// Answers up to this size take no places in the memory of answers.
const FREE: u64 = 64 << 10;
/// Largest number of headers of the answer to a read.
const ANSWER_HEADERS: usize = 12;
/// Largest number of rows of a version that are read for an answer.
pub const ROWS: usize = 256;

/// Reads the id of a version. Refuses a CID of another kind of hash than the version has, if the
/// node holds it or has rows of it.
pub fn id(app: &App, text: &str) -> Result<VersionId, Failure> {
	let wrong = |error: IdError| Failure::new(StatusCode::BAD_REQUEST, error.to_string());
	let named: VersionArgument = text.parse().map_err(wrong)?;
	if named.hash.is_some() {
		let hashes = match app.keep.held(named.version)? {
			Some(held) => vec![held.hash],
			None => app.keep.hashes(named.version, None, ROWS)?,
		};
		let other = |error: OtherHash| Failure::new(StatusCode::NOT_FOUND, error.to_string());
		named.select(hashes, |hash| *hash).map_err(other)?;
	}
	Ok(named.version)
}

/// Reads a version. The router uses it for ids that are not as usual, such as encoded ones.
pub async fn read(
	State(app): State<Arc<App>>,
	Client(client): Client,
	Path(text): Path<String>,
	method: Method,
	headers: HeaderMap,
) -> Result<Response, Failure> {
	answer(&app, client, &text, &method, &headers).await
}

/// Answers with the bytes of a version, or a part of them. An answer to `HEAD` is that to `GET`
/// without the bytes.
pub async fn answer(
	app: &Arc<App>,
	client: IpAddr,
	text: &str,
	method: &Method,
	headers: &HeaderMap,
) -> Result<Response, Failure> {
	let version = id(app, text)?;
	let held = match app.keep.held(version)? {
		Some(held) if held.is_damaged => return Err(damaged(version)),
		Some(held) => held,
		None => {
			let reason = format!("the node does not have {version}");
			let absent = Failure::new(StatusCode::NOT_FOUND, reason);
			return Err(match app.keep.needed(version)? {
				Some(_) => absent,
				None => unknown(app, version, absent),
			});
		},
	};
	let size = held.size;
	let etag = etag(version)?;
	let is_unchanged = match precondition(method, headers, Some(&etag)) {
		None => false,
		Some(StatusCode::NOT_MODIFIED) => true,
		Some(status) => return Err(Failure::new(status, "`If-Match` lacks the version")),
	};
	let range = if is_unchanged { None } else { range(method, headers, &etag, size)? };
	let mut response = Response::new(Body::empty());
	let answer = response.headers_mut();
	answer.reserve(ANSWER_HEADERS);
	answer.insert(header::ETAG, etag);
	let immutable = HeaderValue::from_static("public, max-age=31536000, immutable");
	answer.insert(header::CACHE_CONTROL, immutable);
	if is_unchanged {
		*response.status_mut() = StatusCode::NOT_MODIFIED;
		return Ok(response);
	}
	answer.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
	answer.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
	let has_no_range = range.is_none();
	let part = range.clone().unwrap_or(0..size);
	answer.insert(header::CONTENT_LENGTH, (part.end - part.start).into());
	if let Some(range) = &range {
		let value = format!("bytes {}-{}/{size}", range.start, range.end - 1);
		answer.insert(header::CONTENT_RANGE, header_value(&value)?);
		*response.status_mut() = StatusCode::PARTIAL_CONTENT;
	}
	*response.body_mut() = match has_no_range && size <= HASHED {
		true => whole(app, client, version, held, *method == Method::HEAD).await?,
		false => pieces(app, version, part, size).await?,
	};
	Ok(response)
}

/// Returns the entity tag of a version.
pub fn etag(version: VersionId) -> Result<HeaderValue, Failure> {
	header_value(&["\"", &hex::encode(version.0), "\""].concat())
}

/// Returns `true` if the bytes that the record has are sound. Hashes them, unless that was done a
/// short time ago. Hashing goes on if the client disconnects or does not wait. Returns `None` while
/// another task moves or hashes the bytes.
pub async fn is_sound(
	app: &Arc<App>,
	version: VersionId,
	size: u64,
) -> Result<Option<bool>, Failure> {
	if app.verifier.knows_lately(version, size).await? {
		return Ok(Some(true));
	}
	let app = app.clone();
	let verifying = tokio::spawn(async move {
		let busy = || Failure::busy("the node is hashing other versions: try again");
		let _turn = app.verifier.try_turn().ok_or_else(busy)?;
		let verified = app.verifier.verify(version).await?;
		Ok(verified.map(|sound| sound.is_ok()))
	});
	let failed = |_| Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "the check has failed");
	verifying.await.map_err(failed)?
}

/// Returns the refusal of a version that the record does not have. While the node does not follow
/// the chain, the version may be one of this node.
pub fn unknown(app: &App, version: VersionId, refusal: Failure) -> Failure {
	match app.fabric.followed() {
		Some(_) => refusal,
		None => Failure::busy(format!(
			"the node does not know {version}, and does not follow the chain now: try again"
		)),
	}
}

/// Counts the bytes of an answer. If the file is cut while it is read, records the damage.
fn watched(app: Arc<App>, version: VersionId, bytes: ByteStream) -> ByteStream {
	let sent = app.metrics.sent.clone();
	let counted = bytes.inspect_ok(move |bytes| {
		sent.inc_by(bytes.len() as u64);
	});
	let watched = counted.inspect_err(move |error| {
		error!("an answer with the bytes of {version} has ended early: {error}");
		if error.is_damage() {
			let app = app.clone();
			tokio::spawn(async move { found_damaged(&app, version).await.map(drop) });
		}
	});
	watched.boxed()
}

/// Reads a small object as a whole, and checks its hash. Without memory for its bytes, which are
/// kept until a slow client has taken them, it is hashed first, and then read in pieces. So it is if
/// its bytes are not sent.
async fn whole(
	app: &Arc<App>,
	client: IpAddr,
	version: VersionId,
	Held { hash, size, .. }: Held,
	is_head: bool,
) -> Result<Body, Failure> {
	let counted = if size > FREE { size } else { 0 };
	let places = if is_head { None } else { app.answers.places(client, counted) };
	let read = match &places {
		Some(_) => app.store.whole(version, hash, size).await,
		None => {
			let found = app.store.check(version, [hash], size).await;
			found.map(|found| (Bytes::new(), found.is_some()))
		},
	};
	let (bytes, is_sound) = bytes_of(app, version, read).await?;
	if !is_sound {
		return Err(found_damaged(app, version).await?);
	}
	let Some(places) = places else { return pieces(app, version, 0..size, size).await };
	app.metrics.sent.inc_by(bytes.len() as u64);
	Ok(Body::from(if counted > 0 { places.hold(bytes) } else { bytes }))
}

/// Reads a part of an object of this size while it is sent.
async fn pieces(
	app: &Arc<App>,
	version: VersionId,
	part: Range<u64>,
	size: u64,
) -> Result<Body, Failure> {
	let bytes = bytes_of(app, version, app.store.read(version, part, size).await).await?;
	Ok(Body::from_stream(watched(app.clone(), version, bytes)))
}

/// Returns what was read. Bytes that are missing are damaged.
async fn bytes_of<T>(
	app: &App,
	version: VersionId,
	read: Result<T, StoreError>,
) -> Result<T, Failure> {
	match read {
		Err(error) if error.is_damage() => Err(found_damaged(app, version).await?),
		read => Ok(read?),
	}
}

/// Examines bytes that cannot be right, so that they can be uploaded again. Returns the answer.
async fn found_damaged(app: &App, version: VersionId) -> Result<Failure, Failure> {
	// If somebody is replacing them, there is nothing to record.
	app.verifier.verify(version).await?;
	Ok(damaged(version))
}

fn damaged(version: VersionId) -> Failure {
	let reason = format!("the node's copy of {version} is damaged: use another node");
	Failure::new(StatusCode::INTERNAL_SERVER_ERROR, reason)
}

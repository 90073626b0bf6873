// SPDX-License-Identifier: Apache-2.0
//! `/v1/versions/{id}`: reading the bytes of a version.

use std::{net::IpAddr, ops::Range, sync::Arc, time::Duration};

use axum::{
	body::{Body, Bytes},
	extract::{Extension, Path, State},
	http::{header, HeaderMap, HeaderValue, Method, StatusCode},
	response::{IntoResponse, Response},
};
use content_fabric_client::ids::parse_version;
use content_fabric_identifiers::VersionId;
use futures::{StreamExt, TryStreamExt};
use tokio::time::{sleep, timeout};
use tracing::error;

use super::{
	app::App,
	error::{header_value, Failure, OFFSET},
	range::requested,
};
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
/// Longest time for which an answer to `HEAD` waits for a hash, and the pause between two looks.
const HASH_TIME: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_millis(50);

/// Reads the id of a version.
pub fn id(text: &str) -> Result<VersionId, Failure> {
	parse_version(text).map_err(|error| Failure::new(StatusCode::BAD_REQUEST, error.to_string()))
}

/// Reads a version. The router uses it for ids that are not as usual, such as encoded ones.
pub async fn read(
	State(app): State<Arc<App>>,
	Extension(client): Extension<IpAddr>,
	Path(text): Path<String>,
	method: Method,
	headers: HeaderMap,
) -> Result<Response, Failure> {
	answer(&app, client, &text, &method, &headers).await
}

/// Answers with the bytes of a version, or a part of them. For a version that has yet to arrive, or
/// whose bytes are damaged, `HEAD` answers how much has arrived.
pub async fn answer(
	app: &Arc<App>,
	client: IpAddr,
	text: &str,
	method: &Method,
	headers: &HeaderMap,
) -> Result<Response, Failure> {
	let version = id(text)?;
	let held = match app.keep.held(version)? {
		Some(held) if !held.is_damaged => held,
		other => return absent(app, version, method, other),
	};
	let etag = ["\"", &hex::encode(version.0), "\""].concat();
	let mut response = Response::new(Body::empty());
	let answer = response.headers_mut();
	answer.reserve(ANSWER_HEADERS);
	answer.insert(header::ETAG, header_value(&etag)?);
	let immutable = HeaderValue::from_static("public, max-age=31536000, immutable");
	answer.insert(header::CACHE_CONTROL, immutable);
	if headers.get_all(header::IF_NONE_MATCH).iter().any(|value| value == etag.as_str()) {
		*response.status_mut() = StatusCode::NOT_MODIFIED;
		return Ok(response);
	}
	// A part of something else would not fit.
	let fits = headers.get(header::IF_RANGE).is_none_or(|value| value == etag.as_str());
	let range = if fits { requested(headers, held.size)? } else { None };
	answer.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
	answer.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
	let has_no_range = range.is_none();
	let part = range.clone().unwrap_or(0..held.size);
	answer.insert(header::CONTENT_LENGTH, (part.end - part.start).into());
	if let Some(range) = &range {
		let value = format!("bytes {}-{}/{}", range.start, range.end - 1, held.size);
		answer.insert(header::CONTENT_RANGE, header_value(&value)?);
		*response.status_mut() = StatusCode::PARTIAL_CONTENT;
	}
	if method == Method::HEAD {
		return match is_whole(app, version, &held).await? {
			true => Ok(response),
			false => absent(app, version, method, app.keep.held(version)?),
		};
	}
	*response.body_mut() = match has_no_range && held.size <= HASHED {
		true => whole(app, client, version, held.size).await?,
		false => pieces(app, version, part, held.size).await?,
	};
	Ok(response)
}

/// Answers for a version whose bytes are not here, or damaged.
fn absent(
	app: &App,
	version: VersionId,
	method: &Method,
	held: Option<Held>,
) -> Result<Response, Failure> {
	let needed = app.keep.needed(version)?;
	if let Some(size) = needed.filter(|_| method == Method::HEAD) {
		let offset = app.uploads.length(version)?;
		let length = header::HeaderName::from_static("upload-length");
		let headers = [(OFFSET, offset.into()), (length, HeaderValue::from(size))];
		return Ok((StatusCode::NO_CONTENT, headers).into_response());
	}
	let absent = Failure::new(StatusCode::NOT_FOUND, format!("the node does not have {version}"));
	Err(match held {
		Some(_) => damaged(version),
		None if needed.is_some() => absent,
		None => unknown(app, version, absent),
	})
}

/// Returns whether the bytes of a version are here, as far as is known without reading them.
///
/// For a client, this ends an upload. So the bytes of a version that is not final are hashed,
/// unless they have been hashed before.
async fn is_whole(app: &Arc<App>, version: VersionId, held: &Held) -> Result<bool, Failure> {
	if app.verifier.knows(version, held.size).await? {
		return Ok(true);
	}
	let (_, waits) = app.keep.stages(version, ROWS)?;
	if !waits {
		let stat = bytes_of(app, version, app.store.stat(version).await).await?;
		return match stat.is_some_and(|stat| stat.size == held.size) {
			true => Ok(true),
			false => Err(found_damaged(app, version).await?),
		};
	}
	let sound = async {
		loop {
			match is_sound(app, version, held.size).await? {
				Some(is_sound) => return Ok(is_sound),
				None => sleep(LOOK).await,
			}
		}
	};
	let busy = |_| Failure::busy("the node is hashing its copy of the version: try again");
	timeout(HASH_TIME, sound).await.map_err(busy)?
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
		None => Failure::busy(&format!(
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
/// kept until a slow client has taken them, it is hashed first, and then read in pieces.
async fn whole(
	app: &Arc<App>,
	client: IpAddr,
	version: VersionId,
	size: u64,
) -> Result<Body, Failure> {
	let counted = if size > FREE { size } else { 0 };
	let places = app.answers.places(client, counted);
	let read = match &places {
		Some(_) => app.store.whole(version, size).await,
		None => app.store.hash(version, size).await.map(|hash| (Bytes::new(), hash)),
	};
	let (bytes, hash) = bytes_of(app, version, read).await?;
	if hash != version {
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

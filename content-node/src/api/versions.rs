// SPDX-License-Identifier: Apache-2.0
//! `/v1/versions/{id}`: reading the bytes of a version, and uploading them.

use std::{net::IpAddr, sync::Arc, time::Duration};

use axum::{
	body::{Body, Bytes},
	extract::{Extension, Path, State},
	http::{header, HeaderMap, HeaderValue, Method, StatusCode},
	response::{IntoResponse, Response},
	Json,
};
use content_fabric_client::{
	ids::parse_version,
	server::{client_of, Pass},
};
use content_fabric_identifiers::VersionId;
use futures::{StreamExt, TryStreamExt};
use serde_json::json;
use tokio::time::timeout;
use tracing::{error, warn};

use super::{
	app::App,
	discard,
	error::{header_value, Failure, OFFSET},
	range::{requested, sent, Sent},
};
use crate::{
	keep::{upload::Part, Held},
	now_seconds,
	store::{blocking, ByteStream, StoreError},
};

/// Objects up to this size are hashed each time they are read as a whole.
const HASHED: u64 = 1 << 20;
/// Largest number of headers of the answer to a read.
const ANSWER_HEADERS: usize = 12;
/// Number of bytes that are hashed and written at once.
const PIECE: usize = 256 << 10;
/// Longest time in which nothing of a body arrives.
const IDLE: Duration = Duration::from_secs(30);

fn id(text: &str) -> Result<VersionId, Failure> {
	parse_version(text).map_err(|error| Failure::new(StatusCode::BAD_REQUEST, error.to_string()))
}

/// Reads a version. The router uses it for ids that are not as usual, such as encoded ones.
pub async fn read(
	State(app): State<Arc<App>>,
	Path(text): Path<String>,
	method: Method,
	headers: HeaderMap,
) -> Result<Response, Failure> {
	answer(&app, &text, &method, &headers).await
}

/// Answers with the bytes of a version, or a part of them. For a version that has yet to arrive, or
/// whose bytes are damaged, `HEAD` answers how much has arrived.
pub async fn answer(
	app: &Arc<App>,
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
	let is_whole = range.is_none();
	let part = range.clone().unwrap_or(0..held.size);
	answer.insert(header::CONTENT_LENGTH, (part.end - part.start).into());
	if let Some(range) = &range {
		let value = format!("bytes {}-{}/{}", range.start, range.end - 1, held.size);
		answer.insert(header::CONTENT_RANGE, header_value(&value)?);
		*response.status_mut() = StatusCode::PARTIAL_CONTENT;
	}
	if method == Method::HEAD {
		let stat = app.store.stat(version).await?;
		return match stat.is_some_and(|stat| stat.size == held.size) {
			true => Ok(response),
			false => Err(found_damaged(app, version).await?),
		};
	}
	*response.body_mut() = match is_whole && held.size <= HASHED {
		true => Body::from(whole(app, version, &held).await?),
		false => {
			let bytes = app.store.read(version, part, held.size).await;
			let bytes = bytes_of(app, version, bytes).await?;
			Body::from_stream(watched(app.clone(), version, bytes))
		},
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

/// Returns the refusal of a version that the record does not have. While the node does not follow
/// the chain, the version may be one of this node.
fn unknown(app: &App, version: VersionId, refusal: Failure) -> Failure {
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

/// Reads a small object as a whole, and checks its hash.
async fn whole(app: &App, version: VersionId, held: &Held) -> Result<Bytes, Failure> {
	let read = app.store.whole(version, held.size).await;
	let (bytes, hash) = bytes_of(app, version, read).await?;
	if hash != version {
		return Err(found_damaged(app, version).await?);
	}
	app.metrics.sent.inc_by(bytes.len() as u64);
	Ok(bytes)
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

/// Takes in a version, or a part of it.
pub async fn upload(
	State(app): State<Arc<App>>,
	Extension(client): Extension<IpAddr>,
	Path(text): Path<String>,
	headers: HeaderMap,
	body: Body,
) -> Result<Response, Failure> {
	let begun = begin(&app, client, &text, &headers).await;
	let Ok(Some(begun)) = begun else {
		// A client that is still sending when the connection is closed may not see the answer. One
		// that waits for permission to send has not begun.
		if !headers.contains_key(header::EXPECT) {
			discard(body.into_data_stream()).await;
		}
		return begun.map(|_| StatusCode::OK.into_response());
	};
	let Begun { version, sent: Sent { part, total }, file, pass } = begun;
	let file = receive(&app, client, file, body, part.end).await?;
	if file.length() < total {
		let offset = file.length();
		let answer = Json(json!({ "version": version, "arrived": offset.to_string() }));
		let offset = [(OFFSET, HeaderValue::from(offset))];
		return Ok((StatusCode::ACCEPTED, offset, answer).into_response());
	}
	// Continues if the client disconnects: bytes that are in the store must be recorded.
	let finishing = tokio::spawn(async move {
		let _pass = pass;
		finish(&app, file, version, total).await
	});
	let failed = |_| Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "the upload has failed");
	finishing.await.map_err(failed)?
}

/// An upload that may go on.
struct Begun {
	version: VersionId,
	sent: Sent,
	file: Part,
	pass: Pass,
}

/// Checks whether an upload may go on, and opens its file. `None` if the bytes are here already.
async fn begin(
	app: &Arc<App>,
	client: IpAddr,
	text: &str,
	headers: &HeaderMap,
) -> Result<Option<Begun>, Failure> {
	let version = id(text)?;
	let held = app.keep.held(version)?.filter(|held| !held.is_damaged);
	if let Some(Held { size, .. }) = held {
		let offered = sent(headers)?.total;
		if offered != size {
			return Err(other_size(offered, size));
		}
		if is_sound(app, version, size).await? {
			return Ok(None);
		}
	}
	let Some(largest) = app.keep.needed(version)? else {
		let reason = format!(
			"the chain has no commit of {version} for this node: request a draft, and commit it first"
		);
		return Err(unknown(app, version, Failure::new(StatusCode::FORBIDDEN, reason)));
	};
	let sent = sent(headers)?;
	let total = sent.total;
	if !app.keep.needs(version, total)? {
		return Err(other_size(total, largest));
	}
	let pass = app.uploading.take(client_of(client)).ok_or_else(|| {
		Failure::busy("too many uploads are open: try again when others have ended")
	})?;
	let uploads = app.uploads.clone();
	let start = sent.part.start;
	let opened = blocking(move || {
		let Some(mut file) = uploads.part(version)? else { return Ok(None) };
		// An upload of the whole begins anew.
		if start == 0 {
			file.restart()?;
		}
		Ok(Some(file))
	});
	let file = opened.await?.ok_or_else(|| claimed(version))?;
	let arrived = file.length();
	if start != arrived {
		let reason = format!("the part begins at {start}, and {arrived} bytes are here");
		return Err(Failure::new(StatusCode::CONFLICT, reason).at(arrived));
	}
	Ok(Some(Begun { version, sent, file, pass }))
}

/// Returns the refusal of an upload of another size.
fn other_size(offered: u64, expected: u64) -> Failure {
	let reason = format!("the upload has {offered} bytes, and the commit has {expected}");
	let status = match offered > expected {
		true => StatusCode::PAYLOAD_TOO_LARGE,
		false => StatusCode::UNPROCESSABLE_ENTITY,
	};
	Failure::new(status, reason)
}

/// Returns `true` if the bytes that the record has are sound. Hashes them unless somebody did so a
/// short time ago. Continues if the client disconnects, which shortens the wait of the next client.
async fn is_sound(app: &Arc<App>, version: VersionId, size: u64) -> Result<bool, Failure> {
	if app.verifier.knows_lately(version, size).await? {
		return Ok(true);
	}
	let app = app.clone();
	let verifying = tokio::spawn(async move {
		let busy = || Failure::busy("the node is hashing other versions: try again");
		let _turn = app.verifier.try_turn().ok_or_else(busy)?;
		let verified = app.verifier.verify(version).await?;
		verified.map(|sound| sound.is_ok()).ok_or_else(|| claimed(version))
	});
	let failed = |_| Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "the check has failed");
	verifying.await.map_err(failed)?
}

fn claimed(version: VersionId) -> Failure {
	let reason = format!("{version} is being uploaded or checked: try again");
	Failure::new(StatusCode::CONFLICT, reason)
}

/// Writes what arrives, until a part of an upload is complete. What has arrived before an error
/// stays.
async fn receive(
	app: &App,
	client: IpAddr,
	mut file: Part,
	body: Body,
	end: u64,
) -> Result<Part, Failure> {
	let mut body = body.into_data_stream();
	let mut piece = app.bodies.buffer(client);
	loop {
		let next = match timeout(IDLE, body.next()).await {
			Ok(next) => next.transpose(),
			Err(_) => {
				file = write(app, file, piece.take()).await?;
				let reason = "nothing has arrived for 30 seconds: continue the upload";
				return Err(Failure::new(StatusCode::REQUEST_TIMEOUT, reason).at(file.length()));
			},
		};
		let ended = !matches!(next, Ok(Some(_)));
		if let Ok(Some(bytes)) = &next {
			let arrived = piece.bytes().len().saturating_add(bytes.len());
			if file.length().saturating_add(arrived as u64) > end {
				let reason = "the body is longer than its headers say";
				return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, reason));
			}
			if !piece.append(bytes) {
				// Without room for more, what is here is written at once.
				file = write(app, file, piece.take()).await?;
				file = write(app, file, bytes.clone()).await?;
			}
		}
		if ended || piece.bytes().len() >= PIECE {
			file = write(app, file, piece.take()).await?;
		}
		if ended {
			return match next {
				Ok(_) if file.length() == end => Ok(file),
				_ => {
					let reason = "the body is shorter than its headers say: continue the upload";
					Err(Failure::new(StatusCode::BAD_REQUEST, reason).at(file.length()))
				},
			};
		}
	}
}

async fn write(
	app: &App,
	mut file: Part,
	bytes: impl AsRef<[u8]> + Send + 'static,
) -> Result<Part, Failure> {
	app.metrics.received.inc_by(bytes.as_ref().len() as u64);
	Ok(blocking(move || {
		file.write(bytes.as_ref())?;
		Ok(file)
	})
	.await?)
}

/// Checks the hash of an upload, and makes it durable, in the store and then in the record.
async fn finish(app: &App, file: Part, version: VersionId, size: u64) -> Result<Response, Failure> {
	let found = file.hash();
	if found != version {
		blocking(move || file.discard()).await?;
		let reason = format!("the bytes have the hash {found}, expected {version}");
		return Err(Failure::new(StatusCode::UNPROCESSABLE_ENTITY, reason));
	}
	let file = blocking(move || match file.synchronize() {
		Err(error) if error.is_full() => file.discard().and(Err(error)),
		synchronized => synchronized.map(|()| file),
	})
	.await?;
	app.store.adopt(&file.path(), version).await?;
	// Otherwise, the bytes are hashed again before their versions are final.
	if let Err(error) = app.verifier.has_stored(version).await {
		warn!("the stored bytes of {version} cannot be looked up now: {error}");
	}
	let keep = app.keep.clone();
	let hold = move || {
		let held = keep.hold(version, size, now_seconds());
		// Only now may a sweep remove the bytes.
		drop(file);
		held
	};
	let held = tokio::task::spawn_blocking(hold).await;
	let failed = |_| Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "the record has failed");
	if held.map_err(failed)?? {
		app.fabric.has_arrived();
	}
	Ok((StatusCode::CREATED, Json(json!({ "version": version }))).into_response())
}

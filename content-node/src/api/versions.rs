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
	Client, Failure, Places,
};
use content_fabric_identifiers::{HashKind, VersionId};
use futures::{stream::BoxStream, StreamExt, TryStreamExt};
use tracing::error;

use super::{
	app::App,
	error::{header_value, ERRORS},
	groups::{plain, Groups},
};
use crate::{
	error::Error,
	keep::Held,
	store::{outboard::SMALL, StoreError},
	tree::{hashes, Builder},
};

/// Answers up to this size take no places in the memory of answers.
pub const FREE: u64 = 64 << 10;
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
	let held = held(app, version)?;
	let size = held.size;
	let etag = etag(version)?;
	let is_unchanged = match precondition(method, headers, Some(&etag)) {
		None => false,
		Some(StatusCode::NOT_MODIFIED) => true,
		Some(status) => return Err(Failure::new(status, "`If-Match` lacks the version")),
	};
	let range = if is_unchanged { None } else { range(method, headers, &etag, size)? };
	let part = range.clone().unwrap_or(0..size);
	let mut response = immutable(etag, is_unchanged, part.end - part.start);
	if is_unchanged {
		return Ok(response);
	}
	let answer = response.headers_mut();
	answer.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
	if let Some(range) = &range {
		let value = format!("bytes {}-{}/{size}", range.start, range.end - 1);
		answer.insert(header::CONTENT_RANGE, header_value(&value)?);
		*response.status_mut() = StatusCode::PARTIAL_CONTENT;
	}
	let is_head = *method == Method::HEAD;
	*response.body_mut() = match held.hash {
		_ if size <= SMALL => whole(app, client, version, held, part, is_head).await?,
		HashKind::Sha256 => pieces(app, version, part, size).await?,
		HashKind::Blake3 if is_head => present(app, version, size).await?,
		HashKind::Blake3 => {
			let read = async {
				let groups = Groups::open(app, client, version, size, None).await?;
				plain(groups, part).await
			};
			bytes_of(app, version, read.await).await?
		},
	};
	Ok(response)
}

/// Returns a version that can be read.
pub fn held(app: &App, version: VersionId) -> Result<Held, Failure> {
	match app.keep.held(version)? {
		Some(held) if held.is_damaged => Err(damaged(version)),
		Some(held) => Ok(held),
		None => {
			let reason = format!("the node does not have {version}");
			let absent = Failure::new(StatusCode::NOT_FOUND, reason);
			Err(match app.keep.needed(version)? {
				Some(_) => absent,
				None => unknown(app, version, absent),
			})
		},
	}
}

/// Returns an answer that never changes, without its body. `is_unchanged` if the client has it.
pub fn immutable(etag: HeaderValue, is_unchanged: bool, length: u64) -> Response {
	let mut response = Response::new(Body::empty());
	let answer = response.headers_mut();
	answer.reserve(ANSWER_HEADERS);
	answer.insert(header::ETAG, etag);
	let immutable = HeaderValue::from_static("public, max-age=31536000, immutable");
	answer.insert(header::CACHE_CONTROL, immutable);
	if is_unchanged {
		*response.status_mut() = StatusCode::NOT_MODIFIED;
		return response;
	}
	answer.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
	answer.insert(header::CONTENT_LENGTH, length.into());
	response
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

/// Counts the bytes of an answer. Records damage that is found while they are read.
pub fn watched(
	app: Arc<App>,
	version: VersionId,
	bytes: BoxStream<'static, Result<Bytes, Error>>,
) -> BoxStream<'static, Result<Bytes, Error>> {
	let sent = app.metrics.sent.clone();
	let counted = bytes.inspect_ok(move |bytes| {
		sent.inc_by(bytes.len() as u64);
	});
	let watched = counted.map_err(move |error| {
		ERRORS.log(|| {
			error!("an answer with the bytes of {version} has ended early: {error}");
		});
		match error {
			Error::Store(damage) if damage.is_damage() => {
				let (app, lost) = (app.clone(), StoreError::Lost(version));
				tokio::spawn(async move { found_damaged(&app, version, &damage).await.map(drop) });
				lost.into()
			},
			error => error,
		}
	});
	watched.boxed()
}

/// Reads a small object as a whole, and checks its hash. Returns a part of it.
///
/// The bytes are kept until a slow client has taken them. Without memory for them, or if they are
/// not sent, the object is hashed first, and then read in pieces.
async fn whole(
	app: &Arc<App>,
	client: IpAddr,
	version: VersionId,
	held: Held,
	part: Range<u64>,
	is_head: bool,
) -> Result<Body, Failure> {
	let size = held.size;
	if let Some(bytes) = small(app, client, version, held, is_head).await? {
		let bytes = bytes.slice(part.start as usize..part.end as usize);
		app.metrics.sent.inc_by(bytes.len() as u64);
		return Ok(Body::from(bytes));
	}
	match held.hash {
		_ if is_head => Ok(Body::empty()),
		HashKind::Sha256 => pieces(app, version, part, size).await,
		HashKind::Blake3 => {
			let groups = in_pieces(app, client, version, size).await?;
			bytes_of(app, version, plain(groups, part).await).await
		},
	}
}

/// Reads a small object, and checks its hash. Returns `None` if the bytes are not sent, or if there is
/// no memory for them. In the latter case, the hash of a BLAKE3 version has yet to be checked.
pub async fn small(
	app: &App,
	client: IpAddr,
	version: VersionId,
	Held { hash, size, .. }: Held,
	is_head: bool,
) -> Result<Option<Bytes>, Failure> {
	let counted = if size > FREE { size } else { 0 };
	let places = if is_head { None } else { app.answers.places(client, counted) };
	let read = match &places {
		Some(_) => app.store.whole(version, hash, size).await,
		None if hash == HashKind::Sha256 || is_head => {
			let found = app.store.check(version, [hash], size).await;
			found.map(|found| (Bytes::new(), found.is_some()))
		},
		None => return Ok(None),
	};
	let (bytes, is_sound) = bytes_of(app, version, read.map_err(Error::from)).await?;
	if !is_sound {
		return Err(found_damaged(app, version, &StoreError::Lost(version)).await?);
	}
	let placed = |places| if counted > 0 { Places::hold(places, bytes) } else { bytes };
	Ok(places.map(placed))
}

/// Hashes the groups of a small object, and opens it to read them again one by one.
pub async fn in_pieces(
	app: &Arc<App>,
	client: IpAddr,
	version: VersionId,
	size: u64,
) -> Result<Groups, Failure> {
	let read = async {
		let (mut builder, mut bytes) =
			(Builder::default(), app.store.read(version, 0..size, size).await?);
		while let Some(chunk) = bytes.try_next().await? {
			builder.update(&chunk);
		}
		let (root, outboard) = builder.finish();
		if root != version.0 {
			return Err(StoreError::Lost(version).into());
		}
		Groups::open(app, client, version, size, Some(hashes(&outboard).into())).await
	};
	bytes_of(app, version, read.await).await
}

/// Checks that an object of this size is there.
pub async fn present(app: &App, version: VersionId, size: u64) -> Result<Body, Failure> {
	let present = match app.store.stat(version).await {
		Ok(Some(stat)) if stat.size == size => Ok(Body::empty()),
		Ok(_) => Err(StoreError::OtherSize(version).into()),
		Err(error) => Err(error.into()),
	};
	bytes_of(app, version, present).await
}

/// Reads a part of an object of this size while it is sent. Does not verify it.
async fn pieces(
	app: &Arc<App>,
	version: VersionId,
	part: Range<u64>,
	size: u64,
) -> Result<Body, Failure> {
	let read = app.store.read(version, part, size).await.map_err(Error::from);
	let bytes = bytes_of(app, version, read).await?;
	Ok(Body::from_stream(watched(app.clone(), version, bytes.map_err(Error::from).boxed())))
}

/// Returns what was read. Bytes that are missing are damaged.
pub async fn bytes_of<T>(
	app: &App,
	version: VersionId,
	read: Result<T, Error>,
) -> Result<T, Failure> {
	match read {
		Err(Error::Store(error)) if error.is_damage() => {
			Err(found_damaged(app, version, &error).await?)
		},
		read => Ok(read?),
	}
}

/// Examines bytes that cannot be right, so that they can be uploaded again. Returns the answer.
async fn found_damaged(
	app: &App,
	version: VersionId,
	error: &StoreError,
) -> Result<Failure, Failure> {
	match error {
		StoreError::Wrong { group, expected, .. } => {
			app.verifier.has_wrong(version, *group, *expected).await?;
		},
		// If the bytes are being replaced, there is nothing to record. Known damage was examined.
		_ if app.keep.held(version)?.is_some_and(|held| !held.is_damaged) => {
			let verifier = app.verifier.clone();
			// Goes on if the client disconnects: it may be making an outboard.
			let verifying = tokio::spawn(async move { verifier.verify(version).await.map(drop) });
			verifying.await.map_err(|_| StoreError::Thread)??;
		},
		_ => {},
	}
	Ok(damaged(version))
}

fn damaged(version: VersionId) -> Failure {
	let reason = format!("the node's copy of {version} is damaged: use another node");
	Failure::new(StatusCode::INTERNAL_SERVER_ERROR, reason)
}

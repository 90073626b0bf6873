// SPDX-License-Identifier: Apache-2.0
//! `PUT /v1/versions/{id}`: uploading the bytes of a version, and `/v1/versions/{id}/upload`: how much
//! of them has arrived.

use std::{net::IpAddr, sync::Arc, time::Duration};

use axum::{
	body::Body,
	extract::{Path, State},
	http::{header, HeaderMap, HeaderValue, Method, StatusCode},
	response::{IntoResponse, Response},
	Json,
};
use content_fabric_http_server::{conditional::precondition, discard, Client, Failure, Pace, Pass};
use content_fabric_identifiers::{HashKind, VersionId};
use serde_json::json;
use tokio::time::{sleep, timeout};
use tracing::{info, warn};

use super::{
	app::App,
	authorization,
	error::{ERRORS, OFFSET},
	range::{sent, Sent},
	versions::{etag, id, is_sound, unknown, ROWS},
};
use crate::{
	chain::Refusal,
	error::Error,
	keep::{upload::Part, Held},
	now_seconds,
	store::{
		blocking,
		outboard::{has_outboard, Staged},
		StoreError,
	},
};

/// Number of bytes that are hashed and written at once.
const PIECE: usize = 256 << 10;
/// Longest time for which the state of an upload waits for a hash, and the pause between two looks.
const HASH_TIME: Duration = Duration::from_secs(2);
const LOOK: Duration = Duration::from_millis(50);
/// Longest time for which an answer waits for the chain's blocks that are not final.
const LOOK_TIME: Duration = Duration::from_secs(5);

/// Answers how much of an upload has arrived, and whether the node has all of it. This has a URL of
/// its own, because caches must not keep it.
pub async fn state(
	State(app): State<Arc<App>>,
	Path(text): Path<String>,
) -> Result<Response, Failure> {
	let version = id(&app, &text)?;
	let held = app.keep.held(version)?.filter(|held| !held.is_damaged);
	let complete = match held {
		Some(held) if is_whole(&app, version, held.size).await? => Some(held.size),
		_ => None,
	};
	let (arrived, size) = match (complete, app.keep.needed(version)?) {
		(Some(size), _) => (size, size),
		(None, Some(size)) => (app.uploads.length(version)?, size),
		(None, None) => {
			let reason = format!("the chain has no commit of {version} for this node");
			let never = Failure::new(StatusCode::NOT_FOUND, reason);
			return Err(uncommitted(&app, version, never).await);
		},
	};
	let state = json!({
		"version": version,
		"complete": complete.is_some(),
		"arrived": arrived.to_string(),
		"size": size.to_string(),
	});
	Ok(([(OFFSET, HeaderValue::from(arrived))], Json(state)).into_response())
}

/// Returns whether the bytes of a version are here, as far as is known without reading them.
///
/// For a client, this ends an upload. So the bytes of a version that is not final are hashed, unless
/// they have been hashed before.
async fn is_whole(app: &Arc<App>, version: VersionId, size: u64) -> Result<bool, Failure> {
	if app.verifier.knows(version, size).await? {
		return Ok(true);
	}
	let (_, waits) = app.keep.stages(version, ROWS)?;
	if !waits {
		let stat = app.store.stat(version).await;
		let is_here = match stat {
			Err(error) if error.is_damage() => false,
			stat => stat?.is_some_and(|stat| stat.size == size),
		};
		if !is_here {
			// Records the damage, so that the bytes are taken in again.
			app.verifier.verify(version).await?;
		}
		return Ok(is_here);
	}
	let sound = async {
		loop {
			match is_sound(app, version, size).await? {
				Some(is_sound) => return Ok(is_sound),
				None => sleep(LOOK).await,
			}
		}
	};
	let busy = |_| Failure::busy("the node is hashing its copy of the version: try again");
	timeout(HASH_TIME, sound).await.map_err(busy)?
}

/// Returns the answer about a version that no row in the record needs: `never`, unless a block that
/// is not final yet may have its commit.
async fn uncommitted(app: &App, version: VersionId, never: Failure) -> Failure {
	let is_coming = match timeout(LOOK_TIME, app.fabric.awaits_finality(version)).await {
		Ok(Ok(is_coming)) => is_coming,
		Ok(Err(error)) => return Error::from(error).into(),
		Err(_) => return Failure::busy("the chain's node does not answer in time: try again"),
	};
	match (is_coming, app.keep.needed(version)) {
		(_, Err(error)) => error.into(),
		(false, Ok(None)) => unknown(app, version, never),
		_ => Failure::busy(format!(
			"the commit of {version} for this node is in a block that is not final yet: try again"
		)),
	}
}

/// Takes in a version, or a part of it.
pub async fn upload(
	State(app): State<Arc<App>>,
	Client(client): Client,
	Path(text): Path<String>,
	headers: HeaderMap,
	body: Body,
) -> Result<Response, Failure> {
	let begun = begin(&app, client, &text, &headers).await;
	let Ok(Some(begun)) = begun else {
		// A client that is still sending when the connection is closed may not see the answer. One
		// that waits for permission to send has not begun.
		if !headers.contains_key(header::EXPECT) {
			discard(body).await;
		}
		return begun.map(|_| StatusCode::OK.into_response());
	};
	let Begun { version, sent: Sent { part, total }, has_tree, file, pass } = begun;
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
		finish(&app, file, version, total, has_tree).await
	});
	let failed = |_| Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "the upload has failed");
	finishing.await.map_err(failed)?
}

/// An upload that may proceed.
struct Begun {
	version: VersionId,
	sent: Sent,
	/// True if the id may be a hash that is only computed with the outboard.
	has_tree: bool,
	file: Part,
	pass: Pass,
}

/// Checks that an upload may proceed, and opens its file. `None` if the bytes are here already.
async fn begin(
	app: &Arc<App>,
	client: IpAddr,
	text: &str,
	headers: &HeaderMap,
) -> Result<Option<Begun>, Failure> {
	let version = id(app, text)?;
	let signed = authorization::SIGNATURES.read(headers)?;
	let Some(largest) = app.keep.needed(version)? else {
		let reason = format!(
			"the chain has no commit of {version} for this node: request a draft, and commit it first"
		);
		let never = Failure::new(StatusCode::FORBIDDEN, reason);
		return Err(uncommitted(app, version, never).await);
	};
	if let Some(reason) = app.fabric.other_origin() {
		// Bytes of final versions can still be replaced.
		let (is_final, _) = app.keep.stages(version, ROWS)?;
		if !is_final {
			return Err(Refusal::OtherChain(reason).into());
		}
	}
	let pass = app.uploading.take(client).ok_or_else(|| {
		Failure::busy("too many uploads are open: try again when others have ended")
	})?;
	authorization::check_upload(app, signed, version).await?;
	let held = app.keep.held(version)?.filter(|held| !held.is_damaged);
	let sent = sent(headers)?;
	let total = sent.total;
	if let Some(Held { size, .. }) = held.filter(|held| held.size != total) {
		return Err(other_size(total, size));
	}
	let hashes = app.keep.hashes(version, Some(total), ROWS)?;
	if hashes.is_empty() {
		return Err(other_size(total, largest));
	}
	let (trees, hashes): (Vec<_>, Vec<_>) =
		hashes.into_iter().partition(|hash| has_outboard(*hash, total));
	let has_tree = !trees.is_empty();
	let etag = held.is_some().then(|| etag(version)).transpose()?;
	if let Some(status) = precondition(&Method::PUT, headers, etag.as_ref()) {
		let reason = "the bytes that the node has do not match `If-Match` or `If-None-Match`";
		return Err(Failure::new(status, reason));
	}
	if held.is_some() && is_sound(app, version, total).await?.ok_or_else(|| claimed(version))? {
		return Ok(None);
	}
	let uploads = app.uploads.clone();
	let start = sent.part.start;
	let opened = blocking(move || {
		let Some(mut file) = uploads.part(version, &hashes)? else { return Ok(None) };
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
		return Err(Failure::new(StatusCode::CONFLICT, reason).with(OFFSET, arrived));
	}
	Ok(Some(Begun { version, sent, has_tree, file, pass }))
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

fn claimed(version: VersionId) -> Failure {
	let reason = format!("{version} is being uploaded or checked: try again");
	Failure::new(StatusCode::CONFLICT, reason)
}

/// Writes what arrives, until a part of an upload is complete. The bytes that have arrived before
/// an error stay.
async fn receive(
	app: &App,
	client: IpAddr,
	mut file: Part,
	body: Body,
	end: u64,
) -> Result<Part, Failure> {
	let (mut body, mut pace) = (body.into_data_stream(), Pace::default());
	let mut piece = app.bodies.buffer(client);
	loop {
		let next = match pace.next(&mut body).await {
			Ok(next) => next.transpose(),
			Err(slow) => {
				file = write(app, file, piece.take()).await?;
				let reason = format!("{slow}: continue the upload");
				return Err(
					Failure::new(StatusCode::REQUEST_TIMEOUT, reason).with(OFFSET, file.length())
				);
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
					Err(Failure::new(StatusCode::BAD_REQUEST, reason).with(OFFSET, file.length()))
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

/// Checks the hash of an upload, and makes it durable, in the store and then in the record. Its
/// outboard is durable before it.
async fn finish(
	app: &App,
	file: Part,
	version: VersionId,
	size: u64,
	has_tree: bool,
) -> Result<Response, Failure> {
	let file = Arc::new(file);
	let durable = file.clone();
	let (synchronized, found) = tokio::join!(
		blocking(move || durable.synchronize()),
		find(app, &file, version, size, has_tree)
	);
	let (hash, outboard) = match synchronized.and(found) {
		Ok(Ok(found)) => found,
		Ok(Err(other)) => {
			let reason = format!("the bytes have {other}");
			blocking(move || file.discard()).await?;
			return Err(Failure::new(StatusCode::UNPROCESSABLE_ENTITY, reason));
		},
		Err(error) => {
			if error.is_full() {
				blocking(move || file.discard()).await?;
			}
			return Err(error.into());
		},
	};
	if let Some(outboard) = outboard {
		outboard.keep().await?;
	}
	app.store.adopt(&file.path(), version).await?;
	// If this fails, the bytes are hashed again before their versions are final.
	if let Err(error) = app.verifier.has_stored(version).await {
		ERRORS.log(|| warn!("the stored bytes of {version} cannot be looked up now: {error}"));
	}
	let (before, (is_final, _)) = (app.keep.held(version)?, app.keep.stages(version, ROWS)?);
	let keep = app.keep.clone();
	let hold = move || {
		let held = keep.hold(version, hash, size, now_seconds());
		// Only now may a sweep remove the bytes.
		drop(file);
		held
	};
	let held = tokio::task::spawn_blocking(hold).await;
	let failed = |_| Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "the record has failed");
	if held.map_err(failed)?? {
		app.fabric.has_arrived();
	}
	match before {
		Some(_) => info!("the damaged copy of {version} was replaced"),
		None if is_final => info!("the missing bytes of {version}, which is final, were uploaded"),
		None => {},
	}
	Ok((StatusCode::CREATED, Json(json!({ "version": version }))).into_response())
}

/// Finds the kind of hash by which an upload has its id, and makes the outboard if it needs one.
/// Returns the hashes that it has, if none is its id.
async fn find(
	app: &App,
	file: &Part,
	version: VersionId,
	size: u64,
	has_tree: bool,
) -> Result<Result<(HashKind, Option<Staged>), String>, StoreError> {
	if let Some(hash) = file.found() {
		return Ok(Ok((hash, None)));
	}
	if !has_tree {
		return Ok(Err(file.other_hash(None)));
	}
	let (root, outboard) = app.store.build_of_file(version, file.open()?, size).await?;
	Ok(match root == version.0 {
		true => Ok((HashKind::Blake3, Some(outboard))),
		false => Err(file.other_hash(Some(VersionId(root)))),
	})
}

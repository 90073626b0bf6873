// SPDX-License-Identifier: Apache-2.0
//! The HTTP interface.

mod app;
mod bodies;
mod error;
mod pace;
pub mod range;
mod server;
#[cfg(test)]
mod tests;
mod upload;
mod versions;

use std::{net::IpAddr, sync::Arc, time::Duration};

use axum::{
	body::{Body, BodyDataStream},
	extract::{DefaultBodyLimit, Extension, Request, State},
	http::{header, HeaderMap, HeaderName, HeaderValue, Method, StatusCode},
	response::{IntoResponse, Response},
	routing::{get, post},
	Json, Router,
};
use futures::StreamExt;
use serde::de::DeserializeOwned;
use serde_json::{json, Value};
use tokio::time::timeout;
use tower::ServiceExt;

use content_fabric_client::{
	drafts::{Draft, DraftRequest, SignedDraft},
	server::client_of,
};

pub(crate) use app::App;
pub(crate) use server::{serve, CONNECTIONS};

use bodies::Buffer;
use error::Failure;

/// Largest length of a draft or a commit, in bytes.
const JSON: usize = 1 << 20;

/// The headers of answers that pages of other origins can read.
const EXPOSED: &str = "Accept-Ranges, Allow, Content-Length, Content-Range, ETag, Retry-After, \
                       Upload-Length, Upload-Offset";
/// The headers that requests of such pages can have.
const ALLOWED: &str = "Content-Range, Content-Type, If-None-Match, If-Range, Range";
/// The methods of such requests.
const METHODS: &str = "GET, HEAD, POST, PUT";

/// Longest time until a draft or a commit has arrived.
const JSON_TIME: Duration = Duration::from_secs(30);
/// Longest time for which a request for a draft waits for others.
const DRAFT_WAIT: Duration = Duration::from_secs(20);
/// Longest time for which a commit waits for a place.
const COMMIT_WAIT: Duration = Duration::from_secs(20);

/// Returns the routes.
fn router(app: Arc<App>) -> Router {
	let versions = get(versions::read).put(upload::upload);
	Router::new()
		.route("/v1/versions/{id}", versions.layer(DefaultBodyLimit::disable()))
		.route("/v1/drafts", post(draft))
		.route("/v1/commits", post(commit))
		.route("/v1/status", get(status))
		.route("/metrics", get(metrics))
		.fallback(async || Failure::new(StatusCode::NOT_FOUND, "there is no such path"))
		.method_not_allowed_fallback(async || {
			Failure::new(StatusCode::METHOD_NOT_ALLOWED, "the path does not have this method")
		})
		.with_state(app)
}

/// Answers a request, and adds the headers that all answers have. Answers preflight requests of
/// browsers itself.
async fn answer(app: Arc<App>, client: IpAddr, router: Router, mut request: Request) -> Response {
	request.extensions_mut().insert(client);
	let asks = *request.method() == Method::OPTIONS;
	let mut response = match asks {
		true => StatusCode::NO_CONTENT.into_response(),
		false => route(&app, client, router, request).await,
	};
	app.metrics.answers.get_or_create(&[("status", response.status().as_u16())]).inc();
	let headers = response.headers_mut();
	let mut set = |name: HeaderName, value| headers.insert(name, HeaderValue::from_static(value));
	set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
	set(header::CONTENT_SECURITY_POLICY, "sandbox");
	set(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
	set(header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
	if asks {
		set(header::ACCESS_CONTROL_ALLOW_METHODS, METHODS);
		set(header::ACCESS_CONTROL_ALLOW_HEADERS, ALLOWED);
		set(header::ACCESS_CONTROL_MAX_AGE, "86400");
	}
	response
}

/// Passes a request to its handler. Reads of versions whose ids are as usual bypass the router:
/// through it, a tenth fewer small versions are served in the same time.
async fn route(app: &Arc<App>, client: IpAddr, router: Router, request: Request) -> Response {
	let reads = matches!(*request.method(), Method::GET | Method::HEAD);
	let is_usual = |id: &&str| {
		!id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
	};
	match request.uri().path().strip_prefix("/v1/versions/").filter(is_usual) {
		Some(id) if reads => {
			let (method, headers) = (request.method(), request.headers());
			versions::answer(app, client, id, method, headers).await.into_response()
		},
		_ => match router.oneshot(request).await {
			Ok(response) => response,
			Err(never) => match never {},
		},
	}
}

/// Reads a body that is JSON. Its content type must say so: pages of other origins can send other
/// types without a preflight request.
async fn json_of<T: DeserializeOwned>(
	app: &App,
	client: IpAddr,
	headers: &HeaderMap,
	body: Body,
) -> Result<T, Failure> {
	let late =
		|_| Failure::new(StatusCode::REQUEST_TIMEOUT, "the body has not arrived within 30 seconds");
	let mut body = body.into_data_stream();
	if !is_json(headers) {
		discard(body).await;
		let reason = "the body needs the header `Content-Type: application/json`";
		return Err(Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, reason));
	}
	let body = match timeout(JSON_TIME, collect(app, client, &mut body)).await.map_err(late)? {
		Ok(arrived) => arrived,
		Err(refused) => {
			discard(body).await;
			return Err(refused);
		},
	};
	serde_json::from_slice(body.bytes()).map_err(|error| {
		Failure::new(StatusCode::BAD_REQUEST, format!("the body is not as expected: {error}"))
	})
}

/// Returns `true` if the content type is JSON, with any parameters.
fn is_json(headers: &HeaderMap) -> bool {
	let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
	let kind = kind.and_then(|text| text.split(';').next());
	kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// Reads a body as a whole, as far as there is room.
async fn collect(app: &App, client: IpAddr, body: &mut BodyDataStream) -> Result<Buffer, Failure> {
	let mut arrived = app.bodies.buffer(client);
	while let Some(bytes) = body.next().await {
		let cut = |error| {
			Failure::new(StatusCode::BAD_REQUEST, format!("the body cannot be read: {error}"))
		};
		let bytes = bytes.map_err(cut)?;
		if arrived.bytes().len().saturating_add(bytes.len()) > JSON {
			let reason = format!("the body has more than {JSON} bytes");
			return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, reason));
		}
		if !arrived.append(&bytes) {
			return Err(Failure::busy("other requests take the memory for bodies: try again"));
		}
	}
	Ok(arrived)
}

/// Reads the start of a body that is refused.
async fn discard(mut body: BodyDataStream) {
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

async fn draft(
	State(app): State<Arc<App>>,
	Extension(client): Extension<IpAddr>,
	headers: HeaderMap,
	body: Body,
) -> Result<Json<Draft>, Failure> {
	let request = json_of::<DraftRequest>(&app, client, &headers, body).await?;
	let client = client_of(client);
	let turn = app.drafting.enter(client, DRAFT_WAIT).await;
	let _turn = turn.ok_or_else(|| Failure::busy("other drafts are being made: try again"))?;
	Ok(Json(app.fabric.draft(client, request).await?))
}

async fn commit(
	State(app): State<Arc<App>>,
	Extension(client): Extension<IpAddr>,
	headers: HeaderMap,
	body: Body,
) -> Result<Json<Value>, Failure> {
	let signed = json_of::<SignedDraft>(&app, client, &headers, body).await?;
	let pass = app.committing.enter(client_of(client), COMMIT_WAIT).await;
	let pass = pass.ok_or_else(|| Failure::busy("other commits are under way: try again"))?;
	// Continues if the client disconnects: the transaction may already be submitted.
	let committing = tokio::spawn(async move {
		let _pass = pass;
		app.fabric.commit(signed).await
	});
	let failed = |_| Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "the commit has failed");
	let (block, keys) = committing.await.map_err(failed)??;
	let versions: Vec<_> = keys.iter().map(|key| key.version).collect();
	Ok(Json(json!({ "block": block, "versions": versions })))
}

async fn status(State(app): State<Arc<App>>) -> Json<Value> {
	let totals = app.keep.totals();
	let reads_only = || Some(format!("the disk cannot be written: {}", app.keep.read_only()?));
	Json(json!({
		"provider": app.fabric.provider,
		"node": app.fabric.node,
		"version": env!("CARGO_PKG_VERSION"),
		"finalized_block": app.fabric.followed(),
		"best_block": app.fabric.best(),
		"problem": app.fabric.problem().or_else(reads_only),
		"clock_difference": app.fabric.clock_difference(),
		"operator": app.fabric.operator(),
		"balance": app.fabric.balance().map(|balance| balance.to_string()),
		"versions": totals.versions,
		"held_bytes": totals.held.to_string(),
		"promised_bytes": totals.promised.to_string(),
		"damaged": totals.damaged,
		"missing": totals.missing,
	}))
}

async fn metrics(State(app): State<Arc<App>>) -> Response {
	let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
	([(header::CONTENT_TYPE, kind)], app.metrics.text(&app)).into_response()
}

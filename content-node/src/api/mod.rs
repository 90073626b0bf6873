// SPDX-License-Identifier: Apache-2.0
//! The HTTP interface.

mod app;
mod authorization;
mod error;
mod groups;
pub mod range;
mod status;
#[cfg(test)]
mod tests;
mod upload;
mod verified;
mod versions;

use std::{
	future::Future,
	sync::Arc,
	time::{Duration, Instant},
};

use axum::{
	body::Body,
	extract::{DefaultBodyLimit, Request, State},
	http::{header, HeaderMap, HeaderValue, Method, StatusCode},
	response::{IntoResponse, Response},
	routing::{get, post},
	Json, Router,
};
use content_fabric_client::drafts::{Draft, DraftRequest, SignedDraft};
use content_fabric_http_server::{
	discard, read_json, with_fallbacks, Client, Failure, Limits, Origins, Server,
};
use serde_json::{json, Value};
use tokio::net::TcpListener;

pub(crate) use app::App;

/// Limits of the connections.
pub(crate) const LIMITS: Limits = Limits {
	connections: 2_048,
	connections_each: 512,
	spares_local: true,
	head: 64 << 10,
	head_time: Duration::from_secs(10),
	write_time: Duration::from_secs(30),
	// Uploads can be resumed.
	stop_time: Duration::ZERO,
};

/// Largest length of a draft or a commit, in bytes.
const JSON: usize = 1 << 20;

const ORIGINS: Origins = Origins {
	methods: "GET, HEAD, POST, PUT",
	allowed: "Authorization, Content-Range, Content-Type, If-Match, If-None-Match, If-Range, Range",
	exposed:
		"Accept-Ranges, Allow, Content-Length, Content-Range, ETag, Retry-After, Upload-Offset, \
		 WWW-Authenticate",
};

/// Paths for programs that watch the node. Their answers do not count, so that the share of failures
/// is the one that users see.
const WATCHED: [&str; 3] = ["/health", "/metrics", "/ready"];

/// Longest time for which a request for a draft waits for others.
const DRAFT_WAIT: Duration = Duration::from_secs(20);
/// Longest time for which a commit waits for a place.
const COMMIT_WAIT: Duration = Duration::from_secs(20);

/// Returns the routes.
fn router(app: Arc<App>) -> Router {
	let versions = get(versions::read).put(upload::upload);
	let routes = Router::new()
		.route("/v1/versions/{id}", versions.layer(DefaultBodyLimit::disable()))
		.route("/v1/versions/{id}/upload", get(upload::state))
		.route("/v1/versions/{id}/verified", get(verified::read))
		.route("/v1/drafts", post(draft))
		.route("/v1/commits", post(commit))
		.route("/v1/status", get(status::status))
		.route("/health", get(status::health))
		.route("/ready", get(status::ready))
		.route("/metrics", get(status::metrics));
	with_fallbacks(routes).with_state(app)
}

/// Serves until `stop` ends.
pub async fn serve(listener: TcpListener, app: Arc<App>, stop: impl Future<Output = ()>) {
	let router = router(app.clone());
	let answer = move |client, request| answer(app.clone(), client, router.clone(), request);
	Server::new(LIMITS).serve(listener, stop, answer).await;
}

/// Answers a request, and adds the headers that all answers have.
async fn answer(app: Arc<App>, client: Client, router: Router, request: Request) -> Response {
	let counts = !WATCHED.contains(&request.uri().path());
	let mut response = match *request.method() {
		Method::OPTIONS => ORIGINS.preflight(),
		_ => route(&app, client, router, request).await,
	};
	if counts {
		app.metrics.answers.get_or_create(&[("status", response.status().as_u16())]).inc();
	}
	ORIGINS.finish(&mut response);
	let policy = HeaderValue::from_static("sandbox");
	response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
	response
}

/// Passes a request to its handler. Reads of versions whose ids are as usual bypass the router:
/// through it, a tenth fewer small versions are served in the same time.
async fn route(app: &Arc<App>, client: Client, router: Router, request: Request) -> Response {
	let reads = matches!(*request.method(), Method::GET | Method::HEAD);
	let is_usual = |id: &&str| {
		!id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
	};
	match request.uri().path().strip_prefix("/v1/versions/").filter(is_usual) {
		Some(id) if reads => {
			let (method, headers, begin) = (request.method(), request.headers(), Instant::now());
			let answer = versions::answer(app, client.0, id, method, headers).await;
			app.metrics.latencies.observe(begin.elapsed().as_secs_f64());
			answer.into_response()
		},
		_ => content_fabric_http_server::route(router, request).await,
	}
}

async fn draft(
	State(app): State<Arc<App>>,
	Client(client): Client,
	headers: HeaderMap,
	body: Body,
) -> Result<Json<Draft>, Failure> {
	let signed = match authorization::SIGNATURES.read(&headers) {
		Ok(signed) => signed,
		Err(refused) => {
			// A client that is still sending when the connection is closed may not see the answer.
			discard(body).await;
			return Err(refused);
		},
	};
	let request: DraftRequest = read_json(&app.bodies, client, &headers, body, JSON).await?;
	let turn = app.drafting.enter(client, DRAFT_WAIT).await;
	let _turn = turn.ok_or_else(|| Failure::busy("other drafts are being made: try again"))?;
	app.fabric.ensure_same_chain()?;
	authorization::check_draft(&app, signed, request.tenant).await?;
	Ok(Json(app.fabric.draft(client, request).await?))
}

async fn commit(
	State(app): State<Arc<App>>,
	Client(client): Client,
	headers: HeaderMap,
	body: Body,
) -> Result<Json<Value>, Failure> {
	let signed: SignedDraft = read_json(&app.bodies, client, &headers, body, JSON).await?;
	let pass = app.committing.enter(client, COMMIT_WAIT).await;
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

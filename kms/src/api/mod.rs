// SPDX-License-Identifier: Apache-2.0
//! The HTTP interface.

mod access;
mod app;
mod receipts;
mod status;
#[cfg(test)]
mod tests;
mod unwrap;

use std::{
	future::Future,
	sync::Arc,
	time::{Duration, Instant},
};

use axum::{
	extract::Request,
	http::Method,
	middleware::from_fn,
	response::Response,
	routing::{get, post},
	Router,
};
use content_fabric_http_server::{
	metrics::note_path, route, with_fallbacks, Client, Limits, Origins, Server,
};
use tokio::net::TcpListener;

pub use app::App;

/// Limits of the connections.
pub const LIMITS: Limits = Limits {
	connections: 2_048,
	connections_each: 256,
	spares_local: true,
	head: 16 << 10,
	head_time: Duration::from_secs(10),
	write_time: Duration::from_secs(30),
	stop_time: Duration::from_secs(5),
};

const ORIGINS: Origins = Origins {
	methods: "GET, HEAD, POST",
	allowed: "Authorization, Content-Type",
	exposed: "Allow, Retry-After, WWW-Authenticate",
};

/// Returns the routes.
fn router(app: Arc<App>) -> Router {
	let routes = Router::new()
		.route("/v1/unwrap", post(unwrap::unwrap))
		.route("/v1/receipts", get(receipts::receipts))
		.route("/v1/status", get(status::status))
		.route("/health", get(status::health))
		.route("/ready", get(status::ready))
		.route("/metrics", get(status::metrics));
	with_fallbacks(routes).layer(from_fn(note_path)).with_state(app)
}

/// Serves until `stop` ends.
pub async fn serve(listener: TcpListener, app: Arc<App>, stop: impl Future<Output = ()>) {
	let router = router(app.clone());
	let answer = move |_: Client, request| answer(app.clone(), router.clone(), request);
	Server::new(LIMITS).serve(listener, stop, answer).await;
}

/// Answers a request, and adds the headers that all answers have.
async fn answer(app: Arc<App>, router: Router, request: Request) -> Response {
	let begin = Instant::now();
	let mut response = match *request.method() {
		Method::OPTIONS => ORIGINS.preflight(),
		_ => route(router, request).await,
	};
	ORIGINS.finish(&mut response);
	app.requests.answered(&response, begin.elapsed());
	response
}

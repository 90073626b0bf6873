// SPDX-License-Identifier: Apache-2.0
//! The path of every request: its limits, its router, and the headers of its answer.

use std::{convert::Infallible, net::IpAddr, sync::Arc, time::Instant};

use axum::{
	body::Body,
	extract::MatchedPath,
	http::{header, HeaderValue, Method, Request, StatusCode},
	response::{IntoResponse, Response},
	Router,
};
use tower::ServiceExt;

use super::{
	app::App,
	ask::{decode, Client},
	error::{Error, Kind, Result},
};

/// The path in the figures of requests that reach no path of the interface.
const OTHER: &str = "other";

/// Answers a request of a client.
pub(crate) async fn answer(
	app: Arc<App>,
	router: Router,
	client: IpAddr,
	mut request: Request<Body>,
) -> Result<Response, Infallible> {
	let begin = Instant::now();
	request.extensions_mut().insert(Client(client));
	let mut response = match check(&app, client, &request) {
		Ok(None) => router.oneshot(request).await.into_response(),
		Ok(Some(response)) => response,
		Err(error) => error.into_response(),
	};
	let headers = response.headers_mut();
	headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
	headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
	let uncached = HeaderValue::from_static("no-store");
	headers.entry(header::CACHE_CONTROL).or_insert(uncached);
	let path = response.extensions().get::<MatchedPath>().map_or(OTHER, MatchedPath::as_str);
	app.metrics.answered(path, response.status(), begin.elapsed());
	Ok(response)
}

/// Checks a request. Returns an answer if it does not need the router.
fn check(app: &App, client: IpAddr, request: &Request<Body>) -> Result<Option<Response>> {
	app.count(client)?;
	match *request.method() {
		Method::GET | Method::HEAD => {},
		Method::OPTIONS => return Ok(Some(preflight())),
		_ => {
			let message = "the index is read only: use GET or HEAD";
			return Err(Error::new(Kind::MethodNotAllowed, message));
		},
	}
	let (uri, most) = (request.uri(), app.limits.uri);
	let length = uri.path_and_query().map_or(0, |target| target.as_str().len());
	if length > most {
		let message = format!("the URI has {length} bytes, expected at most {most}");
		return Err(Error::new(Kind::BadRequest, message));
	}
	if decode(uri.path()).is_none() {
		return Err(Error::field("path", "the path is not UTF-8 text"));
	}
	Ok(None)
}

/// Answers a preflight request, which a browser sends before a request from another site.
fn preflight() -> Response {
	let headers = [
		(header::ALLOW, "GET, HEAD, OPTIONS"),
		(header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, OPTIONS"),
		(header::ACCESS_CONTROL_ALLOW_HEADERS, "*"),
		(header::ACCESS_CONTROL_MAX_AGE, "86400"),
	];
	(StatusCode::NO_CONTENT, headers).into_response()
}

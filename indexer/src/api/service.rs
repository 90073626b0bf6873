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
/// The headers of answers that pages of other sites may read, besides those that they always may.
const EXPOSED: &str = "Allow, ETag, Retry-After";

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
	headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
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

#[cfg(test)]
mod tests {
	use std::{collections::BTreeSet, fs, path::Path};

	use axum::http::HeaderName;

	use super::*;
	use crate::api::router;

	/// Headers of requests that are named in the documents.
	const ASKED: [&str; 1] = ["last-event-id"];
	/// Headers of answers that every page may read.
	const SAFE: [&str; 3] = ["cache-control", "content-length", "content-type"];

	/// Returns the words between backticks that are names of headers: known ones, or those with a
	/// hyphen and capitals.
	fn named(text: &str) -> BTreeSet<String> {
		let known = [header::ALLOW, header::ETAG, header::VARY, header::LOCATION, header::DATE];
		let is_header = |word: &&str| {
			let is_known =
				HeaderName::from_bytes(word.as_bytes()).is_ok_and(|name| known.contains(&name));
			let mut parts = word.split('-');
			let is_capital =
				|part: &str| part.starts_with(|first: char| first.is_ascii_uppercase());
			let is_plain = word.bytes().all(|byte| byte == b'-' || byte.is_ascii_alphabetic());
			is_known || word.contains('-') && is_plain && parts.all(is_capital)
		};
		let words = text.split('`').skip(1).step_by(2);
		words.filter(is_header).map(str::to_ascii_lowercase).collect()
	}

	#[test]
	fn pages_of_other_sites_may_read_every_header_that_the_documents_name() {
		let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/indexer.md");
		let page = fs::read_to_string(page).expect("the page is in the repository");
		let interface = router::document().to_json().expect("it is JSON");
		let exposed: BTreeSet<_> = EXPOSED.split(", ").map(str::to_ascii_lowercase).collect();
		assert_eq!(named("`a` `Retry-After` `ETag` `GET` `x-y` `1-A`").len(), 2);
		for text in [&page, &interface] {
			assert!(named(text).contains("retry-after"));
			for name in named(text) {
				let name = name.as_str();
				let may = exposed.contains(name) || ASKED.contains(&name) || SAFE.contains(&name);
				assert!(may, "{name} is named, and not exposed");
			}
		}
		assert!(exposed.is_subset(&named(&page)), "{exposed:?}");
	}
}

// SPDX-License-Identifier: Apache-2.0
//! The path of every request: its limits, its router, and the headers of its answer.

use std::{future::Future, sync::Arc, time::Instant};

use axum::{
	body::Body,
	http::{Method, Request},
	response::{IntoResponse, Response},
	Router,
};
use content_fabric_http_server::{decode, Client, Origins};
use tokio::net::TcpListener;
use tower::ServiceExt;

use super::{
	app::App,
	error::{Error, Kind, Result, METHODS},
	router::router,
};

const ORIGINS: Origins =
	Origins { methods: METHODS, allowed: "*", exposed: "Allow, ETag, Retry-After" };

/// Serves the app until `stop` ends. Then the streams of the feed end, and other answers have
/// `stop_time` of its limits to end.
pub async fn serve(listener: TcpListener, app: Arc<App>, stop: impl Future<Output = ()>) {
	let (shared, router) = (app.clone(), router(app.clone()));
	let answer = move |client, request| answer(shared.clone(), router.clone(), client, request);
	app.server.serve(listener, stop, answer).await;
}

/// Answers a request of a client.
async fn answer(app: Arc<App>, router: Router, client: Client, request: Request<Body>) -> Response {
	let begin = Instant::now();
	let mut response = match check(&app, client, &request) {
		Ok(None) => router.oneshot(request).await.into_response(),
		Ok(Some(response)) => response,
		Err(error) => error.into_response(),
	};
	ORIGINS.finish(&mut response);
	app.metrics.requests.answered(&response, begin.elapsed());
	response
}

/// Checks a request. Returns an answer if it does not need the router.
fn check(app: &App, Client(client): Client, request: &Request<Body>) -> Result<Option<Response>> {
	app.count(client)?;
	match *request.method() {
		Method::GET | Method::HEAD => {},
		Method::OPTIONS => return Ok(Some(ORIGINS.preflight())),
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

#[cfg(test)]
mod tests {
	use std::{collections::BTreeSet, fs, path::Path};

	use axum::http::{header, HeaderName};

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
		let exposed: BTreeSet<_> =
			ORIGINS.exposed.split(", ").map(str::to_ascii_lowercase).collect();
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

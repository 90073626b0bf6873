// SPDX-License-Identifier: Apache-2.0
//! Parts of every router: fallbacks, and the call of the router.

use axum::{
	extract::Request,
	http::StatusCode,
	response::{IntoResponse, Response},
	Router,
};
use tower::ServiceExt;

use crate::{failure::Failure, request::decode};

/// Adds the answers to requests for paths and methods that the router does not have.
pub fn with_fallbacks<S: Clone + Send + Sync + 'static>(router: Router<S>) -> Router<S> {
	router
		.fallback(async || Failure::new(StatusCode::NOT_FOUND, "there is no such path"))
		.method_not_allowed_fallback(async || {
			Failure::new(StatusCode::METHOD_NOT_ALLOWED, "the path does not have this method")
		})
}

/// Has a router answer a request, whose path must be text.
pub async fn route(router: Router, request: Request) -> Response {
	if decode(request.uri().path()).is_none() {
		return Failure::new(StatusCode::BAD_REQUEST, "the path is not UTF-8 text").into_response();
	}
	match router.oneshot(request).await {
		Ok(response) => response,
		Err(never) => match never {},
	}
}

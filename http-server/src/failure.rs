// SPDX-License-Identifier: Apache-2.0
//! Errors, as clients see them.

use axum::{
	http::{header, HeaderName, HeaderValue, StatusCode},
	response::{IntoResponse, Response},
	Json,
};
use serde_json::json;

/// An error with its status. Its reason is the body, as JSON: `{"error": "…"}`.
#[derive(Debug)]
pub struct Failure {
	status: StatusCode,
	reason: String,
	header: Option<(HeaderName, HeaderValue)>,
}

impl Failure {
	/// Makes an error.
	pub fn new(status: StatusCode, reason: impl Into<String>) -> Self {
		Self { status, reason: reason.into(), header: None }
	}

	/// Adds a header, or replaces the one that was added.
	pub fn with(self, name: HeaderName, value: impl Into<HeaderValue>) -> Self {
		Self { header: Some((name, value.into())), ..self }
	}

	/// Returns the error of a request that may succeed in a few seconds.
	pub fn busy(reason: impl Into<String>) -> Self {
		Self::new(StatusCode::SERVICE_UNAVAILABLE, reason).with(header::RETRY_AFTER, 5)
	}

	/// Returns the status.
	pub fn status(&self) -> StatusCode {
		self.status
	}
}

impl IntoResponse for Failure {
	fn into_response(self) -> Response {
		let mut response = (self.status, Json(json!({ "error": self.reason }))).into_response();
		response.headers_mut().extend(self.header);
		response
	}
}

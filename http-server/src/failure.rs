// SPDX-License-Identifier: Apache-2.0
//! Errors, as clients see them.

use axum::{
	http::{header, HeaderName, HeaderValue, StatusCode},
	response::{IntoResponse, Response},
	Json,
};
use serde_json::json;

/// Largest number of characters of a reason.
const MAX_REASON: usize = 1_000;

/// An error with its status. Its reason is the body, as JSON: `{"error": "…"}`.
#[derive(Debug)]
pub struct Failure {
	status: StatusCode,
	reason: String,
	header: Option<(HeaderName, HeaderValue)>,
}

impl Failure {
	/// Makes an error.
	///
	/// A long reason is cut: most of it may be words of the client.
	pub fn new(status: StatusCode, reason: impl Into<String>) -> Self {
		let mut reason = reason.into();
		if let Some((end, _)) = reason.char_indices().nth(MAX_REASON) {
			reason.truncate(end);
			reason.push('…');
		}
		Self { status, reason, header: None }
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

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn a_long_reason_is_cut() {
		let failure = |reason: &str| Failure::new(StatusCode::BAD_REQUEST, reason).reason;
		let most = "ä".repeat(MAX_REASON);
		assert_eq!(failure(&most), most);
		assert_eq!(failure(&format!("{most}äb")), format!("{most}…"));
	}
}

// SPDX-License-Identifier: Apache-2.0
//! The headers that all answers have, and answers to preflight requests of browsers.

use axum::{
	http::{header, HeaderValue, StatusCode},
	response::{IntoResponse, Response},
};

/// The rights of pages of other origins: they may send these requests, without credentials, and read
/// these headers of the answers.
#[derive(Clone, Copy, Debug)]
pub struct Origins {
	/// The methods of requests, separated by commas.
	pub methods: &'static str,
	/// The headers that requests may have, besides those that they always may.
	pub allowed: &'static str,
	/// The headers of answers that pages may read, besides those that they always may.
	pub exposed: &'static str,
}

impl Origins {
	/// Answers a preflight request, which browsers send before requests that are not simple.
	pub fn preflight(&self) -> Response {
		let headers = [
			(header::ALLOW, self.methods),
			(header::ACCESS_CONTROL_ALLOW_METHODS, self.methods),
			(header::ACCESS_CONTROL_ALLOW_HEADERS, self.allowed),
			(header::ACCESS_CONTROL_MAX_AGE, "86400"),
		];
		(StatusCode::NO_CONTENT, headers).into_response()
	}

	/// Adds the headers that all answers have. Caches must keep none but 200, 206 and 304, and these
	/// only if the answer has a `Cache-Control` of its own.
	pub fn finish(&self, response: &mut Response) {
		let has_content = matches!(
			response.status(),
			StatusCode::OK | StatusCode::PARTIAL_CONTENT | StatusCode::NOT_MODIFIED
		);
		let headers = response.headers_mut();
		if !has_content || !headers.contains_key(header::CACHE_CONTROL) {
			headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
		}
		let mut set = |name, value| headers.insert(name, HeaderValue::from_static(value));
		set(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
		set(header::ACCESS_CONTROL_EXPOSE_HEADERS, self.exposed);
		set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn caches_keep_only_content_of_which_they_may() {
		let origins = Origins { methods: "GET", allowed: "*", exposed: "ETag" };
		for (status, given, expected) in [
			(200, Some("public"), "public"),
			(206, Some("public"), "public"),
			(304, Some("public"), "public"),
			(200, None, "no-store"),
			(204, Some("public"), "no-store"),
			(301, None, "no-store"),
			(404, Some("public"), "no-store"),
			(412, None, "no-store"),
			(416, Some("public"), "no-store"),
			(503, None, "no-store"),
		] {
			let status = StatusCode::from_u16(status).expect("it is one");
			let given = given.map(|value| [(header::CACHE_CONTROL, value)]);
			let mut response = match given {
				Some(header) => (status, header).into_response(),
				None => status.into_response(),
			};
			origins.finish(&mut response);
			assert_eq!(response.headers()[header::CACHE_CONTROL], expected, "{status}");
			assert_eq!(response.headers()[header::ACCESS_CONTROL_ALLOW_ORIGIN], "*");
		}
	}
}

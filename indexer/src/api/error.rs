// SPDX-License-Identifier: Apache-2.0
//! Errors, as readers see them.

use axum::{
	http::{header, HeaderValue, StatusCode},
	response::{IntoResponse, Response},
	Json,
};
use serde::Serialize;
use tracing::error;
use utoipa::{IntoResponses, ToSchema};

use crate::index;

/// The methods of requests.
pub(crate) const METHODS: &str = "GET, HEAD, OPTIONS";

/// A result of answering a request.
pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

/// The kind of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
	/// The request is wrong.
	BadRequest,
	/// There is no such path or entity.
	NotFound,
	/// The index no longer has it.
	Gone,
	/// The method is neither GET nor HEAD.
	MethodNotAllowed,
	/// The client asks too often, or has too many connections.
	TooMany,
	/// The index cannot answer now.
	Unavailable,
	/// The index has failed.
	Internal,
}

/// An error in JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Failure {
	/// The error.
	pub error: Reason,
}

/// The reason of an error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Reason {
	/// Its kind.
	pub kind: Kind,
	/// The parameter that is wrong.
	pub field: Option<String>,
	/// The message.
	pub message: String,
	/// The oldest id that the feed can be resumed after, if the given one is gone.
	#[serde(skip_serializing_if = "Option::is_none")]
	#[schema(value_type = String)]
	pub oldest: Option<String>,
}

/// The errors that any path may answer with, for the description of the interface.
#[derive(IntoResponses)]
pub enum Failures {
	/// A parameter is wrong. The error names it.
	#[response(status = 400)]
	BadRequest(Failure),
	/// There is no such entity.
	#[response(status = 404)]
	NotFound(Failure),
	/// The client asks too often. `Retry-After` has the seconds to wait.
	#[response(status = 429)]
	TooMany(Failure),
	/// The index has failed.
	#[response(status = 500)]
	Internal(Failure),
	/// The index cannot answer now: it is being read from the chain, or the query takes too long.
	#[response(status = 503)]
	Unavailable(Failure),
}

/// An error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
	/// Its reason.
	pub reason: Reason,
	/// Number of seconds after which another try may succeed.
	pub retry_after: Option<u64>,
}

impl Error {
	/// Makes an error.
	pub fn new(kind: Kind, message: impl Into<String>) -> Self {
		let reason = Reason { kind, field: None, message: message.into(), oldest: None };
		Self { reason, retry_after: None }
	}

	/// Makes the error of a wrong parameter.
	pub fn field(field: &str, message: impl Into<String>) -> Self {
		let mut error = Self::new(Kind::BadRequest, message);
		error.reason.field = Some(field.into());
		error
	}

	/// Makes the error of an entity that does not exist.
	pub fn missing(message: impl Into<String>) -> Self {
		Self::new(Kind::NotFound, message)
	}

	/// Makes the error of an index that cannot answer now.
	pub fn unavailable(message: impl Into<String>) -> Self {
		Self { retry_after: Some(1), ..Self::new(Kind::Unavailable, message) }
	}

	/// Makes the error of a client that asks for too much.
	pub fn too_many(message: impl Into<String>, retry_after: u64) -> Self {
		Self { retry_after: Some(retry_after), ..Self::new(Kind::TooMany, message) }
	}

	/// Returns whether another try may succeed.
	pub fn is_transient(&self) -> bool {
		matches!(self.reason.kind, Kind::TooMany | Kind::Unavailable)
	}

	/// Returns the status of the answer.
	pub fn status(&self) -> StatusCode {
		match self.reason.kind {
			Kind::BadRequest => StatusCode::BAD_REQUEST,
			Kind::NotFound => StatusCode::NOT_FOUND,
			Kind::Gone => StatusCode::GONE,
			Kind::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
			Kind::TooMany => StatusCode::TOO_MANY_REQUESTS,
			Kind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
			Kind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
		}
	}
}

impl From<index::Error> for Error {
	fn from(error: index::Error) -> Self {
		match error {
			index::Error::Empty => Self::unavailable("the index is still empty"),
			index::Error::OtherHash(error) => Self::missing(error.to_string()),
			index::Error::TooSlow => Self::unavailable("the query takes too long"),
			error => {
				error!("a query failed: {error}");
				Self::new(Kind::Internal, "the index cannot be read")
			},
		}
	}
}

impl IntoResponse for Error {
	fn into_response(self) -> Response {
		let status = self.status();
		let retry_after = self.retry_after;
		let mut response = (status, Json(Failure { error: self.reason })).into_response();
		if let Some(seconds) = retry_after {
			response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
		}
		if status == StatusCode::METHOD_NOT_ALLOWED {
			response.headers_mut().insert(header::ALLOW, HeaderValue::from_static(METHODS));
		}
		response
	}
}

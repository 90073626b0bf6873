// SPDX-License-Identifier: Apache-2.0
//! Errors, as clients see them.

use std::{
	collections::BTreeMap,
	sync::{Mutex, PoisonError},
	time::{Duration, Instant},
};

use axum::{
	http::{header, HeaderName, HeaderValue, StatusCode},
	response::{IntoResponse, Response},
	Json,
};
use serde_json::json;
use tracing::{error, warn};

use crate::{chain::Refusal, error::Error};

/// The header that says how much of an upload has arrived.
pub const OFFSET: HeaderName = HeaderName::from_static("upload-offset");

/// Interval at which a lack of room is logged again.
const AGAIN: Duration = Duration::from_secs(3_600);

/// Returns the value of a header of an answer.
pub fn header_value(text: &str) -> Result<HeaderValue, Failure> {
	HeaderValue::from_str(text)
		.map_err(|_| Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "a header is not text"))
}

/// An error with its status. Its reason is the body, as JSON.
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

	/// Adds how much of the upload has arrived.
	pub fn at(self, offset: u64) -> Self {
		Self { header: Some((OFFSET, offset.into())), ..self }
	}

	/// Adds a header.
	pub fn with(self, name: HeaderName, value: HeaderValue) -> Self {
		Self { header: Some((name, value)), ..self }
	}

	/// Returns the error of a request that may succeed in a few seconds.
	pub fn busy(reason: &str) -> Self {
		Self::new(StatusCode::SERVICE_UNAVAILABLE, reason)
			.with(header::RETRY_AFTER, HeaderValue::from_static("5"))
	}
}

impl<E: Into<Error>> From<E> for Failure {
	fn from(failure: E) -> Self {
		let failure = failure.into();
		if let Error::Store(error) = &failure {
			if let Some(reason) = error.refusal() {
				report_full(reason, reason);
				return Self::new(StatusCode::INSUFFICIENT_STORAGE, reason);
			}
		}
		match failure {
			Error::Chain(failure) => {
				let reason = format!("the request to the chain failed: {failure}");
				match failure.is_connection() {
					// The node connects again by itself, and logs that once.
					true => Self::busy(&reason),
					false => {
						error!("{failure}");
						Self::new(StatusCode::BAD_GATEWAY, reason)
					},
				}
			},
			// The reason may contain paths of this machine.
			failure => {
				error!("{failure}");
				Self::new(
					StatusCode::INTERNAL_SERVER_ERROR,
					"the node cannot read or write its data",
				)
			},
		}
	}
}

/// Logs a lack of room, unless one of its kind was logged within the hour.
fn report_full(kind: &'static str, reason: &str) {
	static LOGGED: Mutex<BTreeMap<&str, Instant>> = Mutex::new(BTreeMap::new());
	let mut logged = LOGGED.lock().unwrap_or_else(PoisonError::into_inner);
	if logged.get(kind).is_none_or(|since| since.elapsed() >= AGAIN) {
		logged.insert(kind, Instant::now());
		warn!("a draft or an upload is refused: {reason}");
	}
}

impl From<Refusal> for Failure {
	fn from(refusal: Refusal) -> Self {
		let status = match refusal {
			Refusal::Failed(error) => return error.into(),
			Refusal::Unready(_) | Refusal::Crowded => return Self::busy(&refusal.to_string()),
			Refusal::Wrong(_) => StatusCode::BAD_REQUEST,
			Refusal::Full { .. } => {
				report_full("draft", &refusal.to_string());
				StatusCode::INSUFFICIENT_STORAGE
			},
			Refusal::Lapsed(_) => StatusCode::CONFLICT,
			Refusal::Chain(_) => StatusCode::FORBIDDEN,
			Refusal::Funds(_) => StatusCode::PAYMENT_REQUIRED,
			Refusal::OtherChain(_) => StatusCode::FAILED_DEPENDENCY,
		};
		Self::new(status, refusal.to_string())
	}
}

impl IntoResponse for Failure {
	fn into_response(self) -> Response {
		let mut response = (self.status, Json(json!({ "error": self.reason }))).into_response();
		response.headers_mut().extend(self.header);
		response
	}
}

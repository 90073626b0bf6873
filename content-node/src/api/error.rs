// SPDX-License-Identifier: Apache-2.0
//! Errors, as clients see them.

use std::{
	collections::BTreeMap,
	sync::{Mutex, PoisonError},
	time::{Duration, Instant},
};

use axum::http::{HeaderName, HeaderValue, StatusCode};
use content_fabric_http_server::Failure;
use tracing::{error, warn};

use crate::{chain::Refusal, error::Error, keep::KeepError, log::Bounded, store::StoreError};

/// The header that says how much of an upload has arrived.
pub const OFFSET: HeaderName = HeaderName::from_static("upload-offset");

/// The errors of requests.
pub(super) static ERRORS: Bounded = Bounded::new(100);

/// Interval at which a lack of room is logged again.
const AGAIN: Duration = Duration::from_secs(3_600);

/// Returns the value of a header of an answer.
pub fn header_value(text: &str) -> Result<HeaderValue, Failure> {
	HeaderValue::from_str(text)
		.map_err(|_| Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "a header is not text"))
}

impl From<KeepError> for Failure {
	fn from(failure: KeepError) -> Self {
		Error::from(failure).into()
	}
}

impl From<StoreError> for Failure {
	fn from(failure: StoreError) -> Self {
		Error::from(failure).into()
	}
}

impl From<Error> for Failure {
	fn from(failure: Error) -> Self {
		if let Error::Store(error) = &failure {
			if let Some(reason) = error.refusal() {
				report_full(reason, reason);
				return Self::new(StatusCode::INSUFFICIENT_STORAGE, reason);
			}
		}
		match failure {
			Error::Store(StoreError::Hashing(_)) => Self::busy(failure.to_string()),
			Error::Chain(failure) => {
				let reason = format!("the request to the chain failed: {failure}");
				match failure.is_connection() {
					// The node connects again by itself, and logs that once.
					true => Self::busy(reason),
					false => {
						ERRORS.log(|| error!("{failure}"));
						Self::new(StatusCode::BAD_GATEWAY, reason)
					},
				}
			},
			// The reason may contain paths of this machine.
			failure => {
				ERRORS.log(|| error!("{failure}"));
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
			Refusal::Unready(_) | Refusal::Crowded => return Self::busy(refusal.to_string()),
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

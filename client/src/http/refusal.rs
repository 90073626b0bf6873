// SPDX-License-Identifier: Apache-2.0
//! Answers that are errors.

use std::time::Duration;

use content_fabric_primitives::Until;
use serde::Deserialize;
use ureq::{http::Response, Body};

use super::{shown, Arriving};

/// Largest length of an error, in bytes.
const MAX_FAILURE: u64 = 64 << 10;

/// An error that a server answers with.
pub(crate) struct Refusal {
	/// The HTTP status.
	pub status: u16,
	/// The reason, in the words of the server.
	pub reason: String,
	/// The server's time, in seconds since the Unix epoch, if it does not accept the request's.
	pub time: Option<u64>,
	/// The time after which the server wants to be asked again.
	#[cfg_attr(not(feature = "encryption"), expect(dead_code))]
	pub retry_after: Option<Duration>,
}

/// A server's reason.
#[derive(Deserialize)]
struct Failure {
	error: String,
}

impl Refusal {
	/// Reads an error. Without its body in time, the status must do.
	pub fn read(answer: Response<Body>, patience: Duration) -> Self {
		let status = answer.status().as_u16();
		let header = |name| answer.headers().get(name).and_then(|value| value.to_str().ok());
		let time = header("www-authenticate").and_then(time_of);
		let retry_after = header("retry-after").and_then(|seconds| seconds.parse().ok());
		let retry_after = retry_after.map(Duration::from_secs);
		let body = Arriving::new(answer.into_body(), MAX_FAILURE);
		let body = body.and_then(|body| body.all(patience));
		let failure: Option<Failure> =
			body.ok().and_then(|body| serde_json::from_slice(&body).ok());
		let reason = match (failure, status) {
			(Some(failure), _) => shown(&failure.error),
			(None, 300..400) => "it redirects to another address".into(),
			(None, _) => "it gives no reason".into(),
		};
		Self { status, reason, time, retry_after }
	}
}

/// Returns the server's time in the header `WWW-Authenticate`, in seconds since the Unix epoch.
fn time_of(challenge: &str) -> Option<u64> {
	let (_, rest) = challenge.split_once("time=\"")?;
	let time: Until = rest.split('"').next()?.parse().ok()?;
	Some(time.seconds())
}

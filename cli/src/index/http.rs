// SPDX-License-Identifier: Apache-2.0
//! The HTTP client of an index: one GET at a time, and answers of a limited length.

use std::time::Duration;

use content_fabric_client::{
	http::{self, reason, shown},
	profile::IndexUrl,
};
use serde::{de::DeserializeOwned, Deserialize};
use tokio::task::spawn_blocking;
use ureq::Agent;

use super::{ErrorKind, IndexError};

/// Largest number of bytes of an answer.
const MAX_LENGTH: u64 = 4 << 20;
/// Longest time to wait for an answer.
const MAX_TIMEOUT: Duration = Duration::from_secs(60);

const JSON: &str = "application/json";

/// The connection to an index.
pub(super) struct Client {
	agent: Agent,
	pub(super) url: IndexUrl,
}

/// An answer with its status.
struct Answer {
	status: u16,
	is_json: bool,
	body: Vec<u8>,
}

/// An error as an index answers it.
#[derive(Deserialize)]
struct Failure {
	error: Reason,
}

#[derive(Deserialize)]
struct Reason {
	kind: ErrorKind,
	field: Option<String>,
	message: String,
}

impl Client {
	pub(super) fn new(url: IndexUrl, timeout: Duration) -> Self {
		let config = http::config(url.is_encrypted())
			.timeout_global(Some(timeout.min(MAX_TIMEOUT)))
			.accept(JSON);
		Self { agent: config.build().into(), url }
	}

	/// Asks for a resource.
	pub(super) async fn get<T: DeserializeOwned>(
		&self,
		path: &[&str],
		query: &[(&str, &str)],
	) -> Result<T, IndexError> {
		let (agent, resource) = (self.agent.clone(), self.url.to(path, query));
		let answer = spawn_blocking(move || fetch(&agent, &resource)).await;
		let answer = match answer {
			Ok(Ok(answer)) => answer,
			Ok(Err(error)) => return Err(self.failed(&error)),
			Err(error) => return Err(self.unreachable(error.to_string())),
		};
		self.read(&answer)
	}

	fn read<T: DeserializeOwned>(&self, answer: &Answer) -> Result<T, IndexError> {
		let Answer { status, is_json, body } = answer;
		let url = self.url.clone();
		match status {
			300..400 => return Err(IndexError::Redirected(url)),
			_ if !is_json => return Err(IndexError::NotJson { url, status: *status }),
			200 => {},
			_ => return Err(self.refused(*status, body)),
		}
		serde_json::from_slice(body).map_err(|error| match error.classify() {
			serde_json::error::Category::Data => self.malformed(shown(&error.to_string())),
			_ => IndexError::NotJson { url, status: *status },
		})
	}

	/// Returns the error with which the index has answered.
	fn refused(&self, status: u16, body: &[u8]) -> IndexError {
		match serde_json::from_slice(body) {
			Ok(Failure { error: Reason { kind, field, message } }) => IndexError::Answer {
				url: self.url.clone(),
				kind,
				field: field.as_deref().map(shown),
				message: shown(&message),
			},
			Err(_) => self.malformed(format!("the HTTP status {status}, and no error")),
		}
	}

	/// Returns the error of a request without an answer. It does not repeat the URL.
	fn failed(&self, error: &ureq::Error) -> IndexError {
		match error {
			ureq::Error::BodyExceedsLimit(_) => {
				IndexError::TooLong { url: self.url.clone(), limit: MAX_LENGTH }
			},
			error => self.unreachable(reason(error)),
		}
	}

	fn unreachable(&self, reason: String) -> IndexError {
		IndexError::Unreachable { url: self.url.clone(), reason }
	}

	/// Returns the error of an answer that no index gives.
	pub(super) fn malformed(&self, reason: impl Into<String>) -> IndexError {
		IndexError::Malformed { url: self.url.clone(), reason: reason.into() }
	}
}

fn fetch(agent: &Agent, resource: &str) -> Result<Answer, ureq::Error> {
	let response = agent.get(resource).call()?;
	let status = response.status().as_u16();
	let body = response.into_body();
	let is_json = body.mime_type() == Some(JSON);
	let body = body.into_with_config().limit(MAX_LENGTH).read_to_vec()?;
	Ok(Answer { status, is_json, body })
}

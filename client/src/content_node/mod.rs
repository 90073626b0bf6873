// SPDX-License-Identifier: Apache-2.0
//! Content nodes: the servers of bytes. They draft commits, take in bytes, and serve them.
//!
//! Nothing that a node says counts: a draft is compared with what was asked for before it is
//! signed, and bytes are verified before a file has its name, or before they go anywhere else.

mod access;
mod ask;
#[cfg(unix)]
mod audit;
#[cfg(unix)]
mod download;
mod error;
#[cfg(unix)]
mod fetch;
#[cfg(unix)]
mod groups;
mod locator;
mod pace;
mod range;
#[cfg(unix)]
mod sources;
#[cfg(all(test, unix))]
mod tests;
#[cfg(unix)]
mod transfer;
mod upload;

use std::{sync::Arc, time::Duration};

use content_fabric_identifiers::{NodeId, ProviderId, VersionId};
use serde::{de::DeserializeOwned, Deserialize, Serialize};
use tokio::task::spawn_blocking;
use ureq::{http::Response, unversioned::transport::DefaultConnector, Agent, Body};

use crate::{
	drafts::{Draft, DraftRequest, SignedDraft},
	http::{config, reason, shown, Addresses, Arriving, Refusal},
	profile::IndexUrl,
	requests::Requester,
};

use self::pace::Least;
pub use access::{Access, Meter};
pub use ask::{Funds, State};
#[cfg(unix)]
pub use audit::{Audit, Sample};
#[cfg(unix)]
pub use download::{DeclaredSize, Download, Span, Speed};
pub use error::NodeError;
#[cfg(unix)]
pub use fetch::{fetch_range, fetch_record, FetchError, Fetched, Fetcher, Notes, Wanted};
pub use locator::server;
pub use range::{ByteRange, RangeError};
#[cfg(unix)]
pub use sources::Claim;
pub use upload::{Upload, Uploading};

/// Longest time without a byte of a body.
const IDLE: Duration = Duration::from_secs(30);
/// Longest time to connect.
const CONNECT: Duration = Duration::from_secs(10);
/// Largest length of an answer in JSON, in bytes.
const MAX_LENGTH: u64 = 4 << 20;
/// Largest number of connections that wait for the next request.
const CONNECTIONS: usize = 32;

/// A content node.
#[derive(Clone)]
pub struct ContentNode {
	agent: Agent,
	url: IndexUrl,
	patience: Patience,
	meter: Option<Meter>,
	/// Longest time for the bytes of a version.
	time: Option<Duration>,
}

/// The longest times for which a client waits. They include every byte: a node that sends its
/// answer byte by byte has no more time than one that sends it at once.
#[derive(Clone, Copy)]
struct Patience {
	/// For the head of an answer, and again for its JSON: a commit has to get into a block.
	answer: Duration,
	/// For the head of an answer with the bytes of a version, or about what has arrived of it, and
	/// again for the JSON of the latter.
	bytes: Duration,
	/// For the body of an error, which has the reason. Without it, the status must do.
	failure: Duration,
	/// For the bytes of a version, while another node may have them.
	brisk: Least,
	/// For the bytes of a version, from the last node.
	lax: Least,
}

impl Default for Patience {
	fn default() -> Self {
		let [answer, bytes, failure] = [120, 30, 5].map(Duration::from_secs);
		Self { answer, bytes, failure, brisk: Least::BRISK, lax: Least::LAX }
	}
}

/// The ids of a node, as it gives them.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
pub struct Status {
	/// The provider.
	pub provider: ProviderId,
	/// The node.
	pub node: NodeId,
}

impl ContentNode {
	/// Returns the node at a URL.
	pub fn new(url: IndexUrl) -> Self {
		Self::patient(url, Patience::default())
	}

	/// Returns the node at a URL that a stranger may have chosen.
	pub fn with_access(url: IndexUrl, access: &Access) -> Self {
		Self::reached(url, Patience::default(), Some(access))
	}

	fn patient(url: IndexUrl, patience: Patience) -> Self {
		Self::reached(url, patience, None)
	}

	fn reached(url: IndexUrl, patience: Patience, access: Option<&Access>) -> Self {
		let config = config(url.is_encrypted())
			.timeout_connect(Some(CONNECT))
			.timeout_resolve(Some(CONNECT))
			.timeout_send_request(Some(IDLE))
			.timeout_recv_response(Some(patience.answer))
			.timeout_per_read(Some(patience.answer))
			.timeout_recv_body(access.map(|access| access.time))
			.timeout_per_write(Some(IDLE))
			.max_idle_connections(CONNECTIONS)
			.max_idle_connections_per_host(CONNECTIONS);
		let addresses = Addresses::new(access.is_none_or(|access| access.private));
		let agent = Agent::with_parts(config.build(), DefaultConnector::default(), addresses);
		let (meter, time) =
			(access.map(|access| access.meter.clone()), access.map(|access| access.time));
		Self { agent, url, patience, meter, time }
	}

	/// Returns the URL.
	pub fn url(&self) -> &IndexUrl {
		&self.url
	}

	/// Asks for the ids of the node.
	pub async fn status(&self) -> Result<Status, NodeError> {
		self.part_of_status().await
	}

	/// Asks for the status of the node, and reads a part of it.
	async fn part_of_status<T: DeserializeOwned + Send + 'static>(&self) -> Result<T, NodeError> {
		let this = self.clone();
		blocking(move || {
			let answer = this.agent.get(this.url.to(&["status"], &[])).call();
			this.json(this.answered(answer)?)
		})
		.await
	}

	/// Requests a draft. Fails if the draft differs from the request, because it will be signed.
	/// `medallion` is the medallion of the node on the chain.
	pub async fn draft(
		&self,
		asked: DraftRequest,
		of: Status,
		medallion: u64,
		requester: Arc<Requester>,
	) -> Result<Draft, NodeError> {
		let draft: Draft = self.post("drafts", asked.clone(), Some(requester)).await?;
		let other =
			|what| self.wrong(format!("has drafted a commit with {what} that was not asked for"));
		if (draft.provider, draft.node) != (of.provider, of.node) {
			return Err(other("a node"));
		}
		if draft.muid.medallion() != medallion {
			return Err(other("a muid of another node"));
		}
		if draft.copies != asked.copies {
			return Err(other("copies"));
		}
		if (draft.tenant, draft.kms) != (asked.tenant, asked.kms) {
			return Err(other("a tenant or a KMS"));
		}
		match draft.versions == asked.versions && draft.create_objects == asked.create_objects {
			true => Ok(draft),
			false => Err(other("versions")),
		}
	}

	/// Has a signed draft committed. Returns when the commit is in a block.
	pub async fn commit(&self, signed: SignedDraft) -> Result<(), NodeError> {
		self.post::<serde_json::Value>("commits", signed, None).await.map(drop)
	}

	async fn post<Answer: DeserializeOwned + Send + 'static>(
		&self,
		path: &'static str,
		body: impl Serialize,
		requester: Option<Arc<Requester>>,
	) -> Result<Answer, NodeError> {
		let this = self.clone();
		let body = serde_json::to_vec(&body).map_err(|error| this.malformed(&error))?;
		blocking(move || {
			let send = |authorization: Option<&str>| {
				let mut request = this.agent.post(this.url.to(&[path], &[]));
				if let Some(authorization) = authorization {
					request = request.header("authorization", authorization);
				}
				this.json(this.answered(request.content_type("application/json").send(&body))?)
			};
			match &requester {
				Some(requester) => authorized(requester, |header| send(Some(header))),
				None => send(None),
			}
		})
		.await
	}

	fn version_url(&self, version: VersionId) -> String {
		self.url.to(&["versions", &version.to_string()], &[])
	}

	/// Returns an answer that is not an error.
	fn answered(
		&self,
		answer: Result<Response<Body>, ureq::Error>,
	) -> Result<Response<Body>, NodeError> {
		let unreachable =
			|error| NodeError::Unreachable { url: self.url.clone(), reason: reason(&error) };
		let answer = answer.map_err(unreachable)?;
		let status = answer.status().as_u16();
		if (200..300).contains(&status) {
			return Ok(answer);
		}
		let Refusal { status, reason, time, .. } = Refusal::read(answer, self.patience.failure);
		let url = self.url.clone();
		Err(match status {
			401 => NodeError::Unauthorized { url, reason, time },
			_ => NodeError::Refused { url, status, reason },
		})
	}

	fn json<Answer: DeserializeOwned>(&self, answer: Response<Body>) -> Result<Answer, NodeError> {
		self.json_within(self.patience.answer, answer)
	}

	fn json_within<Answer: DeserializeOwned>(
		&self,
		patience: Duration,
		answer: Response<Body>,
	) -> Result<Answer, NodeError> {
		let body = Arriving::new(answer.into_body(), MAX_LENGTH);
		let body = body.and_then(|body| body.all(patience));
		let body = body.map_err(|error| self.malformed(&reason(&error.into())))?;
		serde_json::from_slice(&body).map_err(|error| self.malformed(&error))
	}

	fn malformed(&self, reason: &impl ToString) -> NodeError {
		let reason = shown(&reason.to_string());
		self.wrong(format!("gives an answer that this client does not understand: {reason}"))
	}

	fn wrong(&self, problem: String) -> NodeError {
		NodeError::Wrong { url: self.url.clone(), problem }
	}
}

/// Sends a signed request.
fn authorized<T>(
	requester: &Requester,
	send: impl FnMut(&str) -> Result<T, NodeError>,
) -> Result<T, NodeError> {
	requester.send(send, |error| match error {
		NodeError::Unauthorized { time, .. } => *time,
		_ => None,
	})
}

/// Runs work that blocks.
pub async fn blocking<T: Send + 'static>(
	work: impl FnOnce() -> Result<T, NodeError> + Send + 'static,
) -> Result<T, NodeError> {
	match spawn_blocking(work).await {
		Ok(done) => done,
		Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
		Err(_) => Err(NodeError::Interrupted),
	}
}

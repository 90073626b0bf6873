// SPDX-License-Identifier: Apache-2.0
//! The server of a KMS, and requests to it.

use std::{
	sync::{Arc, Mutex, PoisonError},
	thread::sleep,
	time::{Duration, Instant},
};

use age::{x25519::Identity, Identity as _};
use content_fabric_identifiers::{ContentObjectId, KmsId, TenantId, VersionId};
use content_fabric_primitives::{KmsKey, Receiver};
use serde::{de::DeserializeOwned, Deserialize};
use ureq::{http::Response, Agent, Body};

use super::{AtBlock, Key, KmsError, Receipts, Sealed, UnwrapRequest, Unwrapped};
use crate::{
	content_node::{server, Notes},
	http::{clock, config, reason, shown, Arriving, Refusal},
	keys::Signer,
	profile::{hash::Hash, IndexUrl},
	requests::Requester,
	text::length_of_time,
};

/// Longest time to connect, and for the body of an error.
const BRIEF: Duration = Duration::from_secs(10);
/// Longest time for an answer, and again for its body.
const PATIENCE: Duration = Duration::from_secs(30);
/// Longest time for which requests are repeated while a KMS answers none.
const BUSY: Duration = Duration::from_secs(120);
/// Shortest pause before a request is repeated.
const LEAST: Duration = Duration::from_millis(500);
/// Largest length of an answer, in bytes.
const MAX_LENGTH: u64 = 1 << 20;
/// Number of connections that wait for the next request.
const CONNECTIONS: usize = 4;

/// The server of a KMS.
pub struct KmsServer {
	agent: Agent,
	url: IndexUrl,
	patience: Duration,
	/// Longest time for which requests are repeated.
	busy: Duration,
	/// Time since which it has answered no request, by the clients that it asked to wait.
	refusing: Mutex<Option<Instant>>,
}

/// The status of a KMS, as it gives it.
#[derive(Clone, Debug, Deserialize)]
pub struct Status {
	/// The tenant.
	pub tenant: TenantId,
	/// The KMS.
	pub kms: KmsId,
	/// The key that the chain has, by the last final block that the server knows.
	pub key: Option<KmsKey>,
	/// All keys whose identities the server has.
	pub keys: Vec<KmsKey>,
	/// The block of that state.
	pub block: Option<AtBlock>,
	/// Its age in seconds.
	pub finalized_age: Option<u64>,
	/// The reason why no file keys are given, if none are.
	#[serde(default)]
	pub problem: Option<String>,
	/// The version of the program.
	pub version: Option<String>,
	/// The genesis hash of the chain that it follows.
	pub genesis_hash: Option<Hash>,
	/// Number of seconds by which its clock is ahead of this machine's.
	#[serde(skip)]
	pub clock: Option<i64>,
}

impl KmsServer {
	/// Returns the server that the locator of a KMS names.
	pub fn of_locator(locator: &str) -> Result<Self, KmsError> {
		Ok(Self::new(server(locator).map_err(KmsError::Locator)?))
	}

	/// Returns the server at a URL.
	pub fn new(url: IndexUrl) -> Self {
		Self::patient(url, PATIENCE, BUSY)
	}

	/// Returns the server at a URL. Each answer may take `patience`, and a server that is busy may
	/// be asked again for `busy`.
	pub(crate) fn patient(url: IndexUrl, patience: Duration, busy: Duration) -> Self {
		let config = config(url.is_encrypted())
			.timeout_connect(Some(BRIEF))
			.timeout_resolve(Some(BRIEF))
			.timeout_send_request(Some(patience))
			.timeout_recv_response(Some(patience))
			.max_idle_connections(CONNECTIONS)
			.max_idle_connections_per_host(CONNECTIONS);
		let agent = config.build().new_agent();
		Self { agent, url, patience, busy, refusing: Mutex::default() }
	}

	/// Returns the URL.
	pub fn url(&self) -> &IndexUrl {
		&self.url
	}

	/// Asks for the status. Blocks, like all functions here.
	pub fn status(&self) -> Result<Status, KmsError> {
		let answer = self.agent.get(self.url.to(&["status"], &[])).call();
		let answer = self.answered(answer)?.map_err(|refusal| self.refused(refusal))?;
		let clock = clock(&answer);
		Ok(Status { clock, ..self.json(answer)? })
	}

	/// Asks for receipts after a number, for an admin of the tenant.
	pub fn receipts(
		&self,
		requester: &Requester,
		after: u64,
		limit: u32,
		notes: &Notes,
	) -> Result<Receipts, KmsError> {
		let (after, limit) = (after.to_string(), limit.to_string());
		let url = self.url.to(&["receipts"], &[("after", &after), ("limit", &limit)]);
		self.authorized(requester, notes, self.busy, |header| {
			self.agent.get(&url).header("authorization", header).call()
		})
	}

	/// Sends a signed request. Asks again for the time `busy` if the KMS says when, and notes why.
	fn authorized<Answer: DeserializeOwned>(
		&self,
		requester: &Requester,
		notes: &Notes,
		busy: Duration,
		mut send: impl FnMut(&str) -> Result<Response<Body>, ureq::Error>,
	) -> Result<Answer, KmsError> {
		let start = Instant::now();
		let attempt = |header: &str| loop {
			let answered = self.answered(send(header))?;
			let mut refusing = self.refusing.lock().unwrap_or_else(PoisonError::into_inner);
			let refusal = match answered {
				Ok(answer) => {
					*refusing = None;
					drop(refusing);
					return self.json(answer);
				},
				Err(refusal) => refusal,
			};
			// Reasons that last come without a time.
			let pause = refusal.retry_after.filter(|_| matches!(refusal.status, 429 | 503));
			let Some(pause) = pause.map(|pause| pause.max(LEAST)) else {
				return Err(self.refused(refusal));
			};
			// Requests that begin later wait no longer than the first one.
			let since = refusing.map_or(start, |since| since.min(start));
			if since.elapsed().saturating_add(pause) > busy {
				return Err(self.refused(refusal));
			}
			if refusing.replace(since).is_none() {
				let (busy, reason) = (length_of_time(busy.as_secs()), &refusal.reason);
				notes(format!(
					"the KMS at {} cannot answer now: {reason}. Asking again for {busy}",
					self.url
				));
			}
			drop(refusing);
			sleep(pause);
		};
		let answer = requester.send(attempt, |error| match error {
			KmsError::Unauthorized { time, .. } => *time,
			_ => None,
		});
		if let Some(note) = requester.take_note() {
			notes(note);
		}
		answer
	}

	/// Returns an answer that is not an error, or the error.
	fn answered(
		&self,
		answer: Result<Response<Body>, ureq::Error>,
	) -> Result<Result<Response<Body>, Refusal>, KmsError> {
		let unreachable =
			|error| KmsError::Unreachable { url: self.url.clone(), reason: reason(&error) };
		let answer = answer.map_err(unreachable)?;
		match answer.status().is_success() {
			true => Ok(Ok(answer)),
			false => Ok(Err(Refusal::read(answer, BRIEF))),
		}
	}

	fn refused(&self, refusal: Refusal) -> KmsError {
		let (url, Refusal { status, reason, time, .. }) = (self.url.clone(), refusal);
		match status {
			401 => KmsError::Unauthorized { url, reason, time },
			_ => KmsError::Refused { url, status, reason },
		}
	}

	fn json<Answer: DeserializeOwned>(&self, answer: Response<Body>) -> Result<Answer, KmsError> {
		let body = Arriving::new(answer.into_body(), MAX_LENGTH);
		let body = body.and_then(|body| body.all(self.patience));
		let body = body.map_err(|error| self.malformed(&reason(&error.into())))?;
		serde_json::from_slice(&body).map_err(|error| self.malformed(&error))
	}

	fn malformed(&self, reason: &impl ToString) -> KmsError {
		let reason = shown(&reason.to_string());
		self.wrong(format!("gives an answer that this client does not understand: {reason}"))
	}

	fn wrong(&self, problem: String) -> KmsError {
		KmsError::Wrong { url: self.url.clone(), problem }
	}
}

/// An account that reads files which are encrypted for a KMS. The KMS wraps their keys for a
/// recipient that exists only here, and only as long as this.
pub struct Reader {
	server: KmsServer,
	requester: Requester,
	identity: Identity,
	recipient: KmsKey,
}

impl Reader {
	/// Makes a reader of a tenant's files, with the account of a key.
	pub fn new(
		server: KmsServer,
		signer: Arc<Signer>,
		genesis_hash: [u8; 32],
		kms: KmsId,
		tenant: TenantId,
	) -> Result<Self, KmsError> {
		let identity = Identity::generate();
		let recipient = identity.to_public().to_string().parse().map_err(KmsError::Recipient)?;
		let to = Receiver::Kms(kms, Some(recipient));
		let requester = Requester::new(signer, genesis_hash, to, tenant);
		Ok(Self { server, requester, identity, recipient })
	}

	/// Asks the KMS for the key of a file, and for which of its keys the file is encrypted. The KMS
	/// notes the version in the receipt. Blocks. `waits` if a KMS that cannot answer now is asked
	/// again. `notes` gets the reasons for delays, and the difference of the clocks, once, if
	/// requests are signed by the KMS's clock.
	pub fn key<R>(
		&self,
		(object, version): (ContentObjectId, VersionId),
		sealed: &Sealed<R>,
		waits: bool,
		notes: &Notes,
	) -> Result<(Key, KmsKey), KmsError> {
		let (server, recipient) = (&self.server, self.recipient);
		let (object, version) = (Some(object), Some(version));
		let stanzas = sealed.stanzas().to_vec();
		let request = UnwrapRequest { recipient, object, version, stanzas };
		let body = serde_json::to_vec(&request).map_err(|error| server.malformed(&error))?;
		let url = server.url.to(&["unwrap"], &[]);
		let busy = if waits { server.busy } else { Duration::ZERO };
		let answer: Unwrapped = server.authorized(&self.requester, notes, busy, |header| {
			let request = server.agent.post(&url).header("authorization", header);
			request.content_type("application/json").send(&body)
		})?;
		let Some(Ok(key)) = self.identity.unwrap_stanza(&answer.stanza.into()) else {
			return Err(server.wrong("gives an answer that is for another recipient".into()));
		};
		let key = Key(key);
		match sealed.is_opened_by(&key) {
			true => Ok((key, answer.key)),
			false => Err(KmsError::OtherKey { url: server.url.clone() }),
		}
	}
}

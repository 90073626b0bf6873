// SPDX-License-Identifier: Apache-2.0
//! Signed requests: signing them, with one signature for many requests, and checking them.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use codec::{DecodeAll, Encode};
use content_fabric_identifiers::TenantId;
use content_fabric_primitives::{Authorization, Receiver, Request, Until, MAX_REQUEST_TIME};
use subxt::utils::{AccountId32, MultiSignature};

use crate::{
	chain::wall_clock,
	drafts::has_signed,
	ids::{parse_account, IdError},
	keys::Signer,
	text::length_of_time,
};

/// Number of seconds for which a signature is valid. A server accepts it if its clock is ahead by
/// less than that, or behind by less than the rest of [`MAX_REQUEST_TIME`].
const VALID: u64 = MAX_REQUEST_TIME / 2;
/// Number of seconds before the end at which a request is signed anew.
const RENEWED: u64 = 300;
/// Largest number of seconds by which a server's clock may be ahead. So a false server cannot get
/// signatures that are valid on later days.
const MAX_AHEAD: u64 = 86_400;

/// Returns the time of this machine, in seconds since the Unix epoch.
fn now() -> u64 {
	wall_clock() / 1_000_000
}

/// Signs a request. Returns the value of its header `Authorization`.
pub fn sign(
	signer: &Signer,
	genesis_hash: &[u8; 32],
	to: Receiver,
	tenant: TenantId,
	until: Until,
) -> Authorization {
	let account = signer.account().to_string();
	let text = Request { genesis_hash, to, tenant, account: &account, until }.text();
	let signature = MultiSignature::Sr25519(signer.sign(text.as_bytes())).encode();
	Authorization { account, until, signature }
}

/// Signs the requests of an account to a server for a tenant. One signature serves many requests,
/// until shortly before its end.
pub struct Requester {
	signer: Arc<Signer>,
	genesis_hash: [u8; 32],
	to: Receiver,
	tenant: TenantId,
	state: Mutex<State>,
}

#[derive(Default)]
struct State {
	/// The last header, and its end.
	signed: Option<(Until, Arc<str>)>,
	/// Number of seconds from the clock of this machine to the server's, if it has refused a
	/// request for its time.
	difference: i64,
	/// The difference in words, until it is taken.
	note: Option<String>,
}

impl Requester {
	/// Makes the signer of requests.
	pub fn new(
		signer: Arc<Signer>,
		genesis_hash: [u8; 32],
		to: Receiver,
		tenant: TenantId,
	) -> Self {
		Self { signer, genesis_hash, to, tenant, state: Mutex::default() }
	}

	/// Returns the value of the header `Authorization`.
	pub fn authorization(&self) -> Arc<str> {
		self.authorization_at(now())
	}

	fn authorization_at(&self, now: u64) -> Arc<str> {
		let mut state = self.state();
		let now = now.saturating_add_signed(state.difference);
		let is_good = |(until, _): &&(Until, _)| {
			(now.saturating_add(RENEWED)..=now.saturating_add(VALID)).contains(&until.seconds())
		};
		if let Some((_, header)) = state.signed.as_ref().filter(is_good) {
			return header.clone();
		}
		let until = Until::new(now.saturating_add(VALID));
		let signed = sign(&self.signer, &self.genesis_hash, self.to, self.tenant, until);
		let header: Arc<str> = signed.to_string().into();
		state.signed = Some((until, header.clone()));
		header
	}

	/// Sends a request. If the server refuses it for its time, sends it once more, signed by the
	/// server's clock. `time` returns that from an error.
	#[cfg(feature = "http")]
	pub(crate) fn send<T, E>(
		&self,
		mut send: impl FnMut(&str) -> Result<T, E>,
		time: impl Fn(&E) -> Option<u64>,
	) -> Result<T, E> {
		let header = self.authorization();
		match send(&header) {
			Err(error) if time(&error).is_some_and(|time| self.adjusts(&header, time)) => {
				send(&self.authorization())
			},
			answer => answer,
		}
	}

	/// Handles the refusal of a request with the header `sent`, at this time of the server in seconds
	/// since the Unix epoch. Returns `true` if the clocks are to blame, by no more than a day if the
	/// server's is ahead: the next header has the server's time. That is safe, as the time only
	/// bounds how long the server accepts it.
	pub fn adjusts(&self, sent: &str, server: u64) -> bool {
		self.adjusts_at(now(), sent, server)
	}

	fn adjusts_at(&self, now: u64, sent: &str, server: u64) -> bool {
		let mut state = self.state();
		match &state.signed {
			// Another request was refused first.
			Some((_, header)) if **header != *sent => return true,
			Some((until, _)) if until.ensure_timely(server).is_ok() => return false,
			_ if server > now.saturating_add(MAX_AHEAD) => return false,
			_ => {},
		}
		let length = length_of_time(server.abs_diff(now));
		let direction = if now > server { "ahead of" } else { "behind" };
		let [owner, short] = match self.to {
			Receiver::Node(_) => ["content node", "node"],
			Receiver::Kms(..) => ["KMS", "KMS"],
		};
		state.note = Some(format!(
			"the clock of this machine is {length} {direction} the {owner}'s, so requests are signed \
			 by the {short}'s clock"
		));
		state.difference = i64::try_from(server).unwrap_or(i64::MAX).saturating_sub_unsigned(now);
		state.signed = None;
		true
	}

	/// Returns the difference of the clocks in words, once, if requests are signed by the server's.
	pub fn take_note(&self) -> Option<String> {
		self.state().note.take()
	}

	fn state(&self) -> MutexGuard<'_, State> {
		// No change can be interrupted halfway, so a poisoned state is valid.
		self.state.lock().unwrap_or_else(PoisonError::into_inner)
	}
}

/// A request that an account has signed: its account, time and signature.
#[derive(Clone, Debug)]
pub struct SignedRequest {
	/// The account.
	pub account: AccountId32,
	/// The account as it is in the text.
	text: String,
	until: Until,
	signature: MultiSignature,
}

impl SignedRequest {
	/// Reads the account and the signature. Neither the signature nor the time is checked.
	pub fn new(authorization: Authorization) -> Result<Self, RequestError> {
		let Authorization { account: text, until, signature } = authorization;
		let account = parse_account(&text)?;
		let signature = MultiSignature::decode_all(&mut &signature[..]);
		let signature = signature.map_err(|_| RequestError::Signature)?;
		Ok(Self { account, text, until, signature })
	}

	/// Returns whether the account has signed a request on the chain with this genesis hash, to this
	/// server and for this tenant.
	pub fn is_for(&self, genesis_hash: &[u8; 32], to: Receiver, tenant: TenantId) -> bool {
		let (account, until) = (&*self.text, self.until);
		let text = Request { genesis_hash, to, tenant, account, until }.text();
		has_signed(&self.signature, text.as_bytes(), &self.account)
	}
}

/// An account or a signature of a request is malformed.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
	/// The account is not an address.
	#[error("`account`: {0}")]
	Account(#[from] IdError),
	/// The signature is of no kind that the chain knows.
	#[error("`signature` is not a MultiSignature")]
	Signature,
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::NodeId;
	use content_fabric_primitives::{wrap_payload, KmsKey};
	use serde::Deserialize;
	use subxt_signer::sr25519::dev;

	use super::*;

	const VECTORS: &str = include_str!("../../primitives/fabric/tests/vectors/request.json");
	const NOW: u64 = 1_795_755_600;

	#[derive(Deserialize)]
	struct Vector {
		genesis: String,
		to: String,
		tenant: TenantId,
		account: String,
		recipient: Option<String>,
		until: String,
		seconds: u64,
		text: String,
		signatures: Vec<Signed>,
	}

	#[derive(Deserialize)]
	struct Signed {
		wrapped: bool,
		signature: String,
		authorization: String,
	}

	fn vectors() -> Vec<Vector> {
		serde_json::from_str(VECTORS).expect("the vectors are JSON")
	}

	impl Vector {
		fn genesis(&self) -> [u8; 32] {
			let digits = self.genesis.strip_prefix("0x").expect("it is hex");
			hex::decode(digits).ok().and_then(|bytes| bytes.try_into().ok()).expect("it is a hash")
		}

		fn to(&self) -> Receiver {
			let recipient = self.recipient.as_deref().map(|text| text.parse::<KmsKey>());
			let recipient = recipient.transpose().expect("it is a recipient");
			match self.to.parse() {
				Ok(node) => Receiver::Node(node),
				Err(_) => Receiver::Kms(self.to.parse().expect("it is a KMS"), recipient),
			}
		}
	}

	#[test]
	fn texts_headers_and_signatures_match_the_vectors() {
		let mut kinds = std::collections::BTreeSet::new();
		for vector in vectors() {
			let (genesis, to, tenant) = (vector.genesis(), vector.to(), vector.tenant);
			let until: Until = vector.until.parse().expect("it is a time");
			assert_eq!((until.seconds(), until), (vector.seconds, Until::new(vector.seconds)));
			let (genesis_hash, account) = (&genesis, &*vector.account);
			let request = Request { genesis_hash, to, tenant, account, until };
			assert_eq!(request.text(), vector.text);
			for Signed { wrapped, signature, authorization } in &vector.signatures {
				let parsed: Authorization = authorization.parse().expect("it is a header");
				assert_eq!(parsed.to_string(), *authorization);
				assert_eq!((&*parsed.account, parsed.until), (account, until));
				assert_eq!(format!("0x{}", hex::encode(&parsed.signature)), *signature);
				kinds.insert((parsed.signature[0], *wrapped));
				let signed = SignedRequest::new(parsed).expect("it has an account");
				assert!(signed.is_for(&genesis, to, tenant), "{authorization}");
				// It is for that chain, server, tenant, account and time alone.
				assert!(!signed.is_for(&[9; 32], to, tenant));
				assert!(!signed.is_for(&genesis, Receiver::Node(NodeId([9; 10])), tenant));
				assert!(!signed.is_for(&genesis, to, TenantId([9; 10])));
				let other_time = SignedRequest { until: Until::new(0), ..signed.clone() };
				assert!(!other_time.is_for(&genesis, to, tenant));
				let account = AccountId32([9; 32]);
				let other_account = SignedRequest { account, ..signed };
				assert!(!other_account.is_for(&genesis, to, tenant));
			}
		}
		assert_eq!(kinds.len(), 6, "each kind of signature, raw and wrapped: {kinds:?}");
	}

	#[test]
	fn a_signature_over_other_bytes_is_not_one_of_the_request() {
		let (signer, to, tenant) =
			(dev::charlie(), Receiver::Node(NodeId([2; 10])), TenantId([3; 10]));
		let account = signer.public_key().to_account_id().to_string();
		let until = Until::new(NOW);
		let text = Request { genesis_hash: &[1; 32], to, tenant, account: &account, until }.text();
		let wrapped = wrap_payload(text.as_bytes());
		let twice = wrap_payload(&wrapped);
		let with_newline = format!("{text}\n");
		for (bytes, is_signed) in [
			(text.as_bytes(), true),
			(&wrapped, true),
			(&twice, false),
			(with_newline.as_bytes(), false),
			(b"", false),
		] {
			let signature = MultiSignature::Sr25519(signer.sign(bytes).0).encode();
			let signed = Authorization { account: account.clone(), until, signature };
			let signed = SignedRequest::new(signed).expect("it is one");
			assert_eq!(signed.is_for(&[1; 32], to, tenant), is_signed);
		}
		let signature = MultiSignature::Sr25519([0; 64]).encode();
		let nobody = Authorization { account: "5F3s".into(), until, signature };
		let error = SignedRequest::new(nobody).expect_err("it is no address").to_string();
		assert!(error.starts_with("`account`: "), "{error}");
	}

	fn requester() -> Requester {
		let signer = Arc::new(Signer::from(dev::charlie()));
		Requester::new(signer, [1; 32], Receiver::Node(NodeId([2; 10])), TenantId([3; 10]))
	}

	fn until(header: &str) -> u64 {
		header.parse::<Authorization>().expect("it is a header").until.seconds()
	}

	#[test]
	fn one_signature_serves_until_shortly_before_its_end() {
		let requester = requester();
		let first = requester.authorization_at(NOW);
		assert_eq!(until(&first), NOW + VALID);
		assert_eq!(requester.authorization_at(NOW + VALID - RENEWED), first);
		let next = requester.authorization_at(NOW + VALID - RENEWED + 1);
		assert_eq!(until(&next), NOW + 2 * VALID - RENEWED + 1);
		// The clock was set back: the signature would be valid for too long.
		assert_eq!(until(&requester.authorization_at(NOW)), NOW + VALID);
	}

	#[test]
	fn a_request_that_is_refused_for_its_time_is_signed_by_the_clock_of_the_server() {
		for (server, words) in [
			(NOW + 7_200, "the clock of this machine is 2 hours behind the content node's"),
			(NOW - 7_200, "the clock of this machine is 2 hours ahead of the content node's"),
			(NOW + MAX_AHEAD, "the clock of this machine is 24 hours behind the content node's"),
			(0, "the clock of this machine is 20,784 days ahead of the content node's"),
		] {
			let requester = requester();
			let sent = requester.authorization_at(NOW);
			assert!(requester.adjusts_at(NOW, &sent, server));
			let note = requester.take_note().expect("the clocks differ");
			assert!(note.starts_with(words), "{note}");
			assert_eq!(requester.take_note(), None);
			let next = requester.authorization_at(NOW + 1);
			assert_eq!(until(&next), server + 1 + VALID);
			// Requests that were sent with the first header are also sent again.
			assert!(requester.adjusts_at(NOW + 1, &sent, server + 1));
			assert_eq!((requester.take_note(), requester.authorization_at(NOW + 1)), (None, next));
		}
	}

	#[test]
	fn a_request_that_is_refused_for_another_reason_is_not_signed_again() {
		let requester = requester();
		let sent = requester.authorization_at(NOW);
		for server in [NOW - 1_000, NOW, NOW + 1_000, NOW + MAX_AHEAD + 1, u64::MAX] {
			assert!(!requester.adjusts_at(NOW, &sent, server), "{server}");
		}
		assert_eq!((requester.take_note(), requester.authorization_at(NOW)), (None, sent));
	}
}

// SPDX-License-Identifier: Apache-2.0
//! Signed requests: the header `Authorization`, and the refusals of requests without a valid one.

use std::fmt::Display;

use axum::http::{header, HeaderMap, HeaderValue, StatusCode};
use content_fabric_client::{chain::wall_clock, requests::SignedRequest};
use content_fabric_primitives::{Authorization, Until, Untimely};
use subxt::utils::AccountId32;

use crate::failure::Failure;

/// The words of a server that asks for signed requests.
#[derive(Clone, Copy, Debug)]
pub struct Signatures {
	/// The kind of the server, such as `node`.
	pub server: &'static str,
	/// The accounts that have to sign, such as `an account with the level content in the tenant`.
	pub signer: &'static str,
}

impl Signatures {
	/// Reads the header of a request, and checks its time. Does not check the signature, which takes
	/// longer.
	pub fn read(&self, headers: &HeaderMap) -> Result<SignedRequest, Failure> {
		let mut found = headers.get_all(header::AUTHORIZATION).iter();
		let value = found.next().ok_or_else(|| {
			let signer = self.signer;
			let missing = "the header `Authorization` is missing";
			self.unauthorized(&format!("{missing}: {signer} has to sign the request"))
		})?;
		let malformed = |reason: String| {
			self.unauthorized(&format!("the header `Authorization` is not as expected: {reason}"))
		};
		if found.next().is_some() {
			return Err(malformed("it is given twice".into()));
		}
		let value = value.to_str().map_err(|_| malformed("it is not text".into()))?;
		let parsed: Authorization = value.parse().map_err(|error| malformed(format!("{error}")))?;
		let until = parsed.until;
		match until.ensure_timely(now()) {
			Ok(()) => {},
			Err(Untimely::Expired) => {
				let reason = format!("the signed request has expired at {until}");
				return Err(self.unauthorized(&reason));
			},
			Err(Untimely::TooLong) => {
				let reason =
					format!("the signed request is valid until {until}, for more than an hour");
				return Err(self.unauthorized(&reason));
			},
		}
		SignedRequest::new(parsed).map_err(|error| malformed(error.to_string()))
	}

	/// Returns the refusal of a request that an account has not signed to the server with this id.
	/// `of` says for what.
	pub fn unsigned(
		&self,
		account: &AccountId32,
		id: impl Display,
		of: &str,
		genesis: &[u8; 32],
	) -> Failure {
		let genesis = hex::encode(genesis);
		self.unauthorized(&format!(
			"{account} has not signed a request to the {} {id} for {of} on the chain with the genesis \
			 hash 0x{genesis} until that time",
			self.server
		))
	}

	/// Returns the refusal of a request without a valid signature. It has the server's time, so that
	/// a client whose clock is wrong can sign again.
	fn unauthorized(&self, reason: &str) -> Failure {
		let now = Until::new(now());
		let reason = format!("{reason}. The clock of this {} is at {now}", self.server);
		let failure = Failure::new(StatusCode::UNAUTHORIZED, reason);
		match HeaderValue::from_str(&format!("Fabric time=\"{now}\"")) {
			Ok(challenge) => failure.with(header::WWW_AUTHENTICATE, challenge),
			Err(_) => failure,
		}
	}
}

/// Returns the time in seconds since the Unix epoch.
fn now() -> u64 {
	wall_clock() / 1_000_000
}

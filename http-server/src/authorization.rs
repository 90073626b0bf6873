// SPDX-License-Identifier: Apache-2.0
//! Signed requests: the header `Authorization`, and the refusals of requests without a valid one.

use std::fmt::Display;

use axum::http::{header, HeaderMap, HeaderValue, StatusCode};
use content_fabric_client::{chain::wall_clock, requests::SignedRequest};
use content_fabric_identifiers::TenantId;
use content_fabric_primitives::{Authorization, Receiver, Until, Untimely};
use subxt::utils::AccountId32;
use tokio::task::spawn_blocking;

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

	/// Checks that the account of a request has signed it to this server for a tenant. Returns the
	/// account.
	pub async fn check(
		&self,
		signed: SignedRequest,
		genesis: [u8; 32],
		to: Receiver,
		tenant: TenantId,
	) -> Result<AccountId32, Failure> {
		let account = signed.account;
		let is_for = move || signed.is_for(&genesis, to, tenant);
		match spawn_blocking(is_for).await {
			Ok(true) => Ok(account),
			Ok(false) => Err(match to {
				Receiver::Node(node) => {
					self.unsigned(&account, node, &format!("the tenant {tenant}"), &genesis)
				},
				Receiver::Kms(kms, recipient) => {
					let recipient = recipient.map_or_else(
						|| ", without a recipient,".to_owned(),
						|recipient| format!(" and the recipient {recipient}"),
					);
					self.unsigned(
						&account,
						kms,
						&format!("the tenant {tenant}{recipient}"),
						&genesis,
					)
				},
			}),
			Err(_) => {
				let reason = "the check of the signature has failed";
				Err(Failure::new(StatusCode::INTERNAL_SERVER_ERROR, reason))
			},
		}
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

#[cfg(test)]
mod tests {
	use axum::response::IntoResponse;
	use content_fabric_client::{
		keys::{ChainKind, KeySource},
		requests::sign,
	};
	use content_fabric_identifiers::{KmsId, NodeId};
	use content_fabric_primitives::KmsKey;

	use super::*;

	const GENESIS: [u8; 32] = [7; 32];
	const TENANT: TenantId = TenantId([1; 10]);
	const RECIPIENT: KmsKey = KmsKey([3; 32]);
	const TO: Receiver = Receiver::Kms(KmsId([2; 10]), Some(RECIPIENT));
	const SIGNATURES: Signatures = Signatures { server: "KMS", signer: "an account" };

	/// Returns the header that Bob signs. It expires this many seconds from now.
	fn signed(genesis: [u8; 32], to: Receiver, tenant: TenantId, seconds: i64) -> String {
		let Ok(key) = "//Bob".parse::<KeySource>();
		let bob = key.load(ChainKind::Development).expect("it is a development key");
		let until = Until::new(now().saturating_add_signed(seconds));
		sign(&bob, &genesis, to, tenant, until).to_string()
	}

	fn headers(values: &[&str]) -> HeaderMap {
		let value = |value: &&str| {
			(header::AUTHORIZATION, HeaderValue::from_str(value).expect("it is a value"))
		};
		values.iter().map(value).collect()
	}

	/// Checks that a refusal has this reason, and the time of the server.
	fn assert_refused(refused: Result<impl Sized, Failure>, reason: &str) {
		let Err(refused) = refused else { panic!("it is accepted, expected {reason}") };
		let shown = format!("{refused:?}");
		assert!(refused.status() == 401 && shown.contains(reason), "{shown}, expected {reason}");
		let response = refused.into_response();
		let time = response.headers()[header::WWW_AUTHENTICATE].to_str().expect("it is text");
		assert!(time.starts_with("Fabric time=\"20") && time.ends_with("Z\""), "{time}");
	}

	#[tokio::test]
	async fn a_request_is_good_for_its_recipient_server_tenant_chain_and_account_alone() {
		let check = async |header: &str| {
			let signed = SIGNATURES.read(&headers(&[header])).expect("its form and time are right");
			SIGNATURES.check(signed, GENESIS, TO, TENANT).await
		};
		let own = signed(GENESIS, TO, TENANT, 600);
		let bob = check(&own).await.expect("it is signed").to_string();
		let alice = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY";
		for header in [
			signed(GENESIS, Receiver::Kms(KmsId([2; 10]), Some(KmsKey([4; 32]))), TENANT, 600),
			signed(GENESIS, Receiver::Kms(KmsId([2; 10]), None), TENANT, 600),
			signed(GENESIS, Receiver::Kms(KmsId([9; 10]), Some(RECIPIENT)), TENANT, 600),
			signed(GENESIS, Receiver::Node(NodeId([2; 10])), TENANT, 600),
			signed(GENESIS, TO, TenantId([9; 10]), 600),
			signed([9; 32], TO, TENANT, 600),
			own.replace(&bob, alice),
		] {
			let reason = "has not signed a request to the KMS ikms";
			assert_refused(check(&header).await, reason);
		}
	}

	#[test]
	fn headers_that_are_missing_malformed_or_late_are_refused_by_name() {
		let at = |seconds| signed(GENESIS, TO, TENANT, seconds);
		for (values, reason) in [
			(&[&*at(-3_600)][..], "has expired at"),
			(&[&*at(-61)], "has expired at"),
			(&[&*at(2 * 3_600)], "for more than an hour"),
			(&["Basic eDp5"], "the scheme is not `Fabric`"),
			(&[""], "the scheme is not `Fabric`"),
			(&[], "`Authorization` is missing: an account has to sign the request"),
			(&[&*at(600), &*at(600)], "it is given twice"),
		] {
			assert_refused(SIGNATURES.read(&headers(values)), reason);
		}
		for seconds in [-58, 0, 600, 3_600] {
			assert!(SIGNATURES.read(&headers(&[&at(seconds)])).is_ok(), "{seconds}");
		}
	}
}

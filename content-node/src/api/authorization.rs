// SPDX-License-Identifier: Apache-2.0
//! Signed requests: the header `Authorization` of drafts and uploads.

use std::collections::BTreeSet;

use axum::http::{header, HeaderMap, HeaderValue, StatusCode};
use content_fabric_client::requests::SignedRequest;
use content_fabric_http_server::Failure;
use content_fabric_identifiers::TenantId;
use content_fabric_primitives::{Authorization, Receiver, Until, Untimely};

use super::app::App;
use crate::{chain::Denial, now_seconds};

/// Returns the refusal of a request whose signature does not count. It has the node's time, so that
/// a client whose clock is wrong can sign again.
fn unauthorized(reason: &str) -> Failure {
	let now = Until::new(now_seconds());
	let reason = format!("{reason}. The clock of this node is at {now}");
	let failure = Failure::new(StatusCode::UNAUTHORIZED, reason);
	match HeaderValue::from_str(&format!("Fabric time=\"{now}\"")) {
		Ok(challenge) => failure.with(header::WWW_AUTHENTICATE, challenge),
		Err(_) => failure,
	}
}

/// Reads the header of a request, and checks its time. Does not check the signature, which takes
/// longer.
pub fn read(headers: &HeaderMap) -> Result<SignedRequest, Failure> {
	let mut found = headers.get_all(header::AUTHORIZATION).iter();
	let value = found.next().ok_or_else(|| {
		unauthorized(
			"the header `Authorization` is missing: an account with the level content in the tenant \
			 has to sign the request",
		)
	})?;
	let malformed = |reason: String| {
		unauthorized(&format!("the header `Authorization` is not as expected: {reason}"))
	};
	if found.next().is_some() {
		return Err(malformed("it is there twice".into()));
	}
	let value = value.to_str().map_err(|_| malformed("it is not text".into()))?;
	let parsed: Authorization = value.parse().map_err(|error| malformed(format!("{error}")))?;
	let until = parsed.until;
	match until.ensure_timely(now_seconds()) {
		Ok(()) => {},
		Err(Untimely::Expired) => {
			return Err(unauthorized(&format!("the signed request has expired at {until}")));
		},
		Err(Untimely::TooLong) => {
			let reason =
				format!("the signed request is valid until {until}, for more than an hour");
			return Err(unauthorized(&reason));
		},
	}
	SignedRequest::new(parsed).map_err(|error| malformed(error.to_string()))
}

/// Checks that an account has signed a request to this node for one of these tenants, and may put
/// content into that tenant.
pub async fn check(
	app: &App,
	signed: SignedRequest,
	tenants: BTreeSet<TenantId>,
) -> Result<(), Failure> {
	let genesis = app.keep.genesis()?;
	let genesis =
		genesis.ok_or_else(|| Failure::busy("the node has never been connected to its chain"))?;
	let (account, node) = (signed.account, app.fabric.node);
	let named = match tenants.first() {
		Some(tenant) if tenants.len() == 1 => format!("the tenant {tenant}"),
		_ => "a tenant with a commit of the version".into(),
	};
	// A version may have many tenants, and each of them takes a check of its own.
	let tenant = tokio::task::spawn_blocking(move || {
		let is_for = |tenant: &TenantId| signed.is_for(&genesis, Receiver::Node(node), *tenant);
		tenants.into_iter().find(is_for)
	});
	let failed = |_| Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "the check has failed");
	let tenant = tenant.await.map_err(failed)?.ok_or_else(|| {
		unauthorized(&format!(
			"{account} has not signed a request to the node {node} for {named} on the chain with the \
			 genesis hash 0x{} until that time",
			hex::encode(genesis)
		))
	})?;
	match app.fabric.ensure_may_put(tenant, &account).await {
		Ok(()) => Ok(()),
		Err(Denial::Forbidden(reason)) => Err(Failure::new(StatusCode::FORBIDDEN, reason)),
		Err(denial @ Denial::Unknown(_)) => Err(Failure::busy(denial.to_string())),
	}
}

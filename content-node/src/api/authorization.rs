// SPDX-License-Identifier: Apache-2.0
//! Signed requests: the header `Authorization` of drafts and uploads.

use axum::http::{header, HeaderMap, HeaderValue, StatusCode};
use content_fabric_client::requests::SignedRequest;
use content_fabric_http_server::Failure;
use content_fabric_identifiers::{TenantId, VersionId};
use content_fabric_primitives::{Authorization, Receiver, Until, Untimely};
use subxt::utils::AccountId32;
use tokio::task::JoinError;

use super::app::App;
use crate::{chain::Denial, keep::KeepError, now_seconds};

/// Largest number of tenants of a version for which a signature is checked, and of sizes that are
/// examined.
const TENANTS: usize = 128;

/// Returns the refusal of a request without a valid signature. It has the node's time, so that a
/// client whose clock is wrong can sign again.
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
		return Err(malformed("it is given twice".into()));
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

/// Checks that an account has signed a request to this node for a tenant, and may put content into
/// it.
pub async fn check_draft(
	app: &App,
	signed: SignedRequest,
	tenant: TenantId,
) -> Result<(), Failure> {
	let (genesis, node, account) = (genesis(app)?, app.fabric.node, signed.account);
	let is_for = move || signed.is_for(&genesis, Receiver::Node(node), tenant);
	match tokio::task::spawn_blocking(is_for).await.map_err(failed)? {
		true => permit(app, tenant, &account).await,
		false => Err(unsigned(app, &account, &genesis, &format!("the tenant {tenant}"))),
	}
}

/// Checks that an account has signed a request to this node for a tenant that needs a version, and
/// may put content into it.
pub async fn check_upload(
	app: &App,
	signed: SignedRequest,
	version: VersionId,
) -> Result<(), Failure> {
	let (genesis, node, account) = (genesis(app)?, app.fabric.node, signed.account);
	// The header does not name the tenant. Usually, there was a draft.
	let (known, keep) = (app.fabric.tenants_of(&account, TENANTS), app.keep.clone());
	let find = move || {
		let is_for = |tenant: &TenantId| signed.is_for(&genesis, Receiver::Node(node), *tenant);
		if let Some(tenant) = known.into_iter().find(is_for) {
			return Ok(Some((tenant, keep.is_of_tenant(version, tenant, TENANTS)?)));
		}
		let tenant = keep.tenants(version, TENANTS)?.into_iter().find(is_for);
		Ok::<_, KeepError>(tenant.map(|tenant| (tenant, true)))
	};
	match tokio::task::spawn_blocking(find).await.map_err(failed)?? {
		Some((tenant, true)) => permit(app, tenant, &account).await,
		Some((tenant, false)) => {
			let reason = format!("the tenant {tenant} has no commit of {version} for this node");
			Err(Failure::new(StatusCode::FORBIDDEN, reason))
		},
		None => Err(unsigned(app, &account, &genesis, "a tenant with a commit of the version")),
	}
}

/// Returns the genesis hash of the chain.
fn genesis(app: &App) -> Result<[u8; 32], Failure> {
	let unknown = || Failure::busy("the node has never been connected to its chain");
	app.keep.genesis()?.ok_or_else(unknown)
}

fn failed(_: JoinError) -> Failure {
	Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "the check of the signature has failed")
}

/// Returns the refusal of a request that an account has not signed.
fn unsigned(app: &App, account: &AccountId32, genesis: &[u8; 32], tenant: &str) -> Failure {
	unauthorized(&format!(
		"{account} has not signed a request to the node {} for {tenant} on the chain with the genesis \
		 hash 0x{} until that time",
		app.fabric.node,
		hex::encode(genesis)
	))
}

/// Checks that an account may put content into a tenant.
async fn permit(app: &App, tenant: TenantId, account: &AccountId32) -> Result<(), Failure> {
	match app.fabric.ensure_may_put(tenant, account).await {
		Ok(()) => Ok(()),
		Err(Denial::Forbidden(reason)) => Err(Failure::new(StatusCode::FORBIDDEN, reason)),
		Err(denial @ Denial::Unknown(_)) => Err(Failure::busy(denial.to_string())),
	}
}

// SPDX-License-Identifier: Apache-2.0
//! Signed requests, and the level that they need.

use std::{net::IpAddr, sync::Arc, time::Duration};

use axum::http::{HeaderMap, StatusCode};
use content_fabric_client::{chain::Error as ChainError, requests::SignedRequest};
use content_fabric_http_server::{Failure, Pass, Signatures};
use content_fabric_primitives::{KmsKey, Receiver, TenantLevel};
use subxt::utils::AccountId32;
use tracing::warn;

use super::App;
use crate::chain::View;

/// Longest time for which a request waits for a place.
const WAIT: Duration = Duration::from_secs(10);

const SIGNATURES: Signatures =
	Signatures { server: "KMS", signer: "an account with a level in the tenant" };

/// Reads the header of a request of a client, before its body.
pub fn read(app: &App, client: IpAddr, headers: &HeaderMap) -> Result<SignedRequest, Failure> {
	app.count_client(client)?;
	SIGNATURES.read(headers)
}

/// A request that an account has signed, at a final block.
pub struct Signed {
	pub account: AccountId32,
	pub view: Arc<View>,
	/// Its place among the requests that are being handled.
	_pass: Pass,
}

/// Checks the signature of a request, for a recipient if it has one. Then returns the final state,
/// which is read from the chain only now.
pub async fn check(
	app: &App,
	client: IpAddr,
	signed: SignedRequest,
	recipient: Option<KmsKey>,
) -> Result<Signed, Failure> {
	let pass = app.places.enter(client, WAIT).await;
	let _pass = pass.ok_or_else(|| Failure::busy("other requests are being handled: try again"))?;
	let ((tenant, kms), genesis) = (app.fabric.ids, app.fabric.genesis);
	let to = Receiver::Kms(kms, recipient);
	let account = SIGNATURES.check(signed, genesis, to, tenant).await?;
	app.count_account(&account)?;
	let view = app.fabric.current().await.map_err(Failure::busy)?;
	Ok(Signed { account, view, _pass })
}

/// Checks that the account has a level in the tenant.
pub async fn ensure_level(
	signed: &Signed,
	needed: TenantLevel,
	refusal: &'static str,
) -> Result<(), Failure> {
	match signed.view.level(&signed.account).await.map_err(unknown)? {
		Some(level) if level >= needed => Ok(()),
		_ => Err(Failure::new(StatusCode::FORBIDDEN, refusal)),
	}
}

/// Returns the refusal of a request while the chain does not answer.
pub fn unknown(error: ChainError) -> Failure {
	warn!("the chain does not answer: {error}");
	Failure::busy("the final state of the chain cannot be read now")
}

/// Returns the refusal of a request whose thread has failed.
pub fn failed(_: tokio::task::JoinError) -> Failure {
	Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "the request cannot be handled")
}

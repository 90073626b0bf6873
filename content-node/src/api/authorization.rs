// SPDX-License-Identifier: Apache-2.0
//! Signed requests: the header `Authorization` of drafts and uploads.

use axum::http::StatusCode;
use content_fabric_client::requests::SignedRequest;
use content_fabric_http_server::{Failure, Signatures};
use content_fabric_identifiers::{TenantId, VersionId};
use content_fabric_primitives::Receiver;
use subxt::utils::AccountId32;
use tokio::task::JoinError;

use super::app::App;
use crate::{chain::Denial, keep::KeepError};

/// Largest number of tenants of a version for which a signature is checked, and of sizes that are
/// examined.
const TENANTS: usize = 128;

/// The words of refusals.
pub const SIGNATURES: Signatures =
	Signatures { server: "node", signer: "an account with the level content in the tenant" };

/// Checks that an account has signed a request to this node for a tenant, and may put content into
/// it.
pub async fn check_draft(
	app: &App,
	signed: SignedRequest,
	tenant: TenantId,
) -> Result<(), Failure> {
	let to = Receiver::Node(app.fabric.node);
	let account = SIGNATURES.check(signed, genesis(app)?, to, tenant).await?;
	permit(app, tenant, &account).await
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
		None => {
			let of = "a tenant with a commit of the version";
			Err(SIGNATURES.unsigned(&account, node, of, &genesis))
		},
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

/// Checks that an account may put content into a tenant.
async fn permit(app: &App, tenant: TenantId, account: &AccountId32) -> Result<(), Failure> {
	match app.fabric.ensure_may_put(tenant, account).await {
		Ok(()) => Ok(()),
		Err(Denial::Forbidden(reason)) => Err(Failure::new(StatusCode::FORBIDDEN, reason)),
		Err(denial @ Denial::Unknown(_)) => Err(Failure::busy(denial.to_string())),
	}
}

// SPDX-License-Identifier: Apache-2.0
//! File keys: `POST /v1/unwrap`.

use std::sync::Arc;

use axum::{
	body::Body,
	extract::State,
	http::{HeaderMap, StatusCode},
	Json,
};
use content_fabric_client::kms::{Stanza, UnwrapRequest, Unwrapped};
use content_fabric_http_server::{discard, read_json, Client, Failure};
use content_fabric_primitives::{KmsKey, TenantLevel};

use super::{access, App};
use crate::{identity, receipts::Release};

/// Largest length of a request, in bytes.
const BODY: usize = 64 << 10;
/// Largest number of stanzas.
const STANZAS: usize = 16;
/// Largest length of the body of a stanza, and of its arguments together, in bytes.
const STANZA_LENGTH: usize = 512;
/// Largest number of arguments of a stanza. One of X25519 has two.
const ARGUMENTS: usize = 8;

/// The refusals of accounts and versions. They say no more.
pub(super) const NO_LEVEL: &str =
	"the account does not have the level read in the tenant at the last final block: its root or an \
	 admin gives it with `fabric key grant`";
pub(super) const OTHER_VERSION: &str =
	"the version is not one of the object in the tenant that is encrypted for this KMS";

/// Gives the key of a file to an account that may read, wrapped for its one-time recipient.
pub async fn unwrap(
	State(app): State<Arc<App>>,
	Client(client): Client,
	headers: HeaderMap,
	body: Body,
) -> Result<Json<Unwrapped>, Failure> {
	let signed = match access::read(&app, client, &headers) {
		Ok(signed) => signed,
		Err(refused) => {
			// A client that is still sending when the connection is closed may not see the answer.
			discard(body).await;
			return Err(refused);
		},
	};
	let request: UnwrapRequest = read_json(&app.bodies, client, &headers, body, BODY).await?;
	ensure_limits(&request)?;
	let signed = access::check(&app, client, signed, Some(request.recipient)).await?;
	// These last until somebody acts, so clients need not ask again.
	let refused = |status| move |reason: String| Failure::new(status, reason);
	signed.view.ensure_open().map_err(refused(StatusCode::FORBIDDEN))?;
	app.fabric.ensure_key(&signed.view).map_err(refused(StatusCode::CONFLICT))?;
	access::ensure_level(&signed, TenantLevel::Read, NO_LEVEL).await?;
	if let Some((object, version)) = request.object.zip(request.version) {
		if !signed.view.has(object, version).await.map_err(access::unknown)? {
			return Err(Failure::new(StatusCode::FORBIDDEN, OTHER_VERSION));
		}
	}
	let (version, block) = (request.version, signed.view.block);
	let keys = app.clone();
	let wrapping = tokio::task::spawn_blocking(move || wrap(&keys, &request));
	let (key, stanza) = wrapping.await.map_err(access::failed)??;
	if !app.receipts.write(Release { account: signed.account, version, block }).await {
		return Err(Failure::busy("the receipt of the key cannot be written"));
	}
	// Reading the chain, or writing, may have taken long.
	match signed.view.stalled() {
		Some(reason) => Err(Failure::busy(reason)),
		None => Ok(Json(Unwrapped { stanza, key, block })),
	}
}

/// Checks the limits of a request.
fn ensure_limits(request: &UnwrapRequest) -> Result<(), Failure> {
	let refused = |reason: String| Err(Failure::new(StatusCode::BAD_REQUEST, reason));
	let stanzas = request.stanzas.len();
	if !(1..=STANZAS).contains(&stanzas) {
		return refused(format!("`stanzas` has {stanzas} stanzas, expected 1 to {STANZAS}"));
	}
	for (number, stanza) in request.stanzas.iter().enumerate() {
		let args = stanza.args.len();
		if args > ARGUMENTS {
			return refused(format!(
				"`stanzas[{number}].args` has {args} arguments, expected at most {ARGUMENTS}"
			));
		}
		let (body, args) = (stanza.body.len(), stanza.args.iter().map(String::len).sum::<usize>());
		for (name, length) in [("body", body), ("args", args)] {
			if length > STANZA_LENGTH {
				return refused(format!(
					"`stanzas[{number}].{name}` has {length} bytes, expected at most {STANZA_LENGTH}"
				));
			}
		}
	}
	match (request.object, request.version) {
		(Some(_), None) => refused("`object` needs the `version` whose object it is".into()),
		(None, Some(_)) => refused("`version` needs its `object`".into()),
		_ => Ok(()),
	}
}

/// Wraps the file key of a request for its recipient. Returns the key for which the file is encrypted,
/// too.
fn wrap(app: &App, request: &UnwrapRequest) -> Result<(KmsKey, Stanza), Failure> {
	let (key, file_key) = app.identities.unwrap(&request.stanzas).ok_or_else(|| {
		let reason = "no stanza is for a key of this KMS";
		Failure::new(StatusCode::UNPROCESSABLE_ENTITY, reason)
	})?;
	let stanza = identity::wrap(&request.recipient, &file_key).ok_or_else(|| {
		let reason = "`recipient` is not a public key that has a secret one";
		Failure::new(StatusCode::BAD_REQUEST, reason)
	})?;
	Ok((key, stanza))
}

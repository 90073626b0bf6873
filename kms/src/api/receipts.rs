// SPDX-License-Identifier: Apache-2.0
//! Receipts: `GET /v1/receipts`.

use std::sync::Arc;

use axum::{
	extract::State,
	http::{HeaderMap, StatusCode, Uri},
	Json,
};
use content_fabric_client::kms::Receipts;
use content_fabric_http_server::{Client, Failure};
use content_fabric_primitives::TenantLevel;
use tracing::error;

use super::{access, App};

/// Number of receipts of a page, and the largest one.
const PAGE: (u64, u64) = (100, 1_000);
const NO_LEVEL: &str = "the account does not have the level admin in the tenant";

/// Reads the numbers `after` and `limit` of a query.
fn page(query: &str) -> Result<(u64, u64), String> {
	let (mut after, mut limit) = (None, None);
	for pair in query.split('&').filter(|pair| !pair.is_empty()) {
		let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
		let found = match name {
			"after" => &mut after,
			"limit" => &mut limit,
			_ => return Err("the query has other names than `after` and `limit`".into()),
		};
		let number = value.parse().map_err(|_| format!("`{name}` is not a number"))?;
		if found.replace(number).is_some() {
			return Err(format!("`{name}` is given twice"));
		}
	}
	let limit = limit.unwrap_or(PAGE.0);
	match (1..=PAGE.1).contains(&limit) {
		true => Ok((after.unwrap_or_default(), limit)),
		false => Err(format!("`limit` is {limit}, expected 1 to {}", PAGE.1)),
	}
}

/// Answers with a page of receipts.
pub async fn receipts(
	State(app): State<Arc<App>>,
	Client(client): Client,
	headers: HeaderMap,
	uri: Uri,
) -> Result<Json<Receipts>, Failure> {
	let signed = access::read(&app, client, &headers)?;
	let (after, limit) = page(uri.query().unwrap_or_default())
		.map_err(|reason| Failure::new(StatusCode::BAD_REQUEST, reason))?;
	let signed = access::check(&app, client, signed, None).await?;
	access::ensure_level(&signed, TenantLevel::Admin, NO_LEVEL).await?;
	let read = tokio::task::spawn_blocking(move || app.receipts.page(after, limit));
	let page = read.await.map_err(access::failed)?;
	page.map(Json).map_err(|reason| {
		error!("receipts cannot be read: {reason}");
		Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "the receipts cannot be read")
	})
}

// SPDX-License-Identifier: Apache-2.0
//! Forms of ids: objects with their tenant, and versions by their hash or their CID.

use content_fabric_identifiers::{Cid, ContentObjectPath, HashKind, TenantId, VersionId};
use serde_json::json;

use crate::{
	server::Server,
	world::{OBJECT, OTHER_TENANT, TENANT, VERSION},
};

fn with_tenant(tenant: TenantId) -> String {
	ContentObjectPath { tenant, object: OBJECT }.to_string()
}

#[tokio::test]
async fn an_object_is_found_by_its_id_with_its_tenant() {
	let server = Server::full().await;
	let (path, objects) = (with_tenant(TENANT), format!("/v1/tenants/{TENANT}/objects"));
	for rest in ["", "/versions", "/names", &format!("/versions/{VERSION}")] {
		let by_id = server.content(&format!("{objects}/{OBJECT}{rest}")).await;
		assert_eq!(server.content(&format!("{objects}/{path}{rest}")).await, by_id, "{rest}");
	}
	let item = server.item(&format!("{objects}/{OBJECT}")).await;
	assert_eq!(server.items(&format!("/v1/objects/{path}")).await, [item]);
	let other = format!("/v1/objects/{}", with_tenant(OTHER_TENANT));
	assert_eq!(server.fields(&other, "tenant").await, [OTHER_TENANT.to_string()]);
	let nobody = TenantId([77; 10]);
	assert!(server.items(&format!("/v1/objects/{}", with_tenant(nobody))).await.is_empty());
	let hits = server.items(&format!("/v1/search?q={path}")).await;
	assert_eq!((hits.len(), &hits[0]["kind"]), (1, &json!("object")));
}

#[tokio::test]
async fn an_object_of_another_tenant_is_refused() {
	let server = Server::full().await;
	let path = with_tenant(OTHER_TENANT);
	let call = format!("tenant={TENANT}&object={path}&version={VERSION}");
	for target in [
		format!("/v1/tenants/{TENANT}/objects/{path}"),
		format!("/v1/tenants/{TENANT}/objects/{path}/versions"),
		format!("/v1/tenants/{TENANT}/objects/{path}/versions/{VERSION}"),
		format!("/v1/tenants/{TENANT}/objects/{path}/names"),
		format!("/v1/calls/delete_version?{call}"),
		format!("/v1/calls/set_head_version?{call}"),
		format!("/v1/calls/delete_content_object?tenant={TENANT}&object={path}"),
	] {
		let answer = server.get(&target).await;
		assert_eq!(answer.status, 400, "{target}");
		let error = answer.json()["error"].take();
		assert_eq!(error["field"], "object", "{target}");
		let message = error["message"].as_str().unwrap_or_default().to_owned();
		assert!(
			message.starts_with(&format!("the content object {path} belongs to ")),
			"{message}"
		);
		assert!(message.ends_with(&format!(", not to {TENANT}")), "{message}");
	}
}

#[tokio::test]
async fn a_version_is_found_by_its_cid_and_not_by_one_of_another_kind_of_hash() {
	let server = Server::full().await;
	let [other, cid] = HashKind::ALL.map(|hash| Cid { hash, version: VERSION }.to_string());
	let versions = format!("/v1/tenants/{TENANT}/objects/{OBJECT}/versions");
	let item = server.item(&format!("{versions}/{VERSION}")).await;
	assert_eq!((&item["hash"], &item["cid"]), (&json!("sha256"), &json!(cid)));
	for path in ["/v1/versions/".to_owned(), format!("{versions}/")] {
		let by_id = server.content(&format!("{path}{VERSION}")).await;
		assert_eq!(server.content(&format!("{path}{cid}")).await, by_id, "{path}");
	}
	let hits = server.items(&format!("/v1/search?q={cid}")).await;
	assert_eq!((hits.len(), &hits[0]["kind"]), (2, &json!("version")));
	let found = (&hits[0]["id"], &hits[0]["title"]);
	assert_eq!(found, (&json!(VERSION.to_string()), &json!(cid)));
	let reason =
		format!("there is no version {other}: {VERSION} is a SHA-256 hash, so its CID is {cid}");
	for path in [
		format!("/v1/versions/{other}"),
		format!("{versions}/{other}"),
		format!("/v1/search?q={other}"),
	] {
		let answer = server.get(&path).await;
		assert_eq!(answer.status, 404, "{path}");
		let error = answer.json()["error"].take();
		assert_eq!((&error["kind"], &error["message"]), (&json!("not-found"), &json!(reason)));
	}
	// Nobody has this one by any kind of hash.
	let unknown = Cid { hash: HashKind::Blake3, version: VersionId([77; 32]) };
	assert!(server.items(&format!("/v1/versions/{unknown}")).await.is_empty());
	assert!(server.items(&format!("/v1/search?q={unknown}")).await.is_empty());
	// It is not the id of a content object, nor of a tenant.
	let hash = hex::encode(VERSION.0);
	for (text, found) in [(&cid, "the CID of a version"), (&hash, "a hash in hex")] {
		for (target, field, expected) in [
			(format!("/v1/objects/{text}"), "object", "a content object (iq__…, itq_…)"),
			(format!("/v1/tenants/{TENANT}/objects/{text}"), "object", "a content object"),
			(format!("/v1/tenants/{text}/objects"), "tenant", "a tenant (iten…)"),
		] {
			let error = server.get(&target).await.json()["error"].take();
			assert_eq!(error["field"], field, "{target}");
			let message = error["message"].as_str().unwrap_or_default();
			let start = format!("`{text}` is {found}, expected {expected}");
			assert!(message.starts_with(&start), "{message}");
		}
	}
	// A CID of version 0.
	let refused = "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG";
	let error = server.get(&format!("/v1/versions/{refused}")).await.json()["error"].take();
	assert_eq!(error["field"], "version");
	let message = error["message"].as_str().unwrap_or_default();
	assert!(
		message.contains("expected a CIDv1 of raw data with a BLAKE3 or SHA-256 hash"),
		"{message}"
	);
}

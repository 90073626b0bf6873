// SPDX-License-Identifier: Apache-2.0
//! Sizes, which may be larger than the numbers of JSON.

use content_fabric_identifiers::VersionId;
use serde_json::{json, Value as Json};

use crate::{
	server::Server,
	world::{OBJECT, TENANT},
};

/// The SHA-256 hash of no bytes, by `sha256sum`.
const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

fn version(hash: &str) -> VersionId {
	let mut bytes = [0; 32];
	hex::decode_to_slice(hash, &mut bytes).expect("it has 64 digits");
	VersionId(bytes)
}

#[tokio::test]
async fn sizes_are_text_and_exact_up_to_the_largest() {
	let mut server = Server::full().await;
	let sizes = [1, (1 << 53) + 1, u64::MAX];
	let id = |size: u64| VersionId([size.count_ones() as u8 + 100; 32]);
	for size in sizes {
		server.world.commit(TENANT, OBJECT, id(size), size);
	}
	server.seal();
	let versions = format!("/v1/tenants/{TENANT}/objects/{OBJECT}/versions");
	for size in sizes {
		let item = server.item(&format!("{versions}/{}", id(size))).await;
		assert_eq!(item["size"], size.to_string());
	}
	let document = server.json("/openapi.json").await;
	let schemas = &document["components"]["schemas"];
	for (schema, field) in [("Version", "size"), ("Status", "indexBytes"), ("Purge", "place")] {
		let kind = &schemas[schema]["properties"][field]["type"];
		assert!(kind == "string" || *kind == json!(["string", "null"]), "{schema}.{field}: {kind}");
	}
}

#[tokio::test]
async fn a_size_that_is_not_known_is_null() {
	let mut server = Server::full().await;
	let (unknown, empty) = (VersionId([44; 32]), version(EMPTY));
	for version in [unknown, empty] {
		server.world.commit(TENANT, OBJECT, version, 0);
	}
	server.seal();
	let versions = format!("/v1/tenants/{TENANT}/objects/{OBJECT}/versions");
	assert_eq!(server.item(&format!("{versions}/{unknown}")).await["size"], Json::Null);
	assert_eq!(server.item(&format!("{versions}/{empty}")).await["size"], "0");
}

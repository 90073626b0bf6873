// SPDX-License-Identifier: Apache-2.0
//! Times of records, which come from the chain, whatever their keys say.

use serde_json::json;

use crate::{
	server::Server,
	world::{muid, time, OBJECT, TENANT},
};

/// A TID of the year 2255, which sorts after all others.
const LATE: &str = "bzzzzzzzzzzzz";

#[tokio::test]
async fn a_key_that_says_another_time_changes_neither_time_nor_order() {
	let mut server = Server::full().await;
	server.world.put(TENANT, "runs", LATE, OBJECT, None);
	server.seal();
	server.world.put(TENANT, "runs", "2222222222222", OBJECT, None);
	server.seal();
	let records = format!("/v1/tenants/{TENANT}/collections/runs/records");
	let late = server.item(&format!("{records}/{LATE}")).await;
	assert_eq!(late["created"], muid(6).to_string());
	assert_eq!((&late["createdAt"], &late["updatedAt"]), (&json!(time(6)), &json!(time(6))));
	let keys = |query: String| {
		let target = format!("{records}{query}");
		let server = &server;
		async move { server.fields(&target, "key").await }
	};
	let newest = ["2222222222222", LATE, "3jzfcijpj2z2a"];
	assert_eq!(keys("?order=newest".into()).await, newest);
	assert_eq!(keys(format!("?since={}", time(6))).await, newest[..2]);
	assert_eq!(keys(format!("?since={}&until={}", time(6), time(7))).await, [LATE]);
	assert_eq!(keys(format!("?until={}", time(6))).await, newest[2..]);
}

#[tokio::test]
async fn a_record_keeps_its_creation_and_moves_to_the_front_when_it_is_put_again() {
	let mut server = Server::full().await;
	server.world.put(TENANT, "names", "Serde_json", OBJECT, None);
	server.seal();
	let records = format!("/v1/tenants/{TENANT}/collections/names/records");
	let record = server.item(&format!("{records}/Serde_json")).await;
	assert_eq!(record["created"], muid(4).with_offset(3).to_string());
	assert_eq!(record["updated"], muid(6).to_string());
	assert_eq!((&record["createdAt"], &record["updatedAt"]), (&json!(time(4)), &json!(time(6))));
	assert_eq!(record["putIn"], 6);
	let keys = server.fields(&format!("{records}?order=newest&limit=1"), "key").await;
	assert_eq!(keys, ["Serde_json"]);
}

// SPDX-License-Identifier: Apache-2.0
//! Answers of each path.

use content_fabric_client::{
	chain::{rows::PurgeScope, wall_clock},
	ids,
};
use content_fabric_identifiers::{ContentObjectId, ContentObjectPath, HashKind, NodeId, VersionId};
use content_fabric_indexer::rows::{RowKey, RowValue};
use serde_json::{json, Value as Json};

use crate::{
	server::Server,
	world::{
		account, copy, hash, muid, time, GENESIS, GONE, KMS, KMS_KEY, NODE, OBJECT, OTHER_SPACE,
		OTHER_TENANT, PROVIDER, SPACE, START, TENANT, VERSION,
	},
};

fn hex(bytes: [u8; 32]) -> String {
	format!("0x{}", hex::encode(bytes))
}

fn ss58(number: u8) -> String {
	account(number).to_string()
}

#[tokio::test]
async fn the_status_and_the_block_of_answers_are_those_of_the_last_block() {
	let server = Server::full().await;
	server.status.send_modify(|progress| {
		(progress.node_best, progress.node_finalized, progress.heard_at) = (9, 7, 42);
		progress.index_bytes = 4_096;
	});
	let begin = wall_clock() / 1_000;
	let mut answer = server.json("/v1/status").await;
	let age = answer["at"]["age"].take().as_u64().expect("it is a number");
	let ages = begin - time(5)..=wall_clock() / 1_000 - time(5);
	assert!(ages.contains(&age), "{age} is not in {ages:?}");
	let at = json!({ "number": 5, "hash": hex(hash(5)), "time": time(5), "age": null });
	assert_eq!(answer["at"], at);
	let point = json!({ "number": 5, "hash": hex(hash(5)), "time": time(5) });
	assert_eq!(
		answer["item"],
		json!({
			"chain": "Development", "genesis": hex(GENESIS), "token": "UNIT", "decimals": 12,
			"finalized": point,
			"node": { "best": 9, "finalized": 7, "connected": true, "begunAnew": false,
				"heardAt": 42 },
			"problem": null, "auditsPaused": null,
			"behind": 2, "bestAhead": 4, "historySince": null, "gaps": [], "specVersion": 7, "storageVersion": 4,
			"totals": {
				"spaces": 2, "providers": 1, "tenants": 2, "nodes": 1, "kmses": 1, "objects": 3,
				"versions": 3, "collections": 3, "records": 5, "keys": 3, "admissions": 1,
			},
			"purges": 0, "indexBytes": "4096", "version": env!("CARGO_PKG_VERSION"),
		})
	);
	assert_eq!(server.json("/v1/spaces").await["at"]["number"], 5);
	assert_eq!(server.json("/v1/search?q=serde").await["next"], Json::Null);
}

#[tokio::test]
async fn spaces_and_members_have_their_rules_and_amounts() {
	let server = Server::full().await;
	let space = json!({
		"id": SPACE.to_string(), "governor": ss58(1), "providerBond": "100", "tenantBond": "10",
		"admission": "approval", "partitions": 16, "sla": "<b>99 %</b>\n", "providerCount": 0,
		"tenantCount": 0, "admissionCount": 1, "created": muid(1).to_string(),
		"createdAt": time(1),
	});
	assert_eq!(server.item(&format!("/v1/spaces/{SPACE}")).await, space);
	for order in ["", "?order=id", "?order=age"] {
		let ids = server.fields(&format!("/v1/spaces{order}"), "id").await;
		assert_eq!(ids, [SPACE.to_string(), OTHER_SPACE.to_string()], "{order}");
	}
	let member = json!({
		"id": TENANT.to_string(), "role": "tenant", "space": SPACE.to_string(), "root": ss58(4),
		"nominee": ss58(5), "bond": "10", "requiredBond": "10", "deposits": "8", "held": "18",
		"maxHeld": "1000", "rowCount": 13,
		"rows": { "TenantKeys": 2, "Kmses": 1, "ContentObjects": 2, "Versions": 2,
			"Collections": 2, "Records": 4 },
		"suspended": false, "governanceDelete": false, "purge": null, "emptySince": null,
		"created": muid(2).to_string(), "createdAt": time(2),
	});
	assert_eq!(server.item(&format!("/v1/members/{TENANT}")).await, member);
	let [provider, tenant, other] =
		[PROVIDER.to_string(), TENANT.to_string(), OTHER_TENANT.to_string()];
	let members = format!("/v1/spaces/{SPACE}/members");
	for (query, expected) in [
		("", vec![&provider, &tenant, &other]),
		("?order=age", vec![&provider, &tenant, &other]),
		("?order=age&role=tenant", vec![&tenant, &other]),
		("?order=bond", vec![&provider, &other, &tenant]),
		("?order=rows", vec![&tenant, &other, &provider]),
		("?order=rows&role=provider", vec![&provider]),
		("?role=provider", vec![&provider]),
		("?order=bond&limit=1", vec![&provider]),
	] {
		let answer = server.json(&format!("{members}{query}")).await;
		let ids: Vec<_> = answer["items"].as_array().expect("a list").iter().collect();
		assert!(ids.iter().map(|item| &item["id"]).eq(expected), "{query}: {ids:?}");
		assert_eq!(answer["next"], Json::Null, "{query}");
	}
	assert!(server.items(&format!("/v1/spaces/{OTHER_SPACE}/members")).await.is_empty());
	let admissions = server.items(&format!("/v1/spaces/{SPACE}/admissions")).await;
	assert_eq!(admissions, [json!({ "account": ss58(9), "role": "tenant" })]);
	let keys = server.items(&format!("/v1/members/{TENANT}/keys")).await;
	let root = json!({ "account": ss58(4), "level": "root" });
	assert_eq!(keys, [root, json!({ "account": ss58(7), "level": "kms" })]);
	let keys = server.items(&format!("/v1/members/{PROVIDER}/keys")).await;
	assert_eq!(keys, [json!({ "account": ss58(3), "level": "root" })]);
}

#[tokio::test]
async fn nodes_and_kmses_have_their_operators_and_locators() {
	let server = Server::full().await;
	let node = json!({
		"id": NODE.to_string(), "provider": PROVIDER.to_string(), "operator": ss58(6),
		"pending": false, "locator": "/ip4/127.0.0.1", "medallion": "80000000000",
		"lastMuid": muid(1).to_string(), "deposit": "2", "audit": null,
	});
	let nodes = format!("/v1/providers/{PROVIDER}/nodes");
	assert_eq!(server.item(&format!("{nodes}/{NODE}")).await, node);
	assert_eq!(server.items(&nodes).await, std::slice::from_ref(&node));
	assert_eq!(server.items("/v1/nodes").await, [node]);
	let taken = server.items(&format!("{nodes}/{NODE}/versions")).await;
	assert_eq!(taken[0]["version"], VERSION.to_string());
	assert_eq!(taken[0]["committedAt"], time(5));
	assert_eq!(taken.len(), 3);
	let kmses = server.items(&format!("/v1/tenants/{TENANT}/kmses")).await;
	let kms = json!({ "id": KMS.to_string(), "tenant": TENANT.to_string(),
		"operator": ss58(8), "locator": "https://kms", "key": KMS_KEY.to_string(), "deposit": "4" });
	assert_eq!(kmses, std::slice::from_ref(&kms));
	assert_eq!(server.item(&format!("/v1/tenants/{TENANT}/kmses/{KMS}")).await, kms);
}

#[tokio::test]
async fn objects_versions_and_their_names_are_found() {
	let server = Server::full().await;
	let (tenant, version) = (TENANT.to_string(), VERSION.to_string());
	let object = json!({
		"id": OBJECT.to_string(), "tenant": tenant,
		"path": ContentObjectPath { tenant: TENANT, object: OBJECT }.to_string(),
		"head": version, "versionCount": 2, "deposit": "6", "created": muid(3).to_string(),
		"createdAt": time(3),
	});
	let objects = format!("/v1/tenants/{TENANT}/objects");
	let path = format!("{objects}/{OBJECT}");
	assert_eq!(server.item(&path).await, object);
	let first = ContentObjectId([1; 10]).to_string();
	assert_eq!(server.fields(&objects, "id").await, [first.clone(), OBJECT.to_string()]);
	let by_age = server.fields(&format!("{objects}?order=age"), "id").await;
	// They are of one time.
	assert_eq!(by_age, [first, OBJECT.to_string()]);
	let medallions = ["80000000000", "00000000007"];
	let copies = json!([
		{ "provider": PROVIDER.to_string(), "node": NODE.to_string(), "medallion": medallions[0],
		  "state": "held", "heldAt": time(5) },
		{ "provider": PROVIDER.to_string(), "node": GONE.to_string(), "medallion": medallions[1],
		  "state": "gone", "heldAt": null },
	]);
	let item = json!({
		"id": version, "hash": "sha256", "cid": "bafkreiajbeeqscijbeeqscijbeeqscijbeeqscijbeeqscijbeeqscijbe", "tenant": tenant,
		"object": OBJECT.to_string(), "isLost": false, "copies": copies, "kms": KMS.to_string(),
		"muid": muid(5).to_string(), "size": "78", "committed": muid(5).to_string(),
		"committedAt": time(5), "finalizedAt": time(5), "setHeadOnFinalize": true, "isHead": true,
		"deposit": "8",
	});
	assert_eq!(server.item(&format!("{path}/versions/{version}")).await, item);
	assert_eq!(server.item(&format!("{path}/versions/{}", hex(VERSION.0))).await, item);
	let old = VersionId([10; 32]).to_string();
	let newest = server.fields(&format!("{path}/versions"), "id").await;
	assert_eq!(newest, [version.clone(), old.clone()]);
	let oldest = server.items(&format!("{path}/versions?order=oldest")).await;
	assert_eq!((&oldest[0]["id"], &oldest[0]["isHead"]), (&json!(old), &json!(false)));
	assert_eq!(oldest[1], item);
	// Those that name the object come before those that name a version.
	let names = server.fields(&format!("{path}/names"), "key").await;
	assert_eq!(names, ["Serde_json", "serde", "3jzfcijpj2z2a", "serde:1.0.228"]);

	let tenants = server.fields(&format!("/v1/objects/{OBJECT}"), "tenant").await;
	assert_eq!(tenants, [tenant.clone(), OTHER_TENANT.to_string()]);
	assert!(server.items(&format!("/v1/objects/{}", ContentObjectId([77; 10]))).await.is_empty());
	let name =
		|collection: &str, key: &str| json!({ "collection": collection, "key": key, "name": key });
	let reference = |tenant: &str, number: u64, names: Vec<Json>| {
		json!({ "tenant": tenant, "object": OBJECT.to_string(), "version": version,
			"committedAt": time(number), "names": names })
	};
	let names = vec![
		name("names", "serde:1.0.228"),
		name("names", "Serde_json"),
		name("names", "serde"),
		name("runs", "3jzfcijpj2z2a"),
	];
	let expected = [
		reference(&tenant, 5, names),
		reference(&OTHER_TENANT.to_string(), 4, vec![name("names", "serde")]),
	];
	assert_eq!(server.items(&format!("/v1/versions/{version}")).await, expected);
	assert_eq!(server.items(&format!("/v1/versions/{}", hex(VERSION.0))).await, expected);
}

/// Returns whether a version is lost, and the states of its copies.
async fn copies_of(server: &Server, version: VersionId) -> (bool, Vec<String>) {
	let versions = format!("/v1/tenants/{TENANT}/objects/{OBJECT}/versions");
	let item = server.item(&format!("{versions}/{version}")).await;
	let listed = server.items(&versions).await;
	assert!(listed.contains(&item), "{listed:?}");
	let copies = item["copies"].as_array().expect("it is a list");
	let states = copies.iter().map(|copy| copy["state"].as_str().unwrap_or_default().to_owned());
	(item["isLost"].as_bool().expect("it is said"), states.collect())
}

fn states(states: &[&str]) -> Vec<String> {
	states.iter().map(|state| (*state).to_owned()).collect()
}

#[tokio::test]
async fn a_final_version_is_lost_while_no_node_holds_it() {
	let mut server = Server::full().await;
	let other = NodeId([41; 10]);
	assert_eq!(copies_of(&server, VERSION).await, (false, states(&["held", "gone"])));
	server.world.remove_node(NODE);
	server.seal();
	assert_eq!(copies_of(&server, VERSION).await, (true, states(&["gone", "gone"])));
	// Another node has the id.
	server.world.create_node(NODE, 50, "/ip4/127.0.0.1", false);
	server.seal();
	assert_eq!(copies_of(&server, VERSION).await, (true, states(&["gone", "gone"])));
	server.world.create_node(other, 60, "/ip4/127.0.0.1", false);
	server.world.ask_copy(TENANT, OBJECT, VERSION, copy(other, 60, None));
	server.seal();
	assert_eq!(copies_of(&server, VERSION).await, (true, states(&["gone", "gone", "asked"])));
	server.world.hold_copy(TENANT, OBJECT, VERSION, other);
	server.seal();
	assert_eq!(copies_of(&server, VERSION).await, (false, states(&["gone", "gone", "held"])));
	// A version that is not final has not been held yet.
	let draft = VersionId([44; 32]);
	let asked = vec![copy(GONE, 7, None)];
	server.world.hold(TENANT, OBJECT, draft, (HashKind::Sha256, 78), asked);
	match server.world.rows.get_mut(&RowKey::Version(TENANT, OBJECT, draft)) {
		Some(RowValue::Version(row)) => row.finalized = None,
		_ => panic!("the version exists"),
	}
	server.seal();
	assert_eq!(copies_of(&server, draft).await, (false, states(&["gone"])));
	server.world.delete_member(PROVIDER.into());
	server.seal();
	assert_eq!(copies_of(&server, VERSION).await, (true, states(&["gone", "gone", "gone"])));
}

#[tokio::test]
async fn collections_and_records_are_found_in_their_orders() {
	let server = Server::full().await;
	let tenant = TENANT.to_string();
	let collection = json!({ "name": "names", "tenant": tenant, "keyType": "any",
		"syntax": "path-segment", "recordCount": 3, "deposit": "9" });
	let collections = format!("/v1/tenants/{TENANT}/collections");
	assert_eq!(server.item(&format!("{collections}/names")).await, collection);
	assert_eq!(server.fields(&collections, "name").await, ["names", "runs"]);
	assert_eq!(server.fields(&collections, "keyType").await, ["any", "tid"]);

	let records = format!("{collections}/names/records");
	let keys = |query: &str| server.fields_of(format!("{records}{query}"));
	assert_eq!(keys("").await, ["Serde_json", "serde", "serde:1.0.228"]);
	assert_eq!(keys("?prefix=serde").await, ["serde", "serde:1.0.228"]);
	assert_eq!(keys("?prefix=serde:").await, ["serde:1.0.228"]);
	assert_eq!(keys("?order=key&prefix=").await.len(), 3);
	assert_eq!(keys("?order=newest").await, ["serde", "serde:1.0.228", "Serde_json"]);
	let (fourth, fifth) = (time(4), time(5));
	assert_eq!(keys(&format!("?since={fifth}")).await, ["serde", "serde:1.0.228"]);
	assert_eq!(keys(&format!("?until={fifth}&order=newest")).await, ["Serde_json"]);
	assert_eq!(keys(&format!("?since={fourth}&until={fifth}")).await, ["Serde_json"]);

	// The second event of its block.
	let put = muid(5).with_offset(2);
	let mut record = json!({
		"tenant": tenant, "collection": "names", "key": "serde:1.0.228",
		"name": "serde:1.0.228",
		"uri": format!("fabric:/{TENANT}/names/serde:1.0.228"), "object": OBJECT.to_string(),
		"version": VERSION.to_string(), "deposit": "11", "created": put.to_string(),
		"createdAt": fifth, "updated": put.to_string(), "updatedAt": fifth, "putIn": 5,
	});
	assert_eq!(server.items(&format!("{records}?prefix=serde:")).await, [record.clone()]);
	let path = format!("/v1/tenants/{TENANT}/objects/{OBJECT}/versions/{VERSION}");
	record["resolved"] = server.item(&path).await;
	assert_eq!(server.item(&format!("{records}/serde:1.0.228")).await, record);
	assert_eq!(server.item(&format!("{records}/serde%3A1%2E0.228")).await, record);
	let run = server.item(&format!("{collections}/runs/records/3jzfcijpj2z2a")).await;
	assert_eq!((&run["version"], &run["putIn"]), (&Json::Null, &json!(5)));
	assert_eq!(run["resolved"]["id"], VERSION.to_string());
	// The time comes from the put, and not from the TID.
	assert_eq!((&run["createdAt"], &run["updatedAt"]), (&json!(fifth), &json!(fifth)));
}

impl Server {
	async fn fields_of(&self, target: String) -> Vec<String> {
		self.fields(&target, "key").await
	}
}

#[tokio::test]
async fn names_are_found_by_prefix_and_by_words() {
	let server = Server::full().await;
	let keys = |query: &str| server.fields_of(format!("/v1/names?{query}"));
	let all = ["serde", "serde", "serde:1.0.228", "Serde_json"];
	assert_eq!(keys("prefix=serd").await, all);
	assert_eq!(keys("prefix=SERD").await, all);
	assert_eq!(keys("prefix=serde_").await, ["Serde_json"]);
	assert_eq!(keys("words=json%20serde").await, ["Serde_json"]);
	assert_eq!(keys("words=serde+228+1").await, ["serde:1.0.228"]);
	assert_eq!(keys("words=serde%09%20228").await, ["serde:1.0.228"]);
	assert_eq!(keys("words=serde").await.len(), 4);
	assert!(keys("words=serde+jso").await.is_empty());
	let tenants =
		server.fields(&format!("/v1/names?words=serde&tenant={OTHER_TENANT}"), "tenant").await;
	assert_eq!(tenants, [OTHER_TENANT.to_string()]);
	assert_eq!(keys(&format!("prefix=&tenant={OTHER_TENANT}")).await, ["serde"]);
	assert_eq!(keys(&format!("prefix=s&space={SPACE}")).await, all);
	assert!(keys(&format!("prefix=s&space={OTHER_SPACE}")).await.is_empty());
	assert!(keys(&format!("words=serde&space={OTHER_SPACE}")).await.is_empty());
}

#[tokio::test]
async fn records_with_escapes_in_their_keys_are_found_by_their_names() {
	let mut server = Server::full().await;
	let keys = ["g~2b~2b:1.0~rc1", "1.0~rc1"];
	for key in keys {
		server.world.put(TENANT, "names", key, OBJECT, None);
	}
	server.seal();
	let found = server.items("/v1/names?prefix=G%2B%2B:1.0~rc").await;
	assert_eq!((&found[0]["key"], &found[0]["name"]), (&json!(keys[0]), &json!("g++:1.0~rc1")));
	assert_eq!(found.len(), 1);
	assert_eq!(server.fields("/v1/names?words=g%2B%2B+rc1", "key").await, [keys[0]]);
	assert!(server.items("/v1/names?prefix=g~2b").await.is_empty());
	// This key is a name.
	assert_eq!(server.fields("/v1/names?prefix=1.0~rc", "name").await, [keys[1]]);

	let records = format!("/v1/tenants/{TENANT}/collections/names/records");
	assert_eq!(server.fields(&format!("{records}?prefix=g%2B"), "key").await, [keys[0]]);
	for path in ["g%2B%2B:1.0~rc1", keys[0]] {
		assert_eq!(server.item(&format!("{records}/{path}")).await["name"], "g++:1.0~rc1");
	}
	// Texts are escaped by the syntax of the collection.
	server.world.create_unreserved(TENANT, "people");
	server.world.put(TENANT, "people", "did~3aplc~3aa", OBJECT, None);
	server.seal();
	let people = format!("/v1/tenants/{TENANT}/collections/people/records");
	assert_eq!(server.item(&format!("{people}/did:plc:a")).await["name"], "did:plc:a");
	assert_eq!(server.fields(&format!("{people}?prefix=did:"), "name").await, ["did:plc:a"]);
	assert_eq!(server.fields("/v1/names?prefix=did:plc", "key").await, ["did~3aplc~3aa"]);
	// A key that may be an escape is the name that its object has.
	let object = ids::content_object(TENANT, "apt");
	server.world.put(TENANT, "names", "apt:1.0~20230101", object, None);
	server.seal();
	let found = server.fields("/v1/names?prefix=apt:1.0~2023", "name").await;
	assert_eq!(found, ["apt:1.0~20230101"]);
	// A text that is a key is its own key.
	server.world.put(TENANT, "names", "g~7e2b", OBJECT, None);
	server.seal();
	assert_eq!(server.get(&format!("{records}/g~2b")).await.status, 404);
	assert_eq!(server.item(&format!("{records}/g~7e2b")).await["name"], "g~7e2b");
	let hits = server.items("/v1/search?q=g%2B%2B:1.0~rc1").await;
	assert_eq!((&hits[0]["kind"], &hits[0]["title"]), (&json!("record"), &json!("g++:1.0~rc1")));
}

#[tokio::test]
async fn accounts_have_roles_with_amounts() {
	let server = Server::full().await;
	let role = |member: String, kind: &str, role: &str, amounts: Option<[&str; 3]>| {
		let [held, bond, deposits] =
			amounts.map_or([Json::Null, Json::Null, Json::Null], |all| all.map(Json::from));
		json!({ "member": member, "kind": kind, "role": role, "held": held, "bond": bond,
			"deposits": deposits })
	};
	let tenant = TENANT.to_string();
	for (number, roles) in [
		(1, vec![role(SPACE.to_string(), "space", "governor", None)]),
		(3, vec![role(PROVIDER.to_string(), "provider", "root", Some(["108", "100", "8"]))]),
		(
			4,
			vec![
				// Its key of the highest level says nothing new.
				role(tenant.clone(), "tenant", "root", Some(["18", "10", "8"])),
				role(OTHER_TENANT.to_string(), "tenant", "root", Some(["28", "20", "8"])),
			],
		),
		(5, vec![role(tenant.clone(), "tenant", "nominee", None)]),
		(6, vec![role(NODE.to_string(), "node", "operator", None)]),
		(7, vec![role(tenant, "tenant", "kms", None)]),
		(8, vec![role(KMS.to_string(), "kms", "operator", None)]),
		(99, vec![]),
	] {
		let account = ss58(number);
		let expected = json!({ "account": account, "roles": roles, "more": false });
		assert_eq!(server.item(&format!("/v1/accounts/{account}")).await, expected);
	}
}

#[tokio::test]
async fn events_are_found_by_what_they_are_about() {
	let server = Server::full().await;
	let events = server.items("/v1/events").await;
	assert_eq!(events.len(), 27);
	let event = json!({
		"id": format!("5-{}-1", hex(hash(5))), "block": 5, "blockHash": hex(hash(5)),
		"time": time(5), "index": 1, "extrinsic": 1, "name": "VersionCommitted",
		"fields": { "version": VERSION.to_string(), "a": 1 }, "signer": ss58(1),
		"extrinsicHash": format!("0x{}", "cd".repeat(32)), "via": ["council"],
	});
	assert_eq!(events[5], event);
	// Fields keep their order.
	let text = String::from_utf8(server.get("/v1/events").await.body).expect("JSON is text");
	assert!(text.contains(&format!("{{\"version\":\"{VERSION}\",\"a\":1}}")), "{text}");
	let path = ContentObjectPath { tenant: TENANT, object: OBJECT };
	for (target, expected) in [
		(
			format!("/v1/history/{SPACE}"),
			vec!["TenantCreated", "TenantCreated", "ProviderCreated", "Admitted", "SpaceCreated"],
		),
		(format!("/v1/history/{SPACE}?order=oldest&limit=2"), vec!["SpaceCreated", "Admitted"]),
		(
			format!("/v1/history/{PROVIDER}?order=oldest&limit=3"),
			vec!["ProviderCreated", "ProviderKeySet", "NodeCreated"],
		),
		(format!("/v1/history/{NODE}?limit=1"), vec!["VersionCommitted"]),
		(format!("/v1/history/{KMS}"), vec!["KmsAdded"]),
		(
			format!("/v1/history/{path}"),
			vec!["VersionCommitted", "VersionCommitted", "ContentObjectCreated"],
		),
		(
			format!("/v1/history/{}", ss58(4)),
			vec!["TenantKeySet", "TenantCreated", "TenantCreated"],
		),
		(format!("/v1/history/{}", ss58(99)), vec![]),
		(
			"/v1/governance".into(),
			vec!["Suspended", "RootNominated", "SpaceCreated", "Admitted", "SpaceCreated"],
		),
		(
			format!("/v1/governance?space={SPACE}"),
			vec!["Suspended", "RootNominated", "Admitted", "SpaceCreated"],
		),
		(format!("/v1/governance?space={OTHER_SPACE}"), vec!["SpaceCreated"]),
		(format!("/v1/governance?member={OTHER_TENANT}"), vec!["Suspended"]),
		(format!("/v1/governance?member={TENANT}"), vec!["RootNominated"]),
	] {
		assert_eq!(server.fields(&target, "name").await, expected, "{target}");
	}
}

#[tokio::test]
async fn events_by_signer_are_found_in_order_even_if_they_do_not_name_it() {
	let mut server = Server::full().await;
	let signed = |number: u8, query: &str| format!("/v1/accounts/{}/signed{query}", ss58(number));
	// It is named by events, and has signed nothing.
	assert!(server.items(&signed(4, "")).await.is_empty());
	assert_eq!(server.items(&signed(1, "")).await, server.items("/v1/events").await);
	server.world.signer = account(4);
	server.world.put(TENANT, "names", "a", OBJECT, None);
	server.world.suspend(OTHER_TENANT.into());
	server.seal();
	server.world.signer = account(98);
	server.world.delete_record(TENANT, "names", "a");
	server.seal();
	for (target, expected) in [
		(signed(4, ""), vec!["Suspended", "RecordPut"]),
		(signed(4, "?order=oldest"), vec!["RecordPut", "Suspended"]),
		(signed(4, &format!("?member={TENANT}")), vec!["RecordPut"]),
		(signed(4, &format!("?member={PROVIDER}")), vec![]),
		(signed(98, ""), vec!["RecordDeleted"]),
		// The feed and the history of what events name do not change.
		(format!("/v1/history/{}", ss58(98)), vec![]),
	] {
		assert_eq!(server.fields(&target, "name").await, expected, "{target}");
	}
	assert!(server.items(&signed(4, "")).await.iter().all(|event| event["signer"] == ss58(4)));
}

#[tokio::test]
async fn blocks_are_found_by_number_and_by_hash() {
	let mut server = Server::full().await;
	server.seal();
	let by_number = server.item("/v1/blocks/5").await;
	assert_eq!(server.item(&format!("/v1/blocks/{}", hex(hash(5)))).await, by_number);
	assert_eq!(by_number["events"].as_array().map(Vec::len), Some(6));
	let empty = json!({ "number": 6, "hash": hex(hash(6)), "parent": hex(hash(5)),
		"time": time(6), "specVersion": 7, "events": [], "moreEvents": false });
	assert_eq!(server.item("/v1/blocks/6").await, empty);
}

#[tokio::test]
async fn a_block_has_its_first_events_and_a_list_of_all() {
	let mut server = Server::full().await;
	let whole = server.item("/v1/blocks/5").await;
	assert_eq!(whole["moreEvents"], false);
	let items = server.items("/v1/blocks/5/events").await;
	assert_eq!(whole["events"], json!(items));
	for number in 0..257 {
		server.world.put(TENANT, "names", &format!("many{number:03}"), OBJECT, None);
	}
	server.seal();
	server.seal();
	let first = server.item("/v1/blocks/6").await;
	assert_eq!(
		(first["events"].as_array().map(Vec::len), &first["moreEvents"]),
		(Some(256), &json!(true))
	);
	let mut target = "/v1/blocks/6/events?limit=100".to_owned();
	let mut keys = Vec::new();
	for expected in [100, 100, 57] {
		let page = server.json(&target).await;
		let items = page["items"].as_array().expect("it is a list");
		assert_eq!(items.len(), expected);
		keys.extend(items.iter().map(|event| event["fields"]["key"].clone()));
		let cursor = page["next"].as_str().unwrap_or_default();
		target = format!("/v1/blocks/6/events?limit=100&cursor={cursor}");
		assert_eq!(cursor.is_empty(), expected < 100);
	}
	assert_eq!(keys, (0..257).map(|number| json!(format!("many{number:03}"))).collect::<Vec<_>>());
	let by_hash = server.items(&format!("/v1/blocks/{}/events?limit=1", hex(hash(6)))).await;
	assert_eq!(by_hash[0]["fields"]["key"], "many000");
	assert!(server.items("/v1/blocks/7/events").await.is_empty());
}

#[tokio::test]
async fn totals_are_those_of_hours_in_which_something_changed() {
	let server = Server::full().await;
	let all = server.items("/v1/totals").await;
	assert_eq!(all, [json!({ "hour": START, "rows": 25, "commits": 3, "members": 3 })]);
	let one = server.items(&format!("/v1/spaces/{SPACE}/totals?hours=1")).await;
	assert_eq!(one, [json!({ "hour": START, "rows": 24, "commits": 3, "members": 3 })]);
}

#[tokio::test]
async fn purges_have_their_rate() {
	let mut server = Server::full().await;
	server.world.start_purge(TENANT.into(), 1_000, PurgeScope::Member);
	server.seal();
	let mut purge = json!({
		"member": TENANT.to_string(), "role": "tenant", "space": SPACE.to_string(),
		"scope": "member", "rows": 1_000, "rowsLeft": 1_000, "startedIn": 6, "place": "0",
		"rate": null, "blocksLeft": null,
	});
	assert_eq!(server.items("/v1/purges").await, [purge.clone()]);
	server.world.progress_purge(TENANT.into(), 700);
	server.seal();
	server.seal();
	purge["rowsLeft"] = json!(700);
	purge["rate"] = json!(150.0);
	purge["blocksLeft"] = json!(5);
	assert_eq!(server.items("/v1/purges").await, [purge]);
	assert_eq!(server.item("/v1/status").await["purges"], 1);
	assert_eq!(server.item(&format!("/v1/members/{TENANT}")).await["purge"], "member");
}

#[tokio::test]
async fn anything_is_found_by_the_search() {
	let server = Server::full().await;
	let path = ContentObjectPath { tenant: TENANT, object: OBJECT };
	let object = format!("/tenants/{TENANT}/objects/{OBJECT}");
	for (query, kind, page) in [
		(SPACE.to_string(), "space", format!("/spaces/{SPACE}")),
		(PROVIDER.to_string(), "provider", format!("/members/{PROVIDER}")),
		(TENANT.to_string(), "tenant", format!("/members/{TENANT}")),
		(NODE.to_string(), "node", format!("/providers/{PROVIDER}/nodes/{NODE}")),
		(KMS.to_string(), "kms", format!("/tenants/{TENANT}/kmses/{KMS}")),
		(path.to_string(), "object", object.clone()),
		(ss58(99), "account", format!("/accounts/{}", ss58(99))),
		("3".into(), "block", "/blocks/3".into()),
		(hex(hash(3)), "block", "/blocks/3".into()),
		("runs".into(), "collection", format!("/tenants/{TENANT}/collections/runs")),
		(
			format!("fabric:/{TENANT}/names/serde:1.0.228"),
			"record",
			format!("/tenants/{TENANT}/collections/names/records/serde%3A1.0.228"),
		),
		(
			VersionId([10; 32]).to_string(),
			"version",
			format!("{object}/versions/{}", VersionId([10; 32])),
		),
	] {
		let hits = server.items(&format!("/v1/search?q={query}")).await;
		assert_eq!((&hits[0]["kind"], &hits[0]["path"]), (&json!(kind), &json!(page)), "{query}");
		let names_it = hits[0]["id"] == json!(query) || hits[0]["title"] == json!(query);
		assert!(names_it, "{query}: {}", hits[0]);
	}
	let server = &server;
	let kinds = |query: &str| {
		let target = format!("/v1/search?q={query}");
		async move { server.fields(&target, "kind").await }
	};
	assert_eq!(kinds(&OBJECT.to_string()).await, ["object", "object"]);
	assert_eq!(kinds(&hex(VERSION.0)).await, ["version", "version"]);
	let titles = server.fields("/v1/search?q=%20serde%20", "title").await;
	assert_eq!(titles, ["serde", "serde", "serde:1.0.228", "Serde_json"]);
	let titles = server.fields("/v1/search?q=json%20serde", "title").await;
	assert_eq!(titles, ["Serde_json"]);
	for nothing in ["no-such", "ispc1111111111", "0x00", "99", "iten1111111111"] {
		assert!(kinds(nothing).await.is_empty(), "{nothing}");
	}
}

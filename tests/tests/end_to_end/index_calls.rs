// SPDX-License-Identifier: Apache-2.0
//! Calls that the index encodes, and a node executes.

use content_fabric_client::ids;
use content_fabric_tests::{
	client::signer,
	indexer::{settled, Indexer},
	lockfile::{synthetic, CRATES_IO},
	process::{fabric_json, write, Node},
	raw::Raw,
	upgrade::calls_by_name::Sender,
};

/// Returns a call as the index encodes it.
fn encoded(index: &Indexer, query: &str) -> Vec<u8> {
	let answer = index.get(&format!("/v1/calls/{query}"));
	let name = query.split('?').next().unwrap_or_default().replace("_record", "_records");
	assert_eq!(answer["item"]["name"], format!("ContentFabric.{name}"));
	let hex = answer["item"]["call"].as_str().and_then(|call| call.strip_prefix("0x"));
	hex::decode(hex.expect("calls are marked")).expect("it is hex")
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_that_the_index_encodes_are_executed() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let lockfile = write(dir.path(), "Cargo.lock", &synthetic(20));
	let node = Node::start(&dir.path().join("chain"), &[]);
	let raw = Raw::connect(&node.url).await;
	fabric_json(&node.url, &["publish", &lockfile]);
	let index = Indexer::start(&node.url, &dir.path().join("index"), &[]);
	index.wait_for_final(settled(&raw).await);

	let (space, tenant) = (ids::space("cargo"), ids::tenant(ids::space("cargo"), CRATES_IO));
	let item = |path: &str, field: &str| {
		index.list(path)[0][field].as_str().expect("the field is text").to_owned()
	};
	let provider = item(&format!("/v1/spaces/{space}/members?role=provider"), "id");
	let node_id = item(&format!("/v1/providers/{provider}/nodes"), "id");
	let object = item(&format!("/v1/tenants/{tenant}/objects"), "id");
	let version = item(&format!("/v1/tenants/{tenant}/objects/{object}/versions"), "id");
	let records = format!("/v1/tenants/{tenant}/collections/names/records");
	let key = item(&records, "key");

	let owner = Sender::connect(&node.url, signer("//Charlie")).await;
	let of_object = format!("tenant={tenant}&object={object}");
	for query in [
		format!("purge_member?member={tenant}"),
		format!("delete_member?member={provider}"),
		format!("reap?member={tenant}&limit=70000"),
		format!("confirm_node?provider={provider}&node={node_id}"),
		format!("remove_node?provider={provider}&node={node_id}"),
		format!("set_head_version?{of_object}&version={version}"),
		format!("delete_version?{of_object}&version={version}"),
		format!("delete_content_object?{of_object}"),
		format!("delete_collection?tenant={tenant}&collection=names"),
		format!("set_governance_delete?member={provider}&enabled=false"),
		format!("governance_delete?member={tenant}&slash=340282366920938463463374607431768211455"),
	] {
		owner.decode(&encoded(&index, &query)).await;
	}

	let query = format!("delete_record?tenant={tenant}&collection=names&key={key}");
	let delete = owner.decode(&encoded(&index, &query)).await;
	owner.send(&[delete]).await;
	let governor = Sender::connect(&node.url, signer("//Alice")).await;
	let query = format!("set_suspended?member={tenant}&enabled=true&reason=late+%26+l%C3%A4ngst");
	let suspend = governor.decode(&encoded(&index, &query)).await;
	governor.send(&[suspend]).await;
	index.wait_for_final(settled(&raw).await);
	assert_eq!(index.ask(&format!("{records}/{key}")).0, 404);
	let member = index.get(&format!("/v1/members/{tenant}"));
	assert_eq!(member["item"]["suspended"], true);
	let events = index.list(&format!("/v1/governance?member={tenant}"));
	assert_eq!(events[0]["fields"]["reason"], "late & l\u{e4}ngst", "{}", events[0]);
}

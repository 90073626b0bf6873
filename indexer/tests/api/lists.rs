// SPDX-License-Identifier: Apache-2.0
//! Pages and cursors, and rows of members that are gone.

use content_fabric_client::chain::rows::PurgeScope;
use content_fabric_identifiers::{ContentObjectId, TenantId};
use serde_json::Value as Json;

use crate::{
	server::Server,
	world::{account, time, KMS, NODE, OBJECT, OTHER_TENANT, PROVIDER, SPACE, TENANT, VERSION},
};

/// Returns all lists with pages, of a full server.
fn lists() -> Vec<String> {
	let tenant = format!("/v1/tenants/{TENANT}");
	let object = format!("{tenant}/objects/{OBJECT}");
	let records = format!("{tenant}/collections/names/records");
	vec![
		"/v1/spaces".into(),
		"/v1/spaces?order=age".into(),
		format!("/v1/spaces/{SPACE}/members"),
		format!("/v1/spaces/{SPACE}/members?role=tenant"),
		format!("/v1/spaces/{SPACE}/members?order=age"),
		format!("/v1/spaces/{SPACE}/members?order=age&role=tenant"),
		format!("/v1/spaces/{SPACE}/admissions"),
		format!("/v1/members/{TENANT}/keys"),
		"/v1/nodes".into(),
		format!("/v1/providers/{PROVIDER}/nodes"),
		format!("/v1/providers/{PROVIDER}/nodes/{NODE}/versions"),
		format!("{tenant}/kmses"),
		format!("{tenant}/objects"),
		format!("{tenant}/objects?order=age"),
		format!("{object}/versions"),
		format!("{object}/versions?order=oldest"),
		format!("{object}/names"),
		format!("{tenant}/collections"),
		records.clone(),
		format!("{records}?prefix=serde"),
		format!("{records}?order=newest"),
		format!("{records}?since={}&until={}", time(4), time(6)),
		format!("/v1/objects/{OBJECT}"),
		format!("/v1/versions/{VERSION}"),
		"/v1/copies?state=missing".into(),
		format!("/v1/copies?state=missing&tenant={TENANT}"),
		"/v1/names?prefix=s".into(),
		"/v1/names?words=serde".into(),
		"/v1/names?words=serde%201".into(),
		format!("/v1/names?words=serde&tenant={TENANT}"),
		format!("/v1/history/{SPACE}"),
		format!("/v1/history/{SPACE}?order=oldest"),
		format!("/v1/history/{}", account(4)),
		format!("/v1/accounts/{}/signed", account(1)),
		format!("/v1/accounts/{}/signed?order=oldest&member={TENANT}", account(1)),
		"/v1/governance".into(),
		"/v1/events".into(),
		"/v1/blocks/5/events".into(),
		"/v1/purges".into(),
	]
}

fn with(target: &str, query: &str) -> String {
	let mark = if target.contains('?') { '&' } else { '?' };
	format!("{target}{mark}{query}")
}

/// Reads a list page by page.
async fn paged(server: &Server, target: &str, limit: usize) -> Vec<Json> {
	let mut items = Vec::new();
	let mut query = format!("limit={limit}");
	for _ in 0..100 {
		let mut page = server.json(&with(target, &query)).await;
		let Json::Array(found) = page["items"].take() else { panic!("{target} is not a list") };
		assert!(found.len() <= limit, "{target}");
		items.extend(found);
		match &page["next"] {
			Json::String(cursor) => query = format!("limit={limit}&cursor={cursor}"),
			_ => return items,
		}
	}
	panic!("{target} does not end");
}

#[tokio::test]
async fn pages_make_up_the_whole_list_in_every_order() {
	let mut server = Server::full().await;
	for name in ["a", "b"] {
		server.world.start_purge(OTHER_TENANT.into(), 3, PurgeScope::Rows);
		server.world.put(TENANT, "names", name, OBJECT, None);
		server.seal();
	}
	for target in lists() {
		let whole = server.items(&target).await;
		assert!(!whole.is_empty(), "{target}");
		for limit in [1, 2] {
			assert_eq!(paged(&server, &target, limit).await, whole, "{target} by {limit}");
		}
	}
}

#[tokio::test]
async fn a_cursor_goes_on_after_its_place_even_if_the_row_is_gone() {
	let mut server = Server::full().await;
	let target = format!("/v1/tenants/{TENANT}/collections/names/records");
	let first = server.json(&format!("{target}?limit=2")).await;
	let cursor = first["next"].as_str().expect("there is more");
	server.world.delete_record(TENANT, "names", "serde");
	server.world.put(TENANT, "names", "serde:", OBJECT, None);
	server.seal();
	let rest = server.fields(&format!("{target}?cursor={cursor}"), "key").await;
	assert_eq!(rest, ["serde:", "serde:1.0.228"]);
}

#[tokio::test]
async fn a_cursor_belongs_to_its_path_and_order() {
	let server = Server::full().await;
	let server = &server;
	let next = |target: String| async move {
		let page = server.json(&with(&target, "limit=1")).await;
		page["next"].as_str().expect("there is more").to_owned()
	};
	let spaces = next("/v1/spaces".into()).await;
	let names = next("/v1/names?prefix=s".into()).await;
	for target in [
		format!("/v1/spaces?order=age&cursor={spaces}"),
		format!("/v1/purges?cursor={spaces}"),
		format!("/v1/spaces/{SPACE}/members?cursor={spaces}"),
		format!("/v1/names?words=serde&cursor={names}"),
		// Cut off, of another version, and of no index.
		format!("/v1/spaces?cursor={}", &spaces[1..]),
		format!("/v1/spaces?cursor={}", &spaces[..8]),
		format!("/v1/spaces?cursor={}", spaces.replacen("Ag", "AQ", 1)),
		"/v1/spaces?cursor=AAAA".into(),
		"/v1/spaces?cursor=?".into(),
		"/v1/spaces?cursor=".into(),
	] {
		let answer = server.get(&target).await;
		assert_eq!(answer.status, 400, "{target}");
		assert_eq!(answer.json()["error"]["field"], "cursor", "{target}");
	}
	assert_eq!(server.items(&format!("/v1/spaces?limit=7&cursor={spaces}")).await.len(), 1);
}

/// Returns how many rows of the tenant each list and search has.
async fn traces(server: &Server) -> Vec<(String, usize)> {
	let tenant = TENANT.to_string();
	let mut traces = Vec::new();
	for target in [
		"/v1/names?prefix=s".into(),
		"/v1/names?words=serde".into(),
		format!("/v1/objects/{OBJECT}"),
		format!("/v1/versions/{VERSION}"),
		format!("/v1/providers/{PROVIDER}/nodes/{NODE}/versions"),
		"/v1/search?q=serde".into(),
		format!("/v1/search?q={OBJECT}"),
		format!("/v1/search?q={VERSION}"),
		format!("/v1/search?q={}", KMS),
		"/v1/search?q=runs".into(),
		"/v1/search?q=names".into(),
	] {
		let items = server.items(&target).await;
		let number = items.iter().filter(|item| item.to_string().contains(&tenant)).count();
		traces.push((target, number));
	}
	let account = server.item(&format!("/v1/accounts/{}", account(7))).await;
	traces.push(("account".into(), account["roles"].as_array().map_or(0, Vec::len)));
	traces
}

#[tokio::test]
async fn rows_of_a_purged_member_are_gone_at_once_and_after_the_sweep() {
	let mut server = Server::full().await;
	let before = traces(&server).await;
	assert!(before.iter().all(|(_, number)| *number > 0), "{before:?}");
	server.world.start_purge(TENANT.into(), 11, PurgeScope::Rows);
	server.seal();
	let none = |traces: &[(String, usize)]| traces.iter().all(|(_, number)| *number == 0);
	let marked = traces(&server).await;
	assert!(none(&marked), "{marked:?}");
	for list in ["keys", "collections", "objects", "kmses"] {
		let target = match list {
			"keys" => format!("/v1/members/{TENANT}/keys"),
			list => format!("/v1/tenants/{TENANT}/{list}"),
		};
		assert!(server.items(&target).await.is_empty(), "{target}");
	}
	let gone = format!("/v1/tenants/{TENANT}/objects/{OBJECT}");
	assert_eq!(server.get(&gone).await.status, 404);
	let path = format!("/v1/tenants/{TENANT}/collections/names/records/serde");
	assert_eq!(server.get(&path).await.status, 404);

	// New rows of the same names are found, and the old ones are not.
	server.world.end_purge(TENANT.into());
	server.world.create_object(TENANT, ContentObjectId([1; 10]));
	server.world.create_collection(TENANT, "names", false);
	server.world.put(TENANT, "names", "serde", ContentObjectId([1; 10]), None);
	server.seal();
	for is_swept in [false, true] {
		let names = server.fields("/v1/names?prefix=s", "tenant").await;
		assert_eq!(names, [OTHER_TENANT.to_string(), TENANT.to_string()], "{is_swept}");
		for limit in [1, 2] {
			assert_eq!(paged(&server, "/v1/names?words=serde", limit).await.len(), 2);
		}
		let object = server.fields(&format!("/v1/objects/{OBJECT}"), "tenant").await;
		assert_eq!(object, [OTHER_TENANT.to_string()], "{is_swept}");
		while server.index.sweep().expect("the index is writable") {}
	}
}

#[tokio::test]
async fn members_that_are_deleted_are_gone_with_their_rows() {
	let mut server = Server::full().await;
	server.world.delete_member(OTHER_TENANT.into());
	server.seal();
	assert_eq!(server.get(&format!("/v1/members/{OTHER_TENANT}")).await.status, 404);
	assert_eq!(server.get(&format!("/v1/tenants/{OTHER_TENANT}/objects")).await.status, 404);
	let members = server.fields(&format!("/v1/spaces/{SPACE}/members?order=bond"), "id").await;
	assert_eq!(members, [PROVIDER.to_string(), TENANT.to_string()]);
	assert!(server.items(&format!("/v1/search?q={OTHER_TENANT}")).await.is_empty());
	let history = server.fields(&format!("/v1/history/{OTHER_TENANT}?limit=1"), "name").await;
	assert_eq!(history, ["MemberDeleted"]);
	// It is created again, in the same place, without its rows.
	server.world.create_member(OTHER_TENANT.into(), SPACE, account(4), 20);
	server.seal();
	assert!(server.items(&format!("/v1/tenants/{OTHER_TENANT}/objects")).await.is_empty());
	let tenants = server.fields(&format!("/v1/objects/{OBJECT}"), "tenant").await;
	assert_eq!(tenants, [TENANT.to_string()]);
}

#[tokio::test]
async fn nodes_and_kmses_of_members_that_are_gone_have_a_history() {
	let mut server = Server::full().await;
	// Another tenant has a KMS of the same id.
	server.world.add_kms(OTHER_TENANT, KMS);
	server.seal();
	let owners = server.fields(&format!("/v1/search?q={KMS}"), "path").await;
	let pages = [TENANT, OTHER_TENANT].map(|tenant| format!("/tenants/{tenant}/kmses/{KMS}"));
	assert_eq!(owners, pages);
	server.world.delete_member(PROVIDER.into());
	server.world.delete_member(TENANT.into());
	server.seal();
	assert!(server.items(&format!("/v1/search?q={NODE}")).await.is_empty());
	assert_eq!(server.fields(&format!("/v1/search?q={KMS}"), "path").await, pages[1..]);
	let oldest = |id: String| format!("/v1/history/{id}?order=oldest");
	let node = server.fields(&oldest(NODE.to_string()), "name").await;
	assert_eq!(node[..2], ["NodeCreated", "VersionCommitted"]);
	let all = oldest(KMS.to_string());
	for (target, expected) in [
		(all.clone(), vec![3, 6]),
		(format!("{all}&member={TENANT}"), vec![3]),
		(format!("{all}&member={PROVIDER}"), vec![]),
	] {
		let blocks: Vec<_> =
			server.items(&target).await.iter().filter_map(|item| item["block"].as_u64()).collect();
		assert_eq!(blocks, expected, "{target}");
	}
}

#[tokio::test]
async fn the_row_that_governance_deletes_is_among_its_decisions() {
	let mut server = Server::full().await;
	server.world.delete_head_by_governance(TENANT, OBJECT);
	server.world.delete_record(TENANT, "names", "serde");
	server.seal();
	let target = format!("/v1/governance?member={TENANT}");
	let names = server.fields(&target, "name").await;
	assert_eq!(
		names[..4],
		["VersionDeleted", "HeadVersionSet", "ChildDeletedByGovernance", "RootNominated"]
	);
}

#[tokio::test]
async fn collections_of_many_tenants_leave_room_for_records() {
	let mut server = Server::full().await;
	for number in 20..30 {
		let tenant = TenantId([number; 10]);
		server.world.create_member(tenant.into(), SPACE, account(4), 10);
		server.world.create_collection(tenant, "names", false);
	}
	server.world.put(TENANT, "names", "names-of-names", OBJECT, None);
	server.seal();
	let kinds = server.fields("/v1/search?q=names", "kind").await;
	assert_eq!(kinds, [vec!["collection"; 5], vec!["record"]].concat());
}

#[tokio::test]
async fn a_page_that_leaves_out_many_rows_ends_with_a_cursor() {
	let mut server = Server::full().await;
	for place in 0..10_010 {
		server.world.put(OTHER_TENANT, "names", &format!("a{place:05}"), OBJECT, None);
	}
	server.seal();
	server.world.start_purge(OTHER_TENANT.into(), 1, PurgeScope::Rows);
	server.seal();
	for (target, expected) in [("/v1/names?prefix=", 4), ("/v1/names?words=serde", 3)] {
		assert_eq!(paged(&server, target, 50).await.len(), expected, "{target}");
	}
	let page = server.json("/v1/names?prefix=").await;
	// The key before the keys of the purged tenant.
	assert_eq!(page["items"].as_array().map(Vec::len), Some(1));
	assert!(page["next"].is_string());
}

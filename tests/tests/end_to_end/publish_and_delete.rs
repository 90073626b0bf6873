// SPDX-License-Identifier: Apache-2.0
//! The main job: the manifest of this workspace's own lock file is published, its records lead to
//! its content, and governance deletes the tenant.

use std::collections::{BTreeMap, BTreeSet};

use content_fabric_client::{
	chain::{calls, rows},
	ids,
	text::Text,
};
use content_fabric_identifiers::{
	ContentObjectId, ContentObjectPath, SpaceId, TenantId, VersionId,
};
use content_fabric_primitives::{ContentRef, KmsKey};
use content_fabric_tests::{
	api,
	client::{create_tenant, signer, Client, BOND, MAX_HELD},
	manifest::{checksums, names, script, Names, CRATES_IO},
	process::{fabric_error, fabric_failure, fabric_json, fabric_text, stderr, write, Node},
	published::{self, tenant},
	raw::{
		collection_key, count, holds_of, record_key, storage_key, Raw, PROVIDER_BOND, TENANT_BOND,
	},
};
use serde_json::Value;

const LOCKFILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.lock");
/// Number of times that the manifest is published.
const RUNS: usize = 3;

#[tokio::test]
async fn a_lock_file_is_published_and_its_tenancy_deleted() {
	let (dir, node) = Node::start_anew(&[]);
	let printed = script("cargo_lock.py", &[LOCKFILE]);
	assert!(printed.status.success(), "{}", stderr(&printed));
	let text = String::from_utf8(printed.stdout).expect("a manifest is text");
	let manifest = write(dir.path(), "manifest.jsonl", &text);
	let expected = checksums(&text, CRATES_IO);
	let versions: usize = expected.values().map(Vec::len).sum();
	assert!(versions > 1_000, "this workspace has many dependencies");
	let named = names(&text, CRATES_IO);

	let published = fabric_json(&node.url, &["publish", &manifest]);
	let source = &published["sources"][0];
	assert_eq!(published["sources"].as_array().map(Vec::len), Some(1));
	assert_eq!(source["source"], CRATES_IO);
	for (field, count) in [
		("packages", expected.len()),
		("versions", versions),
		("created", expected.len()),
		("committed", versions),
		("finalized", versions),
		("records_added", named.len()),
		("records_updated", 0),
	] {
		assert_eq!(source[field], count, "{field}");
	}
	assert_eq!(published["failed_count"], 0, "{published}");
	let run = source["run"].as_str().expect("the run has a record");
	assert_eq!(source["tenant"], tenant().to_string());
	holds_exactly(&node, &text, &named, run).await;
	records_lead_to_content(&node, tenant(), &named, run).await;
	view_functions_agree(&node, tenant(), &named).await;

	// The same again adds the record of the run alone, and says so.
	let again = fabric_text(&node.url, &["publish", &manifest]);
	assert!(again.contains("  nothing to add: all of it was published before\n  run "), "{again}");
	let again = fabric_json(&node.url, &["publish", &manifest]);
	assert_eq!(again["transactions"], 1);
	let later = again["sources"][0]["run"].as_str().expect("the run has a record");
	assert!(later > run, "TIDs rise: {run}, {later}");

	everything_is_shown(&node, expected.len(), versions, named.len() + RUNS);
	let rows = expected.len() + versions + 2 + named.len() + RUNS;
	delete(&node, ids::space("cargo"), tenant(), rows).await;
}

/// Checks that the chain has the rows of the manifest under the tenant and no others, with a head
/// for each content object and a target for each name.
async fn holds_exactly(node: &Node, text: &str, named: &Names, run: &str) {
	let mut expected = published::rows(text);
	expected.entry("Records").or_default().insert(record_key(tenant(), "runs", run));
	let found = Raw::connect(&node.url).await.rows(tenant()).await;
	for (map, keys) in &expected {
		assert_eq!(found[map], *keys, "{map}");
	}
	let collections = ["names", "runs"].map(|name| collection_key(tenant(), name));
	assert_eq!(found["Collections"], BTreeSet::from(collections));
	assert_eq!((found["TenantKeys"].len(), found["Kmses"].len()), (0, 0));

	let at = Client::connect(&node.url).await.best().await;
	let versions = at.rows(&rows::versions(), (tenant(),)).await.expect("rows");
	let versions: BTreeSet<_> = versions.into_iter().map(|(key, _)| key).collect();
	for ((_, object), info) in at.rows(&rows::content_objects(), (tenant(),)).await.expect("rows") {
		let head = info.head_version.expect("every object has a head");
		assert!(versions.contains(&(tenant(), object, head)), "the head is one of the versions");
	}
	let names = Text(b"names".to_vec());
	let records = at.rows(&rows::records(), (tenant(), names)).await.expect("rows");
	let records: BTreeMap<_, _> =
		records.into_iter().map(|((_, _, key), record)| (key, record.target)).collect();
	let expected: BTreeMap<_, _> = named
		.iter()
		.map(|(key, (package, version))| {
			let object = ids::content_object(tenant(), package);
			(Text(key.clone().into_bytes()), ContentRef { object, version: version.map(VersionId) })
		})
		.collect();
	assert_eq!(records, expected);
}

/// Checks that the client shows this many rows as a tree, and one of each kind by its id.
fn everything_is_shown(node: &Node, objects: usize, versions: usize, records: usize) {
	let all = ["tree", "--limit", "10000", "--versions"];
	let tree = fabric_json(&node.url, &all);
	for (kind, count) in [
		("content_objects", objects),
		("heads", objects),
		("versions", versions),
		("collections", 2),
		("records", records),
	] {
		assert_eq!(tree["totals"][kind], count, "{kind}");
	}
	let space = &tree["spaces"][0];
	let (provider, tenant) = (&space["providers"][0], &space["tenants"][0]);
	let listed = tenant["content_objects"].as_array().expect("a list");
	let ids: BTreeSet<_> = listed.iter().map(|object| object["id"].as_str()).collect();
	assert_eq!(ids.len(), objects, "ids are unique");
	for (entity, kind) in [
		(space, "space"),
		(provider, "provider"),
		(&provider["nodes"][0], "node"),
		(tenant, "tenant"),
		(&listed[0], "content object"),
		(&listed[0]["versions"][0], "version"),
	] {
		let id = entity["id"].as_str().expect("every entity has an id");
		let shown = fabric_json(&node.url, &["show", id]);
		assert_eq!((&shown[0]["kind"], &shown[0]["id"]), (&kind.into(), &id.into()));
	}
	let text = fabric_text(&node.url, &all);
	let lines = text.lines().filter(|line| line.starts_with("      version ")).count();
	assert_eq!(lines, versions);
	assert!(text.lines().last().is_some_and(|line| line.contains("1 space, 1 provider, 1 node")));
}

/// Checks that the client follows the records of a real package, and of the run.
async fn records_lead_to_content(node: &Node, tenant: TenantId, named: &Names, run: &str) {
	let at = Client::connect(&node.url).await.best().await;
	let id = tenant.to_string();
	let resolve =
		|collection: &str, key: &str| fabric_json(&node.url, &["resolve", &id, collection, key]);
	let path = |package: &str| {
		let object = ids::content_object(tenant, package);
		ContentObjectPath { tenant, object }
	};

	let object = path("serde");
	let info = at.get(&rows::content_objects(), (tenant, object.object)).await;
	let info = info.expect("a row").expect("this workspace depends on serde");
	let head = info.head_version.expect("every object has a head").to_string();
	let whole = resolve("names", "serde");
	assert_eq!(whole["object"], object.to_string());
	assert_eq!(whole["version"], head);
	assert_eq!(whole["follows_head"], true);
	let text = fabric_text(&node.url, &["resolve", &id, "names", "serde"]);
	let (target, times) = text.split_once('\n').expect("the times are in a line of their own");
	assert_eq!(target, format!("{object}, head {head}"));
	assert!(times.starts_with("created ") && times.contains(", updated "), "{times}");

	let versions: Vec<_> = named.iter().filter(|(name, _)| name.starts_with("serde:")).collect();
	assert!(!versions.is_empty(), "the manifest gives a version of serde");
	for (name, (_, version)) in versions {
		let version = version.expect("the name has a version");
		let one = resolve("names", name);
		assert_eq!(one["object"], object.to_string());
		assert_eq!(one["version"], VersionId(version).to_string());
		assert_eq!(one["follows_head"], false);
	}

	// A name with a `+` is found by its text, and by its key.
	let (key, (_, version)) =
		named.iter().find(|(key, _)| key.contains("~2b")).expect("some versions have a `+`");
	let name = key.replace("~2b", "+");
	for text in [vec![&name[..]], vec!["--key", key]] {
		let line = [&["resolve", &id, "names"], &text[..]].concat();
		let one = fabric_json(&node.url, &line);
		assert_eq!((&one["key"], &one["name"]), (&key.as_str().into(), &name.as_str().into()));
		assert_eq!(one["version"], VersionId(version.expect("it has one")).to_string());
		assert_eq!(one["size"], Value::Null, "a manifest gives no sizes");
	}

	// The record of a run leads to the last of its packages.
	let last = named.values().map(|(package, _)| package.as_str()).max().expect("there are some");
	let target = resolve("runs", run);
	assert_eq!(target["object"], path(last).to_string());
}

/// Checks that the view functions, and the client, return what is in storage.
async fn view_functions_agree(node: &Node, tenant: TenantId, named: &Names) {
	let raw = Raw::connect(&node.url).await;
	let at = Client::connect(&node.url).await.best().await;
	let row = raw.tenant(tenant).await.expect("the tenant exists");
	let objects = at.rows(&rows::content_objects(), (tenant,)).await.expect("rows");
	assert_eq!(objects.len(), raw.rows(tenant).await["ContentObjects"].len());
	let mut heads = BTreeMap::new();
	for ((_, object), info) in objects {
		let read = (info.head_version, info.version_count, info.deposit, info.created);
		let stored = raw.object(tenant, object).await.expect("the object exists");
		let stored = (stored.head_version, stored.version_count, stored.deposit, stored.created);
		assert_eq!(read, stored);
		heads.insert(object.0, info.head_version.map(|head| head.0));
	}
	for (name, (package, version)) in named.iter().step_by(20) {
		let object = ids::content_object(tenant, package).0;
		let version = version.or(heads[&object]);
		let resolved = api::resolve(&raw, tenant, "names", name).await;
		assert_eq!(resolved, Some((false, (object, version))), "{name}");
	}
	assert_eq!(api::resolve(&raw, tenant, "names", "no-such-package").await, None);
	assert_eq!(api::resolve(&raw, tenant, "runs", "serde").await, None);

	let rows = u32::try_from(count(&raw.rows(tenant).await)).expect("few rows");
	assert_eq!(api::rows(&raw, tenant).await, Some(rows));
	assert_eq!((row.row_count(), row.bond), (rows, BOND));
	let bond = api::Bond {
		root: signer("//Charlie").account().0,
		bond: BOND,
		required: BOND,
		deposit: row.own_deposit + row.deposit,
		max_held: MAX_HELD,
	};
	assert_eq!(api::bond(&raw, tenant).await, Some(bond));
	assert_eq!(api::purge_progress(&raw, tenant).await, None);
	assert_eq!(api::rows(&raw, TenantId([7; 10])).await, None);
}

/// Has governance delete the tenant. Another tenant, whose id differs in the last byte, stays.
async fn delete(node: &Node, space: SpaceId, tenant: TenantId, rows: usize) {
	let client = Client::connect(&node.url).await;
	let raw = Raw::connect(&node.url).await;
	let [bob, charlie] = ["//Bob", "//Charlie"].map(|key| *signer(key).account());
	let dave = signer("//Dave");
	let mut neighbour = tenant;
	neighbour.0[9] ^= 1;
	let (kms, locator) = (ids::kms(neighbour, "kms"), b"https://127.0.0.1/".to_vec());
	let (operator, key) = (*dave.account(), KmsKey([1; 32]));
	let object = ContentObjectId([7; 10]);
	client.submit(&dave, create_tenant(space, neighbour)).await;
	client.submit(&dave, calls::AddKms { tenant: neighbour, kms, operator, locator, key }).await;
	client.submit(&dave, calls::CreateContentObject { tenant: neighbour, object }).await;
	let beside = raw.rows(neighbour).await;
	assert_eq!((beside["Kmses"].len(), beside["ContentObjects"].len()), (1, 1));
	assert_eq!(count(&beside), 2);

	// Their bonds and deposits are on hold on the roots of provider and tenant.
	let provider = raw.provider(ids::provider(space, &bob.to_string())).await;
	let provider = holds_of(&provider.expect("the provider exists"), PROVIDER_BOND);
	assert_eq!(provider[&PROVIDER_BOND], BOND);
	assert_eq!(raw.holds(&bob).await, provider);
	let held = raw.tenant(tenant).await.expect("the tenant exists");
	let held = holds_of(&held, TENANT_BOND);
	assert_eq!(held[&TENANT_BOND], BOND);
	assert_eq!(raw.holds(&charlie).await, held);
	let of_dave = raw.holds(dave.account()).await;

	// A stranger cannot delete it.
	let id = tenant.to_string();
	let purge = ["governance", "purge", &id, "--reason", "spam", "--yes"];
	let refused = fabric_error(&node.url, &[&purge[..], &["--signer", "//Eve"]].concat());
	assert!(refused.contains("governance_delete failed: Bad origin"), "{refused}");

	// The call closes the tenant. The rows are removed in the blocks that follow.
	let deleted = fabric_json(&node.url, &purge);
	assert_eq!((&deleted["kind"], &deleted["id"]), (&"tenant".into(), &id.as_str().into()));
	assert_eq!((&deleted["rows"], &deleted["slashed"]), (&rows.into(), &"0".into()));
	let steps = deleted["steps"].as_array().expect("a list");
	assert!(steps.iter().all(|step| step["rows"] == rows));
	let last = steps.last().expect("the end is a step");
	assert_eq!((&last["rows_left"], &last["block"]), (&0.into(), &deleted["block"]));

	assert_eq!(count(&raw.rows(tenant).await), 0);
	assert_eq!(raw.keys(&storage_key("Tenants", &[&tenant.0])).await.len(), 0);
	assert_eq!(raw.keys(&storage_key("Purges", &[])).await.len(), 0);
	assert_eq!(raw.keys(&storage_key("DeletionQueue", &[])).await.len(), 0);
	assert_eq!(raw.rows(neighbour).await, beside);
	assert_eq!(raw.holds(&charlie).await, BTreeMap::new());
	assert_eq!(raw.holds(&bob).await, provider);
	assert_eq!(raw.holds(dave.account()).await, of_dave);
	let unknown = fabric_failure(&node.url, &purge);
	assert_eq!(unknown.error, format!("there is no tenant {id}"));
	let ended = fabric_failure(&node.url, &["watch", "--purge", &id]);
	assert_eq!(ended.error, format!("there is no tenant {id}; it may just have been deleted"));

	// The id can be used again, by anyone.
	client.submit(&dave, create_tenant(space, tenant)).await;
	let shown = fabric_json(&node.url, &["show", &id]);
	assert_eq!(shown[0]["rows"], 0);
}

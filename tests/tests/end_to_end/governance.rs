//! Governance from the command line: admissions to a space, the bond that it requires, and the
//! deletion of its members.

use std::{
	collections::BTreeMap,
	io::{BufRead, BufReader},
	process::Stdio,
};

use content_fabric_client::{
	calls::{self, Call},
	chain::{Account, Chain},
	ids,
};
use content_fabric_identifiers::{ContentObjectId, ProviderId, TenantId};
use content_fabric_tests::{
	api,
	fabric::{account, create_content_object, rules, BOND, MAX_HELD},
	lockfile::{synthetic, CRATES_IO},
	process::{fabric_command, fabric_error, fabric_json, write, Node},
	raw::{count, storage_key, Raw, PROVIDER_BOND, TENANT_BOND},
};
use serde_json::Value;

/// Submits a call, which must fail. Returns the error.
async fn refusal(chain: &Chain, signer: &Account, call: Call) -> String {
	let refused = chain.submit(signer, call).await.map(drop);
	refused.expect_err("the call is refused").to_string()
}

/// Returns the steps of a deletion that the client reports.
fn steps(deleted: &Value) -> &[Value] {
	deleted["steps"].as_array().expect("a list")
}

#[tokio::test]
async fn a_space_that_asks_for_approval_takes_only_admitted_accounts() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let node = Node::start(&dir.path().join("chain"), &[]);
	let text = synthetic(5);
	let lockfile = write(dir.path(), "Cargo.lock", &text);
	let other = text.replace(CRATES_IO, "registry+https://example.com/index");
	let other = write(dir.path(), "Other.lock", &other);
	fabric_json(&node.url, &["publish", &lockfile]);
	let (space_id, dave) = (ids::space("cargo"), account("//Dave"));
	let (space, address) = (space_id.to_string(), dave.id.to_string());
	let (space, address) = (space.as_str(), address.as_str());

	let stranger = ["set-rules", space, "--admission", "approval", "--governor", "//Eve"];
	let refused = fabric_error(&node.url, &stranger);
	assert!(refused.contains("set_space_rules failed: Bad origin"), "{refused}");
	let (governor, eve) = (account("//Alice").id, account("//Eve").id);
	let named = format!("; {eve} signed, but the governor of {space} is {governor}\n");
	assert!(refused.ends_with(&named), "{refused}");
	let set = fabric_json(&node.url, &["set-rules", space, "--admission", "approval"]);
	assert_eq!((&set["space"], &set["admission"]), (&space.into(), &"approval".into()));
	// Rules that are not given stay as they are.
	assert_eq!(set["tenant_bond"], BOND.to_string());
	assert_eq!(set["partitions"], 1);

	// The client creates a tenant of Dave's with a transaction of several calls.
	let join = ["publish", other.as_str(), "--tenant", "//Dave"];
	let assert_refused = || {
		let refused = fabric_error(&node.url, &join);
		assert!(refused.contains("ContentFabric.NotAdmitted: "), "{refused}");
	};
	assert_refused();
	let refused =
		fabric_error(&node.url, &["admit", space, address, "tenant", "--governor", "//Eve"]);
	assert!(refused.contains("ContentFabric.admit failed: Bad origin"), "{refused}");
	let refused = fabric_error(&node.url, &["revoke-admission", space, address, "tenant"]);
	assert!(refused.contains("ContentFabric.AdmissionNotFound"), "{refused}");

	// An admission as a provider does not help a tenant, and neither does one that was revoked.
	let admitted = fabric_json(&node.url, &["admit", space, address, "provider"]);
	assert_eq!((&admitted["account"], &admitted["role"]), (&address.into(), &"provider".into()));
	assert_eq!((&admitted["admitted"], &admitted["unused"]), (&true.into(), &1.into()));
	assert_refused();
	let admitted = fabric_json(&node.url, &["admit", space, address, "tenant"]);
	assert_eq!(admitted["unused"], 2);
	let refused = fabric_error(&node.url, &["admit", space, address, "tenant"]);
	assert!(refused.contains("ContentFabric.AlreadyAdmitted"), "{refused}");
	let revoked = fabric_json(&node.url, &["revoke-admission", space, address, "tenant"]);
	assert_eq!((&revoked["admitted"], &revoked["unused"]), (&false.into(), &1.into()));
	assert_refused();

	fabric_json(&node.url, &["admit", space, address, "tenant"]);
	assert_eq!(fabric_json(&node.url, &join)["registries"][0]["committed"], 5);
	let shown = fabric_json(&node.url, &["show", space]);
	let shown = &shown[0];
	assert_eq!((&shown["tenants"], &shown["unused_admissions"]), (&2.into(), &1.into()));

	// An admission is good for one tenant. An open space requires none.
	let chain = Chain::connect(&node.url).await.expect("the node answers");
	let create = calls::create_member(space_id, TenantId([7; 10]).into(), MAX_HELD);
	let refused = refusal(&chain, &dave, create.clone()).await;
	assert!(refused.contains("ContentFabric.NotAdmitted: "), "{refused}");
	fabric_json(&node.url, &["set-rules", space, "--admission", "open"]);
	chain.submit(&dave, create).await.expect("the space is open");
}

#[tokio::test]
async fn an_under_bonded_tenant_adds_nothing_until_its_bond_is_topped_up() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let node = Node::start(&dir.path().join("chain"), &[]);
	let lockfile = write(dir.path(), "Cargo.lock", &synthetic(5));
	fabric_json(&node.url, &["publish", &lockfile]);
	let space = ids::space("cargo");
	let tenant = ids::tenant(space, CRATES_IO);
	let object = ids::content_object(tenant, "package-0").to_string();
	let (space, id) = (space.to_string(), tenant.to_string());
	let (id, object, lockfile) = (id.as_str(), object.as_str(), lockfile.as_str());
	let put = |key: &'static str| {
		["put-record", id, "names", key, "--object", object, "--signer", "//Charlie"]
	};
	let publish = ["publish", lockfile];
	let assert_refused = || {
		for arguments in [&put("latest")[..], &publish[..]] {
			let refused = fabric_error(&node.url, arguments);
			assert!(refused.contains("ContentFabric.TenantUnderBonded: "), "{refused}");
		}
	};

	let set = fabric_json(&node.url, &["set-rules", &space, "--tenant-bond", "3,000,000,000,000"]);
	assert_eq!(set["tenant_bond"], (3 * BOND).to_string());
	assert_refused();
	// Rows that exist can still be changed.
	fabric_json(&node.url, &put("package-0:0.0.0"));

	let stranger = ["top-up", id, "2000000000000", "--signer", "//Dave"];
	let refused = fabric_error(&node.url, &stranger);
	assert!(refused.contains("ContentFabric.NoPermission"), "{refused}");
	let top_up = ["top-up", id, "1_000_000_000_000", "--signer", "//Charlie"];
	let topped = fabric_json(&node.url, &top_up);
	let charlie = account("//Charlie").id;
	assert_eq!(topped["added"], BOND.to_string());
	assert_eq!(topped["bond"], (2 * BOND).to_string());
	assert_eq!(topped["root"], charlie.to_string());
	assert_refused();
	assert_eq!(fabric_json(&node.url, &top_up)["bond"], (3 * BOND).to_string());

	fabric_json(&node.url, &put("latest"));
	// The record that was changed above is changed back, and the run has a record.
	let published = fabric_json(&node.url, &publish);
	let registry = &published["registries"][0];
	assert_eq!((&registry["records_added"], &registry["records_updated"]), (&0.into(), &1.into()));
	assert!(registry["run"].is_string());

	let raw = Raw::connect(&node.url).await;
	let row = raw.tenant(tenant).await.expect("the tenant exists");
	let bond = api::Bond {
		root: charlie.0,
		bond: 3 * BOND,
		required: 3 * BOND,
		deposit: row.own_deposit + row.deposit,
		max_held: MAX_HELD,
	};
	assert_eq!(api::bond(&raw, tenant).await, Some(bond));
	assert_eq!(raw.holds(&charlie).await, row.holds(TENANT_BOND));
}

#[tokio::test]
async fn members_are_slashed_and_deleted_with_one_call() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let node = Node::start(&dir.path().join("chain"), &[]);
	let lockfile = write(dir.path(), "Cargo.lock", &synthetic(5));
	let published = fabric_json(&node.url, &["publish", &lockfile]);
	let raw = Raw::connect(&node.url).await;
	let (bob, charlie) = (account("//Bob").id, account("//Charlie").id);
	let tenant = ids::tenant(ids::space("cargo"), CRATES_IO);
	let id = published["provider"].as_str().expect("ids are text");
	let provider: ProviderId = id.parse().expect("it is an id");
	assert_eq!(raw.holds(&bob).await[&PROVIDER_BOND], BOND);

	let refused = fabric_error(&node.url, &["delete-provider", id, "--governor", "//Bob"]);
	assert!(refused.contains("governance_delete failed: Bad origin"), "{refused}");
	let deleted = fabric_json(&node.url, &["delete-provider", id, "--slash", "250,000,000,000"]);
	assert_eq!((&deleted["kind"], &deleted["id"]), (&"provider".into(), &id.into()));
	// The one node, which is removed in a block after the call.
	assert_eq!((&deleted["rows"], &deleted["at_once"]), (&1.into(), &false.into()));
	assert_eq!(deleted["slashed"], "250000000000");
	let left: Vec<_> = steps(&deleted).iter().map(|step| step["rows_left"].as_u64()).collect();
	assert_eq!(left, [Some(1), Some(0)]);
	assert_eq!(api::rows(&raw, provider).await, None);
	assert_eq!(raw.keys(&storage_key("Nodes", &[])).await.len(), 0);
	assert_eq!(raw.holds(&bob).await, BTreeMap::new());
	let unknown = fabric_error(&node.url, &["delete-provider", id]);
	assert!(unknown.contains(&format!("there is no provider {id}")), "{unknown}");

	// The versions that it took in belong to their tenant, and it can be created again.
	assert_eq!(fabric_json(&node.url, &["tree"])["totals"]["versions"], 5);
	let more = write(dir.path(), "More.lock", &synthetic(10));
	let published = fabric_json(&node.url, &["publish", &more]);
	assert_eq!(published["provider"], id);
	assert_eq!(published["registries"][0]["committed"], 5);

	// No more is slashed than the bond.
	let rows = count(&raw.rows(tenant).await);
	let id = tenant.to_string();
	let slash = ["--slash", "5000000000000", "--reason", "https://example.com/motions/7"];
	let deleted = fabric_json(&node.url, &[&["delete-tenant", &id], &slash[..]].concat());
	assert_eq!((&deleted["rows"], &deleted["at_once"]), (&rows.into(), &false.into()));
	assert_eq!(deleted["slashed"], BOND.to_string());
	assert_eq!(count(&raw.rows(tenant).await), 0);
	assert_eq!(raw.holds(&charlie).await, BTreeMap::new());

	// Without rows there is nothing to wait for.
	let chain = Chain::connect(&node.url).await.expect("the node answers");
	let create = calls::create_member(ids::space("cargo"), tenant.into(), MAX_HELD);
	chain.submit(&account("//Dave"), create).await.expect("the id is free");
	let deleted = fabric_json(&node.url, &["delete-tenant", &id]);
	assert_eq!((&deleted["rows"], &deleted["at_once"]), (&0.into(), &true.into()));
	assert!(steps(&deleted).is_empty());
	assert_eq!(raw.tenant(tenant).await, None);
}

#[tokio::test]
async fn a_purge_is_watched_to_its_end() {
	/// More than twice as many rows as a block has weight to spare for.
	const OBJECTS: u32 = 20_000;
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let node = Node::start(dir.path(), &[]);
	let chain = Chain::connect(&node.url).await.expect("the node answers");
	let raw = Raw::connect(&node.url).await;
	let (alice, dave) = (account("//Alice"), account("//Dave"));
	let space = ids::space("large");
	let create = Call::sudo(calls::create_space(space, &alice.id, &rules(BOND)));
	chain.submit(&alice, create).await.expect("Alice has the sudo key");
	let tenant = ids::tenant(space, "large");
	let create = calls::create_member(space, tenant.into(), MAX_HELD);
	chain.submit(&dave, create.clone()).await.expect("the id is free");
	let numbers: Vec<_> = (0..OBJECTS).collect();
	for numbers in numbers.chunks(1_000) {
		let create = numbers.iter().map(|number| {
			let object = ids::content_object(tenant, &number.to_string());
			create_content_object(tenant, object)
		});
		chain.submit(&dave, Call::batch_all(create)).await.expect("Dave has funds");
	}
	assert_eq!(api::rows(&raw, tenant).await, Some(OBJECTS));
	assert_eq!(raw.holds(&dave.id).await[&TENANT_BOND], BOND);

	// This chain makes blocks for transactions alone, so the purge waits before its first step.
	let id = tenant.to_string();
	let not_yet = fabric_error(&node.url, &["watch-purge", &id]);
	assert!(not_yet.contains("is under way"), "{not_yet}");
	let created = raw.tenant(tenant).await.expect("the tenant exists").created;
	let start = calls::governance_delete(tenant.into(), created, 0, "too large");
	chain.submit(&alice, start).await.expect("Alice governs the space");
	assert_eq!(api::rows(&raw, tenant).await, Some(OBJECTS));
	let progress = api::Progress { rows: OBJECTS, rows_left: OBJECTS, places_before: 0 };
	assert_eq!(api::purge_progress(&raw, tenant).await, Some(progress));
	assert_eq!(count(&raw.rows(tenant).await), OBJECTS as usize);
	// All funds are settled from the start, and nothing is listed any more.
	assert_eq!(raw.holds(&dave.id).await, BTreeMap::new());
	let listed = api::content_objects(&raw, tenant, None, 100).await;
	assert_eq!(listed, api::Page { created: None, items: Vec::new(), next: None });
	let tree = fabric_json(&node.url, &["tree"]);
	let shown = &tree["spaces"][0]["tenants"][0];
	assert_eq!((&shown["purge"], &shown["rows"]), (&"member".into(), &OBJECTS.into()));
	assert_eq!(shown["content_objects"].as_array().map(Vec::len), Some(0));
	let refused = fabric_error(&node.url, &["resolve", &id, "names", "a"]);
	assert!(refused.contains(&format!("the tenant {id} is being purged")), "{refused}");

	let mut watch = fabric_command(&node.url, &["--json", "watch-purge", &id])
		.stdout(Stdio::piped())
		.spawn()
		.expect("the client starts");
	let lines = BufReader::new(watch.stdout.take().expect("standard output is piped")).lines();
	let mut watched = lines.map(|line| {
		let line = line.expect("the client prints text");
		serde_json::from_str::<Value>(&line).expect("every line is JSON")
	});
	let first = watched.next().expect("the client prints where the purge is");
	assert_eq!((&first["rows"], &first["rows_left"]), (&OBJECTS.into(), &OBJECTS.into()));

	// The command takes up the purge that is under way.
	let deleted = fabric_json(&node.url, &["delete-tenant", &id]);
	assert_eq!((&deleted["rows"], &deleted["at_once"]), (&OBJECTS.into(), &false.into()));
	let steps = steps(&deleted);
	assert_eq!(steps.first(), Some(&first));
	assert!(steps.is_sorted_by(|a, b| {
		a["block"].as_u64() < b["block"].as_u64()
			&& a["rows_left"].as_u64() > b["rows_left"].as_u64()
	}));
	let last = steps.last().expect("the end is a step");
	assert_eq!((&last["rows_left"], &last["block"]), (&0.into(), &deleted["block"]));
	// A watcher may miss a block, but neither the first nor the last.
	let watched: Vec<_> = watched.collect();
	assert!(watch.wait().expect("the client ends").success());
	assert_eq!(watched.last(), Some(last));
	assert!(watched.iter().all(|step| steps.contains(step)), "{watched:?} {steps:?}");

	assert_eq!(count(&raw.rows(tenant).await), 0);
	assert_eq!(api::purge_progress(&raw, tenant).await, None);
	let ended = fabric_error(&node.url, &["watch-purge", &id]);
	assert!(ended.contains(&format!("there is no tenant {id}; it may just")), "{ended}");
	chain.submit(&dave, create).await.expect("the id is free");
	let object = create_content_object(tenant, ContentObjectId([7; 10]));
	chain.submit(&dave, object).await.expect("the new tenant is open");
	assert_eq!(api::rows(&raw, tenant).await, Some(1));
}

// SPDX-License-Identifier: Apache-2.0
//! Governance from the command line: admissions to a space, the bond that it requires, and the
//! deletion of its members.

use std::{
	collections::BTreeMap,
	io::{BufRead, BufReader},
	process::Stdio,
};

use content_fabric_client::{chain::calls, ids};
use content_fabric_identifiers::{ContentObjectId, Muid, ProviderId, SpaceId, TenantId};
use content_fabric_tests::{
	api,
	client::{create_tenant, rules, signer, Client, BOND, MAX_HELD},
	council::{carry, Council, THREE_OF_FIVE},
	lockfile::{synthetic, CRATES_IO},
	process::{
		event_of, fabric_command, fabric_error, fabric_event, fabric_failure, fabric_json,
		fabric_report, failed, write, Node,
	},
	raw::{count, storage_key, Raw, PROVIDER_BOND, TENANT_BOND},
};
use serde_json::Value;

/// Returns the number of unused admissions to a space.
async fn admissions(raw: &Raw, space: SpaceId) -> usize {
	raw.keys(&storage_key("Admissions", &[&space.0])).await.len()
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
	let (raw, dave) = (Raw::connect(&node.url).await, signer("//Dave"));
	let space_id = ids::space("cargo");
	let (space, address) = (space_id.to_string(), dave.account().to_string());
	let (space, address) = (space.as_str(), address.as_str());
	let set_rules = |admission| ["space", "set-rules", space, "--admission", admission, "--yes"];

	let stranger = [&set_rules("approval")[..], &["--signer", "//Eve"]].concat();
	let refused = fabric_error(&node.url, &stranger);
	assert!(refused.contains("set_space_rules failed: Bad origin"), "{refused}");
	let [governor, eve] = ["//Alice", "//Eve"].map(|key| *signer(key).account());
	let named = format!("; {eve} signed, but the governor of {space} is {governor}: it can act");
	assert!(refused.contains(&named), "{refused}");
	let set = fabric_event(&node.url, &set_rules("approval"), "SpaceRulesSet");
	assert_eq!((&set["space"], &set["rules"]["admission"]), (&space.into(), &"Approval".into()));
	// Rules that are not given stay as they are.
	assert_eq!(set["rules"]["tenant_bond"], BOND.to_string());
	assert_eq!(set["rules"]["partitions"], 1);

	// The client creates a tenant of Dave's with a transaction of several calls.
	let join = ["publish", other.as_str(), "--tenant", "//Dave"];
	let assert_refused = || {
		let refused = fabric_error(&node.url, &join);
		assert!(refused.contains("ContentFabric.NotAdmitted: "), "{refused}");
	};
	assert_refused();
	let admit = |role| ["space", "admit", space, address, role];
	let revoke = ["space", "revoke-admission", space, address, "tenant", "--yes"];
	let stranger = [&admit("tenant")[..], &["--signer", "//Eve"]].concat();
	let refused = fabric_error(&node.url, &stranger);
	assert!(refused.contains("ContentFabric.admit failed: Bad origin"), "{refused}");
	let refused = fabric_error(&node.url, &revoke);
	assert!(refused.contains("ContentFabric.AdmissionNotFound"), "{refused}");

	// An admission as a provider does not help a tenant, and neither does one that was revoked.
	let admitted = fabric_event(&node.url, &admit("provider"), "Admitted");
	assert_eq!((&admitted["account"], &admitted["role"]), (&address.into(), &"Provider".into()));
	assert_eq!(admissions(&raw, space_id).await, 1);
	assert_refused();
	fabric_event(&node.url, &admit("tenant"), "Admitted");
	assert_eq!(admissions(&raw, space_id).await, 2);
	let refused = fabric_error(&node.url, &admit("tenant"));
	assert!(refused.contains("ContentFabric.AlreadyAdmitted"), "{refused}");
	let revoked = fabric_event(&node.url, &revoke, "AdmissionRevoked");
	assert_eq!((&revoked["account"], &revoked["role"]), (&address.into(), &"Tenant".into()));
	assert_eq!(admissions(&raw, space_id).await, 1);
	assert_refused();

	fabric_event(&node.url, &admit("tenant"), "Admitted");
	assert_eq!(fabric_json(&node.url, &join)["registries"][0]["committed"], 5);
	let shown = fabric_json(&node.url, &["show", space]);
	let shown = &shown[0];
	assert_eq!((&shown["tenant_count"], &shown["unused_admissions"]), (&2.into(), &1.into()));

	// An admission is good for one tenant. An open space requires none.
	let client = Client::connect(&node.url).await;
	let create = create_tenant(space_id, TenantId([7; 10]));
	let refused = client.refusal(&dave, create.clone()).await;
	assert!(refused.contains("ContentFabric.NotAdmitted: "), "{refused}");
	fabric_event(&node.url, &set_rules("open"), "SpaceRulesSet");
	client.submit(&dave, create).await;
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
		["record", "put", id, "names", key, "--object", object, "--signer", "//Charlie"]
	};
	let publish = ["publish", lockfile];
	let under_bonded = "ContentFabric.TenantUnderBonded: ";
	let assert_refused = |missing: &str| {
		let refused = fabric_failure(&node.url, &put("latest"));
		assert!(refused.error.contains(under_bonded), "{refused:?}");
		// Records can still be changed. That of the run would be new.
		let refused = fabric_failure(&node.url, &publish);
		assert_eq!(refused.class, "refused");
		let advice = format!("add to it with `fabric member top-up {id} '{missing}'`");
		assert!(refused.error.ends_with(&advice), "{refused:?}");
	};

	let set = ["space", "set-rules", &space, "--tenant-bond", "3,000,000,000,000", "--yes"];
	let set = fabric_event(&node.url, &set, "SpaceRulesSet");
	assert_eq!(set["rules"]["tenant_bond"], (3 * BOND).to_string());
	assert_refused("2 UNIT");
	// Rows that exist can still be changed.
	fabric_json(&node.url, &put("package-0:0.0.0"));

	let top_up = |amount, signer| ["member", "top-up", id, amount, "--yes", "--signer", signer];
	let refused = fabric_error(&node.url, &top_up("2000000000000", "//Dave"));
	assert!(refused.contains("ContentFabric.NoPermission"), "{refused}");
	// A bond is in the smallest unit, or in that of the chain, which has 12 decimals.
	let topped = fabric_event(&node.url, &top_up("1_000_000_000_000", "//Charlie"), "BondToppedUp");
	let charlie = *signer("//Charlie").account();
	assert_eq!(topped["amount"], BOND.to_string());
	assert_eq!(topped["bond"], (2 * BOND).to_string());
	assert_refused("1 UNIT");
	let topped = fabric_event(&node.url, &top_up("1 UNIT", "//Charlie"), "BondToppedUp");
	assert_eq!(topped["bond"], (3 * BOND).to_string());

	fabric_json(&node.url, &put("latest"));
	// The run has a record now.
	let changed = fabric_report(&node.url, &publish, 6);
	assert_eq!(failed(&changed, "changed")[0]["record_key"], "package-0:0.0.0");
	let published = fabric_json(&node.url, &["publish", lockfile, "--replace"]);
	let registry = &published["registries"][0];
	// The test has pointed one of them elsewhere.
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
	let [bob, charlie] = ["//Bob", "//Charlie"].map(|key| *signer(key).account());
	let tenant = ids::tenant(ids::space("cargo"), CRATES_IO);
	let id = published["provider"].as_str().expect("ids are text");
	let provider: ProviderId = id.parse().expect("it is an id");
	assert_eq!(raw.holds(&bob).await[&PROVIDER_BOND], BOND);

	let purge = ["governance", "purge", id, "--reason", "spam", "--yes"];
	let refused = fabric_error(&node.url, &[&purge[..], &["--signer", "//Bob"]].concat());
	assert!(refused.contains("governance_delete failed: Bad origin"), "{refused}");
	let slash = ["--slash", "250,000,000,000"];
	let deleted = fabric_json(&node.url, &[&purge[..], &slash[..]].concat());
	assert_eq!((&deleted["kind"], &deleted["id"]), (&"provider".into(), &id.into()));
	// The one node, which is removed in a block after the call.
	assert_eq!(deleted["rows"], 1);
	assert_eq!(deleted["slashed"], "250000000000");
	let left: Vec<_> = steps(&deleted).iter().map(|step| step["rows_left"].as_u64()).collect();
	assert_eq!(left, [Some(1), Some(0)]);
	assert_eq!(api::rows(&raw, provider).await, None);
	assert_eq!(raw.keys(&storage_key("Nodes", &[])).await.len(), 0);
	assert_eq!(raw.holds(&bob).await, BTreeMap::new());
	let unknown = fabric_failure(&node.url, &purge);
	assert_eq!(unknown.error, format!("there is no provider {id}"));
	assert_eq!(unknown.class, "not-found");

	// The versions that it took in belong to their tenant, and it can be created again.
	assert_eq!(fabric_json(&node.url, &["tree"])["totals"]["versions"], 5);
	let more = write(dir.path(), "More.lock", &synthetic(10));
	let published = fabric_json(&node.url, &["publish", &more]);
	assert_eq!(published["provider"], id);
	assert_eq!(published["registries"][0]["committed"], 5);

	// No more is slashed than the bond.
	let rows = count(&raw.rows(tenant).await);
	let id = tenant.to_string();
	let purge = ["governance", "purge", &id, "--yes", "--reason", "spam: example.com/7"];
	let slash = ["--slash", "5000000000000"];
	let deleted = fabric_json(&node.url, &[&purge[..], &slash[..]].concat());
	assert_eq!(deleted["rows"], rows);
	assert_eq!(deleted["slashed"], BOND.to_string());
	assert_eq!(count(&raw.rows(tenant).await), 0);
	assert_eq!(raw.holds(&charlie).await, BTreeMap::new());

	// Without rows there is nothing to wait for.
	let client = Client::connect(&node.url).await;
	client.submit(&signer("//Dave"), create_tenant(ids::space("cargo"), tenant)).await;
	let deleted = fabric_json(&node.url, &purge);
	assert_eq!(deleted["rows"], 0);
	assert!(steps(&deleted).is_empty());
	assert_eq!(raw.tenant(tenant).await, None);
}

#[tokio::test]
async fn a_purge_is_watched_to_its_end() {
	/// More than twice as many rows as a block has weight to spare for.
	const OBJECTS: u32 = 20_000;
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let node = Node::start(dir.path(), &[]);
	let client = Client::connect(&node.url).await;
	let raw = Raw::connect(&node.url).await;
	let (alice, dave) = (signer("//Alice"), signer("//Dave"));
	let space = ids::space("large");
	let create = calls::CreateSpace { space, governor: *alice.account(), rules: rules(BOND) };
	client.submit(&alice, client.sudo(create)).await;
	let tenant = ids::tenant(space, "large");
	client.submit(&dave, create_tenant(space, tenant)).await;
	let numbers: Vec<_> = (0..OBJECTS).collect();
	for numbers in numbers.chunks(1_000) {
		let create = numbers.iter().map(|number| {
			let object = ids::content_object(tenant, &number.to_string());
			client.encode(calls::CreateContentObject { tenant, object })
		});
		client.submit(&dave, client.batch(create.collect::<Vec<_>>())).await;
	}
	assert_eq!(api::rows(&raw, tenant).await, Some(OBJECTS));
	assert_eq!(raw.holds(dave.account()).await[&TENANT_BOND], BOND);

	// This chain makes blocks for transactions alone, so the purge waits before its first step.
	let id = tenant.to_string();
	let watch = ["watch", "--purge", &id];
	let not_yet = fabric_failure(&node.url, &watch);
	assert_eq!(not_yet.error, format!("no purge of the tenant {id} is under way"));
	assert_eq!(not_yet.class, "not-found");
	let created = raw.tenant(tenant).await.expect("the tenant exists").created;
	let start = calls::GovernanceDelete {
		member: tenant.into(),
		created: Muid::from_bytes(created),
		slash: 0,
		reason: b"too large".to_vec(),
	};
	client.submit(&alice, start).await;
	assert_eq!(api::rows(&raw, tenant).await, Some(OBJECTS));
	let progress = api::Progress { rows: OBJECTS, rows_left: OBJECTS, places_before: 0 };
	assert_eq!(api::purge_progress(&raw, tenant).await, Some(progress));
	assert_eq!(count(&raw.rows(tenant).await), OBJECTS as usize);
	// All funds are settled from the start, and nothing is listed any more.
	assert_eq!(raw.holds(dave.account()).await, BTreeMap::new());
	let listed = api::content_objects(&raw, tenant, None, 100).await;
	assert_eq!(listed, api::Page { created: None, items: Vec::new(), next: None });
	let tree = fabric_json(&node.url, &["tree"]);
	let shown = &tree["spaces"][0]["tenants"][0];
	assert_eq!((&shown["purge"]["scope"], &shown["rows"]), (&"member".into(), &OBJECTS.into()));
	assert_eq!(shown["content_objects"].as_array().map(Vec::len), Some(0));
	let refused = fabric_failure(&node.url, &["resolve", &id, "names", "a"]);
	assert_eq!(refused.error, format!("the tenant {id} is being purged"));
	assert_eq!(refused.class, "refused");

	let mut watching = fabric_command(&node.url, &[&["--json"], &watch[..]].concat())
		.stdout(Stdio::piped())
		.spawn()
		.expect("the client starts");
	let lines = BufReader::new(watching.stdout.take().expect("standard output is piped")).lines();
	let mut watched = lines.map(|line| {
		let line = line.expect("the client prints text");
		serde_json::from_str::<Value>(&line).expect("every line is JSON")
	});
	let first = watched.next().expect("the client prints where the purge is");
	assert_eq!((&first["rows"], &first["rows_left"]), (&OBJECTS.into(), &OBJECTS.into()));

	// The command takes up the purge that is under way, but not without consent: that it is under way
	// is what a node says.
	let purge = ["governance", "purge", &id, "--reason", "too large"];
	let unasked = fabric_failure(&node.url, &purge);
	assert!(unasked.error.contains("pass --yes"), "{}", unasked.error);
	assert_eq!(unasked.class, "usage");
	assert_eq!(api::rows(&raw, tenant).await, Some(OBJECTS));
	let purge = [&purge[..], &["--yes"]].concat();
	let deleted = fabric_json(&node.url, &purge);
	assert_eq!((&deleted["rows"], &deleted["submitted"]), (&OBJECTS.into(), &Value::Null));
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
	assert!(watching.wait().expect("the client ends").success());
	assert_eq!(watched.last(), Some(last));
	assert!(watched.iter().all(|step| steps.contains(step)), "{watched:?} {steps:?}");

	assert_eq!(count(&raw.rows(tenant).await), 0);
	assert_eq!(api::purge_progress(&raw, tenant).await, None);
	let ended = fabric_failure(&node.url, &watch);
	assert_eq!(ended.error, format!("there is no tenant {id}; it may just have been deleted"));
	client.submit(&dave, create_tenant(space, tenant)).await;
	let object = ContentObjectId([7; 10]);
	client.submit(&dave, calls::CreateContentObject { tenant, object }).await;
	assert_eq!(api::rows(&raw, tenant).await, Some(1));
}

#[tokio::test]
async fn the_council_governs_where_nobody_has_the_sudo_key() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let node = Node::start_without_sudo(dir.path());
	let raw = Raw::connect(&node.url).await;
	let eve = signer("//Eve").account().to_string();
	let space = ids::space("first");
	let create = ["space", "create", "--name", "first", "--governor", &eve];
	let refused = fabric_failure(&node.url, &[&create[..], &["--signer", "//Alice"]].concat());
	assert!(refused.error.contains("Bad origin"), "{refused:?}");
	assert!(refused.error.contains("--council propose"), "{refused:?}");
	assert_eq!(refused.class, "refused");
	let by = |step, signer| [&create[..], &["--council", step, "--signer", signer]].concat();
	let missing = fabric_failure(&node.url, &by("vote", "//Alice"));
	assert!(missing.error.starts_with("the council has no motion with the call 0x"), "{missing:?}");
	assert_eq!(missing.class, "not-found");
	fabric_json(&node.url, &by("propose", "//Alice"));
	fabric_json(&node.url, &by("vote", "//Alice"));
	fabric_json(&node.url, &by("vote", "//Bob"));
	let early = fabric_failure(&node.url, &by("close", "//Charlie"));
	assert_eq!(early.class, "refused", "{early:?}");
	fabric_json(&node.url, &by("vote", "//Charlie"));
	let created = fabric_json(&node.url, &by("close", "//Charlie"));
	assert_eq!(event_of(&created, "SpaceCreated")["space"], space.to_string());

	let tenant = ids::tenant(space, "tenant");
	let id = tenant.to_string();
	let join = ["tenant", "create", &space.to_string(), "--name", "tenant", "--max-held", "9 UNIT"];
	fabric_event(&node.url, &[&join[..], &["--signer", "//Dave"]].concat(), "TenantCreated");
	let suspend = ["governance", "suspend", &id, "--reason", "unpaid", "--yes"];
	let alone = fabric_failure(&node.url, &[&suspend[..], &["--signer", "//Alice"]].concat());
	assert!(alone.error.contains("Bad origin"), "{alone:?}");
	assert_eq!(
		event_of(&carry(&node.url, THREE_OF_FIVE, &suspend), "Suspended")["reason"],
		"unpaid"
	);
	assert!(raw.tenant(tenant).await.expect("the tenant exists").suspended);

	// Other tools close a motion without its deposit. The same step releases that, by any account.
	let client = Client::connect(&node.url).await;
	let created = Muid::from_bytes(raw.tenant(tenant).await.expect("the tenant exists").created);
	let (member, reason) = (tenant.into(), b"paid".to_vec());
	let resume = calls::SetSuspended { member, created, enabled: false, reason };
	let council = Council::new(&client, THREE_OF_FIVE);
	council.carry(&council.propose(resume).await).await.expect("the motion is carried");
	let alice = *signer("//Alice").account();
	assert!(!raw.holds(&alice).await.is_empty(), "the deposit of the motion is on hold");
	let resume = ["governance", "resume", &id, "--reason", "paid", "--council", "close"];
	let released = fabric_json(&node.url, &[&resume[..], &["--signer", "//Dave"]].concat());
	assert_eq!(released["call"], "Council.release_proposal_cost");
	let action = released["action"].as_str().expect("actions are text");
	assert!(action.starts_with("release the deposit of the motion, which has ended: lift "));
	assert_eq!(raw.holds(&alice).await, BTreeMap::new());

	let purge = ["governance", "purge", &id, "--reason", "unpaid", "--yes"];
	assert_eq!(carry(&node.url, THREE_OF_FIVE, &purge)["outcome"], "purged");
	assert_eq!(raw.tenant(tenant).await, None);
	assert_eq!(raw.holds(&alice).await, BTreeMap::new(), "closing releases the deposit, too");
}

// SPDX-License-Identifier: Apache-2.0
//! Governance from the command line: admissions to a space, the bond that it requires, and the
//! deletion of its members.

use std::{
	collections::BTreeMap,
	io::{BufRead, BufReader},
	process::Stdio,
};

use content_fabric_client::{chain::calls, ids};
use content_fabric_identifiers::TenantId;
use content_fabric_tests::{
	api,
	client::{create_tenant, rules, signer, Client, BOND},
	council::{carry, Council, THREE_OF_FIVE},
	manifest::{synthetic, CRATES_IO},
	process::{
		event_of, fabric_command, fabric_error, fabric_event, fabric_fails, fabric_failure,
		fabric_json, write, Node,
	},
	published::tenant,
	raw::{count, holds_of, storage_key, Raw, TENANT_BOND},
	validators::account,
};
use serde_json::Value;

/// Returns the steps of a deletion that the client reports.
fn steps(deleted: &Value) -> &[Value] {
	deleted["steps"].as_array().expect("a list")
}

#[tokio::test]
async fn a_space_that_asks_for_approval_takes_only_admitted_accounts() {
	let (dir, node) = Node::start_anew(&[]);
	let text = synthetic(5);
	fabric_json(&node.url, &["publish", &write(dir.path(), "manifest.jsonl", &text)]);
	let other = text.replace(CRATES_IO, "registry+https://example.com/index");
	let other = write(dir.path(), "other.jsonl", &other);
	let raw = Raw::connect(&node.url).await;
	let [alice, dave, eve] = ["//Alice", "//Dave", "//Eve"].map(|key| account(key).to_string());
	let (space, dave) = (ids::space("cargo").to_string(), dave.as_str());
	let space = space.as_str();

	let set = ["space", "set-rules", space, "--admission", "approval", "--yes"];
	let refused = fabric_error(&node.url, &[&set[..], &["--signer", "//Eve"]].concat());
	assert!(refused.contains("set_space_rules failed: Bad origin"), "{refused}");
	let named = format!("; {eve} signed, but the governor of {space} is {alice}: it can act");
	assert!(refused.contains(&named), "{refused}");
	let set = fabric_event(&node.url, &set, "SpaceRulesSet");
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
	let admit = |role| fabric_event(&node.url, &["space", "admit", space, dave, role], "Admitted");
	// An admission as a provider does not help a tenant, and neither does one that was revoked.
	let admitted = admit("provider");
	assert_eq!((&admitted["account"], &admitted["role"]), (&dave.into(), &"Provider".into()));
	assert_refused();
	admit("tenant");
	assert_eq!(admissions(&raw).await, 2);
	let revoke = ["space", "revoke-admission", space, dave, "tenant", "--yes"];
	let revoked = fabric_event(&node.url, &revoke, "AdmissionRevoked");
	assert_eq!((&revoked["account"], &revoked["role"]), (&dave.into(), &"Tenant".into()));
	assert_eq!(admissions(&raw).await, 1);
	assert_refused();

	admit("tenant");
	assert_eq!(fabric_json(&node.url, &join)["sources"][0]["committed"], 5);
	let shown = &fabric_json(&node.url, &["show", space])[0];
	assert_eq!((&shown["tenant_count"], &shown["unused_admissions"]), (&2.into(), &1.into()));
}

/// Returns the number of unused admissions to all spaces.
async fn admissions(raw: &Raw) -> usize {
	raw.keys(&storage_key("Admissions", &[])).await.len()
}

#[tokio::test]
async fn an_under_bonded_tenant_adds_nothing_until_its_bond_is_topped_up() {
	let (dir, node) = Node::start_anew(&[]);
	let manifest = write(dir.path(), "manifest.jsonl", &synthetic(5));
	fabric_json(&node.url, &["publish", &manifest]);
	let (space, id) = (ids::space("cargo").to_string(), tenant().to_string());
	let object = ids::content_object(tenant(), "package-0").to_string();
	let put =
		["record", "put", &id, "names", "latest", "--object", &object, "--signer", "//Charlie"];
	let assert_refused = |missing: &str| {
		fabric_fails(&node.url, &put, "refused", "ContentFabric.TenantUnderBonded: ");
		// Records can still be changed. The record of the run would be new.
		let advice = format!("add to it with `fabric member top-up {id} '{missing}'`");
		fabric_fails(&node.url, &["publish", &manifest], "refused", &advice);
	};

	let set = ["space", "set-rules", &space, "--tenant-bond", "3,000,000,000,000", "--yes"];
	let set = fabric_event(&node.url, &set, "SpaceRulesSet");
	assert_eq!(set["rules"]["tenant_bond"], (3 * BOND).to_string());
	assert_refused("2 UNIT");
	// A bond is in the smallest unit, or in the chain's unit, which has 12 decimals.
	let top_up = |amount| {
		let top_up = ["member", "top-up", &id, amount, "--yes", "--signer", "//Charlie"];
		fabric_event(&node.url, &top_up, "BondToppedUp")
	};
	let topped = top_up("1_000_000_000_000");
	assert_eq!(topped["amount"], BOND.to_string());
	assert_eq!(topped["bond"], (2 * BOND).to_string());
	assert_refused("1 UNIT");
	assert_eq!(top_up("1 UNIT")["bond"], (3 * BOND).to_string());
	fabric_json(&node.url, &put);
	assert!(fabric_json(&node.url, &["publish", &manifest])["sources"][0]["run"].is_string());

	let raw = Raw::connect(&node.url).await;
	let row = raw.tenant(tenant()).await.expect("the tenant exists");
	assert_eq!(raw.holds(&account("//Charlie")).await, holds_of(&row, TENANT_BOND));
	assert_eq!(row.bond, 3 * BOND);
}

#[tokio::test]
async fn members_are_slashed_and_deleted_with_one_call() {
	let (dir, node) = Node::start_anew(&[]);
	let manifest = write(dir.path(), "manifest.jsonl", &synthetic(5));
	let published = fabric_json(&node.url, &["publish", &manifest]);
	let raw = Raw::connect(&node.url).await;
	let id = published["provider"].as_str().expect("ids are text");
	let purge = |id: &str, slash| {
		let purge = ["governance", "purge", id, "--slash", slash, "--reason", "spam", "--yes"];
		fabric_json(&node.url, &purge)
	};
	let deleted = purge(id, "250,000,000,000");
	assert_eq!((&deleted["kind"], &deleted["id"]), (&"provider".into(), &id.into()));
	assert_eq!(deleted["slashed"], "250000000000");
	// The one node, which is removed in a block after the call.
	let left: Vec<_> = steps(&deleted).iter().map(|step| step["rows_left"].as_u64()).collect();
	assert_eq!((&deleted["rows"], left), (&1.into(), vec![Some(1), Some(0)]));
	assert_eq!(raw.keys(&storage_key("Nodes", &[])).await.len(), 0);
	assert_eq!(raw.holds(&account("//Bob")).await, BTreeMap::new());
	// The versions that it took in belong to their tenant.
	assert_eq!(fabric_json(&node.url, &["tree"])["totals"]["versions"], 5);

	// No more is slashed than the bond. Without rows there is nothing to wait for.
	let client = Client::connect(&node.url).await;
	let (space, tenant) = (ids::space("cargo"), TenantId([7; 10]));
	client.submit(&signer("//Dave"), create_tenant(space, tenant)).await;
	let deleted = purge(&tenant.to_string(), "5000000000000");
	assert_eq!((&deleted["rows"], &deleted["slashed"]), (&0.into(), &BOND.to_string().into()));
	assert!(steps(&deleted).is_empty());
	assert_eq!(raw.tenant(tenant).await, None);
}

#[tokio::test]
async fn a_purge_is_watched_to_its_end() {
	/// More than twice as many rows as a block has weight to spare for.
	const OBJECTS: u32 = 20_000;
	let (_dir, node) = Node::start_anew(&[]);
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
	let not_yet = format!("no purge of the tenant {id} is under way");
	fabric_fails(&node.url, &watch, "not-found", &not_yet);
	let created = raw.tenant(tenant).await.expect("the tenant exists").created;
	let start = calls::GovernanceDelete {
		member: tenant.into(),
		created,
		slash: 0,
		reason: b"too large".to_vec(),
	};
	client.submit(&alice, start).await;
	let progress = api::Progress { rows: OBJECTS, rows_left: OBJECTS, places_before: 0 };
	assert_eq!(api::purge_progress(&raw, tenant).await, Some(progress));
	assert_eq!(count(&raw.rows(tenant).await), OBJECTS as usize);
	// All funds are settled from the start, and nothing is shown any more.
	assert_eq!(raw.holds(dave.account()).await, BTreeMap::new());
	let tree = fabric_json(&node.url, &["tree"]);
	let shown = &tree["spaces"][0]["tenants"][0];
	assert_eq!((&shown["purge"]["scope"], &shown["rows"]), (&"member".into(), &OBJECTS.into()));
	assert_eq!(shown["content_objects"].as_array().map(Vec::len), Some(0));
	let purged = format!("the tenant {id} is being purged");
	fabric_fails(&node.url, &["resolve", &id, "names", "a"], "refused", &purged);

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

	// The command takes up the purge that is under way, but not without consent: that it is under
	// way is what a node says.
	let purge = ["governance", "purge", &id, "--reason", "too large"];
	fabric_fails(&node.url, &purge, "usage", "pass --yes");
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
	fabric_fails(
		&node.url,
		&by("vote", "//Alice"),
		"not-found",
		"the council has no motion with the call 0x",
	);
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
	let create = ["collection", "create", &id, "names", "--key-type", "any", "--signer", "//Dave"];
	fabric_event(&node.url, &create, "CollectionCreated");
	let suspend = ["governance", "suspend", &id, "--reason", "unpaid", "--yes"];
	let alone = [&suspend[..], &["--signer", "//Alice"]].concat();
	fabric_fails(&node.url, &alone, "refused", "Bad origin");
	assert_eq!(
		event_of(&carry(&node.url, THREE_OF_FIVE, &suspend), "Suspended")["reason"],
		"unpaid"
	);
	assert!(raw.tenant(tenant).await.expect("the tenant exists").suspended);

	// It deletes single rows of a member that it has frozen, also while that is suspended.
	let delete = ["governance", "delete-collection", &id, "names", "--reason", "unlawful", "--yes"];
	let alone = [&delete[..], &["--signer", "//Dave"]].concat();
	fabric_fails(&node.url, &alone, "refused", "is not frozen: freeze it first");
	let freeze = ["governance", "freeze", &id, "--reason", "unlawful", "--yes"];
	carry(&node.url, THREE_OF_FIVE, &freeze);
	fabric_fails(&node.url, &alone, "refused", "Bad origin");
	let deleted = carry(&node.url, THREE_OF_FIVE, &delete);
	let reason = event_of(&deleted, "ChildDeletedByGovernance");
	assert_eq!((&reason["member"], &reason["reason"]), (&id.clone().into(), &"unlawful".into()));
	assert_eq!(event_of(&deleted, "CollectionDeleted")["collection"], "names");
	carry(&node.url, THREE_OF_FIVE, &["governance", "unfreeze", &id, "--reason", "gone", "--yes"]);
	fabric_fails(&node.url, &alone, "refused", "is not frozen: freeze it first");

	// Other tools close a motion without its deposit. The same step releases that, by any account.
	let client = Client::connect(&node.url).await;
	let created = raw.tenant(tenant).await.expect("the tenant exists").created;
	let (member, reason) = (tenant.into(), b"paid".to_vec());
	let resume = calls::SetSuspended { member, created, enabled: false, reason };
	let council = Council::new(&client, THREE_OF_FIVE);
	council.carry(&council.propose(resume).await).await.expect("the motion is carried");
	let alice = account("//Alice");
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

// SPDX-License-Identifier: Apache-2.0
//! `fabric copies`, and the copies that `put` and `publish` ask for, without content nodes that pull.

use std::fs;

use content_fabric_client::{
	chain::{calls, rows},
	ids,
};
use content_fabric_identifiers::{HashKind, NodeId, TenantId, VersionHasher};
use content_fabric_tests::{
	client::rules,
	process::{
		fabric_fails, fabric_failure, fabric_json, fabric_output, fabric_report, fabric_text, write,
	},
	store::Store,
};
use serde_json::{json, Value};

use super::{
	content::{content, path, place, version},
	put_and_get::World,
};

/// Number of versions, more than one call has.
const MANY: usize = 700;

impl World {
	/// Runs `fabric copies` for a tenant.
	fn copies(&self, verb: &str, tenant: TenantId, options: &[&str]) -> Value {
		let tenant = tenant.to_string();
		fabric_json(self.url(), &[&["copies", verb, &tenant][..], options].concat())
	}

	/// Returns the deposit of a tenant, and the numbers of copies of its versions.
	async fn deposit_and_copies(&self, tenant: TenantId) -> (u128, Vec<usize>) {
		let at = self.fabric.client.best().await;
		let rows = at.rows(rows::versions(), (tenant,)).await.expect("the node answers");
		let member = at.member(tenant.into()).await.expect("it is there");
		(member.deposit, rows.iter().map(|(_, row)| row.copies.len()).collect())
	}
}

/// Returns a manifest with one version of each object.
fn manifest(number: usize) -> String {
	let line = |object: usize| {
		let hash = VersionHasher::hash(HashKind::Blake3, &object.to_le_bytes());
		let hash = format!("blake3:{}", hex::encode(hash.0));
		json!({ "name": format!("p{object}"), "version": "1", "hash": hash, "size": 8 }).to_string()
	};
	(0..number).map(line).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn copies_of_many_versions_are_added_and_removed_with_few_transactions() {
	let world = World::start().await;
	let first = world.fabric.add_node("first", &world.fabric.eve).await;
	let second = world.fabric.add_node("second", &world.fabric.alice).await;
	let docs = write(world.dir.path(), "docs.jsonl", &manifest(MANY));
	let (first, second) = (first.to_string(), second.to_string());
	let publish = ["publish", &docs, "--space", "test", "--copies", &first];
	let estimated = fabric_json(world.url(), &[&publish[..], &["--dry-run"]].concat());
	let published = fabric_json(world.url(), &publish);
	assert_eq!(published["sources"][0]["committed"], MANY);
	let tenant = world.tenant("docs");
	let (deposit, copies) = world.deposit_and_copies(tenant).await;
	assert_eq!(copies, [2; MANY]);
	let digits = |text: &Value| {
		text.as_str().and_then(|text| text.parse::<u128>().ok()).unwrap_or_else(|| panic!("{text}"))
	};
	let expected = estimated["estimates"].as_array().into_iter().flatten();
	let expected: u128 = expected.map(|cost| digits(&cost["deposits"])).sum();
	assert!(expected >= deposit, "{expected} < {deposit}");

	let add = ["--node", &second];
	let planned = world.copies("add", tenant, &[&add[..], &["--dry-run"]].concat());
	assert_eq!((&planned["copies_added"], &planned["transactions"]), (&json!(MANY), &json!(0)));
	let more = digits(&planned["estimates"][0]["deposits"]);
	let added = world.copies("add", tenant, &add);
	assert_eq!(added["copies_added"], MANY, "{added}");
	let transactions = added["transactions"].as_u64().expect("it is a number");
	assert!((1..=4).contains(&transactions), "{added}");
	let (with, copies) = world.deposit_and_copies(tenant).await;
	assert_eq!((with - deposit, copies), (more, vec![3; MANY]));
	let again = world.copies("add", tenant, &add);
	assert_eq!((&again["copies_added"], &again["transactions"]), (&json!(0), &json!(0)));

	let listed = world.copies("list", tenant, &["p1", "p2"]);
	assert_eq!(listed["looked_at"], 2);
	let states: Vec<_> = listed["versions"][0]["copies"]
		.as_array()
		.into_iter()
		.flatten()
		.map(|copy| &copy["state"])
		.collect();
	assert_eq!(states, ["held", "asked", "asked"]);
	let text = fabric_text(world.url(), &["copies", "list", &tenant.to_string()]);
	assert!(text.ends_with("700 versions: 700 held, 1400 asked, 0 gone\n"), "{text}");
	let lines = listed["versions"].as_array().into_iter().flatten();
	let mut names: Vec<_> = lines.map(|line| line["name"].as_str()).collect();
	names.sort_unstable();
	assert_eq!(names, [Some("p1"), Some("p2")]);
	let named = ["copies", "missing", &tenant.to_string(), "--no-probe"];
	let missing = fabric_report(world.url(), &named, 7);
	assert_eq!(missing["versions"].as_array().map(Vec::len), Some(MANY));

	// The last copies that a node holds are not removed unawares.
	let own = listed["versions"][0]["copies"][0]["node"].as_str().expect("it is an id").to_owned();
	let counted = |nodes: &[&str]| {
		let nodes = nodes.iter().flat_map(|node| ["--node", node]);
		let options: Vec<_> = nodes.chain(["--dry-run"]).collect();
		world.copies("remove", tenant, &options)["last_copies"].clone()
	};
	assert_eq!(
		[counted(&[&first, &second]), counted(&[&own]), counted(&[&own, &first])],
		[0, MANY, MANY]
	);
	for (what, warning) in [
		(&["p1", "p2"][..], "warning: 2 versions lose the last copy that a node holds"),
		(&["p1"], "warning: 1 version loses the last copy that a node holds"),
	] {
		let tenant = tenant.to_string();
		let remove = [&["copies", "remove", &tenant][..], what, &["--node", &own]].concat();
		let failure = fabric_failure(world.url(), &remove);
		assert_eq!(failure.class, "usage", "{failure:?}");
		assert!(failure.before.contains(warning), "{failure:?}");
		let text = fabric_text(world.url(), &[&remove[..], &["--dry-run"]].concat());
		assert!(text.contains(warning), "{text}");
	}

	let removed = world.copies("remove", tenant, &["p1", "--node", &first, "--yes"]);
	assert_eq!(removed["copies_removed"], 1);
	let removed = world.copies("remove", tenant, &["--node", &first, "--node", &second, "--yes"]);
	assert_eq!(removed["copies_removed"], 2 * MANY - 1);
	assert!(removed["transactions"].as_u64().is_some_and(|number| number <= 6), "{removed}");
	let (without, copies) = world.deposit_and_copies(tenant).await;
	assert_eq!(copies, [1; MANY]);
	assert!(without < deposit);
}

#[tokio::test]
async fn files_that_are_final_get_the_copies_that_they_lack() {
	let world = World::start().await;
	let [first, second] = [
		world.fabric.add_node("first", &world.fabric.eve).await,
		world.fabric.add_node("second", &world.fabric.alice).await,
	]
	.map(|node| node.to_string());
	world.file("site/a", &content(1, 500));
	world.file("site/b", &content(2, 600));
	world.put("site");
	let node = format!("http://{}", world.store().address);
	let (site, tenant) = (world.path("site"), world.tenant("site"));
	let put = ["put", &site, "--node", &node, "--copies", &first, "--copies", &second];
	let planned = fabric_json(world.url(), &[&put[..], &["--dry-run"]].concat());
	assert_eq!(planned["sources"][0]["copies_added"], 4);
	let text = fabric_text(world.url(), &put);
	assert!(
		text.contains("  asked other nodes for 4 copies of versions that were there before\n"),
		"{text}"
	);
	assert_eq!(world.deposit_and_copies(tenant).await.1, [3; 2]);
	assert_eq!(fabric_json(world.url(), &put)["sources"][0]["copies_added"], 0);
	// A new file asks both with its commit.
	world.file("site/c", &content(3, 700));
	assert_eq!(fabric_json(world.url(), &put)["sources"][0]["copies_added"], 0);
	assert_eq!(world.deposit_and_copies(tenant).await.1, [3; 3]);
	// The nodes of a profile are asked as well, except the one that takes content in.
	let own = world.node.to_string();
	let config =
		format!("[profile.main]\nurl = \"{}\"\ncopies = [\"{first}\", \"{own}\"]\n", world.url());
	let config = write(world.dir.path(), "config.toml", &config);
	world.file("site/d", &content(4, 800));
	let mut command = content_fabric_tests::process::fabric_command(
		world.url(),
		&["put", &site, "--node", &node, "--profile", "main"],
	);
	let output = command.env("FABRIC_CONFIG", &config).output().expect("it starts");
	assert!(output.status.success(), "{}", content_fabric_tests::process::stderr(&output));
	assert_eq!(world.deposit_and_copies(tenant).await.1.iter().sum::<usize>(), 3 * 3 + 2);
}

#[tokio::test]
async fn nodes_that_cannot_be_asked_are_named_before_anything_is_sent() {
	let world = World::start().await;
	let fabric = &world.fabric;
	let provider = fabric.provider;
	let pending = ids::node(provider, "pending");
	fabric.submit(&fabric.bob, fabric.create_node(pending, &fabric.eve)).await;
	let good = fabric.add_node("good", &fabric.eve).await;
	// A node of another space.
	let (space, foreign) = (ids::space("other"), ids::provider(ids::space("other"), "foreign"));
	let governor = *fabric.alice.account();
	let create = calls::CreateSpace { space, governor, rules: rules(0) };
	fabric.submit(&fabric.alice, fabric.client.sudo(create)).await;
	let max_held = content_fabric_tests::client::MAX_HELD;
	fabric.submit(&fabric.bob, calls::CreateProvider { space, id: foreign, max_held }).await;
	let stranger = ids::node(foreign, "stranger");
	let create = calls::CreateNode {
		provider: foreign,
		node: stranger,
		operator: *fabric.eve.account(),
		locator: b"/ip4/127.0.0.1".to_vec(),
	};
	fabric.submit(&fabric.bob, create).await;
	fabric.submit(&fabric.bob, calls::ConfirmNode { provider: foreign, node: stranger }).await;

	world.file("site/a", &content(1, 500));
	let (site, node) = (world.path("site"), format!("http://{}", world.store().address));
	let unknown = NodeId([9; 10]);
	let own = world.node;
	let list = |nodes: &[NodeId]| nodes.iter().map(NodeId::to_string).collect::<Vec<_>>().join(",");
	let before = fabric.raw.state().await;
	for (copies, class, reason) in [
		(list(&[unknown]), "not-found", format!("there is no node {unknown}")),
		(
			list(&[good, pending]),
			"refused",
			format!("the node {pending} of {provider} has yet to be confirmed"),
		),
		(
			list(&[stranger]),
			"refused",
			format!("the node {stranger} of {foreign} is in the space {space}, expected "),
		),
		(list(&[good, good]), "refused", format!("the node {good} of {provider} is named twice")),
		(
			list(&[good, own]),
			"refused",
			format!("the node {own} of {provider} takes in the content"),
		),
		(
			list(&[good; 8]),
			"refused",
			"a version has at most 8 copies, and 9 nodes are to hold it".into(),
		),
		(format!("none,{good}"), "usage", "`none` stands alone".into()),
	] {
		let put = ["put", &site, "--node", &node, "--copies", &copies];
		fabric_fails(world.url(), &put, class, &reason);
		fabric_fails(world.url(), &[&put[..], &["--dry-run"]].concat(), class, &reason);
	}
	assert_eq!(fabric.raw.state().await, before);
	world.put("site");
	let tenant = world.tenant("site").to_string();
	for (nodes, class, reason) in [
		(vec![pending], "refused", "has yet to be confirmed".to_owned()),
		(vec![stranger], "refused", format!("is in the space {space}")),
		(vec![good, good], "refused", "is named twice".into()),
		(vec![unknown], "not-found", format!("there is no node {unknown}")),
	] {
		let nodes: Vec<_> = nodes.iter().map(NodeId::to_string).collect();
		let nodes = nodes.iter().flat_map(|node| ["--node", node.as_str()]);
		let add: Vec<_> = ["copies", "add", &tenant].into_iter().chain(nodes).collect();
		fabric_fails(world.url(), &add, class, &reason);
	}
	let good = good.to_string();
	for (what, class, reason) in
		[("nothing", "not-found", "nothing is published under nothing"), ("hq__", "usage", "hq__")]
	{
		fabric_fails(world.url(), &["copies", "list", &tenant, what], class, reason);
		fabric_fails(
			world.url(),
			&["copies", "add", &tenant, what, "--node", &good],
			class,
			reason,
		);
	}
	// A key without a level in the tenant, and one with the level for content.
	let add = ["copies", "add", &tenant, "--node", &good, "--signer", "//Eve"];
	fabric_fails(world.url(), &add, "refused", "");
	let eve = fabric.eve.account().to_string();
	fabric_text(world.url(), &["key", "grant", &tenant, &eve, "content", "--yes"]);
	let added = fabric_json(world.url(), &add);
	assert_eq!(added["copies_added"], 1);
	// Each value of `--copies` is one of the option.
	let good = good.as_str();
	for copies in [&["--copies", good, good, &site][..], &[&site, "--copies", good, good]] {
		let put = [&["put", "--node", &node], copies].concat();
		let reason =
			"takes one path, and 2 are given; separate the nodes of --copies by commas, or";
		fabric_fails(world.url(), &put, "usage", reason);
	}
	let two = ["put", &site, &site, "--node", &node];
	fabric_fails(world.url(), &two, "usage", "the command takes one path, and 2 are given");
	let publish = ["publish", "--copies", good, &site, &site];
	fabric_fails(world.url(), &publish, "usage", "the command takes one path, and 2 are given");
	// The operator of a node removes its own copies only.
	fabric_fails(
		world.url(),
		&["copies", "remove", &tenant, "--node", good, "--signer", "//Dave", "--yes"],
		"refused",
		"",
	);
}

#[tokio::test]
async fn missing_says_why_a_node_does_not_serve_a_version_and_how_it_is_called() {
	let mut world = World::start().await;
	let (spoiled, sound) = (content(1, 5_000), content(2, 2_000_000));
	world.file("site/docs/a.html", &spoiled);
	world.file("site/b", &sound);
	world.put("site");
	let tenant = world.tenant("site").to_string();
	let missing = ["copies", "missing", &tenant];
	assert_eq!(fabric_text(world.url(), &missing), "nothing is missing of 2 versions\n");
	let data = world.dir.path().join("data");
	let lacks = |world: &World, status: u16, reason: &str| {
		let listed = fabric_report(world.url(), &missing, 7);
		let line = listed["versions"].as_array().into_iter().flatten();
		let mut line = line.filter(|line| line["name"] == "docs/a.html");
		let line = line.next().unwrap_or_else(|| panic!("{listed}"));
		let (copy, address) = (&line["copies"][0], &world.store().address);
		let expected =
			format!("the content node at http://{address} refuses, with status {status}: {reason}");
		assert_eq!((&copy["state"], &copy["reason"]), (&json!("unserved"), &json!(expected)));
		let text = fabric_output(world.url(), &missing);
		assert_eq!(text.status.code(), Some(7));
		let text = String::from_utf8_lossy(&text.stdout).into_owned();
		assert!(text.contains(", docs/a.html\n  inod") && text.contains(reason), "{text}");
	};
	let id = version(&spoiled);
	fs::write(place(&data, id), b"spoiled").expect("there is room");
	lacks(&world, 500, &format!("the node's copy of {id} is damaged: use another node"));

	// A node that has lost its disk.
	drop(world.store.take());
	fs::remove_dir_all(&data).expect("it is there");
	let of = (world.fabric.provider, world.node);
	world.store = Some(Store::start(world.url(), of, &data));
	world.locate(world.node, &format!("http://{}", world.store().address)).await;
	world.store().wait("GET", &path(&spoiled), 404);
	lacks(&world, 404, &format!("the node does not have {id}"));
	assert_eq!(
		fabric_report(world.url(), &missing, 7)["versions"].as_array().map(Vec::len),
		Some(2)
	);
	world.put("site");
	fabric_report(world.url(), &missing, 0);
}

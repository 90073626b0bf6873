// SPDX-License-Identifier: Apache-2.0
//! `fabric copies`, and the copies that `put` and `publish` ask for, without content nodes that pull.

use content_fabric_client::{
	chain::{calls, rows},
	ids,
};
use content_fabric_identifiers::{HashKind, NodeId, TenantId, VersionHasher};
use content_fabric_tests::{
	client::rules,
	process::{fabric_fails, fabric_json, fabric_text, write},
};
use serde_json::{json, Value};

use super::{content::content, put_and_get::World};

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
	let missing = world.copies("missing", tenant, &["--no-probe"]);
	assert_eq!(missing["versions"].as_array().map(Vec::len), Some(MANY));

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
	let put = ["put", &site, "--node", &node, "--copies", &first, &second];
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
	// The operator of a node removes its own copies only.
	fabric_fails(
		world.url(),
		&["copies", "remove", &tenant, "--node", &good, "--signer", "//Dave", "--yes"],
		"refused",
		"",
	);
}

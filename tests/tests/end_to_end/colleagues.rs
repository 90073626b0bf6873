// SPDX-License-Identifier: Apache-2.0
//! Colleagues: accounts with an access key publish in the tenant, and for the provider, of somebody
//! else, as far as their level permits; and the index lists what each of them did.

use content_fabric_client::{chain::calls::Call, ids};
use content_fabric_identifiers::{NodeId, TenantId};
use content_fabric_tests::{
	client::{signer, Client},
	fabric::Fabric,
	indexer::Indexed,
	process::{fabric_fails, fabric_failure, fabric_json, fabric_report, fabric_text, write},
};
use scale_encode::EncodeAsType;
use serde_json::Value;
use subxt::utils::{AccountId32, MultiAddress};

use super::put_and_get::World;

/// A URL at which no node answers.
const NOWHERE: &str = "ws://127.0.0.1:9";

/// The call that makes an account the proxy of the signer.
#[derive(EncodeAsType)]
struct AddProxy {
	delegate: MultiAddress<AccountId32, ()>,
	proxy_type: ProxyType,
	delay: u32,
}

#[derive(EncodeAsType)]
enum ProxyType {
	Any,
}

impl Call for AddProxy {
	const PALLET: &'static str = "Proxy";
	const NAME: &'static str = "add_proxy";
}

/// Returns the address of a development key.
fn account(key: &str) -> String {
	signer(key).account().to_string()
}

/// Returns what is on hold for an account.
fn reserved(url: &str, key: &str) -> u128 {
	let funds = fabric_json(url, &["account", &account(key)]);
	funds["reserved"].as_str().and_then(|text| text.parse().ok()).expect("it is an amount")
}

/// Returns the estimate for an account in the report of a dry run: deposits and fees.
fn estimated(report: &Value, key: &str) -> (u128, u128, bool) {
	let estimates = report["estimates"].as_array().expect("a list");
	let of = estimates.iter().find(|estimate| estimate["account"] == account(key));
	let of = of.unwrap_or_else(|| panic!("no estimate for {key}: {report}"));
	let amount = |name: &str| of[name].as_str().and_then(|text| text.parse().ok()).expect(name);
	(amount("deposits"), amount("fees"), of["signs"] == true)
}

/// Grants or revokes a level of Eve in a tenant of Charlie's.
fn grant(url: &str, tenant: TenantId, level: Option<&str>) {
	let (tenant, eve) = (tenant.to_string(), account("//Eve"));
	match level {
		Some(level) => fabric_json(url, &["key", "grant", &tenant, &eve, level, "--yes"]),
		None => fabric_json(url, &["key", "revoke", &tenant, &eve, "--yes"]),
	};
}

#[tokio::test]
async fn a_colleague_with_the_level_content_puts_a_folder_and_a_manifest_for_another_root() {
	let world = World::start().await;
	let url = world.url();
	world.file("site/a.txt", b"a");
	world.put("site");
	let (tenant, site) = (world.tenant("site"), world.path("site"));
	let node = format!("http://{}", world.store().address);
	let put = ["put", &site, "--node", &node, "--signer", "//Eve"];
	world.file("site/b.txt", b"b");

	// Without a level, or with one that permits too little, nothing is signed.
	let help = format!("`fabric key grant {tenant} {} content`", account("//Eve"));
	let has_none =
		format!("the account {} has no access key in the tenant {tenant}", account("//Eve"));
	let refused = fabric_failure(url, &put);
	assert_eq!(refused.class, "refused");
	assert!(refused.error.starts_with(&has_none) && refused.error.contains(&help), "{refused:?}");
	grant(url, tenant, Some("read"));
	let refused = fabric_failure(url, &put);
	assert!(refused.error.contains("has the level read in the tenant"), "{refused:?}");
	assert!(refused.error.contains("needs the level content") && refused.error.contains(&help));

	// The root pays the deposits, and the colleague the fees: in the estimate, and then on the chain.
	grant(url, tenant, Some("content"));
	let planned = fabric_report(url, &[&put[..], &["--dry-run"]].concat(), 0);
	let (deposits, fees, signs) = estimated(&planned, "//Charlie");
	assert!(deposits > 0 && fees == 0 && !signs, "{planned}");
	let (none, fees, signs) = estimated(&planned, "//Eve");
	assert!(none == 0 && fees > 0 && signs, "{planned}");
	let before = [reserved(url, "//Charlie"), reserved(url, "//Eve")];
	let report = fabric_json(url, &put);
	let source = &report["sources"][0];
	assert_eq!((&source["committed"], &source["finalized"]), (&1.into(), &1.into()), "{report}");
	let after = [reserved(url, "//Charlie"), reserved(url, "//Eve")];
	assert!(after[0] > before[0] && after[0] <= before[0] + deposits, "{before:?} {after:?}");
	assert_eq!(after[1], before[1]);
	let back = world.path("back");
	fabric_json(url, &["get", &tenant.to_string(), "--output", &back]);
	assert!(super::content::tree(site.as_ref()) == super::content::tree(back.as_ref()));

	// A manifest, whose versions a provider of the colleague's own commits.
	let hash = hex::encode(super::content::version(b"c").0);
	let line =
		format!("{{\"name\": \"c\", \"hash\": \"blake3:{hash}\", \"size\": 1, \"head\": true}}");
	let manifest = write(world.dir.path(), "more.jsonl", &line);
	let publish =
		["publish", &manifest, "--space", "test", "--source", "site", "--signer", "//Eve"];
	let report = fabric_json(url, &publish);
	assert_eq!(report["sources"][0]["tenant"], tenant.to_string());
	assert_eq!(report["sources"][0]["records_added"], 2, "{report}");

	// More than the root allows to be on hold is refused before it is signed.
	let id = tenant.to_string();
	fabric_json(url, &["member", "set-max-held", &id, "2 UNIT", "--yes"]);
	for file in 0..30 {
		world.file(&format!("site/{file}.txt"), format!("{file}").as_bytes());
	}
	let refused = fabric_failure(url, &put);
	assert_eq!(refused.class, "refused");
	let remedy = format!(
		"its root, {}, can raise the limit with `fabric member set-max-held {id} '",
		account("//Charlie")
	);
	assert!(refused.error.contains(&remedy), "{refused:?}");
	fabric_json(url, &["member", "set-max-held", &id, "100 UNIT", "--yes"]);

	// Frozen, nobody publishes; after the revocation, the colleague does not.
	world.fabric.freeze_tenant_of(tenant, true).await;
	fabric_fails(url, &put, "refused", &format!("governance has frozen the tenant {tenant}"));
	world.fabric.freeze_tenant_of(tenant, false).await;
	grant(url, tenant, None);
	fabric_fails(url, &put, "refused", &has_none);
}

#[tokio::test]
async fn calls_above_the_level_are_refused_with_the_command_of_an_admin() {
	let world = World::start().await;
	let url = world.url();
	let space = world.fabric.space.to_string();
	let max = ["--max-held", "100 UNIT"];
	fabric_json(url, &[&["tenant", "create", &space, "--name", "fresh"], &max[..]].concat());
	let tenant = world.tenant("fresh");
	grant(url, tenant, Some("content"));
	world.file("fresh/a", b"a");
	let (folder, id, eve) = (world.path("fresh"), tenant.to_string(), account("//Eve"));
	let node = format!("http://{}", world.store().address);
	let put = ["put", &folder, "--node", &node, "--signer", "//Eve"];
	let refused = fabric_failure(url, &put);
	assert_eq!(refused.class, "refused");
	let commands: Vec<_> = refused.error.split('`').skip(1).step_by(2).collect();
	assert_eq!(
		commands[..2],
		[
			format!("fabric collection create {id} names --key-type any"),
			format!("fabric collection create {id} runs --key-type tid"),
		]
	);
	assert!(refused.error.contains("needs the level admin"), "{refused:?}");
	assert_eq!(commands[2], format!("fabric key grant {id} {eve} admin"));

	// The same for each command, while what the level permits is done.
	let recipient = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p";
	for arguments in [
		&["collection", "create", &id, "names", "--key-type", "any"][..],
		&[
			"kms",
			"add",
			&id,
			"--name",
			"k",
			"--operator",
			&eve,
			"--locator",
			"https://a.example",
			"--key",
			recipient,
		],
		&["key", "grant", &id, &account("//Ferdie"), "read", "--yes"],
		&["member", "set-max-held", &id, "5 UNIT"],
	] {
		let refused = fabric_failure(url, &[arguments, &["--signer", "//Eve"]].concat());
		assert_eq!(refused.class, "refused", "{arguments:?}");
		let has = format!(
			"the account {eve} has the level content in the tenant {id}, and needs the level "
		);
		assert!(refused.error.starts_with(&has), "{arguments:?}: {refused:?}");
		assert!(refused.error.ends_with("; nothing was submitted"), "{arguments:?}: {refused:?}");
		assert!(refused.error.contains(&account("//Charlie")), "{arguments:?}: {refused:?}");
	}
	for command in &commands[..2] {
		let words: Vec<_> = command.split(' ').skip(1).collect();
		fabric_json(url, &words);
	}
	let report = fabric_json(url, &put);
	assert_eq!(report["sources"][0]["committed"], 1, "{report}");
	let object = ids::content_object(tenant, "a").to_string();
	let record = ["record", "put", &id, "names", "alias", "--object", &object, "--signer", "//Eve"];
	fabric_json(url, &record);
}

#[tokio::test]
async fn an_operator_and_an_admin_commit_for_the_provider_of_another() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(&dir.path().join("chain"), 0).await;
	let (url, provider) = (fabric.url(), fabric.provider.to_string());
	let nodes =
		[fabric.add_node("dave", &fabric.dave).await, fabric.add_node("bob", &fabric.bob).await];
	let [of_dave, of_bob] = nodes.map(|node| node.to_string());
	let folder = dir.path().join("folder");
	std::fs::create_dir(&folder).expect("there is room");
	let path = folder.to_str().expect("the path is text");
	let publish = |node: &str, key: &str| {
		let arguments = ["publish", path, "--space", "test", "--node", node, "--provider", key];
		arguments.map(str::to_owned).to_vec()
	};
	let run = |arguments: Vec<String>| {
		let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
		fabric_json(url, &arguments)
	};
	let refused = |arguments: Vec<String>| {
		let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
		fabric_failure(url, &arguments)
	};

	// The operator, for its own node only.
	write(&folder, "a", "a");
	let report = run(publish(&of_dave, "//Dave"));
	assert_eq!(
		(&report["provider"], &report["node"]),
		(&provider.clone().into(), &of_dave.clone().into())
	);
	assert_eq!(report["sources"][0]["finalized"], 1, "{report}");
	let dave = account("//Dave");
	let error = refused(publish(&of_bob, "//Dave"));
	let expected = format!("the account {dave} has no access key in the provider {provider}, and needs the level admin");
	assert!(error.class == "refused" && error.error.starts_with(&expected), "{error:?}");
	assert!(error.error.contains(&account("//Bob")), "{error:?}");

	// With the level admin, for every node.
	write(&folder, "b", "b");
	fabric_json(url, &["key", "grant", &provider, &dave, "admin", "--yes"]);
	let report = run(publish(&of_bob, "//Dave"));
	assert_eq!(report["sources"][0]["finalized"], 1, "{report}");
	fabric_json(url, &["key", "revoke", &provider, &dave, "--yes"]);
	assert!(refused(publish(&of_bob, "//Dave")).error.starts_with(&expected));

	for (node, space, class, reason) in [
		(NodeId([9; 10]).to_string(), "test", "not-found", "there is no node"),
		(of_dave, "elsewhere", "refused", "pass --space "),
	] {
		let arguments =
			["publish", path, "--space", space, "--node", &node, "--provider", "//Dave"];
		fabric_fails(url, &arguments, class, reason);
	}
}

#[tokio::test]
async fn history_by_signature_lists_what_an_account_did() {
	let indexed = Indexed::start(&[], &["--history"]).await;
	let url = &indexed.node.url;
	let [alice, bob, charlie, eve] = ["//Alice", "//Bob", "//Charlie", "//Eve"].map(account);
	let create = ["space", "create", "--name", "docs", "--governor", &alice];
	fabric_json(
		url,
		&[&create[..], &["--provider-bond", "1 UNIT", "--tenant-bond", "1 UNIT"]].concat(),
	);
	let (space, tenant) = (ids::space("docs"), ids::tenant(ids::space("docs"), "library"));
	let (space, id) = (space.to_string(), tenant.to_string());
	fabric_json(url, &["tenant", "create", &space, "--name", "library", "--max-held", "9 UNIT"]);
	fabric_json(url, &["key", "grant", &id, &eve, "content", "--yes"]);
	let collection = ["collection", "create", &id, "names", "--key-type", "any"];
	fabric_json(url, &collection);
	let object = ["object", "create", &id, "--name"];
	fabric_json(url, &[&object[..], &["own", "--signer", "//Eve"]].concat());
	// As the proxy of Charlie, and by the council.
	let client = Client::connect(url).await;
	let delegate = MultiAddress::Id(*signer("//Eve").account());
	let proxy = AddProxy { delegate, proxy_type: ProxyType::Any, delay: 0 };
	client.submit(&signer("//Charlie"), proxy).await;
	fabric_json(url, &[&object[..], &["proxied", "--signer", "//Eve", "--as", &charlie]].concat());
	for (step, key) in
		[("propose", "//Alice"), ("vote", "//Alice"), ("vote", "//Bob"), ("close", "//Bob")]
	{
		let suspend = ["governance", "suspend", &id, "--reason", "late", "--council", step];
		fabric_json(url, &[&suspend[..], &["--signer", key, "--yes"]].concat());
	}
	indexed.catches_up().await;

	let signed = |account: &str, more: &[&str]| {
		let arguments = ["--index", &indexed.index.url, "history", account, "--signed-by"];
		fabric_json(NOWHERE, &[&arguments[..], more].concat())["events"].clone()
	};
	let did = |account: &str| {
		let events = signed(account, &["--oldest"]);
		let events = events.as_array().expect("a list").iter();
		let did = events.map(|event| {
			assert_eq!(event["signer"], account, "{event}");
			assert!(event["extrinsic_hash"].is_string(), "{event}");
			(event["name"].clone(), event["via"].clone())
		});
		did.collect::<Vec<_>>()
	};
	let via = |name: &str, via: &[&str]| (Value::from(name), Value::from(via.to_vec()));
	assert_eq!(did(&alice), [via("SpaceCreated", &["sudo"])]);
	assert_eq!(did(&bob), [via("Suspended", &["council"])]);
	assert_eq!(
		did(&charlie),
		[via("TenantCreated", &[]), via("TenantKeySet", &[]), via("CollectionCreated", &[])]
	);
	let both = [via("ContentObjectCreated", &[]), via("ContentObjectCreated", &["proxy"])];
	assert_eq!(did(&eve), both);
	let newest = signed(&eve, &["--limit", "1"]);
	assert_eq!(newest[0]["via"], Value::from(vec!["proxy"]));
	// Events that name the account are another list.
	let names = ["--index", &indexed.index.url, "history", &eve];
	let named = fabric_json(NOWHERE, &names)["events"].clone();
	assert_eq!(named.as_array().map(Vec::len), Some(1), "{named}");
	let text = fabric_text(NOWHERE, &[&names[..], &["--signed-by"]].concat());
	assert!(text.contains(&format!("  signer {eve}, via proxy, transaction 0x")), "{text}");
	let of_entity = ["--index", &indexed.index.url, "history", &id, "--signed-by"];
	fabric_fails(NOWHERE, &of_entity, "usage", "only accounts sign");
}

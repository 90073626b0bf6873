// SPDX-License-Identifier: Apache-2.0
//! The client's commands: that there is one for each call, access keys, and errors.

use content_fabric_cli::command_of;
use content_fabric_tests::{
	client::Client,
	manifest::synthetic,
	process::{
		fabric_error, fabric_event, fabric_fails, fabric_failure, fabric_json, fabric_output,
		fabric_text, write, Node,
	},
	published::tenant,
};

#[tokio::test]
async fn every_call_of_the_pallet_has_a_command() {
	let (_dir, node) = Node::start_anew(&[]);
	let at = Client::connect(&node.url).await.best().await;
	let pallet = at.metadata().pallet_by_name("ContentFabric").expect("the runtime has the pallet");
	let calls = pallet.call_variants().expect("the pallet has calls");
	let mut missing = calls.iter().filter(|call| command_of(&call.name).is_none());
	assert_eq!(missing.next().map(|call| &call.name), None);
	assert!(calls.len() > 40);
}

#[test]
fn keys_are_granted_shown_and_revoked() {
	/// The address of //Dave, as polkadot-js writes it.
	const DAVE: &str = "5DAAnrj7VHTznn2AWBemMuyBwZWs6FNFjdyVXUeYum3PTXFy";
	/// The address of //Eve.
	const EVE: &str = "5HGjWAeFDfFCWPsjFQdVV2Msvz2XtMktvgocEZcCj68kUMaw";
	let (dir, node) = Node::start_anew(&[]);
	fabric_json(&node.url, &["publish", &write(dir.path(), "manifest.jsonl", &synthetic(5))]);
	let space = || fabric_json(&node.url, &["tree"])["spaces"][0].clone();
	let id = |kind: &str| space()[kind][0]["id"].as_str().expect("ids are text").to_owned();
	let (provider, tenant) = (id("providers"), id("tenants"));
	let grant = |member: &str, account: &str, level: &str, signer: &str, event: &str| {
		let grant = ["key", "grant", member, account, level, "--signer", signer, "--yes"];
		fabric_event(&node.url, &grant, event)
	};

	let set = grant(&tenant, DAVE, "admin", "//Charlie", "TenantKeySet");
	assert_eq!((&set["account"], &set["level"]), (&DAVE.into(), &"Admin".into()));
	grant(&provider, DAVE, "admin", "//Bob", "ProviderKeySet");
	assert_eq!(space()["tenants"][0]["keys"][0]["level"], "admin");
	assert_eq!(space()["providers"][0]["keys"][0]["level"], "admin");
	let text = fabric_text(&node.url, &["tree"]);
	assert!(text.contains(&format!("    key {DAVE}, level admin")), "{text}");

	// An Admin grants the levels below its own, and no other.
	grant(&tenant, EVE, "content", "//Dave", "TenantKeySet");
	let dave = |member| ["key", "grant", member, EVE, "admin", "--signer", "//Dave", "--yes"];
	for member in [&tenant, &provider] {
		fabric_fails(&node.url, &dave(member), "refused", "ContentFabric.NoPermission");
	}
	// A level that is missing, or none of the member's kind, revokes nothing.
	for level in ["kms", "content", "read"] {
		fabric_fails(
			&node.url,
			&["key", "grant", &provider, EVE, level],
			"usage",
			&format!("`{level}`"),
		);
	}
	let forgotten = fabric_output(&node.url, &["key", "grant", &tenant, EVE]);
	assert_eq!(forgotten.status.code(), Some(2));
	assert_eq!(space()["tenants"][0]["keys"].as_array().map(Vec::len), Some(2));

	// A grant asks, whatever the level that the node says the account has. So does a change of
	// rules: its call also has the rules that are not named.
	let space_id = space()["id"].as_str().expect("ids are text").to_owned();
	for asking in [
		&["key", "grant", &tenant, EVE, "admin", "--signer", "//Charlie"][..],
		&["space", "set-rules", &space_id, "--partitions", "2"],
	] {
		fabric_fails(&node.url, asking, "usage", "pass --yes");
	}
	let revoke = ["key", "revoke", &tenant, DAVE, "--signer", "//Charlie"];
	// Without a terminal, nobody can be asked.
	fabric_fails(&node.url, &revoke, "usage", "--yes");
	let revoked = fabric_event(&node.url, &[&revoke[..], &["--yes"]].concat(), "TenantKeySet");
	assert!(revoked["level"].is_null());
	assert_eq!(space()["tenants"][0]["keys"].as_array().map(Vec::len), Some(1));
}

/// Checks that command lines fail with an error of this class, which is one line and has these
/// words.
fn assert_failures(url: &str, class: &str, failures: &[(&str, &str)]) {
	for (line, named) in failures {
		let arguments: Vec<_> = line.split(' ').collect();
		let failure = fabric_failure(url, &arguments);
		assert!(failure.error.contains(named), "{line}: {failure:?}");
		assert_eq!(failure.class, class, "{line}: {failure:?}");
		assert!(!failure.error.contains('\n'), "{line}: {failure:?}");
		assert_eq!(failure.before, "", "{line}");
	}
}

/// A URL at which no node answers.
const NOWHERE: &str = "ws://127.0.0.1:9";
/// The address of //Bob.
const BOB: &str = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty";

#[test]
fn every_wrong_command_line_is_one_clear_line_and_a_failing_status() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let text = synthetic(20);
	let whole = write(dir.path(), "manifest.jsonl", &text);
	let cut = write(dir.path(), "cut.jsonl", &text[..text.len() - 40]);
	let other = write(dir.path(), "Other.txt", "This is a text.\n");
	let folder = dir.path().join("folder");
	std::fs::create_dir(&folder).expect("there is room for a folder");
	let folder = folder.to_str().expect("the path is text");
	for (url, class, named) in [
		("ws://127.0.0.1:9", "connection", "no node answers at ws://127.0.0.1:9: "),
		("localhost", "usage", "is not the URL of a node: expected ws:// or wss://"),
		("http://127.0.0.1", "usage", "is not the URL of a node: expected ws:// or wss://"),
		("ws://", "usage", "is not the URL of a node"),
		("ws://example.com", "usage", "is not encrypted and not on this machine"),
	] {
		for arguments in [&["tree"][..], &["publish", &whole]] {
			fabric_fails(url, arguments, class, named);
		}
	}
	// All of these are found before the client looks for a node.
	assert_eq!(fabric_failure(NOWHERE, &[]).class, "usage");
	let publish = |arguments: &str| format!("publish {arguments}");
	let grant = |arguments: &str| format!("key grant {arguments}");
	let resolve = |arguments: &str| format!("resolve iten1111111111 {arguments}");
	assert_failures(
		NOWHERE,
		"usage",
		&[
			("prune", "unrecognized subcommand 'prune'"),
			("publish /no/such/file", "/no/such/file cannot be read: No such file"),
			(&publish(&cut), "cut.jsonl:20: is not a JSON object: it ends too early"),
			(&publish(&other), "Other.txt:1: is not a JSON object: `This is a text.`"),
			(&publish(folder), "has no files to publish"),
			(&publish(&format!("{whole} --source stable")), "leave out --source"),
			("show nonsense", "`nonsense` is not an id: "),
			("show ispc0", "the character at byte 4 is not base58"),
			(
				"governance suspend ispc1111111111 --reason spam",
				"is the id of a space, expected a provider or a tenant (iprv…, iten…)",
			),
			("governance resume tenant --reason paid", "starts with neither `iprv` nor `iten`"),
			("node confirm iten1111111111 inod1111111111", "expected a provider (iprv…)"),
			("object create provider --name a", "the id does not start with `iten`"),
			(&grant("iten1111111111 5Bob admin"), "`5Bob` is not the address"),
			(&grant(&format!("iten1111111111 {BOB}")), "<LEVEL>"),
			(&grant(&format!("iprv1111111111 {BOB} kms")), "kms"),
			("member top-up iten1111111111 1,5", "1,5"),
			(&resolve("a:b a"), "`a:b` is not the name of a collection: "),
			// The last argument is empty.
			(&resolve("names "), "`` is not the name of a record: "),
			(
				"collection create iten1111111111 names --key-type tids",
				"`tids` is not a type of record keys: ",
			),
		],
	);
}

#[test]
fn arguments_that_are_refused_do_not_control_the_terminal() {
	for line in [
		&["show", "a\u{1b}[2J"][..],
		&["publish", "manifest.jsonl", "--wait", "a\u{1b}[2J"],
		&["resolve", "iten1111111111", "names", "--key", "a\u{1b}[2J"],
	] {
		let refused = fabric_output("ws://127.0.0.1:1", line);
		let error = String::from_utf8_lossy(&refused.stderr).into_owned();
		assert_eq!(refused.status.code(), Some(2), "{error}");
		assert!(error.contains("a\\u{1b}[2J") && !error.contains('\u{1b}'), "{error}");
	}
}

#[test]
fn every_refusal_is_one_clear_line_and_a_failing_status() {
	let (dir, node) = Node::start_anew(&[]);
	let url = &node.url;
	let whole = write(dir.path(), "manifest.jsonl", &synthetic(20));
	let long = "x".repeat(400);
	let version = format!("hq__{}", "1".repeat(32));
	let no_tenant = "there is no tenant iten1111111111";
	let no_provider = "there is no provider iprv1111111111";
	assert_failures(
		url,
		"not-found",
		&[
			(&format!("publish {whole} --governor //Eve"), "`fabric space create "),
			("show ispc1111111111", "there is no space ispc1111111111"),
			("show iprv1111111111", no_provider),
			("show inod1111111111", "there is no node inod1111111111"),
			("show iten1111111111", no_tenant),
			("show ikms1111111111", "there is no KMS ikms1111111111"),
			("show iq__1111111111", "there is no content object iq__11"),
			(&format!("show {version}"), "there is no version hq__1111111111111111"),
			("governance purge iten1111111111 --reason spam", no_tenant),
			("governance purge iprv1111111111 --reason spam", no_provider),
			("governance suspend iten1111111111 --reason spam", no_tenant),
			(
				"watch --purge iten1111111111",
				"there is no tenant iten1111111111; it may just have been deleted",
			),
			("resolve iten1111111111 names a", no_tenant),
			("space set-rules ispc1111111111 --partitions 1", "there is no space ispc1111111111"),
			("member top-up iten1111111111 1", no_tenant),
			("member set-max-held iprv1111111111 1", no_provider),
			("member nominate iten1111111111 --withdraw", no_tenant),
			("member accept iten1111111111 --max-held 1", no_tenant),
			("member purge iten1111111111", no_tenant),
			("member leave iprv1111111111", no_provider),
			(&format!("node set-operator iprv1111111111 inod1111111111 {BOB}"), "there is no "),
		],
	);
	assert_failures(
		url,
		"usage",
		&[
			(&format!("publish {whole} --tenant /Charlie"), "a key source"),
			(&format!("publish {whole} --node-locator {long}"), "--node-locator is too long: "),
			(
				&format!("space create --name a --governor {BOB} --sla {long}"),
				"--sla is too long: ",
			),
			(
				&format!("collection create iten1111111111 {long} --key-type tid"),
				"NAME is too long: it has 400 bytes, and the chain accepts at most 317",
			),
			(&format!("record delete iten1111111111 {long} a"), "COLLECTION is too long: "),
		],
	);

	// The tenant of another account is not used without an access key.
	fabric_json(url, &["publish", &whole]);
	let tenant = tenant();
	assert_failures(
		url,
		"refused",
		&[
			(
				&format!("publish {whole} --tenant //Dave"),
				&format!("has no access key in the tenant {tenant}, and needs the level content"),
			),
			(
				&format!("record delete {tenant} names package-0 --signer //Eve"),
				&format!("has no access key in the tenant {tenant}, and needs the level content"),
			),
		],
	);
	assert_failures(
		url,
		"usage",
		&[(
			&format!("governance suspend {tenant} --reason {}", &long[..257]),
			"--reason is too long: it has 257 bytes, and the chain accepts at most 256",
		)],
	);
	assert_failures(
		url,
		"not-found",
		&[
			(
				&format!("watch --purge {tenant}"),
				&format!("no purge of the tenant {tenant} is under way"),
			),
			// A record that does not exist does not dangle.
			(
				&format!("resolve {tenant} names no-package"),
				"has no record `no-package` in a collection `names`",
			),
		],
	);
	// In text, too.
	let error = fabric_error(url, &["show", "ispc1111111111"]);
	assert_eq!(error, "error: there is no space ispc1111111111\n");
}

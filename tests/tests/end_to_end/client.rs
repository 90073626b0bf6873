// SPDX-License-Identifier: Apache-2.0
//! The client's commands: that there is one for each call, access keys, and errors.

use std::collections::BTreeSet;

use content_fabric_client::CALLS;
use content_fabric_tests::{
	client::Client,
	lockfile::synthetic,
	process::{
		fabric_error, fabric_event, fabric_fails, fabric_failure, fabric_json, fabric_output,
		fabric_text, write, Node,
	},
};

#[tokio::test]
async fn every_call_of_the_pallet_has_a_command() {
	let (_dir, node) = Node::start_anew(&[]);
	let at = Client::connect(&node.url).await.best().await;
	let pallet = at.metadata().pallet_by_name("ContentFabric").expect("the runtime has the pallet");
	let calls = pallet.call_variants().expect("the pallet has calls");
	let calls: BTreeSet<_> = calls.iter().map(|call| call.name.as_str()).collect();
	let listed: BTreeSet<_> = CALLS.iter().map(|(call, _)| *call).collect();
	assert_eq!(listed, calls);
}

#[test]
fn keys_are_granted_shown_and_revoked() {
	/// The address of //Dave, as polkadot-js writes it.
	const DAVE: &str = "5DAAnrj7VHTznn2AWBemMuyBwZWs6FNFjdyVXUeYum3PTXFy";
	/// The address of //Eve.
	const EVE: &str = "5HGjWAeFDfFCWPsjFQdVV2Msvz2XtMktvgocEZcCj68kUMaw";
	let (dir, node) = Node::start_anew(&[]);
	fabric_json(&node.url, &["publish", &write(dir.path(), "Cargo.lock", &synthetic(5))]);
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
	for level in ["kms", "content"] {
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

	// A grant asks, whatever the level that the node says the account has. So does a change of rules,
	// of which the call has those that are not named, too.
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

/// Failures: the arguments, the class of the error, and a part of its text.
type Failures<'a> = &'a [(&'a [&'a str], &'a str, &'a str)];

/// Checks that commands fail with one line, in text and in JSON.
fn assert_failures(url: &str, failures: Failures) {
	for (arguments, class, named) in failures {
		let failure = fabric_failure(url, arguments);
		assert!(failure.error.contains(named), "{arguments:?}: {failure:?}");
		assert_eq!(failure.class, *class, "{arguments:?}: {failure:?}");
		assert!(!failure.error.contains('\n'), "{arguments:?}: {failure:?}");
		assert_eq!(failure.before, "", "{arguments:?}");
	}
}

/// The address of //Bob.
const BOB: &str = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty";

#[test]
fn every_wrong_command_line_is_one_clear_line_and_a_failing_status() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let text = synthetic(20);
	let whole = write(dir.path(), "Cargo.lock", &text);
	let cut = write(dir.path(), "Cut.lock", &text[..text.len() - 40]);
	let other = write(dir.path(), "Other.txt", "This is a text.\n");
	let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
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
	let nowhere = "ws://127.0.0.1:9";
	assert_failures(
		nowhere,
		&[
			(&[], "usage", ""),
			(&["prune"], "usage", "unrecognized subcommand 'prune'"),
			(&["publish", "/no/such/file"], "usage", "/no/such/file cannot be read: No such file"),
			(&["publish", &cut], "usage", "Cut.lock"),
			(&["publish", &other], "usage", "Other.txt"),
			(&["publish", manifest], "usage", "Cargo.toml"),
			(&["publish", &whole, "--source", "stable"], "usage", "--source"),
			(&["show", "nonsense"], "usage", "`nonsense` is not an id: "),
			(&["show", "ispc0"], "usage", "the character at byte 4 is not base58"),
			(
				&["governance", "suspend", "ispc1111111111", "--reason", "spam"],
				"usage",
				"is the id of a space, expected a provider or a tenant (iprv…, iten…)",
			),
			(
				&["governance", "resume", "tenant", "--reason", "paid"],
				"usage",
				"starts with neither `iprv` nor `iten`",
			),
			(
				&["node", "confirm", "iten1111111111", "inod1111111111"],
				"usage",
				"expected a provider (iprv…)",
			),
			(
				&["object", "create", "provider", "--name", "a"],
				"usage",
				"the id does not start with `iten`",
			),
			(
				&["key", "grant", "iten1111111111", "5Bob", "admin"],
				"usage",
				"`5Bob` is not the address",
			),
			(&["key", "grant", "iten1111111111", BOB], "usage", "<LEVEL>"),
			(&["key", "grant", "iprv1111111111", BOB, "kms"], "usage", "kms"),
			(&["member", "top-up", "iten1111111111", "1,5"], "usage", "1,5"),
			(
				&["resolve", "iten1111111111", "a:b", "a"],
				"usage",
				"`a:b` is not the name of a collection: ",
			),
			(
				&["resolve", "iten1111111111", "names", ""],
				"usage",
				"`` is not the name of a record: ",
			),
			(
				&["collection", "create", "iten1111111111", "names", "--key-type", "tids"],
				"usage",
				"`tids` is not a type of record keys: ",
			),
		],
	);
}

#[test]
fn arguments_that_are_refused_do_not_control_the_terminal() {
	for line in [
		&["show", "a\u{1b}[2J"][..],
		&["publish", "Cargo.lock", "--wait", "a\u{1b}[2J"],
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
	let whole = write(dir.path(), "Cargo.lock", &synthetic(20));
	let long = "x".repeat(400);
	let version = format!("hq__{}", "1".repeat(32));
	let (space, provider, tenant) = ("ispc1111111111", "iprv1111111111", "iten1111111111");
	let no_tenant = "there is no tenant iten1111111111";
	let no_provider = "there is no provider iprv1111111111";
	assert_failures(
		url,
		&[
			(&["publish", &whole, "--tenant", "/Charlie"], "usage", "a key source"),
			(&["publish", &whole, "--governor", "//Eve"], "not-found", "`fabric space create "),
			(&["show", space], "not-found", "there is no space ispc1111111111"),
			(&["show", provider], "not-found", no_provider),
			(&["show", "inod1111111111"], "not-found", "there is no node inod1111111111"),
			(&["show", tenant], "not-found", no_tenant),
			(&["show", "ikms1111111111"], "not-found", "there is no KMS ikms1111111111"),
			(&["show", "iq__1111111111"], "not-found", "there is no content object iq__11"),
			(&["show", &version], "not-found", "there is no version hq__1111111111111111"),
			(&["governance", "purge", tenant, "--reason", "spam"], "not-found", no_tenant),
			(&["governance", "purge", provider, "--reason", "spam"], "not-found", no_provider),
			(&["governance", "suspend", tenant, "--reason", "spam"], "not-found", no_tenant),
			(
				&["watch", "--purge", tenant],
				"not-found",
				"there is no tenant iten1111111111; it may just have been deleted",
			),
			(&["resolve", tenant, "names", "a"], "not-found", no_tenant),
			(
				&["space", "set-rules", space, "--partitions", "1"],
				"not-found",
				"there is no space ispc1111111111",
			),
			(&["member", "top-up", tenant, "1"], "not-found", no_tenant),
			(&["member", "set-max-held", provider, "1"], "not-found", no_provider),
			(&["member", "nominate", tenant, "--withdraw"], "not-found", no_tenant),
			(&["member", "accept", tenant, "--max-held", "1"], "not-found", no_tenant),
			(&["member", "purge", tenant], "not-found", no_tenant),
			(&["member", "leave", provider], "not-found", no_provider),
			(
				&["node", "set-operator", provider, "inod1111111111", BOB],
				"not-found",
				"there is no ",
			),
			(
				&["publish", &whole, "--node-locator", &long],
				"usage",
				"--node-locator is too long: ",
			),
			(&["publish", &whole, "--kms-locator", &long], "usage", "--kms-locator is too long: "),
			(
				&["space", "create", "--name", "a", "--governor", BOB, "--sla", &long],
				"usage",
				"--sla is too long: ",
			),
			(
				&["collection", "create", tenant, &long, "--key-type", "tid"],
				"usage",
				"NAME is too long: it has 400 bytes, and the chain accepts at most 317",
			),
			(&["record", "delete", tenant, &long, "a"], "usage", "COLLECTION is too long: "),
		],
	);

	// The tenant of another account is not used.
	fabric_json(url, &["publish", &whole]);
	let foreign = fabric_failure(url, &["publish", &whole, "--tenant", "//Dave"]);
	assert!(foreign.error.contains("the tenant iten"), "{foreign:?}");
	assert!(foreign.error.contains("belongs to"), "{foreign:?}");
	assert_eq!(foreign.class, "refused");

	let tenant = fabric_json(url, &["tree"])["spaces"][0]["tenants"][0]["id"].clone();
	let tenant = tenant.as_str().expect("ids are text");
	let reason = "x".repeat(257);
	assert_failures(
		url,
		&[
			(
				&["governance", "suspend", tenant, "--reason", &reason],
				"usage",
				"--reason is too long: it has 257 bytes, and the chain accepts at most 256",
			),
			(
				&["watch", "--purge", tenant],
				"not-found",
				&format!("no purge of the tenant {tenant} is under way"),
			),
			// A record that does not exist does not dangle.
			(
				&["resolve", tenant, "names", "no-package"],
				"not-found",
				"has no record `no-package` in a collection `names`",
			),
			(
				&["record", "delete", tenant, "names", "package-0", "--signer", "//Eve"],
				"refused",
				"ContentFabric.NoPermission",
			),
		],
	);
	// In text, too.
	let error = fabric_error(url, &["show", "ispc1111111111"]);
	assert_eq!(error, "error: there is no space ispc1111111111\n");
}

//! The client's commands on lock files of all kinds, its access keys, and its errors.

use std::collections::BTreeSet;

use content_fabric_tests::{
	lockfile::{checksums, synthetic, CRATES_IO},
	process::{fabric, fabric_error, fabric_json, write, Node},
};

#[test]
fn large_mixed_lock_files_are_published_and_shown_and_deleted() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let node = Node::start(&dir.path().join("chain"), &[]);
	let text = synthetic(1_500);
	let expected = checksums(&text, CRATES_IO);
	let versions: usize = expected.values().map(Vec::len).sum();
	let published = fabric_json(&node.url, &["publish", &write(dir.path(), "Cargo.lock", &text)]);
	assert_eq!(published["registries"][0]["packages"], expected.len());
	assert_eq!(published["registries"][0]["committed"], versions);
	let skipped = published["skipped"].as_array().expect("a list");
	assert_eq!(skipped.len(), 1_500 - versions);
	assert!(skipped
		.iter()
		.all(|package| package["reason"] == "it has a git source, so there is no checksum"));

	// A later lock file with one other release of a package moves the head to that.
	let later = format!(
		"version = 4\n\n[[package]]\nname = \"package-0\"\nversion = \"9.0.0\"\n\
		 source = \"{CRATES_IO}\"\nchecksum = \"{:064x}\"\n",
		1_000_000
	);
	let later = fabric_json(&node.url, &["publish", &write(dir.path(), "Later.lock", &later)]);
	assert_eq!(later["registries"][0]["created"], 0);
	assert_eq!(later["registries"][0]["committed"], 1);
	// Publishing the first one again moves it back.
	let back =
		fabric_json(&node.url, &["publish", dir.path().join("Cargo.lock").to_str().expect("text")]);
	assert_eq!(back["registries"][0]["heads_set"], 1);
	assert_eq!(back["registries"][0]["committed"], 0);

	let tree = fabric_json(&node.url, &["tree"]);
	let space = &tree["spaces"][0];
	let (provider, tenant) = (&space["providers"][0], &space["tenants"][0]);
	let objects = tenant["content_objects"].as_array().expect("a list");
	assert_eq!(objects.len(), expected.len());
	let object = objects
		.iter()
		.find(|object| object["versions"].as_array().is_some_and(|versions| versions.len() == 5))
		.expect("some packages have five versions");
	let ids: BTreeSet<_> = objects.iter().map(|object| object["id"].as_str()).collect();
	assert_eq!(ids.len(), objects.len(), "ids are unique");

	for (entity, kind) in [
		(space, "space"),
		(provider, "provider"),
		(&provider["nodes"][0], "node"),
		(tenant, "tenant"),
		(&tenant["kmses"][0], "KMS"),
		(object, "content object"),
		(&object["versions"][0], "version"),
	] {
		let id = entity["id"].as_str().expect("every entity has an id");
		let shown = fabric_json(&node.url, &["show", id]);
		assert_eq!((&shown[0]["kind"], &shown[0]["id"]), (&kind.into(), &id.into()));
	}

	let text = fabric(&node.url, &["tree", "--versions"]);
	let text = String::from_utf8(text.stdout).expect("results are text");
	assert_eq!(
		text.lines().filter(|line| line.starts_with("      version ")).count(),
		versions + 1
	);
	assert!(text.lines().last().is_some_and(|line| line.contains("1 space, 1 provider, 1 node")));

	let tenant = tenant["id"].as_str().expect("every entity has an id");
	fabric_json(&node.url, &["delete-tenant", tenant]);
	assert_eq!(fabric_json(&node.url, &["tree"])["totals"]["versions"], 0);
}

#[test]
fn keys_are_set_shown_and_taken() {
	/// The address of //Dave, as polkadot-js writes it.
	const DAVE: &str = "5DAAnrj7VHTznn2AWBemMuyBwZWs6FNFjdyVXUeYum3PTXFy";
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let node = Node::start(&dir.path().join("chain"), &[]);
	fabric_json(&node.url, &["publish", &write(dir.path(), "Cargo.lock", &synthetic(5))]);
	let space = || fabric_json(&node.url, &["tree"])["spaces"][0].clone();
	let id = |kind: &str| space()[kind][0]["id"].as_str().expect("ids are text").to_owned();
	let (provider, tenant) = (id("providers"), id("tenants"));
	let set_key = |arguments: &[&str]| fabric_json(&node.url, &[&["set-key"], arguments].concat());

	let set = set_key(&[&tenant, DAVE, "admin", "--signer", "//Charlie"]);
	assert_eq!((&set["account"], &set["level"]), (&DAVE.into(), &"admin".into()));
	set_key(&[&provider, DAVE, "admin", "--signer", "//Bob"]);
	assert_eq!(space()["tenants"][0]["keys"][0]["level"], "admin");
	assert_eq!(space()["providers"][0]["keys"][0]["level"], "admin");
	let text = String::from_utf8(fabric(&node.url, &["tree"]).stdout).expect("results are text");
	assert!(text.contains(&format!("    key {DAVE}, level admin")), "{text}");

	// An Admin grants the levels below its own, and no other.
	let eve = "5HGjWAeFDfFCWPsjFQdVV2Msvz2XtMktvgocEZcCj68kUMaw";
	set_key(&[&tenant, eve, "content", "--signer", "//Dave"]);
	for (arguments, named) in [
		([&tenant, eve, "admin", "--signer", "//Dave"], "ContentFabric.NoPermission"),
		([&provider, eve, "admin", "--signer", "//Dave"], "ContentFabric.NoPermission"),
		([&tenant, "5Eve", "admin", "--signer", "//Dave"], "`5Eve` is not the address"),
		([&provider, eve, "kms", "--signer", "//Bob"], "`kms` is not a level of providers"),
		([&provider, eve, "content", "--signer", "//Bob"], "`content` is not a level of providers"),
		(
			["ispc1111111111", eve, "admin", "--signer", "//Bob"],
			"is the id of a space: a provider or a tenant is needed (iprv…, iten…)",
		),
	] {
		let error = fabric_error(&node.url, &[&["set-key"], &arguments[..]].concat());
		assert!(error.starts_with("error: ") && error.contains(named), "{arguments:?}: {error}");
	}

	let taken = set_key(&[&tenant, DAVE, "--signer", "//Charlie"]);
	assert!(taken["level"].is_null());
	assert_eq!(space()["tenants"][0]["keys"].as_array().map(Vec::len), Some(1));
}

#[test]
fn every_failure_is_one_clear_line_and_a_failing_status() {
	/// The address of //Bob.
	const BOB: &str = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty";
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let node = Node::start(&dir.path().join("chain"), &[]);
	let whole = write(dir.path(), "Cargo.lock", &synthetic(20));
	let text = synthetic(20);
	let cut = write(dir.path(), "Cut.lock", &text[..text.len() - 40]);
	let other = write(dir.path(), "Other.txt", "This is a text.\n");
	let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
	let nowhere = "ws://127.0.0.1:9";
	let long = "x".repeat(400);
	for (url, arguments, named) in [
		(nowhere, &["tree"][..], "no node answers at ws://127.0.0.1:9: "),
		(nowhere, &["publish", &whole], "no node answers at"),
		("localhost", &["tree"], "`localhost` is not a URL such as ws://127.0.0.1:9944"),
		("http://127.0.0.1", &["tree"], "is not a URL such as ws://127.0.0.1:9944"),
		("ws://", &["tree"], "no node answers at ws://: "),
		(&node.url, &["publish", "/no/such/file"], "/no/such/file: No such file"),
		(&node.url, &["publish", &cut], "Cut.lock is not a whole Cargo.lock: "),
		(&node.url, &["publish", &other], "Other.txt is not a whole Cargo.lock: "),
		(&node.url, &["publish", manifest], "Cargo.toml is not a whole Cargo.lock: "),
		(&node.url, &["publish", &whole, "--source", "stable"], "names its sources itself"),
		(&node.url, &["publish", &whole, "--tenant", "//"], "derivation"),
		(&node.url, &["publish", &whole, "--governor", "//Eve"], "Sudo"),
		(
			&node.url,
			&["show", "nonsense"],
			"`nonsense` is not an id: an id starts with one of ispc, ",
		),
		(
			&node.url,
			&["show", "ispc0"],
			"`ispc0` is not an id: the character at byte 4 is not base58",
		),
		(&node.url, &["show", "ispc1111111111"], "there is no space ispc1111111111"),
		(&node.url, &["show", "iprv1111111111"], "there is no provider iprv1111111111"),
		(&node.url, &["show", "inod1111111111"], "there is no node inod1111111111"),
		(&node.url, &["show", "iten1111111111"], "there is no tenant iten1111111111"),
		(&node.url, &["show", "ikms1111111111"], "there is no KMS ikms1111111111"),
		(&node.url, &["show", "iq__1111111111"], "there is no content object iq__1111111111"),
		(
			&node.url,
			&["show", &format!("hq__{}", "1".repeat(32))],
			"there is no version hq__11111111111111111111111111111111",
		),
		(&node.url, &["delete-tenant", "iten1111111111"], "there is no tenant iten1111111111"),
		(
			&node.url,
			&["delete-tenant", "ispc1111111111"],
			"`ispc1111111111` is the id of a space: a tenant is needed (iten…)",
		),
		(&node.url, &["delete-provider", "iprv1111111111"], "there is no provider iprv1111111111"),
		(&node.url, &["delete-provider", "iten1111111111"], "a provider is needed (iprv…)"),
		(&node.url, &["delete-provider", "provider"], "the id does not start with `iprv`"),
		(
			&node.url,
			&["watch-purge", "iten1111111111"],
			"there is no tenant iten1111111111; it may just have been deleted",
		),
		(
			&node.url,
			&["resolve", "iten1111111111", "names", "a"],
			"there is no tenant iten1111111111",
		),
		(
			&node.url,
			&["resolve", "iten1111111111", "a:b", "a"],
			"`a:b` is not the name of a collection: ",
		),
		(
			&node.url,
			&["resolve", "iten1111111111", "names", "a+b"],
			"`a+b` is not a record key: byte 1 ",
		),
		(
			&node.url,
			&["create-collection", "iten1111111111", "names", "tids", "--signer", "//Bob"],
			"`tids` is not a type of record keys: ",
		),
		(
			&node.url,
			&["set-rules", "ispc1111111111", "--partitions", "1"],
			"there is no space ispc1111111111",
		),
		(
			&node.url,
			&["top-up", "iten1111111111", "1", "--signer", "//Bob"],
			"ContentFabric.TenantNotFound",
		),
		(
			&node.url,
			&["set-max-held", "iprv1111111111", "1", "--signer", "//Bob"],
			"ContentFabric.ProviderNotFound",
		),
		(
			&node.url,
			&["nominate-root", "iten1111111111", "none", "--signer", "//Bob"],
			"there is no tenant iten1111111111",
		),
		(
			&node.url,
			&["accept-root", "iten1111111111", "--max-held", "1", "--signer", "//Bob"],
			"ContentFabric.TenantNotFound",
		),
		(
			&node.url,
			&["set-operator", "iprv1111111111", "inod1111111111", BOB, "--signer", "//Bob"],
			"ContentFabric.ProviderNotFound",
		),
		(
			&node.url,
			&["purge", "iten1111111111", "--signer", "//Bob"],
			"there is no tenant iten1111111111",
		),
		(
			&node.url,
			&["leave", "iprv1111111111", "--signer", "//Bob"],
			"there is no provider iprv1111111111",
		),
		(
			&node.url,
			&["suspend", "iten1111111111", "--reason", "spam"],
			"there is no tenant iten1111111111",
		),
		(&node.url, &["resume", "tenant"], "starts with one of iprv, iten"),
		(&node.url, &["publish", &whole, "--node-locator", &long], "--node-locator is too long: "),
		(&node.url, &["publish", &whole, "--kms-locator", &long], "--kms-locator is too long: "),
		(&node.url, &["set-rules", "ispc1111111111", "--sla", &long], "--sla is too long: "),
		(
			&node.url,
			&["create-collection", "iten1111111111", &long, "tid", "--signer", "//Bob"],
			"NAME is too long: it has 400 bytes, and the chain accepts at most 317",
		),
		(
			&node.url,
			&["delete-record", "iten1111111111", &long, "a", "--signer", "//Bob"],
			"COLLECTION is too long: ",
		),
	] {
		let error = fabric_error(url, arguments);
		assert!(error.starts_with("error: ") && error.contains(named), "{arguments:?}: {error}");
	}

	// The tenant of another account is not used.
	fabric_json(&node.url, &["publish", &whole]);
	let foreign = fabric_error(&node.url, &["publish", &whole, "--tenant", "//Dave"]);
	assert!(foreign.contains("the tenant iten") && foreign.contains("belongs to"), "{foreign}");

	// A record that does not exist does not dangle.
	let tenant = fabric_json(&node.url, &["tree"])["spaces"][0]["tenants"][0]["id"].clone();
	let tenant = tenant.as_str().expect("ids are text");
	let reason = "x".repeat(257);
	let too_long = fabric_error(&node.url, &["suspend", tenant, "--reason", &reason]);
	let named = "--reason is too long: it has 257 bytes, and the chain accepts at most 256";
	assert!(too_long.contains(named), "{too_long}");
	let idle = fabric_error(&node.url, &["watch-purge", tenant]);
	assert!(idle.contains(&format!("no purge of the tenant {tenant} is under way")), "{idle}");
	let unknown = fabric_error(&node.url, &["resolve", tenant, "names", "no-package"]);
	let named = "has no record `no-package` in a collection `names`";
	assert!(unknown.contains(named), "{unknown}");
}

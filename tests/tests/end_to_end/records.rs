//! Records: collections of all kinds, records that are put, put again and deleted, and records that
//! outlive their targets.

use content_fabric_client::{chain::Chain, ids};
use content_fabric_identifiers::{ContentObjectId, ContentObjectPath, TenantId, VersionId};
use content_fabric_tests::{
	api,
	fabric::{account, delete_version},
	lockfile::{releases, synthetic, CRATES_IO},
	process::{fabric, fabric_error, fabric_json, write, Node},
	raw::{record_key, Raw},
};

/// A package that has five versions in a synthetic lock file.
const PACKAGE: &str = "package-0";

/// Returns the tenant of the synthetic lock files.
fn tenant() -> TenantId {
	ids::tenant(ids::space("cargo"), CRATES_IO)
}

#[tokio::test]
async fn a_record_dangles_while_its_version_is_gone() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let node = Node::start(&dir.path().join("chain"), &[]);
	let text = synthetic(20);
	let lockfile = write(dir.path(), "Cargo.lock", &text);
	fabric_json(&node.url, &["publish", &lockfile]);
	let raw = Raw::connect(&node.url).await;

	let (tenant, releases) = (tenant(), releases(&text, CRATES_IO));
	let object = ids::content_object(tenant, PACKAGE);
	let path = ContentObjectPath { tenant, object };
	let [(oldest, version), .., (_, head)] = &releases[PACKAGE][..] else {
		panic!("the package has several versions");
	};
	let (id, key) = (tenant.to_string(), format!("{PACKAGE}:{oldest}"));
	let resolve = |key: &str| fabric_json(&node.url, &["resolve", &id, "names", key]);
	let found = resolve(&key);
	assert_eq!(found["object"], path.to_string());
	assert_eq!(found["version"], VersionId(*version).to_string());
	assert_eq!(found["dangling"], false);
	let content = (object.0, Some(*version));
	let resolved = api::resolve(&raw, tenant, "names", &key).await;
	assert_eq!(resolved, Some((false, content)));

	let chain = Chain::connect(&node.url).await.expect("the node answers");
	let delete = delete_version(tenant, object, VersionId(*version));
	chain.submit(&account("//Charlie"), delete).await.expect("the version is not the head");
	let gone = resolve(&key);
	assert_eq!(gone["dangling"], true);
	assert_eq!((&gone["object"], &gone["version"]), (&found["object"], &found["version"]));
	let text = fabric(&node.url, &["resolve", &id, "names", &key]).stdout;
	let text = String::from_utf8(text).expect("results are text");
	let version_id = VersionId(*version);
	assert_eq!(text, format!("dangling: version {version_id} of {path} has been deleted\n"));
	let resolved = api::resolve(&raw, tenant, "names", &key).await;
	assert_eq!(resolved, Some((true, content)));
	// The others are as they were.
	let whole = resolve(PACKAGE);
	assert_eq!(whole["version"], VersionId(*head).to_string());
	assert_eq!((&whole["head"], &whole["dangling"]), (&true.into(), &false.into()));

	// Publishing commits the version again. The record was there all the time.
	let again = fabric_json(&node.url, &["publish", &lockfile]);
	let registry = &again["registries"][0];
	for (field, count) in
		[("created", 0), ("committed", 1), ("records_added", 0), ("records_updated", 0)]
	{
		assert_eq!(registry[field], count, "{field}");
	}
	assert_eq!(resolve(&key)["dangling"], false);
	assert_eq!(resolve(PACKAGE)["version"], VersionId(*head).to_string());
}

#[tokio::test]
async fn records_are_put_and_put_again_and_deleted() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let node = Node::start(&dir.path().join("chain"), &[]);
	let text = synthetic(5);
	fabric_json(&node.url, &["publish", &write(dir.path(), "Cargo.lock", &text)]);
	let raw = Raw::connect(&node.url).await;

	let tenant = tenant();
	let object = ContentObjectPath { tenant, object: ids::content_object(tenant, PACKAGE) };
	let (_, version) = releases(&text, CRATES_IO)[PACKAGE][0];
	let version = VersionId(version).to_string();
	let (id, object) = (tenant.to_string(), object.to_string());
	let (id, object, version) = (id.as_str(), object.as_str(), version.as_str());
	let by_tenant = |arguments: &[&str]| {
		fabric_json(&node.url, &[arguments, &["--signer", "//Charlie"][..]].concat())
	};
	let refused = |arguments: &[&str], signer: &str| {
		fabric_error(&node.url, &[arguments, &["--signer", signer][..]].concat())
	};

	// A record of the tenant's own, first for a version, then for the head.
	let created = by_tenant(&["create-collection", id, "channels", "any"]);
	assert_eq!((&created["collection"], &created["key_type"]), (&"channels".into(), &"any".into()));
	let put = ["put-record", id, "channels", "stable", "--object", object];
	let put_version = [&put[..], &["--version", version][..]].concat();
	let done = by_tenant(&put_version);
	assert_eq!((&done["key"], &done["version"]), (&"stable".into(), &version.into()));
	let resolve = || fabric_json(&node.url, &["resolve", id, "channels", "stable"]);
	let found = resolve();
	assert_eq!((&found["version"], &found["head"]), (&version.into(), &false.into()));
	assert!(by_tenant(&put)["version"].is_null());
	let found = resolve();
	assert_eq!((&found["object"], &found["head"]), (&object.into(), &true.into()));
	assert_ne!(found["version"], version);
	let key = record_key(tenant, "channels", "stable");
	assert_eq!(raw.keys(&key).await.len(), 1);

	// The chain mints keys in a collection of TIDs.
	by_tenant(&["create-collection", id, "log", "tid", "--syntax", "unreserved"]);
	let mint = ["put-record", id, "log", "--object", object];
	let keys: Vec<_> = (0..3)
		.map(|_| by_tenant(&mint)["key"].as_str().expect("the record has a key").to_owned())
		.collect();
	assert!(keys.is_sorted_by(|a, b| a < b), "TIDs rise: {keys:?}");
	assert_eq!(fabric_json(&node.url, &["resolve", id, "log", &keys[0]])["object"], object);
	let tree = fabric_json(&node.url, &["tree"]);
	let collections = tree["spaces"][0]["tenants"][0]["collections"].as_array().expect("a list");
	let counts: Vec<_> = collections
		.iter()
		.map(|collection| (collection["name"].as_str(), collection["records"].as_u64()))
		.collect();
	// The names are those of one package and five versions. There was one run.
	let expected = [("channels", 1), ("log", 3), ("names", 6), ("runs", 1)];
	assert_eq!(counts, expected.map(|(name, count)| (Some(name), Some(count))));

	let foreign = ContentObjectPath { tenant: TenantId([7; 10]), object: ContentObjectId([7; 10]) };
	let foreign = foreign.to_string();
	let unknown = ContentObjectId([7; 10]).to_string();
	for (arguments, signer, named) in [
		(&put[..], "//Eve", "ContentFabric.NoPermission"),
		(&["delete-record", id, "channels", "stable"], "//Eve", "ContentFabric.NoPermission"),
		(
			&["create-collection", id, "channels", "any"],
			"//Charlie",
			"ContentFabric.CollectionAlreadyExists",
		),
		(
			&["put-record", id, "channels", "--object", object],
			"//Charlie",
			"ContentFabric.RecordKeyRequired",
		),
		(
			&["put-record", id, "log", "stable", "--object", object],
			"//Charlie",
			"ContentFabric.InvalidRecordKey",
		),
		(
			&["put-record", id, "channels", "stable", "--object", &unknown],
			"//Charlie",
			"ContentFabric.ContentObjectNotFound",
		),
		(
			&["put-record", id, "channels", "stable", "--object", &foreign],
			"//Charlie",
			"is not one of the tenant",
		),
		(
			&["put-record", id, "nowhere", "stable", "--object", object],
			"//Charlie",
			"ContentFabric.CollectionNotFound",
		),
		(
			&["delete-record", id, "channels", "testing"],
			"//Charlie",
			"ContentFabric.RecordNotFound",
		),
	] {
		let error = refused(arguments, signer);
		assert!(error.contains(named), "{arguments:?}: {error}");
	}

	let deleted = by_tenant(&["delete-record", id, "channels", "stable"]);
	assert_eq!(deleted["key"], "stable");
	assert_eq!(raw.keys(&key).await.len(), 0);
	let gone = fabric_error(&node.url, &["resolve", id, "channels", "stable"]);
	assert!(gone.contains("has no record `stable` in a collection `channels`"), "{gone}");
}

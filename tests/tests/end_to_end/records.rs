// SPDX-License-Identifier: Apache-2.0
//! Records: collections of all kinds, records that are put, put again and deleted, and records that
//! outlive their targets.

use std::process::Stdio;

use content_fabric_client::{
	chain::{calls, wall_clock},
	ids,
};
use content_fabric_identifiers::{
	ClockId, ContentObjectId, ContentObjectPath, TenantId, Tid, VersionId,
};
use content_fabric_tests::{
	api,
	client::{signer, Client},
	manifest::{releases, synthetic, CRATES_IO},
	process::{
		event_of, fabric_command, fabric_fails, fabric_failure, fabric_json, fabric_output,
		fabric_text, report, stderr, write, Node, Process,
	},
	published::tenant,
	raw::{record_key, Raw},
};
use serde_json::Value;

/// A package that has five versions in a synthetic manifest.
const PACKAGE: &str = "package-0";

#[tokio::test]
async fn a_record_dangles_while_its_version_is_gone() {
	let (dir, node) = Node::start_anew(&[]);
	let text = synthetic(20);
	let manifest = write(dir.path(), "manifest.jsonl", &text);
	fabric_json(&node.url, &["publish", &manifest]);
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
	assert_eq!(found["follows_head"], false);
	let content = (object.0, Some(*version));
	let resolved = api::resolve(&raw, tenant, "names", &key).await;
	assert_eq!(resolved, Some((false, content)));

	let (client, version) = (Client::connect(&node.url).await, VersionId(*version));
	let delete = calls::DeleteVersion { tenant, object, version };
	client.submit(&signer("//Charlie"), delete).await;
	let deleted = format!(
		"the record `{key}` in `names` of {id} leads to the version {version} of {path}, which was \
		 deleted"
	);
	fabric_fails(&node.url, &["resolve", &id, "names", &key], "not-found", &deleted);
	let resolved = api::resolve(&raw, tenant, "names", &key).await;
	assert_eq!(resolved, Some((true, content)));
	// The others are as they were.
	let whole = resolve(PACKAGE);
	assert_eq!(whole["version"], VersionId(*head).to_string());
	assert_eq!(whole["follows_head"], true);

	// Publishing commits the version again. The record was there all the time.
	let again = fabric_json(&node.url, &["publish", &manifest]);
	let source = &again["sources"][0];
	for (field, count) in
		[("created", 0), ("committed", 1), ("records_added", 0), ("records_updated", 0)]
	{
		assert_eq!(source[field], count, "{field}");
	}
	assert_eq!(resolve(&key)["version"], version.to_string());
	assert_eq!(resolve(PACKAGE)["version"], VersionId(*head).to_string());
}

#[tokio::test]
async fn records_are_put_and_put_again_and_deleted() {
	let (dir, node) = Node::start_anew(&[]);
	let text = synthetic(5);
	fabric_json(&node.url, &["publish", &write(dir.path(), "manifest.jsonl", &text)]);
	let raw = Raw::connect(&node.url).await;

	let tenant = tenant();
	let object = ContentObjectPath { tenant, object: ids::content_object(tenant, PACKAGE) };
	let (_, version) = releases(&text, CRATES_IO)[PACKAGE][0];
	let version = VersionId(version).to_string();
	let (id, object) = (tenant.to_string(), object.to_string());
	let (id, object, version) = (id.as_str(), object.as_str(), version.as_str());
	let by_tenant = |arguments: &[&str]| {
		fabric_json(&node.url, &[arguments, &["--signer", "//Charlie", "--yes"]].concat())
	};

	// A record of the tenant's own, first for a version, then for the head.
	let create = ["collection", "create", id, "channels", "--key-type", "any"];
	let created = event_of(&by_tenant(&create), "CollectionCreated");
	assert_eq!((&created["tenant"], &created["collection"]), (&id.into(), &"channels".into()));
	let put = ["record", "put", id, "channels", "stable", "--object", object];
	let put_version = [&put[..], &["--version", version][..]].concat();
	let done = by_tenant(&put_version);
	assert_eq!(done["record"]["key"], "stable");
	assert_eq!(done["record"]["uri"], format!("fabric:/{id}/channels/stable"));
	assert_eq!(event_of(&done, "RecordPut")["target"]["version"], version);
	let resolve = || fabric_json(&node.url, &["resolve", id, "channels", "stable"]);
	let found = resolve();
	assert_eq!((&found["version"], &found["follows_head"]), (&version.into(), &false.into()));
	assert!(event_of(&by_tenant(&put), "RecordPut")["target"]["version"].is_null());
	let found = resolve();
	assert_eq!((&found["object"], &found["follows_head"]), (&object.into(), &true.into()));
	assert_ne!(found["version"], version);
	let key = record_key(tenant, "channels", "stable");
	assert_eq!(raw.keys(&key).await.len(), 1);

	// A name that is a key is its own, whatever records there are. A key is given as one.
	let put_named = |name: &[&str], target: &[&str]| {
		by_tenant(&[&["record", "put", id, "channels", "--object", object], name, target].concat())
	};
	let plus = put_named(&["q+"], &["--version", version]);
	let summary = format!("put the record q~2b, which stands for q+, into channels of {id}");
	assert!(plus["action"].as_str().is_some_and(|text| text.starts_with(&summary)), "{plus}");
	assert_eq!((&plus["record"]["key"], &plus["record"]["name"]), (&"q~2b".into(), &"q+".into()));
	let tilde = put_named(&["1.0~20230101"], &[]);
	let named = [&tilde["record"]["key"], &tilde["record"]["name"]];
	assert_eq!(named, ["1.0~20230101"; 2]);
	for (named, key, follows_head) in [
		(&["q+"][..], "q~2b", false),
		(&["q~2b"], "q~2b", false),
		(&["--key", "q~2b"], "q~2b", false),
		(&["1.0~20230101"], "1.0~20230101", true),
	] {
		let found = [&["resolve", id, "channels"], named].concat();
		let found = fabric_json(&node.url, &found);
		assert_eq!(found["key"], key);
		assert_eq!(found["follows_head"], follows_head);
	}
	let unknown = ["resolve", id, "channels", "q~7e2b"];
	fabric_fails(&node.url, &unknown, "not-found", "has no record");
	by_tenant(&["record", "delete", id, "channels", "q+", "--key", "1.0~20230101"]);

	// Keys without colons, and names of accounts that have some.
	let create = ["collection", "create", id, "People", "--key-type", "any"];
	let create = [&create[..], &["--syntax", "unreserved", "--signer", "//Charlie"]].concat();
	let output = fabric_output(&node.url, &create);
	let warning = "warning: atproto recommends names of collections without upper-case letters";
	assert!(output.status.success() && stderr(&output).starts_with(warning), "{output:?}");
	let (did, escaped) =
		("did:plc:z72i7hdynmk6r22z27h6tvur", "did~3aplc~3az72i7hdynmk6r22z27h6tvur");
	let put_did = by_tenant(&["record", "put", id, "People", did, "--object", object]);
	let named = [&put_did["record"]["key"], &put_did["record"]["name"]];
	assert_eq!(named, [escaped, did]);
	for named in [&[did][..], &[escaped], &["--key", escaped]] {
		let found = [&["resolve", id, "People"], named].concat();
		assert_eq!(fabric_json(&node.url, &found)["key"], escaped);
	}
	let listed = fabric_json(&node.url, &["record", "list", id, "People"]);
	assert_eq!(listed["records"][0]["name"], did);
	let put_key = ["record", "put", id, "People", "--key", did, "--object", object, "--yes"];
	let resolve_key = ["resolve", id, "People", "--key", did];
	for refused in [&put_key[..], &resolve_key] {
		let reason = "is not a record key of this collection: byte 3 is not allowed";
		fabric_fails(&node.url, refused, "usage", reason);
	}
	by_tenant(&["record", "delete", id, "People", did]);
	by_tenant(&["collection", "delete", id, "People"]);

	// The nearest names are offered.
	for (named, names) in [
		("stable2", "; the nearest name is `stable`"),
		("STABLE", "; the nearest name is `stable`"),
		("unlike", "has no record `unlike` in a collection `channels`"),
	] {
		let failure = fabric_failure(&node.url, &["resolve", id, "channels", named]);
		assert_eq!(failure.class, "not-found");
		assert!(failure.error.ends_with(names), "{}", failure.error);
	}
	let nowhere = fabric_failure(&node.url, &["resolve", id, "canals", "stable"]);
	let collections = format!(
		"there is no collection canals of the tenant {id}; its collections are channels, names, runs"
	);
	assert_eq!((&*nowhere.class, nowhere.error), ("not-found", collections));
	let shown = fabric_failure(&node.url, &["resolve", id, "channels", "no such/name"]);
	assert!(shown.error.contains("has no record `no such/name` in"), "{shown:?}");
	let near = fabric_failure(&node.url, &["get", id, "names", "package0"]);
	assert!(near.error.ends_with("; the nearest name is `package-0`"), "{near:?}");

	// The chain mints keys in a collection of TIDs.
	let create = ["collection", "create", id, "log", "--key-type", "tid"];
	by_tenant(&[&create[..], &["--syntax", "unreserved"]].concat());
	let mint = ["record", "put", id, "log", "--object", object];
	let mint = || by_tenant(&mint)["record"]["key"].as_str().expect("a key").to_owned();
	let keys: Vec<_> = (0..3).map(|_| mint()).collect();
	assert!(keys.is_sorted_by(|a, b| a < b), "TIDs rise: {keys:?}");
	let uri = format!("fabric:/{id}/log/{}", keys[0]);
	assert_eq!(fabric_json(&node.url, &["resolve", &uri])["object"], object);
	let tree = fabric_json(&node.url, &["tree"]);
	let collections = tree["spaces"][0]["tenants"][0]["collections"].as_array().expect("a list");
	let counts: Vec<_> = collections
		.iter()
		.map(|collection| (collection["name"].as_str(), collection["record_count"].as_u64()))
		.collect();
	// The names are of one package and five versions. There was one run.
	let expected = [("channels", 1), ("log", 3), ("names", 6), ("runs", 1)];
	assert_eq!(counts, expected.map(|(name, count)| (Some(name), Some(count))));

	let foreign = ContentObjectPath { tenant: TenantId([7; 10]), object: ContentObjectId([7; 10]) };
	let foreign = foreign.to_string();
	let unknown = ContentObjectId([7; 10]).to_string();
	let unknown = ["record", "put", id, "channels", "stable", "--object", &unknown];
	let foreign = ["record", "put", id, "channels", "stable", "--object", &foreign];
	for (arguments, signer, class, named) in [
		(&put[..], "//Eve", "refused", "needs the level content"),
		(
			&["record", "delete", id, "channels", "stable"],
			"//Eve",
			"refused",
			"needs the level content",
		),
		(&create, "//Charlie", "refused", "ContentFabric.CollectionAlreadyExists"),
		(
			&["record", "put", id, "channels", "--object", object],
			"//Charlie",
			"usage",
			"the collection channels needs a NAME",
		),
		(
			&["record", "put", id, "log", "stable", "--object", object],
			"//Charlie",
			"usage",
			"`stable` is not a record key of this collection: ",
		),
		(&unknown, "//Charlie", "refused", "ContentFabric.ContentObjectNotFound"),
		(&foreign, "//Charlie", "usage", "belongs to the tenant"),
		(
			&["record", "put", id, "nowhere", "stable", "--object", object],
			"//Charlie",
			"not-found",
			"there is no collection nowhere of the tenant",
		),
		(
			&["record", "delete", id, "channels", "testing"],
			"//Charlie",
			"refused",
			"ContentFabric.RecordNotFound",
		),
	] {
		let arguments = [arguments, &["--signer", signer, "--yes"]].concat();
		fabric_fails(&node.url, &arguments, class, named);
	}

	// atproto advises against such keys, so the client warns, and puts the record.
	let advised = ["record", "put", id, "channels", "Stable", "--object", object, "--yes"];
	let output = fabric_output(&node.url, &[&advised[..], &["--signer", "//Charlie"]].concat());
	let stderr = stderr(&output);
	assert!(output.status.success() && stderr.starts_with("warning: "), "{stderr}");
	assert_eq!(raw.keys(&record_key(tenant, "channels", "Stable")).await.len(), 1);

	let deleted = by_tenant(&["record", "delete", id, "channels", "stable"]);
	assert_eq!(event_of(&deleted, "RecordDeleted")["key"], "stable");
	assert_eq!(raw.keys(&key).await.len(), 0);
	let gone = ["resolve", id, "channels", "stable"];
	let named = "has no record `stable` in a collection `channels`";
	fabric_fails(&node.url, &gone, "not-found", named);
}

#[tokio::test]
async fn commands_of_one_key_that_run_at_the_same_time_are_all_done_once() {
	let (dir, node) = Node::start_anew(&["--consensus", "interval=500"]);
	let text = synthetic(1);
	fabric_json(&node.url, &["publish", &write(dir.path(), "manifest.jsonl", &text)]);
	let tenant = tenant();
	let object = ContentObjectPath { tenant, object: ids::content_object(tenant, PACKAGE) };
	let (id, object) = (tenant.to_string(), object.to_string());
	let create = ["collection", "create", &id, "channels", "--key-type", "any"];
	fabric_json(&node.url, &create);
	let client = Client::connect(&node.url).await;
	let nonce = async || {
		let account = *signer("//Charlie").account();
		client.best().await.nonce(&account).await.expect("the node answers")
	};
	let before = nonce().await;
	let names: Vec<_> = (0..6).map(|number| format!("channel-{number}")).collect();
	let running: Vec<_> = names
		.iter()
		.map(|name| {
			let put = ["--json", "record", "put", &id, "channels", name, "--object", &object];
			let mut command = fabric_command(&node.url, &put);
			command.stdout(Stdio::piped()).stderr(Stdio::piped());
			Process(command.spawn().expect("the client starts"))
		})
		.collect();
	for (process, name) in running.into_iter().zip(&names) {
		assert_eq!(report(&process.output(), 0)["record"]["key"], **name);
	}
	let raw = Raw::connect(&node.url).await;
	for name in &names {
		assert_eq!(raw.keys(&record_key(tenant, "channels", name)).await.len(), 1, "{name}");
	}
	assert_eq!(nonce().await - before, 6, "each call is in a block once");
}

#[tokio::test]
async fn runs_have_later_keys_than_all_before_and_records_the_times_of_their_rows() {
	let (dir, node) = Node::start_anew(&[]);
	let file = write(dir.path(), "manifest.jsonl", &synthetic(1));
	let run = || {
		let report = fabric_json(&node.url, &["publish", &file]);
		let key = report["sources"][0]["run"].as_str().expect("the run has a record").to_owned();
		key.parse::<Tid>().expect("its key is a TID")
	};
	let first = run();
	let tenant = tenant();
	let object = ContentObjectPath { tenant, object: ids::content_object(tenant, PACKAGE) };
	let (id, object) = (tenant.to_string(), object.to_string());
	let hour = 3_600_000_000;
	let later = Tid::new(wall_clock() + hour, ClockId::MAX).expect("it is in range");
	for key in [&later.to_string(), "bzzzzzzzzzzzz"] {
		fabric_json(&node.url, &["record", "put", &id, "runs", "--key", key, "--object", &object]);
	}
	let second = run();
	assert!(first < later && later < second, "{first} {later} {second}");
	assert!(second.timestamp() < later.timestamp() + hour, "{second} follows the last TID");
	assert!(run() > second);

	// Whatever its key says, a record was put today.
	let now = wall_clock() / 1_000;
	let is_now = |time: &Value| time.as_u64().is_some_and(|time| now.abs_diff(time) < 3_000_000);
	let list = fabric_json(&node.url, &["record", "list", &id, "runs"]);
	let records = list["records"].as_array().expect("there are records").clone();
	assert_eq!(records.len(), 5, "{list}");
	let found = fabric_json(&node.url, &["resolve", &id, "runs", "--key", "bzzzzzzzzzzzz"]);
	for record in records.iter().chain([&found]) {
		assert!(is_now(&record["created_at"]) && is_now(&record["updated_at"]), "{record}");
	}
	fabric_json(
		&node.url,
		&["record", "put", &id, "runs", "--key", "bzzzzzzzzzzzz", "--object", &object],
	);
	let again = fabric_json(&node.url, &["resolve", &id, "runs", "--key", "bzzzzzzzzzzzz"]);
	assert_eq!(again["created_at"], found["created_at"]);
	assert!(again["updated_at"].as_u64() > found["updated_at"].as_u64(), "{again}");
	let text = fabric_text(&node.url, &["resolve", &id, "runs", "--key", "bzzzzzzzzzzzz"]);
	assert!(text.contains("\ncreated 20") && text.contains(", updated 20"), "{text}");
}

// SPDX-License-Identifier: Apache-2.0
//! `fabric unpublish`, `fabric put --delete` and records that lead nowhere.

use std::{
	ffi::OsStr, fs, os::unix::ffi::OsStrExt, path::Path, process::Stdio, sync::Arc, time::Duration,
};

use content_fabric_client::{
	chain::calls,
	ids,
	publish::{Keys, Options, Publisher, Removal},
};
use content_fabric_primitives::TenantLevel;
use content_fabric_tests::{
	client::{signer, Client},
	process::{
		fabric_command, fabric_fails, fabric_failure, fabric_json, fabric_output, fabric_report,
		fabric_text, stderr, Process,
	},
	wait,
};
use serde_json::{json, Value};
use tokio::sync::watch;

use super::{
	content::{self, content, tree, version},
	put_and_get::World,
};

/// Longest wait for a state.
const PATIENCE: Duration = Duration::from_secs(60);

impl World {
	fn put_with(&self, options: &[&str]) -> Value {
		let (site, node) = (self.path("site"), self.node.to_string());
		fabric_json(self.url(), &[&["put", &site, "--node", &node], options].concat())
	}

	fn site(&self) -> String {
		self.tenant("site").to_string()
	}

	/// Returns the deposits for the rows of the tenant, and the numbers of its objects, versions and
	/// records.
	async fn rows(&self) -> (u128, u32, u32, u32) {
		let row = self.fabric.raw.tenant(self.tenant("site")).await.expect("it exists");
		(row.deposit, row.rows.content_objects, row.rows.versions, row.rows.records)
	}

	/// Gets all files, and compares them with the folder.
	fn assert_got(&self) {
		let (site, back) = (self.path("site"), self.path("back"));
		drop(fs::remove_dir_all(&back));
		fabric_json(self.url(), &["get", &self.site(), "--output", &back, "--hidden"]);
		assert!(tree(site.as_ref()) == tree(back.as_ref()));
	}
}

fn strings(value: &Value) -> Vec<&str> {
	value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

#[tokio::test]
async fn names_are_unpublished_with_their_content_and_the_deposits_come_back() {
	let world = World::start().await;
	world.file("site/a", b"a");
	world.put("site");
	let one = world.rows().await;
	for (name, bytes) in [("site/b", "first"), ("site/docs/c", "c"), ("site/docs/d/e", "e")] {
		world.file(name, bytes.as_bytes());
	}
	world.put("site");
	world.file("site/b", b"second");
	let report = world.put_with(&[]);
	assert_eq!(report["sources"][0]["heads_set"], 1, "{report}");
	let (tenant, before) = (world.site(), world.rows().await);

	let unpublish = ["unpublish", &tenant, "b", "docs/", "--dry-run"];
	let planned = fabric_json(world.url(), &unpublish);
	assert_eq!(planned["names"], json!(["b", "docs/c", "docs/d/e"]));
	let counts = |report: &Value| ["heads", "versions", "objects"].map(|key| report[key].clone());
	assert_eq!(counts(&planned), [3, 4, 3].map(|count: u64| json!(count)));
	assert_eq!((&planned["dry_run"], &planned["transactions"]), (&json!(true), &json!(0)));
	assert!(planned["estimates"][0]["fees"].is_string(), "{planned}");
	let text = fabric_text(world.url(), &unpublish);
	assert!(
		text.contains("  removed 3 names: 3 heads, 4 versions, 3 content objects and "),
		"{text}"
	);
	assert!(text.contains("\n    docs/d/e\n"), "{text}");
	// Nobody can be asked.
	let asked = fabric_output(world.url(), &["unpublish", &tenant, "b"]);
	assert_eq!(asked.status.code(), Some(2));
	let question = stderr(&asked);
	assert!(question.contains("  will remove 1 name: 1 head, 2 versions, 1 content object"));
	assert!(question.contains("; will release ") && !question.contains("removed"), "{question}");
	fabric_fails(
		world.url(),
		&["unpublish", &tenant, "b", "--yes", "--signer", "//Eve"],
		"refused",
		"needs the level content",
	);
	assert_eq!(world.rows().await, before);

	let report = fabric_json(world.url(), &["unpublish", &tenant, "b", "docs", "nothing", "--yes"]);
	let absent = json!([{ "name": "nothing", "nearest": [] }]);
	assert_eq!((&report["names"], &report["not_found"]), (&planned["names"], &absent));
	let after = world.rows().await;
	assert_eq!(report["deposits"], json!((before.0 - after.0).to_string()));
	// The runs that led to something else than `a` are also gone.
	assert_eq!((after.1, after.2), (one.1, one.2));
	for name in ["site/b", "site/docs/c", "site/docs/d/e"] {
		fs::remove_file(world.path(name)).expect("it is there");
	}
	fs::remove_dir_all(world.path("site/docs")).expect("it is there");
	world.assert_got();
	let gone = ["unpublish", &tenant, "b", "docs/", "--yes"];
	fabric_fails(world.url(), &gone, "not-found", "nothing is published under b, docs/ of ");

	// A missing name has near ones. An empty name, and no name at all, do not mean everything.
	let after = world.rows().await;
	let near = fabric_failure(world.url(), &["unpublish", &tenant, "A", "--yes"]);
	assert!(near.error.ends_with("; the nearest name is `a`"), "{near:?}");
	for (arguments, reason) in [
		(&["unpublish", &tenant, "--yes"][..], "pass the names to remove, or --all for everything"),
		(
			&["unpublish", &tenant, "", "--yes"],
			"a name must not be empty: --all removes everything",
		),
		(&["unpublish", &tenant, "a", "/", "--yes"], "a name must not be empty"),
		(&["unpublish", &tenant, "a", "--all", "--yes"], "cannot be used with"),
		(&["unpublish", &tenant, "--dangling", "--all", "--yes"], "cannot be used with"),
	] {
		fabric_fails(world.url(), arguments, "usage", reason);
	}
	assert_eq!(world.rows().await, after);

	// All of it, and again.
	let report = fabric_json(world.url(), &["unpublish", &tenant, "--all", "--yes"]);
	assert_eq!(report["names"], json!(["a"]));
	let (_, objects, versions, records) = world.rows().await;
	assert_eq!((objects, versions, records), (0, 0, 0));
	let text = fabric_text(world.url(), &["unpublish", &tenant, "--all", "--yes"]);
	assert_eq!(text, format!("nothing to remove from {tenant}\n"));
	let unknown = ids::tenant(world.fabric.space, "unknown").to_string();
	let unpublish = ["unpublish", &unknown, "--all", "--yes"];
	fabric_fails(world.url(), &unpublish, "not-found", "there is no tenant");
	world.put("site");
	world.assert_got();
}

#[tokio::test]
async fn content_that_other_records_name_stays_and_dangling_records_are_listed_and_removed() {
	let world = World::start().await;
	world.file("site/a", b"a");
	world.file("site/b", b"b");
	world.put("site");
	let (tenant, url) = (world.site(), world.url());
	let [a, b] = ["a", "b"].map(|name| ids::content_object(world.tenant("site"), name).to_string());
	fabric_json(url, &["record", "put", &tenant, "names", "alias", "--object", &a]);
	let report = fabric_json(url, &["unpublish", &tenant, "a", "--yes"]);
	assert_eq!((&report["versions"], &report["records"]), (&json!(0), &json!(2)));
	let kept = json!([{ "name": "a", "reason": "the record names/alias leads to it" }]);
	assert_eq!(report["kept"], kept);
	let one = world.path("one");
	fabric_json(url, &["get", &tenant, "names", "alias", "--output", &one]);

	// Deleted one by one, `b` leaves its records behind.
	let id = version(b"b").to_string();
	fabric_json(url, &["object", "set-head", &tenant, &b, "--none", "--yes"]);
	fabric_json(url, &["version", "delete", &tenant, &b, &id, "--yes"]);
	fabric_json(url, &["object", "delete", &tenant, &b, "--yes"]);
	let list = ["record", "list", &tenant, "names", "--dangling"];
	let listed = fabric_json(url, &list);
	let keys: Vec<_> = listed["records"].as_array().into_iter().flatten().collect();
	assert_eq!(keys.len(), 2, "{listed}");
	let report = fabric_json(url, &["unpublish", &tenant, "--dangling", "--yes"]);
	let dangling = strings(&report["dangling"]);
	assert_eq!((dangling[0], report["versions"].as_u64()), ("names/b", Some(0)));
	assert!(dangling.iter().any(|name| name.starts_with("runs/")), "{report}");
	assert_eq!(fabric_json(url, &list)["records"], json!([]));
	let again = fabric_json(url, &["unpublish", &tenant, "--dangling", "--yes"]);
	assert_eq!((&again["records"], &again["transactions"]), (&json!(0), &json!(0)));
}

#[tokio::test]
async fn a_put_removes_what_the_folder_no_longer_has_after_consent() {
	let world = World::start().await;
	for name in ["keep", "gone", "file", "folder/below", ".hidden"] {
		world.file(&format!("site/{name}"), name.as_bytes());
	}
	world.put_with(&["--hidden"]);
	for name in ["gone", "file", "folder"] {
		let path = world.path(&format!("site/{name}"));
		fs::remove_file(&path).or_else(|_| fs::remove_dir_all(&path)).expect("it is there");
	}
	world.file("site/file/below", b"a file that has become a folder");
	world.file("site/folder", b"and the reverse");
	let (site, node) = (world.path("site"), world.node.to_string());
	let put = ["put", &site, "--node", &node];
	let report = fabric_report(world.url(), &put, 6);
	assert!(report.to_string().contains("leads to a file in its path"));

	let delete = [&put[..], &["--delete"]].concat();
	let planned = fabric_json(world.url(), &[&delete[..], &["--dry-run"]].concat());
	let removed = &planned["sources"][0]["removed"];
	assert_eq!(removed["names"], json!(["file", "folder/below", "gone"]));
	let asked = fabric_output(world.url(), &delete);
	let errors = stderr(&asked);
	assert_eq!(asked.status.code(), Some(2), "{errors}");
	assert!(errors.contains("will remove 3 files: 3 heads, 3 versions"), "{errors}");
	let before = world.rows().await;
	assert_eq!(before.1, 7, "nothing was removed");
	let report = fabric_json(world.url(), &[&delete[..], &["--yes"]].concat());
	assert_eq!(&report["sources"][0]["removed"], removed);
	let after = world.rows().await;
	assert_eq!(after.1, 4);
	world.assert_got();
	let text = fabric_text(world.url(), &[&delete[..], &["--yes"]].concat());
	assert!(text.contains("nothing to add") && !text.contains("removed"), "{text}");

	// A file alone has no others, and a folder without files may be one that is not mounted.
	let one = world.path("site/keep");
	let alone = ["put", &one, "--node", &node, "--delete", "--yes"];
	fabric_fails(world.url(), &alone, "usage", "--delete needs a directory");
	fs::remove_dir_all(&site).expect("it is there");
	fs::create_dir(&site).expect("there is room");
	fabric_fails(world.url(), &put, "usage", "no files");
	let after = world.rows().await;
	fabric_fails(world.url(), &[&delete[..], &["--yes"]].concat(), "usage", "no files");
	assert_eq!(world.rows().await, after);

	// A file that cannot be put may be there under an old name.
	world.file("site/moved", b"keep");
	let unnamed = Path::new(&site).join(OsStr::from_bytes(b"\xff"));
	fs::write(unnamed, b"it has no name").expect("there is room");
	let output = fabric_output(world.url(), &[&delete[..], &["--yes"]].concat());
	let errors = stderr(&output);
	assert_eq!(output.status.code(), Some(6), "{errors}");
	assert!(errors.contains("nothing is removed, because some files cannot be put"), "{errors}");
	assert_eq!(world.rows().await.1, after.1 + 1, "an object was added, and none removed");
}

#[tokio::test]
async fn an_account_with_the_level_content_unpublishes_and_a_killed_run_is_finished_by_the_next() {
	let world = World::start().await;
	for number in 0..60 {
		world.file(&format!("site/{number}"), &content(number, 100));
	}
	world.put("site");
	let (id, level) = (world.tenant("site"), Some(TenantLevel::Content));
	let account = *world.fabric.eve.account();
	let grant = calls::SetTenantKey { id, account, level };
	world.fabric.submit(&world.fabric.charlie, grant).await;
	let tenant = world.site();
	let unpublish = ["unpublish", &tenant, "--all", "--yes", "--signer", "//Eve"];
	let mut command = fabric_command(world.url(), &unpublish);
	let mut running = Process(command.stdout(Stdio::null()).spawn().expect("the client starts"));
	wait::until(PATIENCE, "nothing is removed", async || {
		let (_, _, versions, _) = world.rows().await;
		versions < 60 || running.try_wait().expect("it is ours").is_some()
	})
	.await;
	drop(running);
	let report = fabric_json(world.url(), &unpublish);
	let (_, objects, versions, records) = world.rows().await;
	assert_eq!((objects, versions, records), (0, 0, 0), "{report}");
	content::followed(&world.fabric, world.store()).await;
}

#[tokio::test]
async fn rows_that_a_colleague_changes_after_consent_are_left_and_reported() {
	let world = World::start().await;
	world.file("site/a", b"first");
	world.file("site/b", b"b");
	world.put("site");
	world.file("site/a", b"second");
	world.put("site");
	let (tenant, url) = (world.tenant("site"), world.url());
	let (id, space) = (world.site(), world.fabric.space);
	let chain = Arc::new(Client::connect(url).await.chain);
	let key = Arc::new(signer("//Charlie"));
	let keys = Keys { provider: key.clone(), tenant: key, governor: None };
	let publisher = Publisher::new(chain, keys, Options::new(space)).await.expect("it connects");
	let planned = publisher.plan_removal(tenant, &Removal::All).await.expect("it is planned");
	assert_eq!(planned.removed[0].names, ["a", "b"]);

	// Both versions were agreed to, but not that the first one is the head.
	let object = ids::content_object(tenant, "a").to_string();
	let first = version(b"first").to_string();
	fabric_json(url, &["object", "set-head", &id, &object, &first, "--yes"]);
	let before = world.rows().await;
	let (_stopping, stop) = watch::channel(false);
	let report = planned.publish(&stop).await;
	report.end.expect("the others are removed");
	let source = &report.sources[0];
	assert_eq!(source.removed.as_ref().map(|removed| &removed.names[..]), Some(&["b".into()][..]));
	let failed: Vec<_> =
		source.failures.iter().filter_map(|failure| failure.record_key.as_deref()).collect();
	assert!(failed.contains(&"names/a"), "{failed:?}");
	assert!(source.failures.iter().all(|failure| failure.reason.contains("has changed since")));
	let after = world.rows().await;
	assert_eq!((before.1 - after.1, before.2 - after.2), (1, 1));
	let resolved = fabric_json(url, &["resolve", &id, "names", "a"]);
	assert_eq!(resolved["version"], first);

	// With another consent, all of it is removed, with the present head.
	let report = fabric_json(url, &["unpublish", &id, "a", "--yes"]);
	assert_eq!((&report["heads"], &report["objects"]), (&json!(1), &json!(1)), "{report}");
	assert_eq!(world.rows().await.1, 0);
}

#[tokio::test]
async fn a_file_is_removed_before_another_file_takes_its_record() {
	let world = World::start().await;
	world.file("site/was:it", b"old");
	world.file("site/keep", b"keep");
	world.put("site");
	fs::remove_file(world.path("site/was:it")).expect("it is there");
	world.file("site/was/it", b"new");
	let planned = world.put_with(&["--delete", "--dry-run"]);
	let report = world.put_with(&["--delete", "--yes"]);
	assert_eq!(planned["items"], report["items"], "{planned} {report}");
	let source = &report["sources"][0];
	assert_eq!((&source["removed"]["objects"], &source["records_updated"]), (&json!(1), &json!(1)));
	assert_eq!(world.rows().await.1, 2);
	world.assert_got();
	let nothing = fabric_json(world.url(), &["unpublish", &world.site(), "--dangling", "--yes"]);
	assert_eq!(nothing["records"], json!(0), "{nothing}");
	// The path names it in each command.
	let (one, site) = (world.path("one"), world.site());
	let named = [&*site, "names", "was/it"];
	let resolved = fabric_json(world.url(), &[&["resolve"], &named[..]].concat());
	assert_eq!((&resolved["key"], &resolved["name"]), (&json!("was:it"), &json!("was/it")));
	fabric_json(world.url(), &[&["get"], &named[..], &["-o", &one]].concat());
	assert_eq!(fs::read(&one).expect("it is there"), b"new");
	let delete = [&["record", "delete"], &named[..], &["--yes"]].concat();
	fabric_json(world.url(), &delete);
	fabric_fails(world.url(), &delete, "refused", "ContentFabric.RecordNotFound");
}

// SPDX-License-Identifier: Apache-2.0
//! The examples of the client's library, as its README shows them.

use std::{
	fs,
	io::{BufRead, BufReader},
	path::Path,
	process::{Command, Stdio},
	sync::{Arc, Mutex},
};

use content_fabric_client::{chain::RecordPlace, content_node::fetch_record, ids};
use content_fabric_tests::{
	indexer,
	process::{fabric_json, output_of, program, write, Node, Process},
};

use super::{content::version, put_and_get::World};

fn example(name: &str, arguments: &[&str]) -> Command {
	let mut command = Command::new(program(&format!("examples/{name}")));
	command.args(arguments);
	command
}

fn text(command: &mut Command) -> String {
	String::from_utf8(output_of(command)).expect("examples print text")
}

#[test]
fn the_readme_shows_the_examples_as_they_are() {
	let client = Path::new(env!("CARGO_MANIFEST_DIR")).join("../client");
	let readme = fs::read_to_string(client.join("README.md")).expect("it is there");
	for entry in fs::read_dir(client.join("examples")).expect("it is there") {
		let path = entry.expect("it can be read").path();
		let source = fs::read_to_string(&path).expect("it is text");
		let code = source.split_once("\n\n").expect("the head is a paragraph").1;
		let shown = format!("```rust,no_run\n{code}```\n");
		assert!(readme.contains(&shown), "README.md does not have {}", path.display());
	}
}

#[tokio::test]
async fn the_examples_watch_resolve_and_fetch() {
	let world = World::start().await;
	let mut watch = example("watch", &[world.url()]);
	let mut watch = Process(watch.stdout(Stdio::piped()).spawn().expect("it starts"));
	let lines = BufReader::new(watch.stdout.take().expect("it is piped")).lines();
	let mut lines = lines.map_while(Result::ok);
	assert!(lines.next().is_some_and(|line| line.starts_with("watching from block ")));

	world.file("site/index.html", b"<h1>hello</h1>");
	let (site, node) = (world.path("site"), world.node.to_string());
	fabric_json(world.url(), &["put", &site, "--node", &node, "--wait", "finalized"]);
	let record = format!("fabric:/{}/names/index.html", world.tenant("site"));
	let resolved = text(&mut example("resolve", &[world.url(), &record]));
	let version = version(b"<h1>hello</h1>").to_string();
	assert!(resolved.starts_with(&version), "{resolved}");
	assert!(resolved.contains(&world.node.to_string()), "{resolved}");

	let file = world.path("downloads/page.html");
	let fetch = || text(&mut example("fetch", &[world.url(), &record, &file]));
	assert_eq!(fetch(), format!("14 bytes in {file}\n"));
	assert_eq!(fs::read(&file).expect("it is there"), b"<h1>hello</h1>");
	assert_eq!(fetch(), "they were there before\n");

	assert!(lines.any(|line| line.contains("VersionFinalized")));
}

#[tokio::test]
async fn a_record_that_cannot_be_fetched_is_an_error_that_names_the_reason() {
	let world = World::start().await;
	world.file("site/index.html", b"<h1>hello</h1>");
	world.put("site");
	let (chain, tenant) = (&world.fabric.client.chain, world.tenant("site"));
	let (url, names) = (world.url(), tenant.to_string());
	let fetch = async |key: &str, file: &str| {
		let place = RecordPlace { tenant, collection: "names".into(), key: key.into() };
		let (file, seen) = (world.dir.path().join(file), Arc::new(Mutex::new(String::new())));
		let kept = seen.clone();
		let notes = Arc::new(move |line: String| *kept.lock().expect("nobody panics") += &line);
		let fetched = fetch_record(chain, &place, &file, 1 << 20, notes).await;
		let notes = seen.lock().expect("nobody panics").clone();
		fetched.map(|got| got.is_some()).map_err(|error| format!("{error} {notes}"))
	};
	indexer::settled(&world.fabric.raw).await;
	assert_eq!(fetch("index.html", "page.html").await, Ok(true));
	let missing = fetch("missing", "page.html").await.expect_err("there is no record");
	assert!(missing.contains("has no record `missing` in a collection `names`"), "{missing}");
	world.file("other.html", b"other");
	let taken = fetch("index.html", "other.html").await.expect_err("another file is there");
	assert!(taken.contains("other.html cannot be written: it has other content"), "{taken}");
	assert_eq!(fs::read(world.path("other.html")).expect("it is there"), b"other");
	let nameless = fetch("index.html", "..").await.expect_err("it is not the path of a file");
	assert!(nameless.contains("it is not the path of a file"), "{nameless}");

	let object = ids::content_object(tenant, "index.html").to_string();
	fabric_json(url, &["object", "set-head", &names, &object, "--none", "--yes"]);
	indexer::settled(&world.fabric.raw).await;
	let headless = fetch("index.html", "new.html").await.expect_err("there is no head");
	assert!(headless.contains("there is no head of the content object "), "{headless}");

	let id = version(b"<h1>hello</h1>").to_string();
	fabric_json(url, &["object", "set-head", &names, &object, &id, "--yes"]);
	indexer::settled(&world.fabric.raw).await;
	world.locate(world.node, "http://127.0.0.1:1").await;
	indexer::settled(&world.fabric.raw).await;
	let unserved = fetch("index.html", "new.html").await.expect_err("no node answers");
	assert!(unserved.starts_with(&format!("no node served {id} ")), "{unserved}");
	assert!(unserved.contains(&world.node.to_string()), "{unserved}");
	assert!(!world.dir.path().join("new.html").exists());
}

#[tokio::test]
async fn the_example_publishes_a_manifest_once() {
	let (dir, node) = Node::start_anew(&[]);
	let hash = hex::encode(version(b"<h1>hello</h1>").0);
	let item = format!(
		"{{\"name\":\"index.html\",\"hash\":\"sha256:{hash}\",\"size\":14,\"head\":true}}\n"
	);
	let manifest = write(dir.path(), "manifest.jsonl", &item);
	let publish = || text(&mut example("publish", &[&node.url, &manifest, "docs"]));
	let tenant = ids::tenant(ids::space("examples"), "docs");
	let first = publish();
	assert!(first.starts_with("about to create the space "), "{first}");
	// The version, two records, and the record of the run.
	assert!(first.ends_with(&format!("tenant {tenant} is the source docs: 4 added\n")), "{first}");
	assert_eq!(publish(), format!("tenant {tenant} is the source docs: 1 added\n"));
	let record = format!("fabric:/{tenant}/names/index.html");
	let resolved = text(&mut example("resolve", &[&node.url, &record]));
	assert!(resolved.starts_with(&version(b"<h1>hello</h1>").to_string()), "{resolved}");
}

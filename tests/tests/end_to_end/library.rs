// SPDX-License-Identifier: Apache-2.0
//! The examples of the client's library, as its README shows them.

use std::{
	fs,
	io::{BufRead, BufReader},
	path::Path,
	process::{Command, Stdio},
};

use content_fabric_client::ids;
use content_fabric_tests::process::{fabric_json, output_of, program, write, Node, Process};

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

	let folder = world.path("downloads");
	let fetch = || text(&mut example("fetch", &[world.url(), &record, &folder]));
	assert!(fetch().starts_with("14 bytes in "));
	let file = Path::new(&folder).join(&version);
	assert_eq!(fs::read(file).expect("it is there"), b"<h1>hello</h1>");
	assert_eq!(fetch(), "they were there before\n");

	assert!(lines.any(|line| line.contains("VersionFinalized")));
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

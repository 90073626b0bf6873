// SPDX-License-Identifier: Apache-2.0
//! `fabric put` of final versions whose bytes a content node has lost.

use std::{fs, path::PathBuf};

use content_fabric_client::chain::calls;
use content_fabric_tests::{
	process::{fabric_json, fabric_output, fabric_text, stderr},
	store::Store,
};
use serde_json::{json, Value};

use super::{
	content::{self, content, place, tree, version},
	put_and_get::{send, server, World},
};

impl World {
	fn data(&self) -> PathBuf {
		self.dir.path().join("data")
	}

	/// Returns the file in which the content node has the bytes of a version.
	fn held(&self, bytes: &[u8]) -> PathBuf {
		place(&self.data(), version(bytes))
	}
}

fn restored(report: &Value) -> &Value {
	&report["sources"][0]["restored"]
}

#[tokio::test]
async fn a_put_brings_back_what_the_node_has_lost_and_nothing_else() {
	let mut world = World::start().await;
	let sizes = [5_000, 6_000, 7_000, 2_000_000, 8_000];
	let files: Vec<_> = (0..).zip(sizes).map(|(seed, size)| content(seed, size)).collect();
	for (number, bytes) in files.iter().enumerate() {
		world.file(&format!("site/{number}"), bytes);
	}
	world.file("site/copy", &files[0]);
	let report = world.put("site");
	assert_eq!(restored(&report), &json!({ "files": 0, "bytes": "0" }));

	// The check finds two of them, a read one, and nobody the last one.
	content::followed(&world.fabric, world.store()).await;
	drop(world.store.take());
	fs::remove_file(world.held(&files[0])).expect("it is there");
	fs::write(world.held(&files[3]), b"spoiled").expect("there is room");
	let check = Store::check(&world.data(), &["--repair"]);
	let errors = stderr(&check);
	assert!(errors.contains("error: 2 versions have no bytes that can be read"), "{errors}");
	let ids = (world.fabric.provider, world.node);
	world.store = Some(Store::start(world.url(), ids, &world.data()));
	world.locate(world.node, &format!("http://{}", world.store().address)).await;
	fs::write(world.held(&files[1]), vec![0; files[1].len()]).expect("there is room");
	world.store().ask("GET", &content::path(&files[1]), &[], &[]).expect(500);
	fs::remove_file(world.held(&files[2])).expect("it is there");

	let (site, node) = (world.path("site"), format!("http://{}", world.store().address));
	let planned = fabric_json(world.url(), &["put", &site, "--node", &node, "--dry-run"]);
	assert_eq!(restored(&planned), &Value::Null);
	world.store().ask("GET", &content::path(&files[0]), &[], &[]).expect(404);
	let report = world.put("site");
	assert_eq!(restored(&report), &json!({ "files": 4, "bytes": "2018000" }));
	assert_eq!(report["items"], 1, "only the record of the run: {report}");
	let back = world.path("back");
	fabric_json(world.url(), &["get", &world.tenant("site").to_string(), "--output", &back]);
	assert!(tree(site.as_ref()) == tree(back.as_ref()));

	// A file alone.
	fs::remove_file(world.held(&files[4])).expect("it is there");
	let text = fabric_text(world.url(), &["put", &world.path("site/4"), "--node", &node]);
	assert!(text.contains("nothing to add: all of it was published before\n"), "{text}");
	assert!(text.contains("\n  brought back 1 file with 8,000 bytes\n"), "{text}");
	assert_eq!(restored(&world.put("site")), &json!({ "files": 0, "bytes": "0" }));
}

#[tokio::test]
async fn nodes_are_not_asked_for_versions_of_others_and_a_node_that_does_not_answer_is_a_warning() {
	let world = World::start().await;
	let bytes = content(1, 5_000);
	world.file("site/a", &bytes);
	world.file("site/b", b"b");
	world.put("site");
	fs::remove_file(world.held(&bytes)).expect("it is there");
	let other = world.fabric.add_node("second", &world.fabric.dave).await;
	let provider = world.fabric.provider;
	let second = Store::start(world.url(), (provider, other), &world.dir.path().join("second"));
	let (site, node) = (world.path("site"), format!("http://{}", second.address));
	let report = fabric_json(world.url(), &["put", &site, "--node", &node]);
	assert_eq!(restored(&report), &json!({ "files": 0, "bytes": "0" }));
	let figures = second.ask("GET", "/metrics", &[], &[]).expect(200).body;
	let figures = String::from_utf8_lossy(&figures).into_owned();
	assert!(!figures.contains("status=\"404\""), "{figures}");
	drop(second);

	// A server in the place of the first node, which knows nothing else than who it is.
	let status = json!({ "provider": provider, "node": world.node }).to_string();
	for (answer, warning) in [
		("404 Not Found", "knows no commit of 2 final versions"),
		("503 Service Unavailable", "the bytes of 2 final versions are lost: the content node at "),
		(
			"500 Internal Server Error",
			"the bytes of 2 final versions are lost: the content node at ",
		),
	] {
		let status = status.clone();
		let (url, _) = server(move |_, head, stream| match head.starts_with("get /v1/status ") {
			true => send(stream, "200 OK", status.len(), status.as_bytes()),
			false => send(stream, answer, 0, b""),
		});
		let output = fabric_output(world.url(), &["--json", "put", &site, "--node", &url]);
		let errors = stderr(&output);
		assert!(output.status.success(), "{errors}");
		assert!(errors.contains(warning), "{answer}: {errors}");
		let report: Value = serde_json::from_slice(&output.stdout).expect("the report is JSON");
		assert_eq!(restored(&report), &json!({ "files": 0, "bytes": "0" }));
	}
}

#[tokio::test]
async fn versions_of_a_node_that_was_removed_are_listed_until_they_are_deleted_and_put_again() {
	let mut world = World::start().await;
	world.file("site/a", b"a");
	world.put("site");
	let provider = world.fabric.provider;
	let site = world.path("site");
	let url = format!("http://{}", world.store().address);
	let text = fabric_text(world.url(), &["put", &site, "--node", &url, "--dry-run"]);
	let line = "did not ask the content node for the bytes of 1 final version\n";
	assert!(text.contains(line), "{text}");
	drop(world.store.take());
	let remove = calls::RemoveNode { provider, node: world.node };
	world.fabric.submit(&world.fabric.bob, remove).await;
	let node = world.fabric.add_node("node", &world.fabric.dave).await;
	let fresh = world.dir.path().join("fresh");
	world.store = Some(Store::start(world.url(), (provider, node), &fresh));

	let url = format!("http://{}", world.store().address);
	let put = ["put", &site, "--node", &url];
	for options in [&["--dry-run"][..], &[]] {
		let output = fabric_output(world.url(), &[&put[..], options].concat());
		let (said, errors) = (String::from_utf8_lossy(&output.stdout), stderr(&output));
		assert_eq!(output.status.code(), Some(6), "{errors}");
		assert!(errors.contains("1 final version is without a node that the chain still has"));
		assert!(
			said.contains("with `fabric unpublish`") && !said.contains("nothing to add"),
			"{said}"
		);
	}
	let tenant = world.tenant("site").to_string();
	fabric_json(world.url(), &["unpublish", &tenant, "a", "--yes"]);
	let report = fabric_json(world.url(), &put);
	assert_eq!(report["sources"][0]["finalized"], 1, "{report}");
	world.locate(node, &url).await;
	let back = world.path("back");
	fabric_json(world.url(), &["get", &tenant, "--output", &back]);
	assert!(tree(site.as_ref()) == tree(back.as_ref()));
}

#[tokio::test]
async fn versions_of_a_publish_without_bytes_are_listed_until_they_are_put_anew() {
	let world = World::start().await;
	world.file("site/a", b"a");
	let (site, node) = (world.path("site"), world.node.to_string());
	let published = fabric_json(world.url(), &["publish", &site, "--space", "test"]);
	let put = ["put", &site, "--node", &node];
	for options in [&["--dry-run"][..], &[]] {
		let output = fabric_output(world.url(), &[&put[..], options].concat());
		let (said, errors) = (String::from_utf8_lossy(&output.stdout), stderr(&output));
		assert_eq!(output.status.code(), Some(6), "{errors}");
		assert!(said.contains("no node that holds it serves bytes"), "{said}");
		assert!(!said.contains("nothing to add"), "{said}");
	}
	// If that node has a server, it may have the bytes.
	let ids = ["provider", "node"].map(|of| published[of].as_str().expect("it is text").to_owned());
	let locate = ["node", "set-locator", &ids[0], &ids[1], "http://127.0.0.1:9", "--yes"];
	fabric_json(world.url(), &locate);
	let output = fabric_output(world.url(), &put);
	let errors = stderr(&output);
	assert!(output.status.success(), "{errors}");
	assert!(errors.contains("1 final version is at other nodes"), "{errors}");
	let tenant = world.tenant("site").to_string();
	fabric_json(world.url(), &["unpublish", &tenant, "a", "--yes"]);
	let planned = fabric_json(world.url(), &[&put[..], &["--dry-run"]].concat());
	let report = fabric_json(world.url(), &put);
	for field in ["committed", "finalized", "heads_set", "records_added", "uploaded"] {
		let (planned, done) = (&planned["sources"][0][field], &report["sources"][0][field]);
		assert_eq!(planned, done, "{field}");
	}
	assert_eq!((&planned["items"], &report["items"]), (&json!(4), &json!(4)));
	let back = world.path("back");
	fabric_json(world.url(), &["get", &tenant, "--output", &back]);
	assert!(tree(site.as_ref()) == tree(back.as_ref()));

	// At the content node itself, a put uploads what a publish has not.
	world.file("other/b", b"bb");
	let (other, operator) = (world.path("other"), ["--provider", "//Dave"]);
	let publish = ["publish", &other, "--space", "test", "--node", &node];
	fabric_json(world.url(), &[&publish[..], &operator].concat());
	let report = fabric_json(world.url(), &["put", &other, "--node", &node]);
	assert_eq!(restored(&report), &json!({ "files": 1, "bytes": "2" }));
}

// SPDX-License-Identifier: Apache-2.0
//! The files that `fabric get` writes into a folder: names that may lead elsewhere, hidden files,
//! and runs at the same time.

use std::{
	fs,
	os::unix::fs::symlink,
	path::Path,
	process::Stdio,
	sync::{atomic::Ordering, Arc, Barrier},
	thread,
};

use content_fabric_client::{ids, samples::encoding::encoded};
use content_fabric_primitives::DraftVersion;
use content_fabric_tests::{
	fabric::draft,
	process::{
		fabric_command, fabric_fails, fabric_json, fabric_output, fabric_report, fabric_text,
		stderr, Process,
	},
};
use serde_json::{json, Value};

use super::{
	content::{content, tree, version},
	put_and_get::{send, server, World},
};

/// Returns the files that are not got, and the classes of the reasons.
fn not_got(report: &Value) -> Vec<(&str, &str)> {
	let failed = report["failed"].as_array().expect("it is a list");
	let texts = ["name", "class"].map(|field| {
		failed.iter().map(move |missing| missing[field].as_str().expect("it is text"))
	});
	let [names, classes] = texts;
	names.zip(classes).collect()
}

#[tokio::test]
async fn the_names_of_files_do_not_lead_to_the_bytes_of_others() {
	let world = World::start().await;
	// A file named as a client might name the unfinished bytes of another one. In the order of
	// their names it stands after the first, and before the second.
	for name in ["+victim", "victim.bin"] {
		let bytes = content(10, 2_000_000);
		let hash = version(&[name.as_bytes(), &version(&bytes).0].concat());
		let part = format!(".fabric-{}.part", hex::encode(&hash.0[..16]));
		world.file(&format!("site/{name}"), &bytes);
		world.file(&format!("site/{part}"), b"evil");
	}
	world.file("site/x/y", b"x/y");
	world.file("site/d/e", b"d/e");
	world.file("site/css/m.css", b"css");
	world.file("site/back\\slash", b"back");
	let (site, out) = (world.path("site"), world.path("out"));
	let node = format!("http://{}", world.store().address);
	fabric_json(world.url(), &["put", &site, "--hidden", "--node", &node]);
	let tenant = world.tenant("site").to_string();
	fabric_json(world.url(), &["get", &tenant, "--hidden", "-o", &out]);
	assert!(tree(site.as_ref()) == tree(out.as_ref()));

	// Links in the folder of the output.
	fs::create_dir(world.path("outside")).expect("there is room");
	let linked = world.dir.path().join("linked");
	fs::create_dir(&linked).expect("there is room");
	symlink("../outside", linked.join("css")).expect("there is room");
	let linked = linked.to_string_lossy().into_owned();
	let report = fabric_report(world.url(), &["get", &tenant, "--hidden", "-o", &linked], 1);
	assert_eq!(not_got(&report), [(&*format!("{linked}/css/m.css"), "usage")]);
	assert_eq!(report["files"].as_array().map(Vec::len), Some(7), "{report}");
	let reserved = world.dir.path().join("reserved");
	fs::create_dir(&reserved).expect("there is room");
	symlink("../outside", reserved.join(".fabric-partial")).expect("there is room");
	let reserved = reserved.to_string_lossy().into_owned();
	let report = fabric_report(world.url(), &["get", &tenant, "--hidden", "-o", &reserved], 1);
	assert_eq!(not_got(&report).len(), 8, "{report}");
	assert!(tree(world.path("outside").as_ref()).is_empty());

	// Records that anyone with the key of the tenant may put.
	let object = ids::content_object(world.tenant("site"), "css/m.css").to_string();
	for key in ["x~2fy", "d", ".Fabric-Partial:x"] {
		let put = ["record", "put", &tenant, "names", "--key", key, "--object", &object, "--yes"];
		fabric_json(world.url(), &put);
	}
	let fresh = world.path("fresh");
	let report = fabric_report(world.url(), &["get", &tenant, "--hidden", "-o", &fresh], 1);
	let mut failed = not_got(&report);
	failed.sort_unstable();
	let folder = format!("{fresh}/.Fabric-Partial/x");
	let mut expected =
		[(&*folder, "usage"), ("d", "usage"), ("d:e", "usage"), ("x/y", "usage"), ("x:y", "usage")];
	expected.sort_unstable();
	assert_eq!(failed, expected, "{report}");
	let text = report.to_string();
	for reason in [
		"the record d leads to a file in its path",
		"the record d:e needs a folder of its name",
		"the record x~2fy, which stands for x/y, leads to the same path",
		"the record x:y leads to the same path",
		"`.Fabric-Partial` is reserved for downloads that are not complete",
	] {
		assert!(text.contains(reason), "{reason}: {text}");
	}
	let mut left = tree(site.as_ref());
	left.remove(Path::new("x/y"));
	left.remove(Path::new("d/e"));
	assert!(left == tree(fresh.as_ref()), "the others are got, and nothing else is left");

	// Failures of nodes are told apart.
	world.locate(world.node, "http://127.0.0.1:9").await;
	fs::remove_file(Path::new(&fresh).join("victim.bin")).expect("it is there");
	let output = fabric_output(world.url(), &["get", &tenant, "--hidden", "-o", &fresh]);
	let errors = stderr(&output);
	assert_eq!(output.status.code(), Some(7), "{errors}");
	assert!(
		errors.contains("no node served 1 of 11 files, and 5 cannot be written here"),
		"{errors}"
	);
	let version = version(&content(10, 2_000_000));
	let line = format!("not got, {fresh}/victim.bin: no node served {version}\n");
	assert!(String::from_utf8_lossy(&output.stdout).contains(&line), "{output:?}");
}

#[tokio::test]
async fn files_whose_names_begin_with_a_dot_are_got_on_request_and_those_of_git_never() {
	let world = World::start().await;
	for name in [".git/config", "sub/.ssh/keys", ".profile", "plain"] {
		world.file(&format!("site/{name}"), name.as_bytes());
	}
	let (tenant, node) = (world.tenant("site").to_string(), world.node.to_string());
	let put = ["put", &world.path("site"), "--hidden", "--node", &node];
	let report = fabric_report(world.url(), &put, 6);
	assert_eq!(report["failed"][0]["package"], ".git", "{report}");
	let alone = ["put", &world.path("site/.profile"), "--node", &node];
	fabric_fails(world.url(), &alone, "usage", "which --hidden publishes: 1");
	let object = ids::content_object(world.tenant("site"), "plain").to_string();
	let put = |key| ["record", "put", &tenant, "names", key, "--object", &object, "--yes"];
	for key in [".git:config", "sub:.GIT.:hooks:x"] {
		fabric_json(world.url(), &put(key));
	}
	let got = |name: &str, options: &[&str]| {
		let out = world.path(name);
		let get = [&["get", &tenant, "-o", &out], options].concat();
		(fabric_report(world.url(), &get, 1), tree(out.as_ref()).into_keys().collect::<Vec<_>>())
	};
	let git = [(".git:config", "usage"), ("sub:.GIT.:hooks:x", "usage")];
	let (report, files) = got("plain", &[]);
	assert_eq!(not_got(&report), git, "{report}");
	assert_eq!(report["hidden_skipped"], json!([".profile", "sub:.ssh:keys"]));
	assert_eq!(files, [Path::new("plain")]);
	let (report, files) = got("all", &["--hidden"]);
	assert_eq!((not_got(&report), &report["hidden_skipped"]), (git.to_vec(), &json!([])));
	assert_eq!(files, [".profile", "plain", "sub/.ssh/keys"].map(Path::new));

	// Without files of Git, the others that are left out are no failure, as with `put`.
	for key in [".git:config", "sub:.GIT.:hooks:x"] {
		let delete = ["record", "delete", &tenant, "names", key, "--yes"];
		fabric_json(world.url(), &delete);
	}
	let text = fabric_text(world.url(), &["get", &tenant, "-o", &world.path("plain")]);
	let line = "not got, .profile: its name begins with a dot: pass --hidden\n";
	assert!(text.starts_with("1 file was there before\n") && text.contains(line), "{text}");

	// A single file.
	let folder = world.path("plain");
	let get = ["get", &tenant, "names", ".profile", "-o", &folder];
	fabric_fails(world.url(), &get, "usage", "pass --hidden, or --output FILE");
	fabric_json(world.url(), &[&get[..], &["--hidden"]].concat());
	let file = world.path("plain/.other");
	fabric_json(world.url(), &["get", &tenant, "names", ".profile", "-o", &file]);
	assert_eq!(fs::read(&file).expect("it is there"), b".profile");
	fabric_json(world.url(), &put(".git"));
	let get = ["get", &tenant, "names", ".git", "-o", &folder, "--hidden"];
	fabric_fails(world.url(), &get, "usage", "a Git repository");
}

#[tokio::test]
async fn an_upload_that_was_never_finished_is_said_to_be_so() {
	let world = World::start().await;
	let bytes = content(21, 1_000);
	let fabric = &world.fabric;
	let unfinished = DraftVersion { size: 1_000, ..draft(fabric.object, version(&bytes)) };
	let commit = fabric.commit(world.node, &[unfinished]).await;
	fabric.submit(&fabric.dave, fabric.client.signed(&fabric.charlie, &commit)).await;
	let (tenant, out) = (fabric.tenant.to_string(), world.path("out"));
	let create = ["collection", "create", &tenant, "names", "--key-type", "any", "--yes"];
	fabric_json(world.url(), &create);
	let object = fabric.object.to_string();
	let put = ["record", "put", &tenant, "names", "a", "--object", &object, "--yes"];
	fabric_json(world.url(), &put);
	let reason = "its upload was never finished";
	let report = fabric_report(world.url(), &["get", &tenant, "-o", &out], 7);
	assert_eq!(not_got(&report), [("a", "unserved")]);
	assert_eq!(report["failed"][0]["reason"], reason);
	fabric_fails(world.url(), &["get", &tenant, "names", "a"], "unserved", reason);
	let id = version(&bytes).to_string();
	fabric_fails(world.url(), &["get", &id, "-o", &out], "unserved", reason);
}

#[tokio::test]
async fn two_runs_into_one_folder_do_not_disturb_each_other() {
	let world = World::start().await;
	let bytes = content(11, 1_000_000);
	world.file("site/a", &bytes);
	world.file("site/sub/a", &bytes);
	world.put("site");
	let served = Arc::new(encoded(&bytes, 0, bytes.len() - 1));
	// Each of the four answers begins before the first ends.
	let together = Arc::new(Barrier::new(4));
	let (url, asked) = server(move |_, _, stream| {
		let (served, together) = (served.clone(), together.clone());
		let mut stream = stream.try_clone().expect("it is open");
		thread::spawn(move || {
			together.wait();
			send(&mut stream, "200 OK", served.len(), &served);
		});
	});
	world.locate(world.node, &url).await;
	let (tenant, out) = (world.tenant("site").to_string(), world.path("out"));
	let start = || {
		let mut command = fabric_command(world.url(), &["get", &tenant, "-o", &out]);
		command.stdout(Stdio::piped()).stderr(Stdio::piped());
		Process(command.spawn().expect("the client starts"))
	};
	for process in [start(), start()] {
		let output = process.output();
		assert!(output.status.success(), "{}", stderr(&output));
	}
	assert_eq!(asked.load(Ordering::SeqCst), 4);
	assert!(tree(world.path("site").as_ref()) == tree(out.as_ref()));
	assert!(!Path::new(&out).join(".fabric-partial").exists());
}

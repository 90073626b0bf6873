// SPDX-License-Identifier: Apache-2.0
//! `publish` with a directory and with a manifest, before it signs, and while its node is gone.

use std::{
	fs::File,
	os::unix::ffi::OsStrExt,
	path::Path,
	process::{Output, Stdio},
	sync::{
		atomic::{AtomicBool, Ordering},
		Arc,
	},
	time::{Duration, Instant},
};

use content_fabric_client::ids;
use content_fabric_identifiers::{HashKind, TenantId, VersionHasher, VersionId};
use content_fabric_tests::{
	client::signer,
	council::{create_space, THREE_OF_FIVE},
	manifest::synthetic,
	process::{
		fabric_command, fabric_failure, fabric_json, fabric_on_terminal, fabric_output,
		fabric_report, failed, report, stderr, write, Node,
	},
	published::{tenant, Publish},
	raw::{storage_key, Raw},
	relay::{Lie, Relay},
};
use serde_json::{json, Value};

/// Longest time that a client takes to end once it has decided to.
const SOON: Duration = Duration::from_secs(30);

/// A directory with two files, a third one whose name has no record key, a hidden file and a
/// symbolic link.
fn site(dir: &Path) -> String {
	let site = dir.join("site");
	std::fs::create_dir_all(site.join("css")).expect("there is room for a folder");
	write(&site, "index.html", "<p>Hello");
	write(&site.join("css"), "main.css", "p {}");
	write(&site, &no_key(), "Its key would have 513 bytes.");
	write(&site, ".env", "PASSWORD=secret");
	std::os::unix::fs::symlink("index.html", site.join("link")).expect("the link is made");
	site.to_str().expect("the path is text").to_owned()
}

fn no_key() -> String {
	"+".repeat(171)
}

fn site_tenant() -> TenantId {
	ids::tenant(ids::space("docs"), "site")
}

/// Returns the version to which a record leads.
fn resolved(url: &str, key: &str) -> Value {
	let tenant = site_tenant().to_string();
	fabric_json(url, &["resolve", &tenant, "names", key])["version"].clone()
}

/// Returns the id of the version with this data, as JSON has it.
fn version(data: &str) -> Value {
	VersionHasher::hash(HashKind::Blake3, data.as_bytes()).to_string().into()
}

#[tokio::test]
async fn a_directory_is_published_and_then_what_has_changed() {
	let (dir, node) = Node::start_anew(&[]);
	let (url, site) = (&node.url, site(dir.path()));
	let publish = ["publish", &site, "--space", "docs"];
	let first = fabric_report(url, &publish, 6);
	let source = &first["sources"][0];
	assert_eq!((&source["source"], &first["symlinks_skipped"]), (&"site".into(), &json!(["link"])));
	for (count, expected) in [
		("packages", 3),
		("versions", 3),
		("created", 3),
		("committed", 3),
		("finalized", 3),
		("heads_set", 3),
		("records_added", 4),
		("records_updated", 0),
		("not_sent", 0),
	] {
		assert_eq!(source[count], expected, "{count}");
	}
	assert_eq!(first["items"], 8, "three versions, four records, and the record of the run");
	// The third one has records neither of its name nor of its version.
	let unnamed = failed(&first, "record-key");
	assert_eq!((unnamed.len(), &first["failed_count"]), (2, &2.into()));
	assert!(unnamed.iter().all(|record| record["package"] == no_key()));
	assert_eq!(first["hidden_skipped"], json!([".env"]));
	for (key, data) in [("index.html", "<p>Hello"), ("css:main.css", "p {}")] {
		assert_eq!(resolved(url, key), version(data));
	}

	// An unchanged directory adds its record alone.
	let raw = Raw::connect(url).await;
	let before = raw.rows(site_tenant()).await;
	let again = fabric_report(url, &publish, 6);
	assert_eq!((&again["transactions"], &again["items"]), (&1.into(), &1.into()));
	let after = raw.rows(site_tenant()).await;
	for (map, keys) in &before {
		let added = if *map == "Records" { 1 } else { 0 };
		assert_eq!(after[map].len(), keys.len() + added, "{map}");
	}

	// A changed file is a new version, and its head moves. The others stay.
	write(Path::new(&site), "index.html", "<p>Goodbye");
	let changed = fabric_report(url, &publish, 6);
	let source = &changed["sources"][0];
	for (count, expected) in [("created", 0), ("committed", 1), ("records_added", 1)] {
		assert_eq!(source[count], expected, "{count}");
	}
	assert_eq!(resolved(url, "index.html"), version("<p>Goodbye"));
	assert_eq!(resolved(url, "css:main.css"), version("p {}"));
	let rows = raw.rows(site_tenant()).await;
	assert_eq!((rows["Versions"].len(), rows["ContentObjects"].len()), (4, 3));
	// A file with its former bytes is not a new version. It becomes the head again.
	write(Path::new(&site), "index.html", "<p>Hello");
	let back = fabric_report(url, &publish, 6);
	let source = &back["sources"][0];
	assert_eq!((&source["committed"], &source["heads_set"]), (&0.into(), &1.into()));
	assert_eq!(resolved(url, "index.html"), version("<p>Hello"));
}

/// Returns a line of a manifest for this data, with its SHA-256 hash and further fields.
fn line(name: &str, data: &str, more: &str) -> String {
	let hash = hex::encode(sp_crypto_hashing::sha2_256(data.as_bytes()));
	format!("{{\"name\": \"{name}\", \"hash\": \"sha256:{hash}\"{more}}}")
}

/// Returns a line of a manifest for this data, with the hash and the size that a directory gives it.
fn line_as_of_file(name: &str, data: &str, more: &str) -> String {
	let hash = hex::encode(VersionHasher::hash(HashKind::Blake3, data.as_bytes()));
	let size = data.len();
	format!("{{\"name\": \"{name}\", \"hash\": \"blake3:{hash}\", \"size\": {size}{more}}}")
}

/// Runs `publish` with a file as standard input.
fn publish_stdin(url: &str, input: &str, more: &[&str]) -> Output {
	let input = File::open(input).expect("the input can be read");
	fabric_command(url, &["publish", "-"]).args(more).stdin(input).output().expect("it starts")
}

#[test]
fn a_manifest_on_standard_input_is_published_as_its_directory_would_be() {
	let (dir, node) = Node::start_anew(&[]);
	let (url, site) = (&node.url, site(dir.path()));
	let manifest = [
		"\u{feff}".to_owned() + &line_as_of_file("index.html", "<p>Hello", r#", "head": true"#),
		line_as_of_file("css:main.css", "p {}", r#", "head": true, "object": "css/main.css""#),
		String::new(),
		line_as_of_file("index.html", "<p>Hello", ""),
		line("other", "b {}", r#", "version": "1", "source": "elsewhere""#),
	];
	let manifest = write(dir.path(), "manifest", &manifest.join("\r\n"));
	let keys = ["--json", "--yes", "--space", "docs", "--source", "site"];
	let published = report(&publish_stdin(url, &manifest, &keys), 0);
	let counts = |source: &Value| {
		["packages", "versions", "created", "committed", "records_added"]
			.map(|count| source[count].as_u64().unwrap_or_else(|| panic!("{count}: {source}")))
	};
	let sources = published["sources"].as_array().expect("a list");
	let [elsewhere, of_site] = &sources[..] else { panic!("{published}") };
	assert_eq!((&elsewhere["source"], &of_site["source"]), (&"elsewhere".into(), &"site".into()));
	assert_eq!((counts(elsewhere), counts(of_site)), ([1, 1, 1, 1, 2], [2, 2, 2, 2, 4]));
	for (key, data) in [("index.html", "<p>Hello"), ("css:main.css", "p {}")] {
		assert_eq!(resolved(url, key), version(data));
	}
	// An object without an item that is its head has none.
	let tenant = elsewhere["tenant"].as_str().expect("ids are text");
	let one = fabric_json(url, &["resolve", tenant, "names", "other:1"]);
	let other = VersionId(sp_crypto_hashing::sha2_256(b"b {}")).to_string();
	assert_eq!((&one["version"], &one["size"]), (&other.into(), &Value::Null));
	let whole = fabric_json(url, &["resolve", tenant, "names", "other"]);
	assert_eq!((&whole["version"], &whole["follows_head"]), (&Value::Null, &true.into()));

	// The directory adds the file that is not in the manifest.
	let rest = fabric_report(url, &["publish", &site, "--space", "docs"], 6);
	assert_eq!(counts(&rest["sources"][0]), [3, 3, 1, 1, 0]);
}

#[test]
fn all_bad_lines_of_a_manifest_are_reported_before_a_node_is_looked_for() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let nowhere = "ws://127.0.0.1:9";
	let refused = |name: &str, text: &[u8]| {
		std::fs::write(dir.path().join(name), text).expect("there is room for a file");
		let path = dir.path().join(name);
		let path = path.to_str().expect("the path is text");
		let outputs = [
			fabric_output(nowhere, &["publish", path]),
			publish_stdin(nowhere, path, &["--source", "s", "--yes"]),
		];
		let [by_name, by_stdin] = outputs.map(|output| {
			assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
			assert!(output.stdout.is_empty());
			stderr(&output)
		});
		assert_eq!(by_name.replace(path, "standard input"), by_stdin);
		by_stdin.lines().map(str::to_owned).collect::<Vec<_>>()
	};
	let good = line("a", "a", "");
	let bad = [&line("b", "b", r#", "bytes": 1"#), &good, &good.replace("sha256:", "sha512:")];
	let bad = bad.map(String::as_str).join("\n");
	let lines = refused("two", bad.as_bytes());
	assert_eq!(lines.len(), 2, "{lines:?}");
	assert!(lines[0].starts_with("error: standard input:1: unknown field `bytes`, expected"));
	assert!(lines[1].starts_with("standard input:3: hash is `sha512:"), "{lines:?}");
	// One error of JSON has all lines.
	let two = dir.path().join("two");
	let failure = fabric_failure(nowhere, &["publish", two.to_str().expect("it is text")]);
	assert_eq!((failure.class.as_str(), failure.error.lines().count()), ("usage", 2));

	let many = "total 12\n".repeat(100_000);
	let lines = refused("many", many.as_bytes());
	assert_eq!(lines.len(), 21);
	assert_eq!(lines[19], "standard input:20: is not a JSON object: `total 12`");
	assert_eq!(lines[20], "… and 99,980 more bad lines");
	let long = format!("{}\n{good}\n", "x".repeat(10 << 20));
	assert_eq!(
		refused("long", long.as_bytes()),
		["error: standard input:1: has more than 65536 bytes"]
	);
	let binary = refused("binary", b"\x1f\x8b\x08\0\0\xff\n\xfe");
	assert_eq!(binary[0], "error: standard input:1: is not UTF-8 text");
	assert_eq!(refused("empty", b"\n"), ["error: standard input has no items to publish"]);

	let sourceless = write(dir.path(), "sourceless", &good);
	let output = publish_stdin(nowhere, &sourceless, &[]);
	let expected = "error: standard input:1: has no `source`: add it, or pass --source NAME\n";
	assert_eq!(stderr(&output), expected);
	let folder = publish_stdin(nowhere, dir.path().to_str().expect("it is text"), &[]);
	assert!(stderr(&folder).contains("standard input cannot be read: Is a directory"));
}

#[tokio::test]
async fn a_dry_run_signs_nothing_and_counts_what_the_run_does() {
	let (dir, node) = Node::start_anew(&[]);
	let (url, raw) = (&node.url, Raw::connect(&node.url).await);
	let manifest = write(dir.path(), "manifest.jsonl", &synthetic(30));
	let state = raw.state().await;
	let tried = fabric_json(url, &["publish", &manifest, "--dry-run"]);
	assert_eq!(raw.state().await, state, "a dry run changes nothing");
	assert_eq!((&tried["dry_run"], &tried["transactions"]), (&true.into(), &0.into()));
	let accounts = ["//Bob", "//Charlie"].map(|key| signer(key).account().to_string());
	let estimates = tried["estimates"].as_array().expect("a list");
	let paying: Vec<_> = estimates.iter().map(|cost| cost["account"].as_str()).collect();
	assert_eq!(paying, accounts.each_ref().map(|account| Some(account.as_str())));

	let done = fabric_json(url, &["publish", &manifest]);
	let without_run = |report: &Value| {
		let mut source = report["sources"][0].clone();
		source["run"].take();
		source
	};
	assert_eq!(without_run(&tried), without_run(&done));

	// A dry run ends as the run would, with items that the chain has otherwise.
	let changed = synthetic(30).replace(&format!("{:064x}", 1), &"ab".repeat(32));
	let changed = write(dir.path(), "changed.jsonl", &changed);
	let tenant = tenant().to_string();
	let resolve = || fabric_json(url, &["resolve", &tenant, "names", "package-0:0.0.0"]);
	let before = resolve()["version"].clone();
	for dry_run in [&["--dry-run"][..], &[]] {
		let ended = fabric_report(url, &[&["publish", &changed], dry_run].concat(), 6);
		let [other] = failed(&ended, "changed")[..] else { panic!("{ended}") };
		assert_eq!(other["record_key"], "package-0:0.0.0");
		assert_eq!(resolve()["version"], before);
	}
	fabric_json(url, &["publish", &changed, "--replace"]);
	assert_ne!(resolve()["version"], before);

	// One account pays the sum, and has too little for it.
	let poor = signer("//Poor").account().to_string();
	let (more, site) = (write(dir.path(), "more.jsonl", &synthetic(60)), site(dir.path()));
	let state = raw.state().await;
	for (arguments, payers, reason) in [
		// The manifest's tenant has another root, which pays the deposits.
		(&[more.as_str()][..], 2, "has no access key in the tenant "),
		(&[&site, "--source", "poor"], 1, "can spend 0 UNIT, and needs about "),
	] {
		let keys = ["--provider", "//Poor", "--tenant", "//Poor", "--dry-run"];
		let tried = [&["--json", "publish"], arguments, &keys].concat();
		let output = fabric_output(url, &tried);
		let (printed, error) = (report(&output, 4), stderr(&output));
		assert_eq!(printed["estimates"].as_array().map(Vec::len), Some(payers), "{printed}");
		assert!(error.contains(&poor) && error.contains(reason), "{error}");
	}
	assert_eq!(raw.state().await, state, "a dry run that fails changes nothing, either");
}

#[test]
fn a_member_that_cannot_publish_is_refused_before_anything_is_sent() {
	let (dir, node) = Node::start_anew(&[]);
	let url = &node.url;
	let manifest = write(dir.path(), "manifest.jsonl", &synthetic(5));
	let provider = fabric_json(url, &["publish", &manifest])["provider"].clone();
	let provider = provider.as_str().expect("ids are text");
	let tenant = tenant().to_string();
	let more = write(dir.path(), "more.jsonl", &synthetic(10));
	for (member, bar, state, lift) in [
		(provider, "suspend", "suspended the provider", "resume"),
		(&tenant, "freeze", "frozen the tenant", "unfreeze"),
	] {
		let governance = |command| ["governance", command, member, "--reason", "test", "--yes"];
		fabric_json(url, &governance(bar));
		let refused = fabric_failure(url, &["publish", &more]);
		assert_eq!(refused.class, "refused");
		let expected = format!("governance has {state} {member}; ");
		assert!(refused.error.starts_with(&expected), "{refused:?}");
		let advice = format!("`fabric governance {lift} {member} --reason TEXT`");
		assert!(refused.error.contains(&advice), "{refused:?}");
		// A dry run also says so, after its report.
		let tried = fabric_report(url, &["publish", &more, "--dry-run"], 4);
		assert_eq!(tried["sources"][0]["committed"], 5);
		fabric_json(url, &governance(lift));
	}
	assert_eq!(fabric_json(url, &["publish", &more])["sources"][0]["committed"], 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_missing_is_shown_and_asked_for_unless_the_chain_is_for_development() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let node = Node::start_without_sudo(&dir.path().join("chain"));
	let (url, raw) = (&node.url, Raw::connect(&node.url).await);
	let site = site(dir.path());
	let publish = |more: &[&str]| {
		let keys = ["--provider", "//Dave", "--tenant", "//Eve"];
		let mut client = fabric_command(url, &["publish", &site, "--space", "docs"]);
		client.args(keys).args(more).stdin(Stdio::null()).output().expect("the client starts")
	};
	// Only the council can create the space.
	let refused = publish(&["--yes", "--governor", "//Alice"]);
	assert_eq!(refused.status.code(), Some(3), "{}", stderr(&refused));
	assert!(stderr(&refused).contains("--council propose"), "{}", stderr(&refused));
	create_space(url, THREE_OF_FIVE, "docs");

	let unasked = publish(&[]);
	assert_eq!(unasked.status.code(), Some(2), "{}", stderr(&unasked));
	let shown = stderr(&unasked);
	let [dave, eve] = ["//Dave", "//Eve"].map(|key| signer(key).account().to_string());
	let (provider, tenant) = (ids::provider(ids::space("docs"), &dave), site_tenant());
	for line in [
		&format!("  create the provider {provider} of {dave}, with a bond of "),
		&format!("  create the tenant {tenant} of {eve}, with a bond of "),
		"  create the node ",
		"  confirm the node ",
		&format!("  create the collection names of {tenant}"),
		&format!("  create the collection runs of {tenant}"),
		" would pay about: deposits ",
	] {
		assert!(shown.contains(line), "{line}: {shown}");
	}
	assert!(shown.contains("pass --yes"), "{shown}");
	assert!(unasked.stdout.is_empty());
	assert!(raw.keys(&storage_key("Providers", &[])).await.is_empty(), "nothing was submitted");
	assert!(raw.keys(&storage_key("Tenants", &[])).await.is_empty(), "nothing was submitted");

	// If standard input is the manifest, the question comes on the terminal, if there is one.
	let item = write(dir.path(), "item", &line("a", "a", ""));
	let keys =
		["--space", "docs", "--provider", "//Dave", "--tenant", "//Eve", "--source", "other"];
	let arguments = [&["publish", "-"][..], &keys].concat();
	let (code, shown) = fabric_on_terminal(url, &arguments, Some(&item), "n\n");
	assert_eq!(code, Some(2), "{shown}");
	assert!(shown.contains("Continue? [y/N]") && shown.contains("declined"), "{shown}");
	let client = fabric_command(url, &arguments);
	let alone = std::process::Command::new("setsid")
		.arg("--wait")
		.arg(client.get_program())
		.args(client.get_args())
		.envs(client.get_envs().filter_map(|(name, value)| Some((name, value?))))
		.stdin(File::open(&item).expect("the input can be read"))
		.output()
		.expect("setsid, of the package util-linux, starts");
	assert_eq!(alone.status.code(), Some(2), "{}", stderr(&alone));
	assert!(stderr(&alone).contains("pass --yes"), "{}", stderr(&alone));
	assert!(raw.keys(&storage_key("Providers", &[])).await.is_empty(), "nothing was submitted");

	// Without anything to publish, nothing is created.
	let empty = dir.path().join("empty");
	std::fs::create_dir(&empty).expect("there is room for a folder");
	let unnamed = std::ffi::OsStr::from_bytes(b"\xff");
	std::fs::write(empty.join(unnamed), "It has no name in UTF-8.").expect("there is room");
	let empty = empty.to_str().expect("the path is text");
	let keys = ["--space", "docs", "--provider", "//Dave", "--tenant", "//Eve"];
	let report = fabric_report(url, &[&["publish", empty][..], &keys].concat(), 6);
	assert_eq!(report["transactions"], 0);

	let published = publish(&["--yes"]);
	assert_eq!(published.status.code(), Some(6), "{}", stderr(&published));
	// Nothing is missing any more, so nobody is asked.
	let again = publish(&[]);
	assert_eq!(again.status.code(), Some(6), "{}", stderr(&again));
	assert!(!stderr(&again).contains("About to"), "{}", stderr(&again));
	// The tenant of another source is.
	let (code, shown) = fabric_on_terminal(url, &arguments, Some(&item), "y\n");
	assert_eq!(code, Some(0), "{shown}");
	assert!(shown.contains("Continue? [y/N]") && shown.contains("create the tenant"), "{shown}");
}

/// Waits until the client ends, which must be soon.
fn soon(publish: Publish) -> Output {
	let start = Instant::now();
	let output = publish.end();
	assert!(start.elapsed() < SOON, "{:?}: {}", start.elapsed(), stderr(&output));
	output
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_ctrl_c_ends_a_publish_at_once() {
	let (dir, node) = Node::start_anew(&[]);
	let manifest = write(dir.path(), "manifest.jsonl", &synthetic(5_000));
	let mut publish = Publish::start(&node.url, &manifest, &[]).await;
	node.pause();
	publish.interrupt();
	let line = publish.message();
	assert!(line.starts_with("interrupted: waiting for"), "{line}");
	// The client listens for the next signal after that line.
	tokio::time::sleep(Duration::from_millis(500)).await;
	publish.interrupt();
	let output = soon(publish);
	let lines = stderr(&output);
	assert_eq!(output.status.code(), Some(130), "{lines}");
	let error: Value = serde_json::from_str(&lines).expect("the error is JSON, and nothing else");
	assert_eq!(error["class"], "interrupted");
	assert!(output.stdout.is_empty(), "it does not wait for a report");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_ctrl_c_ends_a_publish_whose_node_is_silent_with_its_report() {
	let (dir, node) = Node::start_anew(&[]);
	let manifest = write(dir.path(), "manifest.jsonl", &synthetic(5_000));
	let publish = Publish::start(&node.url, &manifest, &[]).await;
	node.pause();
	publish.interrupt();
	let report = report(&soon(publish), 130);
	assert!(report["sources"][0]["not_sent"].as_u64() > Some(0), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_stays_away_for_the_timeout_ends_a_publish_with_its_report() {
	let (dir, node) = Node::start_anew(&[]);
	let manifest = write(dir.path(), "manifest.jsonl", &synthetic(5_000));
	let publish = Publish::start(&node.url, &manifest, &["--timeout", "4"]).await;
	drop(node);
	let output = soon(publish);
	let report = report(&output, 5);
	assert!(report["sources"][0]["not_sent"].as_u64() > Some(0), "{report}");
	let lines = stderr(&output);
	let lines: Vec<_> = lines.lines().collect();
	assert_eq!(lines.len(), 2, "there is no progress: {lines:?}");
	assert_eq!(lines[0], "the node closed the connection; connecting again for up to 4 s");
	assert!(lines[1].starts_with("{\"error\":\"no node answers at "), "{lines:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_runtime_that_changes_while_the_node_is_away_ends_a_publish() {
	let (dir, node) = Node::start_anew(&[]);
	let manifest = write(dir.path(), "manifest.jsonl", &synthetic(5_000));
	let upgraded = Arc::new(AtomicBool::new(false));
	let is_upgraded = upgraded.clone();
	let lie: Lie = Arc::new(move |method, _, result| {
		if method == "state_getRuntimeVersion" && is_upgraded.load(Ordering::Relaxed) {
			let version = result["specVersion"].as_u64().expect("versions are numbers");
			result["specVersion"] = (version + 1).into();
		}
	});
	let relay = Relay::lying(&node.url, lie).await;
	let publish = Publish::start(&relay.url, &manifest, &[]).await;
	upgraded.store(true, Ordering::Relaxed);
	relay.cut();
	let output = soon(publish);
	assert!(report(&output, 5)["transactions"].as_u64() > Some(0));
	let error = stderr(&output);
	assert!(error.contains("the chain's runtime was upgraded from version "), "{error}");
	// The next run continues by what the node says then.
	upgraded.store(false, Ordering::Relaxed);
	fabric_json(&node.url, &["publish", &manifest]);
}

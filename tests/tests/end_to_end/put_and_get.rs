// SPDX-License-Identifier: Apache-2.0
//! `fabric put`, `get` and `verify`, with a chain, content nodes, and servers that lie.

use std::{
	fs,
	io::{Read, Write},
	net::{TcpListener, TcpStream},
	path::Path,
	process::{Command, Stdio},
	sync::{
		atomic::{AtomicUsize, Ordering},
		Arc, Mutex,
	},
	thread,
	time::{Duration, Instant},
};

use content_fabric_client::{
	chain::{calls, wall_clock, VersionCommit},
	drafts::{Draft, DraftRequest},
	ids,
	samples::encoding::encoded,
	text::count,
};
use content_fabric_identifiers::{
	HashKind, KmsId, Medallion, Muid, NodeId, TenantId, VersionHasher, VersionId,
};
use content_fabric_primitives::DraftVersion;
use content_fabric_tests::{
	fabric::{draft, Fabric},
	process::{
		fabric_command, fabric_fails, fabric_failure, fabric_json, fabric_output, fabric_report,
		fabric_text, report, signal, stderr, Process,
	},
	store::Store,
	wait,
};
use serde_json::{json, Value};

use super::content::{self, content, tree, version};

/// Longest wait for a state.
const PATIENCE: Duration = Duration::from_secs(60);

/// A chain with a content node.
pub(super) struct World {
	pub(super) dir: tempfile::TempDir,
	pub(super) fabric: Fabric,
	pub(super) node: NodeId,
	pub(super) store: Option<Store>,
}

impl World {
	pub(super) async fn start() -> Self {
		let dir = tempfile::tempdir().expect("there is room for a folder");
		let (fabric, node, store) = content::start(dir.path()).await;
		let world = Self { dir, fabric, node, store: Some(store) };
		world.locate(node, &format!("http://{}", world.store().address)).await;
		world
	}

	pub(super) fn store(&self) -> &Store {
		self.store.as_ref().expect("it runs")
	}

	/// Sets the locator of a node.
	pub(super) async fn locate(&self, node: NodeId, locator: &str) {
		let (provider, locator) = (self.fabric.provider, locator.as_bytes().to_vec());
		let set = calls::SetNodeLocator { provider, node, locator };
		self.fabric.submit(&self.fabric.bob, set).await;
	}

	pub(super) fn url(&self) -> &str {
		self.fabric.url()
	}

	pub(super) fn path(&self, name: &str) -> String {
		self.dir.path().join(name).to_string_lossy().into_owned()
	}

	/// Writes a file.
	pub(super) fn file(&self, name: &str, bytes: &[u8]) {
		let path = self.dir.path().join(name);
		fs::create_dir_all(path.parent().expect("it is in a folder")).expect("there is room");
		fs::write(path, bytes).expect("there is room");
	}

	pub(super) fn tenant(&self, source: &str) -> TenantId {
		ids::tenant(self.fabric.space, source)
	}

	/// Puts a path, by the URL of the content node. Returns the report.
	pub(super) fn put(&self, name: &str) -> Value {
		let node = format!("http://{}", self.store().address);
		fabric_json(self.url(), &["put", &self.path(name), "--node", &node])
	}
}

/// Starts a server that handles each GET in its way: `answer` has the number of the request, its
/// head and the connection. Returns its URL and the number of requests.
pub(super) fn server(
	answer: impl Fn(usize, &str, &mut TcpStream) + Send + 'static,
) -> (String, Arc<AtomicUsize>) {
	let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
	let url = format!("http://{}", listener.local_addr().expect("it is bound"));
	let asked = Arc::new(AtomicUsize::new(0));
	let counted = asked.clone();
	thread::spawn(move || {
		while let Ok((mut stream, _)) = listener.accept() {
			let (mut head, mut byte) = (Vec::new(), [0]);
			while !head.ends_with(b"\r\n\r\n") {
				match stream.read(&mut byte) {
					Ok(1) => head.push(byte[0]),
					_ => break,
				}
			}
			let head = String::from_utf8_lossy(&head).to_lowercase();
			answer(counted.fetch_add(1, Ordering::SeqCst), &head, &mut stream);
		}
	});
	(url, asked)
}

/// Sends an answer with a length, which may differ from the body's.
pub(super) fn send(stream: &mut TcpStream, status: &str, length: usize, body: &[u8]) {
	let head =
		format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
	// A client that has seen enough closes the connection.
	let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
}

#[tokio::test]
async fn a_directory_is_put_and_got_back_equal_and_a_second_put_adds_what_has_changed() {
	let world = World::start().await;
	world.file("site/index.html", b"<h1>hello</h1>");
	world.file("site/sub/deep/data.bin", &content(1, 3_000_000));
	world.file("site/sub/same.html", b"<h1>hello</h1>");
	world.file("site/sub/with:colon", b"colon");
	world.file("site/empty", b"");
	world.file("site/.hidden", b"secret");
	let (site, back) = (world.path("site"), world.path("back"));
	let node = format!("http://{}", world.store().address);
	let planned = fabric_json(world.url(), &["put", &site, "--node", &node, "--dry-run"]);
	assert_eq!((&planned["dry_run"], &planned["transactions"]), (&json!(true), &json!(0)));
	let report = world.put("site");
	let source = &report["sources"][0];
	assert_eq!((&source["committed"], &source["finalized"]), (&json!(5), &json!(5)), "{report}");
	// Two files have the same bytes.
	assert_eq!(source["uploaded"], json!({ "files": 4, "bytes": "3000019" }));
	assert_eq!(report["hidden_skipped"], json!([".hidden"]));
	let tenant = world.tenant("site").to_string();
	assert_eq!(source["tenant"], json!(tenant));

	let got = fabric_json(world.url(), &["get", &tenant, "--output", &back]);
	assert_eq!(got["files"].as_array().map(Vec::len), Some(5), "{got}");
	fs::remove_file(world.dir.path().join("site/.hidden")).expect("it is there");
	assert!(tree(site.as_ref()) == tree(back.as_ref()));
	let again = fabric_text(world.url(), &["get", &tenant, "--output", &back]);
	assert_eq!(again, "5 files were there before\n");

	// By record, by URI, and by version.
	let (one, id) = (world.path("one"), version(b"<h1>hello</h1>").to_string());
	let uri = format!("fabric:/{tenant}/names/sub:deep:data.bin");
	for (arguments, bytes) in [
		(vec!["get", &tenant, "names", "index.html"], b"<h1>hello</h1>".to_vec()),
		(vec!["get", &uri], content(1, 3_000_000)),
		(vec!["get", &id], b"<h1>hello</h1>".to_vec()),
		(vec!["get", &tenant, "names", "empty"], Vec::new()),
	] {
		fabric_json(world.url(), &[&arguments[..], &["--output", &one, "--force"]].concat());
		assert!(fs::read(&one).expect("it is there") == bytes, "{arguments:?}");
	}
	let refused = fabric_failure(world.url(), &["get", &id, "--output", &one]);
	assert!(refused.error.ends_with("it has other content: pass --force to replace it"));
	assert!(fs::read(&one).expect("it is there").is_empty());

	// Nothing is done twice; what has changed is done; a file alone belongs to its folder.
	let report = world.put("site");
	assert_eq!(report["items"], 1, "only the record of the run: {report}");
	world.file("site/index.html", b"<h1>changed</h1>");
	let report = fabric_json(
		world.url(),
		&["put", &world.path("site/index.html"), "--node", &world.node.to_string()],
	);
	let source = &report["sources"][0];
	assert_eq!((&source["tenant"], &source["committed"]), (&json!(tenant), &json!(1)));
	fabric_json(world.url(), &["get", &tenant, "-o", &back, "--force"]);
	assert!(tree(site.as_ref()) == tree(back.as_ref()));

	// A file that has become a folder: its record is in the way until somebody deletes it.
	fs::remove_file(world.dir.path().join("site/empty")).expect("it is there");
	world.file("site/empty/not", b"not");
	let put = ["put", &site, "--node", &node];
	let report = fabric_report(world.url(), &put, 6);
	let command = format!("record delete {tenant} names --key=empty");
	let reason = "the record empty leads to a file in its path: delete that record with `fabric";
	assert!(report.to_string().contains(&format!("{reason} {command}`")), "{report}");
	// The others can be got, and the old file is in its place.
	fabric_json(world.url(), &["get", &tenant, "-o", &world.path("meanwhile")]);
	assert!(fs::read(world.path("meanwhile/empty")).is_ok_and(|bytes| bytes.is_empty()));
	let words: Vec<_> = command.split(' ').chain(["--yes"]).collect();
	fabric_json(world.url(), &words);
	world.put("site");
	fs::remove_dir_all(&back).expect("it is there");
	fabric_json(world.url(), &["get", &tenant, "-o", &back]);
	assert!(tree(site.as_ref()) == tree(back.as_ref()));
}

#[tokio::test]
async fn bad_input_is_refused_before_anything_is_signed() {
	let world = World::start().await;
	world.file("site/a", b"a");
	let (site, nowhere, pipe) = (world.path("site"), "http://127.0.0.1:9", world.path("pipe"));
	assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs").success());
	let unknown = NodeId([9; 10]).to_string();
	let tenant = world.tenant("site").to_string();
	for (arguments, class, reason) in [
		(vec!["put", &site, "--node", "example.org"], "usage", "neither the id of a node, inod"),
		(vec!["put", &site, "--node", "inod0"], "usage", "`inod0` is not an id"),
		(vec!["put", &site, "--node", nowhere], "connection", "does not answer"),
		(vec!["put", &site, "--node", "http://192.0.2.1"], "usage", "is not encrypted"),
		(vec!["put", &site, "--node", &unknown], "not-found", "there is no node"),
		(vec!["put", "/nothing", "--node", nowhere], "usage", "/nothing cannot be read"),
		(vec!["put", &site, "--node", nowhere, "--space", "a"], "usage", "`put` has no --space: "),
		(vec!["put", &site, "--node", nowhere, "--tenant", &tenant], "usage", "has no --tenant: "),
		(vec!["publish", &site, "--tenant", &tenant], "usage", "--tenant takes a key, and iten"),
		(vec!["publish", &site, "--space", &tenant], "usage", "is the id of a tenant, expected"),
		(vec!["put", &pipe, "--node", nowhere], "usage", "is neither a file nor a directory"),
		(vec!["put", "/dev/zero", "--node", nowhere], "usage", "neither a file nor a directory"),
		(vec!["get", "nothing"], "usage", "`nothing` is not an id"),
		(vec!["get", &tenant], "not-found", "there is no tenant"),
		(vec!["get", &tenant, "names", "a"], "not-found", "there is no tenant"),
		(vec!["get", &version(b"?").to_string()], "not-found", "there is no version"),
		(vec!["get", "fabric:/x"], "usage", "is not the URI of a record"),
	] {
		fabric_fails(world.url(), &arguments, class, reason);
	}
	assert_eq!(world.store().ask("GET", "/v1/status", &[], &[]).json()["versions"], 0);
}

/// Has another tenant commit and finalize the same bytes with this size at a second node, which is
/// at this URL.
pub(super) async fn second_row(world: &World, bytes: &[u8], size: u64, locator: &str) {
	let node = world.fabric.add_node("second", &world.fabric.bob).await;
	world.locate(node, locator).await;
	row(world, node, (HashKind::Blake3, version(bytes)), size).await;
}

/// Has another tenant commit and finalize a version with this size at a node of Bob.
pub(super) async fn row(
	world: &World,
	node: NodeId,
	(hash, version): (HashKind, VersionId),
	size: u64,
) {
	let fabric = &world.fabric;
	let draft = DraftVersion { hash, size, ..draft(fabric.object, version) };
	let commit = VersionCommit { kms: None, ..fabric.commit(node, &[draft]).await };
	fabric.submit(&fabric.bob, fabric.client.signed(&fabric.charlie, &commit)).await;
	fabric.submit(&fabric.bob, fabric.finalize(node, [(fabric.object, version)])).await;
}

#[tokio::test]
async fn a_node_that_lies_is_named_and_the_next_one_is_asked() {
	let world = World::start().await;
	let bytes = content(3, 500_000);
	world.file("site/a", &bytes);
	world.put("site");
	let (tenant, out) = (world.fabric.tenant.to_string(), world.path("out"));
	let object = world.fabric.object.to_string();
	let mut wrong = encoded(&bytes, 0, bytes.len() - 1);
	let whole = wrong.len();
	wrong[250_000] ^= 1;
	let (liar, asked) = server(move |number, _, stream| match number {
		0 => send(stream, "200 OK", wrong.len(), &wrong),
		1 => send(stream, "200 OK", wrong.len() + 1, &[&wrong[..], b"x"].concat()),
		2 => send(stream, "200 OK", 10, &wrong[..10]),
		3 => send(stream, "404 Not Found", 0, b""),
		4 => send(stream, "302 Found", 0, b""),
		// Without a length, and without an end.
		_ => {
			let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
			while stream.write_all(&wrong).is_ok() {}
		},
	});
	second_row(&world, &bytes, 500_000, &liar).await;
	// The record of this tenant leads to the second node first.
	let create = ["collection", "create", &tenant, "names", "--key-type", "any", "--yes"];
	fabric_json(world.url(), &create);
	let put = ["record", "put", &tenant, "names", "a", "--object", &object, "--yes"];
	fabric_json(world.url(), &put);
	let other_length =
		|found: usize| {
			let [found, whole] = [found, whole].map(|bytes| count(bytes, "byte", "bytes"));
			format!("it sends {found}, and the bytes 0 to 499999 of 500000 with their hashes have {whole}")
		};
	for (number, reason) in [
		"it sends bytes 245,760 to 262,143 that are not the version's".into(),
		other_length(whole + 1),
		other_length(10),
		"refuses, with status 404".into(),
		"it redirects to another address".into(),
		"it sends bytes 245,760 to 262,143 that are not the version's".into(),
	]
	.into_iter()
	.enumerate()
	{
		let output = fabric_output(world.url(), &["get", &tenant, "names", "a", "-o", &out]);
		let stderr = stderr(&output);
		assert!(output.status.success(), "{stderr}");
		assert!(stderr.contains(&liar) && stderr.contains(&reason), "{stderr}");
		assert!(fs::read(&out).expect("it is there") == bytes);
		fs::remove_file(&out).expect("it is there");
		assert_eq!(asked.load(Ordering::SeqCst), number + 1, "{reason}");
	}

	// With no honest node, nothing is in the place of the file.
	world.locate(world.node, "/ip4/127.0.0.1/tcp/9/http").await;
	let failure = fabric_failure(world.url(), &["get", &tenant, "names", "a", "-o", &out]);
	assert_eq!(
		(failure.class.as_str(), &failure.error),
		("unserved", &format!("no node served {}", version(&bytes)))
	);
	assert!(failure.before.contains("http://127.0.0.1:9 does not answer"), "{failure:?}");
	world.locate(world.node, "/ip4/127.0.0.1/tcp/30333").await;
	let failure = fabric_failure(world.url(), &["get", &tenant, "names", "a", "-o", &out]);
	assert!(failure.before.contains("names no HTTP server"), "{failure:?}");
	assert!(!Path::new(&out).exists());
	let folder = fabric_report(world.url(), &["get", &tenant, "-o", &out], 7);
	assert_eq!(folder["failed"].as_array().map(Vec::len), Some(1), "{folder}");
	// Bytes that the second node has proved stay for the next run.
	assert!(tree(out.as_ref()).keys().all(|path| path.starts_with(".fabric-partial")));
}

#[tokio::test]
async fn a_node_that_drips_is_left_for_the_next_one() {
	let world = World::start().await;
	let (bytes, rest) = (content(6, 50_000), content(12, 50_000));
	world.file("site/a", &bytes);
	world.file("site/b", &rest);
	world.put("site");
	let failing = format!("/v1/versions/{}", version(&rest)).to_lowercase();
	let failed = Arc::new(AtomicUsize::new(0));
	let (counted, sent) = (failed.clone(), encoded(&bytes, 0, 49_999));
	let (honest, _) = server(move |_, head, stream| match head.contains(&failing) {
		true => {
			counted.fetch_add(1, Ordering::SeqCst);
			send(stream, "500 Internal Server Error", 0, b"");
		},
		false => send(stream, "200 OK", sent.len(), &sent),
	});
	world.locate(world.node, &honest).await;
	let (dripper, _) = server(|number, _, stream| {
		let mut stream = stream.try_clone().expect("it is open");
		let head = match number {
			0 => "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 50000\r\n\r\n",
			1 => "HTTP/1.1 200 OK\r\nX-Header: ",
			// The bytes with the hashes that prove them.
			_ => "HTTP/1.1 200 OK\r\nContent-Length: 50192\r\n\r\n",
		};
		thread::spawn(move || {
			let _ = stream.write_all(head.as_bytes());
			while stream.write_all(b"x").is_ok() {
				thread::sleep(Duration::from_secs(1));
			}
		});
	});
	second_row(&world, &bytes, 50_000, &dripper).await;
	let object = world.fabric.object.to_string();
	let tenant = world.fabric.tenant.to_string();
	let create = ["collection", "create", &tenant, "names", "--key-type", "any", "--yes"];
	fabric_json(world.url(), &create);
	let put = ["record", "put", &tenant, "names", "a", "--object", &object, "--yes"];
	fabric_json(world.url(), &put);
	let start = |name: &str, what: &[&str]| {
		let out = world.path(name);
		let mut command = fabric_command(world.url(), &[&["get", "-o", &out][..], what].concat());
		command.stdout(Stdio::piped()).stderr(Stdio::piped());
		(out, Process(command.spawn().expect("the client starts")))
	};
	let names = ["out-0", "out-1", "out-2"];
	let running = names.map(|name| start(name, &[&tenant, "names", "a"]));

	// A node that is only slow is asked again when the others have failed.
	let (sent, left) = (encoded(&rest, 0, 49_999), encoded(&rest, 32_768, 49_999));
	let (slow, asked) = server(move |number, head, stream| {
		if number > 0 {
			assert!(head.contains("/verified?first=32768 "), "{head}");
			return send(stream, "200 OK", left.len(), &left);
		}
		let mut stream = stream.try_clone().expect("it is open");
		let sent = sent.clone();
		thread::spawn(move || {
			send(&mut stream, "200 OK", sent.len(), &sent[..40_000]);
			// The rest does not come.
			let _ = stream.read(&mut [0]);
		});
	});
	let node = world.fabric.add_node("third", &world.fabric.bob).await;
	world.locate(node, &slow).await;
	row(&world, node, (HashKind::Blake3, version(&rest)), 50_000).await;
	let (again, process) = start("again", &[&version(&rest).to_string()]);
	let output = process.output();
	assert!(output.status.success(), "{}", stderr(&output));
	assert!(fs::read(&again).expect("it is there") == rest);
	let counts = (asked.load(Ordering::SeqCst), failed.load(Ordering::SeqCst));
	assert_eq!(counts, (2, 1), "{}", stderr(&output));

	let mut reasons = String::new();
	for (out, process) in running {
		let output = process.output();
		reasons += &stderr(&output);
		assert!(output.status.success(), "{reasons}");
		assert!(fs::read(&out).expect("it is there") == bytes);
	}
	for (reason, times) in [
		("refuses, with status 500: it gives no reason", 1),
		("it sends less than 327,680 bytes in 20 seconds", 2),
	] {
		assert_eq!(reasons.matches(reason).count(), times, "{reason}: {reasons}");
	}
}

#[tokio::test]
async fn wrong_bytes_of_the_right_length_are_refused_whether_or_not_the_size_is_known() {
	let world = World::start().await;
	let contents = [content(7, 5_000), content(8, 5_000)];
	let wrong = content(9, 5_000);
	let (liar, _) = server(move |_, _, stream| send(stream, "200 OK", wrong.len(), &wrong));
	let node = world.fabric.add_node("second", &world.fabric.bob).await;
	world.locate(node, &liar).await;
	let out = world.path("out");
	// Only the empty version has the size 0, so the size of the first is not known.
	let kinds = [(HashKind::Sha256, 0), (HashKind::Blake3, 5_000)];
	for (bytes, (hash, size)) in contents.iter().zip(kinds) {
		let version = VersionHasher::hash(hash, bytes);
		row(&world, node, (hash, version), size).await;
		let id = version.to_string();
		let failure = fabric_failure(world.url(), &["get", &id, "-o", &out]);
		assert_eq!(
			(failure.class.as_str(), &failure.error),
			("unserved", &format!("no node served {id}")),
			"size {size}"
		);
		let reason = match hash {
			HashKind::Sha256 => "bytes with the SHA-256 hash",
			HashKind::Blake3 => "bytes 0 to 4,999 that are not the version's",
		};
		let named = format!("the node {node} at {liar}: it sends {reason}");
		assert!(failure.before.contains(&named), "size {size}: {failure:?}");
		assert!(!Path::new(&out).exists(), "size {size}");
	}
}

#[tokio::test]
async fn a_node_that_sends_other_bytes_again_and_again_is_not_asked_for_more() {
	const FILES: u64 = 40;
	let world = World::start().await;
	for number in 0..FILES {
		world.file(&format!("site/{number}"), &content(number, 100));
	}
	world.put("site");
	let wrong = content(99, 100);
	let (liar, asked) = server(move |_, _, stream| send(stream, "200 OK", wrong.len(), &wrong));
	world.locate(world.node, &liar).await;
	let (tenant, back) = (world.tenant("site").to_string(), world.path("back"));
	let output = fabric_output(world.url(), &["--json", "get", &tenant, "--output", &back]);
	assert_eq!(report(&output, 7)["files"], json!([]));
	let note = format!("the node {} at {liar} is not asked again", world.node);
	assert!(stderr(&output).contains(&note), "{}", stderr(&output));
	// Eight, and those that are on their way at the same time.
	assert!(asked.load(Ordering::SeqCst) < 20, "{asked:?}");
}

#[tokio::test]
async fn a_wrong_size_of_another_tenant_keeps_nobody_from_getting_a_version() {
	let world = World::start().await;
	let bytes = content(5, 5_000);
	world.file("site/a", &bytes);
	world.put("site");
	second_row(&world, &bytes, u64::MAX, "http://127.0.0.1:9").await;
	let out = world.path("out");
	fabric_json(world.url(), &["get", &version(&bytes).to_string(), "-o", &out]);
	assert!(fs::read(&out).expect("it is there") == bytes);
}

/// Returns a draft whose payload fits what it says.
fn consistent(mut draft: Draft) -> Draft {
	let versions: Vec<DraftVersion> = draft.versions.iter().copied().map(Into::into).collect();
	let copies: Vec<_> = draft.copies.iter().map(|asked| (asked.provider, asked.node)).collect();
	let commit = VersionCommit {
		muid: draft.muid,
		originator: draft.provider,
		node: draft.node,
		copies: copies.try_into().expect("the copies fit into a commit"),
		tenant: draft.tenant,
		kms: draft.kms,
		create_objects: draft.create_objects,
		versions: versions.try_into().expect("the versions fit into a commit"),
	};
	draft.payload = commit.payload(draft.genesis_hash);
	draft
}

/// A change of one field of a draft, with its name.
type Lie = (&'static str, fn(&mut Draft));

/// The drafts that a node may give in the place of an honest one.
const LIES: [Lie; 17] = [
	("copies", |draft| draft.copies.push((draft.provider, draft.node).into())),
	("hash", |draft| draft.versions[0].hash = HashKind::Sha256),
	("tenant", |draft| draft.tenant.0[0] ^= 1),
	("KMS", |draft| draft.kms = Some(KmsId([1; 10]))),
	("provider", |draft| draft.provider.0[0] ^= 1),
	("node", |draft| draft.node.0[0] ^= 1),
	("chain", |draft| draft.genesis_hash[0] ^= 1),
	("objects that are created", |draft| draft.create_objects = false),
	("object", |draft| draft.versions[0].object.0[0] ^= 1),
	("version", |draft| draft.versions[0].version.0[0] ^= 1),
	("size", |draft| draft.versions[0].size += 1),
	("head", |draft| draft.versions[0].head ^= true),
	("fewer versions", |draft| draft.versions.truncate(1)),
	("more versions", |draft| draft.versions.push(draft.versions[0])),
	("order of versions", |draft| draft.versions.reverse()),
	("date", |draft| draft.muid = dated(3_600, draft.muid.medallion())),
	("medallion", |draft| draft.muid = dated(0, draft.muid.medallion() + 1)),
];

/// Returns a muid of so many seconds from now.
fn dated(seconds: u64, medallion: u64) -> Muid {
	let time = wall_clock() + seconds * 1_000_000;
	let medallion = Medallion::try_from(medallion).expect("nodes have such medallions");
	Muid::new(time, medallion, 0).expect("it is in range")
}

#[tokio::test]
async fn no_draft_is_signed_that_differs_in_any_field_from_what_was_asked_for() {
	let world = World::start().await;
	world.file("site/a", b"a");
	world.file("site/b", b"bb");
	let (provider, node) = (world.fabric.provider, world.node);
	let genesis = world.fabric.client.chain.identity().genesis_hash;
	let row = world.fabric.client.best().await.node(provider, node).await;
	let medallion = row.expect("the node is on the chain").medallion;
	let lie: Arc<Mutex<Option<Lie>>> = Arc::default();
	let (told, commits) = (lie.clone(), Arc::new(AtomicUsize::new(0)));
	let committed = commits.clone();
	let (liar, _) = server(move |_, head, stream| {
		let length = head.split("content-length: ").nth(1).and_then(|text| text.lines().next());
		let mut body = vec![0; length.and_then(|text| text.parse().ok()).unwrap_or(0)];
		stream.read_exact(&mut body).expect("the client sends its request");
		let answer = match head.split(' ').nth(1) {
			Some("/v1/drafts") => {
				let asked: DraftRequest = serde_json::from_slice(&body).expect("it is a request");
				let DraftRequest { tenant, kms, create_objects, copies, versions } = asked;
				let (genesis_hash, muid, payload) =
					(genesis, dated(0, medallion.into()), Vec::new());
				let mut draft = Draft {
					genesis_hash,
					muid,
					provider,
					node,
					copies,
					tenant,
					kms,
					create_objects,
					versions,
					payload,
				};
				if let Some((_, change)) = *told.lock().expect("nobody panics with it") {
					change(&mut draft);
				}
				json!(consistent(draft))
			},
			Some("/v1/status") => json!({ "provider": provider, "node": node }),
			_ => {
				// The first drafts lapse.
				return match committed.fetch_add(1, Ordering::SeqCst) {
					0..2 => send(stream, "409 Conflict", 0, b""),
					_ => send(stream, "403 Forbidden", 0, b""),
				};
			},
		};
		let answer = answer.to_string();
		send(stream, "200 OK", answer.len(), answer.as_bytes());
	});
	let site = world.path("site");
	let put = ["put", &site, "--node", &liar, "--max-ahead", "60", "--timeout", "20"];
	for change in LIES {
		*lie.lock().expect("nobody panics with it") = Some(change);
		let output = fabric_output(world.url(), &put);
		assert!(!output.status.success(), "{}: {}", change.0, stderr(&output));
		assert_eq!(
			commits.load(Ordering::SeqCst),
			0,
			"a draft with another {} is signed",
			change.0
		);
	}
	// The honest draft is signed, so it is the changes that keep the others from being signed.
	*lie.lock().expect("nobody panics with it") = None;
	let put = ["put", &site, "--node", &liar, "--max-ahead", "60"];
	let report = fabric_report(world.url(), &put, 6);
	assert!(!report.to_string().contains("409"), "a draft that has lapsed is a failure: {report}");
	// Two lapsed drafts, the draft of both versions, and one of each.
	assert_eq!(commits.load(Ordering::SeqCst), 5, "the honest draft is not signed again");
}

#[tokio::test]
async fn a_cut_download_goes_on_where_it_was_cut_and_a_spoiled_part_begins_anew() {
	/// The whole groups in 700,000 bytes of the encoding.
	const VERIFIED: u64 = 42 * 16_384;
	let world = World::start().await;
	let bytes = content(4, 2_000_000);
	world.file("site/a", &bytes);
	world.put("site");
	let tenant = world.tenant("site").to_string();
	let served = bytes.clone();
	let (cutter, asked) = server(move |number, head, stream| {
		let from = head.split("verified?first=").nth(1).and_then(|text| text.split(' ').next());
		let from = from.and_then(|text| text.parse().ok()).unwrap_or(0);
		let rest = encoded(&served, from, served.len() - 1);
		// Some of the answers end early.
		let end = if number < 3 { rest.len().min(600_000) } else { rest.len() };
		send(stream, "200 OK", rest.len(), &rest[..end]);
	});
	world.locate(world.node, &cutter).await;
	let (folder, out) = (world.path("down"), world.path("down/a"));
	fs::create_dir(&folder).expect("there is room");
	fabric_json(world.url(), &["get", &tenant, "names", "a", "-o", &out]);
	assert!(fs::read(&out).expect("it is there") == bytes);
	assert_eq!(asked.load(Ordering::SeqCst), 4);

	// Killed in the middle: the part stays, and the next run goes on with it.
	fs::remove_file(&out).expect("it is there");
	let served = encoded(&bytes, 0, bytes.len() - 1);
	let (slow, _) = server(move |_, _, stream| {
		send(stream, "200 OK", served.len(), &served[..700_000]);
		thread::sleep(PATIENCE);
	});
	world.locate(world.node, &slow).await;
	let get = ["get", &tenant, "names", "a", "-o", &out];
	let mut running = fabric_command(world.url(), &get).spawn().expect("the client starts");
	let partial = Path::new(&folder).join(".fabric-partial");
	wait::until(PATIENCE, "nothing arrives", async || {
		let mut files = fs::read_dir(&partial).into_iter().flatten().flatten();
		files.any(|entry| entry.metadata().is_ok_and(|data| data.len() == VERIFIED))
	})
	.await;
	running.kill().expect("it runs");
	running.wait().expect("it ends");
	assert!(!Path::new(&out).exists());
	world.locate(world.node, &format!("http://{}", world.store().address)).await;
	let part = fs::read_dir(&partial).expect("it exists").flatten().next().expect("a part is left");
	let figures = || {
		let text = world.store().ask("GET", "/metrics", &[], &[]).body;
		let text = String::from_utf8_lossy(&text).into_owned();
		let line = text.lines().find(|line| line.starts_with("fabric_store_sent_bytes_total"));
		line.and_then(|line| line.rsplit(' ').next()?.parse::<u64>().ok()).expect("it is counted")
	};
	let before = figures();
	fabric_json(world.url(), &get);
	assert!(fs::read(&out).expect("it is there") == bytes);
	let rest = encoded(&bytes, VERIFIED as usize, bytes.len() - 1).len() as u64;
	assert_eq!(figures() - before, rest, "only the rest is sent");

	// An earlier run has left other bytes than it should.
	for length in [1_000_000, 3_000_000] {
		fs::remove_file(&out).expect("it is there");
		fs::create_dir(&partial).expect("it was removed");
		fs::write(part.path(), vec![0; length]).expect("there is room");
		fabric_json(world.url(), &get);
		assert!(fs::read(&out).expect("it is there") == bytes);
	}
	assert!(!partial.exists(), "no part is left");
}

#[tokio::test]
async fn a_put_that_is_killed_or_interrupted_is_finished_by_the_next_one() {
	let mut world = World::start().await;
	let files: Vec<_> = (0..40).map(|seed| content(seed, 200_000)).collect();
	for (number, bytes) in files.iter().enumerate() {
		world.file(&format!("site/{}/{number}", number % 3), bytes);
	}
	let (site, tenant) = (world.path("site"), world.tenant("site").to_string());
	for (kill_store, after) in [(false, 1), (true, 10), (false, 20)] {
		let node = format!("http://{}", world.store().address);
		let put = ["put", &site, "--node", &node, "--timeout", "5"];
		let mut running = fabric_command(world.url(), &put).spawn().expect("the client starts");
		let start = Instant::now();
		while world.store().ask("GET", "/v1/status", &[], &[]).json()["versions"].as_u64()
			< Some(after)
			&& running.try_wait().expect("it is ours").is_none()
		{
			assert!(start.elapsed() < PATIENCE, "nothing is uploaded");
		}
		// One that has ended was quicker.
		if running.try_wait().expect("it is ours").is_none() {
			match after {
				20 => signal(&running, "-INT"),
				_ => running.kill().expect("it is ours"),
			}
		}
		running.wait().expect("it ends");
		if kill_store {
			drop(world.store.take());
			let data = world.dir.path().join("data");
			let ids = (world.fabric.provider, world.node);
			world.store = Some(Store::start(world.url(), ids, &data));
			world.locate(world.node, &format!("http://{}", world.store().address)).await;
		}
	}
	world.put("site");
	let back = world.path("back");
	fabric_json(world.url(), &["get", &tenant, "-o", &back]);
	assert!(tree(site.as_ref()) == tree(back.as_ref()));
	assert_eq!(world.put("site")["items"], 1);
}

#[tokio::test]
async fn files_are_verified_by_their_bytes_whatever_their_names() {
	let world = World::start().await;
	world.file("site/a", b"sound");
	world.file("other", b"spoiled");
	world.put("site");
	let (sound, spoiled) = (world.path("site/a"), world.path("other"));
	let id = version(b"sound").to_string();
	let found = fabric_json(world.url(), &["verify", &sound, "--version", &id]);
	let found = &found[0];
	let object = ids::content_object(world.tenant("site"), "a");
	assert_eq!((&found["verified"], &found["size"]), (&json!(true), &json!("5")));
	assert_eq!(found["found"][0]["nodes"], json!([world.node]));
	assert!(found["found"][0]["finalized"].is_u64());
	let shown = fabric_text(world.url(), &["verify", &sound]);
	assert!(shown.contains(&format!("{id}, 5 bytes, CID bafkr4i")), "{shown}");
	let path =
		content_fabric_identifiers::ContentObjectPath { tenant: world.tenant("site"), object };
	assert!(shown.contains(&format!("  version of {path}, final since 20")), "{shown}");

	let report = fabric_report(world.url(), &["verify", &sound, &spoiled], 8);
	let verified = |at: usize| report[at]["verified"].as_bool();
	assert_eq!((verified(0), verified(1)), (Some(true), Some(false)));
	let report = fabric_report(world.url(), &["verify", &spoiled, "--version", &id], 8);
	assert_eq!(report[0]["expected"], json!(id));
	let other = version(b"spoiled").to_string();
	let report = fabric_report(world.url(), &["verify", &spoiled, "--version", &other], 8);
	assert_eq!(report[0]["found"], json!([]));
	for (arguments, reason) in [
		(vec!["verify", "/nothing"], "/nothing cannot be read"),
		(vec!["verify", &sound, &spoiled, "--version", &id], "--version is for one file"),
		(vec!["verify", &sound, "--version", "hq__"], "is not an id"),
		(vec!["verify"], "required arguments were not provided"),
	] {
		fabric_fails(world.url(), &arguments, "usage", reason);
	}
}

#[tokio::test]
async fn a_put_says_that_its_content_node_is_away_and_counts_what_it_has_not_sent() {
	let world = World::start().await;
	world.file("site/a", b"a");
	let status = json!({ "provider": world.fabric.provider, "node": world.node }).to_string();
	let (url, _) = server(move |_, head, stream| {
		if head.starts_with("get /v1/status ") {
			send(stream, "200 OK", status.len(), status.as_bytes());
		}
	});
	let put = ["--json", "put", &world.path("site"), "--node", &url, "--timeout", "4"];
	let output = fabric_output(world.url(), &put);
	let (report, errors) = (report(&output, 5), stderr(&output));
	let line = format!("the content node at {url} does not answer: ");
	let mut lines = errors.lines().filter(|found| found.starts_with(&line));
	assert!(lines.any(|line| line.ends_with("; connecting again for up to 4 s")), "{errors}");
	// The version, two records, and the record of the run.
	assert_eq!((&report["sources"][0]["not_sent"], &report["items"]), (&4.into(), &0.into()));
}

#[tokio::test]
async fn a_put_says_that_its_content_node_is_at_work_on_a_commit() {
	let world = World::start().await;
	world.file("site/a", b"a");
	let status = json!({ "provider": world.fabric.provider, "node": world.node }).to_string();
	let (url, _) = server(move |_, head, stream| match head.starts_with("get /v1/status ") {
		true => send(stream, "200 OK", status.len(), status.as_bytes()),
		// The first answer takes long, while the node answers others.
		false => {
			let stream = stream.try_clone().expect("it is open");
			thread::spawn(move || {
				thread::sleep(Duration::from_secs(8));
				drop(stream);
			});
		},
	});
	let put = ["--json", "put", &world.path("site"), "--node", &url, "--timeout", "4"];
	let output = fabric_output(world.url(), &put);
	let (_, errors) = (report(&output, 5), stderr(&output));
	let at_work = "the content node is at work on a commit of 1 version; waiting for its block";
	let at = errors.find(at_work).unwrap_or_else(|| panic!("{errors}"));
	assert!(errors.find("does not answer").is_none_or(|away| at < away), "{errors}");
}

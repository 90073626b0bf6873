// SPDX-License-Identifier: Apache-2.0
//! Answers over real connections, by a node that has no chain.

use std::{
	collections::BTreeSet,
	fs::File,
	io::{self, Read, Write},
	net::{SocketAddr, TcpStream},
	path::{Path, PathBuf},
	sync::{Mutex, OnceLock},
};

use content_fabric_client::{
	chain::VersionCommit,
	keys::{ChainKind, KeySource},
};
use content_fabric_identifiers::{
	ContentObjectId, NodeId, ProviderId, TenantId, VersionHasher, VersionId,
};
use content_fabric_primitives::DraftVersion;
use tempfile::TempDir;
use tokio::{net::TcpListener, sync::oneshot};

use super::*;
use crate::{
	chain::{Fabric, Room},
	disk::Disk,
	keep::{upload::Uploads, Keep, Row, VersionKey},
	store::Store,
	verify::Verifier,
};

const DOCS: &str = include_str!("../../../docs/content-nodes.md");
/// The header of a draft or a commit.
const TYPE: &str = "Content-Type: application/json\r\n";
const HELD: &[u8] = b"bytes that are here";
const PROMISED: &[u8] = b"bytes that have yet to arrive";

/// A disk that records what is synchronized, and what was so then.
#[derive(Debug, Default)]
struct Recording {
	calls: Mutex<Vec<Call>>,
	/// The record, and the file of a version that arrives.
	watched: OnceLock<(Arc<Keep>, VersionId, PathBuf)>,
}

/// A synchronization.
#[derive(Debug, PartialEq, Eq)]
struct Call {
	path: PathBuf,
	/// True if the version was recorded as held before.
	is_held: bool,
	/// True if its file was in place before.
	is_in_place: bool,
}

impl Disk for Recording {
	fn synchronize(&self, file: &File, path: &Path) -> io::Result<()> {
		if let Some((keep, version, place)) = self.watched.get() {
			let is_held = keep.held(*version).is_ok_and(|held| held.is_some());
			let (path, is_in_place) = (path.to_owned(), place.exists());
			self.calls.lock().expect("no test has failed").push(Call {
				path,
				is_held,
				is_in_place,
			});
		}
		file.sync_all()
	}
}

/// A node in a folder of its own, which serves until it is dropped.
struct Node {
	address: SocketAddr,
	keep: Arc<Keep>,
	verifier: Arc<Verifier>,
	disk: Arc<Recording>,
	folder: TempDir,
	_stop: oneshot::Sender<()>,
}

impl Node {
	async fn start() -> Self {
		let folder = tempfile::tempdir().expect("there is room for a folder");
		let disk = Arc::new(Recording::default());
		let uploads = Uploads::open_on(folder.path().join("uploads"), disk.clone());
		let uploads = uploads.expect("it can be made");
		let store = Store::folder_on(&folder.path().join("objects"), disk.clone());
		let store = store.expect("it can be made");
		let keep = Arc::new(Keep::open(folder.path()).expect("the file can be made"));
		for bytes in [HELD, PROMISED] {
			let (object, version) = (ContentObjectId([2; 10]), VersionHasher::hash(bytes));
			let key = VersionKey { tenant: TenantId([1; 10]), object, version };
			let size = bytes.len() as u64;
			let row = Row { muid: [0; 16], size, is_final: false, pending: None };
			keep.put(&[(key, Some(row))], 0).expect("it is recorded");
		}
		let version = VersionHasher::hash(HELD);
		let mut part = uploads.part(version).expect("it can be opened").expect("it is free");
		part.write(HELD).expect("there is room");
		store.adopt(&part.path(), version).await.expect("it is taken in");
		drop(part);
		keep.hold(version, HELD.len() as u64, 0).expect("it is recorded");

		let verifier = Arc::new(Verifier::new(keep.clone(), store.clone(), uploads.clone()));
		let room = Room { capacity: u64::MAX, disk: uploads.clone(), keeps_all: true };
		let url = "ws://127.0.0.1:9".parse().expect("it is a URL");
		let Ok(key) = "//Dave".parse::<KeySource>();
		let ids = (ProviderId([1; 10]), NodeId([2; 10]));
		let fabric = Fabric::new(url, ids, key, keep.clone(), room, verifier.clone());
		let fabric = Arc::new(fabric.expect("it is a development key"));
		let app = App::new(keep.clone(), store, uploads, fabric, verifier.clone());
		let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
		let address = listener.local_addr().expect("it is bound");
		let (stop, stopped) = oneshot::channel::<()>();
		tokio::spawn(serve(listener, app, async { drop(stopped.await) }));
		Self { address, keep, verifier, disk, folder, _stop: stop }
	}

	/// Sends a request with these headers. Returns the status and the head of the answer.
	async fn ask(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> (u16, String) {
		let (address, length) = (self.address, body.len());
		let head = format!(
			"{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nOrigin: http://page\r\n\
			 Content-Length: {length}\r\n{headers}\r\n"
		);
		let request = [head.as_bytes(), body].concat();
		let exchange = move || {
			let mut stream = TcpStream::connect(address).expect("it listens");
			stream.write_all(&request).expect("the request is taken");
			let mut answer = Vec::new();
			stream.read_to_end(&mut answer).expect("the answer is whole");
			String::from_utf8_lossy(&answer).to_lowercase()
		};
		let answer = tokio::task::spawn_blocking(exchange).await.expect("it ends");
		let head = answer.split("\r\n\r\n").next().unwrap_or_default().to_owned();
		let status = head.split(' ').nth(1).and_then(|text| text.parse().ok());
		(status.expect("the answer has a status"), head)
	}
}

fn path(version: VersionId) -> String {
	format!("/v1/versions/{version}")
}

/// Returns the names of a list of headers, in lower case.
fn names(list: &str) -> BTreeSet<String> {
	list.split(',').map(|name| name.trim().to_lowercase()).collect()
}

/// Returns the list of a header of an answer.
fn list(head: &str, name: &str) -> BTreeSet<String> {
	let line = head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
	names(line.unwrap_or_else(|| panic!("{name} is missing: {head}")))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_exposes_the_headers_it_has_to_pages_of_other_origins() {
	let node = Node::start().await;
	let (held, promised) = (path(VersionHasher::hash(HELD)), path(VersionHasher::hash(PROMISED)));
	let unknown = path(VersionId([9; 32]));
	let mut seen = BTreeSet::new();
	for (method, path, headers, body, expected) in [
		("GET", &*held, "", &b""[..], 200),
		("GET", &held, "Range: bytes=0-4\r\n", b"", 206),
		("GET", &held, "Range: bytes=999-\r\n", b"", 416),
		("HEAD", &held, "", b"", 200),
		("HEAD", &promised, "", b"", 204),
		// Without a chain, nobody can say that the version is not one of the node.
		("GET", &unknown, "", b"", 503),
		("HEAD", &unknown, "", b"", 503),
		("GET", "/v1/versions/x", "", b"", 400),
		("GET", "/nowhere", "", b"", 404),
		("DELETE", &held, "", b"", 405),
		("PUT", &unknown, "", b"x", 503),
		("PUT", &promised, "", b"x", 422),
		("PUT", &promised, "Content-Range: bytes 1-4/29\r\n", b"ytes", 409),
		("PUT", &promised, "", PROMISED, 201),
		("PUT", &held, "", HELD, 200),
		("POST", "/v1/drafts", TYPE, b"?", 400),
		("POST", "/v1/commits", TYPE, b"?", 400),
		("POST", "/v1/drafts", TYPE, &vec![b' '; JSON + 1], 413),
		("POST", "/v1/drafts", "", b"?", 415),
		("GET", "/v1/status", "", b"", 200),
		("GET", "/metrics", "", b"", 200),
	] {
		let (status, head) = node.ask(method, path, headers, body).await;
		assert_eq!(status, expected, "{method} {path}: {head}");
		assert!(head.contains("access-control-allow-origin: *"), "{method} {path}: {head}");
		assert_eq!(list(&head, "access-control-expose-headers"), names(EXPOSED));
		let found = head.lines().skip(1).filter_map(|line| Some(line.split_once(':')?.0));
		seen.extend(found.map(str::to_owned));
	}
	// The other headers say nothing that a page could use, or can be read by all.
	let plain = names(
		"access-control-allow-origin, access-control-expose-headers, cache-control, connection, \
		 content-security-policy, content-type, date, x-content-type-options",
	);
	assert_eq!(&seen - &plain, names(EXPOSED));
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_other_origins_may_do_what_the_docs_say() {
	let node = Node::start().await;
	for path in ["/v1/versions/x", "/v1/drafts", "/v1/commits", "/v1/status"] {
		let asks = "Access-Control-Request-Method: PUT\r\n";
		let (status, head) = node.ask("OPTIONS", path, asks, b"").await;
		assert_eq!(status, 204, "{head}");
		assert_eq!(list(&head, "access-control-allow-methods"), names(METHODS));
		assert_eq!(list(&head, "access-control-allow-headers"), names(ALLOWED));
	}
}

#[tokio::test(flavor = "multi_thread")]
async fn only_json_is_taken_which_pages_of_other_origins_cannot_send_unasked() {
	let node = Node::start().await;
	for path in ["/v1/drafts", "/v1/commits"] {
		for (kind, expected) in [
			(None, 415),
			(Some(""), 415),
			(Some("text/plain"), 415),
			(Some("text/plain; application/json"), 415),
			(Some("application/x-www-form-urlencoded"), 415),
			(Some("application/jsonp"), 415),
			(Some("application/json"), 400),
			(Some("Application/JSON"), 400),
			(Some("application/json; charset=utf-8"), 400),
			(Some("application/json ;charset=\"utf-8\""), 400),
		] {
			let header = kind.map(|kind| format!("Content-Type: {kind}\r\n"));
			let (status, head) = node.ask("POST", path, &header.unwrap_or_default(), b"{}").await;
			assert_eq!(status, expected, "{path} {kind:?}: {head}");
		}
	}
}

/// Returns the examples of JSON in the docs of the interface.
fn examples() -> Vec<String> {
	let uploading = DOCS.split("### Uploading").nth(1).expect("the docs have the section");
	let blocks = uploading.split("```json\n").skip(1);
	let text = blocks.map(|block| block.split("```").next().unwrap_or_default());
	text.map(str::to_owned).collect()
}

#[test]
fn the_docs_have_a_draft_and_a_signed_one_as_the_node_reads_and_writes_them() {
	let json = |text: &str| serde_json::from_str::<Value>(text).expect("the example is JSON");
	let [request, draft, signed, answer] = &examples()[..] else { panic!("there are four") };
	let request: DraftRequest = serde_json::from_value(json(request)).expect("it is a request");
	let mut draft = json(draft);
	// Long hex is cut.
	let start = draft["payload"].as_str().and_then(|text| text.strip_suffix('…'));
	let start = start.expect("the payload is cut").to_owned();
	draft["payload"] = json!("0x");
	let drafted: Draft = serde_json::from_value(draft).expect("it is a draft");
	let DraftRequest { tenant, kms, create_objects, versions } = request;
	let commit = VersionCommit {
		muid: drafted.muid,
		originator: drafted.provider,
		node: drafted.node,
		tenant,
		kms,
		create_objects,
		versions: versions
			.into_iter()
			.map(DraftVersion::from)
			.collect::<Vec<_>>()
			.try_into()
			.expect("there is one"),
	};
	let whole = Draft::new(drafted.genesis_hash, &commit);
	assert_eq!(Draft { payload: whole.payload.clone(), ..drafted }, whole);
	assert!(format!("0x{}", hex::encode(&whole.payload)).starts_with(&start), "{start}");
	let mut signed = json(&signed.replace("{…}", &json!(whole).to_string()));
	let Ok(key) = "//Charlie".parse::<KeySource>();
	let signer = key.load(ChainKind::Development).expect("it is a development key");
	let signature = signed["signature"].as_str().unwrap_or_default();
	assert!(signature.starts_with("0x01") && signature.ends_with('…'), "{signature}");
	signed["signature"] = json!(format!("0x01{}", hex::encode(signer.sign(&whole.payload))));
	let signed: SignedDraft = serde_json::from_value(signed).expect("it is a signed draft");
	assert!(signed.signature().is_ok());
	let answer = json(answer);
	let fields = answer.as_object().map(|fields| fields.keys().collect::<Vec<_>>());
	assert_eq!(fields, Some(vec![&"block".into(), &"versions".into()]));
	assert_eq!(answer["versions"], json!([whole.versions[0].version]));
}

#[test]
fn the_docs_have_the_headers_that_are_exposed_and_accepted() {
	let docs = DOCS.split_whitespace().collect::<Vec<_>>().join(" ");
	let documented = |start: &str| -> BTreeSet<String> {
		let text = docs.split(start).nth(1).unwrap_or_else(|| panic!("the docs lack `{start}`"));
		let sentence = text.split(". ").next().unwrap_or_default();
		sentence.split('`').skip(1).step_by(2).map(str::to_lowercase).collect()
	};
	assert_eq!(documented("can read the headers "), names(EXPOSED));
	assert_eq!(documented("Their requests can have the headers "), names(ALLOWED));
	assert_eq!(documented("Their methods are "), names(METHODS));
	// Every header that the docs name elsewhere is one of them.
	let http = DOCS.split("## HTTP").nth(1).expect("the docs have the interface");
	let quoted = http.split('`').skip(1).step_by(2);
	let is_header = |text: &&str| {
		let parts: Vec<_> = text.split('-').collect();
		let is_part = |part: &&str| {
			part.starts_with(|first: char| first.is_ascii_uppercase())
				&& part[1..].bytes().all(|byte| byte.is_ascii_lowercase())
		};
		*text == "ETag" || (parts.len() > 1 && parts.iter().all(is_part))
	};
	let named: BTreeSet<_> = quoted.filter(is_header).map(str::to_lowercase).collect();
	assert!(named.len() > 5, "{named:?}");
	let origin = names("access-control-allow-origin");
	let known = &(&names(EXPOSED) | &names(ALLOWED)) | &origin;
	assert_eq!(&named - &known, BTreeSet::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_version_is_held_only_after_its_file_and_the_folders_that_lead_to_it_are_durable() {
	let node = Node::start().await;
	let (version, root) = (VersionHasher::hash(PROMISED), node.folder.path());
	let root = root.canonicalize().expect("it is there");
	let (objects, name) = (root.join("objects"), hex::encode(version.0));
	let (outer, inner) = (objects.join(&name[..2]), objects.join(&name[..2]).join(&name[2..4]));
	let watched = (node.keep.clone(), version, inner.join(&name));
	node.disk.watched.set(watched).expect("it is set once");
	let (status, head) = node.ask("PUT", &path(version), "", PROMISED).await;
	assert_eq!(status, 201, "{head}");
	let call = |path: &Path, is_in_place| Call { path: path.into(), is_held: false, is_in_place };
	let staged = node.folder.path().join("uploads").join(&name);
	let expected = [
		// The file before it is moved, and the folders after that.
		call(&staged, false),
		call(&inner, true),
		call(&outer, true),
		call(&objects, true),
	];
	assert_eq!(*node.disk.calls.lock().expect("no test has failed"), expected);
	assert!(node.keep.held(version).is_ok_and(|held| held.is_some()));
}

#[tokio::test(flavor = "multi_thread")]
async fn sums_of_bytes_are_text() {
	let node = Node::start().await;
	let answer = tokio::task::spawn_blocking({
		let address = node.address;
		move || {
			let mut stream = TcpStream::connect(address).expect("it listens");
			let request = b"GET /v1/status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
			stream.write_all(request).expect("the request is taken");
			let mut answer = String::new();
			stream.read_to_string(&mut answer).expect("the answer is text");
			answer
		}
	});
	let answer = answer.await.expect("it ends");
	let status: Value = serde_json::from_str(answer.split("\r\n\r\n").nth(1).unwrap_or_default())
		.expect("the body is JSON");
	assert_eq!((&status["held_bytes"], &status["versions"]), (&json!("19"), &json!(1)));
	assert_eq!((&status["promised_bytes"], &status["balance"]), (&json!("29"), &Value::Null));
}

#[tokio::test(flavor = "multi_thread")]
async fn heads_and_puts_of_versions_that_are_not_final_claim_only_bytes_that_were_hashed() {
	let node = Node::start().await;
	let version = VersionHasher::hash(HELD);
	let (url, name) = (path(version), hex::encode(version.0));
	let place = node.folder.path().join("objects").join(&name[..2]).join(&name[2..4]).join(&name);
	// While other versions are hashed, the answer is not known.
	let turns: Vec<_> = std::iter::from_fn(|| node.verifier.try_turn()).collect();
	let (status, head) = node.ask("HEAD", &url, "", b"").await;
	assert!(status == 503 && head.contains("retry-after: "), "{head}");
	assert_eq!(node.ask("PUT", &url, "", HELD).await.0, 503);
	assert_eq!(node.ask("GET", &url, "", b"").await.0, 200);
	drop(turns);
	assert_eq!(node.ask("HEAD", &url, "", b"").await.0, 200);
	// The file changes, and keeps its length.
	std::fs::write(&place, [0; HELD.len()]).expect("there is room");
	let (status, head) = node.ask("HEAD", &url, "", b"").await;
	assert!(status == 204 && head.contains("upload-offset: 0"), "{head}");
	assert_eq!(node.keep.totals().damaged, 1);
	assert_eq!(node.ask("PUT", &url, "", HELD).await.0, 201);
	assert_eq!(node.ask("HEAD", &url, "", b"").await.0, 200);
	// A final version is not hashed for that.
	let key = VersionKey { tenant: TenantId([1; 10]), object: ContentObjectId([2; 10]), version };
	let size = HELD.len() as u64;
	let row = Row { muid: [0; 16], size, is_final: true, pending: None };
	node.keep.put(&[(key, Some(row))], 0).expect("it is recorded");
	std::fs::write(&place, [0; HELD.len()]).expect("there is room");
	assert_eq!(node.ask("HEAD", &url, "", b"").await.0, 200);
	// Nobody needs it, so nobody makes the node hash it.
	node.keep.put(&[(key, None)], 0).expect("it is recorded");
	assert_eq!(node.ask("PUT", &url, "", HELD).await.0, 503, "the chain may have a commit of it");
	assert_eq!(node.keep.totals().damaged, 0);
}

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
	keys::{ChainKind, KeySource, Signer},
	requests::sign,
};
use content_fabric_identifiers::{
	ContentObjectId, HashKind, KmsId, NodeId, ProviderId, TenantId, VersionHasher, VersionId,
};
use content_fabric_primitives::{DraftVersion, Receiver, Request, Until};
use tempfile::TempDir;
use tokio::{net::TcpListener, sync::oneshot};

mod outboards;
mod verified;

use super::*;
use crate::{
	chain::{Fabric, Room},
	disk::Disk,
	keep::{upload::Uploads, Identity, Keep, Row, VersionKey},
	now_seconds,
	store::Store,
	verify::Verifier,
};

const DOCS: &str = include_str!("../../../docs/content-nodes.md");
const GENESIS: [u8; 32] = [5; 32];
const TENANT: TenantId = TenantId([1; 10]);
const NODE: NodeId = NodeId([2; 10]);
/// The header of a draft or a commit.
const TYPE: &str = "Content-Type: application/json\r\n";
const HELD: &[u8] = b"bytes that are here";
const EMPTY: &[u8] = b"";
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

/// Returns a development key.
fn key_of(name: &str) -> Signer {
	let Ok(key) = name.parse::<KeySource>();
	key.load(ChainKind::Development).expect("it is a development key")
}

/// Returns the header of a request that Charlie signs, who may put content into the tenant. It ends
/// this many seconds from now.
fn signed_until(to: NodeId, tenant: TenantId, seconds: i64) -> String {
	let until = Until::new(now_seconds().saturating_add_signed(seconds));
	let header = sign(&key_of("//Charlie"), &GENESIS, Receiver::Node(to), tenant, until);
	format!("Authorization: {header}\r\n")
}

fn signed_request() -> String {
	signed_until(NODE, TENANT, 600)
}

/// A node in a folder of its own, which serves until it is dropped.
pub struct Node {
	address: SocketAddr,
	app: Arc<App>,
	keep: Arc<Keep>,
	fabric: Arc<Fabric>,
	verifier: Arc<Verifier>,
	disk: Arc<Recording>,
	folder: TempDir,
	_stop: oneshot::Sender<()>,
}

/// Returns the id of the version that nodes in these tests have of bytes.
fn id_of(bytes: &[u8]) -> VersionId {
	VersionHasher::hash(HashKind::Blake3, bytes)
}

/// Records that the chain has bytes for the node. Returns their version.
fn promise(keep: &Keep, hash: HashKind, bytes: &[u8]) -> VersionId {
	let (object, version) = (ContentObjectId([2; 10]), VersionHasher::hash(hash, bytes));
	let key = VersionKey { tenant: TENANT, object, version };
	let size = bytes.len() as u64;
	let row = Row { muid: [0; 16], hash, size, is_final: false, pending: None };
	keep.put(&[(key, Some(row))], 0).expect("it is recorded");
	version
}

impl Node {
	async fn start() -> Self {
		Self::start_on(None).await
	}

	/// Starts with an object store, or else a folder.
	async fn start_on(store: Option<Store>) -> Self {
		let folder = tempfile::tempdir().expect("there is room for a folder");
		let disk = Arc::new(Recording::default());
		let uploads = Uploads::open_on(folder.path().join("uploads"), disk.clone());
		let uploads = uploads.expect("it can be made");
		let in_folder = || Store::folder_on(&folder.path().join("objects"), disk.clone());
		let store = store.map_or_else(in_folder, Ok).expect("it can be made");
		let keep = Arc::new(Keep::open(folder.path()).expect("the file can be made"));
		let ids = (ProviderId([1; 10]), NODE);
		let identity = Identity { genesis: GENESIS, node: (ids.0 .0, ids.1 .0), medallion: 1 };
		keep.claim(&identity, false).expect("it is new");
		for bytes in [HELD, EMPTY, PROMISED] {
			promise(&keep, HashKind::Blake3, bytes);
		}
		for bytes in [HELD, EMPTY] {
			let version = id_of(bytes);
			let mut part = uploads
				.part(version, &[HashKind::Blake3])
				.expect("it can be opened")
				.expect("it is free");
			part.write(bytes).expect("there is room");
			store.adopt(&part.path(), version).await.expect("it is taken in");
			drop(part);
			keep.hold(version, HashKind::Blake3, bytes.len() as u64, 0).expect("it is recorded");
		}

		let verifier = Arc::new(Verifier::new(keep.clone(), store.clone(), uploads.clone()));
		let room = Room {
			capacity: u64::MAX,
			disk: uploads.clone(),
			keeps_all: true,
			reserved: Default::default(),
		};
		let url = "ws://127.0.0.1:9".parse().expect("it is a URL");
		let Ok(key) = "//Dave".parse::<KeySource>();
		let key = (key, key_of("//Dave"));
		let fabric = Arc::new(Fabric::new(url, ids, key, keep.clone(), room, verifier.clone()));
		fabric.permit(TENANT, key_of("//Charlie").account());
		let app = App::new(keep.clone(), store, uploads, fabric.clone(), verifier.clone());
		let listener = TcpListener::bind("127.0.0.1:0").await.expect("there is a free port");
		let address = listener.local_addr().expect("it is bound");
		let (stop, stopped) = oneshot::channel::<()>();
		tokio::spawn(serve(listener, app.clone(), async { drop(stopped.await) }));
		Self { address, app, keep, fabric, verifier, disk, folder, _stop: stop }
	}

	/// Sends a request with these headers, signed unless they say otherwise. Returns the status, the
	/// head and the body of the answer, all in lower case.
	async fn exchange(
		&self,
		method: &str,
		path: &str,
		headers: &str,
		body: &[u8],
	) -> (u16, String, String) {
		let (address, length) = (self.address, body.len());
		let is_signed = method == "PUT" || path == "/v1/drafts";
		let signed = (is_signed && !headers.contains("Authorization")).then(signed_request);
		let signed = signed.unwrap_or_default();
		let head = format!(
			"{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nOrigin: http://page\r\n\
			 Content-Length: {length}\r\n{signed}{headers}\r\n"
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
		let (head, body) = answer.split_once("\r\n\r\n").expect("the answer has a head");
		let status = head.split(' ').nth(1).and_then(|text| text.parse().ok());
		(status.expect("the answer has a status"), head.to_owned(), body.to_owned())
	}

	/// Sends a request as [`exchange`](Self::exchange) does. Returns the status and the head.
	async fn ask(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> (u16, String) {
		let (status, head, _) = self.exchange(method, path, headers, body).await;
		(status, head)
	}

	/// Asks how much of an upload has arrived. Returns the status and the answer.
	async fn state(&self, version: VersionId) -> (u16, Value) {
		let (status, head, body) = self.exchange("GET", &upload(version), "", b"").await;
		assert_eq!(list(&head, "cache-control"), names("no-store"));
		(status, serde_json::from_str(&body).expect("the answer is JSON"))
	}
}

fn path(version: VersionId) -> String {
	format!("/v1/versions/{version}")
}

fn upload(version: VersionId) -> String {
	format!("{}/upload", path(version))
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
	let (held, promised) = (path(id_of(HELD)), path(id_of(PROMISED)));
	let unknown = path(VersionId([9; 32]));
	let mut seen = BTreeSet::new();
	for (method, path, headers, body, expected) in [
		("GET", &*held, "", &b""[..], 200),
		("GET", &held, "Range: bytes=0-4\r\n", b"", 206),
		("GET", &held, "Range: bytes=999-\r\n", b"", 416),
		("HEAD", &held, "", b"", 200),
		("GET", &held, "If-None-Match: *\r\n", b"", 304),
		("GET", &held, "If-Match: \"x\"\r\n", b"", 412),
		("HEAD", &promised, "", b"", 404),
		("GET", &upload(id_of(PROMISED)), "", b"", 200),
		("POST", &upload(id_of(PROMISED)), "", b"", 405),
		// Without a chain, nobody can say that the version is not one of the node.
		("GET", &unknown, "", b"", 503),
		("GET", &format!("{unknown}/upload"), "", b"", 503),
		("HEAD", &unknown, "", b"", 503),
		("GET", "/v1/versions/x", "", b"", 400),
		("GET", "/nowhere", "", b"", 404),
		("DELETE", &held, "", b"", 405),
		("PUT", &unknown, "", b"x", 503),
		("PUT", &promised, "Authorization: x\r\n", b"x", 401),
		("PUT", &promised, "", b"x", 422),
		("PUT", &promised, "Content-Range: bytes 1-4/29\r\n", b"ytes", 409),
		("PUT", &promised, "", PROMISED, 201),
		("PUT", &held, "", HELD, 200),
		("PUT", &held, "If-None-Match: *\r\n", HELD, 412),
		("POST", "/v1/drafts", TYPE, b"?", 400),
		("POST", "/v1/commits", TYPE, b"?", 400),
		("POST", "/v1/drafts", TYPE, &vec![b' '; JSON + 1], 413),
		("POST", "/v1/drafts", "", b"?", 415),
		("GET", "/v1/status", "", b"", 200),
		("GET", "/health", "", b"", 200),
		("GET", "/ready", "", b"", 503),
		("GET", "/metrics", "", b"", 200),
	] {
		let (status, head) = node.ask(method, path, headers, body).await;
		assert_eq!(status, expected, "{method} {path}: {head}");
		assert!(head.contains("access-control-allow-origin: *"), "{method} {path}: {head}");
		// Caches keep nothing but versions.
		let is_kept = path == held && matches!(status, 200 | 206 | 304) && method != "PUT";
		let expected = if is_kept { "public, max-age=31536000, immutable" } else { "no-store" };
		assert_eq!(list(&head, "cache-control"), names(expected), "{method} {path}: {head}");
		assert_eq!(list(&head, "access-control-expose-headers"), names(ORIGINS.exposed));
		let found = head.lines().skip(1).filter_map(|line| Some(line.split_once(':')?.0));
		seen.extend(found.map(str::to_owned));
	}
	// The other headers say nothing that a page could use, or can be read by all.
	let plain = names(
		"access-control-allow-origin, access-control-expose-headers, cache-control, connection, \
		 content-security-policy, content-type, date, x-content-type-options",
	);
	assert_eq!(&seen - &plain, names(ORIGINS.exposed));
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_of_every_path_are_json() {
	let node = Node::start().await;
	let not_text = "the path is not utf-8 text";
	for (method, path, expected, reason) in [
		("GET", "/v1/versions/%ff", 400, not_text),
		("PUT", "/v1/versions/%ff", 400, not_text),
		("GET", "/v1/versions/%ff/upload", 400, not_text),
		("GET", "/v1/versions/%C3/upload", 400, not_text),
		("GET", "/v1/versions/%/upload", 400, not_text),
		("GET", "/v1/status%fe", 400, not_text),
		("GET", "/%80", 400, not_text),
		("GET", "/v1/versions/%C3%A9/upload", 400, "is not an id"),
		("GET", "/v1/versions/", 404, "there is no such path"),
		("POST", "/v1/status", 405, "the path does not have this method"),
	] {
		let (status, head, body) = node.exchange(method, path, "", b"").await;
		assert_eq!(status, expected, "{method} {path}: {head}");
		let answer: Value = serde_json::from_str(&body).expect("the answer is JSON");
		assert!(answer["error"].as_str().is_some_and(|text| text.contains(reason)), "{answer}");
	}
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_other_origins_may_do_what_the_docs_say() {
	let node = Node::start().await;
	for path in ["/v1/versions/x", "/v1/drafts", "/v1/commits", "/v1/status"] {
		let asks = "Access-Control-Request-Method: PUT\r\n";
		let (status, head) = node.ask("OPTIONS", path, asks, b"").await;
		assert_eq!(status, 204, "{head}");
		assert_eq!(list(&head, "access-control-allow-methods"), names(ORIGINS.methods));
		assert_eq!(list(&head, "access-control-allow-headers"), names(ORIGINS.allowed));
		// A wildcard would not cover it, and browsers send no credentials of their own.
		assert!(list(&head, "access-control-allow-headers").contains("authorization"));
		assert!(!head.contains("access-control-allow-credentials"), "{head}");
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
	let DraftRequest { tenant, kms, create_objects, copies, versions } = request;
	assert!(copies.is_empty());
	let commit = VersionCommit {
		muid: drafted.muid,
		originator: drafted.provider,
		node: drafted.node,
		copies: Default::default(),
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
	let signer = key_of("//Charlie");
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
fn the_docs_have_the_text_of_a_signed_request() {
	let genesis_hash = &std::array::from_fn(|at| 8 * at as u8);
	let to = Receiver::Node("inodTAtsRvJ93amfu".parse().expect("it is a node"));
	let tenant = "itenEipjfGqv1YfDtJ".parse().expect("it is a tenant");
	let account = "5FLSigC9HGRKVhB9FiEo4Y3koPsNmBmLJbpXg2mp1hXcS59Y";
	let until = Until::new(1_795_755_600);
	let text = Request { genesis_hash, to, tenant, account, until }.text();
	assert!(DOCS.contains(&format!("```text\n{text}\n```")), "{text}");
}

#[test]
fn the_docs_have_the_headers_that_are_exposed_and_accepted() {
	let docs = DOCS.split_whitespace().collect::<Vec<_>>().join(" ");
	let documented = |start: &str| -> BTreeSet<String> {
		let text = docs.split(start).nth(1).unwrap_or_else(|| panic!("the docs lack `{start}`"));
		let sentence = text.split(". ").next().unwrap_or_default();
		sentence.split('`').skip(1).step_by(2).map(str::to_lowercase).collect()
	};
	assert_eq!(documented("can read the headers "), names(ORIGINS.exposed));
	assert_eq!(documented("Their requests can have the headers "), names(ORIGINS.allowed));
	assert_eq!(documented("Their methods are "), names(ORIGINS.methods));
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
	let known = &(&names(ORIGINS.exposed) | &names(ORIGINS.allowed)) | &origin;
	assert_eq!(&named - &known, BTreeSet::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_version_is_held_only_after_its_file_and_the_folders_that_lead_to_it_are_durable() {
	let node = Node::start().await;
	let (version, root) = (id_of(PROMISED), node.folder.path());
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
	assert_eq!((&status["held_bytes"], &status["versions"]), (&json!("19"), &json!(2)));
	assert_eq!((&status["promised_bytes"], &status["balance"]), (&json!("29"), &Value::Null));
}

#[tokio::test(flavor = "multi_thread")]
async fn failures_count_from_zero_and_answers_to_programs_that_watch_do_not_count() {
	let node = Node::start().await;
	let figures = async || node.exchange("GET", "/metrics", "", b"").await.2;
	let counts = async || -> Vec<(String, u64)> {
		let (start, text) = ("fabric_store_answers_total{status=\"", figures().await);
		let lines = text.lines().filter_map(|line| line.strip_prefix(start)?.split_once("\"} "));
		let counts = lines.map(|(status, count)| (status.into(), count.parse().expect("a number")));
		let mut counts: Vec<(String, u64)> = counts.collect();
		counts.sort();
		counts
	};
	let expected = |answers: &[(&str, u64)]| -> Vec<(String, u64)> {
		answers.iter().map(|(status, count)| ((*status).into(), *count)).collect()
	};
	let failures = [("500", 0), ("502", 0), ("503", 0), ("507", 0)];
	for path in WATCHED {
		node.ask("GET", path, "", b"").await;
	}
	assert_eq!(counts().await, expected(&failures));
	node.ask("GET", &path(id_of(HELD)), "", b"").await;
	assert_eq!(counts().await, expected(&[&[("200", 1)][..], &failures[..]].concat()));

	let start = "fabric_store_state{of=\"room_bytes\"} ";
	let text = figures().await;
	let room = text.lines().find_map(|line| line.strip_prefix(start)?.parse::<u64>().ok());
	assert!(room > Some(0), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn uploads_of_versions_that_are_not_final_end_only_with_bytes_that_were_hashed() {
	let node = Node::start().await;
	let version = id_of(HELD);
	let (url, name) = (path(version), hex::encode(version.0));
	let place = node.folder.path().join("objects").join(&name[..2]).join(&name[2..4]).join(&name);
	// While other versions are hashed, the answer is not known.
	let turns: Vec<_> = std::iter::from_fn(|| node.verifier.try_turn()).collect();
	let (status, head) = node.ask("HEAD", &upload(version), "", b"").await;
	assert!(status == 503 && head.contains("retry-after: "), "{head}");
	assert_eq!(node.ask("PUT", &url, "", HELD).await.0, 503);
	assert_eq!(node.ask("GET", &url, "", b"").await.0, 200);
	drop(turns);
	let state = |complete: bool, arrived: &str, size: &str| {
		let version = version.to_string().to_lowercase();
		let state =
			json!({ "version": version, "complete": complete, "arrived": arrived, "size": size });
		(200, state)
	};
	assert_eq!(node.state(version).await, state(true, "19", "19"));
	// The file changes, and keeps its length.
	std::fs::write(&place, [0; HELD.len()]).expect("there is room");
	assert_eq!(node.state(version).await, state(false, "0", "19"));
	assert_eq!(node.keep.totals().damaged, 1);
	assert_eq!(node.ask("PUT", &url, "Content-Range: bytes 0-4/19\r\n", &HELD[..5]).await.0, 202);
	assert_eq!(node.state(version).await, state(false, "5", "19"));
	assert_eq!(node.ask("PUT", &url, "Content-Range: Bytes 5-18/19\r\n", &HELD[5..]).await.0, 201);
	assert_eq!(node.state(version).await, state(true, "19", "19"));
	// A final version is not hashed for that.
	let key = VersionKey { tenant: TenantId([1; 10]), object: ContentObjectId([2; 10]), version };
	let size = HELD.len() as u64;
	let row = Row { muid: [0; 16], hash: HashKind::Blake3, size, is_final: true, pending: None };
	node.keep.put(&[(key, Some(row))], 0).expect("it is recorded");
	std::fs::write(&place, [0; HELD.len()]).expect("there is room");
	assert_eq!(node.state(version).await, state(true, "19", "19"));
	// But a file that is cut is no upload that has ended.
	std::fs::write(&place, &HELD[1..]).expect("there is room");
	assert_eq!(node.state(version).await, state(false, "0", "19"));
	assert_eq!(node.keep.totals().damaged, 1);
	// Nobody needs it, so nobody makes the node hash it.
	node.keep.put(&[(key, None)], 0).expect("it is recorded");
	assert_eq!(node.ask("PUT", &url, "", HELD).await.0, 503, "the chain may have a commit of it");
	assert_eq!(node.state(version).await.0, 503, "the chain may have a commit of it");
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_to_head_are_those_to_get_without_ranges() {
	let node = Node::start().await;
	let version = id_of(HELD);
	let (held, name) = (path(version), hex::encode(version.0));
	let place = node.folder.path().join("objects").join(&name[..2]).join(&name[2..4]).join(&name);
	let compare = async |path: &str, headers: &str| {
		let (status, of_get) = node.ask("GET", path, headers, b"").await;
		let (_, of_head, body) = node.exchange("HEAD", path, headers, b"").await;
		let lines = |head: &str| -> BTreeSet<String> {
			head.lines().filter(|line| !line.starts_with("date: ")).map(str::to_owned).collect()
		};
		assert_eq!(lines(&of_get), lines(&of_head), "{path} {headers}");
		assert_eq!(body, "", "{path} {headers}");
		status
	};
	for (path, headers, expected) in [
		(&*held, "", 200),
		(&path(id_of(EMPTY)), "", 200),
		(&held, "If-None-Match: *\r\n", 304),
		(&held, "If-Match: \"x\"\r\n", 412),
		(&path(id_of(PROMISED)), "", 404),
		(&path(VersionId([9; 32])), "", 503),
		(&upload(id_of(PROMISED)), "", 200),
		(&upload(version), "", 200),
		("/v1/versions/x", "", 400),
		("/v1/versions/x/upload", "", 400),
		("/v1/status", "", 200),
		("/nowhere", "", 404),
	] {
		assert_eq!(compare(path, headers).await, expected, "{path} {headers}");
	}
	// Ranges are for `GET` alone.
	for range in ["bytes=0-9", "bytes=9999-", "bytes=-0"] {
		let (status, head) = node.ask("HEAD", &held, &format!("Range: {range}\r\n"), b"").await;
		assert_eq!((status, list(&head, "content-length")), (200, names("19")), "{range}");
		assert!(!head.contains("\r\ncontent-range"), "{range}: {head}");
	}
	// Damage that a read finds, and damage that is known.
	for wrong in [&[0; HELD.len()][..], &HELD[1..]] {
		std::fs::write(&place, wrong).expect("there is room");
		node.keep.mark(version, false).expect("it is recorded");
		let (status, head) = node.ask("HEAD", &held, "", b"").await;
		assert_eq!(status, 500, "{head}");
		assert_eq!(node.keep.totals().damaged, 1);
		assert_eq!(compare(&held, "").await, 500);
	}
}

#[tokio::test(flavor = "multi_thread")]
async fn conditions_and_ranges_are_those_of_http() {
	let node = Node::start().await;
	let version = id_of(HELD);
	let (held, empty) = (path(version), path(id_of(EMPTY)));
	let tag = hex::encode(version.0);
	for (path, headers, expected, body) in [
		(&held, format!("If-None-Match: W/\"{tag}\"\r\n"), 304, ""),
		(&held, format!("If-None-Match: \"x\", \"{tag}\"\r\n"), 304, ""),
		(&held, format!("If-None-Match: \"x\"\r\nIf-None-Match: \"{tag}\"\r\n"), 304, ""),
		(&held, "If-None-Match: *\r\n".into(), 304, ""),
		(&held, "If-None-Match: \"x\"\r\n".into(), 200, "bytes that are here"),
		(&held, format!("If-None-Match: {tag}\r\n"), 200, "bytes that are here"),
		(&held, format!("If-Match: \"x\", \"{tag}\"\r\n"), 200, "bytes that are here"),
		(&held, format!("If-Match: \"{tag}\"\r\nRange: bytes=0-4\r\n"), 206, "bytes"),
		(&held, format!("If-None-Match: \"{tag}\"\r\nRange: bytes=99-\r\n"), 304, ""),
		(&held, format!("If-Range: \"{tag}\"\r\nRange: bytes=0-4\r\n"), 206, "bytes"),
		(
			&held,
			format!("If-Range: W/\"{tag}\"\r\nRange: bytes=0-4\r\n"),
			200,
			"bytes that are here",
		),
		(&held, "Range: Bytes=6-9\r\n".into(), 206, "that"),
		(&held, "Range: bytes=15-99999999999999999999\r\n".into(), 206, "here"),
		(&held, "Range: bytes=-99999999999999999999\r\n".into(), 206, "bytes that are here"),
		(&held, "Range: bytes=0-4, 6-9\r\n".into(), 200, "bytes that are here"),
		(&empty, "Range: bytes=-5\r\n".into(), 200, ""),
	] {
		let (status, head, found) = node.exchange("GET", path, &headers, b"").await;
		assert_eq!((status, &*found), (expected, body), "{path} {headers}: {head}");
		assert!(status == 304 || list(&head, "content-length") == names(&body.len().to_string()));
	}
	for (path, range, size) in [
		(&held, "bytes=19-", 19),
		(&held, "bytes=99999999999999999999-", 19),
		(&held, "bytes=-0", 19),
		(&empty, "bytes=0-", 0),
	] {
		let (status, head) = node.ask("GET", path, &format!("Range: {range}\r\n"), b"").await;
		assert!(status == 416 && head.contains(&format!("bytes */{size}")), "{range}: {head}");
	}
	for (value, expected) in [("\"x\"", 412), ("*", 200)] {
		let (status, head) = node.ask("GET", &held, &format!("If-Match: {value}\r\n"), b"").await;
		assert_eq!(status, expected, "{value}: {head}");
	}
	// Nothing that does not exist can match, and nothing that exists is replaced unasked.
	let promised = path(id_of(PROMISED));
	for (method, path, headers, body, expected) in [
		("GET", &promised, "If-Match: *\r\n", &b""[..], 404),
		("PUT", &promised, "If-Match: *\r\n", PROMISED, 412),
		("PUT", &held, "If-None-Match: *\r\n", HELD, 412),
		("PUT", &held, "If-Match: \"x\"\r\n", HELD, 412),
		("PUT", &promised, "If-None-Match: *\r\n", PROMISED, 201),
	] {
		let (status, head) = node.ask(method, path, headers, body).await;
		assert_eq!(status, expected, "{method} {path} {headers}: {head}");
	}
}

#[tokio::test(flavor = "multi_thread")]
async fn errors_of_drafts_name_the_version_that_is_wrong() {
	let node = Node::start().await;
	let version = |size: Value| {
		let (object, version) = (ContentObjectId([2; 10]), id_of(HELD));
		json!({ "object": object, "version": version, "hash": "blake3", "size": size })
	};
	let draft = |versions: Value| json!({ "tenant": TenantId([1; 10]), "kms": KmsId([1; 10]), "versions": versions });
	for (versions, start) in [
		(json!([version(json!(1)), version(json!(1.5))]), "versions[1].size: invalid `size`"),
		(json!([version(json!(1)), {}]), "versions[1]: missing field `object`"),
		(json!([{ "object": "iq__" }]), "versions[0].object: "),
		(json!({}), "versions: invalid type: map"),
	] {
		let body = draft(versions).to_string();
		let (status, _, answer) = node.exchange("POST", "/v1/drafts", TYPE, body.as_bytes()).await;
		let start = format!("{{\"error\":\"the body is not as expected: {start}");
		assert!(status == 400 && answer.starts_with(&start), "{body}: {answer}");
	}
}

#[tokio::test(flavor = "multi_thread")]
async fn drafts_and_uploads_need_a_request_that_is_signed_for_this_node_tenant_and_time() {
	let node = Node::start().await;
	let put = path(id_of(PROMISED));
	let draft = json!({ "tenant": TENANT, "versions": [] }).to_string();
	let header = |value: &str| format!("Authorization: {value}\r\n");
	let sound = signed_request();
	let value = sound.trim_end().strip_prefix("Authorization: ").expect("it is a header");
	let (account, other) =
		(key_of("//Charlie").account().to_string(), key_of("//Eve").account().to_string());
	let text_of = |signer: &Signer, genesis: &[u8; 32]| {
		let until = Until::new(now_seconds() + 600);
		header(&sign(signer, genesis, Receiver::Node(NODE), TENANT, until).to_string())
	};
	let cut = &value[..value.len() - 2];
	for (headers, reason) in [
		("X-None: Authorization\r\n".into(), "the header `authorization` is missing"),
		(header("Basic dXNlcjpwYXNz"), "the scheme is not `fabric`"),
		(header("Fabric"), "expected `name="),
		(header(cut), "expected `name="),
		(header(&value.replace("0x01", "0x05")), "`signature` is not a multisignature"),
		(header(&value.replace(&account, "5Grw")), "`account`: "),
		(header(&format!("{value}{}", " x".repeat(4_000))), "bytes, expected at most 512"),
		(header("Fabric account=\"\u{e9}\""), "it is not text"),
		(sound.repeat(2), "it is given twice"),
		(signed_until(NODE, TENANT, -61), "the signed request has expired at 20"),
		(signed_until(NODE, TENANT, -3_600), "the signed request has expired at 20"),
		(signed_until(NODE, TENANT, 3_700), "for more than an hour"),
		(signed_until(NODE, TENANT, 1 << 40), "for more than an hour"),
		// Of another node, tenant, chain or account.
		(signed_until(NodeId([3; 10]), TENANT, 600), "has not signed a request to the node inod"),
		(signed_until(NODE, TenantId([3; 10]), 600), "has not signed a request to the node inod"),
		(text_of(&key_of("//Charlie"), &[6; 32]), "on the chain with the genesis hash 0x0505"),
		(header(&value.replace(&account, &other)), "has not signed a request"),
		(header(&value.replace("0x01", "0x00")), "has not signed a request"),
		(
			header(&format!("{}{}\"", &value[..value.len() - 129], "0".repeat(128))),
			"has not signed",
		),
	] {
		for (method, path, body) in
			[("PUT", &*put, PROMISED), ("POST", "/v1/drafts", draft.as_bytes())]
		{
			let headers = format!("{headers}{}", if method == "POST" { TYPE } else { "" });
			let (status, head, answer) = node.exchange(method, path, &headers, body).await;
			assert_eq!(status, 401, "{method} {headers}: {answer}");
			assert!(answer.contains(reason), "{method} {headers}: {answer}, expected {reason}");
			let challenge = head.lines().find_map(|line| line.strip_prefix("www-authenticate: "));
			let time = challenge.and_then(|challenge| challenge.strip_prefix("fabric time=\""));
			let time = time.and_then(|time| time.strip_suffix('"')).expect("it has the time");
			let until: Until = time.to_uppercase().parse().expect("it is a time");
			assert!(until.seconds().abs_diff(now_seconds()) < 60, "{time}");
			assert!(answer.contains(&format!("the clock of this node is at {time}")), "{answer}");
		}
	}
	// None of them has left anything, and the edges of the time are accepted.
	assert_eq!(node.state(id_of(PROMISED)).await.1["arrived"], "0");
	let part = |at: usize| format!("Content-Range: bytes {at}-{at}/{}\r\n", PROMISED.len());
	for (at, seconds) in [-30, 0, 3_600, 3_630].into_iter().enumerate() {
		let headers = signed_until(NODE, TENANT, seconds) + &part(at);
		assert_eq!(node.ask("PUT", &put, &headers, &PROMISED[at..=at]).await.0, 202, "{seconds}");
	}
	// The account may put content into another tenant, which has not committed the version.
	let other = TenantId([3; 10]);
	node.fabric.permit(other, key_of("//Charlie").account());
	let headers = signed_until(NODE, other, 600);
	let (status, _, answer) = node.exchange("PUT", &put, &headers, PROMISED).await;
	assert!(status == 403 && answer.contains("has no commit of hq__"), "{status} {answer}");
	// Without a chain, nobody knows the level of another account.
	let headers = text_of(&key_of("//Eve"), &GENESIS) + &part(4);
	let (status, head, answer) = node.exchange("PUT", &put, &headers, &PROMISED[4..=4]).await;
	assert_eq!(status, 503, "{answer}");
	assert!(
		head.contains("retry-after: ") && answer.contains("cannot be looked up now"),
		"{answer}"
	);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_is_for_each_tenant_that_has_the_version_and_for_no_other() {
	let node = Node::start().await;
	let (other, version) = (TenantId([7; 10]), id_of(PROMISED));
	let headers = signed_until(NODE, other, 600);
	let put = async || node.exchange("PUT", &path(version), &headers, PROMISED).await;
	let (status, _, answer) = put().await;
	assert_eq!(status, 401, "{answer}");
	assert!(answer.contains("for a tenant with a commit of the version"), "{answer}");
	let size = PROMISED.len() as u64;
	let row = Row { muid: [0; 16], hash: HashKind::Blake3, size, is_final: false, pending: None };
	// More rows of a tenant than are read for other questions.
	let rows: Vec<_> = (0..300u16)
		.map(|number| {
			let mut object = [3; 10];
			object[..2].copy_from_slice(&number.to_be_bytes());
			let object = ContentObjectId(object);
			(VersionKey { tenant: TENANT, object, version }, Some(row))
		})
		.collect();
	node.keep.put(&rows, 0).expect("they are recorded");
	let key = VersionKey { tenant: other, object: ContentObjectId([2; 10]), version };
	node.keep.put(&[(key, Some(row))], 0).expect("it is recorded");
	// Charlie has no level in it that is known.
	assert_eq!(put().await.0, 503);
	node.fabric.permit(other, key_of("//Charlie").account());
	assert_eq!(put().await.0, 201);
	// In a third tenant, Charlie has a level, and there is no commit.
	let third = TenantId([8; 10]);
	node.fabric.permit(third, key_of("//Charlie").account());
	let headers = signed_until(NODE, third, 600);
	let (status, _, answer) = node.exchange("PUT", &path(version), &headers, PROMISED).await;
	assert_eq!(status, 403, "{answer}");
	assert!(answer.contains("has no commit of hq__"), "{answer}");
}

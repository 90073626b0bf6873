// SPDX-License-Identifier: Apache-2.0
//! Answers by a KMS that has no chain.

use std::{
	net::IpAddr,
	sync::atomic::{AtomicBool, Ordering},
};

use age_core::format::FileKey;
use axum::{
	body::{to_bytes, Body},
	http::header,
};
use content_fabric_client::{
	chain::rows,
	keys::{ChainKind, KeySource, Signer},
	kms::{Stanza, UnwrapRequest, Unwrapped},
	requests::sign,
	text::Text,
};
use content_fabric_identifiers::{
	ContentObjectId, KmsId, Muid, NodeId, SpaceId, TenantId, VersionId,
};
use content_fabric_primitives::{KmsKey, PurgeScope, Receiver, TenantLevel, Until};
use serde_json::{json, Value};
use subxt::utils::AccountId32;
use tempfile::TempDir;

use super::*;
use crate::{
	chain::{Fabric, View},
	identity::Identities,
	receipts::{Owner, Receipts},
};

const GENESIS: [u8; 32] = [7; 32];
const TENANT: TenantId = TenantId([1; 10]);
const KMS: KmsId = KmsId([2; 10]);
const OBJECT: ContentObjectId = ContentObjectId([3; 10]);
const VERSION: VersionId = VersionId([4; 32]);
/// A client on another machine.
const CLIENT: [u8; 4] = [10, 0, 0, 1];

fn signer(name: &str) -> Signer {
	let Ok(key) = name.parse::<KeySource>();
	key.load(ChainKind::Development).expect("it is a development key")
}

/// Returns a development account with a level. Charlie is the root.
fn levels() -> Vec<(AccountId32, Option<TenantLevel>)> {
	let level = |name, level| (*signer(name).account(), level);
	vec![
		level("//Alice", Some(TenantLevel::Admin)),
		level("//Bob", Some(TenantLevel::Read)),
		level("//Dave", Some(TenantLevel::Kms)),
		level("//Eve", None),
	]
}

fn member() -> rows::Member {
	let muid = Muid::from_bytes([1; 16]);
	rows::Member {
		space: SpaceId([5; 10]),
		root: *signer("//Charlie").account(),
		root_since: muid,
		nomination: None,
		max_held: 0,
		bond: 0,
		own_deposit: 0,
		deposit: 0,
		rows: Default::default(),
		empty_since: None,
		governance_delete: false,
		suspended: false,
		purge: None,
		created: muid,
	}
}

fn row(key: KmsKey) -> rows::Kms {
	let operator = *signer("//Dave").account();
	rows::Kms { operator, locator: Text(b"https://127.0.0.1".to_vec()), key, deposit: 0 }
}

/// A KMS in a folder of its own, and a reader.
struct Kms {
	app: Arc<App>,
	key: KmsKey,
	reader: Identities,
	folder: TempDir,
}

impl Kms {
	/// Starts with the row of the tenant, and with the present key on the chain.
	fn of(member: Option<rows::Member>) -> Self {
		Self::with(member, Some, (Some(1), 1))
	}

	fn start() -> Self {
		Self::of(Some(member()))
	}

	/// Starts with a final state of this time and arrival, in seconds ago, and with the key on the
	/// chain that `on_chain` makes of the present one.
	fn with(
		member: Option<rows::Member>,
		on_chain: impl FnOnce(KmsKey) -> Option<KmsKey>,
		ages: (Option<u64>, u64),
	) -> Self {
		let (identities, reader) = (Identities::random(), Identities::random());
		let keys = identities.keys();
		let key = keys[0];
		let versions = [((OBJECT, VERSION), true), ((OBJECT, VersionId([9; 32])), false)];
		let view = View::of((member, on_chain(key).map(row)), &levels(), &versions, ages);
		let fabric = Fabric::of(view, (TENANT, KMS), keys);
		let folder = tempfile::tempdir().expect("there is room for a folder");
		let owner =
			Owner { genesis: GENESIS, tenant: TENANT, created: Default::default(), kms: KMS };
		let receipts = Receipts::open(folder.path(), owner).expect("it is new");
		Self { app: App::new(fabric, identities, receipts), key, reader, folder }
	}

	/// Returns a request for the file key 3, 3, …
	fn request(&self) -> UnwrapRequest {
		let file_key = FileKey::new(Box::new([3; 16]));
		let stanza = self.reader.wrap(&self.key, &file_key).expect("it is a key");
		UnwrapRequest {
			recipient: self.reader.keys()[0],
			object: None,
			version: None,
			stanzas: vec![stanza],
		}
	}

	async fn ask(&self, request: Request) -> Response {
		self.ask_from(CLIENT.into(), request).await
	}

	async fn ask_from(&self, client: IpAddr, mut request: Request) -> Response {
		request.extensions_mut().insert(Client(client));
		answer(self.app.clone(), router(self.app.clone()), request).await
	}

	/// Asks for a file key, by an account.
	async fn unwrap(&self, name: &str, request: &UnwrapRequest) -> Response {
		let signed = signed(name, KMS, TENANT, Some(request.recipient), 600);
		self.ask(post_of(&signed, &serde_json::to_string(request).expect("it is JSON"))).await
	}

	/// Checks that an answer refuses a request, for a reason, and that nothing is given.
	async fn assert_refused(&self, answer: Response, status: u16, reason: &str) {
		assert_eq!(answer.headers()[header::CACHE_CONTROL], "no-store");
		let (found, error) = (answer.status(), json_of(answer).await);
		let text = error["error"].as_str().unwrap_or_default();
		assert!(found == status && text.contains(reason), "{found} {error}, expected {reason}");
		assert_eq!(self.app.receipts.count(), 0);
	}

	/// Checks that an answer has the file key for the reader.
	async fn assert_given(&self, answer: Response) {
		let (status, given) = (answer.status(), json_of(answer).await);
		assert_eq!(status, 200, "{given}");
		let Unwrapped { stanza, key, block } =
			serde_json::from_value(given).expect("it is a stanza");
		assert_eq!(key, self.key);
		let (_, file_key) = self.reader.unwrap(&[stanza]).expect("it is for the reader");
		assert_eq!(age::secrecy::ExposeSecret::expose_secret(&file_key), &[3; 16]);
		assert_eq!((block.number, block.hash), (9, [9; 32]));
	}
}

/// Returns the header that an account signs. It expires this many seconds from now.
fn signed(
	name: &str,
	kms: KmsId,
	tenant: TenantId,
	recipient: Option<KmsKey>,
	seconds: i64,
) -> String {
	let now = content_fabric_client::chain::wall_clock() / 1_000_000;
	let until = Until::new(now.saturating_add_signed(seconds));
	sign(&signer(name), &GENESIS, Receiver::Kms(kms, recipient), tenant, until).to_string()
}

fn post_of(authorization: &str, body: &str) -> Request {
	let request = Request::post("/v1/unwrap").header(header::CONTENT_TYPE, "application/json");
	let request = request.header(header::AUTHORIZATION, authorization);
	request.body(Body::from(body.to_owned())).expect("it is a request")
}

fn get_of(path: &str, authorization: Option<&str>) -> Request {
	let request = Request::get(path);
	let request = match authorization {
		Some(value) => request.header(header::AUTHORIZATION, value),
		None => request,
	};
	request.body(Body::empty()).expect("it is a request")
}

async fn text_of(answer: Response) -> String {
	let bytes = to_bytes(answer.into_body(), 1 << 20).await.expect("it is whole");
	String::from_utf8(bytes.to_vec()).expect("it is text")
}

async fn json_of(answer: Response) -> Value {
	serde_json::from_str(&text_of(answer).await).expect("it is JSON")
}

#[tokio::test]
async fn accounts_that_may_read_get_file_keys_and_others_do_not() {
	let kms = Kms::start();
	let request = kms.request();
	kms.assert_refused(kms.unwrap("//Eve", &request).await, 403, super::unwrap::NO_LEVEL).await;
	let named = UnwrapRequest { object: Some(OBJECT), version: Some(VERSION), ..request.clone() };
	for name in ["//Bob", "//Dave", "//Alice", "//Charlie"] {
		let answer = kms.unwrap(name, &request).await;
		assert_eq!(answer.headers()[header::CACHE_CONTROL], "no-store");
		kms.assert_given(answer).await;
		kms.assert_given(kms.unwrap(name, &named).await).await;
	}
	let page = kms.app.receipts.page(0, 9).expect("it is readable");
	assert_eq!(page.receipts.len(), 8);
	let (plain, named) = (&page.receipts[0], &page.receipts[1]);
	assert_eq!((plain.account, plain.version), (*signer("//Bob").account(), None));
	assert_eq!((named.account, named.version), (plain.account, Some(VERSION)));
}

#[tokio::test]
async fn a_version_that_is_not_one_for_the_kms_is_refused() {
	let kms = Kms::start();
	let other = VersionId([9; 32]);
	let request = UnwrapRequest { object: Some(OBJECT), version: Some(other), ..kms.request() };
	let answer = kms.unwrap("//Bob", &request).await;
	kms.assert_refused(answer, 403, super::unwrap::OTHER_VERSION).await;
	for (object, version, reason) in [
		(Some(OBJECT), None, "`object` needs the `version`"),
		(None, Some(VERSION), "`version` needs its `object`"),
	] {
		let request = UnwrapRequest { object, version, ..kms.request() };
		kms.assert_refused(kms.unwrap("//Bob", &request).await, 400, reason).await;
	}
}

#[tokio::test]
async fn a_tenant_that_is_not_open_gives_no_keys_not_even_to_its_root() {
	for (member, reason) in [
		(None, "the tenant does not exist"),
		(Some(rows::Member { suspended: true, ..member() }), "the tenant is suspended by"),
		(Some(rows::Member { governance_delete: true, ..member() }), "the tenant is frozen by"),
		(Some(rows::Member { purge: Some(PurgeScope::Rows), ..member() }), "is being purged"),
	] {
		let kms = Kms::of(member);
		kms.assert_refused(kms.unwrap("//Charlie", &kms.request()).await, 403, reason).await;
	}
}

#[tokio::test]
async fn another_key_on_the_chain_or_an_old_final_state_gives_no_keys() {
	type Change = fn(KmsKey) -> Option<KmsKey>;
	for (on_chain, ages, reason) in [
		((|_| None) as Change, (None, 1), "the chain has no KMS ikms"),
		(|_| Some(KmsKey([9; 32])), (None, 1), "which this server does not have"),
		(Some, (Some(1), 60), "the last final block, 9, is 60 seconds old"),
		(Some, (None, 3_600), "is 3600 seconds old"),
		(Some, (Some(60), 1), "the last final block, 9, is 60 seconds old"),
	] {
		let kms = Kms::with(Some(member()), on_chain, ages);
		let answer = kms.unwrap("//Bob", &kms.request()).await;
		assert_eq!(answer.headers()[header::RETRY_AFTER], "5");
		kms.assert_refused(answer, 503, reason).await;
		let ready = kms.ask(get_of("/ready", None)).await;
		kms.assert_refused(ready, 503, reason).await;
		let status = json_of(kms.ask(get_of("/v1/status", None)).await).await;
		assert!(status["problem"].as_str().is_some_and(|text| text.contains(reason)), "{status}");
		assert_eq!(text_of(kms.ask(get_of("/health", None)).await).await, "ok\n");
	}
	// A chain whose clock is ahead, and ages below the limit.
	for ages in [(Some(55), 55), (Some(0), 0), (None, 55)] {
		let kms = Kms::with(Some(member()), Some, ages);
		kms.assert_given(kms.unwrap("//Bob", &kms.request()).await).await;
	}
}

#[tokio::test]
async fn a_request_is_good_for_its_recipient_server_tenant_chain_and_time_alone() {
	let kms = Kms::start();
	let request = kms.request();
	let recipient = Some(request.recipient);
	let body = serde_json::to_string(&request).expect("it is JSON");
	let replayed = Identities::random().keys().first().copied();
	let until = Until::new(content_fabric_client::chain::wall_clock() / 1_000_000 + 600);
	let account = |name| signer(name).account().to_string();
	let of = |genesis, to| sign(&signer("//Bob"), &genesis, to, TENANT, until).to_string();
	for header in [
		signed("//Bob", KMS, TENANT, replayed, 600),
		signed("//Bob", KMS, TENANT, None, 600),
		signed("//Bob", KmsId([9; 10]), TENANT, recipient, 600),
		signed("//Bob", KMS, TenantId([9; 10]), recipient, 600),
		of([9; 32], Receiver::Kms(KMS, recipient)),
		of(GENESIS, Receiver::Node(NodeId([2; 10]))),
		signed("//Bob", KMS, TENANT, recipient, 600)
			.replace(&account("//Bob"), &account("//Alice")),
	] {
		let answer = kms.ask(post_of(&header, &body)).await;
		let time = answer.headers()[header::WWW_AUTHENTICATE].to_str().expect("it is text");
		assert!(time.starts_with("Fabric time=\"20") && time.ends_with("Z\""), "{time}");
		kms.assert_refused(answer, 401, "has not signed a request to the KMS ikms").await;
	}
	for (header, reason) in [
		(signed("//Bob", KMS, TENANT, recipient, -3_600), "has expired at"),
		(signed("//Bob", KMS, TENANT, recipient, -61), "has expired at"),
		(signed("//Bob", KMS, TENANT, recipient, 2 * 3_600), "for more than an hour"),
		("Basic eDp5".into(), "the scheme is not `Fabric`"),
		(String::new(), "the scheme is not `Fabric`"),
	] {
		kms.assert_refused(kms.ask(post_of(&header, &body)).await, 401, reason).await;
	}
	let mut without = post_of("", &body);
	without.headers_mut().remove(header::AUTHORIZATION);
	kms.assert_refused(kms.ask(without).await, 401, "`Authorization` is missing").await;
	let mut twice = post_of(&signed("//Bob", KMS, TENANT, recipient, 600), &body);
	let value = twice.headers()[header::AUTHORIZATION].clone();
	twice.headers_mut().append(header::AUTHORIZATION, value);
	kms.assert_refused(kms.ask(twice).await, 401, "it is given twice").await;
	// The same request again is for the same recipient.
	let header = signed("//Bob", KMS, TENANT, recipient, 3_600);
	for _ in 0..2 {
		kms.assert_given(kms.ask(post_of(&header, &body)).await).await;
	}
}

#[tokio::test]
async fn limits_of_requests_are_errors_that_name_them() {
	let kms = Kms::start();
	let request = kms.request();
	let own = request.stanzas[0].clone();
	let stanza = |args: usize, body: usize| Stanza {
		args: vec!["a".repeat(args - 1), "b".into()],
		body: vec![1; body],
	};
	for (stanzas, reason) in [
		(vec![], "`stanzas` has 0 stanzas, expected 1 to 16"),
		(vec![stanza(2, 1); 17], "`stanzas` has 17 stanzas"),
		(
			vec![own.clone(), stanza(2, 513)],
			"`stanzas[1].body` has 513 bytes, expected at most 512",
		),
		(vec![stanza(513, 1)], "`stanzas[0].args` has 513 bytes, expected at most 512"),
	] {
		let request = UnwrapRequest { stanzas, ..request.clone() };
		kms.assert_refused(kms.unwrap("//Bob", &request).await, 400, reason).await;
	}
	let header = signed("//Bob", KMS, TENANT, Some(request.recipient), 600);
	let recipient = request.recipient;
	for (body, status, reason) in [
		("x".repeat((64 << 10) + 1), 413, "the body has more than 65536 bytes"),
		("{".into(), 400, "the body is not as expected"),
		(json!({ "recipient": "age1x", "stanzas": [] }).to_string(), 400, "recipient: "),
		(json!({ "recipient": recipient, "stanzas": [], "x": 1 }).to_string(), 400, "field `x`"),
		(
			json!({ "recipient": recipient, "stanzas": [{ "args": [], "body": "=" }] }).to_string(),
			400,
			"stanzas[0].body: `body` is not base64 without padding",
		),
	] {
		kms.assert_refused(kms.ask(post_of(&header, &body)).await, status, reason).await;
	}
	let mut other = post_of(&header, "{}");
	other.headers_mut().insert(header::CONTENT_TYPE, "text/plain".parse().expect("it is one"));
	kms.assert_refused(kms.ask(other).await, 415, "Content-Type: application/json").await;
	// At the limits, among garbage.
	let garbage = vec![stanza(512, 512); 15];
	let stanzas = [garbage.clone(), vec![stanza(512, 512)]].concat();
	let foreign = UnwrapRequest { stanzas, ..request.clone() };
	let reason = "no stanza is for a key of this KMS";
	kms.assert_refused(kms.unwrap("//Bob", &foreign).await, 422, reason).await;
	let recipient = UnwrapRequest { recipient: KmsKey([0; 32]), ..request.clone() };
	let reason = "`recipient` is not a public key that has a secret one";
	kms.assert_refused(kms.unwrap("//Bob", &recipient).await, 400, reason).await;
	let stanzas = [garbage, vec![own]].concat();
	kms.assert_given(kms.unwrap("//Bob", &UnwrapRequest { stanzas, ..request }).await).await;
}

/// Asks until the answer is 429, while others count all the time.
async fn until_refused(
	kms: &Kms,
	count: impl Fn(&App) + Send + 'static,
	ask: impl AsyncFn() -> Response,
) -> Response {
	let (app, done) = (kms.app.clone(), Arc::new(AtomicBool::new(false)));
	let is_done = done.clone();
	let counting = std::thread::spawn(move || {
		while !is_done.load(Ordering::Relaxed) {
			count(&app);
		}
	});
	let answer = loop {
		let answer = ask().await;
		if answer.status() == 429 {
			break answer;
		}
	};
	done.store(true, Ordering::Relaxed);
	counting.join().expect("it only counts");
	answer
}

#[tokio::test]
async fn clients_and_accounts_that_ask_too_often_have_to_wait() {
	let kms = Kms::start();
	let status = async |client: [u8; 4]| {
		let answer = kms.ask_from(client.into(), post_of("", "{}")).await;
		(answer.status().as_u16(), answer.headers().get(header::RETRY_AFTER).cloned())
	};
	// So many at once are answered.
	for _ in 0..1_000 {
		assert_eq!(status(CLIENT).await, (401, None));
	}
	let client = |app: &App| drop(app.count_client(CLIENT.into()));
	let answer =
		until_refused(&kms, client, async || kms.ask_from(CLIENT.into(), post_of("", "{}")).await)
			.await;
	assert!(answer.headers().contains_key(header::RETRY_AFTER));
	kms.assert_refused(answer, 429, "too many requests from this address").await;
	assert_eq!(status([10, 0, 0, 2]).await.0, 401);
	// A reverse proxy stands for many clients, and the account is one all the same.
	for _ in 0..3_000 {
		assert_eq!(status([127, 0, 0, 1]).await.0, 401);
	}
	let bob = *signer("//Bob").account();
	let account = move |app: &App| drop(app.count_account(&bob));
	let proxied = async || kms.unwrap_from([127, 0, 0, 1].into(), "//Bob").await;
	let answer = until_refused(&kms, account, proxied).await;
	assert!(answer.headers().contains_key(header::RETRY_AFTER));
	let error = json_of(answer).await["error"].clone();
	assert_eq!(error, "too many requests from this account");
	kms.assert_given(kms.unwrap_from([127, 0, 0, 1].into(), "//Alice").await).await;
}

impl Kms {
	async fn unwrap_from(&self, client: IpAddr, name: &str) -> Response {
		let request = self.request();
		let signed = signed(name, KMS, TENANT, Some(request.recipient), 600);
		let body = serde_json::to_string(&request).expect("it is JSON");
		self.ask_from(client, post_of(&signed, &body)).await
	}
}

#[tokio::test]
async fn receipts_are_for_admins() {
	let kms = Kms::start();
	let ask = async |name: &str, query: &str| {
		let signed = signed(name, KMS, TENANT, None, 600);
		kms.ask(get_of(&format!("/v1/receipts{query}"), Some(&signed))).await
	};
	let reason = "the account does not have the level admin in the tenant";
	for name in ["//Eve", "//Bob", "//Dave"] {
		kms.assert_refused(ask(name, "").await, 403, reason).await;
	}
	kms.assert_refused(kms.ask(get_of("/v1/receipts", None)).await, 401, "is missing").await;
	let recipient = kms.reader.keys()[0];
	let for_a_key = signed("//Alice", KMS, TENANT, Some(recipient), 600);
	let answer = kms.ask(get_of("/v1/receipts", Some(&for_a_key))).await;
	kms.assert_refused(answer, 401, "without a recipient").await;
	for (query, reason) in [
		("?limit=0", "`limit` is 0, expected 1 to 1000"),
		("?limit=1001", "`limit` is 1001"),
		("?after=-1", "`after` is not a number"),
		("?after", "`after` is not a number"),
		("?after=1&after=2", "`after` is given twice"),
		("?before=1", "other names than `after` and `limit`"),
	] {
		kms.assert_refused(ask("//Alice", query).await, 400, reason).await;
	}
	assert_eq!(json_of(ask("//Alice", "").await).await, json!({ "receipts": [], "next": null }));
	for _ in 0..3 {
		kms.assert_given(kms.unwrap("//Bob", &kms.request()).await).await;
	}
	for name in ["//Alice", "//Charlie"] {
		let page = json_of(ask(name, "?after=1&limit=1").await).await;
		assert_eq!((&page["next"], &page["receipts"][0]["number"]), (&json!(2), &json!(2)));
		assert_eq!(page["receipts"][0]["account"], signer("//Bob").account().to_string());
	}
}

#[tokio::test]
async fn a_receipt_that_cannot_be_written_keeps_the_key_until_it_can() {
	let kms = Kms::start();
	let path = kms.folder.path().join("receipts.jsonl");
	// A file that cannot be written stands for a full disk.
	let file = std::fs::File::open(&path).expect("it is there");
	let receipts = Receipts::on(file);
	let broken = {
		let identities = Identities::random();
		let keys = identities.keys();
		let view = View::of((Some(member()), Some(row(keys[0]))), &levels(), &[], (None, 0));
		let key = keys[0];
		let app = App::new(Fabric::of(view, (TENANT, KMS), keys), identities, receipts);
		let folder = tempfile::tempdir().expect("there is room for a folder");
		Kms { app, key, reader: Identities::random(), folder }
	};
	let answer = broken.unwrap("//Bob", &broken.request()).await;
	broken.assert_refused(answer, 503, "the receipt of the key cannot be written").await;
	let ready = broken.ask(get_of("/ready", None)).await;
	broken.assert_refused(ready, 503, "receipts cannot be written: Bad file descriptor").await;
}

#[tokio::test]
async fn the_state_is_public_and_figures_name_nobody() {
	let kms = Kms::start();
	assert_eq!(text_of(kms.ask(get_of("/ready", None)).await).await, "ready\n");
	let status = json_of(kms.ask(get_of("/v1/status", None)).await).await;
	let expected = json!({
		"tenant": TENANT,
		"kms": KMS,
		"version": env!("CARGO_PKG_VERSION"),
		"key": kms.key,
		"keys": [kms.key],
		"block": { "number": 9, "hash": format!("0x{}", "09".repeat(32)) },
		"finalized_age": status["finalized_age"],
		"problem": null,
	});
	assert_eq!(status, expected);
	assert!(status["finalized_age"].is_u64());
	kms.assert_given(kms.unwrap("//Bob", &kms.request()).await).await;
	let figures = text_of(kms.ask(get_of("/metrics", None)).await).await;
	for line in [
		"fabric_kms_requests_total{path=\"/v1/unwrap\",status=\"200\"} 1",
		"fabric_kms_state{of=\"receipts\"} 1",
		"fabric_kms_state{of=\"ready\"} 1",
		"fabric_kms_state{of=\"block\"} 9",
	] {
		assert!(figures.contains(line), "{figures}");
	}
	for secret in ["age1", "iten", "ikms", &signer("//Bob").account().to_string()[..]] {
		assert!(!figures.contains(secret), "{secret}");
	}
	let docs = include_str!("../../../docs/kms.md");
	for name in figures.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next()) {
		assert!(docs.contains(&format!("`{name}")), "{name}");
	}
}

#[tokio::test]
async fn pages_of_other_origins_may_ask_and_other_paths_and_methods_do_not_exist() {
	let kms = Kms::start();
	let ask = async |method: Method, path: &str| {
		let request = Request::builder().method(method).uri(path).body(Body::empty());
		kms.ask(request.expect("it is a request")).await
	};
	let preflight = ask(Method::OPTIONS, "/v1/unwrap").await;
	assert_eq!(preflight.status(), 204);
	let headers = preflight.headers();
	assert_eq!(headers[header::ACCESS_CONTROL_ALLOW_HEADERS], "Authorization, Content-Type");
	assert_eq!(headers[header::ACCESS_CONTROL_ALLOW_ORIGIN], "*");
	assert!(!headers.contains_key(header::ACCESS_CONTROL_ALLOW_CREDENTIALS));
	let answer = ask(Method::GET, "/health").await;
	let exposed = &answer.headers()[header::ACCESS_CONTROL_EXPOSE_HEADERS];
	assert_eq!(exposed, "Allow, Retry-After, WWW-Authenticate");
	kms.assert_refused(ask(Method::GET, "/v1/keys").await, 404, "no such path").await;
	kms.assert_refused(ask(Method::GET, "/v1/unwrap").await, 405, "this method").await;
	kms.assert_refused(ask(Method::GET, "/v1/%ff").await, 400, "not UTF-8").await;
}

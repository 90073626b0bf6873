// SPDX-License-Identifier: Apache-2.0
//! Answers by a KMS that has no chain.

use std::{
	collections::HashMap,
	net::IpAddr,
	sync::{
		atomic::{AtomicBool, Ordering},
		Mutex,
	},
};

use age::secrecy::ExposeSecret;
use age_core::format::FileKey;
use axum::{
	body::{to_bytes, Body},
	http::header,
};
use content_fabric_client::{
	chain::{rows, wall_clock},
	keys::{ChainKind, KeySource, Signer},
	kms::{AtBlock, Stanza, UnwrapRequest, Unwrapped},
	requests::sign,
	text::Text,
};
use content_fabric_identifiers::{ContentObjectId, KmsId, Muid, SpaceId, TenantId, VersionId};
use content_fabric_primitives::{KmsKey, Receiver, TenantLevel, Until};
use serde_json::{json, Value};
use subxt::utils::AccountId32;
use tempfile::TempDir;
use tokio::time::Instant as Moment;

use super::*;
use crate::{
	chain::{Fabric, View},
	identity::{wrap, Identities},
	receipts::{Owner, Receipts},
};

const GENESIS: [u8; 32] = [7; 32];
const TENANT: TenantId = TenantId([1; 10]);
const KMS: KmsId = KmsId([2; 10]);
/// A client on another machine, and one on this.
const CLIENTS: [[u8; 4]; 2] = [[10, 0, 0, 1], [127, 0, 0, 1]];

fn signer(name: &str) -> Signer {
	let Ok(key) = name.parse::<KeySource>();
	key.load(ChainKind::Development).expect("it is a development key")
}

fn account(name: &str) -> AccountId32 {
	*signer(name).account()
}

/// A KMS in a folder of its own, and a reader. Charlie is the root of the tenant.
struct Kms {
	app: Arc<App>,
	key: KmsKey,
	reader: Identities,
	_folder: TempDir,
}

impl Kms {
	fn start() -> Self {
		Self::with(Some, (Some(1), 1))
	}

	/// Starts with the key on the chain that `on_chain` makes of the present one, and with a final
	/// state of this time and arrival, in seconds ago.
	fn with(
		on_chain: impl FnOnce(KmsKey) -> Option<KmsKey>,
		(time, arrived): (Option<u64>, u64),
	) -> Self {
		let (identities, reader) = (Identities::random(), Identities::random());
		let (keys, created) = (identities.keys(), Muid::from_bytes([1; 16]));
		let key = keys[0];
		let member = rows::Member {
			space: SpaceId([5; 10]),
			root: account("//Charlie"),
			root_since: created,
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
			created,
		};
		let (operator, locator) = (account("//Dave"), Text(b"https://127.0.0.1".to_vec()));
		let levels = [
			("//Alice", Some(TenantLevel::Admin)),
			("//Bob", Some(TenantLevel::Read)),
			("//Dave", Some(TenantLevel::Kms)),
			("//Eve", None),
		];
		let levels: HashMap<_, _> =
			levels.into_iter().map(|(name, level)| (account(name).0, level)).collect();
		let asked = Moment::now().checked_sub(Duration::from_secs(arrived));
		let view = View {
			block: AtBlock { number: 9, hash: [9; 32] },
			ids: (TENANT, KMS),
			member: Some(member),
			kms: on_chain(key).map(|key| rows::Kms { operator, locator, key, deposit: 0 }),
			at: None,
			time: time.map(|time| wall_clock().saturating_sub(time * 1_000_000)),
			confirmed: Mutex::new(asked.expect("it is not so long ago")),
			levels: levels.into(),
		};
		let fabric = Fabric {
			ids: (TENANT, KMS),
			genesis: GENESIS,
			created,
			keys,
			link: Mutex::default(),
			last: (Arc::new(view), Moment::now() + Duration::from_secs(86_400)).into(),
			turn: Default::default(),
			lost: Mutex::default(),
		};
		let folder = tempfile::tempdir().expect("there is room for a folder");
		let owner = Owner { genesis: GENESIS, tenant: TENANT, created, kms: KMS };
		let receipts = Receipts::open(folder.path(), owner).expect("it is new");
		Self { app: App::new(fabric, identities, receipts), key, reader, _folder: folder }
	}

	/// Starts with another final state.
	fn with_view(change: impl FnOnce(&mut View)) -> Self {
		let kms = Self::start();
		{
			let mut last = kms.app.fabric.last.lock().expect("nothing has panicked");
			change(Arc::get_mut(&mut last.0).expect("nobody has asked"));
		}
		kms
	}

	/// Returns a request for the file key 3, 3, …
	fn request(&self) -> UnwrapRequest {
		let stanza = wrap(&self.key, &FileKey::new(Box::new([3; 16]))).expect("it is a key");
		let (object, version) = (None, None);
		UnwrapRequest { recipient: self.reader.keys()[0], object, version, stanzas: vec![stanza] }
	}

	async fn ask_from(&self, client: [u8; 4], mut request: Request) -> Response {
		request.extensions_mut().insert(Client(IpAddr::from(client)));
		answer(self.app.clone(), router(self.app.clone()), request).await
	}

	async fn ask(&self, method: Method, path: &str, authorization: &str) -> Response {
		let request = Request::builder().method(method).uri(path);
		let request = request.header(header::AUTHORIZATION, authorization).body(Body::empty());
		self.ask_from(CLIENTS[0], request.expect("it is a request")).await
	}

	async fn get(&self, path: &str) -> Response {
		self.ask(Method::GET, path, "").await
	}

	/// Asks for a file key, by an account.
	async fn unwrap(&self, name: &str, request: &UnwrapRequest) -> Response {
		self.unwrap_from(CLIENTS[0], name, request).await
	}

	async fn unwrap_from(&self, client: [u8; 4], name: &str, request: &UnwrapRequest) -> Response {
		let body = serde_json::to_string(request).expect("it is JSON");
		self.ask_from(client, post(&signed(name, Some(request.recipient)), body)).await
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
		assert_eq!(answer.headers()[header::CACHE_CONTROL], "no-store");
		let (status, given) = (answer.status(), json_of(answer).await);
		assert_eq!(status, 200, "{given}");
		let given: Unwrapped = serde_json::from_value(given).expect("it is a stanza");
		let (_, file_key) = self.reader.unwrap(&[given.stanza]).expect("it is for the reader");
		assert_eq!((given.key, file_key.expose_secret()), (self.key, &[3; 16]));
		assert_eq!(given.block, AtBlock { number: 9, hash: [9; 32] });
	}
}

/// Returns the header that an account signs.
fn signed(name: &str, recipient: Option<KmsKey>) -> String {
	let until = Until::new(wall_clock() / 1_000_000 + 600);
	sign(&signer(name), &GENESIS, Receiver::Kms(KMS, recipient), TENANT, until).to_string()
}

fn post(authorization: &str, body: impl Into<String>) -> Request {
	let request = Request::post("/v1/unwrap").header(header::CONTENT_TYPE, "application/json");
	let request = request.header(header::AUTHORIZATION, authorization);
	request.body(Body::from(body.into())).expect("it is a request")
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
	let header = signed("//Bob", Some(Identities::random().keys()[0]));
	let body = serde_json::to_string(&request).expect("it is JSON");
	let answer = kms.ask_from(CLIENTS[0], post(&header, body)).await;
	kms.assert_refused(answer, 401, "has not signed a request to the KMS ikms").await;
	// The same request again is for the same recipient.
	for name in ["//Bob", "//Dave", "//Alice", "//Charlie", "//Bob"] {
		kms.assert_given(kms.unwrap(name, &request).await).await;
	}
	let receipts = kms.app.receipts.page(0, 9).expect("it is readable").receipts;
	assert_eq!((receipts.len(), receipts[0].account), (5, account("//Bob")));
}

#[tokio::test]
async fn another_key_on_the_chain_or_an_old_final_state_gives_no_keys() {
	type Change = fn(KmsKey) -> Option<KmsKey>;
	for (on_chain, ages, status, reason) in [
		// These last, and no client is told to ask again.
		((|_| None) as Change, (None, 1), 409, "the chain has no KMS ikms"),
		(|_| Some(KmsKey([9; 32])), (None, 1), 409, "which this server does not have"),
		(Some, (Some(1), 60), 503, "the last final block, 9, is 60 seconds old"),
		(Some, (None, 3_600), 503, "is 3600 seconds old"),
		(Some, (Some(60), 1), 503, "the last final block, 9, is 60 seconds old"),
	] {
		let kms = Kms::with(on_chain, ages);
		let answer = kms.unwrap("//Bob", &kms.request()).await;
		let wait = (status == 503).then_some("5".as_bytes());
		assert_eq!(answer.headers().get(header::RETRY_AFTER).map(|after| after.as_bytes()), wait);
		kms.assert_refused(answer, status, reason).await;
		kms.assert_refused(kms.get("/ready").await, 503, reason).await;
		let shown = json_of(kms.get("/v1/status").await).await;
		assert!(shown["problem"].as_str().is_some_and(|text| text.contains(reason)), "{shown}");
		assert_eq!(text_of(kms.get("/health").await).await, "ok\n");
	}
	// From a server whose clock is behind, nobody knows how old the state is.
	for (ahead, given) in [(50, true), (70, false)] {
		let time = wall_clock() + ahead * 1_000_000;
		let kms = Kms::with_view(|view| view.time = Some(time));
		let answer = kms.unwrap("//Bob", &kms.request()).await;
		match given {
			true => kms.assert_given(answer).await,
			false => kms.assert_refused(answer, 503, "seconds in the future: the clock").await,
		}
	}
	// A chain whose clock is ahead, and ages below the limit.
	for ages in [(Some(55), 55), (Some(0), 0), (None, 55)] {
		let kms = Kms::with(Some, ages);
		kms.assert_given(kms.unwrap("//Bob", &kms.request()).await).await;
	}
}

#[tokio::test]
async fn a_tenant_that_is_not_open_gives_no_keys_and_the_reports_say_why() {
	type Change = fn(&mut rows::Member);
	let changes: [(Option<Change>, &str); 3] = [
		(Some(|row| row.suspended = true), "the tenant is suspended by governance"),
		(Some(|row| row.governance_delete = true), "the tenant is frozen by governance"),
		(None, "the tenant does not exist"),
	];
	for (change, reason) in changes {
		let kms = Kms::with_view(|view| match change {
			Some(change) => change(view.member.as_mut().expect("the tenant has a row")),
			None => view.member = None,
		});
		let request = kms.request();
		kms.assert_refused(kms.unwrap("//Bob", &request).await, 403, reason).await;
		kms.assert_refused(kms.get("/ready").await, 503, reason).await;
		assert_eq!(json_of(kms.get("/v1/status").await).await["problem"], reason);
		assert!(text_of(kms.get("/metrics").await).await.contains("{of=\"ready\"} 0"));
	}
}

#[tokio::test]
async fn limits_of_requests_are_errors_that_name_them() {
	let kms = Kms::start();
	let request = kms.request();
	let (own, recipient) = (request.stanzas[0].clone(), request.recipient);
	let stanza = |args: usize, body: usize| Stanza {
		args: vec!["a".repeat(args - 1), "b".into()],
		body: vec![1; body],
	};
	let garbage = vec![stanza(512, 512); 15];
	let of = |stanzas: Vec<Stanza>| UnwrapRequest { stanzas, ..request.clone() };
	let (object, version) = (Some(ContentObjectId([3; 10])), Some(VersionId([4; 32])));
	for (request, status, reason) in [
		(of(vec![]), 400, "`stanzas` has 0 stanzas, expected 1 to 16"),
		(of(vec![stanza(2, 1); 17]), 400, "`stanzas` has 17 stanzas"),
		(of(vec![own.clone(), stanza(2, 513)]), 400, "`stanzas[1].body` has 513 bytes, expected"),
		(of(vec![stanza(513, 1)]), 400, "`stanzas[0].args` has 513 bytes, expected at most 512"),
		(
			of(vec![Stanza { args: vec![String::new(); 9], body: vec![1] }]),
			400,
			"`stanzas[0].args` has 9 arguments, expected at most 8",
		),
		(of([&garbage[..], &[stanza(512, 512)]].concat()), 422, "no stanza is for a key of this"),
		(UnwrapRequest { object, ..request.clone() }, 400, "`object` needs the `version`"),
		(UnwrapRequest { version, ..request.clone() }, 400, "`version` needs its `object`"),
		(
			UnwrapRequest { recipient: KmsKey([0; 32]), ..request.clone() },
			400,
			"`recipient` is not a public key that has a secret one",
		),
	] {
		kms.assert_refused(kms.unwrap("//Bob", &request).await, status, reason).await;
	}
	let header = signed("//Bob", Some(recipient));
	let padded = json!([{ "args": [], "body": "=" }]);
	for (body, status, reason) in [
		("x".repeat((64 << 10) + 1), 413, "the body has more than 65536 bytes"),
		("{".into(), 400, "the body is not as expected"),
		(json!({ "recipient": "age1x", "stanzas": [] }).to_string(), 400, "recipient: "),
		(json!({ "recipient": recipient, "stanzas": [], "x": 1 }).to_string(), 400, "field `x`"),
		(
			json!({ "recipient": recipient, "stanzas": padded }).to_string(),
			400,
			"stanzas[0].body: `body` is not base64 without padding",
		),
	] {
		let answer = kms.ask_from(CLIENTS[0], post(&header, body)).await;
		kms.assert_refused(answer, status, reason).await;
	}
	let mut other = post(&header, "{}");
	other.headers_mut().insert(header::CONTENT_TYPE, "text/plain".parse().expect("it is one"));
	let answer = kms.ask_from(CLIENTS[0], other).await;
	kms.assert_refused(answer, 415, "Content-Type: application/json").await;
	// At the limits, among garbage.
	let request = of([garbage, vec![own]].concat());
	kms.assert_given(kms.unwrap("//Bob", &request).await).await;
}

/// Asks until the answer is 429, while others count all the time.
async fn until_refused(
	kms: &Kms,
	count: impl Fn(&App) + Send + 'static,
	ask: impl AsyncFn() -> Response,
) -> Value {
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
	assert!(answer.headers().contains_key(header::RETRY_AFTER));
	json_of(answer).await
}

#[tokio::test]
async fn clients_and_accounts_that_ask_too_often_have_to_wait() {
	let kms = Kms::start();
	let [client, proxy] = CLIENTS;
	let status = async |client| kms.ask_from(client, post("", "{}")).await.status();
	// So many at once are answered. A reverse proxy stands for many clients.
	for (client, number) in [(client, 1_000), (proxy, 3_000)] {
		for _ in 0..number {
			assert_eq!(status(client).await, 401);
		}
	}
	let count = move |app: &App| drop(app.count_client(client.into()));
	let ask = async || kms.ask_from(client, post("", "{}")).await;
	let refused = until_refused(&kms, count, ask).await;
	assert_eq!(refused, json!({ "error": "too many requests from this address" }));
	assert_eq!(status([10, 0, 0, 2]).await, 401);
	// Behind the proxy, the account is one all the same.
	let (bob, request) = (account("//Bob"), kms.request());
	let count = move |app: &App| drop(app.count_account(&bob));
	let ask = async || kms.unwrap_from(proxy, "//Bob", &request).await;
	let refused = until_refused(&kms, count, ask).await;
	assert_eq!(refused, json!({ "error": "too many requests from this account" }));
	kms.assert_given(kms.unwrap_from(proxy, "//Alice", &request).await).await;
}

#[tokio::test]
async fn receipts_are_for_admins() {
	let kms = Kms::start();
	let recipient = kms.reader.keys()[0];
	let ask = async |name: &str, recipient, query: &str| {
		let (path, header) = (format!("/v1/receipts{query}"), signed(name, recipient));
		kms.ask(Method::GET, &path, &header).await
	};
	for (name, recipient, query, status, reason) in [
		("//Eve", None, "", 403, "the account does not have the level admin in the tenant"),
		("//Bob", None, "", 403, "the level admin"),
		("//Dave", None, "", 403, "the level admin"),
		("//Alice", Some(recipient), "", 401, "without a recipient"),
		("//Alice", None, "?limit=0", 400, "`limit` is 0, expected 1 to 1000"),
		("//Alice", None, "?limit=1001", 400, "`limit` is 1001"),
		("//Alice", None, "?after=-1", 400, "`after` is not a number"),
		("//Alice", None, "?after", 400, "`after` is not a number"),
		("//Alice", None, "?after=1&after=2", 400, "`after` is given twice"),
		("//Alice", None, "?before=1", 400, "other names than `after` and `limit`"),
	] {
		kms.assert_refused(ask(name, recipient, query).await, status, reason).await;
	}
	let none = json_of(ask("//Alice", None, "").await).await;
	assert_eq!(none, json!({ "receipts": [], "next": null }));
	for _ in 0..3 {
		kms.assert_given(kms.unwrap("//Bob", &kms.request()).await).await;
	}
	for name in ["//Alice", "//Charlie"] {
		let page = json_of(ask(name, None, "?after=1&limit=1").await).await;
		assert_eq!((&page["next"], &page["receipts"][0]["number"]), (&json!(2), &json!(2)));
		assert_eq!(page["receipts"][0]["account"], account("//Bob").to_string());
	}
}

#[tokio::test]
async fn the_state_is_public_and_figures_name_nobody() {
	let kms = Kms::start();
	assert_eq!(text_of(kms.get("/ready").await).await, "ready\n");
	let status = json_of(kms.get("/v1/status").await).await;
	let expected = json!({
		"tenant": TENANT,
		"kms": KMS,
		"version": env!("CARGO_PKG_VERSION"),
		"genesis_hash": format!("0x{}", "07".repeat(32)),
		"key": kms.key,
		"keys": [kms.key],
		"block": { "number": 9, "hash": format!("0x{}", "09".repeat(32)) },
		"finalized_age": status["finalized_age"],
		"problem": null,
	});
	assert_eq!(status, expected);
	assert!(status["finalized_age"].is_u64());
	kms.assert_given(kms.unwrap("//Bob", &kms.request()).await).await;
	let figures = text_of(kms.get("/metrics").await).await;
	for line in [
		"fabric_kms_requests_total{path=\"/v1/unwrap\",status=\"200\"} 1",
		"fabric_kms_state{of=\"receipts\"} 1",
		"fabric_kms_state{of=\"ready\"} 1",
		"fabric_kms_state{of=\"block\"} 9",
	] {
		assert!(figures.contains(line), "{figures}");
	}
	for secret in ["age1", "iten", "ikms", &account("//Bob").to_string()[..]] {
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
	let preflight = kms.ask(Method::OPTIONS, "/v1/unwrap", "").await;
	assert_eq!(preflight.status(), 204);
	let headers = preflight.headers();
	assert_eq!(headers[header::ACCESS_CONTROL_ALLOW_HEADERS], "Authorization, Content-Type");
	assert_eq!(headers[header::ACCESS_CONTROL_ALLOW_ORIGIN], "*");
	assert!(!headers.contains_key(header::ACCESS_CONTROL_ALLOW_CREDENTIALS));
	let answer = kms.get("/health").await;
	let exposed = &answer.headers()[header::ACCESS_CONTROL_EXPOSE_HEADERS];
	assert_eq!(exposed, "Allow, Retry-After, WWW-Authenticate");
	for (path, status, reason) in [
		("/v1/keys", 404, "no such path"),
		("/v1/unwrap", 405, "this method"),
		("/v1/%ff", 400, "not UTF-8"),
	] {
		kms.assert_refused(kms.get(path).await, status, reason).await;
	}
}
